//! What a project's git repository knows: which lines changed since a revision, and how its
//! commits came about.
//!
//! Asks the `git` program (see `docs/decisions/0009-git-program.md`), never through a shell, and
//! never writes to the repository. What the lines mean is not known here.

mod diff;
mod error;
mod git;
mod log;
mod remade;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

pub use error::HistoryError;
pub use git::{hooks_directory, path_from_top};
pub use log::{Commit, Origin, commits, graph, is_shallow};
pub use remade::Remaker;

/// Files that differ from a revision, by their path in the project with `/` between the parts.
pub type Changes = BTreeMap<String, FileChange>;

/// How the file on the disk differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChange {
    /// These lines are new or were edited. Where lines were taken away, the lines before and
    /// after the gap are meant.
    Lines(Vec<RangeInclusive<u32>>),
    /// All of it: the file is not in the revision, or is no text.
    Whole,
    /// It is not there any more.
    Deleted,
}

/// What changed below `root` since `revision`, in commits or in the working tree. Files that git
/// does not know count as changed unless they are ignored.
pub fn changes_since(root: &Path, revision: &str) -> Result<Changes, HistoryError> {
    let commit = git::commit(root, revision)?;
    let mut changes: Changes = git::changed_files(root, &commit)?
        .into_iter()
        .map(|path| {
            let gone = root.join(&path).symlink_metadata().is_err();
            let change = if gone {
                FileChange::Deleted
            } else {
                FileChange::Whole
            };
            (path, change)
        })
        .collect();
    for (path, lines) in diff::changed_lines(&git::diff(root, &commit)?) {
        // A renamed or copied file is listed as a new one, so every path is among those above.
        if let Some(change @ FileChange::Whole) = changes.get_mut(&path) {
            *change = FileChange::Lines(lines);
        }
    }
    for path in git::unknown_files(root)? {
        changes.insert(path, FileChange::Whole);
    }
    Ok(changes)
}

/// The full name of the commit that a revision means.
pub fn resolve(root: &Path, revision: &str) -> Result<String, HistoryError> {
    git::commit(root, revision)
}

/// Whether every file that git knows is as it was committed.
pub fn is_clean(root: &Path) -> Result<bool, HistoryError> {
    git::is_clean(root)
}

/// The commit that is checked out, if every file is as it was committed and no file below `root`
/// is unknown to git.
pub fn pure_head(root: &Path) -> Option<String> {
    let is_pure = is_clean(root).ok()? && git::unknown_files(root).ok()?.is_empty();
    is_pure.then(|| head(root))?
}

/// The commit that is checked out; none outside a repository or before the first commit.
pub fn head(root: &Path) -> Option<String> {
    git::commit(root, "HEAD").ok()
}
