//! The analysis behind `jury explain`: where the chain from a change to a failing assertion broke,
//! and what would mend it.
//!
//! Observations, class files and sources in; symptoms and hints out. Nothing here runs a test,
//! reads a file or decides how often something is observed.

mod accessibility;
mod claim;
mod expression;
mod guard;
mod observation;
mod parameters;
mod place;
mod probe;
mod property;
mod proposal;
mod result;
mod source;
mod style;
mod symptom;
mod verification;

pub use accessibility::{CallGraph, Effect, Member};
pub use expression::{Expression, ExpressionKind};
pub use guard::{Known, guards};
pub use observation::{CALL_COUNT, Difference, Observed, Property, Stable, differences};
pub use parameters::parameter_names;
pub use place::Place;
pub use probe::{Holder, Probe, names_in_scope, probes};
pub use property::{PropertyName, argument, literal, shown_value, variant};
pub use proposal::{Lead, Proposal, Side, apply, assert_at, compatible, diff, holders, propose};
pub use result::{
    Assertion, Closest, ExplainRun, Explanation, Exposure, Gaps, Infection, Subject, Trigger,
    Unvaried,
};
pub use source::{JavaSource, Located, Spot};
pub use style::Style;
pub use symptom::Symptom;
pub use verification::{Standing, Verified, VerifyRun};
