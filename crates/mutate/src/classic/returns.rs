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

pub(super) const TRUE: ClassicOperator = operator("true_returns", |site| {
    replaced(site, || boolean(site, true), "`true` returned")
});
pub(super) const FALSE: ClassicOperator = operator("false_returns", |site| {
    replaced(site, || boolean(site, false), "`false` returned")
});
pub(super) const PRIMITIVE: ClassicOperator = operator("primitive_returns", |site| {
    replaced(site, || zero(site), "`0` returned")
});
pub(super) const EMPTY: ClassicOperator = operator("empty_returns", |site| {
    let empty = || site.method.returned_class().and_then(empty_value);
    replaced(site, empty, "empty value returned")
});
pub(super) const NULL: ClassicOperator = operator("null_returns", |site| {
    replaced(site, || null(site), "`null` returned")
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

fn boolean(site: &Site<'_, '_, '_>, value: bool) -> Option<Replacement> {
    let result = site.method.descriptor.result.as_str();
    if result == "Z" {
        Some(Replacement::Int(i32::from(value)))
    } else if result == "Ljava/lang/Boolean;" {
        Some(Replacement::Boxed(Literal::Boolean(value)))
    } else {
        None
    }
}

fn zero(site: &Site<'_, '_, '_>) -> Option<Replacement> {
    let result = site.method.descriptor.result;
    let is_number = !result.is_reference() && result.first() != b'Z';
    Replacement::default_of(result).filter(|_| is_number)
}

fn null(site: &Site<'_, '_, '_>) -> Option<Replacement> {
    let class = site.method.returned_class();
    let has_better = |class| empty_value(class).is_some() || class == "java/lang/Boolean";
    let applies = site.method.descriptor.result.is_reference() && !class.is_some_and(has_better);
    (applies && !promises_not_null(site.method)).then_some(Replacement::Null)
}

fn replaced(
    site: &Site<'_, '_, '_>,
    value: impl FnOnce() -> Option<Replacement>,
    description: &str,
) -> Vec<Change> {
    if !is_return(site.opcode()) {
        return Vec::new();
    }
    let value = value().filter(|value| !site.already_has(value));
    value
        .map(|value| Change::new(Mutation::Return(value), description))
        .into_iter()
        .collect()
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
