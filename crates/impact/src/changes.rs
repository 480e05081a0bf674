//! How the classes of two versions differ.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    New,
    Changed,
    Deleted,
}

impl Change {
    pub fn word(self) -> &'static str {
        match self {
            Change::New => "new",
            Change::Changed => "changed",
            Change::Deleted => "deleted",
        }
    }
}

/// Compares the classes of two versions by what their contents hash to.
pub fn compare<H: PartialEq>(
    old: &BTreeMap<String, H>,
    new: &BTreeMap<String, H>,
) -> BTreeMap<String, Change> {
    let deleted = old
        .keys()
        .filter(|name| !new.contains_key(*name))
        .map(|name| (name.clone(), Change::Deleted));
    let others = new.iter().filter_map(|(name, hash)| match old.get(name) {
        None => Some((name.clone(), Change::New)),
        Some(before) if before != hash => Some((name.clone(), Change::Changed)),
        Some(_) => None,
    });
    deleted.chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_changed_and_deleted_classes_are_told_apart() {
        let version = |classes: &[(&str, u8)]| {
            let classes = classes.iter().map(|(name, hash)| (name.to_string(), *hash));
            classes.collect::<BTreeMap<_, _>>()
        };
        let differences = compare(
            &version(&[("same", 1), ("edited", 1), ("gone", 1)]),
            &version(&[("same", 1), ("edited", 2), ("added", 1)]),
        );
        assert_eq!(
            differences.into_iter().collect::<Vec<_>>(),
            [
                ("added".to_owned(), Change::New),
                ("edited".to_owned(), Change::Changed),
                ("gone".to_owned(), Change::Deleted),
            ]
        );
    }
}
