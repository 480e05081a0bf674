//! # What it does
//! Lets a `switch` go to its first branch by default, and to the default branch in all other cases.
//!
//! # Why
//! One mutant asks of the whole statement whether its branches are told apart by any test.
//!
//! # Example
//! ```java
//! switch (size) { case 1: small(); break; case 2: large(); break; default: odd(); }
//! ```
//! becomes
//! ```java
//! switch (size) { case 1: case 2: odd(); break; default: small(); }
//! ```

use super::site::targets;
use super::{Change, ClassicOperator, Group, Mutation, Site};

pub(super) const OPERATOR: ClassicOperator = ClassicOperator {
    name: "switch",
    group: Group::Stronger,
    source: include_str!("switch.rs"),
    changes,
};

fn changes(site: &Site<'_, '_, '_>) -> Vec<Change> {
    let Some((default, cases)) = targets(site.instruction) else {
        return Vec::new();
    };
    let Some((_, first)) = cases.iter().copied().find(|(_, target)| *target != default) else {
        return Vec::new();
    };
    let swapped = cases
        .into_iter()
        .map(|(key, target)| (key, if target == default { first } else { default }));
    let mutation = Mutation::Switch {
        default: first,
        cases: swapped.collect(),
    };
    vec![Change::new(
        mutation,
        "default and first branch of the switch swapped",
    )]
}
