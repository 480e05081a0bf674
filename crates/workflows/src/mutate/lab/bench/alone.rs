//! Tries mutants alone, each in a JVM that has never run anything without it.
//!
//! Only what a warm worker cannot tell comes here: every mutant costs a JVM, and those that are noticed
//! another one, in which the tests must pass without it.

use std::collections::VecDeque;
use std::sync::Mutex;

use jury_jvm::JvmError;

use super::super::hearing::{Heard, rounds};
use super::super::{Baseline, Fate, Tell, Trial, lock};
use super::{Bench, FRESH_JVM, conclude, unreliable};

impl Bench<'_> {
    /// Leaves a mutant for later, when it is tried alone.
    pub(super) fn put_aside(&self, trial: &Trial) {
        lock(self.solitary).push(trial.clone());
    }

    /// Tries mutants, each in a JVM of its own that has never run anything without it.
    pub fn try_each_alone(
        &mut self,
        trials: &Mutex<VecDeque<Trial>>,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<(), JvmError> {
        while !self.cancelled() {
            let Some(trial) = lock(trials).pop_front() else {
                break;
            };
            self.worker = None;
            let fate = self.fate_alone(&trial, baselines, tell)?;
            if !self.cancelled() {
                conclude(&trial, fate, tell);
            }
        }
        Ok(())
    }

    fn fate_alone(
        &mut self,
        trial: &Trial,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<Fate, JvmError> {
        let rounds = rounds(self.lab.tests, &trial.tests);
        for (number, round) in rounds.iter().enumerate() {
            self.prepare(self.lab.tests[round[0]].recipe)?;
            let heard = self.ask(round, Some(trial), baselines, tell);
            let by_a_test = heard.fate();
            let is_outside = by_a_test.is_none();
            let Some((fate, by)) = by_a_test.or_else(|| heard.fate_outside(round)) else {
                continue;
            };
            self.worker = None;
            let before = rounds[..number].iter().flatten().copied();
            let before: Vec<usize> = before.collect();
            if !is_outside
                && self.lab.time_of(&before) > FRESH_JVM
                && self.passes_first(by, baselines, tell)?
                && let Some(fate) = self.fate_by(by, trial, baselines, tell)?
            {
                return Ok(fate);
            }
            // All of it without the mutant: a test may need what others do before it.
            let mut control = Heard::nothing();
            for round in &rounds[..=number] {
                self.prepare(self.lab.tests[round[0]].recipe)?;
                control = self.ask(round, None, baselines, tell);
                if control.lost {
                    self.worker = None;
                }
            }
            let broken = heard.lost || control.lost;
            let stands = match is_outside {
                true => control.fate_outside(round).is_none(),
                false => control.passed().contains_key(&by),
            };
            if stands {
                return Ok(fate);
            }
            if !is_outside || broken {
                return Ok(unreliable());
            }
            // The class fails in the end, with the mutant or without; others may still notice it.
            self.worker = None;
        }
        Ok(Fate::Survived)
    }

    /// Whether a test passes as the first one of a JVM, without a mutant.
    fn passes_first(
        &mut self,
        test: usize,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<bool, JvmError> {
        if let Some(passes) = self.passes_first.get(&test) {
            return Ok(*passes);
        }
        self.prepare(self.lab.tests[test].recipe)?;
        let passes = self.pass(&[test], baselines, tell).contains_key(&test);
        self.worker = None;
        if !self.cancelled() {
            self.passes_first.insert(test, passes);
        }
        Ok(passes)
    }

    /// What a test makes of a mutant as the first one of a JVM, if it notices it at all.
    fn fate_by(
        &mut self,
        test: usize,
        trial: &Trial,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<Option<Fate>, JvmError> {
        self.prepare(self.lab.tests[test].recipe)?;
        let heard = self.ask(&[test], Some(trial), baselines, tell);
        self.worker = None;
        Ok(heard.fate().map(|(fate, _)| fate))
    }
}
