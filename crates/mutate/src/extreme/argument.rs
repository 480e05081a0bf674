//! # What it does
//! Returns the first argument whose type is exactly the return type.
//!
//! # Why
//! A method that transforms something (trims, sorts, rounds) is the most tempting one to test
//! with input that needs no transformation.
//!
//! # Example
//! ```java
//! String trim(int width, String text) { return text.substring(0, width); }
//! ```
//! becomes
//! ```java
//! String trim(int width, String text) { return text; }
//! ```

use super::NamedOperator;
use crate::method::MethodInHand;
use crate::replacement::Replacement;

pub(super) const OPERATOR: NamedOperator = NamedOperator {
    name: "argument",
    source: include_str!("argument.rs"),
    replace,
};

fn replace(method: &MethodInHand<'_, '_>) -> Option<Replacement> {
    let mut parameters = method.descriptor.parameters().zip(method.parameter_slots());
    let (_, slot) = parameters.find(|(parameter, _)| *parameter == method.descriptor.result)?;
    Some(Replacement::Argument { slot })
}
