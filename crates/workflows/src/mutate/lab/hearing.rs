//! What tests answer when a mutant is on, and what that means for it.

use std::collections::HashMap;

use jury_jvm::Runs;
use jury_model::{Failure, Outcome};

use super::{Fate, LabTest, Limit};

/// Class of the error that ends a test beyond its limit.
const OVERRUN: &str = "jury.boot.Overrun";

/// A test, how it ended, and what it failed with.
pub(super) type Ended = (usize, Outcome, Option<Failure>);

/// What came of a few tests with one mutant on, or with none.
pub(super) struct Heard {
    pub ended: Vec<Ended>,
    /// What ran during each test.
    pub runs: HashMap<usize, Runs>,
    /// Tests that went beyond their limit of work.
    pub overran: Vec<usize>,
    /// Classes that failed after their last test, which is named.
    pub afterwards: Vec<(usize, Failure)>,
    /// The mutant took part in initialising a class, which will stay as it made it.
    pub initialised: bool,
    pub lost: bool,
    /// It was lost because something did not end.
    pub hung: bool,
}

impl Heard {
    pub fn nothing() -> Self {
        Heard {
            ended: Vec::new(),
            runs: HashMap::new(),
            overran: Vec::new(),
            afterwards: Vec::new(),
            initialised: false,
            lost: false,
            hung: false,
        }
    }

    /// Tests that passed, and what they ran.
    pub fn passed(mut self) -> HashMap<usize, Runs> {
        (self.ended.iter())
            .filter(|(_, outcome, _)| *outcome == Outcome::Passed)
            .map(|(test, ..)| (*test, self.runs.remove(test).unwrap_or_default()))
            .collect()
    }

    /// What the answers mean for the mutant, and the test that says so; none if nobody noticed it.
    pub fn fate(&self) -> Option<(Fate, usize)> {
        let mut ended = self.ended.iter();
        ended.find_map(|one| Some((fate_by(one, &self.overran)?, one.0)))
    }

    /// What is to be said for the mutant, if no test noticed it, by what happened between or after
    /// these tests, and the test that was nearest. As likely as not the mutant has nothing to do with
    /// it: a class may well fail in the end if not all of its tests were run.
    pub fn fate_outside(&self, tests: &[usize]) -> Option<(Fate, usize)> {
        if let Some((test, failure)) = self.afterwards.first() {
            let failed = (*test, Outcome::Failed, Some(failure.clone()));
            return Some((fate_by(&failed, &[])?, *test));
        }
        let has_ended = |test: &&usize| self.ended.iter().any(|(ended, ..)| ended == *test);
        let next = tests.iter().find(|test| !has_ended(test));
        let nearest = *next.or(tests.last())?;
        let fate = match self.hung {
            true => Fate::TimedOut {
                by: nearest,
                limit: Limit::Clock,
            },
            false => Fate::Crashed { by: nearest },
        };
        self.lost.then_some((fate, nearest))
    }
}

/// How a test that ended so has noticed the mutant; none if it has not.
pub(super) fn fate_by((test, outcome, failure): &Ended, overran: &[usize]) -> Option<Fate> {
    let by = *test;
    let exception = failure
        .as_ref()
        .map_or("", |failure| failure.exception.as_str());
    Some(match outcome {
        _ if overran.contains(test) || exception == OVERRUN => Fate::TimedOut {
            by,
            limit: Limit::Work,
        },
        Outcome::Passed => return None,
        Outcome::TimedOut => Fate::TimedOut {
            by,
            limit: Limit::Clock,
        },
        Outcome::Crashed => Fate::Crashed { by },
        _ if exception == "java.lang.OutOfMemoryError" => Fate::OutOfMemory { by },
        // A test that is skipped or aborts where it passed before has noticed, too.
        Outcome::Failed | Outcome::Aborted | Outcome::Skipped => Fate::Killed {
            by,
            failure: failure.clone(),
        },
    })
}

/// Those of some tests that did not run a probe, or not as often as when they first ran in that JVM:
/// something that was left behind then, such as a cache, may keep them from there.
pub(super) fn not_as_at_first(
    probe: u32,
    tests: &[usize],
    first: &HashMap<usize, Runs>,
    last: &HashMap<usize, Runs>,
) -> Vec<usize> {
    let odd = |test: &usize| !ran_as_at_first(probe, first.get(test), last.get(test));
    tests.iter().copied().filter(odd).collect()
}

/// Whether a test ran a probe, and as often as when it first ran.
pub(crate) fn ran_as_at_first(probe: u32, first: Option<&Runs>, last: Option<&Runs>) -> bool {
    let times = |runs: Option<&Runs>| runs.map_or(0, |runs| runs.times(probe));
    times(last) > 0 && times(last) == times(first)
}

/// Splits tests into rounds that grow: the likeliest killer alone, then more and more at once,
/// since a mutant that survives the first few will probably survive most.
pub(crate) fn rounds(tests: &[LabTest<'_>], order: &[usize]) -> Vec<Vec<usize>> {
    rounds_from(1, tests, order)
}

/// The same with so many in the first round.
pub(crate) fn rounds_from(
    mut size: usize,
    tests: &[LabTest<'_>],
    order: &[usize],
) -> Vec<Vec<usize>> {
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for &test in order {
        let same = |other: usize| {
            std::ptr::eq(tests[other].recipe, tests[test].recipe)
                && tests[other].engine == tests[test].engine
        };
        match rounds.last_mut() {
            Some(round) if round.len() < size && same(round[0]) => round.push(test),
            _ => {
                if !rounds.is_empty() {
                    size = (size * 4).min(256);
                }
                rounds.push(vec![test]);
            }
        }
    }
    rounds
}

/// Splits tests where two neighbours cannot be run in one batch.
pub(super) fn together<'t>(
    tests: &[LabTest<'_>],
    order: &'t [usize],
) -> impl Iterator<Item = &'t [usize]> {
    order.chunk_by(|one, other| tests[*one].engine == tests[*other].engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_jvm_between_tests_is_said_of_the_next_and_after_them_of_the_last() {
        let outside = |heard: &Heard| heard.fate_outside(&[4, 6]).map(|(_, by)| by);
        let mut heard = Heard::nothing();
        heard.ended.push((4, Outcome::Passed, None));
        assert_eq!(outside(&heard), None);
        heard.lost = true;
        assert_eq!(outside(&heard), Some(6));
        heard.ended.push((6, Outcome::Passed, None));
        assert_eq!(outside(&heard), Some(6));
        heard.afterwards.push((4, Failure::default()));
        assert_eq!(outside(&heard), Some(4));
    }

    #[test]
    fn what_hangs_after_the_last_test_has_timed_out_and_not_crashed() {
        let mut heard = Heard::nothing();
        heard.ended.push((4, Outcome::Passed, None));
        heard.lost = true;
        let crashed = Fate::Crashed { by: 4 };
        assert_eq!(heard.fate_outside(&[4]), Some((crashed, 4)));
        heard.hung = true;
        let limit = Limit::Clock;
        let timed_out = Fate::TimedOut { by: 4, limit };
        assert_eq!(heard.fate_outside(&[4]), Some((timed_out, 4)));
    }

    #[test]
    fn a_test_that_runs_a_probe_less_often_more_often_or_not_at_all_is_odd() {
        let runs = |times: [u32; 4]| -> HashMap<usize, Runs> {
            let runs = times.map(|times| Runs::of((times > 0).then_some((7, times))));
            runs.into_iter().enumerate().collect()
        };
        let (first, last) = (runs([1, 2, 3, 0]), runs([1, 1, 4, 0]));
        assert_eq!(not_as_at_first(7, &[0, 1, 2, 3], &first, &last), [1, 2, 3]);
        assert_eq!(not_as_at_first(7, &[0, 1], &first, &first), [0; 0]);
    }
}
