//! The recipes that tests need, looked up once.

use std::collections::BTreeMap;
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
