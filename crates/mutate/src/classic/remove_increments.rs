//! # What it does
//! Leaves out increments and decrements of local variables.
//!
//! # Why
//! It is gentler than reversing them, so it survives where `increments` does not.
//!
//! # Example
//! ```java
//! total += 5;
//! ```
//! becomes
//! ```java
//!
//! ```

use super::{Change, ClassicOperator, Group, Mutation, Site};
use jury_classfile::Operand;

pub(super) const OPERATOR: ClassicOperator = ClassicOperator {
    name: "remove_increments",
    group: Group::All,
    source: include_str!("remove_increments.rs"),
    changes,
};

fn changes(site: &Site<'_, '_, '_>) -> Vec<Change> {
    match site.instruction.operand {
        Operand::Increment { by, .. } if by != 0 => {
            vec![Change::new(
                Mutation::Increment(0),
                format!("increment by `{by}` removed"),
            )]
        }
        _ => Vec::new(),
    }
}
