//! # What it does
//! Leaves out assignments to fields of objects; the field keeps the value it had.
//!
//! # Why
//! State that need not be written is state that no test reads.
//!
//! # Example
//! ```java
//! this.limit = limit;
//! ```
//! becomes
//! ```java
//!
//! ```

use super::{Change, ClassicOperator, Group, Mutation, Site};
use jury_classfile::Type;

use crate::opcode::*;

pub(super) const OPERATOR: ClassicOperator = ClassicOperator {
    name: "member_variables",
    group: Group::All,
    source: include_str!("member_variables.rs"),
    changes,
};

fn changes(site: &Site<'_, '_, '_>) -> Vec<Change> {
    let field = site.member().filter(|_| site.opcode() == PUTFIELD);
    let Some((field, Ok(kind))) = field.map(|field| (field, Type::field(field.descriptor))) else {
        return Vec::new();
    };
    let operands = vec![kind.slots(), 1];
    let description = format!("assignment to `{}` removed", field.name);
    vec![Change::new(
        Mutation::Omit {
            operands,
            instead: None,
        },
        description,
    )]
}
