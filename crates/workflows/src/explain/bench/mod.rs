//! Where mutants are looked at: a warm worker that runs tests with and without one, and records
//! what is shown to the observer.
//!
//! Both versions are run once. If nothing differs, nothing ever will, since more runs only take
//! differences away. Otherwise the tests that differ are run again, until both versions have shown
//! the same three times over, or, where something varied, as often as was asked for. So often, too, a
//! few tests are run in whose code something differs.
//!
//! What the original shows is the same whichever mutant is asked about next. One run of a test surveys it:
//! digests are kept of its code and of the calls of every method in question, and a test that shows the
//! same digest with a mutant on is not run again: the original has shown all of that, and more runs only
//! take differences away.

mod shown;
mod survey;
mod suspects;
mod warm;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use jury_explain::{Difference, Place, Stable, differences};
use jury_jvm::{Attention, Calls, Installation, JvmError, WorkPlan};
use jury_model::Notice;

use self::shown::{Shown, VALUES, aspect};
use self::survey::Survey;
use self::warm::Warm;
use super::Stage;
use super::findings::TESTS_TRIED;
use super::survivors::{Survivor, Unit};
use crate::mutate::lab::{LabTest, rounds, rounds_from};

/// What all benches share.
pub(super) struct Room<'a> {
    pub installation: &'a Installation,
    pub plan: &'a WorkPlan,
    pub tests: &'a [LabTest<'a>],
    /// Those that are asked last.
    pub slow: &'a HashSet<usize>,
    /// How often each version is run at most.
    pub runs: usize,
    /// How many fields deep objects are looked at.
    pub depth: u32,
    /// The last stage that is run.
    pub stage: Stage,
    /// Whether all tests are asked, however many show a difference.
    pub every_place: bool,
    pub cancelled: &'a AtomicBool,
}

impl Room<'_> {
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// Runs that agree in everything end the matter.
const RUNS_IF_STABLE: usize = 3;
/// Tests that are asked again in a fresh JVM before a mutant is said to infect nothing.
const TESTS_CONFIRMED: usize = 10;

pub(super) struct Bench<'a> {
    room: &'a Room<'a>,
    worker: Option<Warm<'a>>,
    survey: Survey,
    left_out: BTreeMap<String, String>,
}

/// What was seen of one mutant.
pub(super) struct Evidence<'u> {
    pub survivor: &'u Survivor<'u>,
    /// Tests in which something differs after a call, with what does.
    pub infected: Vec<Differing>,
    /// Tests in whose code something differs.
    pub exposed: Vec<Differing>,
    /// The stack of the first call that differs.
    pub stack: Vec<String>,
    /// What the original's calls showed, in every test.
    pub original: Vec<Stable>,
    /// The test whose code is nearest to the method, and how many calls lead there.
    pub closest: Option<(u32, usize)>,
    /// The tests that run the method, the nearest first.
    pub tests: Vec<usize>,
    pub caveats: Vec<String>,
    pub millis: u64,
}

pub(super) struct Differing {
    pub test: usize,
    pub differences: Vec<Difference>,
    /// What expressions of the test were in the original, where that was the same in all turns.
    pub steady: BTreeMap<Place, Arc<str>>,
    /// Of the first call with the mutant on, if it was asked for.
    stack: Option<String>,
}

impl Differing {
    fn between(test: usize, original: &Stable, mutant: &Stable) -> Self {
        Differing {
            test,
            differences: differences(original, mutant),
            steady: original.steady_values(),
            stack: None,
        }
    }
}

/// What fresh JVMs showed of a mutant, calls and test code at once.
struct Fresh {
    tests: Vec<usize>,
    infected: Vec<Differing>,
    exposed: Vec<Differing>,
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

/// The original's runs so far, by test.
pub(super) type Originals = HashMap<usize, Original>;

#[derive(Default)]
pub(super) struct Original {
    pub stable: Stable,
    passes: bool,
    calls: u32,
}

/// What is known of the original of one method, value by value.
#[derive(Default)]
struct Known {
    calls: Originals,
    values: Originals,
}

impl<'a> Bench<'a> {
    pub fn new(room: &'a Room<'a>) -> Self {
        Bench {
            room,
            worker: None,
            survey: Survey::default(),
            left_out: BTreeMap::new(),
        }
    }

    /// Looks at every mutant of a method.
    pub fn examine<'u>(&mut self, unit: &'u Unit<'u>) -> Result<Vec<Evidence<'u>>, JvmError> {
        let mut known = Known::default();
        let mut found = Vec::new();
        for survivor in &unit.mutants {
            if self.room.is_cancelled() {
                break;
            }
            found.push(self.look_at(unit, survivor, &mut known)?);
        }
        Ok(found)
    }

    fn look_at<'u>(
        &mut self,
        unit: &'u Unit<'u>,
        survivor: &'u Survivor<'u>,
        known: &mut Known,
    ) -> Result<Evidence<'u>, JvmError> {
        let clock = Instant::now();
        let tests = self.nearest_first(unit)?;
        let mut evidence = Evidence {
            survivor,
            infected: Vec::new(),
            exposed: Vec::new(),
            stack: Vec::new(),
            original: Vec::new(),
            closest: None,
            tests: Vec::new(),
            caveats: Vec::new(),
            millis: 0,
        };
        let attention = Attention {
            calls: Calls::Of(unit.number),
            ..Attention::default()
        };
        let mut fresh = None;
        let mut asked = 0;
        for round in rounds(self.room.tests, &tests) {
            self.look_at_calls(&round, attention, &mut evidence, known)?;
            let before = asked;
            asked += round.len();
            let nearest = &tests[..asked];
            let are_nearest = before < TESTS_CONFIRMED && asked >= TESTS_CONFIRMED;
            if evidence.infected.is_empty()
                && are_nearest
                && self.call_nothing(nearest, unit.number, known)
            {
                // What runs only while a class is initialised shows in no warm JVM.
                fresh = self.confirm(nearest, attention, &evidence, known)?;
            }
            if !evidence.infected.is_empty() || fresh.is_some() || self.room.is_cancelled() {
                break;
            }
        }
        let may_hide = (self.worker.as_ref()).is_none_or(|warm| warm.may_hide(survivor));
        let found_nothing = evidence.infected.is_empty() && fresh.is_none();
        if found_nothing && may_hide && !self.room.is_cancelled() {
            fresh = self.confirm(&tests, attention, &evidence, known)?;
        }
        if let Some(fresh) = fresh {
            evidence.infected = fresh.infected;
            evidence.exposed = fresh.exposed;
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
            if self.room.stage != Stage::Infection {
                self.look_into_tests(&tests, &mut evidence, &mut known.values)?;
            }
        } else {
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
        evidence.caveats.sort();
        evidence.caveats.dedup();
        evidence.millis = u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(evidence)
    }

    /// Whether tests make no call of a method, though they reach it.
    fn call_nothing(&self, tests: &[usize], number: u32, known: &Known) -> bool {
        let mut tests = tests.iter();
        tests.all(|test| self.calls_nothing(*test, number, known))
    }

    fn calls_nothing(&self, test: usize, number: u32, known: &Known) -> bool {
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

    /// Finds a test of a round in which something differs after a call.
    fn look_at_calls(
        &mut self,
        round: &[usize],
        attention: Attention,
        evidence: &mut Evidence<'_>,
        known: &mut Known,
    ) -> Result<(), JvmError> {
        let switch = evidence.survivor.switch;
        let suspects = self.ask(round, switch, attention, &mut evidence.caveats)?;
        for few in rounds(self.room.tests, &suspects) {
            let caveats = &mut evidence.caveats;
            let found = self.compare(&few, switch, attention, &mut known.calls, caveats)?;
            evidence.infected.extend(found);
            if !evidence.infected.is_empty() || self.room.is_cancelled() {
                break;
            }
        }
        Ok(())
    }

    /// Finds tests in whose code something differs, in the warm JVM.
    fn look_into_tests(
        &mut self,
        order: &[usize],
        evidence: &mut Evidence<'_>,
        originals: &mut Originals,
    ) -> Result<(), JvmError> {
        let switch = evidence.survivor.switch;
        for round in rounds(self.room.tests, order) {
            let suspects = self.ask(&round, switch, VALUES, &mut evidence.caveats)?;
            for few in rounds(self.room.tests, &suspects) {
                if self.is_enough(&evidence.exposed) {
                    return Ok(());
                }
                let caveats = &mut evidence.caveats;
                let found = self.compare(&few, switch, VALUES, originals, caveats)?;
                let sure = self.insist(found, switch, VALUES, originals, caveats)?;
                evidence.exposed.extend(sure);
            }
            if self.is_enough(&evidence.exposed) {
                break;
            }
        }
        Ok(())
    }

    /// The same in JVMs that never run both versions. One of them, with the mutant on from the start,
    /// tells which tests are worth more.
    fn look_into_tests_afresh(
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
                let found = self.aside(|bench| bench.compare_fresh(&few, switch, VALUES))?;
                evidence.exposed.extend(found);
            }
        }
        Ok(())
    }

    /// Whether more tests need not be asked.
    fn is_enough(&self, exposed: &[Differing]) -> bool {
        let enough = self.methods(exposed) >= TESTS_TRIED && !self.room.every_place;
        enough || self.room.is_cancelled()
    }

    /// How many test methods there are among these.
    fn methods(&self, tests: &[Differing]) -> usize {
        let methods = tests.iter().map(|each| &self.room.tests[each.test].method);
        methods.collect::<HashSet<_>>().len()
    }

    /// The tests of a round that show something else with the mutant on.
    pub fn compare(
        &mut self,
        round: &[usize],
        switch: u32,
        attention: Attention,
        originals: &mut Originals,
        caveats: &mut Vec<String>,
    ) -> Result<Vec<Differing>, JvmError> {
        let least = RUNS_IF_STABLE;
        self.compare_often(least, round, switch, attention, originals, caveats)
    }

    /// Looks at a few tests as often as was asked for, one invocation of each method. What threads
    /// race for may well come out three times in favour of one version.
    fn insist(
        &mut self,
        found: Vec<Differing>,
        switch: u32,
        attention: Attention,
        originals: &mut Originals,
        caveats: &mut Vec<String>,
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
            sure.extend(self.compare_often(
                least,
                &[test],
                switch,
                attention,
                originals,
                caveats,
            )?);
        }
        Ok(sure)
    }

    /// Tests that differ are run at least so often, unless fewer runs were asked for.
    fn compare_often(
        &mut self,
        least: usize,
        round: &[usize],
        switch: u32,
        attention: Attention,
        originals: &mut Originals,
        caveats: &mut Vec<String>,
    ) -> Result<Vec<Differing>, JvmError> {
        let unknown: Vec<usize> = round
            .iter()
            .copied()
            .filter(|test| !originals.contains_key(test))
            .collect();
        self.run_original(&unknown, attention, originals, caveats)?;
        // What varies by itself is known after two runs, and a mutant that shows nothing else needs but one.
        let passes = |test: &usize| originals.get(test).is_some_and(|one| one.passes);
        let varying = |test: &usize| self.survey.varies(*test, attention) && passes(test);
        let varying: Vec<usize> = unknown.iter().copied().filter(varying).collect();
        self.run_original(&varying, attention, originals, caveats)?;
        let mut open: Vec<usize> = round
            .iter()
            .copied()
            .filter(|test| originals.get(test).is_some_and(|one| one.passes))
            .collect();
        let mut mutants: HashMap<usize, Stable> = HashMap::new();
        let mut differing: Vec<usize> = Vec::new();
        // Each pass adds a run, unless a worker is lost; so often and no more.
        for pass in 0..self.room.runs {
            if open.is_empty() || self.room.is_cancelled() {
                break;
            }
            // Each version goes first in turn: what merely alternates from run to run, as pooled
            // buffers do, must not pass for a difference between them.
            let original_first = pass % 2 == 0;
            let behind: Vec<usize> = open
                .iter()
                .copied()
                .filter(|test| originals[test].stable.runs() <= pass)
                .collect();
            if original_first {
                self.run_original(&behind, attention, originals, caveats)?;
            }
            let shown = self.run(&open, Some(switch), attention)?;
            if !original_first {
                self.run_original(&behind, attention, originals, caveats)?;
            }
            for test in &open {
                let Some(one) = shown.get(test) else { continue };
                if !one.passed() {
                    caveats.push(format!(
                        "`{}` does not pass while it is watched with the mutant on",
                        self.room.tests[*test].id
                    ));
                }
                one.note(caveats);
                mutants.entry(*test).or_default().add(one.observed.clone());
            }
            // Only tests that still differ are worth another run, and only until they are settled.
            let mut again = Vec::new();
            for test in open {
                let (Some(original), Some(mutant)) = (originals.get(&test), mutants.get(&test))
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
            let original = originals.get(test).map(|one| &one.stable);
            let both = [original, mutants.get(test)];
            both.into_iter().flatten().any(Stable::varied)
        };
        let varied = round.iter().filter(varied).copied();
        self.survey.give_up(varied, attention);
        let order = round.iter().filter(|test| differing.contains(test));
        Ok(order
            .map(|test| Differing::between(*test, &originals[test].stable, &mutants[test]))
            .filter(|each| !each.differences.is_empty())
            .collect())
    }

    /// Looks once more, in a JVM where the mutant is on from the start. None if it infects nothing there,
    /// either.
    fn confirm(
        &mut self,
        tests: &[usize],
        attention: Attention,
        evidence: &Evidence<'_>,
        known: &Known,
    ) -> Result<Option<Fresh>, JvmError> {
        let switch = evidence.survivor.switch;
        let nearest = &tests[..tests.len().min(TESTS_CONFIRMED)];
        for round in rounds_in_fresh_jvms(self.room.tests, nearest) {
            self.learn(&round)?;
        }
        self.aside(|bench| bench.look_afresh(tests, switch, attention, known))
    }

    /// Through the nearest tests, and through those that reach the method, but did not call it in a warm
    /// JVM.
    fn look_afresh(
        &mut self,
        tests: &[usize],
        switch: u32,
        attention: Attention,
        known: &Known,
    ) -> Result<Option<Fresh>, JvmError> {
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
            let found = self.compare_fresh(&round, switch, attention)?;
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
    ) -> Result<Vec<Differing>, JvmError> {
        let mut originals: HashMap<usize, Stable> = HashMap::new();
        let mut mutants: HashMap<usize, Stable> = HashMap::new();
        let mut stacks: HashMap<usize, String> = HashMap::new();
        let mut open = round.to_vec();
        for _ in 0..self.room.runs.min(RUNS_IF_STABLE) {
            for (state, seen) in [(None, &mut originals), (Some(switch), &mut mutants)] {
                self.worker = None;
                let mut shown = self.run(&open, state, attention)?;
                for test in &open {
                    if let Some(one) = shown.remove(test) {
                        if let Some(stack) = one.stack.filter(|_| state.is_some()) {
                            stacks.entry(*test).or_insert(stack);
                        }
                        seen.entry(*test).or_default().add(one.observed);
                    }
                }
            }
            open.retain(|test| {
                let both = originals.get(test).zip(mutants.get(test));
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
        self.insist_afresh(differing, switch, attention)
    }

    /// Looks at test code that differs as often as was asked for, each version in a JVM of its own that
    /// never runs the other. Calls are left alone: some are made but once in a JVM.
    fn insist_afresh(
        &mut self,
        mut found: Vec<Differing>,
        switch: u32,
        attention: Attention,
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
            let mutants = self.run_again(&tests, Some(switch))?;
            self.worker = None;
            let originals = self.run_again(&tests, None)?;
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
    ) -> Result<HashMap<usize, Stable>, JvmError> {
        let mut seen: HashMap<usize, Stable> = HashMap::new();
        for _ in 0..self.room.runs {
            if self.room.is_cancelled() {
                break;
            }
            for (test, one) in self.run(tests, mutant, VALUES)? {
                seen.entry(test).or_default().add(one.observed);
            }
        }
        Ok(seen)
    }

    fn run_original(
        &mut self,
        tests: &[usize],
        attention: Attention,
        originals: &mut Originals,
        caveats: &mut Vec<String>,
    ) -> Result<(), JvmError> {
        if tests.is_empty() {
            return Ok(());
        }
        let mut shown = self.run(tests, None, attention)?;
        let passed = |shown: &HashMap<usize, Shown>, test: &usize| {
            shown.get(test).is_some_and(Shown::passed)
        };
        if !tests.iter().all(|test| passed(&shown, test)) && !self.room.is_cancelled() {
            // What was run before may have spoilt the worker.
            self.worker = None;
            shown = self.run(tests, None, attention)?;
        }
        for test in tests {
            let passes = passed(&shown, test);
            let original = originals.entry(*test).or_default();
            original.passes = passes;
            let Some(one) = shown.remove(test) else {
                continue;
            };
            original.calls = one.count(attention);
            if !passes {
                caveats.push(format!(
                    "`{}` does not pass while it is watched, and was left out",
                    self.room.tests[*test].id
                ));
            }
            one.note(caveats);
            original.stable.add(one.observed);
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

    /// What could not be watched.
    pub fn notices(&self) -> Vec<Notice> {
        let left_out = self.left_out.iter();
        left_out
            .map(|(place, reason)| {
                Notice::new(format!("`{}` is not watched: {reason}", place.trim()))
            })
            .collect()
    }
}

fn is_call(difference: &Difference) -> bool {
    matches!(difference.property.place, Place::Call(_))
}

/// A few tests more cost less than another JVM.
fn rounds_in_fresh_jvms(tests: &[LabTest<'_>], order: &[usize]) -> Vec<Vec<usize>> {
    rounds_from(TESTS_CONFIRMED, tests, order)
}
