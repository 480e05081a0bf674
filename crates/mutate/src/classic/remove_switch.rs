//! # What it does
//! Sends one case of a `switch` to the default branch; one mutant per case.
//!
//! # Why
//! It shows each case that no test distinguishes from the default.
//!
//! # Example
//! ```java
//! switch (size) { case 1: small(); break; default: odd(); }
//! ```
//! becomes
//! ```java
//! switch (size) { default: odd(); }
//! ```

use super::site::targets;
use super::{Change, ClassicOperator, Group, Mutation, Site};

pub(super) const OPERATOR: ClassicOperator = ClassicOperator {
    name: "remove_switch",
    group: Group::All,
    source: include_str!("remove_switch.rs"),
    changes,
};

fn changes(site: &Site<'_, '_, '_>) -> Vec<Change> {
    let Some((default, cases)) = targets(site.instruction) else {
        return Vec::new();
    };
    let distinct = cases
        .iter()
        .enumerate()
        .filter(|(_, (_, target))| *target != default);
    let changes = distinct.map(|(index, (key, _))| {
        let mut cases = cases.clone();
        cases[index].1 = default;
        Change::new(
            Mutation::Switch { default, cases },
            format!("case `{key}` removed"),
        )
    });
    changes.collect()
}
