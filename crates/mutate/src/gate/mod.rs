//! What makes a build fail: scores below their thresholds, and findings that nobody accepted.
//!
//! The gate compares; where thresholds, accepted findings and earlier results come from is
//! others' business.

mod accepted;
mod comparison;
mod judgement;
mod limits;
mod milestones;
mod standings_text;
mod thresholds;

pub use accepted::{Accepted, AcceptedError, AcceptedFinding};
pub use comparison::{Cause, Comparison, NewlyUndetected, Standings, compare, standings};
pub use judgement::{Gate, Scope};
pub use limits::{Limits, ModuleBreach};
pub use milestones::{Milestone, add_milestone, format_milestones, parse_milestones};
pub use standings_text::{BadStandings, format_standings, parse_standings};
pub use thresholds::{Breach, Measure, Thresholds};
