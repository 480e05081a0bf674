//! # What it does
//! Returns an empty, unmodifiable collection from a method that returns one of the collection
//! interfaces: `Collection`, `Iterable`, `List`, `Set`, `Map`, their sorted and navigable forms,
//! `Iterator`, `ListIterator` and `Enumeration`.
//!
//! # Why
//! Callers loop over what they get, so an empty collection passes unseen where `null` would not.
//!
//! # Example
//! ```java
//! Set<Role> roles(User user) { return grants.get(user); }
//! ```
//! becomes
//! ```java
//! Set<Role> roles(User user) { return Collections.emptySet(); }
//! ```

use super::NamedOperator;
use crate::method::MethodInHand;
use crate::replacement::Replacement;

pub(super) const OPERATOR: NamedOperator = NamedOperator {
    name: "collections",
    source: include_str!("collections.rs"),
    replace,
};

/// Return types with the factory method that serves them and what that method returns.
const FACTORIES: [(&str, &str, &str); 12] = [
    ("java/lang/Iterable", "emptyList", "java/util/List"),
    ("java/util/Collection", "emptyList", "java/util/List"),
    ("java/util/List", "emptyList", "java/util/List"),
    ("java/util/Set", "emptySet", "java/util/Set"),
    (
        "java/util/SortedSet",
        "emptySortedSet",
        "java/util/SortedSet",
    ),
    (
        "java/util/NavigableSet",
        "emptyNavigableSet",
        "java/util/NavigableSet",
    ),
    ("java/util/Map", "emptyMap", "java/util/Map"),
    (
        "java/util/SortedMap",
        "emptySortedMap",
        "java/util/SortedMap",
    ),
    (
        "java/util/NavigableMap",
        "emptyNavigableMap",
        "java/util/NavigableMap",
    ),
    ("java/util/Iterator", "emptyIterator", "java/util/Iterator"),
    (
        "java/util/ListIterator",
        "emptyListIterator",
        "java/util/ListIterator",
    ),
    (
        "java/util/Enumeration",
        "emptyEnumeration",
        "java/util/Enumeration",
    ),
];

fn replace(method: &MethodInHand<'_, '_>) -> Option<Replacement> {
    let result = method.returned_class()?;
    let (_, factory, given) = FACTORIES
        .iter()
        .find(|(returned, ..)| result == *returned)?;
    Some(Replacement::static_call(
        "java/util/Collections",
        factory,
        given,
        false,
    ))
}
