//! Maven reactors: which POM lists which modules.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::xml;

pub const POM: &str = "pom.xml";

/// The topmost directory whose POM, directly or through others, lists `directory` as a module.
/// Maven started there builds all that belongs together.
pub fn reactor_root(directory: &Path) -> PathBuf {
    let mut root = directory;
    for ancestor in directory.ancestors().skip(1) {
        if listed_modules(ancestor).iter().any(|module| module == root) {
            root = ancestor;
        }
    }
    root.to_path_buf()
}

/// All module directories of the reactor at `root`, the root first. Modules of profiles count,
/// active or not; modules whose directory is missing do not.
pub fn module_directories(root: &Path) -> Vec<PathBuf> {
    let mut seen = BTreeSet::from([root.to_path_buf()]);
    let mut directories = vec![root.to_path_buf()];
    let mut next = 0;
    while let Some(directory) = directories.get(next) {
        let modules = listed_modules(directory);
        directories.extend(
            modules
                .into_iter()
                .filter(|module| seen.insert(module.clone())),
        );
        next += 1;
    }
    directories
}

/// Directories that the POM in `directory` lists as its modules. A POM that cannot be read lists
/// none; Maven will say what is wrong with it.
fn listed_modules(directory: &Path) -> Vec<PathBuf> {
    let Ok(pom) = xml::read_build_file(&directory.join(POM)) else {
        return Vec::new();
    };
    // Maven 4 says `subproject` where Maven 3 says `module`.
    xml::texts(&pom, &["module", "subproject"], |parents| {
        let parents: Vec<&str> = parents.iter().map(String::as_str).collect();
        matches!(
            parents[..],
            ["project", "modules" | "subprojects"]
                | ["project", "profiles", "profile", "modules" | "subprojects"]
        )
    })
    .iter()
    .filter_map(|module| module_directory(directory, module))
    .collect()
}

/// A `<module>` names a directory or a POM file, relative to the POM that lists it.
fn module_directory(directory: &Path, module: &str) -> Option<PathBuf> {
    let path = without_dots(&directory.join(module.replace('\\', "/")));
    if path.is_file() {
        path.parent().map(Path::to_path_buf)
    } else {
        path.join(POM).is_file().then_some(path)
    }
}

/// Resolves `.` and `..` by their names alone, as Maven does.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
