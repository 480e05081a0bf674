//! The analysis behind `jury explain`: where the chain from a change to a failing assertion broke,
//! and what would mend it.
//!
//! Observations, class files and sources in; symptoms and hints out. Nothing here runs a test,
//! reads a file or decides how often something is observed.

mod accessibility;
mod assertion;
mod expression;
mod observation;
mod place;
mod property;
mod result;
mod source;
mod symptom;
mod verification;

pub use accessibility::{CallGraph, Member};
pub use assertion::{Lead, Proposal, Reader, Style, apply, compatible, diff, propose};
pub use expression::{Expression, ExpressionKind};
pub use observation::{CALL_COUNT, Difference, Observed, Property, Stable, TIMES, differences};
pub use place::Place;
pub use property::{PropertyName, literal, shown_value};
pub use result::{Assertion, ExplainRun, Explanation, Exposure, Infection, Subject, Unvaried};
pub use source::{JavaSource, Located};
pub use symptom::Symptom;
pub use verification::{Standing, Verified, VerifyRun};
