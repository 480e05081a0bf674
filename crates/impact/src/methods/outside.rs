//! What is known of code outside the project, which no graph shows.
//!
//! Such code meets the project in two ways: it calls methods of objects that it is given, and it
//! may look at their members by reflection. What is not listed here is taken to do anything.

use jury_classfile::MemberRef;

/// Methods that any object can be asked for.
const OF_OBJECTS: [&str; 5] = ["equals", "hashCode", "toString", "finalize", "clone"];

/// Types of the JDK that ask their subtypes for these methods only.
const OF_TYPES: [(&str, &[&str]); 15] = [
    ("java/lang/Object", &[]),
    ("java/lang/Enum", &[]),
    ("java/lang/Record", &[]),
    ("java/io/Serializable", &[]),
    ("java/lang/Cloneable", &[]),
    ("java/util/RandomAccess", &[]),
    ("java/lang/annotation/Annotation", &[]),
    ("java/lang/Comparable", &["compareTo"]),
    ("java/lang/Runnable", &["run"]),
    ("java/util/concurrent/Callable", &["call"]),
    ("java/lang/AutoCloseable", &["close"]),
    ("java/io/Closeable", &["close"]),
    (
        "java/util/Iterator",
        &["hasNext", "next", "remove", "forEachRemaining"],
    ),
    (
        "java/lang/Iterable",
        &["iterator", "forEach", "spliterator"],
    ),
    (
        "java/lang/CharSequence",
        &[
            "length",
            "charAt",
            "isEmpty",
            "subSequence",
            "chars",
            "codePoints",
            "getChars",
        ],
    ),
];

/// Libraries that do with objects what their types promise and look at no members. A package ends
/// in `/`.
const PLAIN: [&str; 20] = [
    "org/junit/",
    "junit/framework/",
    "org/opentest4j/",
    "org/apiguardian/api/",
    "org/hamcrest/CoreMatchers",
    "org/hamcrest/MatcherAssert",
    "org/hamcrest/Matcher",
    "org/hamcrest/BaseMatcher",
    "org/hamcrest/TypeSafeMatcher",
    "org/hamcrest/Description",
    "org/testng/Assert",
    "org/testng/annotations/",
    "org/slf4j/Logger",
    "org/slf4j/LoggerFactory",
    "org/jspecify/annotations/",
    "org/jetbrains/annotations/",
    "org/checkerframework/",
    "com/google/errorprone/annotations/",
    "javax/annotation/Nullable",
    "javax/annotation/Nonnull",
];

/// Which methods of an object code outside may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Asked {
    Everything,
    These(Vec<&'static str>),
}

impl Asked {
    /// Of an object with these supertypes outside the project.
    pub fn of<'n>(supertypes: impl IntoIterator<Item = &'n str>) -> Self {
        let mut methods = OF_OBJECTS.to_vec();
        for supertype in supertypes {
            let Some((_, more)) = OF_TYPES.iter().find(|(own, _)| *own == supertype) else {
                return Asked::Everything;
            };
            methods.extend(*more);
        }
        Asked::These(methods)
    }

    /// `signature` is a name and a descriptor.
    pub fn contains(&self, signature: &str) -> bool {
        let name = signature.split('(').next().unwrap_or(signature);
        match self {
            Asked::Everything => true,
            Asked::These(methods) => methods.contains(&name),
        }
    }
}

pub(super) fn is_plain(class: &str) -> bool {
    PLAIN.iter().any(|plain| match plain.strip_suffix('/') {
        Some(_) => class.starts_with(plain),
        None => class == *plain,
    })
}

/// Whether the JDK is asked for members of a class, or for a copy of an object with all it holds.
pub(super) fn looks_at_members(method: MemberRef<'_>) -> bool {
    let (owner, name) = (method.owner.to_str(), method.name.to_str());
    match &*owner {
        "java/lang/Class" => {
            let parts = ["Method", "Constructor", "Field", "RecordComponent"];
            name == "newInstance" || parts.iter().any(|part| name.contains(part))
        }
        "java/lang/invoke/MethodHandles$Lookup" => ["find", "unreflect", "bind"]
            .iter()
            .any(|start| name.starts_with(start)),
        "java/io/ObjectInputStream" | "java/io/ObjectOutputStream" => true,
        other => other.starts_with("java/beans/") || other.starts_with("java/rmi/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_outside_ask_for_what_they_declare_and_unknown_ones_for_everything() {
        let ordered = Asked::of(["java/lang/Comparable"]);
        assert!(ordered.contains("compareTo(Ljava/lang/Object;)I"));
        assert!(ordered.contains("hashCode()I"));
        assert!(!ordered.contains("compare()V"));
        assert!(Asked::of(["java/util/AbstractList"]).contains("anything()V"));
    }

    #[test]
    fn a_plain_class_stands_for_itself_and_a_plain_package_for_all_within() {
        assert!(is_plain("org/junit/jupiter/api/Assertions"));
        assert!(is_plain("org/hamcrest/CoreMatchers"));
        assert!(!is_plain("org/hamcrest/Matchers"));
        assert!(!is_plain("org/assertj/core/api/Assertions"));
    }
}
