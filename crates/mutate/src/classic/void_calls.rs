//! # What it does
//! Leaves out a call of a method that returns nothing. The arguments are still computed.
//!
//! # Why
//! Such calls are made for their effects; if they can be spared, no test looks at those effects.
//!
//! # Example
//! ```java
//! order.close();
//! return order;
//! ```
//! becomes
//! ```java
//! return order;
//! ```

use super::site::readable;
use super::{Change, ClassicOperator, Group, Mutation, Site};
use crate::opcode::*;

pub(super) const OPERATOR: ClassicOperator = ClassicOperator {
    name: "void_calls",
    group: Group::Default,
    source: include_str!("void_calls.rs"),
    changes,
};

fn changes(site: &Site<'_, '_, '_>) -> Vec<Change> {
    let Some((called, descriptor)) = site.called() else {
        return Vec::new();
    };
    if !descriptor.result.is_void() || called.name == "<init>" {
        return Vec::new();
    }
    let mut operands = Site::arguments(&descriptor);
    operands.extend((site.opcode() != INVOKESTATIC).then_some(1));
    let description = format!("call of `{}` removed", readable(&called));
    vec![Change::new(
        Mutation::Omit {
            operands,
            instead: None,
        },
        description,
    )]
}
