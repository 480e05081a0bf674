//! The test classes that are run, which of them share a JVM, and in which orders they run.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use jury_flaky::shuffled;
use jury_model::{Engine, Recipe, TestId};
use jury_store::{RecipeId, StoredTest};

use crate::recipes::recipe_of;

/// Starting a JVM takes about this long, besides the tests.
const START: Duration = Duration::from_millis(700);

/// Tests and their classes, by number.
pub(super) struct Lineup<'r> {
    pub tests: Vec<StoredTest>,
    pub classes: Vec<TestClass<'r>>,
    /// Classes that ran in JVMs of one recipe, in the order in which they were first seen.
    forks: Vec<Vec<usize>>,
}

/// The tests of one outermost class in one engine: what a worker runs as one batch.
pub(super) struct TestClass<'r> {
    pub name: String,
    pub engine: Engine,
    pub recipe: &'r Recipe,
    pub tests: Vec<usize>,
    /// Some of its tests are to be judged. Other classes only run before those.
    judged: bool,
    fork: usize,
}

/// How often tests are run, and in which orders.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rounds {
    /// Of the recorded order, and of shuffled ones.
    pub each: usize,
    pub seed: u64,
    /// Every class alone, too.
    pub isolate: bool,
}

impl<'r> Lineup<'r> {
    /// Without tests that have no recipe.
    pub fn new(
        mut tests: Vec<StoredTest>,
        judged: &HashSet<(String, TestId)>,
        recipes: &'r BTreeMap<RecipeId, Recipe>,
    ) -> Self {
        tests.retain(|test| recipe_of(test, recipes).is_some());
        let mut classes: Vec<TestClass<'r>> = Vec::new();
        let mut forks: Vec<Vec<usize>> = Vec::new();
        let (mut numbers, mut forks_by_recipe) = (HashMap::new(), HashMap::new());
        for (number, test) in tests.iter().enumerate() {
            let Some(recipe) = recipe_of(test, recipes) else {
                continue;
            };
            let fork = *forks_by_recipe.entry(&test.recipe).or_insert_with(|| {
                forks.push(Vec::new());
                forks.len() - 1
            });
            let key = (fork, &test.test.engine, test.test.top_level_class());
            let class = *numbers.entry(key).or_insert_with(|| {
                forks[fork].push(classes.len());
                classes.push(TestClass {
                    name: test.test.top_level_class().to_owned(),
                    engine: test.test.engine.clone(),
                    recipe,
                    tests: Vec::new(),
                    judged: false,
                    fork,
                });
                classes.len() - 1
            });
            classes[class].tests.push(number);
            classes[class].judged |= judged.contains(&(test.module.clone(), test.test.id.clone()));
        }
        let first_seen = |class: &usize| {
            let places = classes[*class].tests.iter();
            places.map(|test| tests[*test].place).min()
        };
        forks
            .iter_mut()
            .for_each(|fork| fork.sort_by_key(first_seen));
        Lineup {
            tests,
            classes,
            forks,
        }
    }

    /// What each JVM runs, one class after the other: first the recorded order, then others.
    pub fn sequences(&self, rounds: Rounds) -> Vec<Vec<usize>> {
        let mut sequences = Vec::new();
        for _ in 0..rounds.each {
            for fork in &self.forks {
                match self.has_jvm_per_class(fork) {
                    true => sequences.extend(self.alone(fork)),
                    false => sequences.push(self.up_to_judged(fork.clone())),
                }
            }
        }
        let shared = || {
            let forks = self.forks.iter();
            forks.filter(|fork| fork.len() > 1 && !self.has_jvm_per_class(fork))
        };
        for fork in shared() {
            sequences.push(self.up_to_judged(fork.iter().rev().copied().collect()));
        }
        for round in 0..rounds.each {
            for fork in shared() {
                let order = shuffled(fork.len(), rounds.seed, round as u64);
                let order = order.into_iter().map(|place| fork[place]);
                sequences.push(self.up_to_judged(order.collect()));
            }
        }
        if rounds.isolate {
            sequences.extend(self.forks.iter().flat_map(|fork| self.alone(fork)));
        }
        sequences.retain(|sequence| !sequence.is_empty());
        sequences
    }

    /// How long all that takes one JVM after the other, going by how long tests took.
    pub fn estimate(&self, sequences: &[Vec<usize>]) -> Duration {
        let tests = sequences.iter().flatten();
        let tests = tests.flat_map(|class| &self.classes[*class].tests);
        let micros = tests.map(|test| self.tests[*test].last_micros).sum();
        let starts = u32::try_from(sequences.len()).unwrap_or(u32::MAX);
        Duration::from_micros(micros) + START.saturating_mul(starts)
    }

    /// The class of this name that shares JVMs with another one.
    pub fn beside(&self, class: usize, name: &str) -> Option<usize> {
        let fork = &self.forks[self.classes[class].fork];
        fork.iter()
            .copied()
            .find(|one| self.classes[*one].name == name)
    }

    fn has_jvm_per_class(&self, fork: &[usize]) -> bool {
        let recipe = fork.first().map(|class| self.classes[*class].recipe);
        recipe.is_some_and(|recipe| recipe.jvm_per_class)
    }

    fn alone(&self, fork: &[usize]) -> impl Iterator<Item = Vec<usize>> {
        let judged = fork.iter().filter(|class| self.classes[**class].judged);
        judged.map(|class| vec![*class])
    }

    /// What comes after the last judged class is of no use.
    fn up_to_judged(&self, mut order: Vec<usize>) -> Vec<usize> {
        let last = order.iter().rposition(|class| self.classes[*class].judged);
        order.truncate(last.map_or(0, |last| last + 1));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_model::LaunchedBy;

    fn recipe(jvm_per_class: bool) -> Recipe {
        Recipe {
            launched_by: LaunchedBy::Surefire,
            java_home: String::new(),
            java_version: String::new(),
            working_directory: String::new(),
            class_path: Vec::new(),
            module_path: Vec::new(),
            module_flags: Vec::new(),
            jvm_flags: Vec::new(),
            properties: BTreeMap::new(),
            environment: BTreeMap::new(),
            launcher_parameters: BTreeMap::new(),
            jvm_per_class,
        }
    }

    /// A lineup of classes that share a JVM; those in capitals are judged.
    fn check(classes: &str, jvm_per_class: bool, isolate: bool, expected: &[&str]) {
        let recipe = recipe(jvm_per_class);
        let class = |(number, letter): (usize, char)| TestClass {
            name: letter.to_string(),
            engine: Engine::new("junit-jupiter"),
            recipe: &recipe,
            tests: vec![number],
            judged: letter.is_uppercase(),
            fork: 0,
        };
        let lineup = Lineup {
            tests: Vec::new(),
            classes: classes.chars().enumerate().map(class).collect(),
            forks: vec![(0..classes.len()).collect()],
        };
        let rounds = Rounds {
            each: 1,
            seed: 1,
            isolate,
        };
        let spell = |sequence: &Vec<usize>| -> String {
            let names = sequence.iter().map(|class| &*lineup.classes[*class].name);
            names.collect()
        };
        let sequences: Vec<String> = lineup.sequences(rounds).iter().map(spell).collect();
        assert_eq!(sequences, expected);
    }

    #[test]
    fn orders_are_the_recorded_one_its_reverse_and_shuffled_ones() {
        check("ABCD", false, false, &["ABCD", "DCBA", "DBAC"]);
    }

    #[test]
    fn nothing_runs_after_the_last_judged_class() {
        check("abCd", false, false, &["abC", "dC", "dbaC"]);
        check("abcd", false, false, &[]);
    }

    #[test]
    fn classes_that_never_share_a_jvm_have_no_order() {
        check("AbC", true, false, &["A", "C"]);
        check("A", false, false, &["A"]);
    }

    #[test]
    fn isolated_classes_run_alone_too() {
        check("AB", false, true, &["AB", "BA", "BA", "A", "B"]);
    }
}
