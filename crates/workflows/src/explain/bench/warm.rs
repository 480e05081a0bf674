//! The worker that tests are run in, and what has happened in it: a warm JVM remembers, and some of that
//! hides a mutant.
//!
//! Tests are run here, once, with one mutant on or none. What they show is handed on, not judged.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use jury_jvm::{Attention, BatchEnd, BatchEvent, JvmError, Runs, Worker};
use jury_model::{Recipe, TestId};

use super::shown::Shown;
use super::{Bench, Room};
use crate::explain::survivors::Survivor;
use crate::mutate::lab::run_as_at_first;

/// Observed tests are slow; this is for tests that wait for ever.
const LEAST_TIME: Duration = Duration::from_secs(60);
const TIME_SLACK: u32 = 100;

/// A worker, and what ran in it so far.
pub(super) struct Warm<'a> {
    worker: Worker,
    recipe: &'a Recipe,
    /// What each test made run when it first did so without a mutant, and the last time.
    first: HashMap<usize, Runs>,
    last: HashMap<usize, Runs>,
    /// What ran while a class was initialised, without a mutant and with one.
    initialising: HashSet<u32>,
    pub initialising_mutants: HashSet<u32>,
    /// Digests that tests showed here without a mutant, after one had been on; it may have left something
    /// behind, so that they count in this JVM only.
    pub shown: HashMap<(usize, Option<u32>), Vec<u64>>,
    pub has_seen_mutants: bool,
}

impl<'a> Warm<'a> {
    fn start(recipe: &'a Recipe, room: &Room<'_>) -> Result<Self, JvmError> {
        Ok(Warm {
            worker: Worker::start(recipe, room.installation, room.plan)?,
            recipe,
            first: HashMap::new(),
            last: HashMap::new(),
            initialising: HashSet::new(),
            initialising_mutants: HashSet::new(),
            shown: HashMap::new(),
            has_seen_mutants: false,
        })
    }

    /// Whether something may be left of the original that keeps tests from showing a mutant, such as
    /// a cache. That is judged as in a trial, whose survivors these are.
    pub fn may_hide(&self, mutant: &Survivor<'_>) -> bool {
        let initialising = [&self.initialising, &self.initialising_mutants];
        (initialising.iter()).any(|ran| ran.contains(&mutant.probe))
            || !run_as_at_first(mutant.probe, &mutant.tests, &self.first, &self.last)
    }
}

impl<'a> Bench<'a> {
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

    /// Runs tests, which share recipe and engine, once.
    pub(super) fn run(
        &mut self,
        tests: &[usize],
        mutant: Option<u32>,
        attention: Attention,
    ) -> Result<HashMap<usize, Shown>, JvmError> {
        let mut shown: HashMap<usize, Shown> = HashMap::new();
        let Some(first) = tests.first() else {
            return Ok(shown);
        };
        let room = self.room;
        let recipe = room.tests[*first].recipe;
        let warm = match &mut self.worker {
            Some(warm) if std::ptr::eq(warm.recipe, recipe) => warm,
            place => {
                *place = None;
                place.insert(Warm::start(recipe, room)?)
            }
        };
        let index_of = |id: &TestId| tests.iter().copied().find(|t| room.tests[*t].id == *id);
        let limit = |micros| LEAST_TIME + Duration::from_micros(micros).saturating_mul(TIME_SLACK);
        let limits = tests
            .iter()
            .map(|test| &room.tests[*test])
            .map(|test| (test.id.clone(), limit(test.micros)))
            .collect();
        let left_out = &mut self.left_out;
        let mut runs: HashMap<usize, Runs> = HashMap::new();
        let initialising = match mutant {
            Some(_) => &mut warm.initialising_mutants,
            None => &mut warm.initialising,
        };
        warm.has_seen_mutants |= mutant.is_some();
        let worker = &mut warm.worker;
        let ready = worker.switch(mutant).and_then(|()| {
            let depth = room.depth;
            worker.attend(Attention { depth, ..attention })
        });
        let end = ready.ok().map(|()| {
            let engine = &room.tests[*first].engine;
            worker.run(engine, limits, room.cancelled, |event| match event {
                BatchEvent::Finished(one) => {
                    if let Some(test) = index_of(&one.id) {
                        shown.entry(test).or_default().outcome = one.outcome;
                    }
                }
                BatchEvent::Seen { id, sightings } => {
                    if let Some(test) = index_of(&id) {
                        shown.insert(test, Shown::read(sightings, attention));
                    }
                }
                BatchEvent::LeftOut {
                    class,
                    method,
                    reason,
                } => {
                    left_out.insert(format!("{class} {method}"), reason);
                }
                BatchEvent::Worked(worked) => {
                    initialising.extend(&worked.initialising);
                    if let Some(test) = index_of(&worked.id) {
                        // What ran after the last test comes as well, and is not its own.
                        runs.entry(test).or_insert(worked.runs);
                    }
                }
                BatchEvent::FailedAfterwards { .. } | BatchEvent::Trouble(_) => {}
            })
        });
        for (test, runs) in runs {
            if mutant.is_none() {
                warm.first.entry(test).or_insert_with(|| runs.clone());
            }
            warm.last.insert(test, runs);
        }
        if end != Some(BatchEnd::Done) {
            self.worker = None;
        }
        Ok(shown)
    }
}
