//! How a test's JVM is started, as a hash that is the same on every machine that starts it alike.
//!
//! Left out is what differs from one build or terminal to the next without a meaning for tests:
//! names of temporary files, the state of the shell, and what a CI server tells each job of itself. Everything else counts, even where it
//! probably does not matter; at worst something is run again.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use jury_model::Recipe;
use jury_select::{Digest, Hash128};

use crate::passing_variables::{is_passing, matches};

/// What else says where or when a build ran. A trailing `*` stands for any end.
const OF_THE_BUILD: [&str; 14] = [
    "JAVA_MAIN_CLASS_*",
    "JAVA_TOOL_OPTIONS",
    "MAVEN_CMD_LINE_ARGS",
    "PATH",
    // What the class path is made of counts by content.
    "java.class.path",
    "jdk.module.path",
    "surefire.real.class.path",
    "surefire.test.class.path",
    "java.io.tmpdir",
    "org.gradle.internal.worker.tmpdir",
    "org.gradle.native.*",
    "org.gradle.test.worker",
    "style.color",
    "sun.java.command",
];

/// Hashes of jars and other files outside the project, each read once.
#[derive(Default)]
pub(super) struct Files(HashMap<PathBuf, Hash128>);

impl Files {
    fn content(&mut self, path: &Path) -> Hash128 {
        *self
            .0
            .entry(path.to_owned())
            .or_insert_with(|| Hash128::of(&fs::read(path).unwrap_or_default()))
    }
}

/// `root` is the project, whose own place on the disk does not count.
pub(super) fn launch(recipe: &Recipe, root: &Path, files: &mut Files) -> Hash128 {
    let root = root.to_string_lossy();
    let portable = |text: &str| text.replace(root.as_ref(), "{root}");
    let mut digest = Digest::new("jury launch 1");
    digest.bytes(recipe.java_version.as_bytes());
    digest.hash(files.content(&Path::new(&recipe.java_home).join("release")));
    digest.bytes(portable(&recipe.working_directory).as_bytes());
    for paths in [&recipe.class_path, &recipe.module_path] {
        digest.number(paths.len() as u64);
        for path in paths {
            let path = Path::new(path);
            if path.is_dir() {
                digest.bytes(portable(&path.to_string_lossy()).as_bytes());
            } else {
                // Modules may take their names from their jars.
                let name = path.file_name().unwrap_or_default();
                digest.bytes(name.to_string_lossy().as_bytes());
                digest.hash(files.content(path));
            }
        }
    }
    for flags in [&recipe.module_flags, &recipe.jvm_flags] {
        digest.number(flags.len() as u64);
        for flag in flags {
            digest.bytes(portable(flag).as_bytes());
        }
    }
    for settings in [
        &recipe.properties,
        &recipe.environment,
        &recipe.launcher_parameters,
    ] {
        let lasting: BTreeMap<_, _> = settings
            .iter()
            .filter(|(name, _)| !is_volatile(name))
            .collect();
        digest.number(lasting.len() as u64);
        for (name, value) in lasting {
            digest.bytes(name.as_bytes());
            digest.bytes(portable(value).as_bytes());
        }
    }
    digest.byte(recipe.jvm_per_class.into());
    digest.finish()
}

fn is_volatile(name: &str) -> bool {
    is_passing(name) || matches(&OF_THE_BUILD, name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_model::LaunchedBy;

    fn recipe(root: &Path) -> Recipe {
        let jar = root.join("lib.jar");
        fs::write(&jar, "jar").unwrap();
        let text = |pairs: &[(&str, &str)]| {
            pairs
                .iter()
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect()
        };
        Recipe {
            launched_by: LaunchedBy::Surefire,
            java_home: "/jdk".into(),
            java_version: "17.0.1".into(),
            working_directory: root.display().to_string(),
            class_path: vec![root.display().to_string(), jar.display().to_string()],
            module_path: Vec::new(),
            module_flags: vec!["--add-opens=java.base/java.lang=ALL-UNNAMED".into()],
            jvm_flags: vec!["-Xmx1g".into()],
            properties: text(&[
                ("basedir", &root.display().to_string()),
                ("surefire.real.class.path", "/p/surefirebooter-1.jar"),
            ]),
            environment: text(&[("LANG", "C"), ("SHLVL", "1"), ("SSH_TTY", "/dev/pts/1")]),
            launcher_parameters: BTreeMap::new(),
            jvm_per_class: false,
        }
    }

    fn hash(change: impl FnOnce(&mut Recipe, &Path)) -> Hash128 {
        let root = tempfile::tempdir().unwrap();
        let mut recipe = recipe(root.path());
        change(&mut recipe, root.path());
        launch(&recipe, root.path(), &mut Files::default())
    }

    #[test]
    fn neither_the_place_nor_the_terminal_counts() {
        // Each call has a root of its own.
        let before = hash(|_, _| {});
        let same = hash(|recipe, _| {
            recipe.environment.insert("SHLVL".into(), "7".into());
            recipe.environment.remove("SSH_TTY");
            let colour = ("style.color".to_owned(), "always".to_owned());
            recipe.properties.extend([colour]);
            let booter = "/p/surefirebooter-2.jar".to_owned();
            recipe
                .properties
                .insert("surefire.real.class.path".into(), booter);
        });
        assert_eq!(same, before);
    }

    #[test]
    fn the_number_of_a_job_does_not_count_but_that_it_is_one_does() {
        let with = |name: &str, value: &str| {
            hash(|recipe, _| _ = recipe.environment.insert(name.into(), value.into()))
        };
        for name in ["GITHUB_RUN_ID", "CI_JOB_ID", "BUILD_NUMBER"] {
            assert_eq!(with(name, "17"), with(name, "18"), "{name}");
        }
        assert_ne!(with("CI", "true"), with("CI", "false"));
        assert_ne!(with("BUILD_MODE", "fast"), with("BUILD_MODE", "full"));
    }

    #[test]
    fn every_lasting_part_counts() {
        let before = hash(|_, _| {});
        let changes: [fn(&mut Recipe, &Path); 11] = [
            |recipe, _| recipe.jvm_per_class = true,
            |recipe, _| recipe.java_version = "21".into(),
            |recipe, _| recipe.working_directory.push_str("/core"),
            |recipe, _| recipe.class_path.reverse(),
            |_, root| fs::write(root.join("lib.jar"), "other").unwrap(),
            |recipe, _| recipe.module_path = recipe.class_path.clone(),
            |recipe, _| recipe.module_flags.clear(),
            |recipe, _| recipe.jvm_flags.push("-ea".into()),
            |recipe, _| _ = recipe.properties.insert("a".into(), "b".into()),
            |recipe, _| _ = recipe.environment.insert("LANG".into(), "de".into()),
            |recipe, _| _ = recipe.launcher_parameters.insert("a".into(), "b".into()),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            assert_ne!(hash(change), before, "change {number}");
        }
    }
}
