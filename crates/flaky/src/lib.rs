//! Tells flaky tests from broken ones: from how a test ended in which order, what is wrong with it.
//!
//! Everything here is pure. Who runs tests, and when, is somebody else's business; so is what
//! becomes of a verdict.

mod culprit;
mod run;
mod shuffle;
mod verdict;

pub use culprit::{Culprits, find_culprits};
pub use run::{FlakyRun, Suspect, Tally};
pub use shuffle::shuffled;
pub use verdict::{Judgement, Order, Showing, Verdict, judge};
