//! # What it does
//! Turns every condition into its opposite: `==` into `!=`, `<` into `>=`, `!= null` into `== null`.
//!
//! # Why
//! If the wrong branch can be taken unseen, the tests run the decision without checking where it leads.
//!
//! # Example
//! ```java
//! if (cart.isEmpty()) { return; }
//! ```
//! becomes
//! ```java
//! if (!cart.isEmpty()) { return; }
//! ```

use super::{Change, ClassicOperator, Group, Mutation, Site};
use crate::opcode::*;

pub(super) const OPERATOR: ClassicOperator = ClassicOperator {
    name: "negate_conditionals",
    group: Group::Default,
    source: include_str!("negate_conditionals.rs"),
    changes,
};

fn changes(site: &Site<'_, '_, '_>) -> Vec<Change> {
    let negated = match site.opcode() {
        // Opposites lie side by side in the instruction set.
        opcode @ IFEQ..=IF_ACMPNE => ((opcode - IFEQ) ^ 1) + IFEQ,
        IFNULL => IFNONNULL,
        IFNONNULL => IFNULL,
        _ => return Vec::new(),
    };
    vec![Change::new(Mutation::Opcode(negated), "condition negated")]
}
