//! What changed since a revision of the repository, and whether a unit uses it.
//!
//! This only ever adds units to those that run: a unit that no evidence covers runs anyway. So it
//! goes by names of source files, and takes a class whose source is not plain for any of its package.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use jury_history::{HistoryError, changes_since};
use jury_model::Recipe;
use jury_select::{Catalogue, Row, Subject};

use super::class_path::plain_name;
use super::places::plain;
use super::surroundings::is_build_file;

const SOURCES: [&str; 4] = ["java", "kt", "groovy", "scala"];

#[derive(Debug)]
pub(crate) struct Since {
    revision: String,
    root: PathBuf,
    /// Paths from the root.
    changed: BTreeSet<PathBuf>,
    /// Directories with source files of a name, by the name without its ending.
    sources: HashMap<OsString, Vec<PathBuf>>,
}

impl Since {
    pub fn revision(root: &Path, revision: &str) -> Result<Self, HistoryError> {
        let changed = changes_since(root, revision)?.into_keys();
        Ok(Since {
            revision: revision.to_owned(),
            root: root.to_owned(),
            changed: changed.map(PathBuf::from).collect(),
            sources: HashMap::new(),
        })
    }

    /// The same, knowing the source files among these files of the project.
    pub fn with_sources<'p>(mut self, files: impl Iterator<Item = &'p Path>) -> Self {
        for file in files.filter(|file| source_kind(file).is_some()) {
            if let (Some(name), Some(directory)) = (file.file_stem(), file.parent()) {
                let places = self.sources.entry(name.to_owned()).or_default();
                places.push(directory.to_owned());
            }
        }
        self
    }

    pub fn is_empty(&self) -> bool {
        self.changed.is_empty()
    }

    /// Why a unit with this row counts as affected; none if it does not.
    pub fn reason(&self, row: &Row, catalogue: &Catalogue, recipe: &Recipe) -> Option<String> {
        let used = |path: &Path| self.is_used(path, row, catalogue, recipe);
        let path = self.changed.iter().find(|path| used(path))?;
        let (path, revision) = (path.display(), &self.revision);
        Some(format!(
            "`{path}` changed since `{revision}`; the test uses it"
        ))
    }

    fn is_used(&self, path: &Path, row: &Row, catalogue: &Catalogue, recipe: &Recipe) -> bool {
        is_build_file(&self.root.join(path), &self.root)
            || (row.uses().iter())
                .any(|(class, _)| self.may_hold(path, &catalogue.class_version(*class).key.name))
            || (row.facts().iter())
                .any(|fact| self.is_about(path, &catalogue.fact_seen(*fact).subject, recipe))
    }

    /// Whether a source file may be that of a class, in VM form.
    fn may_hold(&self, path: &Path, class: &str) -> bool {
        let Some(kind) = source_kind(path) else {
            return false;
        };
        let (package, name) = class.rsplit_once('/').unwrap_or(("", class));
        let outermost = name.split('$').next().unwrap_or(name);
        let stem = path.file_stem().unwrap_or_default();
        let directory = path.parent().unwrap_or(Path::new(""));
        if !directory.ends_with(package) {
            // Only Java ties packages to directories.
            return kind != "java" && stem == outermost.strip_suffix("Kt").unwrap_or(outermost);
        }
        let places = self.sources.get(OsStr::new(outermost));
        let has_own_source = (places.into_iter().flatten()).any(|place| place.ends_with(package));
        stem == outermost || !has_own_source
    }

    fn is_about(&self, path: &Path, subject: &Subject, recipe: &Recipe) -> bool {
        let place = |name: &str| plain(&Path::new(&recipe.working_directory).join(name));
        let path_here = self.root.join(path);
        match subject {
            Subject::File(name) => place(name) == path_here,
            Subject::Directory(name) => path_here.parent() == Some(&place(name)),
            Subject::Resource(name) => plain_name(name).is_some_and(|name| {
                let is_named = |path: &Path| !name.is_empty() && path.ends_with(&name);
                is_named(path) || path.parent().is_some_and(is_named)
            }),
            Subject::MissingClass(_) | Subject::Variable(_) | Subject::Launch(_) => false,
        }
    }
}

/// The ending of a source file; none if it is another file.
fn source_kind(path: &Path) -> Option<&str> {
    let kind = path.extension()?.to_str()?;
    SOURCES.contains(&kind).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A project with these files, all of which have changed.
    fn since(files: &[&str]) -> Since {
        let since = Since {
            revision: "main".into(),
            root: PathBuf::from("/p"),
            changed: files.iter().map(PathBuf::from).collect(),
            sources: HashMap::new(),
        };
        since.with_sources(files.iter().map(Path::new))
    }

    #[test]
    fn a_class_comes_from_the_file_of_its_name_or_from_any_of_its_package_if_there_is_none() {
        let since = since(&[
            "src/main/java/shop/Tax.java",
            "src/test/java/shop/Basket.java",
            "src/main/kotlin/cart.kt",
        ]);
        let holds = |path: &str, class: &str| since.may_hold(Path::new(path), class);
        let tax = "src/main/java/shop/Tax.java";
        assert!(holds(tax, "shop/Tax"));
        assert!(holds(tax, "shop/Tax$Rate"));
        assert!(!holds(tax, "shop/Basket"));
        assert!(
            holds(tax, "shop/Helper"),
            "it may stand beside another class"
        );
        assert!(!holds(tax, "other/Tax"));
        assert!(holds("src/main/kotlin/cart.kt", "org/shop/cartKt"));
        assert!(!holds("src/main/java/shop/Tax.txt", "shop/Tax"));
    }

    #[test]
    fn files_directories_and_resources_are_found_by_their_paths() {
        let since = since(&["core/data/a.txt"]);
        let recipe = Recipe {
            working_directory: "/p/web".into(),
            ..recipe()
        };
        let path = Path::new("core/data/a.txt");
        let about = |subject: Subject| since.is_about(path, &subject, &recipe);
        assert!(about(Subject::File("../core/data/a.txt".into())));
        assert!(!about(Subject::File("data/a.txt".into())));
        assert!(about(Subject::Directory("../core/data".into())));
        assert!(about(Subject::Resource("/data/a.txt".into())));
        assert!(!about(Subject::Resource("b.txt".into())));
    }

    fn recipe() -> Recipe {
        Recipe {
            launched_by: jury_model::LaunchedBy::Surefire,
            java_home: "/jdk".into(),
            java_version: "17".into(),
            working_directory: "/".into(),
            class_path: vec![],
            module_path: vec![],
            module_flags: vec![],
            jvm_flags: vec![],
            properties: Default::default(),
            environment: Default::default(),
            launcher_parameters: Default::default(),
            jvm_per_class: false,
        }
    }
}
