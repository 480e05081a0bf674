//! Looks at a mutant in fresh JVMs, in which it is on from the start: a warm one may hide it, because of
//! what the original has left behind there.
//!
//! Starting JVMs takes longest, so that few tests are asked, and calls and test code at once. No JVM ever
//! runs both versions.

use std::collections::{HashMap, HashSet};

use jury_explain::{Difference, Place, Stable, differences};
use jury_jvm::{Attention, JvmError};

use super::Bench;
use super::comparison::{Differing, RUNS_IF_STABLE};
use super::evidence::{Evidence, Known};
use super::shown::{VALUES, aspect};
use crate::explain::Stage;
use crate::mutate::lab::{LabTest, rounds_from};

/// Tests that are asked again in a fresh JVM before a mutant is said to infect nothing.
pub(super) const TESTS_CONFIRMED: usize = 10;

/// What fresh JVMs showed of a mutant, calls and test code at once.
pub(super) struct Fresh {
    pub tests: Vec<usize>,
    pub infected: Vec<Differing>,
    pub exposed: Vec<Differing>,
}

impl Fresh {
    fn of(tests: Vec<usize>, found: Vec<Differing>) -> Self {
        let (mut infected, mut exposed) = (Vec::new(), Vec::new());
        for one in found {
            let (values, calls): (Vec<_>, Vec<_>) = one
                .differences
                .into_iter()
                .partition(|each| matches!(each.property.place, Place::Value { .. }));
            for (differences, all) in [(calls, &mut infected), (values, &mut exposed)] {
                if !differences.is_empty() {
                    all.push(Differing {
                        test: one.test,
                        differences,
                        steady: one.steady.clone(),
                        calls: one.calls,
                        given: one.given.clone(),
                        stack: one.stack.clone(),
                    });
                }
            }
        }
        Fresh {
            tests,
            infected,
            exposed,
        }
    }
}

impl Bench<'_> {
    /// Looks once more, in a JVM where the mutant is on from the start. None if it infects nothing there,
    /// either.
    pub(super) fn confirm(
        &mut self,
        tests: &[usize],
        attention: Attention,
        evidence: &mut Evidence<'_>,
        known: &Known,
    ) -> Result<Option<Fresh>, JvmError> {
        let nearest = &tests[..tests.len().min(TESTS_CONFIRMED)];
        for round in rounds_in_fresh_jvms(self.room.tests, nearest) {
            self.learn(&round)?;
        }
        self.aside(|bench| bench.look_afresh(tests, attention, evidence, known))
    }

    /// Through the nearest tests, and through those that reach the method, but did not call it in a warm
    /// JVM.
    fn look_afresh(
        &mut self,
        tests: &[usize],
        attention: Attention,
        evidence: &mut Evidence<'_>,
        known: &Known,
    ) -> Result<Option<Fresh>, JvmError> {
        let switch = evidence.survivor.switch;
        let (nearest, others) = tests.split_at(tests.len().min(TESTS_CONFIRMED));
        let number = aspect(attention).unwrap_or_default();
        let silent = others
            .iter()
            .filter(|test| self.calls_nothing(**test, number, known));
        let asked: Vec<usize> = nearest.iter().chain(silent).copied().collect();
        let mut suspects = Vec::new();
        for round in rounds_in_fresh_jvms(self.room.tests, &asked) {
            let found = self.suspects(&round, switch, attention, &mut Vec::new())?;
            let found = found.into_iter().map(|one| one.test);
            suspects.extend(found.filter(|test| {
                self.survey.has(*test) || known.calls.get(test).is_some_and(|one| one.passes)
            }));
        }
        // Starting JVMs takes longest, so that tests are looked into on the same occasion.
        let attention = Attention {
            values: self.room.stage != Stage::Infection,
            stack_of: Some(0),
            ..attention
        };
        for round in rounds_in_fresh_jvms(self.room.tests, &suspects) {
            let found = self.compare_fresh(&round, switch, attention, &mut evidence.caveats)?;
            let fresh = Fresh::of(round, found);
            if !fresh.infected.is_empty() {
                return Ok(Some(fresh));
            }
        }
        Ok(None)
    }

    /// The tests of a round that show something else with the mutant on, each version in JVMs that
    /// never ran the other one.
    fn compare_fresh(
        &mut self,
        round: &[usize],
        switch: u32,
        attention: Attention,
        caveats: &mut Vec<String>,
    ) -> Result<Vec<Differing>, JvmError> {
        let mut originals: HashMap<usize, Stable> = HashMap::new();
        let mut mutants: HashMap<usize, Stable> = HashMap::new();
        let mut stacks: HashMap<usize, String> = HashMap::new();
        let mut open = round.to_vec();
        for _ in 0..self.room.runs.min(RUNS_IF_STABLE) {
            for (state, seen) in [(None, &mut originals), (Some(switch), &mut mutants)] {
                self.worker = None;
                let shown = self.run_or_leave_out(&mut open, state, attention, caveats)?;
                for (test, one) in shown {
                    if let Some(stack) = one.stack.filter(|_| state.is_some()) {
                        stacks.entry(test).or_insert(stack);
                    }
                    seen.entry(test).or_default().add(one.observed);
                }
            }
            open.retain(|test| {
                let both = originals.get(test).zip(mutants.get(test));
                self.compared.extend(both.map(|_| *test));
                both.is_some_and(|(one, other)| !differences(one, other).is_empty())
            });
            if open.is_empty() || self.room.is_cancelled() {
                break;
            }
        }
        let differing: Vec<Differing> = open
            .into_iter()
            .map(|test| Differing {
                stack: stacks.remove(&test),
                ..Differing::between(test, &originals[&test], &mutants[&test])
            })
            .collect();
        self.insist_afresh(differing, switch, attention, caveats)
    }

    /// Looks at test code that differs as often as was asked for, each version in a JVM of its own that
    /// never runs the other. Calls are left alone: some are made but once in a JVM.
    fn insist_afresh(
        &mut self,
        mut found: Vec<Differing>,
        switch: u32,
        attention: Attention,
        caveats: &mut Vec<String>,
    ) -> Result<Vec<Differing>, JvmError> {
        let mut methods = HashSet::new();
        let tests: Vec<usize> = found
            .iter()
            .map(|each| each.test)
            .filter(|test| methods.insert(&self.room.tests[*test].method))
            .take(TESTS_CONFIRMED)
            .collect();
        if attention.values && !tests.is_empty() {
            // The worker has run nothing but the mutant so far.
            let mutants = self.run_again(&tests, Some(switch), caveats)?;
            self.worker = None;
            let originals = self.run_again(&tests, None, caveats)?;
            for Differing {
                test, differences, ..
            } in &mut found
            {
                match originals.get(test).zip(mutants.get(test)) {
                    Some((original, mutant)) => {
                        differences.retain(|one| is_call(one) || one.is_between(original, mutant))
                    }
                    None => differences.retain(is_call),
                }
            }
        }
        found.retain(|each| !each.differences.is_empty());
        Ok(found)
    }

    /// What the code of tests shows in all of many runs of one version.
    fn run_again(
        &mut self,
        tests: &[usize],
        mutant: Option<u32>,
        caveats: &mut Vec<String>,
    ) -> Result<HashMap<usize, Stable>, JvmError> {
        let mut tests = tests.to_vec();
        let mut seen: HashMap<usize, Stable> = HashMap::new();
        for _ in 0..self.room.runs {
            if self.room.is_cancelled() {
                break;
            }
            let shown = self.run_or_leave_out(&mut tests, mutant, VALUES, caveats)?;
            for (test, one) in shown {
                seen.entry(test).or_default().add(one.observed);
            }
        }
        // What was lost once has not shown the same each time.
        seen.retain(|test, _| tests.contains(test));
        Ok(seen)
    }

    /// Finds tests in whose code something differs, in JVMs that never run both versions. One of them, with
    /// the mutant on from the start, tells which tests are worth more.
    pub(super) fn look_into_tests_afresh(
        &mut self,
        order: &[usize],
        evidence: &mut Evidence<'_>,
    ) -> Result<(), JvmError> {
        let switch = evidence.survivor.switch;
        let (mut mutated, mut pristine) = (None, None);
        for round in rounds_in_fresh_jvms(self.room.tests, order) {
            if self.is_enough(&evidence.exposed) {
                break;
            }
            let caveats = &mut evidence.caveats;
            self.learn(&round)?;
            let mut suspects = self.within(&mut mutated, |bench| {
                bench.suspects(&round, switch, VALUES, caveats)
            })?;
            // Most of them only show what any JVM shows that is not warm yet.
            self.within(&mut pristine, |bench| {
                bench.still_suspicious(&mut suspects, VALUES)
            })?;
            let suspects = suspects.into_iter().map(|one| one.test);
            let suspects: Vec<usize> = suspects.collect();
            for few in rounds_in_fresh_jvms(self.room.tests, &suspects) {
                if self.is_enough(&evidence.exposed) {
                    break;
                }
                let caveats = &mut evidence.caveats;
                let found =
                    self.aside(|bench| bench.compare_fresh(&few, switch, VALUES, caveats))?;
                evidence.exposed.extend(found);
            }
        }
        Ok(())
    }
}

fn is_call(difference: &Difference) -> bool {
    matches!(difference.property.place, Place::Call(_))
}

/// A few tests more cost less than another JVM.
fn rounds_in_fresh_jvms(tests: &[LabTest<'_>], order: &[usize]) -> Vec<Vec<usize>> {
    rounds_from(TESTS_CONFIRMED, tests, order)
}
