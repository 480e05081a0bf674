//! # What it does
//! Returns the receiver from an instance method whose return type is the class itself, its
//! superclass or one of its interfaces.
//!
//! # Why
//! Fluent and immutable styles hide omissions well: a `with…` method that returns `this` keeps
//! the chain going.
//!
//! # Example
//! ```java
//! Money plus(Money other) { return new Money(cents + other.cents); }
//! ```
//! becomes
//! ```java
//! Money plus(Money other) { return this; }
//! ```

use super::NamedOperator;
use crate::method::MethodInHand;
use crate::replacement::Replacement;

pub(super) const OPERATOR: NamedOperator = NamedOperator {
    name: "this",
    source: include_str!("this.rs"),
    replace,
};

fn replace(method: &MethodInHand<'_, '_>) -> Option<Replacement> {
    let class = method.class;
    let result = method.returned_class()?;
    let is_own_type = result == class.name
        || class.super_name == Some(result)
        || class
            .file
            .interfaces()
            .flatten()
            .any(|interface| interface == result);
    (is_own_type && !method.access().is_static()).then_some(Replacement::This)
}
