//! The nouns of Jury: what a test is, how it ended, and how the JVM that ran it was launched.
//!
//! Plain data without behaviour that could fail. This crate knows nothing of files, processes,
//! JVM internals or serialisation; formats live with whoever reads or writes them.

mod outcome;
mod recipe;
mod test;

pub use outcome::{Failure, Outcome};
pub use recipe::{LaunchedBy, Recipe};
pub use test::{Engine, TestCase, TestId};
