//! Replays batches of tests on several workers at once.
//!
//! A batch is the tests of one class, in order. When a test takes its worker down, the culprit is
//! named and the rest of its batch goes on in a new worker. If several tests were running at that
//! moment, each suspect is tried again alone, so that no test is blamed for its neighbour.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use jury_model::{Engine, Recipe, TestId};
use jury_protocol::Plan;

use crate::batch::{BatchEnd, BatchEvent, run_batch};
use crate::worker::Worker;
use crate::{Installation, JvmError};

/// Tests of one engine that a worker runs together, each with its time limit.
#[derive(Debug, Clone)]
pub struct Batch<'a> {
    pub recipe: &'a Recipe,
    pub engine: Engine,
    pub tests: Vec<(TestId, Duration)>,
}

#[derive(Debug)]
pub enum ReplayEvent<'a> {
    /// A worker JVM is up; the number counts all that were started.
    WorkerStarted(u32),
    /// Something was heard from a worker of this recipe.
    Heard(&'a Recipe, BatchEvent),
}

/// Replays tests with `jobs` workers at once.
#[derive(Debug)]
pub struct Pool<'a> {
    pub installation: &'a Installation,
    /// What the workers' classes are rewritten to do.
    pub plan: &'a Plan,
    pub jobs: usize,
    /// Set from outside to end early; what is running is stopped, what has finished is kept.
    pub cancelled: &'a AtomicBool,
}

impl Pool<'_> {
    /// Runs all batches and reports each test once, in the order in which they end.
    pub fn replay<'r>(
        &self,
        batches: Vec<Batch<'r>>,
        mut report: impl FnMut(ReplayEvent<'r>),
    ) -> Result<(), JvmError> {
        let jobs = self.jobs.clamp(1, batches.len().max(1));
        let queue = Mutex::new(VecDeque::from(batches));
        let started = AtomicU32::new(0);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            let drivers: Vec<_> = (0..jobs)
                .map(|_| {
                    let sender = sender.clone();
                    let driver = Driver {
                        pool: self,
                        queue: &queue,
                        started: &started,
                        sender,
                    };
                    scope.spawn(move || driver.run())
                })
                .collect();
            drop(sender);
            receiver.iter().for_each(&mut report);
            for driver in drivers {
                // A driver that panicked is a defect of ours; it is raised again, not swallowed.
                driver
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            }
            Ok(())
        })
    }
}

/// Feeds one worker after another from the common queue.
struct Driver<'p, 'q, 'r> {
    pool: &'p Pool<'p>,
    queue: &'q Mutex<VecDeque<Batch<'r>>>,
    started: &'q AtomicU32,
    sender: mpsc::Sender<ReplayEvent<'r>>,
}

/// The worker a driver holds, and the recipe it was started from.
struct Running<'r> {
    worker: Worker,
    recipe: &'r Recipe,
}

impl<'r> Driver<'_, '_, 'r> {
    fn run(self) -> Result<(), JvmError> {
        let mut running: Option<Running<'r>> = None;
        while !self.pool.cancelled.load(Ordering::Relaxed) {
            let preferred = running.as_ref().map(|running| running.recipe);
            let Some(batch) = take_batch(&mut self.lock_queue(), preferred) else {
                break;
            };
            let current = match running.take() {
                Some(current) if std::ptr::eq(current.recipe, batch.recipe) => current,
                _ => self.start_worker(batch.recipe)?,
            };
            let recipe = batch.recipe;
            let fit = self.run_batch(current, batch);
            running = fit.filter(|_| !recipe.jvm_per_class);
        }
        Ok(())
    }

    fn start_worker(&self, recipe: &'r Recipe) -> Result<Running<'r>, JvmError> {
        let worker = Worker::start(recipe, self.pool.installation, self.pool.plan)?;
        let number = self.started.fetch_add(1, Ordering::Relaxed) + 1;
        self.tell(ReplayEvent::WorkerStarted(number));
        Ok(Running { worker, recipe })
    }

    /// Runs one batch; gives the worker back if it is still fit for the next one.
    fn run_batch(&self, mut running: Running<'r>, batch: Batch<'r>) -> Option<Running<'r>> {
        let Batch {
            recipe,
            engine,
            tests,
        } = batch;
        let heard = |event| self.tell(ReplayEvent::Heard(recipe, event));
        let end = run_batch(
            &mut running.worker,
            &engine,
            false,
            tests,
            self.pool.cancelled,
            heard,
        );
        match end {
            BatchEnd::Done => return Some(running),
            BatchEnd::Cancelled => {}
            BatchEnd::Lost {
                rest,
                culprits_known,
                ..
            } => {
                let again = |tests| Batch {
                    recipe,
                    engine: engine.clone(),
                    tests,
                };
                let mut queue = self.lock_queue();
                if !culprits_known {
                    for test in rest.into_iter().rev() {
                        queue.push_front(again(vec![test]));
                    }
                } else if !rest.is_empty() {
                    queue.push_front(again(rest));
                }
            }
        }
        None
    }

    fn lock_queue(&self) -> MutexGuard<'_, VecDeque<Batch<'r>>> {
        // The queue is consistent between any two of its operations, whoever panicked.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, event: ReplayEvent<'r>) {
        // The receiver lives as long as the scope that all drivers run in.
        let _ = self.sender.send(event);
    }
}

/// Prefers a batch that the worker at hand can run; starting a JVM costs more than a test.
fn take_batch<'r>(
    queue: &mut VecDeque<Batch<'r>>,
    preferred: Option<&Recipe>,
) -> Option<Batch<'r>> {
    let at = preferred
        .and_then(|recipe| {
            queue
                .iter()
                .position(|batch| std::ptr::eq(batch.recipe, recipe))
        })
        .unwrap_or(0);
    queue.remove(at)
}
