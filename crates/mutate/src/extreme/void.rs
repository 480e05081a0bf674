//! # What it does
//! Removes the body of a method that returns nothing.
//!
//! # Why
//! A void method exists for its effects. If no test notices that they are gone, no test checks
//! them.
//!
//! # Example
//! ```java
//! void add(Item item) { items.add(item); version++; }
//! ```
//! becomes
//! ```java
//! void add(Item item) { }
//! ```

use super::NamedOperator;
use crate::method::MethodInHand;
use crate::replacement::Replacement;

pub(super) const OPERATOR: NamedOperator = NamedOperator {
    name: "void",
    source: include_str!("void.rs"),
    replace,
};

fn replace(method: &MethodInHand<'_, '_>) -> Option<Replacement> {
    method
        .descriptor
        .result
        .is_void()
        .then_some(Replacement::Void)
}
