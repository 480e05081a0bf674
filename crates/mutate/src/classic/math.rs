//! # What it does
//! Replaces an arithmetic or bitwise operation by another one: `+` and `-` change places, so do `*`
//! and `/`, `&` and `|`, `<<` and `>>`; `%` becomes `*`, `^` becomes `&`, `>>>` becomes `<<`.
//!
//! # Why
//! A computation that can give another result unseen is one that nobody recomputed in a test.
//!
//! # Example
//! ```java
//! return price * quantity;
//! ```
//! becomes
//! ```java
//! return price / quantity;
//! ```

use super::{Change, ClassicOperator, Group, Mutation, Site};
use crate::opcode::*;

pub(super) const OPERATOR: ClassicOperator = ClassicOperator {
    name: "math",
    group: Group::Default,
    source: include_str!("math.rs"),
    changes,
};

/// Operations with a form for int, long, float and double each, in this order.
const ARITHMETIC: [(u8, u8, &str); 5] = [
    (IADD, ISUB, "`+` became `-`"),
    (ISUB, IADD, "`-` became `+`"),
    (IMUL, IDIV, "`*` became `/`"),
    (IDIV, IMUL, "`/` became `*`"),
    (IREM, IMUL, "`%` became `*`"),
];

/// Operations with a form for int and long each.
const BITWISE: [(u8, u8, &str); 6] = [
    (ISHL, ISHR, "`<<` became `>>`"),
    (ISHR, ISHL, "`>>` became `<<`"),
    (IUSHR, ISHL, "`>>>` became `<<`"),
    (IAND, IOR, "`&` became `|`"),
    (IOR, IAND, "`|` became `&`"),
    (IXOR, IAND, "`^` became `&`"),
];

fn changes(site: &Site<'_, '_, '_>) -> Vec<Change> {
    let swap = |table: &[(u8, u8, &'static str)], forms: u8| {
        let row = table
            .iter()
            .find(|(from, ..)| (*from..from + forms).contains(&site.opcode()));
        row.map(|(from, to, description)| {
            Change::new(Mutation::Opcode(to + (site.opcode() - from)), *description)
        })
    };
    swap(&ARITHMETIC, 4)
        .or_else(|| swap(&BITWISE, 2))
        .into_iter()
        .collect()
}
