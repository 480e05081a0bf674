//! # What it does
//! Leaves out the minus sign before a number that is not a constant.
//!
//! # Why
//! A sign that may be dropped was never compared with anything.
//!
//! # Example
//! ```java
//! return -balance;
//! ```
//! becomes
//! ```java
//! return balance;
//! ```

use super::{Change, ClassicOperator, Group, Mutation, Site};
use crate::opcode::*;

pub(super) const OPERATOR: ClassicOperator = ClassicOperator {
    name: "invert_negatives",
    group: Group::Default,
    source: include_str!("invert_negatives.rs"),
    changes,
};

fn changes(site: &Site<'_, '_, '_>) -> Vec<Change> {
    match site.opcode() {
        INEG..=DNEG => vec![Change::new(Mutation::Opcode(NOP), "negation removed")],
        _ => Vec::new(),
    }
}
