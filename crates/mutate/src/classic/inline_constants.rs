//! # What it does
//! Changes a number in the code: `1` becomes `0`, any other integer grows by one (the highest byte
//! and short wrap round), a fraction becomes `1.0`, and `1.0` becomes `2.0`.
//!
//! # Why
//! Magic numbers decide a lot and are tested little.
//!
//! # Example
//! ```java
//! int retries = 3;
//! ```
//! becomes
//! ```java
//! int retries = 4;
//! ```

use super::site::pushed_constant;
use super::{Change, ClassicOperator, Group, Mutation, Site};
use crate::replacement::Replacement;

pub(super) const OPERATOR: ClassicOperator = ClassicOperator {
    name: "inline_constants",
    group: Group::All,
    source: include_str!("inline_constants.rs"),
    changes,
};

fn changes(site: &Site<'_, '_, '_>) -> Vec<Change> {
    let Some(constant) = pushed_constant(site.method, site.instruction) else {
        return Vec::new();
    };
    let (changed, description) = match constant {
        Replacement::Int(value) => {
            let changed = next_int(value);
            (
                Replacement::Int(changed),
                format!("`{value}` became `{changed}`"),
            )
        }
        Replacement::Long(value) => {
            let changed = value.wrapping_add(1);
            (
                Replacement::Long(changed),
                format!("`{value}L` became `{changed}L`"),
            )
        }
        // Adding to a large fraction may leave it as it was.
        Replacement::Float(value) => {
            let changed = if value == 1.0 { 2.0 } else { 1.0 };
            (
                Replacement::Float(changed),
                format!("`{value:?}f` became `{changed:?}f`"),
            )
        }
        Replacement::Double(value) => {
            let changed = if value == 1.0 { 2.0 } else { 1.0 };
            (
                Replacement::Double(changed),
                format!("`{value:?}` became `{changed:?}`"),
            )
        }
        _ => return Vec::new(),
    };
    let mutation = Mutation::Omit {
        operands: Vec::new(),
        instead: Some(changed),
    };
    vec![Change::new(mutation, description)]
}

/// Stays within the type that the constant may have in the source.
fn next_int(value: i32) -> i32 {
    const BYTE_MAX: i32 = i8::MAX as i32;
    const SHORT_MAX: i32 = i16::MAX as i32;
    match value {
        1 => 0,
        BYTE_MAX => i32::from(i8::MIN),
        SHORT_MAX => i32::from(i16::MIN),
        other => other.wrapping_add(1),
    }
}
