//! # What it does
//! Returns the empty value from a method that returns `Optional`, `OptionalInt`, `OptionalLong`
//! or `OptionalDouble`.
//!
//! # Why
//! Code that uses optionals is written for absence, so `null` would be an unfair test of it.
//!
//! # Example
//! ```java
//! Optional<User> findUser(long id) { return Optional.ofNullable(users.get(id)); }
//! ```
//! becomes
//! ```java
//! Optional<User> findUser(long id) { return Optional.empty(); }
//! ```

use super::NamedOperator;
use crate::method::MethodInHand;
use crate::replacement::Replacement;

pub(super) const OPERATOR: NamedOperator = NamedOperator {
    name: "optional",
    source: include_str!("optional.rs"),
    replace,
};

const OPTIONALS: [&str; 4] = [
    "java/util/Optional",
    "java/util/OptionalInt",
    "java/util/OptionalLong",
    "java/util/OptionalDouble",
];

fn replace(method: &MethodInHand<'_, '_>) -> Option<Replacement> {
    let result = method.returned_class()?;
    let optional = OPTIONALS.into_iter().find(|optional| result == *optional)?;
    Some(Replacement::static_call(optional, "empty", optional, false))
}
