//! The nouns of Jury: what a test is, how it ended, how the JVM that ran it was launched, and what
//! a command has to say in the end.
//!
//! Plain data without behaviour that could fail. This crate knows nothing of files, processes,
//! JVM internals or serialisation; formats live with whoever reads or writes them.

mod compiler;
mod exit;
mod flakiness;
mod outcome;
mod recipe;
mod summary;
mod test;

pub use compiler::{
    MAVEN_OPTIONS, QUICK_COMPILER, chooses_compiler, plain_maven, quick_maven, without_quick_maven,
};
pub use exit::Exit;
pub use flakiness::{Flakiness, FlakyTest};
pub use outcome::{Failure, Outcome};
pub use recipe::{LaunchedBy, Recipe};
pub use summary::{
    Checkup, ChosenUnits, Counts, Difference, Foreseen, Foresight, Health, KnownTest, Miss, Notice,
    RedTest, ReplayedRun, ReportedUnit, RunFigures, RunUnit, Selected, SelectionReport, UnitName,
    WatchedRun,
};
pub use test::{Engine, TestCase, TestId};
