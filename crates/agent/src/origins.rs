//! Where the project's own classes come from: directories on the JVM's paths, and jars of the
//! project itself. A class found in none of them is the JDK's, a library's, or made at run time,
//! and changes only with something that is known anyway.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use jury_protocol::Launch;
use zip::ZipArchive;

pub struct Origins {
    /// In the order in which the JVM searches.
    entries: Vec<Origin>,
}

struct Origin {
    path: String,
    holds: Holds,
}

enum Holds {
    /// Looked into anew for each class: a build may still be filling it.
    Files(PathBuf),
    /// Class files by name, read when first needed.
    Entries(OnceLock<HashSet<String>>),
}

impl Origins {
    pub fn of(launch: &Launch, root: &Path) -> Self {
        let root = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let patches = launch
            .module_flags
            .iter()
            .filter_map(|flag| flag.strip_prefix("--patch-module=")?.split_once('='))
            .flat_map(|(_, paths)| paths.split(':'))
            .map(|path| Path::new(&launch.working_directory).join(path))
            .map(|path| path.to_string_lossy().into_owned());
        let paths = launch.class_path.iter().chain(&launch.module_path).cloned();
        let mut seen = HashSet::new();
        Self {
            entries: patches
                .chain(paths)
                .filter(|path| seen.insert(path.clone()))
                .filter_map(|path| origin(path, &root))
                .collect(),
        }
    }

    /// The first entry of the JVM's paths that holds a class, named in VM form.
    pub fn of_class(&self, class: &str) -> Option<&str> {
        let file = format!("{class}.class");
        self.entries
            .iter()
            .find(|origin| match &origin.holds {
                Holds::Files(directory) => directory.join(&file).is_file(),
                Holds::Entries(names) => names
                    .get_or_init(|| class_files(Path::new(&origin.path)))
                    .contains(&file),
            })
            .map(|origin| origin.path.as_str())
    }
}

/// What is no file may yet become a directory.
fn origin(path: String, root: &Path) -> Option<Origin> {
    let holds = if !Path::new(&path).is_file() {
        Holds::Files(PathBuf::from(&path))
    } else if fs::canonicalize(&path).is_ok_and(|jar| jar.starts_with(root)) {
        Holds::Entries(OnceLock::new())
    } else {
        return None;
    };
    Some(Origin { path, holds })
}

/// A jar that cannot be read holds no class for the JVM either.
fn class_files(jar: &Path) -> HashSet<String> {
    let archive = File::open(jar)
        .ok()
        .and_then(|file| ZipArchive::new(file).ok());
    let Some(archive) = archive else {
        return HashSet::new();
    };
    archive
        .file_names()
        .filter_map(|name| Some(name.ok()?.into_owned()))
        .filter(|name| name.ends_with(".class"))
        .collect()
}

#[cfg(test)]
mod tests {
    use jury_model::LaunchedBy;

    use super::*;
    use crate::manifest::tests::write_jar;

    struct Project {
        directory: tempfile::TempDir,
    }

    impl Project {
        fn new() -> Self {
            let project = Self {
                directory: tempfile::tempdir().unwrap(),
            };
            for class in ["main/a/Main", "test/a/MainTest", "patch/a/Main"] {
                let file = project.path(&format!("root/{class}.class"));
                fs::create_dir_all(Path::new(&file).parent().unwrap()).unwrap();
                fs::write(file, "").unwrap();
            }
            for jar in ["root/own.jar", "library.jar"] {
                let jar = project.path(jar);
                write_jar(
                    Path::new(&jar),
                    &[("b/InJar.class", ""), ("a/Main.class", "")],
                );
            }
            project
        }

        fn path(&self, name: &str) -> String {
            self.directory.path().join(name).display().to_string()
        }

        fn check(&self, class_path: &[&str], patch: &str, class: &str, expected: Option<&str>) {
            let launch = Launch {
                pid: 1,
                launched_by: LaunchedBy::Other,
                java_home: String::new(),
                java_version: String::new(),
                working_directory: self.path("root"),
                class_path: class_path.iter().map(|entry| self.path(entry)).collect(),
                module_path: Vec::new(),
                module_flags: vec![format!("--patch-module=a.b={patch}")],
                jvm_flags: Vec::new(),
                environment: Default::default(),
                runner_settings: Default::default(),
            };
            let origins = Origins::of(&launch, Path::new(&self.path("root")));
            let expected = expected.map(|entry| self.path(entry));
            assert_eq!(origins.of_class(class), expected.as_deref(), "{class}");
        }
    }

    #[test]
    fn the_first_directory_that_holds_a_class_is_its_origin() {
        let path = ["root/test", "root/main", "root/own.jar"];
        let project = Project::new();
        project.check(&path, "", "a/Main", Some("root/main"));
        project.check(&path, "", "a/MainTest", Some("root/test"));
        project.check(&path, "", "b/InJar", Some("root/own.jar"));
        project.check(&path, "", "a/Other", None);
    }

    #[test]
    fn jars_from_outside_the_project_are_libraries() {
        let path = ["library.jar", "root/own.jar"];
        Project::new().check(&path, "", "b/InJar", Some("root/own.jar"));
        Project::new().check(&path[..1], "", "b/InJar", None);
    }

    #[test]
    fn a_patched_module_is_searched_first() {
        Project::new().check(&["root/main"], "none:patch", "a/Main", Some("root/patch"));
    }

    #[test]
    fn a_directory_may_come_into_being_later() {
        let project = Project::new();
        let launch_path = ["root/later"];
        project.check(&launch_path, "", "a/Late", None);
        fs::create_dir_all(project.path("root/later/a")).unwrap();
        fs::write(project.path("root/later/a/Late.class"), "").unwrap();
        project.check(&launch_path, "", "a/Late", Some("root/later"));
    }
}
