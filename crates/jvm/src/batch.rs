//! One batch of tests on one worker: what was asked, what has been heard, and who is to blame when
//! the worker is lost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jury_model::{Engine, Failure, Outcome, TestId};
use jury_protocol::{Command, Record, Runs, Sightings};

use crate::worker::{Heard, Worker};

/// How one test ended in a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    pub id: TestId,
    /// `None` if the framework did not find the test.
    pub outcome: Option<Outcome>,
    pub micros: u64,
    pub failure: Option<Failure>,
}

/// What a probed test made run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worked {
    pub id: TestId,
    /// The methods that ran.
    pub runs: Runs,
    /// Methods that were seen to run while a class was initialised.
    pub initialising: Vec<u32>,
    pub work: u64,
    pub overran: bool,
}

/// What is heard while a batch runs.
#[derive(Debug)]
pub enum BatchEvent {
    Finished(Replayed),
    Worked(Worked),
    /// What was shown to an observer while a test ran.
    Seen {
        id: TestId,
        sightings: Sightings,
    },
    /// A method, or a class if the method is empty, is not rewritten as planned.
    LeftOut {
        class: String,
        method: String,
        reason: String,
    },
    Trouble(String),
}

/// How a batch ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchEnd {
    /// The worker is ready for the next one.
    Done,
    Cancelled,
    /// The worker is lost. Culprits have been reported; the rest could not be run.
    Lost {
        rest: Vec<(TestId, Duration)>,
        culprits_known: bool,
    },
}

/// How long a cancelled batch may take to notice.
const PATIENCE: Duration = Duration::from_millis(50);
/// Time for everything outside tests: discovery, class fixtures, suites.
const FIXTURE_LIMIT: Duration = Duration::from_secs(120);

/// Runs tests, each with its time limit, and reports every one that ended.
pub(crate) fn run_batch(
    worker: &mut Worker,
    engine: &Engine,
    until_red: bool,
    tests: Vec<(TestId, Duration)>,
    cancelled: &AtomicBool,
    mut report: impl FnMut(BatchEvent),
) -> BatchEnd {
    let order = Command::Run {
        batch: 0,
        engine: engine.as_str().to_owned(),
        until_red,
        tests: tests.iter().map(|(id, _)| id.clone()).collect(),
    };
    let mut progress = Progress::new(tests);
    if worker.send(&order).is_err() {
        let status = worker.end();
        return progress.lost(Outcome::Crashed, &ended_with(&status), report);
    }
    loop {
        if cancelled.load(Ordering::Relaxed) {
            return BatchEnd::Cancelled;
        }
        match worker.hear(PATIENCE) {
            // A framework gives its whole run up when memory is exhausted.
            Heard::Record(Record::BatchDone { trouble, .. }) if !progress.running.is_empty() => {
                let reason = format!("its framework gave up: {trouble}");
                return progress.lost(Outcome::Crashed, &reason, report);
            }
            Heard::Record(Record::BatchDone { trouble, .. }) => {
                if !trouble.is_empty() {
                    report(BatchEvent::Trouble(trouble));
                }
                progress
                    .give_up()
                    .into_iter()
                    .map(BatchEvent::Finished)
                    .for_each(report);
                return BatchEnd::Done;
            }
            Heard::Record(record) => progress.advance(record).into_iter().for_each(&mut report),
            Heard::Nothing if progress.is_overdue() => {
                let reason = "did not end within its time limit";
                return progress.lost(Outcome::TimedOut, reason, report);
            }
            Heard::Nothing => {}
            Heard::Gone => {
                let status = worker.end();
                return progress.lost(Outcome::Crashed, &ended_with(&status), report);
            }
        }
    }
}

fn ended_with(status: &str) -> String {
    format!("its JVM ended with {status}")
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
struct Progress {
    /// Not yet finished, in order; those that run are among them.
    waiting: Vec<(TestId, Duration)>,
    running: Vec<RunningTest>,
    /// The failure of a class or suite that kept its tests from running.
    container_failure: Option<Failure>,
    quiet_since: Instant,
}

impl Progress {
    fn new(tests: Vec<(TestId, Duration)>) -> Self {
        Self {
            waiting: tests,
            running: Vec::new(),
            container_failure: None,
            quiet_since: Instant::now(),
        }
    }

    fn advance(&mut self, record: Record) -> Option<BatchEvent> {
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
            Record::Worked {
                id,
                runs,
                initialising,
                work,
                overran,
            } => Some(BatchEvent::Worked(Worked {
                id,
                runs,
                initialising,
                work,
                overran,
            })),
            Record::Seen { id, sightings } => Some(BatchEvent::Seen { id, sightings }),
            Record::LeftOut {
                class,
                method,
                reason,
            } => Some(BatchEvent::LeftOut {
                class,
                method,
                reason,
            }),
            Record::Trouble(message) => Some(BatchEvent::Trouble(message)),
            _ => None,
        }
    }

    fn settle(
        &mut self,
        id: TestId,
        outcome: Outcome,
        micros: u64,
        failure: Option<Failure>,
    ) -> Option<BatchEvent> {
        let at = self
            .waiting
            .iter()
            .position(|(waiting, _)| *waiting == id)?;
        self.waiting.remove(at);
        Some(BatchEvent::Finished(Replayed {
            id,
            outcome: Some(outcome),
            micros,
            failure,
        }))
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

    /// Reports the culprits of a lost worker and gives back the tests that are not to blame.
    fn lost(self, outcome: Outcome, reason: &str, mut report: impl FnMut(BatchEvent)) -> BatchEnd {
        let culprits = self.culprits(outcome);
        let place = if self.running.is_empty() {
            ", outside the test's own code"
        } else {
            ""
        };
        for id in &culprits {
            let failure = Failure {
                message: format!("{reason}{place}"),
                ..Failure::default()
            };
            report(BatchEvent::Finished(Replayed {
                id: id.clone(),
                outcome: Some(outcome),
                micros: 0,
                failure: Some(failure),
            }));
        }
        let rest = self
            .waiting
            .into_iter()
            .filter(|(id, _)| !culprits.contains(id))
            .collect();
        BatchEnd::Lost {
            rest,
            culprits_known: !culprits.is_empty(),
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
