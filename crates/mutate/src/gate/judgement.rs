//! Whether a run may pass, and what stands in its way.

use std::collections::BTreeSet;

use super::accepted::{Accepted, AcceptedFinding};
use super::comparison::{Comparison, Standings, compare, standings};
use super::limits::{Limits, ModuleBreach};
use crate::id::MutantId;
use crate::metrics::{MethodResult, Metrics};
use crate::verdict::Standing;

/// The part of the project that a run looked at. What lies outside it is no news: an accepted
/// mutant that was not tried is not obsolete, one that stood in the last run is not gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    Everything,
    /// Only these classes, in VM form.
    Classes(BTreeSet<String>),
    /// Only these mutants, as when only changes were looked at.
    Mutants(BTreeSet<MutantId>),
}

impl Scope {
    fn includes(&self, id: &MutantId) -> bool {
        match self {
            Scope::Everything => true,
            Scope::Classes(classes) => classes.contains(&id.method.class),
            Scope::Mutants(mutants) => mutants.contains(id),
        }
    }

    /// Standings of an earlier run, as far as they can be compared with this one.
    pub fn restrict(&self, standings: &Standings) -> Standings {
        let inside = standings.iter().filter(|(id, _)| self.includes(id));
        inside
            .map(|(id, standing)| (id.clone(), *standing))
            .collect()
    }

    /// What is known after this run: its own standings, and earlier ones outside its scope.
    pub fn update(&self, mut before: Standings, now: Standings) -> Standings {
        before.retain(|id, _| !self.includes(id));
        before.extend(now);
        before
    }
}

/// What the gate made of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gate {
    /// Whether there are limits at all.
    pub limited: bool,
    /// Limits that do not hold.
    pub breaches: Vec<ModuleBreach>,
    /// What the team has accepted; none without a baseline.
    pub accepted: Option<Accepted>,
    /// Undetected mutants that the baseline does not list; empty without a baseline.
    pub unaccepted: Vec<MutantId>,
    /// Entries of the baseline that can be deleted.
    pub obsolete: Vec<MutantId>,
    /// Against the last run that passed; none if there was none.
    pub comparison: Option<Comparison>,
}

impl Gate {
    pub fn judge(
        methods: &[&MethodResult],
        scope: &Scope,
        limits: &Limits,
        accepted: Option<Accepted>,
        before: Option<&Standings>,
    ) -> Self {
        let now = standings(methods.iter().copied());
        let undetected = undetected(&now);
        let none = Accepted::default();
        let known = accepted.as_ref().unwrap_or(&none);
        let obsolete = known.obsolete(&undetected).into_iter();
        Gate {
            limited: limits.are_set(),
            breaches: limits.check(&Metrics::by_module(methods.iter().copied())),
            unaccepted: match &accepted {
                Some(accepted) => undetected
                    .iter()
                    .filter(|id| !accepted.contains(id))
                    .cloned()
                    .collect(),
                None => Vec::new(),
            },
            obsolete: obsolete.filter(|id| scope.includes(id)).cloned().collect(),
            comparison: before.map(|before| compare(&scope.restrict(before), &now, known)),
            accepted,
        }
    }

    /// Whether the run may pass; none if neither limits nor a baseline say so.
    pub fn passes(&self) -> Option<bool> {
        let asked = self.limited || self.accepted.is_some();
        asked.then_some(self.breaches.is_empty() && self.unaccepted.is_empty())
    }
}

impl Accepted {
    /// The baseline under which this run has no news: reasons are kept, obsolete entries dropped.
    pub fn renewed(&self, methods: &[&MethodResult], scope: &Scope) -> Self {
        let undetected = undetected(&standings(methods.iter().copied()));
        let outside = self
            .iter()
            .map(|(id, _)| id)
            .filter(|id| !scope.includes(id));
        undetected
            .iter()
            .chain(outside)
            .map(|id| AcceptedFinding {
                id: id.clone(),
                reason: self.reason(id).unwrap_or_default().to_owned(),
            })
            .collect()
    }
}

fn undetected(standings: &Standings) -> BTreeSet<MutantId> {
    standings
        .iter()
        .filter(|(_, standing)| **standing == Standing::Undetected)
        .map(|(id, _)| id.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Thresholds;
    use crate::sample::{method, results};

    /// `A#run()V` with one mutant per letter, called 0, 1, …
    fn run(verdicts: &str) -> MethodResult {
        let mut method = method("A#run()V");
        method.extreme = results(&method.id, verdicts);
        method
    }

    fn accepted(text: &str) -> Accepted {
        Accepted::parse(text).unwrap()
    }

    fn judge(method: &MethodResult, accepted: Option<Accepted>, minimum: Option<f64>) -> Gate {
        let limits = Limits {
            general: Thresholds {
                extreme_score: minimum,
                ..Thresholds::default()
            },
            ..Limits::default()
        };
        Gate::judge(&[method], &Scope::Everything, &limits, accepted, None)
    }

    fn words(ids: &[MutantId]) -> Vec<String> {
        ids.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn without_limits_or_baseline_the_gate_has_no_say() {
        assert_eq!(judge(&run("ks"), None, None).passes(), None);
    }

    #[test]
    fn with_a_baseline_only_what_is_new_stands_in_the_way() {
        let known = accepted("A#run()V#0\n");
        assert_eq!(
            judge(&run("sk"), Some(known.clone()), None).passes(),
            Some(true)
        );
        let gate = judge(&run("ss"), Some(known), None);
        assert_eq!(gate.passes(), Some(false));
        assert_eq!(words(&gate.unaccepted), ["A#run()V#1"]);
    }

    #[test]
    fn with_limits_alone_findings_may_pass() {
        assert_eq!(judge(&run("ks"), None, Some(50.0)).passes(), Some(true));
        assert_eq!(judge(&run("ks"), None, Some(50.1)).passes(), Some(false));
    }

    #[test]
    fn accepted_mutants_outside_the_scope_are_not_obsolete() {
        let known = accepted("A#run()V#0\nB#run()V#0\n");
        let method = run("k");
        let obsolete = |scope: &Scope| {
            let limits = Limits::default();
            let gate = Gate::judge(&[&method], scope, &limits, Some(known.clone()), None);
            words(&gate.obsolete)
        };
        assert_eq!(obsolete(&Scope::Everything), ["A#run()V#0", "B#run()V#0"]);
        let part = Scope::Classes(["A".to_owned()].into());
        assert_eq!(obsolete(&part), ["A#run()V#0"]);
    }

    #[test]
    fn a_renewed_baseline_keeps_reasons_and_what_it_did_not_look_at() {
        let known = accepted("# slow\nA#run()V#0\n\n# old\nA#gone()V#0\n\n# other\nB#run()V#0\n");
        let part = Scope::Classes(["A".to_owned()].into());
        let renewed = known.renewed(&[&run("ss")], &part);
        let entries: Vec<_> = renewed
            .iter()
            .map(|(id, reason)| (id.to_string(), reason.to_owned()))
            .collect();
        let expected = [
            ("A#run()V#0", "slow"),
            ("A#run()V#1", ""),
            ("B#run()V#0", "other"),
        ];
        assert_eq!(
            entries,
            expected.map(|(id, why)| (id.to_owned(), why.to_owned()))
        );
    }

    #[test]
    fn a_partial_run_replaces_only_its_own_standings() {
        let stood = |entries: &[(&str, Standing)]| -> Standings {
            let parsed = entries
                .iter()
                .map(|(id, standing)| (id.parse().unwrap(), *standing));
            parsed.collect()
        };
        let before = stood(&[
            ("A#old()V#0", Standing::Undetected),
            ("B#run()V#0", Standing::Detected),
        ]);
        let now = stood(&[("A#run()V#0", Standing::Detected)]);
        let part = Scope::Classes(["A".to_owned()].into());
        let expected = stood(&[
            ("A#run()V#0", Standing::Detected),
            ("B#run()V#0", Standing::Detected),
        ]);
        assert_eq!(part.update(before.clone(), now.clone()), expected);
        assert_eq!(Scope::Everything.update(before, now.clone()), now);
    }
}
