//! One loop per command: gathers facts from the world, has them judged, keeps what was learnt.
//!
//! Clocks, processes and the order of things live here. Nothing is printed; progress goes to the
//! caller as events, and the end is a plain result of `jury-model`.

mod bypass;
mod checkup;
mod collection;
mod demo;
mod error;
mod explain;
mod flaky;
mod foresee;
mod forks;
mod gate;
mod history;
mod hook;
mod impact;
mod look_back;
mod mutate;
mod passing_variables;
mod recipes;
mod replay;
mod retries;
mod selection;
mod sweep;
mod tests;
mod watch;

pub use bypass::bypass;
pub use checkup::{examine, verdict};
pub use collection::Collection;
pub use demo::unpack_demo;
pub use error::WorkflowError;
pub use explain::{ExplainProgress, ExplainRequest, Stage, explain, verify};
pub use flaky::{FlakyProgress, FlakyRequest, flaky};
pub use foresee::{ForeseeRequest, foresee};
pub use gate::{Baseline, GateRequest, pass_gate, read_baseline};
pub use history::{HistoryRequest, history, note_revision};
pub use hook::{HookAction, HookOutcome, hook};
pub use impact::{ImpactRequest, Since, impact, note_classes};
pub use jury_cache::{CacheSettings, LocationError};
pub use jury_jvm::Stream;
/// When the published heuristic takes which option.
pub use jury_lineage::Thresholds;
/// How class files are compared, and what counts against leaving a test out.
pub use jury_select::{Hashing, Mark, Policy};
pub use look_back::look_back;
pub use mutate::{MutateProgress, MutateRequest, mutate};
pub use replay::{ReplayProgress, ReplayRequest, replay};
pub use retries::watch;
pub use selection::{GranularityChoice, SelectionSettings, Statically, Wanted};
pub use sweep::{Swept, sweep};
pub use tests::{TestQuery, known_tests};
pub use watch::{WatchRequest, project_root};
