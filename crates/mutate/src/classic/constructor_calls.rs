//! # What it does
//! Replaces a new object by `null`. The arguments are still computed.
//!
//! # Why
//! It shows objects that are made and handed on, but never used in any test.
//!
//! # Example
//! ```java
//! Listener listener = new Listener(queue);
//! ```
//! becomes
//! ```java
//! Listener listener = null;
//! ```

use super::site::readable;
use super::{Change, ClassicOperator, Group, Mutation, Site};
use crate::replacement::Replacement;

pub(super) const OPERATOR: ClassicOperator = ClassicOperator {
    name: "constructor_calls",
    group: Group::All,
    source: include_str!("constructor_calls.rs"),
    changes,
};

fn changes(site: &Site<'_, '_, '_>) -> Vec<Change> {
    let Some((called, descriptor)) = site.called() else {
        return Vec::new();
    };
    // Only the usual form, with both references on the stack, can be undone on the spot.
    if !site.completes_new {
        return Vec::new();
    }
    let mut operands = Site::arguments(&descriptor);
    operands.extend([1, 1]);
    let description = format!(
        "`new {}` replaced by `null`",
        readable(&called).trim_end_matches(".<init>")
    );
    vec![Change::new(
        Mutation::Omit {
            operands,
            instead: Some(Replacement::Null),
        },
        description,
    )]
}
