//! # What it does
//! Replaces a call by its receiver where the method returns the receiver's own type.
//!
//! # Why
//! Chains of immutable values and builders go on as if the call had happened.
//!
//! # Example
//! ```java
//! return name.trim();
//! ```
//! becomes
//! ```java
//! return name;
//! ```

use super::site::readable;
use super::{Change, ClassicOperator, Group, Mutation, Site};
use crate::opcode::*;

pub(super) const OPERATOR: ClassicOperator = ClassicOperator {
    name: "naked_receiver",
    group: Group::All,
    source: include_str!("naked_receiver.rs"),
    changes,
};

fn changes(site: &Site<'_, '_, '_>) -> Vec<Change> {
    let Some((called, descriptor)) = site.called() else {
        return Vec::new();
    };
    let returns_own_type =
        !descriptor.result.is_array() && descriptor.result.class_name() == Some(called.owner);
    if site.opcode() == INVOKESTATIC || !returns_own_type {
        return Vec::new();
    }
    let operands = Site::arguments(&descriptor);
    let description = format!("call of `{}` replaced by its receiver", readable(&called));
    vec![Change::new(
        Mutation::Omit {
            operands,
            instead: None,
        },
        description,
    )]
}
