//! Runs tests without any mutant, to learn what each one runs and how much work it does.
//!
//! What a test that does not pass means for mutants is not decided here.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

use jury_jvm::{BatchEnd, BatchEvent, JvmError, Runs};
use jury_model::{Outcome, TestId};

use super::super::{Baseline, LabEvent, Tell, lock};
use super::Bench;
use super::warm::pass_on;

impl Bench<'_> {
    /// Runs the tests of a bench's share, those of a group together.
    pub fn cover(
        &mut self,
        mut groups: VecDeque<Vec<usize>>,
        baselines: &Mutex<Vec<Baseline>>,
        tell: &Tell,
    ) -> Result<(), JvmError> {
        while !self.cancelled() {
            let Some(tests) = groups.pop_front() else {
                break;
            };
            let Some(first) = tests.first() else { continue };
            let recipe = self.lab.tests[*first].recipe;
            self.prepare(recipe)?;
            let Some(warm) = &mut self.worker else { break };
            let limits = self.lab.with_time_limits(&tests);
            let places: HashMap<&TestId, usize> = (tests.iter())
                .map(|test| (&self.lab.tests[*test].id, *test))
                .collect();
            let index_of = |id: &TestId| places.get(id).copied();
            let engine = &self.lab.tests[*first].engine;
            let mut ended = Vec::new();
            let mut runs: HashMap<usize, Runs> = HashMap::new();
            let initialising = &mut warm.initialising;
            let end = warm
                .worker
                .run(engine, limits, self.lab.cancelled, |event| match event {
                    BatchEvent::Finished(one) => {
                        if let Some(test) = index_of(&one.id) {
                            let mut baselines = lock(baselines);
                            baselines[test].outcome = one.outcome;
                            baselines[test].micros = one.micros;
                            baselines[test].failure = one.failure;
                            if one.outcome == Some(Outcome::Passed) {
                                ended.push(test);
                            }
                            let _ = tell.send(LabEvent::Covered);
                        }
                    }
                    BatchEvent::Worked(worked) => {
                        initialising.extend(&worked.initialising);
                        if let Some(test) = index_of(&worked.id) {
                            let mut baselines = lock(baselines);
                            baselines[test].hits.extend(worked.runs.numbers());
                            baselines[test].initialising.extend(worked.initialising);
                            baselines[test].work = baselines[test].work.max(worked.work);
                            runs.entry(test).or_insert(worked.runs);
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
            for test in ended {
                let runs = runs.remove(&test).unwrap_or_default();
                warm.proven.entry(test).or_insert(runs);
            }
            if let BatchEnd::Lost {
                rest,
                culprits_known,
                ..
            } = end
            {
                self.worker = None;
                let rest: Vec<usize> = rest.iter().filter_map(|(id, _)| index_of(id)).collect();
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
    pub fn cover_again(
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
}
