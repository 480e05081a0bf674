//! The answer of an analysis of a history.

use jury_model::Notice;

use crate::options::{Plan, Refusal};

#[derive(Debug, Clone, Default)]
pub struct HistoryRun {
    /// As it was asked for.
    pub range: String,
    pub counts: DeedCounts,
    /// Merges, picks and reverts, newest first.
    pub events: Vec<Event>,
    /// How many revisions are known with their tests.
    pub known_revisions: usize,
    pub notices: Vec<Notice>,
}

/// How commits came about. Each counts once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeedCounts {
    pub commits: usize,
    pub merges: usize,
    /// Merges of more than two parents.
    pub octopuses: usize,
    /// Merges that are what git makes of their parents.
    pub automatic: usize,
    /// Merges that git would not make so.
    pub edited: usize,
    pub rebases: usize,
    /// Made by somebody else than the author.
    pub foreign: usize,
    pub cherry_picks: usize,
    pub reverts: usize,
}

/// A commit that needs more thought than a comparison with its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub commit: String,
    pub subject: String,
    /// `merge`, `cherry-pick` or `revert`.
    pub deed: &'static str,
    pub parents: usize,
    /// Nobody edited the result; none if that cannot be told.
    pub is_automatic: Option<bool>,
    /// None if nothing is known of the tests there.
    pub selections: Option<Selections>,
    /// None if `jury test` has not run there.
    pub tested: Option<Tested>,
}

/// What the newest `jury test` of a commit did there, in test classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tested {
    pub available: usize,
    pub selected: usize,
    pub red: usize,
}

/// What each option selects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selections {
    /// All tests there.
    pub tests: usize,
    /// In the order of [`Plan::ALL`].
    pub plans: Vec<(Plan, Result<Count, Refusal>)>,
    /// Which one the published heuristic takes.
    pub chosen: Plan,
    /// Tests that S⁰ leaves out although no known revision speaks for them.
    pub missed_by_zero: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    pub tests: usize,
    pub comparisons: usize,
}

/// Sums over the events for which every option that is made for them could be had.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    pub events: usize,
    pub tests: usize,
    pub selected: Vec<(Plan, usize)>,
    /// Events at which S⁰ would have missed a test.
    pub unsafe_events: usize,
}

impl HistoryRun {
    pub fn totals(&self, deed: &str) -> Totals {
        let mut totals = Totals {
            selected: Plan::ALL.map(|plan| (plan, 0)).to_vec(),
            ..Totals::default()
        };
        for event in self.events.iter().filter(|event| event.deed == deed) {
            let Some(selections) = &event.selections else {
                continue;
            };
            let refused = |outcome: &Result<Count, Refusal>| matches!(outcome, Err(refusal) if *refusal != Refusal::NoOption);
            if selections.plans.iter().any(|(_, outcome)| refused(outcome)) {
                continue;
            }
            totals.events += 1;
            totals.tests += selections.tests;
            totals.unsafe_events += usize::from(!selections.missed_by_zero.is_empty());
            for ((_, sum), (_, outcome)) in totals.selected.iter_mut().zip(&selections.plans) {
                *sum += outcome.map_or(0, |count| count.tests);
            }
        }
        totals
    }
}
