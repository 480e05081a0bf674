//! Finds the source of a class near its class file, by the layouts build tools use.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use jury_mutate::ClassMutants;

/// Where sources lie, seen from a module's directory.
const SOURCE_ROOTS: [&str; 10] = [
    "src/main/java",
    "src/main/kotlin",
    "src/main/groovy",
    "src/main/scala",
    "src/java",
    "src/test/java",
    "src/test/kotlin",
    "src/test/groovy",
    "src",
    "test",
];

/// Where Maven's and Gradle's generators write, seen from there.
const GENERATED_ROOTS: [&str; 4] = [
    "target/generated-sources",
    "target/generated-test-sources",
    "build/generated",
    "build/generated-sources",
];

/// The source of a class.
pub(crate) struct Source {
    /// Relative to the project; none if it lies elsewhere.
    pub path: Option<String>,
    pub text: String,
}

/// Finds the source of a class; none if it is not where a build tool would expect it.
pub(crate) fn source_of(root: &Path, classes: &Path, class: &ClassMutants) -> Option<Source> {
    let path = written_source(classes, class)
        .or_else(|| GeneratedSources::beside(classes).source_of(class))?;
    Some(Source {
        text: fs::read_to_string(&path).ok()?,
        path: relative(root, &path),
    })
}

/// The source of a class among those that people write.
fn written_source(classes: &Path, class: &ClassMutants) -> Option<PathBuf> {
    let file = Path::new(file_name(class)?);
    let package = Path::new(&class.name).parent()?;
    modules(classes)
        .flat_map(|module| SOURCE_ROOTS.map(|root| module.join(root)))
        .map(|root| root.join(package).join(file))
        .find(|path| path.is_file())
}

/// The name comes out of a class file and must not lead anywhere else.
fn file_name(class: &ClassMutants) -> Option<&str> {
    let file = class.source_file.as_deref()?;
    (!file.contains(['/', '\\']) && file != "..").then_some(file)
}

/// Directories of modules that class files may belong to.
fn modules(classes: &Path) -> impl Iterator<Item = &Path> {
    classes.ancestors().take(4)
}

/// What annotation processors and other generators wrote while a module was built. Their mark in the
/// source, `@Generated`, does not always reach class files.
pub(crate) struct GeneratedSources {
    /// By the names of the files.
    directories: HashMap<OsString, Vec<PathBuf>>,
}

impl GeneratedSources {
    /// Those of the module to which class files belong.
    pub fn beside(classes: &Path) -> Self {
        let mut directories: HashMap<OsString, Vec<PathBuf>> = HashMap::new();
        let mut pending: Vec<PathBuf> = modules(classes)
            .flat_map(|module| GENERATED_ROOTS.map(|root| module.join(root)))
            .collect();
        while let Some(directory) = pending.pop() {
            let entries = fs::read_dir(&directory).into_iter().flatten().flatten();
            for entry in entries {
                match entry.file_type() {
                    // Links are not followed: they may lead round in a circle.
                    Ok(kind) if kind.is_dir() => pending.push(entry.path()),
                    Ok(kind) if kind.is_file() => directories
                        .entry(entry.file_name())
                        .or_default()
                        .push(directory.clone()),
                    _ => {}
                }
            }
        }
        GeneratedSources { directories }
    }

    /// Whether a class comes from one of them rather than from what people wrote.
    pub fn include(&self, classes: &Path, class: &ClassMutants) -> bool {
        self.source_of(class).is_some() && written_source(classes, class).is_none()
    }

    fn source_of(&self, class: &ClassMutants) -> Option<PathBuf> {
        let file = file_name(class)?;
        let package = Path::new(&class.name).parent()?;
        let directories = self.directories.get(OsStr::new(file))?;
        let own = directories.iter().filter(|each| each.ends_with(package));
        Some(own.min()?.join(file))
    }
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    let inside = path.strip_prefix(root).ok()?;
    let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
    Some(parts.join("/"))
}

/// The module that a directory of class files belongs to: what stands before its build output.
pub(crate) fn module_of(root: &Path, classes: &Path) -> String {
    let Ok(inside) = classes.strip_prefix(root) else {
        return classes.display().to_string();
    };
    let parts: Vec<String> = inside
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .take_while(|part| !["target", "build", "out", "bin", "classes"].contains(&part.as_str()))
        .collect();
    if parts.is_empty() {
        ".".to_owned()
    } else {
        parts.join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_classfile::Access;

    fn class() -> ClassMutants {
        ClassMutants {
            name: "a/B".into(),
            source_file: Some("B.java".into()),
            access: Access(0),
            methods: Vec::new(),
        }
    }

    fn write(project: &Path, directory: &str) {
        let sources = project.join(directory);
        fs::create_dir_all(&sources).unwrap();
        fs::write(sources.join("B.java"), "class B {}").unwrap();
    }

    #[test]
    fn a_source_has_its_path_within_the_project() {
        let project = tempfile::tempdir().unwrap();
        write(project.path(), "core/src/main/java/a");
        let classes = project.path().join("core/target/classes");
        let source = source_of(project.path(), &classes, &class()).unwrap();
        assert_eq!(source.path.as_deref(), Some("core/src/main/java/a/B.java"));
        assert_eq!(source.text, "class B {}");
    }

    #[test]
    fn what_only_a_generator_wrote_is_generated_and_still_has_a_source() {
        let project = tempfile::tempdir().unwrap();
        let classes = project.path().join("core/target/classes");
        let generated = "core/target/generated-sources/annotations/a";
        write(project.path(), generated);
        assert!(GeneratedSources::beside(&classes).include(&classes, &class()));
        let source = source_of(project.path(), &classes, &class()).unwrap();
        assert_eq!(source.path, Some(format!("{generated}/B.java")));

        let elsewhere = ClassMutants {
            name: "b/B".into(),
            ..class()
        };
        assert!(!GeneratedSources::beside(&classes).include(&classes, &elsewhere));

        write(project.path(), "core/src/main/java/a");
        assert!(!GeneratedSources::beside(&classes).include(&classes, &class()));
    }

    #[test]
    fn a_module_is_what_stands_before_its_build_output() {
        let root = Path::new("/p");
        assert_eq!(module_of(root, Path::new("/p/target/classes")), ".");
        assert_eq!(
            module_of(root, Path::new("/p/a/core/target/classes")),
            "a/core"
        );
        assert_eq!(
            module_of(root, Path::new("/p/app/build/classes/java/main")),
            "app"
        );
    }
}
