//! # What it does
//! Returns a constant from a method of exactly the constant's type. Constants are written as in
//! Java: `true`, `-1`, `0x1F`, `0b101`, `017`, `2L`, `3.0f`, `4.0`, `'a'`, `'\40'`, `"text"`, and
//! with a cast for the two types that have no literal of their own: `(byte)0x1A`, `(short)-1`.
//!
//! # Why
//! A method that could answer the same to every question is one whose answer nobody checks. Two
//! constants per type, because one of them may happen to be the right answer.
//!
//! # Example
//! `1` turns
//! ```java
//! int size() { return last - first; }
//! ```
//! into
//! ```java
//! int size() { return 1; }
//! ```

use crate::literal::Literal;
use crate::method::MethodInHand;
use crate::replacement::Replacement;

pub(super) fn replace(literal: &Literal, method: &MethodInHand<'_, '_>) -> Option<Replacement> {
    let result = method.descriptor.result;
    (result.as_str() == literal.descriptor()).then(|| literal.replacement())
}
