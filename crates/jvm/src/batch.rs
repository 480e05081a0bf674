//! One batch of tests on one worker: what was asked, what has been heard, and who is to blame when
//! the worker is lost.

use std::collections::VecDeque;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jury_model::{Engine, Failure, Outcome, TestId};
use jury_protocol::{Command, Record, Runs, Sightings};

use crate::worker::{Heard, Moment, Worker};

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

impl Worked {
    /// Of a test that computed until it was stopped.
    fn endless(id: TestId) -> Self {
        Worked {
            id,
            runs: Runs::default(),
            initialising: Vec::new(),
            work: 0,
            overran: true,
        }
    }
}

/// What is heard while a batch runs.
#[derive(Debug)]
pub enum BatchEvent {
    Finished(Replayed),
    /// A class or suite failed when its tests had ended, of which this was the last.
    FailedAfterwards {
        id: TestId,
        failure: Failure,
    },
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
        /// `Crashed` or `TimedOut`.
        how: Outcome,
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
            Heard::Record(record) => {
                let event = progress.advance(record, worker.now());
                event.into_iter().for_each(&mut report);
            }
            Heard::Nothing => {
                progress.judge_time(worker.now());
                if progress.is_overdue() {
                    let reason = "did not end within its time limit";
                    return progress.lost(Outcome::TimedOut, reason, report);
                }
            }
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

/// A test beyond its limit that has computed for less than this part of it is waiting for something.
const LEAST_SHARE: u32 = 10;
/// One that gets little of a busy machine is given this many times its limit.
const MOST_PATIENCE: u32 = 4;

struct RunningTest {
    id: TestId,
    limit: Duration,
    began: Moment,
    overdue: Option<Overdue>,
}

/// What a test has been doing that should have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Overdue {
    /// It has computed beyond its limit, as it would on any machine.
    Computing,
    Waiting,
}

impl RunningTest {
    fn overdue(&self, now: Moment) -> Option<Overdue> {
        let passed = now.clock.duration_since(self.began.clock);
        if passed < self.limit {
            return None;
        }
        let spent = now.processor.zip(self.began.processor);
        match spent.map(|(now, began)| now.saturating_sub(began)) {
            Some(computed) if computed >= self.limit => Some(Overdue::Computing),
            Some(computed)
                if computed >= self.limit / LEAST_SHARE && passed < self.limit * MOST_PATIENCE =>
            {
                None
            }
            _ => Some(Overdue::Waiting),
        }
    }
}

/// A class or suite that failed outside its tests.
struct FailedContainer {
    id: TestId,
    class: String,
    failure: Failure,
}

impl FailedContainer {
    /// Frameworks put a container's id in front of its tests', or at least name the class there.
    fn holds(&self, test: &TestId) -> bool {
        let test = test.as_str();
        let inside = |name: &str| {
            let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric());
            !name.is_empty()
                && (test.match_indices(name)).any(|(at, _)| ends(&test[at + name.len()..]))
        };
        test.starts_with(self.id.as_str()) && inside(self.id.as_str()) || inside(&self.class)
    }
}

/// What is known of a batch while it runs.
struct Progress {
    /// Not yet finished, in order; those that run are among them. As a rule the first one ends next,
    /// and there may be tens of thousands.
    waiting: VecDeque<(TestId, Duration)>,
    running: Vec<RunningTest>,
    /// In order.
    ended: Vec<TestId>,
    /// Classes and suites that failed and kept their tests from running.
    failed_containers: Vec<FailedContainer>,
    quiet_since: Instant,
}

impl Progress {
    fn new(tests: Vec<(TestId, Duration)>) -> Self {
        Self {
            waiting: tests.into(),
            running: Vec::new(),
            ended: Vec::new(),
            failed_containers: Vec::new(),
            quiet_since: Instant::now(),
        }
    }

    fn advance(&mut self, record: Record, now: Moment) -> Option<BatchEvent> {
        self.quiet_since = now.clock;
        match record {
            Record::TestStarted(test) => {
                // A test nobody asked for (a neighbour the engine cannot leave out) is not judged.
                let limit = self.waiting.iter().find(|(id, _)| *id == test.id)?.1;
                self.running.push(RunningTest {
                    id: test.id,
                    limit,
                    began: now,
                    overdue: None,
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
            Record::ContainerFailed { id, class, failure } => {
                let failed = FailedContainer { id, class, failure };
                let after = self.last_ended_of(&failed);
                let event = after.map(|id| BatchEvent::FailedAfterwards {
                    id,
                    failure: failed.failure.clone(),
                });
                self.failed_containers.push(failed);
                event
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
        self.ended.push(id.clone());
        Some(BatchEvent::Finished(Replayed {
            id,
            outcome: Some(outcome),
            micros,
            failure,
        }))
    }

    /// The last test of a container, unless there are others to come, which then are judged with it.
    fn last_ended_of(&self, container: &FailedContainer) -> Option<TestId> {
        let to_come = self.waiting.iter().any(|(id, _)| container.holds(id));
        let mut ended = self.ended.iter().rev();
        ended.find(|id| !to_come && container.holds(id)).cloned()
    }

    /// Judges what the finished batch said nothing about: tests behind a failed fixture failed
    /// with it, all others do not exist any more, or were called off.
    fn give_up(&mut self) -> Vec<Replayed> {
        let waiting = mem::take(&mut self.waiting);
        let failed = &self.failed_containers;
        let container = |id: &TestId| failed.iter().find(|container| container.holds(id));
        // What is known by no name that its tests have may hold any of them.
        let nameless = match waiting.iter().any(|(id, _)| container(id).is_some()) {
            true => None,
            false => failed.first(),
        };
        let judge = |id: TestId| {
            let failed = container(&id).or(nameless);
            Replayed {
                outcome: failed.map(|_| Outcome::Failed),
                micros: 0,
                failure: failed.map(|failed| failed.failure.clone()),
                id,
            }
        };
        waiting.into_iter().map(|(id, _)| judge(id)).collect()
    }

    fn judge_time(&mut self, now: Moment) {
        for test in &mut self.running {
            test.overdue = test.overdue(now);
        }
    }

    fn is_overdue(&self) -> bool {
        match &self.running[..] {
            [] => self.quiet_since.elapsed() > FIXTURE_LIMIT,
            running => running.iter().any(|test| test.overdue.is_some()),
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
            let mut computing = self.running.iter();
            if computing.any(|test| test.id == *id && test.overdue == Some(Overdue::Computing)) {
                // Work that no probe counts, such as that of the JDK.
                report(BatchEvent::Worked(Worked::endless(id.clone())));
            }
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
            how: outcome,
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
            .filter(|test| test.overdue.is_some())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids of tests that were never run, and whether each failed with its class.
    fn given_up(failed: &[(&str, &str)], waiting: &[&str]) -> Vec<bool> {
        let limit = Duration::from_secs(1);
        let waiting = waiting.iter().map(|id| (TestId::new(*id), limit));
        let mut progress = Progress::new(waiting.collect());
        for (id, class) in failed {
            let failed = Record::ContainerFailed {
                id: TestId::new(*id),
                class: (*class).into(),
                failure: Failure::default(),
            };
            progress.advance(failed, moment(Instant::now(), 0));
        }
        let judged = progress.give_up();
        judged.iter().map(|one| one.outcome.is_some()).collect()
    }

    fn moment(clock: Instant, processor: u64) -> Moment {
        Moment {
            clock,
            processor: Some(Duration::from_secs(processor)),
        }
    }

    #[test]
    fn a_test_that_a_busy_machine_holds_up_is_given_more_time() {
        let began = Instant::now();
        let test = RunningTest {
            id: TestId::new("t"),
            limit: Duration::from_secs(20),
            began: moment(began, 100),
            overdue: None,
        };
        let after = |passed, computed: u64| {
            test.overdue(moment(began + Duration::from_secs(passed), 100 + computed))
        };
        assert_eq!(after(19, 30), None);
        assert_eq!(after(21, 20), Some(Overdue::Computing));
        assert_eq!(after(21, 19), None);
        assert_eq!(after(79, 2), None);
        assert_eq!(after(80, 19), Some(Overdue::Waiting));
        assert_eq!(after(21, 1), Some(Overdue::Waiting));
    }

    #[test]
    fn only_the_tests_of_a_class_fail_with_its_fixture() {
        let tests = [
            "[class:a.B]/[m:x]",
            "[class:a.BC]/[m:x]",
            "[class:a.D]/[m:x]",
        ];
        let (b, d) = (("[class:a.B]", "a.B"), ("[class:a.D]", "a.D"));
        assert_eq!(given_up(&[b], &tests), [true, false, false]);
        assert_eq!(given_up(&[b, d], &tests), [true, false, true]);
        assert_eq!(
            given_up(&[("junit:a.B", "a.B")], &["x:a.B#t", "x:a.BC#t"]),
            [true, false]
        );
    }

    #[test]
    fn a_class_that_fails_after_its_tests_is_told_with_the_last_of_them() {
        let limit = Duration::from_secs(1);
        let tests = [
            "[class:a.B]/[m:x]",
            "[class:a.B]/[m:y]",
            "[class:a.D]/[m:x]",
        ];
        let tests = tests.map(TestId::new);
        let waiting = tests.clone().map(|id| (id, limit));
        let mut progress = Progress::new(waiting.into_iter().collect());
        let mut failed_after = |ended: &TestId| {
            let passed = Record::TestFinished {
                id: ended.clone(),
                outcome: Outcome::Passed,
                nanos: 0,
                failure: None,
            };
            let failed = Record::ContainerFailed {
                id: TestId::new("[class:a.B]"),
                class: "a.B".into(),
                failure: Failure::default(),
            };
            let now = moment(Instant::now(), 0);
            progress.advance(passed, now);
            match progress.advance(failed, now) {
                Some(BatchEvent::FailedAfterwards { id, .. }) => Some(id),
                _ => None,
            }
        };
        // The other one has yet to run.
        assert_eq!(failed_after(&tests[0]), None);
        assert_eq!(failed_after(&tests[1]), Some(tests[1].clone()));
        assert_eq!(failed_after(&tests[2]), Some(tests[1].clone()));
    }

    #[test]
    fn what_hangs_when_all_tests_have_ended_is_told_from_what_crashes() {
        for how in [Outcome::TimedOut, Outcome::Crashed] {
            let nobody = BatchEnd::Lost {
                how,
                rest: Vec::new(),
                culprits_known: false,
            };
            assert_eq!(Progress::new(Vec::new()).lost(how, "", |_| {}), nobody);
        }
    }

    #[test]
    fn a_suite_that_fails_holds_all_tests_and_without_one_there_are_none() {
        let tests = ["[class:a.B]/[m:x]", "[class:a.D]/[m:x]"];
        assert_eq!(given_up(&[("suite", "a.All")], &tests), [true, true]);
        assert_eq!(given_up(&[], &tests), [false, false]);
    }
}
