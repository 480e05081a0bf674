//! Which classes a rewriting is for, decided by name.

use std::collections::HashSet;

/// Classes chosen by the beginnings of their names, in VM form: `org/example/`.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    included: Vec<String>,
    excluded: Vec<String>,
}

impl Scope {
    /// Every class.
    pub fn all() -> Self {
        Self::default()
    }

    /// Classes whose names begin with one of the prefixes; none if there are no prefixes.
    pub fn within<S: Into<String>>(prefixes: impl IntoIterator<Item = S>) -> Option<Self> {
        let included: Vec<String> = prefixes.into_iter().map(Into::into).collect();
        if included.is_empty() {
            None
        } else {
            Some(Scope {
                included,
                excluded: Vec::new(),
            })
        }
    }

    /// Leaves out classes whose names begin with one of the prefixes.
    pub fn except<S: Into<String>>(mut self, prefixes: impl IntoIterator<Item = S>) -> Self {
        self.excluded.extend(prefixes.into_iter().map(Into::into));
        self
    }

    pub fn contains(&self, class_name: &str) -> bool {
        let begins = |prefix: &String| class_name.starts_with(prefix.as_str());
        (self.included.is_empty() || self.included.iter().any(begins))
            && !self.excluded.iter().any(begins)
    }
}

/// Exact class names, with a quick way to say no: most classes a JVM loads are in no set.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClassNames {
    /// One bit per fingerprint; a clear bit proves absence without hashing the name.
    fingerprints: [u64; 16],
    names: HashSet<String>,
}

impl ClassNames {
    pub fn insert(&mut self, name: &str) {
        let (word, bit) = Self::fingerprint(name);
        self.fingerprints[word] |= bit;
        self.names.insert(name.to_owned());
    }

    #[inline]
    pub fn contains(&self, name: &str) -> bool {
        let (word, bit) = Self::fingerprint(name);
        self.fingerprints[word] & bit != 0 && self.names.contains(name)
    }

    /// Class names differ most at their end and in their length.
    #[inline]
    fn fingerprint(name: &str) -> (usize, u64) {
        let mut mixed = name.len();
        for byte in name.as_bytes().iter().rev().take(3) {
            mixed = mixed.wrapping_mul(31).wrapping_add(usize::from(*byte));
        }
        (mixed >> 6 & 15, 1 << (mixed & 63))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scope_takes_prefixes_and_exceptions() {
        let scope = Scope::within(["org/example/"])
            .unwrap()
            .except(["org/example/gen/"]);
        assert!(scope.contains("org/example/A"));
        assert!(!scope.contains("org/example/gen/A"));
        assert!(!scope.contains("org/other/A"));
        assert!(Scope::all().contains("A"));
    }

    #[test]
    fn no_prefixes_is_no_scope_rather_than_everything() {
        assert!(Scope::within(Vec::<String>::new()).is_none());
    }

    #[test]
    fn class_names_are_exact() {
        let mut names = ClassNames::default();
        names.insert("java/util/ArrayList");
        assert!(names.contains("java/util/ArrayList"));
        assert!(!names.contains("java/util/XrrayList"));
        assert!(!names.contains("java/util/ArrayLisp"));
        assert!(!names.contains(""));
    }
}
