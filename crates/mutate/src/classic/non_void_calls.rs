//! # What it does
//! Leaves out a call of a method that returns something and goes on with the default of its type:
//! `0`, `false` or `null`.
//!
//! # Why
//! It asks of every call whether its result matters. Many of the answers are crashes, hence not a
//! default.
//!
//! # Example
//! ```java
//! int tax = rates.lookup(country);
//! ```
//! becomes
//! ```java
//! int tax = 0;
//! ```

use super::site::readable;
use super::{Change, ClassicOperator, Group, Mutation, Site};
use crate::opcode::*;
use crate::replacement::Replacement;

pub(super) const OPERATOR: ClassicOperator = ClassicOperator {
    name: "non_void_calls",
    group: Group::All,
    source: include_str!("non_void_calls.rs"),
    changes,
};

fn changes(site: &Site<'_, '_, '_>) -> Vec<Change> {
    let Some((called, descriptor)) = site.called() else {
        return Vec::new();
    };
    let Some(default) = Replacement::default_of(descriptor.result) else {
        return Vec::new();
    };
    let mut operands = Site::arguments(&descriptor);
    operands.extend((site.opcode() != INVOKESTATIC).then_some(1));
    let description = format!(
        "result of `{}` replaced by its type's default",
        readable(&called)
    );
    vec![Change::new(
        Mutation::Omit {
            operands,
            instead: Some(default),
        },
        description,
    )]
}
