//! What is seen of one mutant, and the order in which it is looked for: calls of its method first, then,
//! if something differs there, the code of tests.
//!
//! What it means for the mutant is not said here.

use std::time::Instant;

use jury_explain::Stable;
use jury_jvm::{Attention, Calls, JvmError};

use super::afresh::{Fresh, TESTS_CONFIRMED};
use super::comparison::{Comparison, Differing, Originals};
use super::shown::VALUES;
use super::{Bench, LeftOut};
use crate::explain::Stage;
use crate::explain::survivors::{Survivor, Unit};

/// Properties that are kept of the code of tests. One has some hundred bytes; beyond that it is better to run
/// a few tests again.
const MOST_KEPT: usize = 1_000_000;

/// What was seen of one mutant.
pub(in crate::explain) struct Evidence<'u> {
    pub survivor: &'u Survivor<'u>,
    /// Tests in which something differs after a call, with what does.
    pub infected: Vec<Differing>,
    /// Tests in whose code something differs.
    pub exposed: Vec<Differing>,
    /// Only JVMs that had never run the original showed it.
    pub is_hidden: bool,
    /// The stack of the first call that differs.
    pub stack: Vec<String>,
    /// What the original's calls showed, in every test.
    pub original: Vec<Stable>,
    /// The test whose code is nearest to the method, and how many calls lead there.
    pub closest: Option<(u32, usize)>,
    /// The tests that run the method, the nearest first.
    pub tests: Vec<usize>,
    /// Whether any test was compared with and without the mutant.
    pub compared: bool,
    /// Whether any test was seen to call the method.
    pub called: bool,
    /// Tests that several threads call the method in.
    pub crowded: Vec<usize>,
    pub left_out: Vec<LeftOut>,
    pub caveats: Vec<String>,
    pub millis: u64,
}

impl<'u> Evidence<'u> {
    fn nothing(survivor: &'u Survivor<'u>) -> Self {
        Evidence {
            survivor,
            infected: Vec::new(),
            exposed: Vec::new(),
            is_hidden: false,
            stack: Vec::new(),
            original: Vec::new(),
            closest: None,
            tests: Vec::new(),
            compared: false,
            called: false,
            crowded: Vec::new(),
            left_out: Vec::new(),
            caveats: Vec::new(),
            millis: 0,
        }
    }
}

/// What is known of the calls of one method in the original, value by value.
#[derive(Default)]
pub(super) struct Known {
    pub calls: Originals,
}

impl Bench<'_> {
    /// Looks at a mutant through the tests of its method, the nearest first.
    pub(super) fn look_at<'u>(
        &mut self,
        unit: &'u Unit<'u>,
        survivor: &'u Survivor<'u>,
        known: &mut Known,
    ) -> Result<Evidence<'u>, JvmError> {
        let clock = Instant::now();
        let tests = self.nearest_first(unit);
        let mut evidence = Evidence::nothing(survivor);
        self.compared.clear();
        let fresh = match self.is_watched(unit) {
            true => self.find_infection(unit, &tests, &mut evidence, known)?,
            false => None,
        };
        evidence.compared = !self.compared.is_empty();
        let calls = |test: &usize| self.calling.contains(&(*test, unit.number));
        evidence.called = tests.iter().any(calls);
        let is_crowded = |test: &usize| self.crowded.contains(&(*test, unit.number));
        evidence.crowded = tests.iter().copied().filter(is_crowded).collect();
        // What no call of theirs can tell, the code of these tests may.
        let unseen = match self.is_watched(unit) {
            true => evidence.crowded.clone(),
            false => tests.clone(),
        };
        if let Some(fresh) = fresh {
            evidence.infected = fresh.infected;
            evidence.exposed = fresh.exposed;
            evidence.is_hidden = true;
            if let Some(first) = evidence.infected.first() {
                evidence.stack = self.aside(|bench| bench.stack(unit, survivor, first))?;
            }
            if self.room.stage != Stage::Infection {
                let order = tests.iter().copied();
                let order: Vec<usize> = order.filter(|test| !fresh.tests.contains(test)).collect();
                self.look_into_tests_afresh(&order, &mut evidence)?;
            }
        } else if let Some(first) = evidence.infected.first() {
            evidence.stack = self.stack(unit, survivor, first)?;
            self.look_into_tests(&tests, &mut evidence)?;
        } else {
            self.look_into_tests(&unseen, &mut evidence)?;
            let shown = tests
                .iter()
                .filter_map(|test| self.shown(*test, unit.number, known));
            evidence.original = shown.cloned().collect();
        }
        // A class that was initialised with the mutant on is not what it should be.
        self.worker
            .take_if(|warm| warm.initialising_mutants.contains(&survivor.probe));
        evidence.closest = tests
            .iter()
            .filter_map(|test| Some((self.survey.distance(*test, unit.number)?, *test)))
            .min_by_key(|(distance, _)| *distance);
        evidence.tests = tests;
        evidence.left_out = self.left_out.iter().cloned().collect();
        evidence.caveats.sort();
        evidence.caveats.dedup();
        evidence.millis = u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(evidence)
    }

    /// Finds a test in which something differs after a call. What fresh JVMs showed is returned: it stands
    /// for all that the warm one has not.
    fn find_infection(
        &mut self,
        unit: &Unit<'_>,
        tests: &[usize],
        evidence: &mut Evidence<'_>,
        known: &mut Known,
    ) -> Result<Option<Fresh>, JvmError> {
        let attention = Attention {
            calls: Calls::Of(unit.number),
            ..Attention::default()
        };
        let mut fresh = None;
        let mut asked = 0;
        for round in self.rounds(tests) {
            self.look_at_calls(&round, attention, evidence, known)?;
            let before = asked;
            asked += round.len();
            let nearest = &tests[..asked];
            let are_nearest = before < TESTS_CONFIRMED && asked >= TESTS_CONFIRMED;
            if evidence.infected.is_empty()
                && are_nearest
                && self.call_nothing(nearest, unit.number, known)
            {
                // What runs only while a class is initialised shows in no warm JVM.
                fresh = self.confirm(nearest, attention, evidence, known)?;
            }
            if !evidence.infected.is_empty() || fresh.is_some() || self.room.is_cancelled() {
                break;
            }
        }
        let found_nothing = evidence.infected.is_empty() && fresh.is_none();
        if found_nothing && !self.room.is_cancelled() && self.may_hide(evidence.survivor)? {
            // Few are asked: which, must not depend on how busy the machine was during the build.
            let tests = self.nearest_of_all(unit);
            fresh = self.confirm(&tests, attention, evidence, known)?;
        }
        Ok(fresh)
    }

    /// Whether calls of a method can be seen at all.
    fn is_watched(&self, unit: &Unit<'_>) -> bool {
        let mut left_out = self.left_out.iter();
        !left_out.any(|one| one.concerns(unit.method))
    }

    /// Finds a test of a round in which something differs after a call.
    fn look_at_calls(
        &mut self,
        round: &[usize],
        attention: Attention,
        evidence: &mut Evidence<'_>,
        known: &mut Known,
    ) -> Result<(), JvmError> {
        let switch = evidence.survivor.switch;
        for few in self.ask(round, switch, attention, &mut evidence.caveats)? {
            let few = self.found_guilty(few, attention)?;
            let mut comparison = Comparison {
                switch,
                attention,
                originals: &mut known.calls,
                caveats: &mut evidence.caveats,
            };
            (evidence.infected).extend(self.compare(&few, &mut comparison)?);
            if !evidence.infected.is_empty() || self.room.is_cancelled() {
                break;
            }
        }
        Ok(())
    }

    /// Finds tests in whose code something differs, in the warm JVM, if that is asked for.
    fn look_into_tests(
        &mut self,
        order: &[usize],
        evidence: &mut Evidence<'_>,
    ) -> Result<(), JvmError> {
        if self.room.stage == Stage::Infection {
            return Ok(());
        }
        // What the code of tests shows of the original is the same for all methods.
        let mut originals = std::mem::take(&mut self.values);
        let looked = self.compare_code(order, evidence, &mut originals);
        let kept = originals.values().map(|one| one.stable.properties());
        if kept.sum::<usize>() < MOST_KEPT {
            self.values = originals;
        }
        looked
    }

    fn compare_code(
        &mut self,
        order: &[usize],
        evidence: &mut Evidence<'_>,
        originals: &mut Originals,
    ) -> Result<(), JvmError> {
        let switch = evidence.survivor.switch;
        for round in self.rounds(order) {
            for few in self.ask(&round, switch, VALUES, &mut evidence.caveats)? {
                if self.is_enough(&evidence.exposed) {
                    return Ok(());
                }
                let few = self.found_guilty(few, VALUES)?;
                let mut comparison = Comparison {
                    switch,
                    attention: VALUES,
                    originals,
                    caveats: &mut evidence.caveats,
                };
                let found = self.compare(&few, &mut comparison)?;
                (evidence.exposed).extend(self.insist(found, &mut comparison)?);
            }
            if self.is_enough(&evidence.exposed) {
                break;
            }
        }
        Ok(())
    }

    /// From the method to the test, at the first call that differs.
    fn stack(
        &mut self,
        unit: &Unit<'_>,
        survivor: &Survivor<'_>,
        first: &Differing,
    ) -> Result<Vec<String>, JvmError> {
        let lines = |stack: &str| stack.lines().map(str::to_owned).collect();
        let ordinal = first.differences.first().map(|each| each.property.ordinal);
        if let Some(stack) = first.stack.as_ref().filter(|_| ordinal == Some(0)) {
            return Ok(lines(stack));
        }
        let attention = Attention {
            calls: Calls::Of(unit.number),
            stack_of: ordinal,
            ..Attention::default()
        };
        let shown = self.run(&[first.test], Some(survivor.switch), attention)?;
        let stack = shown.into_values().find_map(|one| one.stack);
        Ok(stack.map_or(Vec::new(), |stack| lines(&stack)))
    }

    /// Whether tests make no call of a method, though they reach it.
    fn call_nothing(&self, tests: &[usize], number: u32, known: &Known) -> bool {
        let mut tests = tests.iter();
        tests.all(|test| self.calls_nothing(*test, number, known))
    }

    pub(super) fn calls_nothing(&self, test: usize, number: u32, known: &Known) -> bool {
        match known.calls.get(&test) {
            _ if self.survey.has(test) => {
                self.survey.of(test, number).is_none_or(|of| of.count == 0)
            }
            Some(original) => original.calls == 0,
            None => false,
        }
    }

    /// What the original's calls showed in a test: all, or up to two values of each property.
    fn shown<'s>(&'s self, test: usize, number: u32, known: &'s Known) -> Option<&'s Stable> {
        let surveyed = self.survey.of(test, number).map(|called| &called.samples);
        let original = known.calls.get(&test).filter(|original| original.passes);
        surveyed.or(original.map(|original| &original.stable))
    }
}
