//! # What it does
//! Moves the boundary of `<`, `<=`, `>` and `>=` by one: each loses or gains the equals sign.
//!
//! # Why
//! Off-by-one mistakes are the commonest ones, and only a test with the boundary value sees them.
//!
//! # Example
//! ```java
//! if (age < 18) { refuse(); }
//! ```
//! becomes
//! ```java
//! if (age <= 18) { refuse(); }
//! ```

use super::{Change, ClassicOperator, Group, Mutation, Site};
use crate::opcode::*;

pub(super) const OPERATOR: ClassicOperator = ClassicOperator {
    name: "conditionals_boundary",
    group: Group::Default,
    source: include_str!("conditionals_boundary.rs"),
    changes,
};

fn changes(site: &Site<'_, '_, '_>) -> Vec<Change> {
    let moved = match site.opcode() {
        IFLT => IFLE,
        IFLE => IFLT,
        IFGE => IFGT,
        IFGT => IFGE,
        IF_ICMPLT => IF_ICMPLE,
        IF_ICMPLE => IF_ICMPLT,
        IF_ICMPGE => IF_ICMPGT,
        IF_ICMPGT => IF_ICMPGE,
        _ => return Vec::new(),
    };
    vec![Change::new(
        Mutation::Opcode(moved),
        "boundary of the comparison moved",
    )]
}
