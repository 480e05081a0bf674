//! # What it does
//! Decides a condition once and for all, so that the guarded code always runs (`…_if`) or never
//! does (`…_else`). Tests for equality and tests for order are separate operators.
//!
//! # Why
//! It is the plainest question about a decision: is there a test for either outcome?
//!
//! # Example
//! ```java
//! if (stock == 0) { reorder(); }
//! ```
//! becomes, with `remove_conditionals_equal_if`,
//! ```java
//! reorder();
//! ```

use super::{Change, ClassicOperator, Group, Mutation, Site};
use crate::opcode::*;

pub(super) const EQUAL_IF: ClassicOperator = ClassicOperator {
    name: "remove_conditionals_equal_if",
    group: Group::Stronger,
    source: include_str!("remove_conditionals.rs"),
    changes: |site| always_runs(site, is_equality),
};

pub(super) const EQUAL_ELSE: ClassicOperator = ClassicOperator {
    name: "remove_conditionals_equal_else",
    group: Group::Stronger,
    source: include_str!("remove_conditionals.rs"),
    changes: |site| never_runs(site, is_equality),
};

pub(super) const ORDER_IF: ClassicOperator = ClassicOperator {
    name: "remove_conditionals_order_if",
    group: Group::Stronger,
    source: include_str!("remove_conditionals.rs"),
    changes: |site| always_runs(site, is_order),
};

pub(super) const ORDER_ELSE: ClassicOperator = ClassicOperator {
    name: "remove_conditionals_order_else",
    group: Group::Stronger,
    source: include_str!("remove_conditionals.rs"),
    changes: |site| never_runs(site, is_order),
};

/// Compilers branch past the guarded code when the condition does not hold.
fn always_runs(site: &Site<'_, '_, '_>, applies: fn(u8) -> bool) -> Vec<Change> {
    let omit = |operands| Mutation::Omit {
        operands,
        instead: None,
    };
    change(site, applies, omit, "condition is always true")
}

fn never_runs(site: &Site<'_, '_, '_>, applies: fn(u8) -> bool) -> Vec<Change> {
    let branch = |operands| Mutation::AlwaysBranch { operands };
    change(site, applies, branch, "condition is never true")
}

fn change(
    site: &Site<'_, '_, '_>,
    applies: fn(u8) -> bool,
    mutation: fn(Vec<u16>) -> Mutation,
    description: &str,
) -> Vec<Change> {
    if !applies(site.opcode()) {
        return Vec::new();
    }
    let compared = if (IF_ICMPEQ..=IF_ACMPNE).contains(&site.opcode()) {
        2
    } else {
        1
    };
    vec![Change::new(mutation(vec![1; compared]), description)]
}

fn is_equality(opcode: u8) -> bool {
    let pairs = IF_ICMPEQ..=IF_ICMPNE;
    matches!(
        opcode,
        IFEQ | IFNE | IF_ACMPEQ | IF_ACMPNE | IFNULL | IFNONNULL
    ) || pairs.contains(&opcode)
}

fn is_order(opcode: u8) -> bool {
    (IFLT..=IFLE).contains(&opcode) || (IF_ICMPLT..=IF_ICMPLE).contains(&opcode)
}
