//! Finds the source of a class near its class file, by the layouts build tools use.

use std::fs;
use std::path::Path;

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

/// The source of a class.
pub(crate) struct Source {
    /// Relative to the project; none if it lies elsewhere.
    pub path: Option<String>,
    pub text: String,
}

/// Finds the source of a class; none if it is not where a build tool would expect it.
pub(crate) fn source_of(root: &Path, classes: &Path, class: &ClassMutants) -> Option<Source> {
    let file = class.source_file.as_ref()?;
    // The name comes out of a class file and must not lead anywhere else.
    if file.contains('/') || file.contains('\\') || file == ".." {
        return None;
    }
    let package = Path::new(&class.name).parent()?;
    classes
        .ancestors()
        .take(4)
        .flat_map(|module| SOURCE_ROOTS.map(|root| module.join(root)))
        .map(|root| root.join(package).join(file))
        .find_map(|path| {
            Some(Source {
                text: fs::read_to_string(&path).ok()?,
                path: relative(root, &path),
            })
        })
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

    #[test]
    fn a_source_has_its_path_within_the_project() {
        let project = tempfile::tempdir().unwrap();
        let sources = project.path().join("core/src/main/java/a");
        fs::create_dir_all(&sources).unwrap();
        fs::write(sources.join("B.java"), "class B {}").unwrap();
        let class = ClassMutants {
            name: "a/B".into(),
            source_file: Some("B.java".into()),
            access: Access(0),
            methods: Vec::new(),
        };
        let classes = project.path().join("core/target/classes");
        let source = source_of(project.path(), &classes, &class).unwrap();
        assert_eq!(source.path.as_deref(), Some("core/src/main/java/a/B.java"));
        assert_eq!(source.text, "class B {}");
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
