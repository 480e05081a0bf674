use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why the repository could not be asked.
#[derive(Debug, Error)]
pub enum HistoryError {
    #[error("failed to run `git`")]
    NoGit(#[source] io::Error),
    #[error("`{}` is not in a git repository", .0.display())]
    NoRepository(PathBuf),
    #[error("the repository has no commit yet")]
    NoCommit,
    #[error("`{0}` is no revision of the repository")]
    UnknownRevision(String),
    #[error("failed to create a temporary directory")]
    NoScratch(#[source] io::Error),
    #[error("`git {command}` failed: {message}")]
    Failed { command: String, message: String },
}

impl HistoryError {
    /// What the reader can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            HistoryError::NoGit(_) => "install git, or ask without a revision",
            HistoryError::NoRepository(_) => {
                "only git knows revisions and hooks; everything else works without it"
            }
            HistoryError::NoCommit => "commit something first, or ask without a revision",
            HistoryError::UnknownRevision(_) => {
                "name a branch, a tag or a commit; a shallow clone lacks older ones, \
                 `git fetch --unshallow` brings them"
            }
            HistoryError::NoScratch(_) => "check that TMPDIR names a directory you can write to",
            HistoryError::Failed { .. } => return None,
        })
    }
}
