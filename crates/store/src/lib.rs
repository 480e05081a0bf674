//! The evidence that Jury keeps in a project's `.jury/` directory: runs, tests, how each ended,
//! the recipes to start their JVMs again, what tests used, and what became of mutants.
//!
//! This crate knows SQLite and nothing of analyses, JVMs, build tools or the terminal. It never
//! decides what evidence means; it keeps it whole, in one transaction a run. The tables are
//! described in `docs/store.md`.

mod answers_text;
mod dependencies;
mod derived;
mod directory;
mod error;
mod flaky;
mod label_pattern;
mod memory;
mod method_numbers;
mod query;
mod recipe_text;
mod record;
mod run;
mod schema;
mod selections;
mod speakers;
mod store;
mod take_over;

pub use dependencies::{
    FileStamp, NewDependencies, NewUnit, StoredUnit, UnitSource, VERSIONS_KEPT,
};
pub use derived::{read_derived, write_derived};
pub use error::StoreError;
pub use flaky::{NewFlaky, StoredFlaky};
pub use label_pattern::LabelPattern;
pub use memory::{
    CoveredTest, LeftOut, MemoryKey, News, StoredAnswer, StoredAnswers, StoredVerdict, Used,
    lasting_failure,
};
pub use query::{
    StoredContainerFailure, StoredFailure, StoredOutcome, StoredRecipe, StoredTest, TestFilter,
};
pub use recipe_text::RecipeId;
pub use run::{BuildStatus, ContainerFailure, JvmEvidence, NewRun, RunId, StoredRun, TestResult};
pub use schema::FORMAT;
pub use speakers::{Speaker, Speakers};
pub use store::{DATABASE, OpenNotice, RUNS_KEPT, Store, remove};
