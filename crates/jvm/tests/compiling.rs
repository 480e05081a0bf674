//! What a real compiler makes of copies of sources, whatever lies about.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use jury_jvm::compile;
use jury_model::{LaunchedBy, Recipe};

/// Of the JDK at hand.
fn home() -> PathBuf {
    if let Some(home) = env::var_os("JAVA_HOME") {
        return home.into();
    }
    let path = env::var_os("PATH").unwrap();
    let javac = env::split_paths(&path)
        .map(|directory| directory.join("javac"))
        .find(|javac| javac.is_file());
    let javac = javac.unwrap().canonicalize().unwrap();
    javac.ancestors().nth(2).unwrap().to_owned()
}

fn recipe(work: &Path, classes: &Path) -> Recipe {
    Recipe {
        launched_by: LaunchedBy::Surefire,
        java_home: home().display().to_string(),
        java_version: String::new(),
        working_directory: work.display().to_string(),
        class_path: vec![classes.display().to_string()],
        module_path: Vec::new(),
        module_flags: Vec::new(),
        jvm_flags: Vec::new(),
        properties: BTreeMap::new(),
        environment: BTreeMap::new(),
        launcher_parameters: BTreeMap::new(),
        jvm_per_class: false,
    }
}

#[test]
fn what_is_patched_into_a_module_is_seen() {
    let place = tempfile::tempdir().unwrap();
    let [patched, output] = ["patched", "output"].map(|name| {
        let directory = place.path().join(name);
        fs::create_dir(&directory).unwrap();
        directory
    });
    let mut recipe = recipe(place.path(), place.path());
    let [helper, test] = [
        ("Helper", "class Helper {}"),
        ("T", "class T { Helper helper; }"),
    ]
    .map(|(name, text)| {
        let source = place.path().join(format!("{name}.java"));
        fs::write(&source, text).unwrap();
        [source]
    });
    assert_eq!(compile(&recipe, &helper, &patched).unwrap(), []);
    recipe.module_flags = vec![format!("--patch-module=m={}", patched.display())];
    assert_eq!(compile(&recipe, &test, &output).unwrap(), []);
}

#[test]
fn a_source_among_the_classes_is_not_compiled() {
    let place = tempfile::tempdir().unwrap();
    let [classes, work, output] = ["classes", "work", "output"].map(|name| {
        let directory = place.path().join(name);
        fs::create_dir(&directory).unwrap();
        directory
    });
    for directory in [&classes, &work] {
        fs::write(directory.join("Helper.java"), "class Helper { no java }").unwrap();
    }
    let source = place.path().join("T.java");
    fs::write(&source, "class T { Helper helper; }").unwrap();
    let recipe = recipe(&work, &classes);
    let complaints = compile(&recipe, std::slice::from_ref(&source), &output).unwrap();
    let told: Vec<_> = complaints
        .iter()
        .map(|each| (&each.file, each.line))
        .collect();
    assert_eq!(told, [(&source, 1)], "{complaints:?}");

    fs::write(&source, "class T { }").unwrap();
    assert_eq!(compile(&recipe, &[source], &output).unwrap(), []);
    assert!(output.join("T.class").is_file());
}
