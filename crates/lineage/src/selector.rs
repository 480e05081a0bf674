//! What is known of tests at revisions, and of the difference between two.

use std::collections::{BTreeMap, BTreeSet};

use crate::dag::Revision;

/// A test, by a number of the selector's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Test(pub u32);

pub type TestSet = BTreeSet<Test>;

/// Any technique that compares two revisions.
pub trait Selector {
    /// Tests that exist at a revision; none if nothing is known of it.
    fn available(&self, at: Revision) -> Option<TestSet>;

    /// Of the tests that exist at both, those which what they used at `from` no longer speaks for
    /// at `to`. Asked only of revisions whose tests are known.
    fn affected(&self, from: Revision, to: Revision) -> TestSet;

    /// What a build at `to` has to run if everything had passed at `from`: affected tests and new
    /// ones. None if nothing is known of one of the two.
    fn select(&self, from: Revision, to: Revision) -> Option<TestSet> {
        let (old, new) = (self.available(from)?, self.available(to)?);
        let mut selected: TestSet = new.difference(&old).copied().collect();
        let affected = self.affected(from, to);
        selected.extend(affected.iter().filter(|test| new.contains(test)));
        Some(selected)
    }
}

/// One hash for each test and revision, of all that the test leads to there. None where it cannot
/// be told, which is like nothing else.
#[derive(Debug, Default)]
pub struct Reaches(BTreeMap<Revision, BTreeMap<Test, Option<[u8; 16]>>>);

impl Reaches {
    pub fn add(&mut self, at: Revision, tests: BTreeMap<Test, Option<[u8; 16]>>) {
        self.0.insert(at, tests);
    }

    pub fn revisions(&self) -> impl Iterator<Item = Revision> + '_ {
        self.0.keys().copied()
    }
}

impl Selector for Reaches {
    fn available(&self, at: Revision) -> Option<TestSet> {
        Some(self.0.get(&at)?.keys().copied().collect())
    }

    fn affected(&self, from: Revision, to: Revision) -> TestSet {
        let (Some(old), Some(new)) = (self.0.get(&from), self.0.get(&to)) else {
            return TestSet::new();
        };
        let both = old
            .iter()
            .filter_map(|(test, reach)| Some((*test, reach, new.get(test)?)));
        both.filter(|(_, before, now)| before.is_none() || before != now)
            .map(|(test, _, _)| test)
            .collect()
    }
}
