//! Which tests to run at a merge, a rebase, a cherry-pick or a revert, by the published options and
//! by evidence.
//!
//! A history is a graph of revisions, and what a pair of revisions means for tests comes from a
//! [`Selector`]. This crate asks no version control, reads no file and runs nothing.
//!
//! # What is unsafe
//!
//! The options that need no comparison of two revisions ([`Plan::Zero`]) take it that a test uses
//! the same code at every revision. Where a branch makes a test use more, they can miss it. They are
//! here to be measured against the rule that Jury follows: a test is left out only if some revision
//! at which it is known agrees with the present in all that it uses.

mod choice;
mod dag;
mod options;
mod run;
mod selector;

pub use choice::{Merge, Thresholds, choose};
pub use dag::{Dag, Revision};
pub use options::{Course, Deed, Plan, Refusal, Selected};
pub use run::{Count, DeedCounts, Event, HistoryRun, Selections, Tested, Totals};
pub use selector::{Reaches, Selector, Test, TestSet};
