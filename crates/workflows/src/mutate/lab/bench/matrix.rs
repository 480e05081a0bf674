//! Asking everybody: what each test that can notice a mutant says to it.
//!
//! The verdict is given before, in the usual way, and stays; here the other tests are asked about
//! what one has noticed. An answer has to stand on its own: what the mutant did to one test must not
//! colour what the next one says. So tests that notice the mutant must pass again with it off.
//! Where they do not, or the worker is lost, fewer are asked at a time in another worker, down to one
//! test and a worker that no mutant was on in before. Where a warm worker may hide the mutant from a test, or a class is initialised
//! by it, tests are asked in a JVM that has never run anything without it.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Mutex;

use jury_jvm::JvmError;
use jury_model::Outcome;

use super::super::hearing::{Heard, fate_by};
use super::super::{Baseline, Fate, LabEvent, LabTest, NOT_FOUND, Tell, Trial, lock};
use super::warm::{LEAST_WORK, WORK_SLACK};
use super::{Bench, unreliable};

/// Tests asked at once. More are told apart later if one of them spoils the worker.
const MOST_AT_ONCE: usize = 256;
/// And after a worker was lost: each one that goes costs what it takes to prove the rest again.
const FEW_AT_ONCE: usize = 8;

/// What each test says: the mutant's fate if nobody else were asked.
pub(crate) type Replies = BTreeMap<usize, Fate>;

impl<'a> Bench<'a> {
    /// Takes mutants, with the tests that have not yet been asked, until there are none left.
    pub fn poll_all(
        &mut self,
        sittings: &Mutex<VecDeque<Vec<Trial>>>,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<(), JvmError> {
        while !self.cancelled() {
            let Some(trials) = self.choose(&mut lock(sittings)) else {
                break;
            };
            for trial in trials {
                let replies = self.poll(&trial, baselines, tell)?;
                if self.cancelled() {
                    break;
                }
                // The receiver lives as long as the scope that all benches run in.
                let _ = tell.send(LabEvent::Polled {
                    mutant: trial.mutant,
                    replies,
                });
            }
        }
        Ok(())
    }

    /// Asks every test of a trial.
    fn poll(
        &mut self,
        trial: &Trial,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<Replies, JvmError> {
        let warm = |test: &usize| !trial.initialises && !self.unrepeatable.contains(test);
        let (warm, mut alone): (Vec<usize>, Vec<usize>) =
            trial.tests.iter().copied().partition(warm);
        let mut replies = Replies::new();
        let mut waiting: VecDeque<Vec<usize>> = panels(self.lab.tests, &warm, baselines).into();
        while let Some(tests) = waiting.pop_front() {
            let again = self.ask_panel(&tests, trial, &mut replies, &mut alone, baselines, tell)?;
            if self.cancelled() {
                return Ok(replies);
            }
            for tests in again.into_iter().rev() {
                waiting.push_front(tests);
            }
        }
        // In the order in which they would be asked if nobody had been asked before.
        let alone: BTreeSet<usize> = alone.into_iter().collect();
        let alone: Vec<usize> = (trial.tests.iter().copied())
            .filter(|test| alone.contains(test))
            .collect();
        if !alone.is_empty() {
            let kept = self.worker.take();
            let heard = self.poll_alone(trial, &alone, baselines, tell);
            self.worker = kept;
            replies.extend(heard?);
        }
        Ok(replies)
    }

    /// Asks a few tests in a warm worker. Returns those that have to be asked anew, which begins in
    /// another worker, and puts those that no warm worker can ask with those to be asked alone.
    fn ask_panel(
        &mut self,
        tests: &[usize],
        trial: &Trial,
        replies: &mut Replies,
        alone: &mut Vec<usize>,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<Vec<Vec<usize>>, JvmError> {
        self.prepare(self.lab.tests[tests[0]].recipe)?;
        let unused = self.worker.as_ref().is_some_and(|warm| !warm.is_used);
        let failing = self.prove(tests, baselines, tell);
        if !failing.is_empty() {
            self.worker = None;
            return Ok(match (tests, unused) {
                (_, false) => vec![tests.to_vec()],
                ([one], true) => {
                    replies.insert(*one, unreliable());
                    Vec::new()
                }
                (_, true) => apart(tests),
            });
        }
        if let Some(warm) = &mut self.worker {
            warm.is_used = true;
        }
        let heard = self.ask_out(tests, trial, baselines, tell);
        if self.cancelled() {
            return Ok(Vec::new());
        }
        if heard.lost {
            self.worker = None;
            let culprits = culprits(&heard);
            let rest: Vec<usize> = (tests.iter().copied())
                .filter(|test| !culprits.contains_key(test))
                .collect();
            let was_new = unused && matches!(tests, [_]);
            if let (true, Some(culprit)) = (was_new, culprits.keys().next()) {
                self.find_unrepeatable(&[*culprit], baselines, tell)?;
                match self.unrepeatable.contains(culprit) {
                    true => alone.push(*culprit),
                    false => replies.extend(culprits),
                }
                return Ok(Vec::new());
            }
            return Ok(if rest.len() < tests.len() {
                // Other mutants, or other tests, may have had a hand in it.
                let culprits = culprits.keys().map(|culprit| vec![*culprit]);
                let rest = rest.chunks(FEW_AT_ONCE).map(<[usize]>::to_vec);
                culprits.chain(rest).collect()
            } else if let [one] = tests {
                replies.insert(*one, unreliable());
                Vec::new()
            } else {
                apart(tests)
            });
        }
        if heard.initialised {
            self.worker = None;
            alone.extend(tests);
            return Ok(Vec::new());
        }
        let (mut noticed, passed) = told_apart(tests, &heard);
        // Their class failed in the end, which says something of a test only if it is asked alone.
        let (fell, passed) = fell_with_their_class(self.lab.tests, passed, &heard);
        let mut to_ask: Vec<Vec<usize>> = Vec::new();
        let mut unmoved = Vec::new();
        for test in fell {
            if self.falls_by_itself(test, baselines, tell)? {
                unmoved.push(test);
            } else if let ([_], Some((fate, _))) = (tests, heard.fate_outside(tests)) {
                noticed.insert(test, fate);
            } else {
                to_ask.push(vec![test]);
            }
            if self.cancelled() {
                return Ok(Vec::new());
            }
        }
        let passed = [passed, unmoved].concat();
        let noticing: Vec<usize> = noticed.keys().copied().collect();
        let again = self.pass(&noticing, baselines, tell);
        if self.cancelled() {
            return Ok(Vec::new());
        }
        if again.len() < noticing.len() {
            self.worker = None;
            return Ok(match (tests, unused) {
                ([one], true) => {
                    self.find_unrepeatable(&[*one], baselines, tell)?;
                    if self.unrepeatable.contains(one) {
                        alone.push(*one);
                    } else {
                        // Nothing but this mutant can have been to blame.
                        replies.extend(noticed);
                    }
                    Vec::new()
                }
                ([_], false) => vec![tests.to_vec()],
                _ => apart(tests),
            });
        }
        let hidden = match self.lab.confirm {
            true => passed.clone(),
            false => self.hidden_from(trial, &passed, &heard, baselines, tell),
        };
        let seen = (passed.iter()).filter(|test| !hidden.contains(test));
        replies.extend(seen.map(|test| (*test, Fate::Survived)));
        replies.extend(noticed);
        replies.extend(not_found(tests, &heard));
        alone.extend(hidden);
        Ok(to_ask)
    }

    /// Whether the test's class fails in the end without any mutant, if no other test of it is run.
    fn falls_by_itself(
        &mut self,
        test: usize,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<bool, JvmError> {
        if let Some(falls) = self.falls_by_itself.get(&test) {
            return Ok(*falls);
        }
        let kept = self.worker.take();
        let heard = self
            .prepare(self.lab.tests[test].recipe)
            .map(|()| self.ask(&[test], None, baselines, tell));
        self.worker = kept;
        let heard = heard?;
        let falls = heard.lost || !heard.afterwards.is_empty();
        if !self.cancelled() {
            self.falls_by_itself.insert(test, falls);
        }
        Ok(falls)
    }

    /// Asks tests in a JVM that has never run anything without the mutant. Who notices it must pass in
    /// another one without it.
    fn poll_alone(
        &mut self,
        trial: &Trial,
        tests: &[usize],
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Result<Replies, JvmError> {
        let mut replies = Replies::new();
        let mut asked = Vec::new();
        let mut waiting: VecDeque<Vec<usize>> = panels(self.lab.tests, tests, baselines).into();
        while let Some(tests) = waiting.pop_front() {
            self.prepare(self.lab.tests[tests[0]].recipe)?;
            let heard = self.ask_out(&tests, trial, baselines, tell);
            if self.cancelled() {
                return Ok(replies);
            }
            if heard.lost {
                self.worker = None;
                let culprits = culprits(&heard);
                let rest: Vec<usize> = (tests.iter().copied())
                    .filter(|test| !culprits.contains_key(test))
                    .collect();
                if rest.len() == tests.len() && tests.len() == 1 {
                    replies.insert(tests[0], unreliable());
                    continue;
                }
                let size = match culprits.is_empty() {
                    true => tests.len().div_ceil(2),
                    false => FEW_AT_ONCE,
                };
                for tests in rest.chunks(size).rev() {
                    waiting.push_front(tests.to_vec());
                }
                asked.extend(culprits.keys().map(|test| vec![*test]));
                replies.extend(culprits);
                continue;
            }
            let (mut noticed, passed) = told_apart(&tests, &heard);
            let (fell, mut passed) = fell_with_their_class(self.lab.tests, passed, &heard);
            for test in fell {
                if self.falls_by_itself(test, baselines, tell)? {
                    passed.push(test);
                } else if let ([_], Some((fate, _))) = (&tests[..], heard.fate_outside(&tests)) {
                    noticed.insert(test, fate);
                } else {
                    waiting.push_front(vec![test]);
                }
            }
            replies.extend(noticed);
            replies.extend(passed.into_iter().map(|test| (test, Fate::Survived)));
            replies.extend(not_found(&tests, &heard));
            asked.push(tests);
        }
        // The same without the mutant: a test may need what others do before it.
        let by_themselves = |fate: &Fate| matches!(fate, Fate::Survived | Fate::SetAside(_));
        if replies.values().all(by_themselves) {
            return Ok(replies);
        }
        let control: Vec<usize> = asked.concat();
        if self.controls.contains(&control) {
            // Neighbouring mutants have the same tests.
            return Ok(replies);
        }
        self.worker = None;
        let mut passing: HashMap<usize, _> = HashMap::new();
        for tests in asked {
            self.prepare(self.lab.tests[tests[0]].recipe)?;
            passing.extend(self.pass(&tests, baselines, tell));
            if self.cancelled() {
                return Ok(replies);
            }
        }
        if passing.len() == control.len() {
            self.controls.insert(control);
        }
        for (test, fate) in &mut replies {
            if !by_themselves(fate) && !passing.contains_key(test) {
                *fate = unreliable();
            }
        }
        Ok(replies)
    }

    /// Runs all of some tests with the mutant on, whoever notices it.
    fn ask_out(
        &mut self,
        tests: &[usize],
        trial: &Trial,
        baselines: &[Baseline],
        tell: &Tell,
    ) -> Heard {
        let class = tests.iter().map(|test| work_class(&baselines[*test])).max();
        self.hear(tests, Some(trial), class, false, tell)
    }
}

/// Splits tests into those that one worker can be asked together, and with one limit of work, so
/// that what a test may do before it counts as endless depends on no other.
fn panels(tests: &[LabTest<'_>], asked: &[usize], baselines: &[Baseline]) -> Vec<Vec<usize>> {
    let mut panels: Vec<Vec<usize>> = Vec::new();
    for &test in asked {
        let fits = |panel: &&mut Vec<usize>| {
            let (one, other) = (&tests[panel[0]], &tests[test]);
            panel.len() < MOST_AT_ONCE
                && std::ptr::eq(one.recipe, other.recipe)
                && one.engine == other.engine
                && work_class(&baselines[panel[0]]) == work_class(&baselines[test])
        };
        match panels.iter_mut().find(fits) {
            Some(panel) => panel.push(test),
            None => panels.push(vec![test]),
        }
    }
    // Tests of one recipe in a row: a bench has one worker.
    let mut recipes: Vec<*const _> = Vec::new();
    panels.sort_by_key(|panel| {
        let recipe = std::ptr::from_ref(tests[panel[0]].recipe);
        let known = recipes.iter().position(|known| *known == recipe);
        known.unwrap_or_else(|| {
            recipes.push(recipe);
            recipes.len() - 1
        })
    });
    panels
}

/// The limit of work for tests that do about as much without a mutant.
fn work_class(baseline: &Baseline) -> u64 {
    let work = baseline.work.checked_next_power_of_two();
    LEAST_WORK.max(work.unwrap_or(u64::MAX).saturating_mul(WORK_SLACK))
}

/// Two halves.
fn apart(tests: &[usize]) -> Vec<Vec<usize>> {
    let half = tests.len().div_ceil(2).max(1);
    tests.chunks(half).map(<[usize]>::to_vec).collect()
}

/// The tests that a worker was lost with, and how.
fn culprits(heard: &Heard) -> Replies {
    let ended = heard.ended.iter();
    let lost = ended
        .filter(|(_, outcome, _)| matches!(outcome, Outcome::Crashed | Outcome::TimedOut))
        .filter_map(|one| Some((one.0, fate_by(one, &heard.overran)?)));
    lost.collect()
}

/// The tests that notice the mutant, and how, and those that pass.
fn told_apart(tests: &[usize], heard: &Heard) -> (Replies, Vec<usize>) {
    let mut noticed = Replies::new();
    let mut passed = Vec::new();
    for one in heard.ended.iter().filter(|one| tests.contains(&one.0)) {
        match fate_by(one, &heard.overran) {
            Some(fate) => _ = noticed.insert(one.0, fate),
            None => passed.push(one.0),
        }
    }
    (noticed, passed)
}

/// Of tests that passed, those of a class that failed when they had ended, and the others.
fn fell_with_their_class(
    tests: &[LabTest<'_>],
    passed: Vec<usize>,
    heard: &Heard,
) -> (Vec<usize>, Vec<usize>) {
    let fell = |test: &usize| {
        let mut failed = heard.afterwards.iter();
        failed.any(|(last, _)| tests[*last].class == tests[*test].class)
    };
    passed.into_iter().partition(fell)
}

/// Tests that there are none of while the mutant is on, such as those of other parameters.
fn not_found(tests: &[usize], heard: &Heard) -> Replies {
    let ended: BTreeSet<usize> = heard.ended.iter().map(|one| one.0).collect();
    let missing = tests.iter().filter(|test| !ended.contains(test));
    missing
        .map(|test| (*test, Fate::SetAside(NOT_FOUND.to_owned())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline(work: u64) -> Baseline {
        Baseline {
            work,
            ..Baseline::default()
        }
    }

    #[test]
    fn the_limit_of_a_test_depends_on_its_own_work_alone() {
        assert_eq!(work_class(&baseline(3)), LEAST_WORK);
        assert_eq!(work_class(&baseline(90_000)), 131_072 * WORK_SLACK);
        assert_eq!(work_class(&baseline(131_072)), 131_072 * WORK_SLACK);
        assert_eq!(work_class(&baseline(u64::MAX)), u64::MAX);
    }

    #[test]
    fn halves_have_all_tests_and_are_smaller() {
        assert_eq!(apart(&[1, 2, 3]), [vec![1, 2], vec![3]]);
        assert_eq!(apart(&[1, 2]), [[1], [2]]);
    }

    #[test]
    fn who_noticed_who_passed_and_who_was_not_found_is_told_apart() {
        let mut heard = Heard::nothing();
        heard.ended = vec![
            (1, Outcome::Failed, None),
            (2, Outcome::Passed, None),
            (3, Outcome::Passed, None),
            (5, Outcome::Aborted, None),
        ];
        heard.overran = vec![3];
        let (noticed, passed) = told_apart(&[1, 2, 3, 4], &heard);
        assert_eq!(noticed.into_keys().collect::<Vec<_>>(), [1, 3]);
        assert_eq!(passed, [2]);
        let missing = not_found(&[1, 2, 3, 4], &heard);
        assert_eq!(missing.into_keys().collect::<Vec<_>>(), [4]);
        assert!(culprits(&heard).is_empty());
        heard.ended.push((7, Outcome::Crashed, None));
        assert_eq!(
            culprits(&heard),
            Replies::from([(7, Fate::Crashed { by: 7 })])
        );
    }
}
