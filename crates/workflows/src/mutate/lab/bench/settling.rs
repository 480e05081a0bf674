//! Makes open verdicts final, if the worker they were given in has not been spoilt by a mutant.
//!
//! No verdict is taken on trust: where a test does not pass again without the mutants, they wait for
//! another turn, are shown to it anew, or are tried alone.

use std::mem;

use jury_jvm::JvmError;

use super::super::sitting::{OpenVerdict, Sitting};
use super::super::{Baseline, Tell, Trial};
use super::{Bench, conclude};

impl Bench<'_> {
    /// Makes open verdicts final if every test that noticed something passes with all mutants off.
    /// Otherwise the worker is spoilt, and all of them wait for another turn, in which each mutant is
    /// watched closely.
    pub(super) fn settle(
        &mut self,
        sitting: &mut Sitting<'_>,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<(), JvmError> {
        let killers = sitting.open_killers();
        let passed = self.pass(&killers, baselines, tell);
        if self.cancelled() {
            return Ok(());
        }
        let failing: Vec<usize> = (killers.into_iter())
            .filter(|killer| !passed.contains_key(killer))
            .collect();
        if failing.is_empty() {
            for verdict in mem::take(&mut sitting.open) {
                conclude(verdict.trial, verdict.fate, tell);
            }
            return Ok(());
        }
        self.worker = None;
        self.find_unrepeatable(&failing, baselines, tell)?;
        sitting.start_over();
        sitting.watch(failing);
        Ok(())
    }

    /// Makes one verdict final, and finds out whether its mutant has spoilt the worker: those of the
    /// sitting that were tried before it have not.
    pub(super) fn settle_at_once<'t>(
        &mut self,
        verdict: OpenVerdict<'t>,
        sitting: &mut Sitting<'t>,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<(), JvmError> {
        let OpenVerdict { trial, fate, by } = verdict;
        let mut tests = sitting.watched(by);
        tests.retain(|test| {
            let is_here = self.has_worker_of(self.lab.tests[*test].recipe);
            is_here && !self.unrepeatable.contains(test)
        });
        let passed = self.pass(&tests, baselines, tell);
        if self.cancelled() {
            return Ok(());
        }
        if passed.len() < tests.len() {
            self.worker = None;
        }
        match by.filter(|by| !passed.contains_key(by)) {
            // Perhaps it would have failed without the mutant, too.
            Some(by) => {
                sitting.watch([by]);
                self.find_unrepeatable(&[by], baselines, tell)?;
                self.ask_anew(trial, by, baselines, tell)
            }
            None => {
                conclude(trial, fate, tell);
                Ok(())
            }
        }
    }

    /// Has a test that noticed a mutant look at it again, as the first mutant of a worker. If it does
    /// not notice it there, some other mutant was to blame, and this one is tried alone.
    pub(super) fn ask_anew(
        &mut self,
        trial: &Trial,
        by: usize,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<(), JvmError> {
        if self.unrepeatable.contains(&by) {
            self.put_aside(trial);
            return Ok(());
        }
        if self.worker.as_ref().is_some_and(|warm| warm.is_used) {
            self.worker = None;
        }
        self.prepare(self.lab.tests[by].recipe)?;
        let mut fate = None;
        if self.prove(&[by], baselines, tell).is_empty() {
            let heard = self.ask(&[by], Some(trial), baselines, tell);
            fate = heard.fate();
            // Most of those that come here have spoilt a worker before.
            if heard.lost || !self.pass(&[by], baselines, tell).contains_key(&by) {
                self.worker = None;
            } else if let Some(warm) = &mut self.worker {
                warm.is_used = true;
            }
        } else {
            self.worker = None;
        }
        match fate {
            _ if self.cancelled() => {}
            Some((fate, _)) => conclude(trial, fate, tell),
            None => self.put_aside(trial),
        }
        Ok(())
    }

    /// Finds out which tests, all of one recipe, fail by themselves when they are run twice.
    pub(super) fn find_unrepeatable(
        &mut self,
        tests: &[usize],
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<(), JvmError> {
        let unknown = |test: &usize| !self.repeatable.contains(test);
        let tests: Vec<usize> = tests.iter().copied().filter(unknown).collect();
        let Some(first) = tests.first() else {
            return Ok(());
        };
        self.prepare(self.lab.tests[*first].recipe)?;
        let first = self.pass(&tests, baselines, tell);
        let second = self.pass(&tests, baselines, tell);
        if self.cancelled() {
            return Ok(());
        }
        let (twice, not): (Vec<usize>, Vec<usize>) = (tests.into_iter())
            .partition(|test| first.contains_key(test) && second.contains_key(test));
        if !not.is_empty() {
            self.worker = None;
        }
        self.repeatable.extend(twice);
        self.unrepeatable.extend(not);
        Ok(())
    }
}
