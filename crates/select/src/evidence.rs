//! The rows of one launch recipe, by the names of their tests.

use std::collections::BTreeMap;

use crate::catalogue::Catalogue;
use crate::changes::Changes;
use crate::decision::{Decision, Policy, Recorded, decide};

/// What is known of all tests that share a world. Names are free: a test id, a test class, or
/// whatever another tool calls its units.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    pub catalogue: Catalogue,
    records: BTreeMap<String, Recorded>,
}

impl Evidence {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn with_catalogue(catalogue: Catalogue) -> Self {
        Evidence {
            catalogue,
            records: BTreeMap::new(),
        }
    }

    /// Is `name` affected by `changes`? A name without a record is.
    pub fn check_affected(&self, name: &str, changes: &Changes, policy: &Policy) -> Decision {
        decide(self.records.get(name), changes, policy)
    }

    /// Replaces what is known of `name`. The row must speak of this evidence's catalogue.
    pub fn record(&mut self, name: impl Into<String>, recorded: Recorded) {
        self.records.insert(name.into(), recorded);
    }

    /// Forgets `name`, which runs again if it is ever asked about.
    pub fn forget(&mut self, name: &str) {
        self.records.remove(name);
    }

    pub fn get(&self, name: &str) -> Option<&Recorded> {
        self.records.get(name)
    }

    pub fn records(&self) -> impl Iterator<Item = (&str, &Recorded)> {
        self.records
            .iter()
            .map(|(name, recorded)| (name.as_str(), recorded))
    }

    /// Leaves behind every class version and fact that no row needs.
    pub fn compacted(&self) -> Evidence {
        let mut compacted = Evidence::new();
        for (name, Recorded { row, outcome }) in &self.records {
            let row = row.moved(&self.catalogue, &mut compacted.catalogue);
            compacted.records.insert(
                name.clone(),
                Recorded {
                    row,
                    outcome: *outcome,
                },
            );
        }
        compacted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::{Fact, State, Subject};
    use crate::row::Row;
    use jury_model::Outcome;

    fn absent(name: &str) -> Fact {
        Fact {
            subject: Subject::File(name.into()),
            state: State::Absent,
        }
    }

    #[test]
    fn compaction_keeps_what_rows_speak_of_and_nothing_else() {
        let mut evidence = Evidence::new();
        evidence.catalogue.fact(absent("stale"));
        let needed = evidence.catalogue.fact(absent("needed"));
        let mut row = Row::new();
        row.add_fact(needed);
        evidence.record(
            "t",
            Recorded {
                row,
                outcome: Outcome::Passed,
            },
        );

        let compacted = evidence.compacted();
        assert_eq!(compacted.catalogue.facts(), [absent("needed")]);
        let facts = compacted.get("t").unwrap().row.facts();
        assert_eq!(*compacted.catalogue.fact_seen(facts[0]), absent("needed"));
    }

    #[test]
    fn a_forgotten_test_is_affected_again() {
        let mut evidence = Evidence::new();
        let affected = |evidence: &Evidence| {
            evidence
                .check_affected("t", &Changes::default(), &Policy::default())
                .is_run()
        };
        evidence.record(
            "t",
            Recorded {
                row: Row::new(),
                outcome: Outcome::Passed,
            },
        );
        assert!(!affected(&evidence));
        evidence.forget("t");
        assert!(affected(&evidence));
    }
}
