//! What a change to the project did to its mutants: why a score moved, named mutant by mutant.

use std::collections::{BTreeMap, BTreeSet};

use super::accepted::Accepted;
use crate::id::{MethodId, MutantId};
use crate::metrics::MethodResult;
use crate::verdict::{Classification, Standing};

/// How mutants stood in one run.
pub type Standings = BTreeMap<MutantId, Standing>;

/// How the mutants of all these methods stand, of both kinds.
pub fn standings<'r>(methods: impl IntoIterator<Item = &'r MethodResult>) -> Standings {
    let results = methods
        .into_iter()
        .flat_map(|method| method.extreme.iter().chain(&method.classic));
    results
        .map(|result| (result.id.clone(), result.verdict.standing()))
        .collect()
}

/// Why a mutant is undetected now that was not before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The method is new, perhaps taken out of another one.
    NewMethod,
    /// The method is old, but this mutant of it is new (another operator or return type).
    NewMutant,
    /// Tests noticed it before.
    NoLongerDetected,
    /// No test ran the method before; now one does, without checking it.
    NowCovered,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewlyUndetected {
    pub id: MutantId,
    pub cause: Cause,
}

/// The difference between two runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comparison {
    /// In order of id.
    pub newly_undetected: Vec<NewlyUndetected>,
    /// Undetected before, detected now.
    pub newly_detected: Vec<MutantId>,
    /// Undetected before, gone now.
    pub gone: Vec<MutantId>,
    /// Pseudo-tested now and not before.
    pub newly_pseudo_tested: Vec<MethodId>,
}

impl Comparison {
    /// Whether a gate that minds only what is new lets this pass.
    pub fn is_clean(&self) -> bool {
        self.newly_undetected.is_empty()
    }
}

/// Compares two runs over the same part of the project. Accepted mutants are not news, and a
/// method is not newly pseudo-tested if all its undetected mutants are accepted. Neither is what
/// comes of an engine that has not been tried there before: nothing has changed about it.
pub fn compare(before: &Standings, now: &Standings, accepted: &Accepted) -> Comparison {
    let known: BTreeSet<&MethodId> = before.keys().map(|id| &id.method).collect();
    let undetected =
        |standings: &Standings, id: &MutantId| standings.get(id) == Some(&Standing::Undetected);
    // Only classic mutants are numbered.
    let is_classic = |id: &MutantId| id.ordinal.is_some();
    let engines: BTreeSet<bool> = before.keys().map(is_classic).collect();
    let is_comparable = |id: &MutantId| engines.is_empty() || engines.contains(&is_classic(id));
    let mut comparison = Comparison::default();
    for id in now
        .keys()
        .filter(|id| undetected(now, id) && !accepted.contains(id) && is_comparable(id))
    {
        let cause = match before.get(id) {
            Some(Standing::Undetected) => continue,
            Some(Standing::Detected) => Cause::NoLongerDetected,
            Some(Standing::NotCovered) => Cause::NowCovered,
            Some(Standing::Skipped) => Cause::NewMutant,
            None if known.contains(&id.method) => Cause::NewMutant,
            None => Cause::NewMethod,
        };
        comparison.newly_undetected.push(NewlyUndetected {
            id: id.clone(),
            cause,
        });
    }
    for id in before.keys().filter(|id| undetected(before, id)) {
        match now.get(id) {
            Some(Standing::Detected) => comparison.newly_detected.push(id.clone()),
            None => comparison.gone.push(id.clone()),
            Some(_) => {}
        }
    }
    let (before, now) = (pseudo_tested(before), pseudo_tested(now));
    let news = now.into_iter().filter(|(method, mutants)| {
        !before.contains_key(method) && !accepted.covers(mutants.iter().copied())
    });
    comparison.newly_pseudo_tested = news.map(|(method, _)| method.clone()).collect();
    comparison
}

/// Pseudo-tested methods with their undetected mutants. Classic mutants do not make a method
/// pseudo-tested.
fn pseudo_tested(standings: &Standings) -> BTreeMap<&MethodId, Vec<&MutantId>> {
    let mut methods: BTreeMap<&MethodId, Vec<(&MutantId, Standing)>> = BTreeMap::new();
    for (id, standing) in standings.iter().filter(|(id, _)| id.ordinal.is_none()) {
        methods.entry(&id.method).or_default().push((id, *standing));
    }
    let pseudo = methods.into_iter().filter_map(|(method, mutants)| {
        let class = Classification::of(mutants.iter().map(|(_, standing)| *standing));
        let undetected = mutants
            .into_iter()
            .filter(|(_, each)| *each == Standing::Undetected);
        (class == Classification::PseudoTested)
            .then(|| (method, undetected.map(|(id, _)| id).collect()))
    });
    pseudo.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::AcceptedFinding;
    use crate::sample::{method, results};

    fn stood(entries: &[(&str, Standing)]) -> Standings {
        entries
            .iter()
            .map(|(id, standing)| (id.parse().unwrap(), *standing))
            .collect()
    }

    fn causes(comparison: &Comparison) -> Vec<(String, Cause)> {
        comparison
            .newly_undetected
            .iter()
            .map(|new| (new.id.to_string(), new.cause))
            .collect()
    }

    use Standing::*;

    #[test]
    fn each_new_survivor_has_a_cause() {
        let before = stood(&[
            ("A#known()I#0", Detected),
            ("A#old()V#void", Undetected),
            ("A#lost()V#void", Detected),
            ("A#reached()V#void", NotCovered),
        ]);
        let now = stood(&[
            ("A#check()V#void", Undetected),
            ("A#known()I#0", Detected),
            ("A#known()I#1", Undetected),
            ("A#lost()V#void", Undetected),
            ("A#old()V#void", Undetected),
            ("A#reached()V#void", Undetected),
        ]);
        let comparison = compare(&before, &now, &Accepted::default());
        let expected = [
            ("A#check()V#void", Cause::NewMethod),
            ("A#known()I#1", Cause::NewMutant),
            ("A#lost()V#void", Cause::NoLongerDetected),
            ("A#reached()V#void", Cause::NowCovered),
        ];
        assert_eq!(
            causes(&comparison),
            expected.map(|(id, cause)| (id.to_owned(), cause))
        );
        let pseudo: Vec<_> = comparison
            .newly_pseudo_tested
            .iter()
            .map(|m| m.name.as_str())
            .collect();
        assert_eq!(pseudo, ["check", "lost", "reached"]);
        assert!(!comparison.is_clean());
    }

    #[test]
    fn both_kinds_of_mutants_have_a_standing() {
        let mut method = method("A#run()I");
        method.extreme = results(&method.id, "k");
        method.classic = results(&"A#other()I".parse().unwrap(), "s");
        let expected = stood(&[("A#run()I#0", Detected), ("A#other()I#0", Undetected)]);
        assert_eq!(standings(&[method]), expected);
    }

    #[test]
    fn accepted_mutants_are_no_news() {
        let id = "A#check()V#void";
        let accepted: Accepted = [AcceptedFinding {
            id: id.parse().unwrap(),
            reason: String::new(),
        }]
        .into_iter()
        .collect();
        let comparison = compare(&Standings::new(), &stood(&[(id, Undetected)]), &accepted);
        assert_eq!(comparison, Comparison::default());
        assert!(comparison.is_clean());
    }

    #[test]
    fn improvements_are_told_apart_from_disappearances() {
        let before = stood(&[("A#a()V#void", Undetected), ("A#b()V#void", Undetected)]);
        let now = stood(&[("A#a()V#void", Detected)]);
        let comparison = compare(&before, &now, &Accepted::default());
        assert_eq!(comparison.newly_detected, ["A#a()V#void".parse().unwrap()]);
        assert_eq!(comparison.gone, ["A#b()V#void".parse().unwrap()]);
        assert!(comparison.is_clean());
    }

    #[test]
    fn surviving_classic_mutants_do_not_make_a_method_pseudo_tested() {
        let now = stood(&[("A#a()I#0", Detected), ("A#a()I#math#0", Undetected)]);
        let comparison = compare(&Standings::new(), &now, &Accepted::default());
        assert_eq!(comparison.newly_pseudo_tested, []);
        assert_eq!(comparison.newly_undetected.len(), 1);
    }

    #[test]
    fn what_an_engine_finds_that_was_not_tried_before_is_no_news() {
        let before = stood(&[("A#known()I#0", Detected)]);
        let now = stood(&[
            ("A#known()I#0", Undetected),
            ("A#known()I#math#0", Undetected),
            ("A#other()I#math#0", Undetected),
        ]);
        let known: MutantId = "A#known()I#0".parse().unwrap();
        assert!(known.ordinal.is_none());
        let news = causes(&compare(&before, &now, &Accepted::default()));
        assert_eq!(news, [(known.to_string(), Cause::NoLongerDetected)]);
        let once = stood(&[("A#known()I#math#0", Detected)]);
        let news = causes(&compare(&once, &now, &Accepted::default()));
        assert_eq!(news.len(), 2);
    }
}
