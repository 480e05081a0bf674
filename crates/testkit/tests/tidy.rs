//! Keeps `ARCHITECTURE.md` true: its code map is the tree, and its rules hold in the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The code map: crate name to the crates it may use. `None` stands for "anything".
fn code_map() -> BTreeMap<String, Option<BTreeSet<String>>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows = text
        .lines()
        .skip_while(|line| !line.starts_with("| crate | job |"))
        .skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let uses = match cells[3] {
                "anything" => None,
                names => Some(
                    names
                        .split(',')
                        .map(|name| name.trim().trim_matches('`').to_owned())
                        .filter(|name| name != "–")
                        .collect(),
                ),
            };
            (cells[1].trim_matches('`').to_owned(), uses)
        })
        .collect()
}

fn crate_names() -> BTreeSet<String> {
    fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

fn manifest(name: &str) -> toml::Table {
    let text = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
    text.parse().unwrap()
}

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Files below `crates/<name>/src` whose text, without comments, contains `needle`.
fn crates_that_say(needle: &str) -> BTreeSet<String> {
    let mut saying = BTreeSet::new();
    for name in crate_names() {
        let mut files = Vec::new();
        sources(&root().join("crates").join(&name).join("src"), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            if code
                .lines()
                .any(|line| !line.trim_start().starts_with("//") && line.contains(needle))
            {
                saying.insert(name.clone());
            }
        }
    }
    saying
}

#[test]
fn the_code_map_lists_exactly_the_crates_there_are() {
    let mapped: BTreeSet<String> = code_map().into_keys().collect();
    assert_eq!(mapped, crate_names());
}

#[test]
fn every_crate_uses_only_what_its_row_allows() {
    for (name, allowed) in code_map() {
        let Some(allowed) = allowed else { continue };
        let manifest = manifest(&name);
        let used: BTreeSet<String> = manifest
            .get("dependencies")
            .and_then(|dependencies| dependencies.as_table())
            .into_iter()
            .flat_map(|dependencies| dependencies.keys())
            .filter_map(|dependency| dependency.strip_prefix("jury-").map(str::to_owned))
            .collect();
        let surplus: Vec<_> = used.difference(&allowed).collect();
        assert!(
            surplus.is_empty(),
            "`{name}` uses {surplus:?}, which its row does not allow"
        );
        let unused: Vec<_> = allowed.difference(&used).collect();
        assert!(
            unused.is_empty(),
            "the row of `{name}` allows {unused:?}, which it does not use"
        );
    }
}

#[test]
fn folders_are_named_like_their_crates() {
    for name in crate_names() {
        let package = manifest(&name)["package"]["name"]
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(package, format!("jury-{name}"));
    }
}

#[test]
fn only_jvm_project_and_history_start_processes() {
    let allowed: BTreeSet<String> = ["history", "jvm", "project", "testkit"]
        .map(str::to_owned)
        .into();
    let starting = crates_that_say("process::Command")
        .union(&crates_that_say("Command::new("))
        .cloned()
        .collect::<BTreeSet<_>>();
    assert!(starting.is_subset(&allowed), "{starting:?}");
}

#[test]
fn only_jvmti_contains_unsafe_code() {
    for needle in ["unsafe {", "unsafe fn", "unsafe extern", "unsafe impl"] {
        let saying = crates_that_say(needle);
        assert!(
            saying.iter().all(|name| name == "jvmti"),
            "`{needle}` in {saying:?}"
        );
    }
}

#[test]
fn every_sample_explains_itself() {
    for entry in fs::read_dir(root().join("samples")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            assert!(
                path.join("README.md").is_file(),
                "{} has no README.md",
                path.display()
            );
        }
    }
}

#[test]
fn every_crate_says_what_it_is_for() {
    for name in crate_names() {
        let source = root().join("crates").join(&name).join("src");
        let main = ["lib.rs", "main.rs"].map(|file| source.join(file));
        let text = main
            .iter()
            .find_map(|file| fs::read_to_string(file).ok())
            .unwrap();
        assert!(text.starts_with("//!"), "`{name}` has no header");
    }
}
