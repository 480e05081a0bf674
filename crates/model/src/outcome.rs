use std::fmt;

/// How a test ended. `TimedOut` and `Crashed` are said only by Jury, which watched the JVM from
/// outside; a framework can report only the first four.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    Passed,
    /// Switched off (`@Disabled`, `@Ignore`, `enabled = false`); never started.
    Skipped,
    /// An assumption did not hold.
    Aborted,
    Failed,
    /// Did not end within its time limit; its JVM was stopped.
    TimedOut,
    /// Its JVM ended while the test was running (exit, crash, kill).
    Crashed,
}

impl Outcome {
    pub const ALL: [Outcome; 6] = [
        Outcome::Passed,
        Outcome::Skipped,
        Outcome::Aborted,
        Outcome::Failed,
        Outcome::TimedOut,
        Outcome::Crashed,
    ];

    /// The word used in output and in stored data.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Skipped => "skipped",
            Outcome::Aborted => "aborted",
            Outcome::Failed => "failed",
            Outcome::TimedOut => "timed-out",
            Outcome::Crashed => "crashed",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.word() == word)
    }

    /// True if the suite is red because of it.
    pub fn is_red(self) -> bool {
        matches!(self, Outcome::Failed | Outcome::TimedOut | Outcome::Crashed)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What a failing or aborted test threw.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Failure {
    /// Binary name of the exception class.
    pub exception: String,
    pub message: String,
    /// The stack trace as the JVM prints it, cut to a few kilobytes.
    pub trace: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_is_found_again_by_its_word() {
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::from_word(outcome.word()), Some(outcome));
        }
        assert_eq!(Outcome::from_word("green"), None);
    }
}
