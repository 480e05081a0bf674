//! # What it does
//! Returns a fresh object from a method whose return type is a class of a `java` package with a
//! public constructor without parameters, or one of the collection interfaces: `Collection`,
//! `Iterable` and `List` give an `ArrayList`, `Queue` and `Deque` a `LinkedList`, `Set` a
//! `HashSet`, `Map` a `HashMap`, and the sorted and navigable interfaces a `TreeSet` or `TreeMap`.
//!
//! # Why
//! A valid but blank object slips past checks for `null` and shows whether anyone looks inside.
//!
//! # Example
//! ```java
//! List<String> names() { return people.stream().map(Person::name).toList(); }
//! ```
//! becomes
//! ```java
//! List<String> names() { return new ArrayList(); }
//! ```

use super::NamedOperator;
use crate::method::MethodInHand;
use crate::replacement::Replacement;

pub(super) const OPERATOR: NamedOperator = NamedOperator {
    name: "new",
    source: include_str!("new.rs"),
    replace,
};

const IMPLEMENTATIONS: [(&str, &str); 11] = [
    ("java/lang/Iterable", "java/util/ArrayList"),
    ("java/util/Collection", "java/util/ArrayList"),
    ("java/util/Deque", "java/util/LinkedList"),
    ("java/util/List", "java/util/ArrayList"),
    ("java/util/Map", "java/util/HashMap"),
    ("java/util/NavigableMap", "java/util/TreeMap"),
    ("java/util/NavigableSet", "java/util/TreeSet"),
    ("java/util/Queue", "java/util/LinkedList"),
    ("java/util/Set", "java/util/HashSet"),
    ("java/util/SortedMap", "java/util/TreeMap"),
    ("java/util/SortedSet", "java/util/TreeSet"),
];

/// Public concrete classes of the JDK's `java` packages with a public constructor without
/// parameters. Two are left out: `String`, which has constants, and `Timer`, which starts a thread.
const CONSTRUCTIBLE: &str = include_str!("constructible.txt");

fn replace(method: &MethodInHand<'_, '_>) -> Option<Replacement> {
    let result = method.returned_class()?;
    if !result.as_bytes().starts_with(b"java/") {
        return None;
    }
    let implementation = IMPLEMENTATIONS
        .iter()
        .find(|(interface, _)| result == *interface);
    let class = match implementation {
        Some((_, class)) => *class,
        None => CONSTRUCTIBLE.lines().find(|class| result == *class)?,
    };
    Some(Replacement::New {
        class: class.to_owned(),
    })
}
