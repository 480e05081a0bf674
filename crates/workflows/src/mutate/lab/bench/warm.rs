//! The worker of a bench, and what has happened in it: tests are asked here, with one mutant on or none.
//!
//! Whether a warm JVM can be trusted is told from what ran in it. What becomes of a mutant is not decided
//! here.

use std::collections::{HashMap, HashSet};

use jury_jvm::{BatchEnd, BatchEvent, JvmError, Runs, Worker};
use jury_model::{Outcome, Recipe, TestId};

use super::super::hearing::{Heard, not_as_at_first, together};
use super::super::{Baseline, Lab, LabEvent, Tell, Trial};
use super::Bench;

/// Work beyond this multiple of the baseline, and beyond this amount, is an endless loop.
pub(super) const WORK_SLACK: u64 = 10;
pub(super) const LEAST_WORK: u64 = 1_000_000;

/// A worker and what has happened in it.
pub(super) struct Warm<'a> {
    pub worker: Worker,
    recipe: &'a Recipe,
    /// Tests that passed here without a mutant, with what ran the first time.
    pub proven: HashMap<usize, Runs>,
    /// What ran when tests were asked again without a mutant, because something was odd.
    again: HashMap<usize, Runs>,
    /// Methods and blocks that ran here while a class was initialised.
    pub initialising: HashSet<u32>,
    /// Whether any mutant was on in this worker.
    pub is_used: bool,
}

impl<'a> Bench<'a> {
    pub(super) fn has_worker_of(&self, recipe: &Recipe) -> bool {
        let warm = self.worker.as_ref();
        warm.is_some_and(|warm| std::ptr::eq(warm.recipe, recipe))
    }

    /// Makes sure that the bench has a worker of this recipe.
    pub(super) fn prepare(&mut self, recipe: &'a Recipe) -> Result<(), JvmError> {
        if self.has_worker_of(recipe) {
            return Ok(());
        }
        self.worker = None;
        let early = self.lab.early.take(recipe);
        let worker = early.unwrap_or_else(|| {
            let Lab {
                installation, plan, ..
            } = self.lab;
            Worker::start(recipe, installation, plan)
        })?;
        self.worker = Some(Warm {
            worker,
            recipe,
            proven: HashMap::new(),
            again: HashMap::new(),
            initialising: HashSet::new(),
            is_used: false,
        });
        Ok(())
    }

    /// Runs the tests that have not yet passed in this worker without a mutant, and returns those
    /// that do not pass now.
    pub(super) fn prove(
        &mut self,
        tests: &[usize],
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Vec<usize> {
        let Some(warm) = &self.worker else {
            return tests.to_vec();
        };
        let unproven = |test: &usize| !warm.proven.contains_key(test);
        let unproven: Vec<usize> = tests.iter().copied().filter(unproven).collect();
        let passed = self.pass(&unproven, baselines, tell);
        let failed = |test: &usize| !passed.contains_key(test);
        let failing = unproven.into_iter().filter(failed).collect();
        if let Some(warm) = &mut self.worker {
            warm.proven.extend(passed);
        }
        failing
    }

    /// Those of the tests, all of this worker's recipe, that pass without a mutant, and what
    /// they run.
    pub(super) fn pass(
        &mut self,
        tests: &[usize],
        baselines: &[Baseline],
        tell: &Tell,
    ) -> HashMap<usize, Runs> {
        let mut passed = HashMap::new();
        for tests in together(self.lab.tests, tests) {
            let heard = self.ask(tests, None, baselines, tell);
            let lost = heard.lost;
            passed.extend(heard.passed());
            if lost {
                self.worker = None;
                break;
            }
        }
        passed
    }

    /// Runs tests with the trial's mutant on, or with none.
    pub(super) fn ask(
        &mut self,
        tests: &[usize],
        trial: Option<&Trial>,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Heard {
        let limit = trial.map(|_| {
            let work = tests.iter().map(|test| baselines[*test].work).max();
            LEAST_WORK.max(work.unwrap_or(0).saturating_mul(WORK_SLACK))
        });
        // One test that notices a mutant is enough.
        self.hear(tests, trial, limit, trial.is_some(), tell)
    }

    pub(super) fn hear(
        &mut self,
        tests: &[usize],
        trial: Option<&Trial>,
        limit: Option<u64>,
        until_red: bool,
        tell: &Tell,
    ) -> Heard {
        let mut heard = Heard::nothing();
        let lab = self.lab;
        let Some(warm) = &mut self.worker else {
            heard.lost = true;
            return heard;
        };
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
        let initialising = &mut warm.initialising;
        let report = |event| match event {
            BatchEvent::Finished(one) => {
                if let (Some(test), Some(outcome)) = (index_of(&one.id), one.outcome) {
                    heard.ended.push((test, outcome, one.failure));
                }
            }
            BatchEvent::FailedAfterwards { id, failure } => {
                heard
                    .afterwards
                    .extend(index_of(&id).map(|test| (test, failure)));
            }
            BatchEvent::Worked(worked) => {
                heard.initialised |=
                    trial.is_some_and(|trial| worked.initialising.contains(&trial.probe));
                initialising.extend(&worked.initialising);
                if let Some(test) = index_of(&worked.id) {
                    if worked.overran {
                        heard.overran.push(test);
                    }
                    heard.runs.entry(test).or_insert(worked.runs);
                }
            }
            other => pass_on(tell, other),
        };
        let end = match until_red {
            true => (warm.worker).run_until_red(engine, limits, lab.cancelled, report),
            false => warm.worker.run(engine, limits, lab.cancelled, report),
        };
        heard.lost = end != BatchEnd::Done;
        heard.hung = matches!(
            end,
            BatchEnd::Lost {
                how: Outcome::TimedOut,
                ..
            }
        );
        heard
    }

    /// True if the original may have left something behind in this worker that keeps tests from
    /// noticing the trial's mutant.
    pub(super) fn may_hide(
        &mut self,
        trial: &Trial,
        tests: &[usize],
        heard: &Heard,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> bool {
        !(self.hidden_from(trial, tests, heard, baselines, tell)).is_empty()
    }

    /// The tests that it may keep from noticing the mutant.
    pub(super) fn hidden_from(
        &mut self,
        trial: &Trial,
        tests: &[usize],
        heard: &Heard,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Vec<usize> {
        let Some(warm) = &self.worker else {
            return tests.to_vec();
        };
        if warm.initialising.contains(&trial.probe) {
            return tests.to_vec();
        }
        // Either the mutant has them run its method more or less often, or what they left behind
        // has. They would do so without the mutant, too, only in the second case.
        let odd = not_as_at_first(trial.probe, tests, &warm.proven, &heard.runs);
        let unknown = |test: &usize| !warm.again.contains_key(test);
        let unknown: Vec<usize> = odd.iter().copied().filter(unknown).collect();
        let again = self.pass(&unknown, baselines, tell);
        let Some(warm) = &mut self.worker else {
            return tests.to_vec();
        };
        warm.again.extend(again);
        not_as_at_first(trial.probe, &odd, &warm.proven, &warm.again)
    }
}

/// Hands on what is said of the worker rather than of a test.
pub(super) fn pass_on(tell: &Tell, event: BatchEvent) {
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
        BatchEvent::Finished(_)
        | BatchEvent::FailedAfterwards { .. }
        | BatchEvent::Worked(_)
        | BatchEvent::Seen { .. } => return,
    };
    // The receiver lives as long as the scope that all benches run in.
    let _ = tell.send(event);
}
