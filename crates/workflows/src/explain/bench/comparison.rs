//! Compares a mutant with its original in the warm JVM, value by value.
//!
//! Both versions are run once. If nothing differs, nothing ever will, since more runs only take
//! differences away. Otherwise the tests that differ are run again, until both versions have shown
//! the same three times over, or, where something varied, as often as was asked for. What a warm JVM hides
//! is not found here.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jury_explain::{Difference, Place, PropertyName, Stable, differences};
use jury_jvm::{Attention, JvmError};

use super::Bench;
use super::shown::Shown;

/// Runs that agree in everything end the matter.
pub(super) const RUNS_IF_STABLE: usize = 3;

/// A test in which something differs.
pub(in crate::explain) struct Differing {
    pub test: usize,
    pub differences: Vec<Difference>,
    /// What expressions of the test were in the original, where that was the same in all turns.
    pub steady: BTreeMap<Place, Arc<str>>,
    /// How many calls of the method the original was seen to make, if calls were attended to.
    pub calls: usize,
    /// What the first call that differs was given in the original: arguments with a value of their own.
    pub given: Vec<(PropertyName, Arc<str>)>,
    /// Of the first call with the mutant on, if it was asked for.
    pub(super) stack: Option<String>,
}

impl Differing {
    pub(super) fn between(test: usize, original: &Stable, mutant: &Stable) -> Self {
        let differences = differences(original, mutant);
        let first = differences.iter().map(|each| &each.property);
        let first = first.filter(|each| matches!(each.place, Place::Call(_)));
        let first = first.min_by_key(|each| each.ordinal);
        Differing {
            test,
            given: first.map_or(Vec::new(), |first| original.given(first)),
            calls: first.map_or(0, |first| original.passings(first.place)),
            differences,
            steady: original.steady_values(),
            stack: None,
        }
    }
}

/// The original's runs so far, by test.
pub(in crate::explain) type Originals = HashMap<usize, Original>;

#[derive(Default)]
pub(in crate::explain) struct Original {
    pub stable: Stable,
    pub(super) passes: bool,
    pub(super) calls: u32,
}

/// A mutant and its original, of which what is attended to is compared.
pub(in crate::explain) struct Comparison<'c> {
    pub switch: u32,
    pub attention: Attention,
    /// What the original has shown of that so far. Runs are added where there are too few.
    pub originals: &'c mut Originals,
    pub caveats: &'c mut Vec<String>,
}

impl Bench<'_> {
    /// The tests of a round that show something else with the mutant on.
    pub fn compare(
        &mut self,
        round: &[usize],
        comparison: &mut Comparison<'_>,
    ) -> Result<Vec<Differing>, JvmError> {
        self.compare_often(RUNS_IF_STABLE, round, comparison)
    }

    /// Looks at a few tests as often as was asked for, one invocation of each method. What threads
    /// race for may well come out three times in favour of one version.
    pub(super) fn insist(
        &mut self,
        found: Vec<Differing>,
        comparison: &mut Comparison<'_>,
    ) -> Result<Vec<Differing>, JvmError> {
        let mut sure: Vec<Differing> = Vec::new();
        for Differing { test, .. } in found {
            if self.is_enough(&sure) {
                break;
            }
            let tests = self.room.tests;
            let is_known = |other: &Differing| tests[other.test].method == tests[test].method;
            if sure.iter().any(is_known) && !self.room.every_place {
                continue;
            }
            let least = self.room.runs;
            sure.extend(self.compare_often(least, &[test], comparison)?);
        }
        Ok(sure)
    }

    /// Tests that differ are run at least so often, unless fewer runs were asked for.
    fn compare_often(
        &mut self,
        least: usize,
        round: &[usize],
        comparison: &mut Comparison<'_>,
    ) -> Result<Vec<Differing>, JvmError> {
        let Comparison {
            switch, attention, ..
        } = *comparison;
        let unknown: Vec<usize> = round
            .iter()
            .copied()
            .filter(|test| !comparison.originals.contains_key(test))
            .collect();
        self.run_original(&unknown, comparison)?;
        // What varies by itself is known after two runs, and a mutant that shows nothing else needs but one.
        let passes = |test: &usize| comparison.originals.get(test).is_some_and(|one| one.passes);
        let varying = |test: &usize| self.survey.varies(*test, attention) && passes(test);
        let varying: Vec<usize> = unknown.iter().copied().filter(varying).collect();
        self.run_original(&varying, comparison)?;
        let mut runs_now: HashMap<usize, usize> = HashMap::new();
        for test in unknown.iter().chain(&varying) {
            *runs_now.entry(*test).or_default() += 1;
        }
        let mut open = round.to_vec();
        self.leave_out_failing(&mut open, comparison);
        let mut mutants: HashMap<usize, Stable> = HashMap::new();
        let mut differing: Vec<usize> = Vec::new();
        // Each pass adds a run.
        for pass in 0..self.room.runs {
            if open.is_empty() || self.room.is_cancelled() {
                break;
            }
            // Each version goes first in turn: what merely alternates from run to run, as pooled
            // buffers do, must not pass for a difference between them. Nor must what has changed since the
            // original was run for another mutant, in the JVM or in the world.
            let original_first = pass % 2 == 0;
            let is_behind = |test: &usize| {
                let now = runs_now.get(test).copied().unwrap_or_default();
                comparison.originals[test].stable.runs() <= pass || now < pass.min(RUNS_IF_STABLE)
            };
            let behind: Vec<usize> = open.iter().copied().filter(is_behind).collect();
            for test in &behind {
                *runs_now.entry(*test).or_default() += 1;
            }
            if original_first {
                self.run_original(&behind, comparison)?;
                self.leave_out_failing(&mut open, comparison);
            }
            let shown =
                self.run_or_leave_out(&mut open, Some(switch), attention, comparison.caveats)?;
            if !original_first {
                self.run_original(&behind, comparison)?;
                self.leave_out_failing(&mut open, comparison);
            }
            for test in &open {
                let Some(one) = shown.get(test) else { continue };
                if !one.passed() {
                    comparison.caveats.push(format!(
                        "`{}` does not pass while it is watched with the mutant on",
                        self.room.tests[*test].id
                    ));
                }
                one.note(comparison.caveats);
                self.compared.insert(*test);
                mutants.entry(*test).or_default().add(one.observed.clone());
            }
            // Only tests that still differ are worth another run, and only until they are settled.
            let mut again = Vec::new();
            for test in open {
                let (Some(original), Some(mutant)) =
                    (comparison.originals.get(&test), mutants.get(&test))
                else {
                    continue;
                };
                if differences(&original.stable, mutant).is_empty() {
                    continue;
                }
                let varied = original.stable.varied() || mutant.varied();
                let enough = if varied {
                    self.room.runs
                } else {
                    self.room.runs.min(least)
                };
                if mutant.runs() >= enough {
                    differing.push(test);
                } else {
                    again.push(test);
                }
            }
            open = again;
        }
        let varied = |test: &&usize| {
            let original = comparison.originals.get(test).map(|one| &one.stable);
            let both = [original, mutants.get(test)];
            both.into_iter().flatten().any(Stable::varied)
        };
        let varied = round.iter().filter(varied).copied();
        self.survey.give_up(varied, attention);
        let order = round.iter().filter(|test| differing.contains(test));
        Ok(order
            .map(|test| {
                Differing::between(*test, &comparison.originals[test].stable, &mutants[test])
            })
            .filter(|each| !each.differences.is_empty())
            .collect())
    }

    fn run_original(
        &mut self,
        tests: &[usize],
        comparison: &mut Comparison<'_>,
    ) -> Result<(), JvmError> {
        if tests.is_empty() {
            return Ok(());
        }
        let Comparison {
            attention,
            originals,
            caveats,
            ..
        } = comparison;
        let mut shown = self.run(tests, None, *attention)?;
        let passed = |shown: &HashMap<usize, Shown>, test: &usize| {
            shown.get(test).is_some_and(Shown::passed)
        };
        let failing = tests.iter().copied();
        let failing: Vec<usize> = failing.filter(|test| !passed(&shown, test)).collect();
        if !failing.is_empty() && !self.room.is_cancelled() {
            // What was run before may have spoilt the JVM.
            self.worker = None;
            shown.extend(self.run(&failing, None, *attention)?);
        }
        for test in tests {
            let original = originals.entry(*test).or_default();
            original.passes = passed(&shown, test);
            let Some(one) = shown.remove(test) else {
                continue;
            };
            original.calls = one.count(*attention);
            one.note(caveats);
            original.stable.add(one.observed);
        }
        Ok(())
    }

    /// Nothing can be said with a test whose original does not pass, whichever mutant that was seen with.
    fn leave_out_failing(&self, tests: &mut Vec<usize>, comparison: &mut Comparison<'_>) {
        tests.retain(|test| {
            let passes = comparison.originals.get(test).is_some_and(|one| one.passes);
            if !passes && !self.room.is_cancelled() {
                comparison.caveats.push(format!(
                    "`{}` does not pass while it is watched, and was left out",
                    self.room.tests[*test].id
                ));
            }
            passes
        });
    }
}
