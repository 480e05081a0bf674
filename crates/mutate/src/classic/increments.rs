//! # What it does
//! Turns increments of local variables into decrements and the other way round, `+=` and `-=` with
//! small constants included.
//!
//! # Why
//! Counters are easy to execute and easy not to look at.
//!
//! # Example
//! ```java
//! for (Item item : items) { count++; }
//! ```
//! becomes
//! ```java
//! for (Item item : items) { count--; }
//! ```

use super::{Change, ClassicOperator, Group, Mutation, Site};
use jury_classfile::Operand;

pub(super) const OPERATOR: ClassicOperator = ClassicOperator {
    name: "increments",
    group: Group::Default,
    source: include_str!("increments.rs"),
    changes,
};

fn changes(site: &Site<'_, '_, '_>) -> Vec<Change> {
    let Operand::Increment { by, .. } = site.instruction.operand else {
        return Vec::new();
    };
    // Nothing changes for 0, and the lowest number has no opposite.
    match by.checked_neg() {
        Some(opposite) if opposite != by => {
            let description = format!("increment by `{by}` became `{opposite}`");
            vec![Change::new(Mutation::Increment(opposite), description)]
        }
        _ => Vec::new(),
    }
}
