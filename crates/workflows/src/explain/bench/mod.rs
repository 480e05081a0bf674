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

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jury_explain::{Difference, Observed, Place, Stable, differences};
use jury_jvm::{
    Attention, BatchEnd, BatchEvent, Calls, Installation, JvmError, Runs, SeenCalls, WorkPlan,
    Worker,
};
use jury_model::{Notice, Recipe, TestId};

use self::shown::{Shown, VALUES, aspect, digest};
use super::Stage;
use super::findings::TESTS_TRIED;
use super::survivors::{Survivor, Unit, nearest_first};
use crate::mutate::lab::{LabTest, rounds, rounds_from, run_as_at_first};

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

/// What tests show of the original: their code, and the calls of every method in question.
const SURVEY: Attention = Attention {
    calls: Calls::All,
    values: true,
    stack_of: None,
    depth: 0,
    digest_only: true,
};

/// Runs that agree in everything end the matter.
const RUNS_IF_STABLE: usize = 3;
/// Observed tests are slow; this is for tests that wait for ever.
const LEAST_TIME: Duration = Duration::from_secs(60);
const TIME_SLACK: u32 = 100;
/// Tests that are surveyed in one batch.
const MOST_TOGETHER: usize = 256;
/// Tests that are asked again in a fresh JVM before a mutant is said to infect nothing.
const TESTS_CONFIRMED: usize = 10;

pub(super) struct Bench<'a> {
    room: &'a Room<'a>,
    worker: Option<Warm<'a>>,
    survey: Survey,
    left_out: BTreeMap<String, String>,
}

/// A worker, and what ran in it so far.
struct Warm<'a> {
    worker: Worker,
    recipe: &'a Recipe,
    /// What each test made run when it first did so without a mutant, and the last time.
    first: HashMap<usize, Runs>,
    last: HashMap<usize, Runs>,
    /// What ran while a class was initialised, without a mutant and with one.
    initialising: HashSet<u32>,
    initialising_mutants: HashSet<u32>,
    /// Digests that tests showed here without a mutant, after one had been on; it may have left something
    /// behind, so that they count in this JVM only.
    shown: HashMap<(usize, Option<u32>), Vec<u64>>,
    has_seen_mutants: bool,
}

impl Warm<'_> {
    /// Whether something may be left of the original that keeps tests from showing a mutant, such as
    /// a cache. That is judged as in a trial, whose survivors these are.
    fn may_hide(&self, mutant: &Survivor<'_>) -> bool {
        let initialising = [&self.initialising, &self.initialising_mutants];
        (initialising.iter()).any(|ran| ran.contains(&mutant.probe))
            || !run_as_at_first(mutant.probe, &mutant.tests, &self.first, &self.last)
    }
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

/// What tests show without a mutant, in short. Those that do not pass are left out.
#[derive(Default)]
struct Survey {
    tests: HashMap<usize, Surveyed>,
    /// Tests that do not show the same each time, or do not pass: their code, or the calls of a method. A
    /// digest of that says nothing.
    varying: HashSet<(usize, Option<u32>)>,
}

#[derive(Default)]
struct Surveyed {
    /// Digests of its code, each shown by a whole run.
    code: Vec<u64>,
    /// Methods that it calls.
    calls: HashMap<u32, Called>,
}

#[derive(Default)]
struct Called {
    shown: Vec<u64>,
    count: u32,
    distance: u32,
    /// Up to two values of each property.
    samples: Stable,
}

impl Surveyed {
    fn read(shown: Shown) -> Self {
        let mut calls: HashMap<u32, Called> = HashMap::new();
        for seen in &shown.calls {
            let called = Called {
                shown: vec![digest(*seen)],
                count: seen.count,
                distance: seen.distance,
                samples: Stable::default(),
            };
            calls.insert(seen.number, called);
        }
        let mut samples: HashMap<u32, Observed> = HashMap::new();
        for (property, value) in shown.observed.values {
            if let Place::Call(number) = property.place {
                let own = samples.entry(number).or_default();
                own.values.insert(property, value);
            }
        }
        for (number, own) in samples {
            calls.entry(number).or_default().samples.add(own);
        }
        Surveyed {
            code: vec![shown.code],
            calls,
        }
    }

    /// Digests that were shown of what is attended to.
    fn digests(&mut self, attention: Attention) -> &mut Vec<u64> {
        let Calls::Of(number) = attention.calls else {
            return &mut self.code;
        };
        let nothing = || Called {
            shown: vec![digest(SeenCalls::default())],
            ..Called::default()
        };
        &mut self.calls.entry(number).or_insert_with(nothing).shown
    }
}

impl Survey {
    fn has(&self, test: usize) -> bool {
        self.tests.contains_key(&test)
    }

    fn of(&self, test: usize, number: u32) -> Option<&Called> {
        self.tests.get(&test)?.calls.get(&number)
    }

    /// Whether the test once showed this.
    fn showed(&mut self, test: usize, attention: Attention, digest: u64) -> bool {
        let surveyed = self.tests.get_mut(&test);
        surveyed.is_some_and(|own| own.digests(attention).contains(&digest))
    }

    /// The least number of calls from the code of a test to a method.
    fn distance(&self, test: usize, number: u32) -> Option<u32> {
        let distance = self.of(test, number)?.distance;
        Some(distance).filter(|distance| *distance > 0)
    }

    fn varies(&self, test: usize, attention: Attention) -> bool {
        self.varying.contains(&(test, aspect(attention)))
    }
}

/// A test that does not show with a mutant on what it once showed without.
struct Suspect {
    test: usize,
    /// What it does show; none if it did not pass, or was not asked.
    digest: Option<u64>,
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

    /// The tests of a method in the order in which they are asked, the nearest first. How near they are,
    /// a run of each tells, but for the slow ones, which are asked last anyway.
    fn nearest_first(&mut self, unit: &Unit<'_>) -> Result<Vec<usize>, JvmError> {
        let quick = unit.tests.iter().copied();
        let quick: Vec<usize> = quick
            .filter(|test| !self.room.slow.contains(test))
            .collect();
        for round in rounds_from(MOST_TOGETHER, self.room.tests, &quick) {
            self.learn(&round)?;
        }
        let mut tests = unit.tests.clone();
        let Room {
            tests: all, slow, ..
        } = self.room;
        nearest_first(&unit.method.class, &mut tests, all, slow, |test| {
            self.survey.distance(test, unit.number)
        });
        Ok(tests)
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

    /// Runs tests once with the mutant on, and tells which do not show what they once showed without.
    fn ask(
        &mut self,
        tests: &[usize],
        attention: Attention,
        evidence: &mut Evidence<'_>,
    ) -> Result<Vec<usize>, JvmError> {
        let switch = evidence.survivor.switch;
        self.learn(tests)?;
        let mut suspects = self.suspects(tests, switch, attention, &mut evidence.caveats)?;
        self.still_suspicious(&mut suspects, attention)?;
        Ok(suspects.into_iter().map(|one| one.test).collect())
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
        let suspects = self.ask(round, attention, evidence)?;
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
            let suspects = self.ask(&round, VALUES, evidence)?;
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

    /// Looks in a JVM that is kept apart from the warm one.
    fn within<T>(&mut self, apart: &mut Option<Warm<'a>>, look: impl FnOnce(&mut Self) -> T) -> T {
        std::mem::swap(&mut self.worker, apart);
        let found = look(self);
        std::mem::swap(&mut self.worker, apart);
        found
    }

    /// Runs suspects once more without the mutant, and keeps those that still show something else.
    fn still_suspicious(
        &mut self,
        suspects: &mut Vec<Suspect>,
        attention: Attention,
    ) -> Result<(), JvmError> {
        let told = suspects.iter().filter(|one| one.digest.is_some());
        let tests: Vec<usize> = told.map(|one| one.test).collect();
        for (test, shown) in self.run(&tests, None, digest_of(attention))? {
            let digest = shown.digest(attention);
            if !shown.passed() || self.showed(test, attention, digest) {
                continue;
            }
            match &mut self.worker {
                Some(warm) if warm.has_seen_mutants => {
                    let place = (test, aspect(attention));
                    warm.shown.entry(place).or_default().push(digest);
                }
                _ => {
                    if let Some(surveyed) = self.survey.tests.get_mut(&test) {
                        surveyed.digests(attention).push(digest);
                    }
                }
            }
        }
        suspects.retain(|one| {
            let showed = |digest| self.showed(one.test, attention, digest);
            !one.digest.is_some_and(showed)
        });
        Ok(())
    }

    /// Whether a test once showed this without a mutant.
    fn showed(&mut self, test: usize, attention: Attention, digest: u64) -> bool {
        let place = (test, aspect(attention));
        let here = (self.worker.as_ref()).and_then(|warm| warm.shown.get(&place));
        here.is_some_and(|digests| digests.contains(&digest))
            || self.survey.showed(test, attention, digest)
    }

    /// Whether more tests need not be asked.
    fn is_enough(&self, exposed: &[Differing]) -> bool {
        let enough = self.methods(exposed) >= TESTS_TRIED && !self.room.every_place;
        enough || self.room.is_cancelled()
    }

    /// Surveys tests of which it is not known yet what they show without a mutant.
    fn learn(&mut self, tests: &[usize]) -> Result<(), JvmError> {
        // What was run before may have spoilt the worker; a fresh one is tried once.
        for fresh in [false, true] {
            let unknown = |test: &usize| {
                !self.survey.has(*test) && !self.survey.varying.contains(&(*test, None))
            };
            let unknown: Vec<usize> = tests.iter().copied().filter(unknown).collect();
            if unknown.is_empty() || self.room.is_cancelled() {
                return Ok(());
            }
            if fresh {
                self.worker = None;
            }
            for (test, one) in self.run(&unknown, None, SURVEY)? {
                if one.passed() {
                    self.survey.tests.insert(test, Surveyed::read(one));
                }
            }
        }
        // Comparing value by value says what is wrong with a test that does not pass.
        let failing = tests.iter().filter(|test| !self.survey.has(**test));
        let failing: Vec<usize> = failing.copied().collect();
        let failing = failing.into_iter().map(|test| (test, None));
        self.survey.varying.extend(failing);
        Ok(())
    }

    /// The tests that do not show with the mutant on what they once showed without.
    fn suspects(
        &mut self,
        tests: &[usize],
        switch: u32,
        attention: Attention,
        caveats: &mut Vec<String>,
    ) -> Result<Vec<Suspect>, JvmError> {
        let tells = |test: &usize| self.survey.has(*test) && !self.survey.varies(*test, attention);
        let asked: Vec<usize> = tests.iter().copied().filter(tells).collect();
        let shown = self.run(&asked, Some(switch), digest_of(attention))?;
        let mut suspects = Vec::new();
        for &test in tests {
            let one = shown.get(&test).filter(|one| one.passed());
            let digest = one.map(|one| one.digest(attention));
            if !digest.is_some_and(|digest| self.showed(test, attention, digest)) {
                suspects.push(Suspect { test, digest });
            } else if let Some(one) = one {
                one.note(caveats);
            }
        }
        Ok(suspects)
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
        let varied = round.iter().filter(varied);
        let varied = varied.map(|test| (*test, aspect(attention)));
        self.survey.varying.extend(varied);
        let order = round.iter().filter(|test| differing.contains(test));
        Ok(order
            .map(|test| Differing::between(*test, &originals[test].stable, &mutants[test]))
            .filter(|each| !each.differences.is_empty())
            .collect())
    }

    /// Looks in other JVMs than the warm one, which is kept: where a mutant was on from the start, it may
    /// have left something behind that would pass for the original.
    fn aside<T>(
        &mut self,
        look: impl FnOnce(&mut Self) -> Result<T, JvmError>,
    ) -> Result<T, JvmError> {
        let warm = self.worker.take();
        let found = look(self);
        self.worker = warm;
        found
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

    /// Runs tests, which share recipe and engine, once.
    fn run(
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
                let worker = Worker::start(recipe, room.installation, room.plan)?;
                place.insert(Warm {
                    worker,
                    recipe,
                    first: HashMap::new(),
                    last: HashMap::new(),
                    initialising: HashSet::new(),
                    initialising_mutants: HashSet::new(),
                    shown: HashMap::new(),
                    has_seen_mutants: false,
                })
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
                BatchEvent::Trouble(_) => {}
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

fn digest_of(attention: Attention) -> Attention {
    Attention {
        digest_only: true,
        ..attention
    }
}
