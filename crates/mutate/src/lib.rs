//! The analysis behind `jury mutate`: which changes to a class its tests should notice, and what
//! it means when they do not.
//!
//! Facts in, mutants and verdicts out. Nothing here reads files, looks at a clock, starts a
//! process or rewrites a class: a mutant is a description that someone else carries out.

mod answers;
mod classic;
mod extreme;
mod gate;
mod id;
mod literal;
mod manual;
mod method;
mod metrics;
mod mutant;
mod null_promise;
mod opcode;
mod ranking;
mod replacement;
mod run;
#[cfg(test)]
mod sample;
mod settings;
mod shard;
mod stop;
mod test_order;
mod verdict;

pub use answers::{Answers, Redundancy};
pub use classic::{
    CLASSIC, ClassicMethod, ClassicOperator, ClassicPoint, Group, Mutation, find_points,
};
pub use extreme::{NAMED, NamedOperator, Operator, OperatorError};
pub use gate::{
    Accepted, AcceptedError, AcceptedFinding, BadStandings, Breach, Cause, Comparison, Gate,
    Limits, Measure, Milestone, ModuleBreach, NewlyUndetected, Scope, Standings, Thresholds,
    add_milestone, compare, format_milestones, format_standings, parse_milestones, parse_standings,
    standings,
};
pub use id::{BadId, MethodId, MutantId};
pub use literal::{Literal, LiteralError};
pub use metrics::{MethodResult, Metrics, Tally, compare_kinds};
pub use mutant::{ClassMutants, MethodFacts, Mutant, find_mutants};
pub use ranking::{Finding, Ranked, Reason, rank};
pub use replacement::Replacement;
pub use run::{
    Effort, Extent, JudgedClass, JudgedMethod, MutationRun, TriedMutant, Unreliability,
    UnreliableTest,
};
pub use settings::{MutateSettings, NullPolicy};
pub use shard::{BadShard, Shard};
pub use stop::{StopReason, StopRules};
pub use test_order::{CoveringTest, likely_killers_first};
pub use verdict::{Classification, MutantResult, MutantVerdict, Standing};
