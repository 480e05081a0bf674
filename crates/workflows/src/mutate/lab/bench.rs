//! One thread's place of work: a worker JVM, and what may be concluded from what happens in it.

pub(crate) mod matrix;

use std::collections::{HashMap, HashSet, VecDeque};
use std::mem;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

use jury_jvm::{BatchEnd, BatchEvent, JvmError, Runs, Worker};
use jury_model::{Outcome, Recipe, TestId};

use super::hearing::{Heard, not_as_at_first, rounds, together};
use super::sitting::{OpenVerdict, Sitting};
use super::{Baseline, Fate, Lab, LabEvent, Tell, Trial, lock};

/// Work beyond this multiple of the baseline, and beyond this amount, is an endless loop.
const WORK_SLACK: u64 = 10;
const LEAST_WORK: u64 = 1_000_000;
/// About what it takes to start a JVM until the first test has run. Tests that took no longer in the
/// build are asked rather than saved.
const FRESH_JVM: Duration = Duration::from_secs(2);

pub(super) struct Bench<'a> {
    lab: &'a Lab<'a>,
    /// What is to be tried alone, by whichever bench has time for it in the end.
    solitary: &'a Mutex<Vec<Trial>>,
    worker: Option<Warm<'a>>,
    /// Tests that pass but once in a JVM. No warm worker can ask them.
    unrepeatable: HashSet<usize>,
    /// Tests that pass twice.
    repeatable: HashSet<usize>,
    /// Whether tests pass as the first one of a JVM.
    passes_first: HashMap<usize, bool>,
    /// Tests that all passed, one after the other, in a fresh JVM without any mutant.
    controls: HashSet<Vec<usize>>,
}

/// A worker and what has happened in it.
struct Warm<'a> {
    worker: Worker,
    recipe: &'a Recipe,
    /// Tests that passed here without a mutant, with what ran the first time.
    proven: HashMap<usize, Runs>,
    /// What ran when tests were asked again without a mutant, because something was odd.
    again: HashMap<usize, Runs>,
    /// Methods and blocks that ran here while a class was initialised.
    initialising: HashSet<u32>,
    /// Whether any mutant was on in this worker.
    is_used: bool,
}

/// One attempt at a mutant in a warm worker.
enum Attempt {
    /// The worker went with it, or there is nothing to find out.
    Done(Fate),
    /// Stands if the tests that noticed something pass again.
    Open {
        fate: Fate,
        by: Option<usize>,
    },
    /// All tests passed, but what the original left behind in this JVM may be the reason.
    Doubtful,
    /// These tests should pass without a mutant and do not: some mutant of this worker has left its
    /// mark.
    Spoilt {
        failing: Vec<usize>,
    },
    /// Its mutant took part in initialising a class, which will stay as it is.
    Initialised,
    Cancelled,
}

impl<'a> Bench<'a> {
    pub fn new(lab: &'a Lab<'a>, solitary: &'a Mutex<Vec<Trial>>) -> Self {
        Bench {
            lab,
            solitary,
            worker: None,
            unrepeatable: HashSet::new(),
            repeatable: HashSet::new(),
            passes_first: HashMap::new(),
            controls: HashSet::new(),
        }
    }

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
        }
        Ok(())
    }

    /// The first sitting whose first test has been proven here, or else the first.
    fn choose(&self, sittings: &mut VecDeque<Vec<Trial>>) -> Option<Vec<Trial>> {
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
                Attempt::Doubtful => self.put_aside(trial),
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
            let failing = self.prove(&round, baselines, tell);
            if !failing.is_empty() {
                if self.cancelled() {
                    return Ok(Attempt::Cancelled);
                }
                if self.worker.as_ref().is_some_and(|warm| warm.is_used) {
                    return Ok(Attempt::Spoilt { failing });
                }
                self.worker = None;
                return Ok(Attempt::Done(unreliable()));
            }
            if let Some(warm) = &mut self.worker {
                warm.is_used = true;
            }
            let heard = self.ask(&round, Some(trial), baselines, tell);
            if self.cancelled() {
                return Ok(Attempt::Cancelled);
            }
            let found = heard.fate();
            if heard.lost
                && let Some((fate, _)) = found
            {
                self.worker = None;
                return Ok(Attempt::Done(fate));
            }
            if heard.initialised {
                return Ok(Attempt::Initialised);
            }
            if let Some((fate, by)) = found {
                return Ok(Attempt::Open { fate, by: Some(by) });
            }
            hidden = hidden || !doubtful && self.may_hide(trial, &round, &heard, baselines, tell);
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

    /// Makes open verdicts final if every test that noticed something passes with all mutants off.
    /// Otherwise the worker is spoilt, and all of them wait for another turn, in which each mutant is
    /// watched closely.
    fn settle(
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
    fn settle_at_once<'t>(
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
    fn ask_anew(
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
    fn find_unrepeatable(
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

    /// Leaves a mutant for later, when it is tried alone.
    fn put_aside(&self, trial: &Trial) {
        lock(self.solitary).push(trial.clone());
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
            let Some((fate, by)) = heard.fate() else {
                continue;
            };
            self.worker = None;
            let before = rounds[..number].iter().flatten().copied();
            let before: Vec<usize> = before.collect();
            if self.lab.time_of(&before) > FRESH_JVM
                && self.passes_first(by, baselines, tell)?
                && let Some(fate) = self.fate_by(by, trial, baselines, tell)?
            {
                return Ok(fate);
            }
            // All of it without the mutant: a test may need what others do before it.
            let mut passed = HashMap::new();
            for round in &rounds[..=number] {
                self.prepare(self.lab.tests[round[0]].recipe)?;
                passed = self.pass(round, baselines, tell);
            }
            return Ok(if passed.contains_key(&by) {
                fate
            } else {
                unreliable()
            });
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

    fn has_worker_of(&self, recipe: &Recipe) -> bool {
        let warm = self.worker.as_ref();
        warm.is_some_and(|warm| std::ptr::eq(warm.recipe, recipe))
    }

    /// True if the original may have left something behind in this worker that keeps tests from
    /// noticing the trial's mutant.
    fn may_hide(
        &mut self,
        trial: &Trial,
        tests: &[usize],
        heard: &Heard,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> bool {
        !(self.hidden_from(trial, tests, heard, baselines, tell)).is_empty()
    }

    /// The tests that it may keep from noticing the mutant.
    fn hidden_from(
        &mut self,
        trial: &Trial,
        tests: &[usize],
        heard: &Heard,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Vec<usize> {
        let Some(warm) = &self.worker else {
            return tests.to_vec();
        };
        if warm.initialising.contains(&trial.probe) {
            return tests.to_vec();
        }
        // Either the mutant has them run its method more or less often, or what they left behind
        // has. They would do so without the mutant, too, only in the second case.
        let odd = not_as_at_first(trial.probe, tests, &warm.proven, &heard.runs);
        let unknown = |test: &usize| !warm.again.contains_key(test);
        let unknown: Vec<usize> = odd.iter().copied().filter(unknown).collect();
        let again = self.pass(&unknown, baselines, tell);
        let Some(warm) = &mut self.worker else {
            return tests.to_vec();
        };
        warm.again.extend(again);
        not_as_at_first(trial.probe, &odd, &warm.proven, &warm.again)
    }

    /// Makes sure that the bench has a worker of this recipe.
    fn prepare(&mut self, recipe: &'a Recipe) -> Result<(), JvmError> {
        if self.has_worker_of(recipe) {
            return Ok(());
        }
        self.worker = None;
        let early = self.lab.early.take(recipe);
        let worker = early.unwrap_or_else(|| {
            let Lab {
                installation, plan, ..
            } = self.lab;
            Worker::start(recipe, installation, plan)
        })?;
        self.worker = Some(Warm {
            worker,
            recipe,
            proven: HashMap::new(),
            again: HashMap::new(),
            initialising: HashSet::new(),
            is_used: false,
        });
        Ok(())
    }

    /// Runs the tests that have not yet passed in this worker without a mutant, and returns those
    /// that do not pass now.
    fn prove(&mut self, tests: &[usize], baselines: &[Baseline], tell: &Tell) -> Vec<usize> {
        let Some(warm) = &self.worker else {
            return tests.to_vec();
        };
        let unproven = |test: &usize| !warm.proven.contains_key(test);
        let unproven: Vec<usize> = tests.iter().copied().filter(unproven).collect();
        let passed = self.pass(&unproven, baselines, tell);
        let failed = |test: &usize| !passed.contains_key(test);
        let failing = unproven.into_iter().filter(failed).collect();
        if let Some(warm) = &mut self.worker {
            warm.proven.extend(passed);
        }
        failing
    }

    /// Those of the tests, all of this worker's recipe, that pass without a mutant, and what
    /// they run.
    fn pass(
        &mut self,
        tests: &[usize],
        baselines: &[Baseline],
        tell: &Tell,
    ) -> HashMap<usize, Runs> {
        let mut passed = HashMap::new();
        for tests in together(self.lab.tests, tests) {
            let heard = self.ask(tests, None, baselines, tell);
            let lost = heard.lost;
            passed.extend(heard.passed());
            if lost {
                self.worker = None;
                break;
            }
        }
        passed
    }

    /// Runs tests with the trial's mutant on, or with none.
    fn ask(
        &mut self,
        tests: &[usize],
        trial: Option<&Trial>,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Heard {
        let limit = trial.map(|_| {
            let work = tests.iter().map(|test| baselines[*test].work).max();
            LEAST_WORK.max(work.unwrap_or(0).saturating_mul(WORK_SLACK))
        });
        // One test that notices a mutant is enough.
        self.hear(tests, trial, limit, trial.is_some(), tell)
    }

    fn hear(
        &mut self,
        tests: &[usize],
        trial: Option<&Trial>,
        limit: Option<u64>,
        until_red: bool,
        tell: &Tell,
    ) -> Heard {
        let mut heard = Heard::nothing();
        let lab = self.lab;
        let Some(warm) = &mut self.worker else {
            heard.lost = true;
            return heard;
        };
        let told = warm
            .worker
            .limit(limit)
            .and_then(|()| warm.worker.switch(trial.map(|trial| trial.mutant)));
        if told.is_err() {
            heard.lost = true;
            return heard;
        }
        let index_of = |id: &TestId| tests.iter().copied().find(|t| lab.tests[*t].id == *id);
        let limits = lab.with_time_limits(tests);
        let engine = &lab.tests[tests[0]].engine;
        let initialising = &mut warm.initialising;
        let report = |event| match event {
            BatchEvent::Finished(one) => {
                if let (Some(test), Some(outcome)) = (index_of(&one.id), one.outcome) {
                    heard.ended.push((test, outcome, one.failure));
                }
            }
            BatchEvent::Worked(worked) => {
                heard.initialised |=
                    trial.is_some_and(|trial| worked.initialising.contains(&trial.probe));
                initialising.extend(&worked.initialising);
                if let Some(test) = index_of(&worked.id) {
                    if worked.overran {
                        heard.overran.push(test);
                    }
                    heard.runs.entry(test).or_insert(worked.runs);
                }
            }
            other => pass_on(tell, other),
        };
        let end = match until_red {
            true => (warm.worker).run_until_red(engine, limits, lab.cancelled, report),
            false => warm.worker.run(engine, limits, lab.cancelled, report),
        };
        heard.lost = end != BatchEnd::Done;
        heard
    }

    fn cancelled(&self) -> bool {
        self.lab.cancelled.load(Ordering::Relaxed)
    }
}

/// Whether a test runs a probe otherwise than by initialising a class.
fn calls(baseline: &Baseline, probe: u32) -> bool {
    baseline.hits.contains(&probe) && !baseline.initialising.contains(&probe)
}

/// Makes a verdict final.
fn conclude(trial: &Trial, fate: Fate, tell: &Tell) {
    // The receiver lives as long as the scope that all benches run in.
    let _ = tell.send(LabEvent::Tried {
        mutant: trial.mutant,
        fate,
    });
}

fn unreliable() -> Fate {
    Fate::SetAside("a covering test does not pass reliably without it".to_owned())
}

fn pass_on(tell: &Tell, event: BatchEvent) {
    let event = match event {
        BatchEvent::LeftOut {
            class,
            method,
            reason,
        } => LabEvent::LeftOut {
            class,
            method,
            reason,
        },
        BatchEvent::Trouble(message) => LabEvent::Trouble(message),
        BatchEvent::Finished(_) | BatchEvent::Worked(_) | BatchEvent::Seen { .. } => return,
    };
    // The receiver lives as long as the scope that all benches run in.
    let _ = tell.send(event);
}
