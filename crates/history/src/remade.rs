//! Does again what a command did, to see whether anybody edited its result.
//!
//! Git writes what it makes into its store of objects; here it writes into a directory of ours that
//! is thrown away, so the repository stays as it is.

use std::path::{Path, PathBuf};
use std::process::Output;

use tempfile::TempDir;

use crate::error::HistoryError;
use crate::git;
use crate::log::Commit;

/// Makes merges, picks and reverts again.
#[derive(Debug)]
pub struct Remaker<'a> {
    root: &'a Path,
    /// The repository's own objects.
    objects: PathBuf,
    scratch: TempDir,
}

impl<'a> Remaker<'a> {
    pub fn new(root: &'a Path) -> Result<Self, HistoryError> {
        let output = git::ask(root, &["rev-parse", "--git-path", "objects"])?;
        let objects = root.join(git::text(&output).trim_end());
        let scratch = TempDir::new().map_err(HistoryError::NoScratch)?;
        Ok(Remaker {
            root,
            objects,
            scratch,
        })
    }

    /// Whether a merge is what git makes of its parents by itself. None if git cannot tell: it is
    /// older than 2.38, or a parent is missing.
    pub fn is_automatic_merge(&self, merge: &Commit) -> Option<bool> {
        let (first, others) = merge.parents.split_first()?;
        let mut tip = first.clone();
        let mut tree = String::new();
        for (place, other) in others.iter().enumerate() {
            let merged = self.run(&["merge-tree", "--write-tree", "--no-messages", &tip, other])?;
            match merged.status.code() {
                Some(0) => tree = git::text(&merged.stdout).trim().to_owned(),
                // Conflicts, which somebody has resolved.
                Some(1) => return Some(false),
                _ => return None,
            }
            if place + 1 < others.len() {
                let parents = ["-p", &tip, "-p", other, "-m", "remade"];
                let commit = self.run(&[&["commit-tree", &tree][..], &parents].concat())?;
                tip = git::text(&commit.stdout).trim().to_owned();
            }
        }
        Some(tree == merge.tree)
    }

    /// Whether a commit with one parent makes the same difference as another, or undoes it.
    pub fn is_automatic_copy(&self, copy: &str, of: &str, undone: bool) -> Option<bool> {
        let own = self.patch(copy, false)?;
        Some(own == self.patch(of, undone)? && !own.is_empty())
    }

    /// A hash of a commit's difference that does not hang on where its lines are.
    fn patch(&self, commit: &str, undone: bool) -> Option<String> {
        let direction: &[&str] = if undone { &["-R"] } else { &[] };
        let options = [
            "diff-tree",
            "-p",
            "--root",
            "--no-ext-diff",
            "--no-textconv",
            "--no-renames",
            // Undone, a difference would have its prefixes changed round.
            "--no-prefix",
        ];
        let difference = self.run(&[&options[..], direction, &[commit]].concat())?;
        let id = git::run_with(self.root, &["patch-id", "--stable"], &difference.stdout).ok()?;
        let id = git::text(&id.stdout);
        Some(id.split(' ').next().unwrap_or_default().trim().to_owned())
    }

    fn run(&self, arguments: &[&str]) -> Option<Output> {
        let identity = ["-c", "user.name=jury", "-c", "user.email=jury@localhost"];
        git::command(self.root)
            .args(identity)
            .args(arguments)
            .env("GIT_OBJECT_DIRECTORY", self.scratch.path())
            .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", &self.objects)
            .output()
            .ok()
    }
}
