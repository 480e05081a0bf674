//! # What it does
//! Replaces the value of one `return`, by return type:
//!
//! - `true_returns`, `false_returns`: the constant, for `boolean` and `Boolean`;
//! - `primitive_returns`: `0`, for every other primitive type;
//! - `empty_returns`: an empty string, optional, list, set, map or stream, or `0` in its wrapper;
//! - `null_returns`: `null`, for all other objects unless they promise not to be null.
//!
//! A `return` that gives this very constant anyway is left alone.
//!
//! # Why
//! It asks of each way out of a method whether some test looks at what comes out there.
//!
//! # Example
//! ```java
//! if (cached != null) { return cached; }
//! return compute();
//! ```
//! becomes
//! ```java
//! if (cached != null) { return null; }
//! return compute();
//! ```

use jury_classfile::JavaStr;

use super::{Change, ClassicOperator, Group, Mutation, Site};
use crate::literal::Literal;
use crate::null_promise::promises_not_null;
use crate::opcode::is_return;
use crate::replacement::Replacement;

pub(super) const TRUE: ClassicOperator = operator("true_returns", |site| constant(site, true));
pub(super) const FALSE: ClassicOperator = operator("false_returns", |site| constant(site, false));
pub(super) const PRIMITIVE: ClassicOperator = operator("primitive_returns", |site| {
    let result = site.method.descriptor.result;
    let is_number = !result.is_reference() && result.first() != b'Z';
    replaced(site, Replacement::default_of(result).filter(|_| is_number))
});
pub(super) const EMPTY: ClassicOperator = operator("empty_returns", |site| {
    replaced(site, site.method.returned_class().and_then(empty_value))
});
pub(super) const NULL: ClassicOperator = operator("null_returns", |site| {
    let class = site.method.returned_class();
    let has_better =
        class.is_some_and(|class| empty_value(class).is_some() || class == "java/lang/Boolean");
    let applies = site.method.descriptor.result.is_reference() && !has_better;
    let applies = applies && is_return(site.opcode()) && !promises_not_null(site.method);
    replaced(site, applies.then_some(Replacement::Null))
});

const fn operator(
    name: &'static str,
    changes: fn(&Site<'_, '_, '_>) -> Vec<Change>,
) -> ClassicOperator {
    ClassicOperator {
        name,
        group: Group::Default,
        source: include_str!("returns.rs"),
        changes,
    }
}

fn constant(site: &Site<'_, '_, '_>, value: bool) -> Vec<Change> {
    let result = site.method.descriptor.result.as_str();
    let replacement = if result == "Z" {
        Some(Replacement::Int(i32::from(value)))
    } else if result == "Ljava/lang/Boolean;" {
        Some(Replacement::Boxed(Literal::Boolean(value)))
    } else {
        None
    };
    let mut changes = replaced(site, replacement);
    for change in &mut changes {
        change.description = format!("`{value}` returned");
    }
    changes
}

fn replaced(site: &Site<'_, '_, '_>, replacement: Option<Replacement>) -> Vec<Change> {
    let Some(replacement) = replacement.filter(|_| is_return(site.opcode())) else {
        return Vec::new();
    };
    if site.already_has(&replacement) {
        return Vec::new();
    }
    let description = match &replacement {
        Replacement::Null => "`null` returned",
        Replacement::Str(_) | Replacement::StaticCall { .. } => "empty value returned",
        _ => "`0` returned",
    };
    vec![Change::new(Mutation::Return(replacement), description)]
}

/// The value of a well-known type that holds nothing.
fn empty_value(class: JavaStr<'_>) -> Option<Replacement> {
    let collection =
        |name, result| Replacement::static_call("java/util/Collections", name, result, false);
    Some(match &*class.to_str() {
        "java/lang/String" => Replacement::Str(String::new()),
        "java/lang/Short" => Replacement::Boxed(Literal::Short(0)),
        "java/lang/Character" => Replacement::Boxed(Literal::Char(0)),
        "java/lang/Integer" => Replacement::Boxed(Literal::Int(0)),
        "java/lang/Long" => Replacement::Boxed(Literal::Long(0)),
        "java/lang/Float" => Replacement::Boxed(Literal::Float(0.0)),
        "java/lang/Double" => Replacement::Boxed(Literal::Double(0.0)),
        "java/lang/Iterable" | "java/util/Collection" | "java/util/List" => {
            collection("emptyList", "java/util/List")
        }
        "java/util/Set" => collection("emptySet", "java/util/Set"),
        "java/util/Map" => collection("emptyMap", "java/util/Map"),
        optional @ "java/util/Optional" => {
            Replacement::static_call(optional, "empty", optional, false)
        }
        stream @ "java/util/stream/Stream" => {
            Replacement::static_call(stream, "empty", stream, true)
        }
        _ => return None,
    })
}
