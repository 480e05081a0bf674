//! The JVM that tests are run in, and what has happened in it: a warm one remembers, and some of that
//! hides a mutant.
//!
//! Tests are run here, once, with one mutant on or none. What they show is handed on, not judged.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use jury_jvm::{Attention, BatchEnd, BatchEvent, JvmError, Runs};
use jury_model::{Recipe, TestId};

use super::jvms::{Batch, TestJvm};
use super::shown::Shown;
use super::{Bench, LeftOut};
use crate::explain::survivors::Survivor;
use crate::mutate::lab::ran_as_at_first;

/// Observed tests are slow; this is for tests that wait for ever.
const LEAST_TIME: Duration = Duration::from_secs(60);
const TIME_SLACK: u32 = 100;
/// JVMs that tests may take down before the others of a batch are given up.
const MOST_LOST: usize = 3;

/// A JVM, and what ran in it so far.
pub(super) struct Warm<'a> {
    jvm: Box<dyn TestJvm>,
    recipe: &'a Recipe,
    /// What each test made run when it first did so without a mutant, and the last time.
    first: HashMap<usize, Runs>,
    last: HashMap<usize, Runs>,
    /// What ran while a class was initialised, without a mutant and with one.
    initialising: HashSet<u32>,
    pub initialising_mutants: HashSet<u32>,
    /// One may have left something behind.
    pub has_seen_mutants: bool,
}

impl<'a> Warm<'a> {
    fn new(jvm: Box<dyn TestJvm>, recipe: &'a Recipe) -> Self {
        Warm {
            jvm,
            recipe,
            first: HashMap::new(),
            last: HashMap::new(),
            initialising: HashSet::new(),
            initialising_mutants: HashSet::new(),
            has_seen_mutants: false,
        }
    }
}

impl<'a> Bench<'a> {
    /// Gives up a JVM in which mutants have left threads that keep processors busy.
    pub(super) fn leave_restless(&mut self) {
        let look = self.worker.as_mut().and_then(|warm| warm.jvm.is_restless());
        if self.patience.is_over(look) {
            self.worker = None;
        }
    }

    /// Whether something may be left of the original in the warm JVM that keeps tests from showing a mutant,
    /// such as a cache. That is judged as in a trial, whose survivors these are.
    pub(super) fn may_hide(&mut self, mutant: &Survivor<'_>) -> Result<bool, JvmError> {
        let Some(warm) = &self.worker else {
            return Ok(true);
        };
        let initialising = [&warm.initialising, &warm.initialising_mutants];
        if initialising.iter().any(|ran| ran.contains(&mutant.probe)) {
            return Ok(true);
        }
        // The mutant itself may have had its code run more or less often.
        let odd = self.not_as_at_first(mutant.probe, &mutant.tests);
        for round in self.rounds(&odd) {
            self.run(&round, None, Attention::default())?;
        }
        Ok(self.worker.is_none() || !self.not_as_at_first(mutant.probe, &odd).is_empty())
    }

    /// Tests that did not run a probe as often as when they first ran without a mutant, in the JVM in which
    /// they were surveyed or in this one.
    fn not_as_at_first(&self, probe: u32, tests: &[usize]) -> Vec<usize> {
        let Some(warm) = &self.worker else {
            return tests.to_vec();
        };
        let is_odd = |test: &usize| {
            let surveyed = self.survey.runs(*test);
            let first = surveyed.or_else(|| warm.first.get(test));
            !ran_as_at_first(probe, first, warm.last.get(test))
        };
        tests.iter().copied().filter(is_odd).collect()
    }

    /// Looks in a JVM that is kept apart from the warm one.
    pub(super) fn within<T>(
        &mut self,
        apart: &mut Option<Warm<'a>>,
        look: impl FnOnce(&mut Self) -> T,
    ) -> T {
        std::mem::swap(&mut self.worker, apart);
        let found = look(self);
        std::mem::swap(&mut self.worker, apart);
        found
    }

    /// Looks in other JVMs than the warm one, which is kept: where a mutant was on from the start, it may
    /// have left something behind that would pass for the original.
    pub(super) fn aside<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        self.within(&mut None, look)
    }

    /// Runs tests, which share recipe and engine, once. Where one takes its JVM down, the others go on in
    /// a new one.
    pub(super) fn run(
        &mut self,
        tests: &[usize],
        mutant: Option<u32>,
        attention: Attention,
    ) -> Result<HashMap<usize, Shown>, JvmError> {
        let mut shown: HashMap<usize, Shown> = HashMap::new();
        let mut batches: VecDeque<Vec<usize>> = VecDeque::new();
        batches.extend((!tests.is_empty()).then(|| tests.to_vec()));
        let mut lost = 0;
        while let Some(batch) = batches.pop_front() {
            let end = self.run_batch(&batch, mutant, attention, &mut shown)?;
            let BatchEnd::Lost {
                rest,
                culprits_known,
                ..
            } = end
            else {
                continue;
            };
            lost += 1;
            if lost > MOST_LOST {
                break;
            }
            let is_left = |test: &usize| {
                let id = &self.room.tests[*test].id;
                rest.iter().any(|(left, _)| left == id)
            };
            let rest: Vec<usize> = batch.iter().copied().filter(is_left).collect();
            match culprits_known {
                true if rest.is_empty() => {}
                true => batches.push_front(rest),
                // Each may be the one to blame. One that was alone is.
                false if batch.len() == 1 => {}
                false => rest
                    .into_iter()
                    .rev()
                    .for_each(|test| batches.push_front(vec![test])),
            }
        }
        Ok(shown)
    }

    fn run_batch(
        &mut self,
        tests: &[usize],
        mutant: Option<u32>,
        attention: Attention,
        shown: &mut HashMap<usize, Shown>,
    ) -> Result<BatchEnd, JvmError> {
        let room = self.room;
        let first = &room.tests[tests[0]];
        let warm = match &mut self.worker {
            Some(warm) if std::ptr::eq(warm.recipe, first.recipe) => warm,
            place => {
                *place = None;
                let jvm = room.jvms.start(first.recipe, &first.engine)?;
                place.insert(Warm::new(jvm, first.recipe))
            }
        };
        let places: HashMap<&TestId, usize> = tests
            .iter()
            .map(|test| (&room.tests[*test].id, *test))
            .collect();
        let index_of = |id: &TestId| places.get(id).copied();
        let limit = |micros| LEAST_TIME + Duration::from_micros(micros).saturating_mul(TIME_SLACK);
        let limits = tests
            .iter()
            .map(|test| &room.tests[*test])
            .map(|test| (test.id.clone(), limit(test.micros)))
            .collect();
        let left_out = &mut self.left_out;
        let crowded = &mut self.crowded;
        let calling = &mut self.calling;
        let mut runs: HashMap<usize, Runs> = HashMap::new();
        let initialising = match mutant {
            Some(_) => &mut warm.initialising_mutants,
            None => &mut warm.initialising,
        };
        warm.has_seen_mutants |= mutant.is_some();
        let depth = room.depth;
        let batch = Batch {
            engine: &first.engine,
            tests: limits,
            mutant,
            attention: Attention { depth, ..attention },
            cancelled: room.cancelled,
        };
        let end = warm.jvm.run(batch, &mut |event| match event {
            BatchEvent::Finished(one) => {
                if let Some(test) = index_of(&one.id) {
                    shown.entry(test).or_default().outcome = one.outcome;
                }
            }
            BatchEvent::Seen { id, sightings } => {
                if let Some(test) = index_of(&id) {
                    let one = Shown::read(sightings, attention);
                    crowded.extend(one.crowded_calls().map(|number| (test, number)));
                    let called = one.calls.iter().filter(|seen| seen.count > 0);
                    calling.extend(called.map(|seen| (test, seen.number)));
                    shown.insert(test, one);
                }
            }
            BatchEvent::LeftOut {
                class,
                method,
                reason,
            } => {
                left_out.insert(LeftOut {
                    class,
                    method,
                    reason,
                });
            }
            BatchEvent::Worked(worked) => {
                initialising.extend(&worked.initialising);
                if let Some(test) = index_of(&worked.id) {
                    // What ran after the last test comes as well, and is not its own.
                    runs.entry(test).or_insert(worked.runs);
                }
            }
            BatchEvent::FailedAfterwards { .. } | BatchEvent::Trouble(_) => {}
        });
        for (test, runs) in runs {
            if mutant.is_none() {
                warm.first.entry(test).or_insert_with(|| runs.clone());
            }
            if let Some(one) = shown.get_mut(&test) {
                one.runs = runs.clone();
            }
            warm.last.insert(test, runs);
        }
        if end != BatchEnd::Done {
            self.worker = None;
        }
        Ok(end)
    }

    /// Runs tests, those that are lost with their JVM once more in another. One that is lost again is left
    /// out of what is asked from now on, and that is said.
    pub(super) fn run_or_leave_out(
        &mut self,
        tests: &mut Vec<usize>,
        mutant: Option<u32>,
        attention: Attention,
        caveats: &mut Vec<String>,
    ) -> Result<HashMap<usize, Shown>, JvmError> {
        let mut shown = self.run(tests, mutant, attention)?;
        let is_lost = |shown: &HashMap<usize, Shown>, test: &usize| {
            !shown.get(test).is_some_and(Shown::is_whole)
        };
        let lost = tests.iter().copied();
        let lost: Vec<usize> = lost.filter(|test| is_lost(&shown, test)).collect();
        if lost.is_empty() || self.room.is_cancelled() {
            return Ok(shown);
        }
        self.worker = None;
        shown.extend(self.run(&lost, mutant, attention)?);
        for test in lost {
            if !is_lost(&shown, &test) {
                continue;
            }
            shown.remove(&test);
            tests.retain(|other| *other != test);
            let id = &self.room.tests[test].id;
            let with = mutant.map_or("", |_| " with the mutant on");
            caveats.push(format!(
                "`{id}` does not come to an end while it is watched{with}, and was left out"
            ));
        }
        Ok(shown)
    }
}
