//! # What it does
//! Returns an array without elements from a method that returns an array.
//!
//! # Why
//! An empty array lets loops run and `length` be read, so it is harder to notice than `null`.
//!
//! # Example
//! ```java
//! int[][] grid() { return cells.clone(); }
//! ```
//! becomes
//! ```java
//! int[][] grid() { return new int[0][]; }
//! ```

use super::NamedOperator;
use crate::method::MethodInHand;
use crate::replacement::Replacement;

pub(super) const OPERATOR: NamedOperator = NamedOperator {
    name: "empty",
    source: include_str!("empty.rs"),
    replace,
};

fn replace(method: &MethodInHand<'_, '_>) -> Option<Replacement> {
    let component = method.descriptor.result.element()?;
    Some(Replacement::EmptyArray {
        component: component.as_str().to_string(),
    })
}
