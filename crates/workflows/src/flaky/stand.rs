//! Runs test classes one after the other in a fresh JVM, and says what was found in which order.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use jury_flaky::Order;
use jury_jvm::{BatchEnd, BatchEvent, Installation, JvmError, WorkPlan, Worker};
use jury_model::{Failure, Outcome, TestId};

use super::lineup::Lineup;
use crate::replay::limit;

/// Where tests are run.
pub(super) struct Stand<'a> {
    pub lineup: &'a Lineup<'a>,
    pub installation: &'a Installation,
    pub test_timeout: Option<Duration>,
    pub cancelled: &'a AtomicBool,
    /// How many JVMs were started.
    pub workers: AtomicU32,
}

/// How tests of one class ended that ran in one JVM.
#[derive(Debug)]
pub(super) struct Heard {
    pub order: Order,
    pub ended: Vec<Ended>,
}

#[derive(Debug)]
pub(super) struct Ended {
    pub test: usize,
    pub outcome: Outcome,
    pub failure: Option<Failure>,
}

/// A JVM, and what it has run so far.
#[derive(Default)]
struct Running {
    worker: Option<Worker>,
    order: Order,
}

impl Running {
    /// The next JVM goes on in the middle.
    fn lose(&mut self) {
        *self = Running {
            worker: None,
            order: Order {
                before: Vec::new(),
                torn: true,
            },
        };
    }
}

impl Stand<'_> {
    /// Runs sequences of classes, each in a JVM of its own, so many at once; says what each has
    /// shown. What was called off is not among it.
    pub fn run_all(
        &self,
        sequences: &[Vec<usize>],
        jobs: usize,
        mut tell: impl FnMut(),
    ) -> Result<Vec<Vec<Heard>>, JvmError> {
        let queue: Mutex<VecDeque<usize>> = Mutex::new((0..sequences.len()).collect());
        let next = || {
            let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
            queue.pop_front()
        };
        let (sender, receiver) = mpsc::channel();
        let mut all: Vec<Vec<Heard>> = sequences.iter().map(|_| Vec::new()).collect();
        thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, sequences.len().max(1)) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while let Some(number) = next() {
                        let told = || _ = sender.send(None);
                        let heard = self.run(&sequences[number], told);
                        let failed = heard.is_err();
                        let _ = sender.send(Some((number, heard)));
                        if failed || self.is_cancelled() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut result = Ok(());
            for message in receiver {
                match message {
                    None => tell(),
                    Some((number, Ok(heard))) => all[number] = heard,
                    Some((_, Err(error))) => result = Err(error),
                }
            }
            result
        })?;
        Ok(all)
    }

    /// Runs classes one after the other in a fresh JVM. If it is lost, another one goes on.
    pub fn run(&self, sequence: &[usize], tell: impl Fn()) -> Result<Vec<Heard>, JvmError> {
        let mut running = Running::default();
        let mut heard = Vec::new();
        for class in sequence {
            if self.is_cancelled() {
                break;
            }
            self.run_class(*class, &mut running, &mut heard, &tell)?;
            running.order.before.push(*class);
        }
        Ok(heard)
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn run_class(
        &self,
        class: usize,
        running: &mut Running,
        heard: &mut Vec<Heard>,
        tell: &impl Fn(),
    ) -> Result<(), JvmError> {
        let tested = &self.lineup.classes[class];
        let numbers: HashMap<&TestId, usize> = (tested.tests.iter())
            .map(|test| (&self.lineup.tests[*test].test.id, *test))
            .collect();
        let timed = tested.tests.iter().map(|test| {
            let test = &self.lineup.tests[*test];
            (test.test.id.clone(), limit(test, self.test_timeout))
        });
        let mut batches = VecDeque::from([timed.collect::<Vec<_>>()]);
        while let Some(batch) = batches.pop_front() {
            let mut worker = match running.worker.take() {
                Some(worker) => worker,
                None => {
                    self.workers.fetch_add(1, Ordering::Relaxed);
                    Worker::start(tested.recipe, self.installation, &WorkPlan::default())?
                }
            };
            let mut ended: Vec<Ended> = Vec::new();
            let hear = |event| match event {
                BatchEvent::Finished(one) => {
                    tell();
                    // A test that was not found has not ended.
                    if let (Some(test), Some(outcome)) = (numbers.get(&one.id), one.outcome) {
                        ended.push(Ended {
                            test: *test,
                            outcome,
                            failure: one.failure.filter(|_| outcome.is_red()),
                        });
                    }
                }
                // What fails behind the last test of a class is booked to that test.
                BatchEvent::FailedAfterwards { id, failure } => {
                    let test = numbers.get(&id);
                    let mut known = ended.iter_mut();
                    let last = known.find(|one| Some(&one.test) == test);
                    if let Some(last) = last.filter(|one| !one.outcome.is_red()) {
                        last.outcome = Outcome::Failed;
                        last.failure = Some(failure);
                    }
                }
                BatchEvent::Worked(_)
                | BatchEvent::Seen { .. }
                | BatchEvent::LeftOut { .. }
                | BatchEvent::Trouble(_) => {}
            };
            let end = worker.run(&tested.engine, batch, self.cancelled, hear);
            heard.push(Heard {
                order: running.order.clone(),
                ended,
            });
            match end {
                BatchEnd::Done => running.worker = Some(worker),
                BatchEnd::Cancelled => break,
                BatchEnd::Lost {
                    rest,
                    culprits_known,
                    ..
                } => {
                    running.lose();
                    if !culprits_known {
                        rest.into_iter()
                            .rev()
                            .for_each(|test| batches.push_front(vec![test]));
                    } else if !rest.is_empty() {
                        batches.push_front(rest);
                    }
                }
            }
        }
        Ok(())
    }
}
