//! A class path as a list of absolute, lasting entries.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::manifest::class_path_of_pathing_jar;

/// Splits a path list; an empty element is the working directory, for the JVM too.
pub fn absolute_entries(path: &str, working_directory: &Path) -> Vec<PathBuf> {
    path.split(':')
        .map(|entry| match entry {
            "" | "." => working_directory.to_owned(),
            entry => working_directory.join(entry),
        })
        .collect()
}

/// Puts in place of each pathing jar what it stands for.
pub fn without_pathing_jars(entries: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut expanded = Vec::with_capacity(entries.len());
    let mut pathing_jars = HashSet::new();
    let mut waiting: Vec<PathBuf> = entries.into_iter().rev().collect();
    while let Some(entry) = waiting.pop() {
        if pathing_jars.contains(&entry) {
            continue;
        }
        match class_path_of_pathing_jar(&entry) {
            Some(listed) => {
                pathing_jars.insert(entry);
                waiting.extend(listed.into_iter().rev());
            }
            None => expanded.push(entry),
        }
    }
    expanded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::tests::write_jar;

    #[test]
    fn entries_become_absolute() {
        let entries = absolute_entries("a.jar:/b.jar:.::c/d", Path::new("/p"));
        assert_eq!(
            entries,
            ["/p/a.jar", "/b.jar", "/p", "/p", "/p/c/d"].map(PathBuf::from)
        );
    }

    #[test]
    fn pathing_jars_may_name_each_other() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let manifest = |class_path: &str| format!("Class-Path: {class_path}\n");
        write_jar(
            &path("one.jar"),
            &[("META-INF/MANIFEST.MF", &manifest("a.jar two.jar b.jar"))],
        );
        write_jar(
            &path("two.jar"),
            &[("META-INF/MANIFEST.MF", &manifest("c.jar one.jar"))],
        );
        let expanded = without_pathing_jars(vec![path("first"), path("one.jar"), path("last")]);
        assert_eq!(
            expanded,
            ["first", "a.jar", "c.jar", "b.jar", "last"].map(path)
        );
    }
}
