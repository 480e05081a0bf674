//! A run as it is handed in and as it is given back.

use std::fmt;
use std::path::PathBuf;
use std::time::SystemTime;

use jury_model::{Failure, Outcome, Recipe, TestCase, TestId};

/// The number of a run; later runs have greater ones, and none is used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(pub(crate) i64);

impl RunId {
    pub fn number(self) -> i64 {
        self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How the build tool ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildStatus {
    Exited(i32),
    /// Ended by a signal.
    Signalled(i32),
}

impl BuildStatus {
    pub fn is_success(self) -> bool {
        self == BuildStatus::Exited(0)
    }

    pub(crate) fn from_words(words: &str) -> Option<Self> {
        let (kind, number) = words.split_once(' ')?;
        let number = number.parse().ok()?;
        match kind {
            "exit" => Some(BuildStatus::Exited(number)),
            "signal" => Some(BuildStatus::Signalled(number)),
            _ => None,
        }
    }
}

impl fmt::Display for BuildStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildStatus::Exited(code) => write!(f, "exit {code}"),
            BuildStatus::Signalled(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// All that one run of the tests taught.
#[derive(Debug, Clone)]
pub struct NewRun {
    /// Where the project lies. Recipes are kept without it, so that they hold wherever it is later.
    pub root: PathBuf,
    /// The command as a person would type it.
    pub command: String,
    pub started_at: SystemTime,
    pub ended_at: SystemTime,
    /// `None` if no build tool took part, as in a replay.
    pub build_status: Option<BuildStatus>,
    /// Version of the JDK that ran the tests; empty if no test JVM was seen.
    pub jdk: String,
    /// The commit whose files were tested; `None` if they were not all as committed.
    pub revision: Option<String>,
    /// Anything a reader of the history should know; usually empty.
    pub note: String,
    pub jvms: Vec<JvmEvidence>,
}

/// What one test JVM taught.
#[derive(Debug, Clone)]
pub struct JvmEvidence {
    pub module: String,
    /// `None` if the JVM cannot be started again, as with tests inside the build tool itself.
    pub recipe: Option<Recipe>,
    pub results: Vec<TestResult>,
    pub container_failures: Vec<ContainerFailure>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestResult {
    pub test: TestCase,
    pub outcome: Outcome,
    pub micros: u64,
    /// Kept only if the outcome is red.
    pub failure: Option<Failure>,
}

/// A class or suite that failed outside its tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerFailure {
    pub id: TestId,
    pub class: String,
    pub failure: Failure,
}

/// A recorded run, without its results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRun {
    pub id: RunId,
    /// To the millisecond, as is `ended_at`.
    pub started_at: SystemTime,
    pub ended_at: SystemTime,
    pub command: String,
    pub build_status: Option<BuildStatus>,
    pub jdk: String,
    pub revision: Option<String>,
    pub note: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_status_is_found_again_by_its_words() {
        for status in [
            BuildStatus::Exited(0),
            BuildStatus::Exited(1),
            BuildStatus::Signalled(9),
        ] {
            assert_eq!(BuildStatus::from_words(&status.to_string()), Some(status));
        }
        assert_eq!(BuildStatus::from_words("fine"), None);
    }
}
