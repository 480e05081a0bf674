//! Jars that the build made of the project's own classes, seen as the directories they were made
//! from.
//!
//! In later phases of a build a module meets its siblings as jars. Their classes are the
//! project's all the same, and the directories are newer: they follow every compilation.

use std::borrow::Cow;
use std::fs::File;
use std::path::{Path, PathBuf};

use jury_model::Recipe;
use zip::ZipArchive;

/// Replaces the jars of a recipe's class path that were made from directories of the project.
pub(super) fn see_through_jars(recipe: &mut Recipe, root: &Path) {
    let seen_through = |path: &String| {
        let jar = Path::new(path);
        let own = jar.starts_with(root) && jar.extension().is_some_and(|end| end == "jar");
        match own.then(|| origin(jar)).flatten() {
            Some(directories) => directories,
            None => vec![path.clone()],
        }
    };
    recipe.class_path = recipe.class_path.iter().flat_map(seen_through).collect();
    // A jar on the module path may owe its module's name to its own; a directory has a descriptor.
    recipe.module_path = recipe
        .module_path
        .iter()
        .flat_map(|path| {
            let directories = seen_through(path);
            let is_module =
                |directory: &String| Path::new(directory).join("module-info.class").is_file();
            match &directories[..] {
                [directory] if is_module(directory) => directories,
                _ => vec![path.clone()],
            }
        })
        .collect();
}

/// The directories that hold all that is in a jar; none if something came from elsewhere, as in a
/// jar with its dependencies inside.
fn origin(jar: &Path) -> Option<Vec<String>> {
    let archive = ZipArchive::new(File::open(jar).ok()?).ok()?;
    let names: Vec<Cow<'_, str>> = archive.file_names().collect::<Result<_, _>>().ok()?;
    let contents: Vec<&str> = names
        .iter()
        .map(AsRef::as_ref)
        .filter(|name| !name.ends_with('/') && !is_added_by_packaging(name))
        .collect();
    candidates(jar.parent()?)
        .into_iter()
        .find(|directories| {
            let is_here = |name: &str| directories.iter().any(|place| place.join(name).is_file());
            !contents.is_empty() && contents.iter().all(|name| is_here(name))
        })
        .map(|directories| {
            let texts = directories.iter().map(|path| path.display().to_string());
            texts.collect()
        })
}

fn is_added_by_packaging(name: &str) -> bool {
    matches!(name, "META-INF/MANIFEST.MF" | "META-INF/INDEX.LIST")
        || name.starts_with("META-INF/maven/")
}

/// Where build tools keep what they pack, seen from where they put the jar: Maven's `target`, then
/// Gradle's `build/libs`.
fn candidates(place: &Path) -> Vec<Vec<PathBuf>> {
    let gradle = |part: &str| {
        let languages = ["java", "kotlin", "groovy", "scala"];
        let classes = languages.map(|language| format!("../classes/{language}/{part}"));
        let resources = format!("../resources/{part}");
        let all = classes.into_iter().chain([resources]);
        all.map(|path| place.join(path))
            .filter_map(|path| path.canonicalize().ok())
            .collect()
    };
    vec![
        vec![place.join("classes")],
        vec![place.join("test-classes")],
        gradle("main"),
        gradle("test"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_model::LaunchedBy;
    use std::fs;
    use std::io::Write;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    fn write(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    fn pack(jar: &Path, names: &[&str]) {
        fs::create_dir_all(jar.parent().unwrap()).unwrap();
        let mut zip = ZipWriter::new(File::create(jar).unwrap());
        for name in names {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(b"").unwrap();
        }
        zip.finish().unwrap();
    }

    /// The class path that becomes of a single jar in a project with these files.
    fn check(files: &[&str], jar: &str, entries: &[&str], expected: &[&str]) {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        files.iter().for_each(|file| write(&root.join(file)));
        pack(&root.join(jar), entries);
        let path = |name: &str| root.join(name).display().to_string();
        let mut recipe = Recipe {
            launched_by: LaunchedBy::Surefire,
            java_home: String::new(),
            java_version: String::new(),
            working_directory: String::new(),
            class_path: vec![path(jar)],
            module_path: vec![path(jar)],
            module_flags: Vec::new(),
            jvm_flags: Vec::new(),
            properties: Default::default(),
            environment: Default::default(),
            launcher_parameters: Default::default(),
            jvm_per_class: false,
        };
        see_through_jars(&mut recipe, &root);
        let expected: Vec<String> = expected.iter().map(|name| path(name)).collect();
        assert_eq!(recipe.class_path, expected);
        let modular = entries.contains(&"module-info.class");
        assert_eq!(
            recipe.module_path == expected,
            modular || expected == [path(jar)]
        );
    }

    #[test]
    fn a_jar_of_mavens_is_its_classes() {
        let entries = [
            "META-INF/MANIFEST.MF",
            "META-INF/maven/x/pom.xml",
            "a/B.class",
        ];
        let files = ["core/target/classes/a/B.class"];
        check(
            &files,
            "core/target/core-1.jar",
            &entries,
            &["core/target/classes"],
        );
        let files = [
            "core/target/test-classes/a/B.class",
            "core/target/classes/a/C.class",
        ];
        check(
            &files,
            "core/target/core-1-tests.jar",
            &entries,
            &["core/target/test-classes"],
        );
    }

    #[test]
    fn a_jar_of_gradles_is_its_classes_and_resources() {
        let files = [
            "app/build/classes/java/main/a/B.class",
            "app/build/resources/main/x.txt",
        ];
        check(
            &files,
            "app/build/libs/app.jar",
            &["a/B.class", "x.txt"],
            &["app/build/classes/java/main", "app/build/resources/main"],
        );
    }

    #[test]
    fn a_module_stays_a_module() {
        let files = ["target/classes/module-info.class"];
        check(
            &files,
            "target/a.jar",
            &["module-info.class"],
            &["target/classes"],
        );
    }

    #[test]
    fn a_jar_with_other_things_inside_stays_a_jar() {
        let files = ["target/classes/a/B.class"];
        check(
            &files,
            "target/fat.jar",
            &["a/B.class", "lib/C.class"],
            &["target/fat.jar"],
        );
        check(&[], "lib/other.jar", &["a/B.class"], &["lib/other.jar"]);
        check(
            &files,
            "target/empty.jar",
            &["META-INF/MANIFEST.MF"],
            &["target/empty.jar"],
        );
    }
}
