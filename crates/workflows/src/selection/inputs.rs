//! Every file of a project that a build may read, as it looks from outside.
//!
//! Left out is what builds write: by their conventions, and wherever test JVMs found classes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use jury_select::{Digest, Hash128};

use super::files::Look;

#[derive(Debug, Default)]
pub(super) struct Inputs(BTreeMap<PathBuf, Look>);

const VERSION_CONTROL: [&str; 3] = [".git", ".hg", ".svn"];

impl Inputs {
    /// Without `state_dir`, which is Jury's own.
    pub fn of(root: &Path, state_dir: &Path) -> Self {
        let mut files = BTreeMap::new();
        walk(root, state_dir, &mut BTreeSet::new(), &mut files);
        Inputs(files)
    }

    /// All files below these directories.
    pub fn below<'p>(directories: impl IntoIterator<Item = &'p Path>) -> Self {
        let mut files = BTreeMap::new();
        for directory in directories {
            walk_all(directory, &mut BTreeSet::new(), &mut files);
        }
        Inputs(files)
    }

    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(PathBuf::as_path)
    }

    /// One hash of how all of it looks, except below directories that hold outputs.
    pub fn digest(&self, outputs: &[PathBuf]) -> Hash128 {
        let mut digest = Digest::new("jury inputs 1");
        for (path, look) in &self.0 {
            if !outputs.iter().any(|output| path.starts_with(output)) {
                digest.bytes(path.as_os_str().as_encoded_bytes());
                add_look(look, &mut digest);
            }
        }
        digest.finish()
    }
}

pub(super) fn add_look(look: &Look, digest: &mut Digest) {
    digest.number(look.size);
    digest.number(look.modified.cast_unsigned());
    digest.number(look.changed.cast_unsigned());
    digest.number(look.inode);
}

/// Entries of a directory; `seen` are the directories above, lest links lead round in a circle.
fn entries(directory: &Path, seen: &mut BTreeSet<(u64, u64)>) -> Vec<(PathBuf, fs::Metadata)> {
    let Ok(own) = fs::metadata(directory) else {
        return Vec::new();
    };
    if !seen.insert((own.dev(), own.ino())) {
        return Vec::new();
    }
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    // A link counts as what it leads to; one that leads nowhere holds nothing.
    entries
        .filter_map(|entry| {
            let path = entry.path();
            let metadata = fs::metadata(&path).ok()?;
            Some((path, metadata))
        })
        .collect()
}

fn walk(
    directory: &Path,
    state_dir: &Path,
    seen: &mut BTreeSet<(u64, u64)>,
    files: &mut BTreeMap<PathBuf, Look>,
) {
    let entries = entries(directory, seen);
    let has = |wanted: &str| entries.iter().any(|(path, _)| path.ends_with(wanted));
    let is_maven = has("pom.xml");
    let is_gradle = ["build.gradle", "build.gradle.kts", "settings.gradle"]
        .into_iter()
        .chain(["settings.gradle.kts"])
        .any(has);
    for (path, metadata) in &entries {
        if !metadata.is_dir() {
            files.insert(path.clone(), Look::at(metadata));
            continue;
        }
        let is = |name: &str| path.ends_with(name);
        let is_output = is_maven && is("target") || is_gradle && (is("build") || is(".gradle"));
        if !is_output && path != state_dir && !VERSION_CONTROL.iter().any(|name| is(name)) {
            walk(path, state_dir, seen, files);
        }
    }
}

fn walk_all(
    directory: &Path,
    seen: &mut BTreeSet<(u64, u64)>,
    files: &mut BTreeMap<PathBuf, Look>,
) {
    for (path, metadata) in entries(directory, seen) {
        if metadata.is_dir() {
            walk_all(&path, seen, files);
        } else {
            files.insert(path, Look::at(&metadata));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(paths: &[&str]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        for path in paths {
            let path = directory.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        directory
    }

    fn names(root: &Path) -> Vec<String> {
        let inputs = Inputs::of(root, &root.join(".jury"));
        let inside = |path: &Path| path.strip_prefix(root).unwrap().display().to_string();
        inputs.paths().map(inside).collect()
    }

    #[test]
    fn what_builds_write_is_no_input() {
        let root = tree(&[
            "pom.xml",
            "src/A.java",
            "src/target/data.txt",
            "target/classes/A.class",
            "core/build.gradle",
            "core/build/A.class",
            "core/.gradle/x",
            ".git/index",
            ".jury/evidence.db",
        ]);
        assert_eq!(
            names(root.path()),
            [
                "core/build.gradle",
                "pom.xml",
                "src/A.java",
                "src/target/data.txt"
            ]
        );
    }

    #[test]
    fn links_that_lead_round_in_a_circle_end() {
        let root = tree(&["src/A.java"]);
        std::os::unix::fs::symlink(root.path(), root.path().join("src/up")).unwrap();
        assert_eq!(names(root.path()), ["src/A.java"]);
    }

    #[test]
    fn a_changed_file_changes_the_digest_unless_it_is_an_output() {
        let root = tree(&["src/A.java", "out/A.class"]);
        let digest = |outputs: &[PathBuf]| Inputs::of(root.path(), Path::new("")).digest(outputs);
        let outputs = [root.path().join("out")];
        let before = digest(&outputs);
        fs::write(root.path().join("out/A.class"), "other").unwrap();
        assert_eq!(digest(&outputs), before);
        fs::write(root.path().join("src/A.java"), "other").unwrap();
        assert_ne!(digest(&outputs), before);
    }
}
