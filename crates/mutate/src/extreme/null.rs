//! # What it does
//! Returns `null` from a method that returns an object.
//!
//! Arrays get it only when asked for (they have `empty`), and methods that promise not to return
//! null (`@NotNull`, `@NonNull`, `@Nonnull`) are spared unless that is switched off.
//!
//! # Why
//! A caller that is tested cannot go on with nothing in its hands. If it does, the result never
//! mattered to any test.
//!
//! # Example
//! ```java
//! Account find(String owner) { return accounts.get(owner); }
//! ```
//! becomes
//! ```java
//! Account find(String owner) { return null; }
//! ```

use super::NamedOperator;
use crate::method::MethodInHand;
use crate::replacement::Replacement;

pub(super) const OPERATOR: NamedOperator = NamedOperator {
    name: "null",
    source: include_str!("null.rs"),
    replace,
};

fn replace(method: &MethodInHand<'_, '_>) -> Option<Replacement> {
    method
        .descriptor
        .result
        .is_reference()
        .then_some(Replacement::Null)
}
