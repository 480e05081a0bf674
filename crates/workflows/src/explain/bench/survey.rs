//! What tests show without a mutant, in short: digests of their code and of the calls of every method in
//! question, from two runs of each test, or three if they differ.
//!
//! What the original shows is the same whichever mutant is asked about next, so that a test is surveyed
//! once for all of them. A digest says that something differs, never what.

use std::collections::{BTreeSet, HashMap, HashSet};

use jury_explain::{Observed, Place, Stable};
use jury_jvm::{Attention, Calls, JvmError, Runs, SeenCalls};

use super::Bench;
use super::shown::{Shown, aspect, digest};
use crate::explain::survivors::{Unit, nearest_first};
use crate::mutate::lab::rounds_from;

/// What tests show of the original: their code, and the calls of every method in question.
const SURVEY: Attention = Attention {
    calls: Calls::All,
    values: true,
    stack_of: None,
    depth: 0,
    digest_only: true,
};

/// Tests that are surveyed in one batch.
const MOST_TOGETHER: usize = 256;

/// Those that do not pass are left out.
#[derive(Default)]
pub(super) struct Survey {
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
    /// What it made run.
    runs: Runs,
}

#[derive(Default)]
pub(super) struct Called {
    shown: Vec<u64>,
    pub count: u32,
    distance: u32,
    /// Up to two values of each property.
    pub samples: Stable,
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
            runs: shown.runs,
        }
    }

    /// Adds what another run has shown, and tells of which aspects it had never been shown before.
    fn add(&mut self, shown: &Shown) -> Vec<Option<u32>> {
        let called = shown.calls.iter().map(|seen| seen.number);
        let numbers: BTreeSet<u32> = called.chain(self.calls.keys().copied()).collect();
        let calls = numbers.into_iter().map(Calls::Of);
        let mut news = Vec::new();
        for calls in calls.chain([Calls::All]) {
            let attention = Attention { calls, ..SURVEY };
            let (digest, known) = (shown.digest(attention), self.digests(attention));
            if !known.contains(&digest) {
                known.push(digest);
                news.push(aspect(attention));
            }
        }
        news
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
    pub fn has(&self, test: usize) -> bool {
        self.tests.contains_key(&test)
    }

    pub fn of(&self, test: usize, number: u32) -> Option<&Called> {
        self.tests.get(&test)?.calls.get(&number)
    }

    /// What a test made run.
    pub fn runs(&self, test: usize) -> Option<&Runs> {
        self.tests.get(&test).map(|surveyed| &surveyed.runs)
    }

    /// Whether the test once showed this.
    pub fn showed(&mut self, test: usize, attention: Attention, digest: u64) -> bool {
        let surveyed = self.tests.get_mut(&test);
        surveyed.is_some_and(|own| own.digests(attention).contains(&digest))
    }

    /// The test shows this as well, where it has been surveyed at all.
    pub fn add(&mut self, test: usize, attention: Attention, digest: u64) {
        if let Some(surveyed) = self.tests.get_mut(&test) {
            surveyed.digests(attention).push(digest);
        }
    }

    /// The least number of calls from the code of a test to a method.
    pub fn distance(&self, test: usize, number: u32) -> Option<u32> {
        let distance = self.of(test, number)?.distance;
        Some(distance).filter(|distance| *distance > 0)
    }

    pub fn varies(&self, test: usize, attention: Attention) -> bool {
        self.varying.contains(&(test, aspect(attention)))
    }

    /// From now on, digests of what is attended to say nothing of these tests.
    pub fn give_up(&mut self, tests: impl IntoIterator<Item = usize>, attention: Attention) {
        let varying = tests.into_iter().map(|test| (test, aspect(attention)));
        self.varying.extend(varying);
    }
}

impl Bench<'_> {
    /// Surveys all tests of some methods, but for the slow ones, which are asked last anyway. As long as no
    /// mutant has been on, the JVM that will run them can be used.
    pub fn survey(&mut self, units: &[&Unit<'_>]) -> Result<(), JvmError> {
        let tests: BTreeSet<usize> = units.iter().flat_map(|unit| &unit.tests).copied().collect();
        let is_quick = |test: &usize| !self.room.slow.contains(test);
        let quick: Vec<usize> = tests.into_iter().filter(is_quick).collect();
        for round in rounds_from(MOST_TOGETHER, self.room.tests, &quick) {
            self.learn(&round)?;
            self.without_mutants(|bench| bench.learn_what_varies(&round))?;
        }
        Ok(())
    }

    /// Surveys tests again. Many show something else the second time in any JVM, and then the same; what is
    /// new even the third time says nothing. It would take other JVMs to find that out with a mutant on.
    fn learn_what_varies(&mut self, tests: &[usize]) -> Result<(), JvmError> {
        let known = tests.iter().copied();
        let mut open: Vec<usize> = known.filter(|test| self.survey.has(*test)).collect();
        for is_last in [false, true] {
            if open.is_empty() || self.room.is_cancelled() {
                break;
            }
            let shown = self.run(&open, None, SURVEY)?;
            let survey = &mut self.survey;
            open.retain(|test| {
                let shown = shown.get(test).filter(|one| one.passed());
                let surveyed = survey.tests.get_mut(test);
                let news = match (surveyed, shown) {
                    (Some(surveyed), Some(shown)) => surveyed.add(shown),
                    _ => Vec::new(),
                };
                if is_last {
                    let varying = news.iter().map(|aspect| (*test, *aspect));
                    survey.varying.extend(varying);
                }
                !news.is_empty()
            });
        }
        Ok(())
    }

    /// The tests of a method in the order in which they are asked, the nearest first. How near the slow ones
    /// are is not known as long as they have not been asked.
    pub(super) fn nearest_first(&self, unit: &Unit<'_>) -> Vec<usize> {
        self.in_order(unit, self.room.slow)
    }

    /// The same however long they take, so that it is the same on every machine and every day.
    pub(super) fn nearest_of_all(&self, unit: &Unit<'_>) -> Vec<usize> {
        self.in_order(unit, &HashSet::new())
    }

    fn in_order(&self, unit: &Unit<'_>, slow: &HashSet<usize>) -> Vec<usize> {
        let mut tests = unit.tests.clone();
        let all = self.room.tests;
        nearest_first(&unit.method.class, &mut tests, all, slow, |test| {
            self.survey.distance(test, unit.number)
        });
        tests
    }

    /// Surveys tests of which it is not known yet what they show without a mutant, in a JVM that has never
    /// had one on: it may have left something behind.
    pub(super) fn learn(&mut self, tests: &[usize]) -> Result<(), JvmError> {
        let unknown = |test: &usize| !self.survey.has(*test) && !self.survey.varies(*test, SURVEY);
        if !tests.iter().any(unknown) {
            return Ok(());
        }
        self.without_mutants(|bench| bench.learn_here(tests))
    }

    /// Looks in a JVM that has never had a mutant on.
    pub(super) fn without_mutants<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        match &self.worker {
            Some(warm) if warm.has_seen_mutants => {
                let mut pristine = self.pristine.take();
                let found = self.within(&mut pristine, look);
                self.pristine = pristine;
                found
            }
            _ => look(self),
        }
    }

    fn learn_here(&mut self, tests: &[usize]) -> Result<(), JvmError> {
        // What was run before may have spoilt the JVM; a fresh one is tried once.
        for fresh in [false, true] {
            let unknown =
                |test: &usize| !self.survey.has(*test) && !self.survey.varies(*test, SURVEY);
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
        let failing = tests.iter().copied();
        let failing: Vec<usize> = failing.filter(|test| !self.survey.has(*test)).collect();
        self.survey.give_up(failing, SURVEY);
        Ok(())
    }
}
