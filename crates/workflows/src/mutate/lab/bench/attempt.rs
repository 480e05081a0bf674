//! Tries mutants in a warm worker, a sitting at a time.
//!
//! What is found there is open: it becomes final elsewhere, when the worker has shown that it is as it was
//! before (`settling`), or in a JVM of its own (`alone`).

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use jury_jvm::JvmError;

use super::super::hearing::rounds;
use super::super::sitting::{OpenVerdict, Sitting};
use super::super::{Baseline, Fate, Tell, Trial, lock};
use super::{Bench, FRESH_JVM, conclude, unreliable};

/// One attempt at a mutant in a warm worker.
enum Attempt {
    /// The worker went with it, or there is nothing to find out.
    Done(Fate),
    /// Stands if the tests that noticed something pass again.
    Open {
        fate: Fate,
        by: Option<usize>,
    },
    /// All tests passed, but what the original left behind in this JVM may be the reason; or something
    /// happened beside them.
    Doubtful,
    /// The worker is gone, and this test would be to blame if nothing had happened there before.
    Lost {
        by: usize,
    },
    /// These tests should pass without a mutant and do not: some mutant of this worker has left its
    /// mark.
    Spoilt {
        failing: Vec<usize>,
    },
    /// Its mutant took part in initialising a class, which will stay as it is.
    Initialised,
    Cancelled,
}

impl Bench<'_> {
    /// Takes sittings until there are none left.
    pub fn try_all(
        &mut self,
        sittings: &Mutex<VecDeque<Vec<Trial>>>,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<(), JvmError> {
        while !self.cancelled() {
            let Some(trials) = self.choose(&mut lock(sittings)) else {
                break;
            };
            self.sit(&mut Sitting::of(&trials), baselines, tell)?;
            // Nothing is open now, so that a worker may go.
            let look = self
                .worker
                .as_mut()
                .and_then(|warm| warm.worker.is_restless());
            if self.patience.is_over(look) {
                self.worker = None;
            }
        }
        Ok(())
    }

    /// The first sitting whose first test has been proven here, or else the first.
    pub(super) fn choose(&self, sittings: &mut VecDeque<Vec<Trial>>) -> Option<Vec<Trial>> {
        let proven = |test: &usize| {
            let warm = self.worker.as_ref();
            warm.is_some_and(|warm| warm.proven.contains_key(test))
        };
        let at_home = |trials: &Vec<Trial>| trials[0].tests.first().is_some_and(proven);
        let place = sittings.iter().position(at_home).unwrap_or(0);
        sittings.remove(place)
    }

    /// Tries mutants one after the other. Their verdicts stay open until the worker has shown that
    /// it is as it was before.
    fn sit(
        &mut self,
        sitting: &mut Sitting<'_>,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<(), JvmError> {
        while !self.cancelled() {
            let Some(trial) = sitting.next() else {
                if sitting.open.is_empty() {
                    break;
                }
                self.settle(sitting, baselines, tell)?;
                continue;
            };
            match self.attempt(trial, sitting, baselines, tell)? {
                Attempt::Cancelled => break,
                Attempt::Done(fate) => {
                    conclude(trial, fate, tell);
                    if self.worker.is_none() {
                        // Nobody can say any more whether the open ones stand.
                        sitting.start_over();
                    }
                }
                Attempt::Open { fate, by } => {
                    let verdict = OpenVerdict { trial, fate, by };
                    if sitting.is_careful() {
                        self.settle_at_once(verdict, sitting, baselines, tell)?;
                    } else {
                        sitting.add(verdict);
                    }
                }
                Attempt::Doubtful => {
                    self.put_aside(trial);
                    if self.worker.is_none() {
                        sitting.start_over();
                    }
                }
                Attempt::Lost { by } => {
                    sitting.start_over();
                    self.find_unrepeatable(&[by], baselines, tell)?;
                    self.ask_anew(trial, by, baselines, tell)?;
                }
                Attempt::Initialised => {
                    self.settle(sitting, baselines, tell)?;
                    self.worker = None;
                    self.put_aside(trial);
                }
                Attempt::Spoilt { .. } if sitting.is_careful() => {
                    self.worker = None;
                    self.put_aside(trial);
                }
                Attempt::Spoilt { failing } => {
                    self.worker = None;
                    sitting.start_over();
                    sitting.put_off(trial);
                    sitting.watch(failing);
                }
            }
        }
        Ok(())
    }

    fn attempt(
        &mut self,
        trial: &Trial,
        sitting: &mut Sitting<'_>,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<Attempt, JvmError> {
        let mut order = sitting.order(trial);
        order.retain(|test| !self.unrepeatable.contains(test));
        let mut doubtful = self.lab.confirm || order.len() < trial.tests.len();
        if trial.initialises {
            // Only those that call it can notice it here.
            order.retain(|test| calls(&baselines[*test], trial.probe));
            doubtful = true;
        }
        let mut taken = Duration::ZERO;
        let mut hidden = false;
        for round in rounds(self.lab.tests, &order) {
            // It is going to be tried alone anyway, unless it is noticed soon.
            if (doubtful || hidden) && taken > FRESH_JVM {
                break;
            }
            taken += self.lab.time_of(&round);
            let recipe = self.lab.tests[round[0]].recipe;
            if !self.has_worker_of(recipe) {
                // Their worker goes, and with it the chance to ask again.
                self.settle(sitting, baselines, tell)?;
            }
            self.prepare(recipe)?;
            // Asked first: tests that do not pass may take the worker with them.
            let was_used = self.worker.as_ref().is_some_and(|warm| warm.is_used);
            let failing = self.prove(&round, baselines, tell);
            if !failing.is_empty() {
                if self.cancelled() {
                    return Ok(Attempt::Cancelled);
                }
                if was_used {
                    return Ok(Attempt::Spoilt { failing });
                }
                self.worker = None;
                return Ok(Attempt::Done(unreliable()));
            }
            let mut was_new = false;
            if let Some(warm) = &mut self.worker {
                was_new = !was_used && warm.proven.len() == 1;
                warm.is_used = true;
            }
            let heard = self.ask(&round, Some(trial), baselines, tell);
            if self.cancelled() {
                return Ok(Attempt::Cancelled);
            }
            let found = heard.fate();
            if heard.lost {
                self.worker = None;
                return Ok(match found {
                    // The test alone has been here, and does not do so by itself.
                    Some((fate, by)) if was_new && self.repeatable.contains(&by) => {
                        Attempt::Done(fate)
                    }
                    Some((_, by)) => Attempt::Lost { by },
                    None => Attempt::Doubtful,
                });
            }
            if heard.initialised {
                return Ok(Attempt::Initialised);
            }
            if let Some((fate, by)) = found {
                return Ok(Attempt::Open { fate, by: Some(by) });
            }
            hidden = hidden
                || !heard.afterwards.is_empty()
                || !doubtful && self.may_hide(trial, &round, &heard, baselines, tell);
            if self.cancelled() {
                return Ok(Attempt::Cancelled);
            }
        }
        Ok(if doubtful || hidden {
            Attempt::Doubtful
        } else {
            Attempt::Open {
                fate: Fate::Survived,
                by: None,
            }
        })
    }
}

/// Whether a test runs a probe otherwise than by initialising a class.
fn calls(baseline: &Baseline, probe: u32) -> bool {
    baseline.hits.contains(&probe) && !baseline.initialising.contains(&probe)
}
