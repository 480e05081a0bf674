//! A recipe as stored text. The JSON has a shape of its own, so that the model can change without
//! touching what is on users' disks.

use std::collections::BTreeMap;
use std::fmt;

use jury_model::{LaunchedBy, Recipe};
use serde::{Deserialize, Serialize};

/// Names a recipe by its content: equal recipes of one module have equal ids on every machine.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecipeId(pub(crate) String);

impl RecipeId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RecipeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Field order and sorted maps make the text canonical. Who launched the JVM has a column of its
/// own but is repeated here, so that the id covers it.
#[derive(Serialize, Deserialize)]
struct Content {
    launched_by: String,
    java_home: String,
    java_version: String,
    working_directory: String,
    class_path: Vec<String>,
    module_path: Vec<String>,
    module_flags: Vec<String>,
    jvm_flags: Vec<String>,
    properties: BTreeMap<String, String>,
    environment: BTreeMap<String, String>,
    launcher_parameters: BTreeMap<String, String>,
    #[serde(default)]
    jvm_per_class: bool,
}

/// A recipe ready to be stored.
pub struct RecipeText {
    pub id: RecipeId,
    pub content: String,
}

pub fn write(module: &str, recipe: &Recipe) -> RecipeText {
    let content = serde_json::to_string(&Content {
        launched_by: recipe.launched_by.word().into(),
        java_home: recipe.java_home.clone(),
        java_version: recipe.java_version.clone(),
        working_directory: recipe.working_directory.clone(),
        class_path: recipe.class_path.clone(),
        module_path: recipe.module_path.clone(),
        module_flags: recipe.module_flags.clone(),
        jvm_flags: recipe.jvm_flags.clone(),
        properties: recipe.properties.clone(),
        environment: recipe.environment.clone(),
        launcher_parameters: recipe.launcher_parameters.clone(),
        jvm_per_class: recipe.jvm_per_class,
    })
    .expect("texts and maps of texts"); // ok: JSON refuses only other kinds of map keys
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(module.as_bytes())
        .update(&[0])
        .update(content.as_bytes());
    RecipeText {
        id: RecipeId(hasher.finalize().to_hex().to_string()),
        content,
    }
}

pub fn read(content: &str) -> Result<Recipe, serde_json::Error> {
    let content: Content = serde_json::from_str(content)?;
    Ok(Recipe {
        launched_by: LaunchedBy::from_word(&content.launched_by).unwrap_or(LaunchedBy::Other),
        java_home: content.java_home,
        java_version: content.java_version,
        working_directory: content.working_directory,
        class_path: content.class_path,
        module_path: content.module_path,
        module_flags: content.module_flags,
        jvm_flags: content.jvm_flags,
        properties: content.properties,
        environment: content.environment,
        launcher_parameters: content.launcher_parameters,
        jvm_per_class: content.jvm_per_class,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe() -> Recipe {
        Recipe {
            launched_by: LaunchedBy::Surefire,
            java_home: "/jdk".into(),
            java_version: "17.0.1".into(),
            working_directory: "/p/söme where".into(),
            class_path: vec!["/p/a.jar".into(), "/p/b c.jar".into()],
            module_path: vec!["/p/m.jar".into()],
            module_flags: vec!["--add-opens=java.base/java.lang=ALL-UNNAMED".into()],
            jvm_flags: vec!["-Xmx1g".into()],
            properties: [("basedir".to_string(), "/p".to_string())].into(),
            environment: [("LANG".to_string(), "C".to_string())].into(),
            launcher_parameters: [("k".to_string(), "v".to_string())].into(),
            jvm_per_class: true,
        }
    }

    #[test]
    fn a_recipe_comes_back_as_it_was() {
        let text = write("core", &recipe());
        assert_eq!(read(&text.content).unwrap(), recipe());
    }

    #[test]
    fn the_id_follows_the_content_and_the_module() {
        let id = |module: &str, recipe: &Recipe| write(module, recipe).id;
        let mut changed = recipe();
        changed.class_path.reverse();
        assert_eq!(id("core", &recipe()), id("core", &recipe()));
        assert_ne!(id("core", &recipe()), id("app", &recipe()));
        assert_ne!(id("core", &recipe()), id("core", &changed));
    }
}
