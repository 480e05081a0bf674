//! Runs tests on changed classes, and has an answer of each.
//!
//! A test that is lost with its JVM is run again in another: that nothing was heard of it does not mean
//! that it passes.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use jury_jvm::{Attention, BatchEnd, BatchEvent, JvmError};
use jury_model::{Outcome, Recipe, TestId};

use super::bench::{Batch, Room, TestJvm, TestJvms, is_whole};

/// For tests that wait for ever.
const LEAST_TIME: Duration = Duration::from_secs(60);
const TIME_SLACK: u32 = 20;
/// JVMs that tests may take down before the others of a batch are given up.
const MOST_LOST: usize = 3;

/// How a test ended.
#[derive(Debug, Clone, Default)]
pub(super) struct Answer {
    /// None if it was not found, or not heard of in any JVM.
    pub outcome: Option<Outcome>,
    /// Of its failure.
    pub trace: String,
}

impl Answer {
    pub fn passed(&self) -> bool {
        self.outcome == Some(Outcome::Passed)
    }
}

/// Keeps one JVM, which is started when it is needed.
pub(super) struct Runner<'a> {
    room: &'a Room<'a>,
    jvms: &'a dyn TestJvms,
    /// Makes the recipe of a JVM of that of its tests.
    change: &'a dyn Fn(&Recipe) -> Recipe,
    jvm: Option<(&'a Recipe, Box<dyn TestJvm>)>,
}

impl<'a> Runner<'a> {
    pub fn new(
        room: &'a Room<'a>,
        jvms: &'a dyn TestJvms,
        change: &'a dyn Fn(&Recipe) -> Recipe,
    ) -> Self {
        Runner {
            room,
            jvms,
            change,
            jvm: None,
        }
    }

    /// One answer for each test. If the run is cancelled meanwhile, they are not to be relied on.
    pub fn run(
        &mut self,
        tests: &[usize],
        mutant: Option<u32>,
    ) -> Result<BTreeMap<usize, Answer>, JvmError> {
        let mut answers = BTreeMap::new();
        for is_again in [false, true] {
            // Whoever was to blame for the end of its JVM has an answer, but none to rely on.
            answers.retain(|_, answer: &mut Answer| is_whole(answer.outcome));
            for batch in self.batches(tests, &answers) {
                if self.room.is_cancelled() {
                    break;
                }
                if is_again {
                    self.jvm = None;
                }
                self.run_together(batch, mutant, &mut answers)?;
            }
        }
        for test in tests {
            answers.entry(*test).or_default();
        }
        Ok(answers)
    }

    pub fn run_one(&mut self, test: usize, mutant: Option<u32>) -> Result<Answer, JvmError> {
        let mut answers = self.run(&[test], mutant)?;
        Ok(answers.remove(&test).unwrap_or_default())
    }

    /// Tests without an answer, those of one recipe and engine together.
    fn batches(&self, tests: &[usize], answers: &BTreeMap<usize, Answer>) -> Vec<Vec<usize>> {
        let mut batches: Vec<Vec<usize>> = Vec::new();
        let all = self.room.tests;
        for &test in tests.iter().filter(|test| !answers.contains_key(test)) {
            let fits = |batch: &&mut Vec<usize>| {
                let (one, other) = (&all[batch[0]], &all[test]);
                std::ptr::eq(one.recipe, other.recipe) && one.engine == other.engine
            };
            match batches.iter_mut().find(fits) {
                Some(batch) => batch.push(test),
                None => batches.push(vec![test]),
            }
        }
        batches
    }

    /// Where one takes its JVM down, the others go on in a new one.
    fn run_together(
        &mut self,
        tests: Vec<usize>,
        mutant: Option<u32>,
        answers: &mut BTreeMap<usize, Answer>,
    ) -> Result<(), JvmError> {
        let mut batches = VecDeque::from([tests]);
        let mut lost = 0;
        while let Some(batch) = batches.pop_front() {
            let end = self.run_batch(&batch, mutant, answers)?;
            let BatchEnd::Lost { culprits_known, .. } = end else {
                continue;
            };
            self.jvm = None;
            lost += 1;
            if lost == MOST_LOST {
                break;
            }
            let left = batch.iter().copied();
            let left: Vec<usize> = left.filter(|test| !answers.contains_key(test)).collect();
            match culprits_known {
                true if left.is_empty() => {}
                true => batches.push_front(left),
                // Each may be the one to blame. One that was alone is.
                false if batch.len() == 1 => {}
                false => left
                    .into_iter()
                    .rev()
                    .for_each(|test| batches.push_front(vec![test])),
            }
        }
        Ok(())
    }

    fn run_batch(
        &mut self,
        tests: &[usize],
        mutant: Option<u32>,
        answers: &mut BTreeMap<usize, Answer>,
    ) -> Result<BatchEnd, JvmError> {
        let room = self.room;
        let first = &room.tests[tests[0]];
        let jvm = match &mut self.jvm {
            Some((recipe, jvm)) if std::ptr::eq(*recipe, first.recipe) => jvm,
            place => {
                *place = None;
                let jvm = self
                    .jvms
                    .start(&(self.change)(first.recipe), &first.engine)?;
                &mut place.insert((first.recipe, jvm)).1
            }
        };
        let own = tests.iter().map(|test| &room.tests[*test]);
        let places: HashMap<&TestId, usize> = own
            .clone()
            .map(|test| &test.id)
            .zip(tests.iter().copied())
            .collect();
        let limit = |micros| LEAST_TIME + Duration::from_micros(micros).saturating_mul(TIME_SLACK);
        let batch = Batch {
            engine: &first.engine,
            tests: own
                .map(|test| (test.id.clone(), limit(test.micros)))
                .collect(),
            mutant,
            attention: Attention::default(),
            cancelled: room.cancelled,
        };
        Ok(jvm.run(batch, &mut |event| match event {
            BatchEvent::Finished(one) => {
                if let Some(test) = places.get(&one.id) {
                    let trace = one.failure.map(|failure| failure.trace).unwrap_or_default();
                    let outcome = one.outcome;
                    answers.insert(*test, Answer { outcome, trace });
                }
            }
            // What was not noticed before the end of its class counts like what a test itself noticed.
            BatchEvent::FailedAfterwards { id, failure } => {
                if let Some(test) = places.get(&id) {
                    let trace = failure.trace;
                    let outcome = Some(Outcome::Failed);
                    answers.insert(*test, Answer { outcome, trace });
                }
            }
            _ => {}
        }))
    }
}
