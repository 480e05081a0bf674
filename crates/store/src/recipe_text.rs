//! A recipe as stored text. The JSON has a shape of its own, so that the model can change without
//! touching what is on users' disks.
//!
//! Where the project lies is left open in it, so that a recipe starts the JVM of this very copy of a
//! project and not that of the one which it was copied or moved from.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

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
    /// Texts have a sign where the project's directory was; those of older versions have none.
    #[serde(default)]
    leaves_project_open: bool,
}

/// Stands for the project's directory. No path, flag or variable can hold it.
const PROJECT: char = '\0';

/// A recipe ready to be stored.
pub struct RecipeText {
    pub id: RecipeId,
    pub content: String,
}

pub fn write(module: &str, recipe: &Recipe, root: &Path) -> RecipeText {
    let mut recipe = recipe.clone();
    let leaves_project_open = leave_open(&mut recipe, root);
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
        leaves_project_open,
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

pub fn read(content: &str, root: &Path) -> Result<Recipe, serde_json::Error> {
    let content: Content = serde_json::from_str(content)?;
    let mut recipe = Recipe {
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
    };
    if content.leaves_project_open {
        let root = root.to_string_lossy();
        for text in texts(&mut recipe).filter(|text| text.contains(PROJECT)) {
            *text = text.replace(PROJECT, &root);
        }
    }
    Ok(recipe)
}

/// Takes the project's directory out of a recipe; false if that is not possible.
fn leave_open(recipe: &mut Recipe, root: &Path) -> bool {
    let (Some(name), Some(_), true) = (root.to_str(), root.parent(), root.is_absolute()) else {
        return false;
    };
    if texts(recipe).any(|text| text.contains(PROJECT)) {
        return false;
    }
    for text in texts(recipe).filter(|text| text.contains(name)) {
        *text = without(name, text);
    }
    true
}

/// Puts the sign for the project in place of its directory, but not of one whose path merely looks alike.
fn without(root: &str, text: &str) -> String {
    let is_part_of_name = |letter: char| letter.is_alphanumeric() || "._-~".contains(letter);
    let mut open = String::with_capacity(text.len());
    let mut copied = 0;
    for (at, _) in text.match_indices(root) {
        let before = text[..at].chars().next_back();
        let after = text[at + root.len()..].chars().next();
        if !before.is_some_and(is_part_of_name) && !after.is_some_and(is_part_of_name) {
            open.push_str(&text[copied..at]);
            open.push(PROJECT);
            copied = at + root.len();
        }
    }
    open.push_str(&text[copied..]);
    open
}

/// Everything in a recipe that may name a place in the project.
fn texts(recipe: &mut Recipe) -> impl Iterator<Item = &mut String> {
    std::iter::once(&mut recipe.working_directory)
        .chain(&mut recipe.class_path)
        .chain(&mut recipe.module_path)
        .chain(&mut recipe.module_flags)
        .chain(&mut recipe.jvm_flags)
        .chain(recipe.properties.values_mut())
        .chain(recipe.environment.values_mut())
        .chain(recipe.launcher_parameters.values_mut())
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
        for root in ["/p", "/elsewhere", "/", "p", ""] {
            let text = write("core", &recipe(), Path::new(root));
            let read = read(&text.content, Path::new(root)).unwrap();
            assert_eq!(read, recipe(), "{root}");
        }
    }

    #[test]
    fn a_recipe_follows_its_project_to_another_place() {
        let text = write("core", &recipe(), Path::new("/p"));
        let moved = read(&text.content, Path::new("/new place")).unwrap();
        assert_eq!(moved.working_directory, "/new place/söme where");
        assert_eq!(moved.class_path, ["/new place/a.jar", "/new place/b c.jar"]);
        assert_eq!(moved.module_path, ["/new place/m.jar"]);
        assert_eq!(moved.properties["basedir"], "/new place");
        assert_eq!(moved.java_home, "/jdk");
        // So it has the same name everywhere.
        assert_eq!(text.id, write("core", &moved, Path::new("/new place")).id);
    }

    #[test]
    fn only_the_directory_of_the_project_is_left_open() {
        let open = |text: &str| without("/p/q", text).replace(PROJECT, "*");
        assert_eq!(open("/p/q"), "*");
        assert_eq!(open("/p/q/a:/p/q:file:/p/q/b"), "*/a:*:file:*/b");
        assert_eq!(open("-Dx=/p/q -Dy"), "-Dx=* -Dy");
        assert_eq!(
            open("/p/qq /p/q-2 /p/q.old /x/p/q"),
            "/p/qq /p/q-2 /p/q.old /x/p/q"
        );
    }

    #[test]
    fn a_text_with_the_sign_in_it_comes_back_as_it_was() {
        let mut odd = recipe();
        odd.properties.insert("nul".into(), "a\0b".into());
        let text = write("core", &odd, Path::new("/p"));
        assert_eq!(read(&text.content, Path::new("/elsewhere")).unwrap(), odd);
    }

    #[test]
    fn the_id_follows_the_content_and_the_module() {
        let id = |module: &str, recipe: &Recipe| write(module, recipe, Path::new("/p")).id;
        let mut changed = recipe();
        changed.class_path.reverse();
        assert_eq!(id("core", &recipe()), id("core", &recipe()));
        assert_ne!(id("core", &recipe()), id("app", &recipe()));
        assert_ne!(id("core", &recipe()), id("core", &changed));
    }
}
