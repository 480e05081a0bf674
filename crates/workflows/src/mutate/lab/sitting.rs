//! Mutants that are tried one after the other in one worker.

use std::collections::{BTreeSet, VecDeque};

use super::{Fate, Trial};

/// Not more, because what was found in a sitting is only known at its end, and because several
/// workers have to share the last few.
const MOST_TRIALS: usize = 16;

/// Splits trials, those of one class together: they share tests, and their tests are proven once.
/// What is put together depends on nothing but the trials, and so does who notices what.
pub(super) fn sittings(trials: Vec<Trial>) -> VecDeque<Vec<Trial>> {
    let mut sittings: VecDeque<Vec<Trial>> = VecDeque::new();
    for trial in trials {
        match sittings.back_mut() {
            Some(sitting) if sitting.len() < MOST_TRIALS && sitting[0].class == trial.class => {
                sitting.push(trial);
            }
            _ => sittings.push_back(vec![trial]),
        }
    }
    sittings
}

/// What has come of a sitting so far.
pub(super) struct Sitting<'t> {
    waiting: VecDeque<&'t Trial>,
    pub open: Vec<OpenVerdict<'t>>,
    /// The tests that have noticed a mutant, the latest last.
    killers: Vec<usize>,
    /// Tests that no longer passed after some mutant.
    watched: BTreeSet<usize>,
}

/// A verdict that stands if the test that noticed something passes again without the mutant.
pub(super) struct OpenVerdict<'t> {
    pub trial: &'t Trial,
    pub fate: Fate,
    pub by: Option<usize>,
}

impl<'t> Sitting<'t> {
    pub fn of(trials: &'t [Trial]) -> Self {
        Sitting {
            waiting: trials.iter().collect(),
            open: Vec::new(),
            killers: Vec::new(),
            watched: BTreeSet::new(),
        }
    }

    pub fn next(&mut self) -> Option<&'t Trial> {
        self.waiting.pop_front()
    }

    /// This one again, after all others.
    pub fn put_off(&mut self, trial: &'t Trial) {
        self.waiting.push_back(trial);
    }

    /// Puts off all that are open.
    pub fn start_over(&mut self) {
        let open = self.open.drain(..);
        self.waiting.extend(open.map(|verdict| verdict.trial));
    }

    /// From now on every mutant has to show that it leaves these tests alone.
    pub fn watch(&mut self, tests: impl IntoIterator<Item = usize>) {
        self.watched.extend(tests);
    }

    pub fn is_careful(&self) -> bool {
        !self.watched.is_empty()
    }

    /// The tests to look at after a mutant that this one, if any, has noticed.
    pub fn watched(&self, by: Option<usize>) -> Vec<usize> {
        let mut tests = self.watched.clone();
        tests.extend(by);
        tests.into_iter().collect()
    }

    pub fn add(&mut self, verdict: OpenVerdict<'t>) {
        if let Some(by) = verdict.by {
            self.killers.retain(|known| *known != by);
            self.killers.push(by);
        }
        self.open.push(verdict);
    }

    /// The tests that open verdicts rest on.
    pub fn open_killers(&self) -> Vec<usize> {
        let killers: BTreeSet<usize> = self.open.iter().filter_map(|open| open.by).collect();
        killers.into_iter().collect()
    }

    /// The trial's tests, those first that have noticed others: they are likely to notice this one.
    pub fn order(&self, trial: &Trial) -> Vec<usize> {
        let covers = |test: &&usize| trial.tests.contains(test);
        let others = |test: &&usize| !self.killers.contains(test);
        let killers = self.killers.iter().rev().filter(covers);
        killers
            .chain(trial.tests.iter().filter(others))
            .copied()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(mutant: u32, class: usize) -> Trial {
        Trial {
            mutant,
            class,
            probe: 0,
            tests: Vec::new(),
            initialises: false,
        }
    }

    #[test]
    fn a_sitting_holds_neighbours_of_one_class_and_not_too_many() {
        let trials = (0..20).map(|mutant| trial(mutant, 0));
        let trials = trials.chain([trial(20, 1)]).collect();
        let sizes: Vec<usize> = sittings(trials).iter().map(Vec::len).collect();
        assert_eq!(sizes, [16, 4, 1]);
    }

    #[test]
    fn the_latest_killer_is_asked_first_and_only_if_it_covers() {
        let mut trials = [trial(0, 0), trial(1, 0)];
        trials[1].tests = vec![1, 2, 3, 7];
        let mut sitting = Sitting::of(&trials);
        for by in [3, 7, 9, 3] {
            sitting.add(OpenVerdict {
                trial: &trials[0],
                fate: Fate::OutOfMemory { by },
                by: Some(by),
            });
        }
        assert_eq!(sitting.order(&trials[1]), [3, 7, 1, 2]);
        assert_eq!(sitting.open_killers(), [3, 7, 9]);
    }

    #[test]
    fn a_sitting_is_careful_once_a_test_no_longer_passes() {
        let mut sitting = Sitting::of(&[]);
        assert!(!sitting.is_careful());
        sitting.watch([4, 2]);
        assert!(sitting.is_careful());
        assert_eq!(sitting.watched(Some(3)), [2, 3, 4]);
        assert_eq!(sitting.watched(None), [2, 4]);
    }
}
