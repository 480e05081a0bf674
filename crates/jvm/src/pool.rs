//! Replays batches of tests on several workers at once.
//!
//! A batch is the tests of one class, in order. When a test takes its worker down, the culprit is
//! named and the rest of its batch goes on in a new worker. If several tests were running at that
//! moment, each suspect is tried again alone, so that no test is blamed for its neighbour.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use jury_model::{Engine, Failure, Outcome, Recipe, TestId};
use jury_protocol::{Command, Record};

use crate::worker::{Heard, Worker};
use crate::{Installation, JvmError};

/// Tests of one engine that a worker runs together.
#[derive(Debug, Clone)]
pub struct Batch<'a> {
    pub recipe: &'a Recipe,
    pub engine: Engine,
    pub tests: Vec<(TestId, Duration)>,
}

/// How one test ended in a replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    pub id: TestId,
    /// `None` if the framework did not find the test.
    pub outcome: Option<Outcome>,
    pub micros: u64,
    pub failure: Option<Failure>,
}

#[derive(Debug)]
pub enum ReplayEvent<'a> {
    /// A worker JVM is up; the number counts all that were started.
    WorkerStarted(u32),
    /// A test of this recipe has ended.
    Finished(&'a Recipe, Replayed),
    /// A batch could not be run, or a worker had something to complain about.
    Trouble(String),
}

/// Replays tests with `jobs` workers at once.
#[derive(Debug)]
pub struct Pool<'a> {
    pub installation: &'a Installation,
    pub jobs: usize,
    /// Set from outside to end early; what is running is stopped, what has finished is kept.
    pub cancelled: &'a AtomicBool,
}

/// How long a cancelled pool may take to notice.
const PATIENCE: Duration = Duration::from_millis(100);
/// Time for everything outside tests: discovery, class fixtures, suites.
const FIXTURE_LIMIT: Duration = Duration::from_secs(120);

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
                // ok: a driver that panicked is a defect; it is re-raised, not swallowed.
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
        while !self.cancelled() {
            let preferred = running.as_ref().map(|running| running.recipe);
            let Some(batch) = take_batch(&mut self.lock_queue(), preferred) else {
                break;
            };
            let current = match running.take() {
                Some(current) if std::ptr::eq(current.recipe, batch.recipe) => current,
                _ => {
                    let worker = Worker::start(batch.recipe, self.pool.installation)?;
                    let number = self.started.fetch_add(1, Ordering::Relaxed) + 1;
                    self.tell(ReplayEvent::WorkerStarted(number));
                    Running {
                        worker,
                        recipe: batch.recipe,
                    }
                }
            };
            running = self.run_batch(current, batch);
        }
        Ok(())
    }

    /// Runs one batch; gives the worker back if it is still fit for the next one.
    fn run_batch(&self, mut running: Running<'r>, batch: Batch<'r>) -> Option<Running<'r>> {
        let order = Command::Run {
            batch: 0,
            engine: batch.engine.as_str().to_owned(),
            tests: batch.tests.iter().map(|(id, _)| id.clone()).collect(),
        };
        let mut progress = Progress::new(batch);
        let end = match running.worker.send(&order) {
            Ok(()) => self.listen(&running.worker, &mut progress),
            Err(_) => BatchEnd::WorkerGone,
        };
        match end {
            BatchEnd::Done(trouble) => {
                if !trouble.is_empty() {
                    self.tell(ReplayEvent::Trouble(trouble));
                }
                for replayed in progress.give_up() {
                    self.tell(ReplayEvent::Finished(progress.recipe, replayed));
                }
                return Some(running);
            }
            BatchEnd::Cancelled => {}
            BatchEnd::TooLong => {
                self.blame(
                    progress,
                    Outcome::TimedOut,
                    "did not end within its time limit",
                );
            }
            BatchEnd::WorkerGone => {
                let status = running.worker.end();
                self.blame(
                    progress,
                    Outcome::Crashed,
                    &format!("its JVM ended with {status}"),
                );
            }
        }
        None
    }

    fn listen(&self, worker: &Worker, progress: &mut Progress<'r>) -> BatchEnd {
        loop {
            if self.cancelled() {
                return BatchEnd::Cancelled;
            }
            match worker.hear(PATIENCE) {
                Heard::Record(Record::BatchDone { trouble, .. }) => return BatchEnd::Done(trouble),
                Heard::Record(Record::Trouble(message)) => {
                    self.tell(ReplayEvent::Trouble(message));
                }
                Heard::Record(record) => {
                    if let Some(replayed) = progress.advance(record) {
                        self.tell(ReplayEvent::Finished(progress.recipe, replayed));
                    }
                }
                Heard::Nothing if progress.is_overdue() => return BatchEnd::TooLong,
                Heard::Nothing => {}
                Heard::Gone => return BatchEnd::WorkerGone,
            }
        }
    }

    /// Names the test that took its worker down and puts the others back into the queue.
    fn blame(&self, mut progress: Progress<'r>, outcome: Outcome, reason: &str) {
        let culprits = progress.culprits(outcome);
        let outside = progress.running.is_empty();
        progress.waiting.retain(|(id, _)| !culprits.contains(id));
        for id in &culprits {
            let place = if outside {
                ", outside the test's own code"
            } else {
                ""
            };
            let failure = Failure {
                message: format!("{reason}{place}"),
                ..Failure::default()
            };
            let (id, outcome) = (id.clone(), Some(outcome));
            let replayed = Replayed {
                id,
                outcome,
                micros: 0,
                failure: Some(failure),
            };
            self.tell(ReplayEvent::Finished(progress.recipe, replayed));
        }
        let Progress {
            recipe,
            engine,
            waiting,
            ..
        } = progress;
        let again = |tests| Batch {
            recipe,
            engine: engine.clone(),
            tests,
        };
        let mut queue = self.lock_queue();
        if culprits.is_empty() {
            for test in waiting.into_iter().rev() {
                queue.push_front(again(vec![test]));
            }
        } else if !waiting.is_empty() {
            queue.push_front(again(waiting));
        }
    }

    fn lock_queue(&self) -> MutexGuard<'_, VecDeque<Batch<'r>>> {
        // The queue is consistent between any two of its operations, whoever panicked.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, event: ReplayEvent<'r>) {
        // The receiver lives as long as the scope that all drivers run in.
        let _ = self.sender.send(event);
    }

    fn cancelled(&self) -> bool {
        self.pool.cancelled.load(Ordering::Relaxed)
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

enum BatchEnd {
    Done(String),
    TooLong,
    WorkerGone,
    Cancelled,
}

struct RunningTest {
    id: TestId,
    deadline: Instant,
}

impl RunningTest {
    fn is_overdue(&self) -> bool {
        Instant::now() > self.deadline
    }
}

/// What is known of a batch while it runs.
struct Progress<'r> {
    recipe: &'r Recipe,
    engine: Engine,
    /// Not yet finished, in order; those that run are among them.
    waiting: Vec<(TestId, Duration)>,
    running: Vec<RunningTest>,
    /// The failure of a class or suite that kept its tests from running.
    container_failure: Option<Failure>,
    quiet_since: Instant,
}

impl<'r> Progress<'r> {
    fn new(batch: Batch<'r>) -> Self {
        Self {
            recipe: batch.recipe,
            engine: batch.engine,
            waiting: batch.tests,
            running: Vec::new(),
            container_failure: None,
            quiet_since: Instant::now(),
        }
    }

    fn advance(&mut self, record: Record) -> Option<Replayed> {
        self.quiet_since = Instant::now();
        match record {
            Record::TestStarted(test) => {
                // A test nobody asked for (a neighbour the engine cannot leave out) is not judged.
                let limit = self.waiting.iter().find(|(id, _)| *id == test.id)?.1;
                self.running.push(RunningTest {
                    id: test.id,
                    deadline: Instant::now() + limit,
                });
                None
            }
            Record::TestFinished {
                id,
                outcome,
                nanos,
                failure,
            } => {
                self.running.retain(|running| running.id != id);
                self.settle(id, outcome, nanos / 1000, failure)
            }
            Record::TestSkipped { test, reason } => {
                let failure = (!reason.is_empty()).then(|| Failure {
                    message: reason,
                    ..Failure::default()
                });
                self.settle(test.id, Outcome::Skipped, 0, failure)
            }
            Record::ContainerFailed { failure, .. } => {
                self.container_failure.get_or_insert(failure);
                None
            }
            _ => None,
        }
    }

    fn settle(
        &mut self,
        id: TestId,
        outcome: Outcome,
        micros: u64,
        failure: Option<Failure>,
    ) -> Option<Replayed> {
        let at = self
            .waiting
            .iter()
            .position(|(waiting, _)| *waiting == id)?;
        self.waiting.remove(at);
        Some(Replayed {
            id,
            outcome: Some(outcome),
            micros,
            failure,
        })
    }

    /// Judges what the finished batch said nothing about: tests behind a failed fixture failed
    /// with it, all others do not exist any more.
    fn give_up(&mut self) -> Vec<Replayed> {
        let outcome = self.container_failure.as_ref().map(|_| Outcome::Failed);
        let failure = &self.container_failure;
        self.waiting
            .drain(..)
            .map(|(id, _)| Replayed {
                id,
                outcome,
                micros: 0,
                failure: failure.clone(),
            })
            .collect()
    }

    fn is_overdue(&self) -> bool {
        match &self.running[..] {
            [] => self.quiet_since.elapsed() > FIXTURE_LIMIT,
            running => running.iter().any(RunningTest::is_overdue),
        }
    }

    /// The tests to blame for the loss of the worker; none if that cannot be told yet.
    fn culprits(&self, outcome: Outcome) -> Vec<TestId> {
        let ids = |tests: &[&RunningTest]| tests.iter().map(|test| test.id.clone()).collect();
        let running: Vec<_> = self.running.iter().collect();
        let overdue: Vec<_> = self
            .running
            .iter()
            .filter(|test| test.is_overdue())
            .collect();
        match (&running[..], &overdue[..]) {
            ([one], _) => ids(&[one]),
            ([_, ..], [_, ..]) if outcome == Outcome::TimedOut => ids(&overdue),
            // Several tests were running when the JVM went: each is tried again alone.
            ([_, ..], _) => Vec::new(),
            // A fixture that hangs holds up every test of its class.
            ([], _) if outcome == Outcome::TimedOut || self.waiting.len() == 1 => {
                self.waiting.iter().map(|(id, _)| id.clone()).collect()
            }
            ([], _) => Vec::new(),
        }
    }
}
