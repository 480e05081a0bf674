//! How the classes of two versions differ.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;
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
pub fn compare<'n, H: PartialEq>(
    old: impl IntoIterator<Item = (&'n str, H)>,
    mut new: HashMap<&str, H, FixedState>,
) -> BTreeMap<String, Change> {
    let mut changes = BTreeMap::new();
    for (name, before) in old {
        let change = match new.remove(name) {
            None => Change::Deleted,
            Some(now) if now != before => Change::Changed,
            Some(_) => continue,
        };
        changes.insert(name.to_owned(), change);
    }
    let new = new.into_keys().map(|name| (name.to_owned(), Change::New));
    changes.extend(new);
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_changed_and_deleted_classes_are_told_apart() {
        let differences = compare(
            [("same", 1), ("edited", 1), ("gone", 1)],
            HashMap::from_iter([("same", 1), ("edited", 2), ("added", 1)]),
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
