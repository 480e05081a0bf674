//! Where mutants are tried: worker JVMs that carry every mutant as a switched body.
//!
//! Each thread has a bench with one worker. First the benches share the tests that nothing is
//! remembered of, unmutated, to learn what each one runs and how much work it does; those that do
//! not pass get a second chance in a fresh JVM. Then they take mutants from a common list.
//!
//! A warm JVM remembers: static fields, caches, classes that failed to initialise. Three rules keep
//! that from colouring a verdict. A test is run once without any mutant in a worker before it
//! judges one there, so that classes are initialised by original code. A test that killed a mutant
//! must pass again as soon as the mutant is off; otherwise the worker is spoilt, and the mutant is
//! tried again in a fresh one. And a mutant that survived although some covering test did not
//! run its method again, because a result had been kept from before, is tried in a fresh JVM with
//! the mutant on from the start.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use jury_jvm::{BatchEnd, BatchEvent, Installation, JvmError, WorkPlan, Worker};
use jury_model::{Engine, Failure, Outcome, Recipe, TestId};

/// What every worker of a lab has in common.
pub(crate) struct Lab<'a> {
    pub installation: &'a Installation,
    pub plan: &'a WorkPlan,
    pub tests: &'a [LabTest<'a>],
    pub jobs: usize,
    pub cancelled: &'a AtomicBool,
}

/// A test that was green in the build.
pub(crate) struct LabTest<'a> {
    pub id: TestId,
    pub engine: Engine,
    /// Top-level class, in source form.
    pub class: String,
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
    /// Methods and blocks that ran, by the numbers of their probes.
    pub hits: BTreeSet<u32>,
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
    /// The probe of its method or block.
    pub probe: u32,
    /// The tests that hit the probe, in the order in which they are asked.
    pub tests: Vec<usize>,
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
    LeftOut {
        class: String,
        method: String,
        reason: String,
    },
    Trouble(String),
}

/// Work beyond this multiple of the baseline, and beyond this amount, is an endless loop.
const WORK_SLACK: u64 = 10;
const LEAST_WORK: u64 = 1_000_000;
/// The clock is only a safety net for code that waits without working.
const TIME_SLACK: u32 = 20;
const LEAST_TIME: Duration = Duration::from_secs(10);
/// Class of the error that ends a test beyond its limit.
const OVERRUN: &str = "jury.boot.Overrun";

impl Lab<'_> {
    /// Covers the tests that nothing is remembered of, has `plan_trials` choose what to try, and
    /// tries it.
    pub fn run(
        &self,
        remembered: Vec<Option<Baseline>>,
        plan_trials: impl FnOnce(&[Baseline]) -> Vec<Trial>,
        mut report: impl FnMut(LabEvent),
    ) -> Result<Vec<Baseline>, JvmError> {
        let unknown = |test: &usize| remembered[*test].is_none();
        let groups = Mutex::new(self.groups(unknown));
        let baselines: Vec<Baseline> = remembered
            .iter()
            .map(|baseline| baseline.clone().unwrap_or_default())
            .collect();
        let baselines = Mutex::new(baselines);
        let mut benches: Vec<Bench<'_>> = (0..self.jobs)
            .map(|_| Bench {
                lab: self,
                worker: None,
            })
            .collect();
        in_parallel(&mut benches, &mut report, |bench, tell| {
            bench.cover(&groups, &baselines, tell)
        })?;
        let suspects = {
            let baselines = lock(&baselines);
            self.groups(|test| unknown(test) && is_suspect(&baselines[*test]))
        };
        let suspects = Mutex::new(suspects);
        in_parallel(&mut benches, &mut report, |bench, tell| {
            bench.cover_again(&suspects, &baselines, tell)
        })?;
        let baselines = baselines
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let trials = plan_trials(&baselines);
        let next = AtomicUsize::new(0);
        in_parallel(&mut benches, &mut report, |bench, tell| {
            bench.try_all(&trials, &baselines, &next, tell)
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

    fn with_time_limits(&self, tests: &[usize]) -> Vec<(TestId, Duration)> {
        let limit = |micros| Duration::from_micros(micros).saturating_mul(TIME_SLACK);
        tests
            .iter()
            .map(|test| &self.tests[*test])
            .map(|test| (test.id.clone(), LEAST_TIME + limit(test.micros)))
            .collect()
    }
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

/// Has every bench do its part on a thread of its own; reports come in on this one.
fn in_parallel<'a>(
    benches: &mut [Bench<'a>],
    report: &mut impl FnMut(LabEvent),
    part: impl Fn(&mut Bench<'a>, &Tell) -> Result<(), JvmError> + Sync,
) -> Result<(), JvmError> {
    let (tell, told) = mpsc::channel();
    thread::scope(|scope| {
        let parts: Vec<_> = benches
            .iter_mut()
            .map(|bench| {
                let (tell, part) = (tell.clone(), &part);
                scope.spawn(move || part(bench, &tell))
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

/// One thread's place of work.
struct Bench<'a> {
    lab: &'a Lab<'a>,
    worker: Option<Warm<'a>>,
}

/// A worker and what has happened in it.
struct Warm<'a> {
    worker: Worker,
    recipe: &'a Recipe,
    /// Tests that passed here without a mutant.
    proven: HashSet<usize>,
    /// Mutants that were on in this worker.
    mutants_tried: usize,
}

/// What came of a few tests with one mutant on.
struct Heard {
    ended: Vec<(usize, Outcome, Option<Failure>)>,
    /// Tests that went beyond their limit of work.
    overran: Vec<usize>,
    /// Tests during which the mutant's method ran.
    reached: HashSet<usize>,
    lost: bool,
}

/// One attempt at a mutant.
enum Attempt {
    Done(Fate),
    /// The worker is not to be trusted; nothing was learnt.
    Spoilt,
    /// All tests passed, but some did not run the mutant's method.
    Doubtful,
    Cancelled,
}

impl<'a> Bench<'a> {
    fn cover(
        &mut self,
        groups: &Mutex<VecDeque<Vec<usize>>>,
        baselines: &Mutex<Vec<Baseline>>,
        tell: &Tell,
    ) -> Result<(), JvmError> {
        while !self.cancelled() {
            let Some(tests) = lock(groups).pop_front() else {
                break;
            };
            let Some(first) = tests.first() else { continue };
            let recipe = self.lab.tests[*first].recipe;
            self.prepare(recipe)?;
            let Some(warm) = &mut self.worker else { break };
            let limits = self.lab.with_time_limits(&tests);
            let index_of =
                |id: &TestId| tests.iter().copied().find(|t| self.lab.tests[*t].id == *id);
            let engine = &self.lab.tests[*first].engine;
            let mut ended = Vec::new();
            let end = warm
                .worker
                .run(engine, limits, self.lab.cancelled, |event| match event {
                    BatchEvent::Finished(one) => {
                        if let Some(test) = index_of(&one.id) {
                            let mut baselines = lock(baselines);
                            baselines[test].outcome = one.outcome;
                            baselines[test].micros = one.micros;
                            if one.outcome == Some(Outcome::Passed) {
                                ended.push(test);
                            }
                            let _ = tell.send(LabEvent::Covered);
                        }
                    }
                    BatchEvent::Worked(worked) => {
                        if let Some(test) = index_of(&worked.id) {
                            let mut baselines = lock(baselines);
                            baselines[test].hits.extend(worked.methods);
                            baselines[test].work = baselines[test].work.max(worked.work);
                        }
                    }
                    other => pass_on(tell, other),
                });
            // Only now: what ran after the last test of a batch is attributed to that test.
            if end != BatchEnd::Cancelled {
                for &test in &ended {
                    let baseline = lock(baselines)[test].clone();
                    let _ = tell.send(LabEvent::Learnt { test, baseline });
                }
            }
            warm.proven.extend(ended);
            if let BatchEnd::Lost {
                rest,
                culprits_known,
            } = end
            {
                self.worker = None;
                let rest: Vec<usize> = rest.iter().filter_map(|(id, _)| index_of(id)).collect();
                let mut groups = lock(groups);
                if culprits_known {
                    groups.push_front(rest);
                } else {
                    rest.into_iter()
                        .for_each(|test| groups.push_front(vec![test]));
                }
            }
        }
        Ok(())
    }

    /// Runs tests that did not pass once more, in fresh JVMs: flaky ones may end differently.
    fn cover_again(
        &mut self,
        groups: &Mutex<VecDeque<Vec<usize>>>,
        baselines: &Mutex<Vec<Baseline>>,
        tell: &Tell,
    ) -> Result<(), JvmError> {
        while !self.cancelled() {
            let Some(tests) = lock(groups).pop_front() else {
                break;
            };
            let Some(first) = tests.first() else { continue };
            self.worker = None;
            self.prepare(self.lab.tests[*first].recipe)?;
            let heard = self.ask(&tests, None, &[], tell);
            if heard.lost {
                self.worker = None;
            }
            for (test, outcome, _) in heard.ended {
                let mut baselines = lock(baselines);
                baselines[test].again = Some(outcome);
                let baseline = baselines[test].clone();
                let _ = tell.send(LabEvent::Learnt { test, baseline });
            }
        }
        Ok(())
    }

    fn try_all(
        &mut self,
        trials: &[Trial],
        baselines: &[Baseline],
        next: &AtomicUsize,
        tell: &Tell,
    ) -> Result<(), JvmError> {
        while !self.cancelled() {
            let Some(trial) = trials.get(next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let Some(fate) = self.try_one(trial, baselines, tell)? else {
                break;
            };
            let _ = tell.send(LabEvent::Tried {
                mutant: trial.mutant,
                fate,
            });
        }
        Ok(())
    }

    /// The fate of one mutant; none if the lab closes first.
    fn try_one(
        &mut self,
        trial: &Trial,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<Option<Fate>, JvmError> {
        // A spoilt worker is replaced by a fresh one, in which nothing can have been spoilt before.
        for _ in 0..2 {
            match self.attempt(trial, baselines, tell)? {
                Attempt::Done(fate) => return Ok(Some(fate)),
                Attempt::Cancelled => return Ok(None),
                Attempt::Spoilt => self.worker = None,
                Attempt::Doubtful => return self.confirm(trial, baselines, tell),
            }
        }
        let reason = "its tests do not pass twice in a row without it".to_owned();
        Ok(Some(Fate::SetAside(reason)))
    }

    fn attempt(
        &mut self,
        trial: &Trial,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<Attempt, JvmError> {
        let mut doubtful = false;
        for round in rounds(self.lab.tests, &trial.tests) {
            let recipe = self.lab.tests[round[0]].recipe;
            self.prepare(recipe)?;
            if !self.prove(&round, baselines, tell) {
                let fresh = self
                    .worker
                    .as_ref()
                    .is_none_or(|warm| warm.mutants_tried == 0);
                if self.cancelled() {
                    return Ok(Attempt::Cancelled);
                }
                if fresh {
                    let reason = "a covering test does not pass reliably without it".to_owned();
                    self.worker = None;
                    return Ok(Attempt::Done(Fate::SetAside(reason)));
                }
                return Ok(Attempt::Spoilt);
            }
            let Some(warm) = &mut self.worker else {
                return Ok(Attempt::Cancelled);
            };
            let first_mutant_here = warm.mutants_tried == 0;
            warm.mutants_tried += 1;
            let heard = self.ask(&round, Some(trial), baselines, tell);
            if self.cancelled() {
                return Ok(Attempt::Cancelled);
            }
            if let Some((fate, by)) = fate_of(&heard) {
                if heard.lost {
                    self.worker = None;
                } else if !self.passes_again(by, baselines, tell) {
                    self.worker = None;
                    if !first_mutant_here {
                        return Ok(Attempt::Spoilt);
                    }
                }
                return Ok(Attempt::Done(fate));
            }
            doubtful |= round.iter().any(|test| !heard.reached.contains(test));
        }
        Ok(if doubtful {
            Attempt::Doubtful
        } else {
            Attempt::Done(Fate::Survived)
        })
    }

    /// Tries a mutant in a JVM of its own that has never run anything without it.
    fn confirm(
        &mut self,
        trial: &Trial,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<Option<Fate>, JvmError> {
        let kept = self.worker.take();
        let mut fate = Fate::Survived;
        for round in rounds(self.lab.tests, &trial.tests) {
            self.worker = None;
            self.prepare(self.lab.tests[round[0]].recipe)?;
            let heard = self.ask(&round, Some(trial), baselines, tell);
            if let Some((found, _)) = fate_of(&heard) {
                fate = found;
                break;
            }
        }
        self.worker = kept;
        Ok((!self.cancelled()).then_some(fate))
    }

    /// Makes sure that the bench has a worker of this recipe.
    fn prepare(&mut self, recipe: &'a Recipe) -> Result<(), JvmError> {
        if self
            .worker
            .as_ref()
            .is_some_and(|warm| std::ptr::eq(warm.recipe, recipe))
        {
            return Ok(());
        }
        self.worker = None;
        let worker = Worker::start(recipe, self.lab.installation, self.lab.plan)?;
        self.worker = Some(Warm {
            worker,
            recipe,
            proven: HashSet::new(),
            mutants_tried: 0,
        });
        Ok(())
    }

    /// Runs the tests that have not yet passed in this worker without a mutant; true if all do.
    fn prove(&mut self, tests: &[usize], baselines: &[Baseline], tell: &Tell) -> bool {
        let Some(warm) = &self.worker else {
            return false;
        };
        let unproven: Vec<usize> = tests
            .iter()
            .copied()
            .filter(|test| !warm.proven.contains(test))
            .collect();
        if unproven.is_empty() {
            return true;
        }
        let heard = self.ask(&unproven, None, baselines, tell);
        let passed: HashSet<usize> = heard
            .ended
            .iter()
            .filter(|(_, outcome, _)| *outcome == Outcome::Passed)
            .map(|(test, ..)| *test)
            .collect();
        if let Some(warm) = &mut self.worker {
            warm.proven.extend(&passed);
        }
        !heard.lost && passed.len() == unproven.len()
    }

    fn passes_again(&mut self, test: usize, baselines: &[Baseline], tell: &Tell) -> bool {
        let heard = self.ask(&[test], None, baselines, tell);
        !heard.lost && matches!(heard.ended[..], [(_, Outcome::Passed, _)])
    }

    /// Runs tests with the trial's mutant on, or with none.
    fn ask(
        &mut self,
        tests: &[usize],
        trial: Option<&Trial>,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Heard {
        let mut heard = Heard {
            ended: Vec::new(),
            overran: Vec::new(),
            reached: HashSet::new(),
            lost: false,
        };
        let lab = self.lab;
        let Some(warm) = &mut self.worker else {
            heard.lost = true;
            return heard;
        };
        let limit = trial.map(|_| {
            let work = tests.iter().map(|test| baselines[*test].work).max();
            LEAST_WORK.max(work.unwrap_or(0).saturating_mul(WORK_SLACK))
        });
        let told = warm
            .worker
            .limit(limit)
            .and_then(|()| warm.worker.switch(trial.map(|trial| trial.mutant)));
        if told.is_err() {
            heard.lost = true;
            return heard;
        }
        let index_of = |id: &TestId| tests.iter().copied().find(|t| lab.tests[*t].id == *id);
        let limits = lab.with_time_limits(tests);
        let engine = &lab.tests[tests[0]].engine;
        let end = warm
            .worker
            .run(engine, limits, lab.cancelled, |event| match event {
                BatchEvent::Finished(one) => {
                    if let (Some(test), Some(outcome)) = (index_of(&one.id), one.outcome) {
                        heard.ended.push((test, outcome, one.failure));
                    }
                }
                BatchEvent::Worked(worked) => {
                    if let Some(test) = index_of(&worked.id) {
                        if worked.overran {
                            heard.overran.push(test);
                        }
                        if trial
                            .is_some_and(|trial| worked.methods.binary_search(&trial.probe).is_ok())
                        {
                            heard.reached.insert(test);
                        }
                    }
                }
                other => pass_on(tell, other),
            });
        heard.lost = end != BatchEnd::Done;
        heard
    }

    fn cancelled(&self) -> bool {
        self.lab.cancelled.load(Ordering::Relaxed)
    }
}

fn pass_on(tell: &Tell, event: BatchEvent) {
    let event = match event {
        BatchEvent::LeftOut {
            class,
            method,
            reason,
        } => LabEvent::LeftOut {
            class,
            method,
            reason,
        },
        BatchEvent::Trouble(message) => LabEvent::Trouble(message),
        BatchEvent::Finished(_) | BatchEvent::Worked(_) | BatchEvent::Seen { .. } => return,
    };
    // The receiver lives as long as the scope that all benches run in.
    let _ = tell.send(event);
}

/// Splits tests into rounds that grow: the likeliest killer alone, then more and more at once,
/// since a mutant that survives the first few will probably survive most.
pub(crate) fn rounds(tests: &[LabTest<'_>], order: &[usize]) -> Vec<Vec<usize>> {
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    let mut size = 1;
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

/// What the answers mean for the mutant, and the test that says so; none if nobody noticed it.
fn fate_of(heard: &Heard) -> Option<(Fate, usize)> {
    for (test, outcome, failure) in &heard.ended {
        let by = *test;
        let exception = failure
            .as_ref()
            .map_or("", |failure| failure.exception.as_str());
        let fate = match outcome {
            _ if heard.overran.contains(test) || exception == OVERRUN => Fate::TimedOut {
                by,
                limit: Limit::Work,
            },
            Outcome::Passed => continue,
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
        };
        return Some((fate, by));
    }
    None
}
