//! Numbers over methods and mutants, for a class, a package, a module or the whole project.
//!
//! Every rate is a fraction of something that may be zero; then there is no rate, which is not
//! the same as 0 or 1.

use std::collections::BTreeMap;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use crate::id::MethodId;
use crate::stop::StopReason;
use crate::verdict::{Classification, MutantResult, MutantVerdict, Standing};

/// All that is known about a method in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodResult {
    pub id: MethodId,
    /// The module whose class it is in; its tests may live elsewhere.
    pub module: String,
    pub stop: Option<StopReason>,
    /// Whether any test runs it, mutated or not.
    pub covered: bool,
    pub extreme: Vec<MutantResult>,
    /// Empty unless the classic operators ran, too.
    pub classic: Vec<MutantResult>,
}

impl MethodResult {
    pub fn classification(&self) -> Classification {
        Classification::of(self.extreme.iter().map(|result| result.verdict.standing()))
    }

    pub fn undetected(&self) -> impl Iterator<Item = &MutantResult> {
        self.extreme
            .iter()
            .filter(|result| result.verdict.standing() == Standing::Undetected)
    }
}

/// Counts of mutants by what became of them. Skipped ones are not counted as created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    pub created: u64,
    pub covered: u64,
    /// Of all kinds, those listed below included.
    pub detected: u64,
    pub timed_out: u64,
    pub out_of_memory: u64,
    pub crashed: u64,
}

impl Tally {
    pub fn of<'r>(results: impl IntoIterator<Item = &'r MutantResult>) -> Self {
        results
            .into_iter()
            .map(|result| Self::of_one(&result.verdict))
            .sum()
    }

    fn of_one(verdict: &MutantVerdict) -> Self {
        let standing = verdict.standing();
        let one = u64::from;
        Tally {
            created: one(standing != Standing::Skipped),
            covered: one(matches!(
                standing,
                Standing::Detected | Standing::Undetected
            )),
            detected: one(standing == Standing::Detected),
            timed_out: one(matches!(verdict, MutantVerdict::TimedOut { .. })),
            out_of_memory: one(matches!(verdict, MutantVerdict::OutOfMemory { .. })),
            crashed: one(matches!(verdict, MutantVerdict::Crashed { .. })),
        }
    }

    pub fn undetected(&self) -> u64 {
        self.covered - self.detected
    }

    /// The mutation score: detected among covered mutants.
    pub fn score(&self) -> Option<f64> {
        rate(self.detected, self.covered)
    }
}

/// The figures of a class, a package, a module or a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Metrics {
    /// Methods with a body, constructors and static initialisers apart (#METH).
    pub methods: u64,
    pub covered: u64,
    /// Methods of which some mutant was tried (#MUA).
    pub under_analysis: u64,
    pub tested: u64,
    pub partially_tested: u64,
    pub pseudo_tested: u64,
    pub not_covered: u64,
    pub not_analysed: u64,
    pub extreme: Tally,
    pub classic: Tally,
    /// Classic mutants that lie in pseudo-tested methods.
    pub classic_in_pseudo_tested: Tally,
    /// Classic mutants that lie in required methods.
    pub classic_in_required: Tally,
}

impl Metrics {
    pub fn of<'r>(methods: impl IntoIterator<Item = &'r MethodResult>) -> Self {
        methods.into_iter().map(Self::of_one).sum()
    }

    fn of_one(method: &MethodResult) -> Self {
        if method.stop.is_some_and(|reason| !reason.counts_as_method()) {
            return Metrics::default();
        }
        let class = method.classification();
        let classic = Tally::of(&method.classic);
        let when = |applies: bool| if applies { classic } else { Tally::default() };
        let one = u64::from;
        Metrics {
            methods: 1,
            covered: one(method.covered),
            under_analysis: one(class.is_under_analysis()),
            tested: one(class == Classification::Tested),
            partially_tested: one(class == Classification::PartiallyTested),
            pseudo_tested: one(class == Classification::PseudoTested),
            not_covered: one(class == Classification::NotCovered),
            not_analysed: one(class == Classification::NotAnalysed),
            extreme: Tally::of(&method.extreme),
            classic,
            classic_in_pseudo_tested: when(class == Classification::PseudoTested),
            classic_in_required: when(class.is_required()),
        }
    }

    pub fn by_class<'r>(
        methods: impl IntoIterator<Item = &'r MethodResult>,
    ) -> BTreeMap<String, Self> {
        Self::by(methods, |method| method.id.class.clone())
    }

    pub fn by_package<'r>(
        methods: impl IntoIterator<Item = &'r MethodResult>,
    ) -> BTreeMap<String, Self> {
        Self::by(methods, |method| method.id.package())
    }

    pub fn by_module<'r>(
        methods: impl IntoIterator<Item = &'r MethodResult>,
    ) -> BTreeMap<String, Self> {
        Self::by(methods, |method| method.module.clone())
    }

    fn by<'r>(
        methods: impl IntoIterator<Item = &'r MethodResult>,
        key: impl Fn(&MethodResult) -> String,
    ) -> BTreeMap<String, Self> {
        let mut groups = BTreeMap::new();
        for method in methods {
            *groups.entry(key(method)).or_insert_with(Self::default) += Self::of_one(method);
        }
        groups
    }

    /// C_RATE: covered methods among all methods.
    pub fn coverage_rate(&self) -> Option<f64> {
        rate(self.covered, self.methods)
    }

    /// PS_RATE: pseudo-tested methods among those under analysis.
    pub fn pseudo_tested_rate(&self) -> Option<f64> {
        rate(self.pseudo_tested, self.under_analysis)
    }

    pub fn extreme_score(&self) -> Option<f64> {
        self.extreme.score()
    }

    pub fn classic_score(&self) -> Option<f64> {
        self.classic.score()
    }

    /// MS_pseudo: the classic score within pseudo-tested methods.
    pub fn score_in_pseudo_tested(&self) -> Option<f64> {
        self.classic_in_pseudo_tested.score()
    }

    /// MS_req: the classic score within required methods.
    pub fn score_in_required(&self) -> Option<f64> {
        self.classic_in_required.score()
    }
}

/// Both kinds of operators on the methods that both mutate, where alone they compare.
pub fn compare_kinds<'r>(methods: impl IntoIterator<Item = &'r MethodResult>) -> (Tally, Tally) {
    let common = methods.into_iter().filter(|method| {
        let mutated = |results: &[MutantResult]| Tally::of(results).created > 0;
        mutated(&method.extreme) && mutated(&method.classic)
    });
    common.fold(Default::default(), |(extreme, classic), method| {
        (
            extreme + Tally::of(&method.extreme),
            classic + Tally::of(&method.classic),
        )
    })
}

pub(crate) fn rate(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            created: self.created + other.created,
            covered: self.covered + other.covered,
            detected: self.detected + other.detected,
            timed_out: self.timed_out + other.timed_out,
            out_of_memory: self.out_of_memory + other.out_of_memory,
            crashed: self.crashed + other.crashed,
        }
    }
}

impl Add for Metrics {
    type Output = Metrics;

    fn add(self, other: Metrics) -> Metrics {
        Metrics {
            methods: self.methods + other.methods,
            covered: self.covered + other.covered,
            under_analysis: self.under_analysis + other.under_analysis,
            tested: self.tested + other.tested,
            partially_tested: self.partially_tested + other.partially_tested,
            pseudo_tested: self.pseudo_tested + other.pseudo_tested,
            not_covered: self.not_covered + other.not_covered,
            not_analysed: self.not_analysed + other.not_analysed,
            extreme: self.extreme + other.extreme,
            classic: self.classic + other.classic,
            classic_in_pseudo_tested: self.classic_in_pseudo_tested
                + other.classic_in_pseudo_tested,
            classic_in_required: self.classic_in_required + other.classic_in_required,
        }
    }
}

impl AddAssign for Metrics {
    fn add_assign(&mut self, other: Metrics) {
        *self = *self + other;
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), Add::add)
    }
}

impl Sum for Metrics {
    fn sum<I: Iterator<Item = Metrics>>(metrics: I) -> Metrics {
        metrics.fold(Metrics::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{method, results};

    /// One class with every kind of method: `k` is killed, `s` survives, `t` times out, `n` is
    /// not covered, `-` is skipped.
    fn project() -> Vec<MethodResult> {
        let mut tested = method("a/A#tested()I");
        tested.extreme = results(&tested.id, "kt");
        tested.classic = results(&tested.id, "kks");
        let mut partly = method("a/A#partly()I");
        partly.extreme = results(&partly.id, "ks");
        partly.classic = results(&partly.id, "s");
        let mut pseudo = method("a/b/B#pseudo()I");
        pseudo.extreme = results(&pseudo.id, "ss");
        pseudo.classic = results(&pseudo.id, "kn");
        let mut uncovered = method("a/b/B#uncovered()V");
        uncovered.extreme = results(&uncovered.id, "n");
        uncovered.covered = false;
        let mut getter = method("a/b/B#getter()I");
        getter.stop = Some(StopReason::Getter);
        getter.classic = results(&getter.id, "k");
        let mut constructor = method("a/b/B#<init>()V");
        constructor.stop = Some(StopReason::Constructor);
        let mut skipped = method("a/b/B#skipped()V");
        skipped.extreme = results(&skipped.id, "-");
        vec![
            tested,
            partly,
            pseudo,
            uncovered,
            getter,
            constructor,
            skipped,
        ]
    }

    #[test]
    fn constructors_do_not_count_as_methods() {
        let metrics = Metrics::of(&project());
        assert_eq!(
            (metrics.methods, metrics.covered, metrics.under_analysis),
            (6, 5, 3)
        );
        assert_eq!(
            (
                metrics.tested,
                metrics.partially_tested,
                metrics.pseudo_tested
            ),
            (1, 1, 1)
        );
        assert_eq!((metrics.not_covered, metrics.not_analysed), (1, 2));
    }

    #[test]
    fn scores_are_detected_among_covered() {
        let metrics = Metrics::of(&project());
        assert_eq!(metrics.coverage_rate(), Some(5.0 / 6.0));
        assert_eq!(metrics.pseudo_tested_rate(), Some(1.0 / 3.0));
        assert_eq!(metrics.extreme_score(), Some(0.5));
        assert_eq!(metrics.classic_score(), Some(4.0 / 6.0));
        assert_eq!(metrics.score_in_pseudo_tested(), Some(1.0));
        assert_eq!(metrics.score_in_required(), Some(0.5));
        assert_eq!(Metrics::default().extreme_score(), None);
    }

    #[test]
    fn timeouts_count_as_detected_and_stay_visible() {
        let extreme = Metrics::of(&project()).extreme;
        assert_eq!(
            (extreme.created, extreme.covered, extreme.detected),
            (7, 6, 3)
        );
        assert_eq!(
            (extreme.timed_out, extreme.crashed, extreme.undetected()),
            (1, 0, 3)
        );
    }

    #[test]
    fn groups_add_up_to_the_project() {
        let methods = project();
        let total = Metrics::of(&methods);
        for groups in [
            Metrics::by_class(&methods),
            Metrics::by_package(&methods),
            Metrics::by_module(&methods),
        ] {
            assert_eq!(groups.into_values().sum::<Metrics>(), total);
        }
        let packages: Vec<_> = Metrics::by_package(&methods).into_keys().collect();
        assert_eq!(packages, ["a", "a.b"]);
    }

    #[test]
    fn kinds_are_compared_on_common_methods_only() {
        let (extreme, classic) = compare_kinds(&project());
        assert_eq!((extreme.created, extreme.detected), (6, 3));
        assert_eq!(
            (classic.created, classic.covered, classic.detected),
            (6, 5, 3)
        );
    }
}
