//! Where mutants are tried: worker JVMs that carry every mutant as a switched body.
//!
//! Each thread has a bench with one worker. First the benches share the tests that nothing is
//! remembered of, unmutated, to learn what each one runs and how much work it does; those that do
//! not pass get a second chance in a fresh JVM. Then they take mutants, a sitting at a time.
//!
//! A warm JVM remembers: static fields, caches, classes that failed to initialise. Three rules keep
//! that from colouring a verdict. A test is run once without any mutant in a worker before it
//! judges one there, so that classes are initialised by original code. Verdicts of a sitting become
//! final when all tests that noticed something pass again with every mutant off; otherwise they are
//! given anew, each with a look at what its mutant leaves behind. And a mutant that survived is tried
//! alone in a fresh JVM, on from the start, if the original may have left something behind in the
//! warm one: because some covering test, asked again without the mutant, does not run its method as
//! often as the first time, or because the method ran while a class was initialised.

mod bench;
mod early;
mod hearing;
mod sitting;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use jury_jvm::{Installation, JvmError, WorkPlan};
use jury_model::{Engine, Failure, Outcome, Recipe, TestId};

use self::bench::Bench;
pub(crate) use self::bench::matrix::Replies;
pub(crate) use self::early::EarlyWorkers;
pub(crate) use self::hearing::{ran_as_at_first, rounds, rounds_from};
use self::sitting::sittings;

/// What every worker of a lab has in common.
pub(crate) struct Lab<'a> {
    pub installation: &'a Installation,
    pub plan: &'a WorkPlan,
    pub tests: &'a [LabTest<'a>],
    pub jobs: usize,
    /// Whether every survivor is tried alone in a fresh JVM.
    pub confirm: bool,
    pub early: EarlyWorkers<'a>,
    pub cancelled: &'a AtomicBool,
}

/// A test that was green in the build.
#[derive(Clone)]
pub(crate) struct LabTest<'a> {
    pub id: TestId,
    pub engine: Engine,
    /// Top-level class, in source form.
    pub class: String,
    /// The method with all its invocations, `a.B$C#adds`.
    pub method: String,
    pub recipe: &'a Recipe,
    /// Tests of one group share fixtures and are covered in one go.
    pub group: usize,
    pub micros: u64,
}

/// What a test did without any mutant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Baseline {
    /// `None` if it was never heard of.
    pub outcome: Option<Outcome>,
    /// How it ended once more in a fresh JVM; asked only of tests that did not pass.
    pub again: Option<Outcome>,
    /// Why it did not pass, unless that was in an earlier run.
    pub failure: Option<Failure>,
    /// Methods and blocks that ran, by the numbers of their probes.
    pub hits: BTreeSet<u32>,
    /// Those of them that ran while a class was initialised. Another test may have done so in its
    /// place.
    pub initialising: BTreeSet<u32>,
    pub work: u64,
    pub micros: u64,
}

impl Baseline {
    /// True if another run would show the same.
    pub fn is_reproducible(&self) -> bool {
        match self.outcome {
            None => false,
            Some(Outcome::Passed) => true,
            outcome => outcome == self.again,
        }
    }
}

/// One mutant to be tried.
#[derive(Debug, Clone)]
pub(crate) struct Trial {
    pub mutant: u32,
    /// The class that it changes.
    pub class: usize,
    /// The probe of its method or block.
    pub probe: u32,
    /// The tests that can notice it, in the order in which they are asked.
    pub tests: Vec<usize>,
    /// The probe is hit while a class is initialised, at least now and then. What comes of that
    /// stays in a warm JVM, so surviving there says nothing.
    pub initialises: bool,
}

/// How a mutant fared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    Killed {
        by: usize,
        failure: Option<Failure>,
    },
    Survived,
    TimedOut {
        by: usize,
        limit: Limit,
    },
    OutOfMemory {
        by: usize,
    },
    Crashed {
        by: usize,
    },
    /// No verdict can be trusted.
    SetAside(String),
}

impl Fate {
    /// The test that noticed the mutant, whichever way.
    pub fn noticed_by(&self) -> Option<usize> {
        match self {
            Fate::Killed { by, .. }
            | Fate::TimedOut { by, .. }
            | Fate::OutOfMemory { by }
            | Fate::Crashed { by } => Some(*by),
            Fate::Survived | Fate::SetAside(_) => None,
        }
    }
}

/// Why a test has no say in a mutant that it vanishes with.
pub(crate) const NOT_FOUND: &str = "it is not found while the mutant is on";

/// What a test went beyond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    /// The same on every machine.
    Work,
    Clock,
}

#[derive(Debug)]
pub(crate) enum LabEvent {
    Covered,
    /// All that there is to know of a test without any mutant.
    Learnt {
        test: usize,
        baseline: Baseline,
    },
    Tried {
        mutant: u32,
        fate: Fate,
    },
    /// What all tests have said that were asked after the verdict.
    Polled {
        mutant: u32,
        replies: Replies,
    },
    LeftOut {
        class: String,
        method: String,
        reason: String,
    },
    Trouble(String),
}

/// The clock is only a safety net for code that waits without working.
const TIME_SLACK: u32 = 20;
const LEAST_TIME: Duration = Duration::from_secs(10);
impl Lab<'_> {
    /// Covers the tests that nothing is remembered of, has `plan_trials` choose what to try, and
    /// tries it; `plan_polls` then chooses about what everybody else is to be asked.
    pub fn run(
        &self,
        remembered: Vec<Option<Baseline>>,
        plan_trials: impl FnOnce(&[Baseline]) -> Vec<Trial>,
        plan_polls: impl FnOnce() -> Vec<Trial>,
        mut report: impl FnMut(LabEvent),
    ) -> Result<Vec<Baseline>, JvmError> {
        let unknown = |test: &usize| remembered[*test].is_none();
        let shares = self.shares(self.groups(unknown));
        let baselines: Vec<Baseline> = remembered
            .iter()
            .map(|baseline| baseline.clone().unwrap_or_default())
            .collect();
        let baselines = Mutex::new(baselines);
        let solitary = Mutex::default();
        let bench = |_| Bench::new(self, &solitary);
        let mut benches: Vec<Bench<'_>> = (0..self.jobs).map(bench).collect();
        in_parallel(&mut benches, &mut report, |place, bench, tell| {
            bench.cover(shares[place].clone(), &baselines, tell)
        })?;
        // A mutant that is on from the start is to find a JVM in which nothing has happened at all.
        self.early.dismiss();
        let suspects = {
            let baselines = lock(&baselines);
            self.groups(|test| unknown(test) && is_suspect(&baselines[*test]))
        };
        let suspects = Mutex::new(suspects);
        in_parallel(&mut benches, &mut report, |_, bench, tell| {
            bench.cover_again(&suspects, &baselines, tell)
        })?;
        let baselines = baselines
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let sittings = Mutex::new(sittings(plan_trials(&baselines)));
        in_parallel(&mut benches, &mut report, |_, bench, tell| {
            bench.try_all(&sittings, &baselines, tell)
        })?;
        // The longest first, so that nobody waits long for the last one.
        let mut alone = std::mem::take(&mut *lock(&solitary));
        alone.sort_by_key(|trial| (Reverse(self.time_of(&trial.tests)), trial.mutant));
        let alone = Mutex::new(VecDeque::from(alone));
        in_parallel(&mut benches, &mut report, |_, bench, tell| {
            bench.try_each_alone(&alone, &baselines, tell)
        })?;
        let polls = Mutex::new(sitting::sittings(plan_polls()));
        in_parallel(&mut benches, &mut report, |_, bench, tell| {
            bench.poll_all(&polls, &baselines, tell)
        })?;
        Ok(baselines)
    }

    /// The tests for which the condition holds, those that share fixtures together.
    fn groups(&self, condition: impl Fn(&usize) -> bool) -> VecDeque<Vec<usize>> {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for test in (0..self.tests.len()).filter(condition) {
            groups.entry(self.tests[test].group).or_default().push(test);
        }
        groups.into_values().collect()
    }

    /// What each bench covers. Shares are fixed before any test runs: what a test does may depend on
    /// which others ran before it in the same JVM, and two equal runs are to see the same.
    fn shares(&self, groups: VecDeque<Vec<usize>>) -> Vec<VecDeque<Vec<usize>>> {
        let micros = |group: &Vec<usize>| self.time_of(group).as_micros() as u64;
        let shares = fair_shares(groups.iter().map(micros), self.jobs);
        let mut dealt = vec![VecDeque::new(); self.jobs];
        for (group, share) in groups.into_iter().zip(shares) {
            dealt[share].push_back(group);
        }
        dealt
    }

    /// How long tests took in the build.
    fn time_of(&self, tests: &[usize]) -> Duration {
        let micros = tests.iter().map(|test| self.tests[*test].micros);
        Duration::from_micros(micros.sum())
    }

    fn with_time_limits(&self, tests: &[usize]) -> Vec<(TestId, Duration)> {
        let limit = |micros| Duration::from_micros(micros).saturating_mul(TIME_SLACK);
        tests
            .iter()
            .map(|test| &self.tests[*test])
            .map(|test| (test.id.clone(), LEAST_TIME + limit(test.micros)))
            .collect()
    }
}

/// Deals sizes out, the largest first, each to whoever has least so far; says who got each.
fn fair_shares(sizes: impl IntoIterator<Item = u64>, shares: usize) -> Vec<usize> {
    let sizes: Vec<u64> = sizes.into_iter().collect();
    let mut largest_first: Vec<usize> = (0..sizes.len()).collect();
    largest_first.sort_by_key(|place| Reverse(sizes[*place]));
    let mut totals = vec![0; shares];
    let mut owners = vec![0; sizes.len()];
    for place in largest_first {
        let least = (0..shares).min_by_key(|share| totals[*share]);
        owners[place] = least.unwrap_or_default();
        // Even what takes no time at all takes its turn.
        totals[owners[place]] += sizes[place].max(1);
    }
    owners
}

/// Not as it was in the build; a test that was not found at all stays so.
fn is_suspect(baseline: &Baseline) -> bool {
    baseline
        .outcome
        .is_some_and(|outcome| outcome != Outcome::Passed)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // What a lab shares is consistent between any two operations, whoever panicked.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has every bench do its part, told its place among them, on a thread of its own; reports come in on this one.
fn in_parallel<'a>(
    benches: &mut [Bench<'a>],
    report: &mut impl FnMut(LabEvent),
    part: impl Fn(usize, &mut Bench<'a>, &Tell) -> Result<(), JvmError> + Sync,
) -> Result<(), JvmError> {
    let (tell, told) = mpsc::channel();
    thread::scope(|scope| {
        let parts: Vec<_> = benches
            .iter_mut()
            .enumerate()
            .map(|(place, bench)| {
                let (tell, part) = (tell.clone(), &part);
                scope.spawn(move || part(place, bench, &tell))
            })
            .collect();
        drop(tell);
        told.iter().for_each(report);
        parts.into_iter().try_for_each(|part| {
            // A bench that panicked is a defect of ours; it is raised again, not swallowed.
            part.join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}

type Tell = mpsc::Sender<LabEvent>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_even_and_follow_from_the_sizes_alone() {
        assert_eq!(fair_shares([5, 9, 1, 3, 2], 2), [1, 0, 0, 1, 1]);
        assert_eq!(fair_shares([0, 0, 0], 2), [0, 1, 0]);
        assert_eq!(fair_shares([], 2), [0; 0]);
        assert_eq!(fair_shares([7, 7], 1), [0, 0]);
    }
}
