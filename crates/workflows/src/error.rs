use std::io;
use std::path::PathBuf;

use jury_cache::CacheError;
use jury_history::HistoryError;
use jury_jvm::JvmError;
use jury_model::Exit;
use jury_mutate::AcceptedError;
use jury_project::ProjectError;
use jury_store::StoreError;
use thiserror::Error;

/// Why a command could not do its job. All of these lie outside Jury, and most have a remedy.
#[derive(Debug, Error)]
pub enum WorkflowError {
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Jvm(#[from] JvmError),
    #[error(transparent)]
    History(#[from] HistoryError),
    #[error(transparent)]
    Cache(#[from] CacheError),
    #[error("no tests are known yet")]
    NothingKnown,
    #[error("no known test matches {}", quoted(.0))]
    NoMatch(Vec<String>),
    #[error("no class to put on trial matches {}", quoted(.0))]
    NoSuchClass(Vec<String>),
    #[error("failed to read the class file of {}", quoted(.0))]
    UnreadableClass(Vec<String>),
    #[error("the baseline is not green: {} {}", .0.len(), red_tests(.0))]
    NotGreen(Vec<String>),
    #[error("found no class files")]
    NoClasses,
    #[error("the working tree is not as it was committed")]
    NotCommitted,
    #[error("the JDK in `{0}` is gone")]
    JdkGone(String),
    #[error("failed to read the baseline `{}`", .path.display())]
    ReadBaseline { path: PathBuf, source: io::Error },
    #[error("failed to understand the baseline `{}`", .path.display())]
    BadBaseline {
        path: PathBuf,
        source: AcceptedError,
    },
    #[error("failed to write the baseline `{}`", .path.display())]
    WriteBaseline { path: PathBuf, source: io::Error },
    #[error("failed to unpack the sample project")]
    Demo(#[source] io::Error),
    #[error("`{}` was not written by Jury, so it is left alone", .0.display())]
    ForeignHook(PathBuf),
    #[error("failed to write or remove the hook `{}`", .path.display())]
    Hook { path: PathBuf, source: io::Error },
    #[error("failed to clean the cache")]
    Sweep(#[source] io::Error),
}

impl WorkflowError {
    /// How the program ends because of it.
    pub fn exit(&self) -> Exit {
        match self {
            WorkflowError::NotGreen(_) => Exit::NotGreen,
            WorkflowError::BadBaseline { .. }
            | WorkflowError::NoSuchClass(_)
            | WorkflowError::History(HistoryError::UnknownRevision(_)) => Exit::Usage,
            _ => Exit::Broken,
        }
    }

    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            WorkflowError::Project(error) => return error.hint(),
            WorkflowError::Store(error) => return error.hint().map(str::to_owned),
            WorkflowError::History(error) => return error.hint().map(str::to_owned),
            WorkflowError::Jvm(JvmError::Install { .. } | JvmError::NoCacheDirectory) => {
                "set JURY_CACHE_DIR to a directory you can write to"
            }
            WorkflowError::Jvm(JvmError::WorkerStart { .. }) => {
                "run `jury test` again if the build has changed; `jury doctor` looks at the set-up"
            }
            WorkflowError::Jvm(JvmError::Spawn { .. }) => "check the command and your PATH",
            WorkflowError::Jvm(JvmError::Session(_)) => {
                "check that TMPDIR names a directory you can write to"
            }
            WorkflowError::Jvm(_) => return None,
            WorkflowError::Cache(_) => "check its address; docs/cache.md says what there may be",
            WorkflowError::NothingKnown => "run `jury test` first",
            WorkflowError::NoMatch(_) => "`jury tests` lists what is known",
            WorkflowError::NoSuchClass(_) => {
                "name a part of a class name, or all of it with `*` for any text; tests \
                 themselves are not put on trial, nor what the last build failed to compile"
            }
            WorkflowError::UnreadableClass(_) => {
                "compile the project again, for example with `mvn clean test-compile`"
            }
            WorkflowError::NotGreen(_) => {
                "mend the tests or leave them out of the build, then run `jury test` again"
            }
            WorkflowError::NoClasses => {
                "build first, for example with `mvn test-compile`, or name directories or jars"
            }
            WorkflowError::NotCommitted => {
                "commit or stash first, so that the classes are those of HEAD"
            }
            WorkflowError::JdkGone(_) => "run `jury test` with the JDK you use now",
            WorkflowError::BadBaseline { .. } => {
                "a line is a mutant's id as `--format json` gives it, a comment or blank"
            }
            WorkflowError::ReadBaseline { .. } | WorkflowError::WriteBaseline { .. } => {
                return None;
            }
            WorkflowError::Demo(_) => "choose another directory with --keep",
            WorkflowError::ForeignHook(_) => "add the line `jury test` to it yourself",
            WorkflowError::Hook { .. } | WorkflowError::Sweep(_) => {
                return None;
            }
        };
        Some(hint.to_owned())
    }
}

fn red_tests(labels: &[String]) -> String {
    let noun = if labels.len() == 1 {
        "test is red"
    } else {
        "tests are red"
    };
    let shown: Vec<String> = labels
        .iter()
        .take(5)
        .map(|label| format!("`{label}`"))
        .collect();
    let more = if labels.len() > 5 { ", …" } else { "" };
    format!("{noun} ({}{more})", shown.join(", "))
}

fn quoted(patterns: &[String]) -> String {
    let quoted: Vec<String> = patterns
        .iter()
        .map(|pattern| format!("`{pattern}`"))
        .collect();
    quoted.join(" or ")
}
