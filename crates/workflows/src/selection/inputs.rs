//! Every file of a project that a build may read, as it looks from outside.
//!
//! Left out is what builds write: by their conventions, and wherever test JVMs found classes.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, DirEntry, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use jury_select::{Digest, Hash128};

use super::files::Look;

#[derive(Debug, Default)]
pub(crate) struct Inputs(BTreeMap<PathBuf, Look>);

const VERSION_CONTROL: [&str; 3] = [".git", ".hg", ".svn"];

impl Inputs {
    /// All files of a project, below its root and wherever else parts of it lie, but those below
    /// `skipped`: Jury's own, and known outputs.
    pub fn of<'p>(trees: impl IntoIterator<Item = &'p Path>, skipped: &[&Path]) -> Self {
        let mut files = BTreeMap::new();
        for tree in trees {
            walk(tree, skipped, &mut BTreeSet::new(), &mut files);
        }
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

    /// When the newest file with this extension was written; none if there is none.
    pub fn newest(&self, extension: &str) -> Option<i64> {
        let named = (self.0.iter())
            .filter(|(path, _)| path.extension().is_some_and(|own| own == extension));
        named.map(|(_, look)| look.modified).max()
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

struct Entry {
    name: OsString,
    path: PathBuf,
    metadata: Metadata,
}

/// Entries of a directory; `seen` are the directories above, lest links lead round in a circle.
fn entries(directory: &Path, seen: &mut BTreeSet<(u64, u64)>) -> Vec<Entry> {
    let Ok(own) = fs::metadata(directory) else {
        return Vec::new();
    };
    if !seen.insert((own.dev(), own.ino())) {
        return Vec::new();
    }
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let read = |entry: DirEntry| {
        let path = entry.path();
        let metadata = match entry.file_type() {
            // A link counts as what it leads to; one that leads nowhere holds nothing.
            Ok(kind) if kind.is_symlink() => fs::metadata(&path),
            _ => entry.metadata(),
        };
        Some(Entry {
            name: entry.file_name(),
            metadata: metadata.ok()?,
            path,
        })
    };
    entries.filter_map(read).collect()
}

fn walk(
    directory: &Path,
    skipped: &[&Path],
    seen: &mut BTreeSet<(u64, u64)>,
    files: &mut BTreeMap<PathBuf, Look>,
) {
    let entries = entries(directory, seen);
    let has = |names: &[&str]| {
        let is = |entry: &Entry| names.iter().any(|name| entry.name == *name);
        entries.iter().any(is)
    };
    let is_maven = has(&["pom.xml"]);
    let is_gradle = has(&[
        "build.gradle",
        "build.gradle.kts",
        "settings.gradle",
        "settings.gradle.kts",
    ]);
    for entry in entries {
        if !entry.metadata.is_dir() {
            files.insert(entry.path, Look::at(&entry.metadata));
            continue;
        }
        let is = |name: &str| entry.name == *name;
        let is_output = is_maven && is("target") || is_gradle && (is("build") || is(".gradle"));
        let is_foreign = VERSION_CONTROL.iter().any(|name| is(name));
        if !is_output && !is_foreign && !skipped.contains(&entry.path.as_path()) {
            walk(&entry.path, skipped, seen, files);
        }
    }
}

fn walk_all(
    directory: &Path,
    seen: &mut BTreeSet<(u64, u64)>,
    files: &mut BTreeMap<PathBuf, Look>,
) {
    for entry in entries(directory, seen) {
        if entry.metadata.is_dir() {
            walk_all(&entry.path, seen, files);
        } else {
            files.insert(entry.path, Look::at(&entry.metadata));
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
        let inputs = Inputs::of([root], &[&root.join(".jury")]);
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
        let digest = |outputs: &[PathBuf]| Inputs::of([root.path()], &[]).digest(outputs);
        let outputs = [root.path().join("out")];
        let before = digest(&outputs);
        fs::write(root.path().join("out/A.class"), "other").unwrap();
        assert_eq!(digest(&outputs), before);
        fs::write(root.path().join("src/A.java"), "other").unwrap();
        assert_ne!(digest(&outputs), before);
    }
}
