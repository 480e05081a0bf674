//! The analysis behind `jury mutate`: which changes to a class its tests should notice, and what
//! it means when they do not.
//!
//! Facts in, mutants and verdicts out. Nothing here reads files, looks at a clock, starts a
//! process or rewrites a class: a mutant is a description that someone else carries out.

mod classic;
mod extreme;
mod id;
mod literal;
mod manual;
mod method;
mod mutant;
mod null_promise;
mod opcode;
mod replacement;
mod settings;
mod stop;

pub use classic::{
    CLASSIC, ClassicMethod, ClassicOperator, ClassicPoint, Group, Mutation, find_points,
};
pub use extreme::{NAMED, NamedOperator, Operator, OperatorError};
pub use id::{BadId, MethodId, MutantId};
pub use literal::{Literal, LiteralError};
pub use mutant::{ClassMutants, MethodFacts, Mutant, find_mutants};
pub use replacement::Replacement;
pub use settings::{MutateSettings, NullPolicy};
pub use stop::{StopReason, StopRules};
