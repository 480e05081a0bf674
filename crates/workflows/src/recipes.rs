//! The recipes that tests need, looked up once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jury_model::Recipe;
use jury_store::{RecipeId, Store, StoredTest};

use crate::WorkflowError;

pub(crate) fn recipes_of(
    store: &Store,
    root: &Path,
    tests: &[StoredTest],
) -> Result<BTreeMap<RecipeId, Recipe>, WorkflowError> {
    let mut recipes = BTreeMap::new();
    for id in tests.iter().filter_map(|test| test.recipe.as_ref()) {
        if !recipes.contains_key(id)
            && let Some(stored) = store.recipe(id, root)?
        {
            if !Path::new(&stored.recipe.java_home).is_dir() {
                return Err(WorkflowError::JdkGone(stored.recipe.java_home));
            }
            recipes.insert(id.clone(), stored.recipe);
        }
    }
    Ok(recipes)
}

pub(crate) fn recipe_of<'r>(
    test: &StoredTest,
    recipes: &'r BTreeMap<RecipeId, Recipe>,
) -> Option<&'r Recipe> {
    test.recipe.as_ref().and_then(|id| recipes.get(id))
}

/// Has tests share the newest of recipes that differ in their environment only, where those are of one
/// JVM at different times: a build from another terminal brings other variables, and may have run some
/// classes only. Two that the same run has used are of different JVMs.
pub(crate) fn join_recipes(tests: &mut [StoredTest], recipes: &BTreeMap<RecipeId, Recipe>) {
    let mut used: BTreeMap<&RecipeId, (&str, BTreeSet<i64>)> = BTreeMap::new();
    for test in tests.iter() {
        if let Some(id) = &test.recipe {
            let (_, runs) = used.entry(id).or_insert((&test.module, BTreeSet::new()));
            runs.insert(test.last_run.number());
        }
    }
    let used = used.into_iter().filter_map(|(id, (module, runs))| {
        let recipe = Recipe {
            environment: BTreeMap::new(),
            ..recipes.get(id)?.clone()
        };
        Some((id.clone(), (module.to_owned(), recipe), runs))
    });
    let newest = newest_alike(used.collect());
    for test in tests {
        if let Some(newer) = test.recipe.as_ref().and_then(|id| newest.get(id)) {
            test.recipe = Some(newer.clone());
        }
    }
}

/// For each key, that of the newest with an equal value, if no two of these share a run.
fn newest_alike<K: Ord + Clone, V: PartialEq>(used: Vec<(K, V, BTreeSet<i64>)>) -> BTreeMap<K, K> {
    let mut newest = BTreeMap::new();
    for (key, value, _) in &used {
        let alike: Vec<_> = used.iter().filter(|(_, other, _)| other == value).collect();
        let runs: BTreeSet<i64> = alike
            .iter()
            .flat_map(|(_, _, runs)| runs)
            .copied()
            .collect();
        let apart = alike.iter().map(|(_, _, runs)| runs.len()).sum::<usize>() == runs.len();
        let last = alike.iter().max_by_key(|(_, _, runs)| runs.last());
        if let Some((last, ..)) = last.filter(|_| apart) {
            newest.insert(key.clone(), last.clone());
        }
    }
    newest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A recipe a word: its name, what it is but for the environment, and runs that used it.
    fn check(used: &[(&str, &str, &[i64])], expected: &[(&str, &str)]) {
        let used = used.iter().map(|(key, value, runs)| {
            let runs: BTreeSet<i64> = runs.iter().copied().collect();
            (key.to_string(), *value, runs)
        });
        let expected = expected
            .iter()
            .map(|(key, newest)| (key.to_string(), newest.to_string()));
        assert_eq!(newest_alike(used.collect()), expected.collect());
    }

    #[test]
    fn classes_that_ran_at_different_times_share_the_newest_recipe() {
        check(
            &[("a", "x", &[1, 2]), ("b", "x", &[5]), ("c", "y", &[3])],
            &[("a", "b"), ("b", "b"), ("c", "c")],
        );
    }

    #[test]
    fn two_jvms_of_one_run_stay_apart() {
        check(&[("a", "x", &[1, 2]), ("b", "x", &[2])], &[]);
    }
}
