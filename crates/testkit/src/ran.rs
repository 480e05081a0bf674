//! What a program did when it ran.

use std::io::Write;
use std::process::{Command, Output};

#[derive(Debug)]
pub struct Ran {
    /// The exit code; -1 if a signal ended it.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Ran {
    /// Fails the test, with everything the program said, unless it ended with this code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "unexpected exit code\n--- stdout\n{}\n--- stderr\n{}",
            self.stdout, self.stderr
        );
        self
    }

    /// The JSON document on standard output.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| {
            panic!(
                "{error}\n--- stdout\n{}\n--- stderr\n{}",
                self.stdout, self.stderr
            )
        })
    }
}

pub fn run(command: &mut Command) -> Ran {
    let output = command.output();
    output
        .unwrap_or_else(|error| panic!("{command:?}: {error}"))
        .into()
}

/// Runs something that a test needs done and that is not itself under test.
#[track_caller]
pub fn succeed(command: &mut Command) -> Ran {
    run(command).exits(0)
}

/// Says that something is not tried here, past the test runner, which hides what passing tests
/// print.
pub fn announce(message: &str) {
    let _ = writeln!(std::io::stderr(), "NOT TRIED: {message}");
}
