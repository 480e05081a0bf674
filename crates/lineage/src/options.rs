//! The options for each way in which a revision can come about.

use std::fmt;

use thiserror::Error;

use crate::dag::{Dag, Revision};
use crate::selector::{Selector, TestSet};

/// How a revision came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    Commit,
    /// Of all its parents.
    Merge,
    /// The tips before, of which `onto` is the one that went on.
    Rebase {
        from: Revision,
        onto: Revision,
    },
    CherryPick {
        picked: Revision,
    },
    Revert {
        reverted: Revision,
    },
}

/// Which comparisons are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plan {
    /// One, with the immediate dominator of a merge or with the parent of anything else: S¹.
    One,
    /// With each parent, or each tip of a rebase: Sᵏ.
    Each,
    /// None at all: S⁰. Unsafe where what a test uses changes.
    Zero,
    /// With every earlier revision of which something is known: Sᴺ, which is Jury's rule.
    Evidence,
}

impl Plan {
    pub const ALL: [Plan; 4] = [Plan::One, Plan::Each, Plan::Zero, Plan::Evidence];

    /// Whether a test left out has surely been seen to pass with all that it uses.
    pub fn is_safe(self) -> bool {
        self != Plan::Zero
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Plan::One => "S1",
            Plan::Each => "Sk",
            Plan::Zero => "S0",
            Plan::Evidence => "evidence",
        })
    }
}

/// Why an option cannot be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("its tests are not known")]
    UnknownTests,
    #[error("no revision that it could be compared with is known")]
    NothingToCompare,
    #[error("a revision on a merged branch is not known")]
    BranchNotKnown,
    #[error("no revision dominates it, as with several roots or in a shallow clone")]
    NoDominator,
    #[error("it is not what git makes of its parents by itself")]
    Edited,
    #[error("there is no such option for this command")]
    NoOption,
}

/// What an option selects, and by how many comparisons of two revisions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected {
    pub tests: TestSet,
    pub comparisons: usize,
}

/// A revision about to be tested.
#[derive(Debug)]
pub struct Course<'a, S> {
    pub dag: &'a Dag,
    pub selector: &'a S,
    /// What stands at the revision that the deed has made.
    pub head: Revision,
    pub deed: Deed,
    /// Nobody has edited the result of the command.
    pub is_automatic: bool,
}

type Outcome = Result<Selected, Refusal>;

impl<S: Selector> Course<'_, S> {
    pub fn select(&self, plan: Plan) -> Outcome {
        let available = self.available(self.head).ok_or(Refusal::UnknownTests)?;
        let mut selected = match plan {
            Plan::One => self.one()?,
            Plan::Each => self.each()?,
            Plan::Zero => self.zero()?,
            Plan::Evidence => self.evidence()?,
        };
        selected.tests.retain(|test| available.contains(test));
        Ok(selected)
    }

    fn one(&self) -> Outcome {
        let origin = match self.deed {
            Deed::Merge => self.dag.immediate_dominator(self.head),
            Deed::Rebase { from, onto } => self.dag.lowest_common_dominator(from, onto),
            Deed::Commit | Deed::CherryPick { .. } | Deed::Revert { .. } => {
                return self.against(self.dag.parents(self.head));
            }
        };
        self.against(&[origin.ok_or(Refusal::NoDominator)?])
    }

    fn each(&self) -> Outcome {
        match self.deed {
            Deed::Merge => self.against(self.dag.parents(self.head)),
            Deed::Rebase { from, onto } => self.against(&[from, onto]),
            Deed::Commit | Deed::CherryPick { .. } | Deed::Revert { .. } => Err(Refusal::NoOption),
        }
    }

    fn evidence(&self) -> Outcome {
        let mut earlier = self.dag.ancestors(self.head);
        earlier.remove(&self.head);
        match self.deed {
            Deed::Commit | Deed::Merge => {}
            Deed::Rebase { from, onto } => {
                earlier.extend(self.dag.ancestors(from));
                earlier.extend(self.dag.ancestors(onto));
            }
            Deed::CherryPick { picked: other } | Deed::Revert { reverted: other } => {
                earlier.extend(self.dag.ancestors(other));
            }
        }
        let earlier: Vec<Revision> = earlier.into_iter().collect();
        self.against(&earlier)
    }

    /// Tests that every comparison selects. A revision of which nothing is known says nothing, so
    /// leaving it out leaves out no test.
    fn against(&self, origins: &[Revision]) -> Outcome {
        let mut common: Option<TestSet> = None;
        let mut comparisons = 0;
        for origin in origins {
            let Some(selected) = self.selector.select(*origin, self.head) else {
                continue;
            };
            comparisons += 1;
            common = Some(match common {
                Some(common) => common.intersection(&selected).copied().collect(),
                None => selected,
            });
        }
        let tests = common.ok_or(Refusal::NothingToCompare)?;
        Ok(Selected { tests, comparisons })
    }

    fn zero(&self) -> Outcome {
        let tests = match (&self.deed, self.is_automatic) {
            (Deed::Commit, _) => return Err(Refusal::NoOption),
            (_, false) => return Err(Refusal::Edited),
            (Deed::Merge, true) => self.zero_merge(self.dag.parents(self.head))?,
            (Deed::Rebase { from, onto }, true) => self.zero_merge(&[*from, *onto])?,
            (Deed::CherryPick { picked }, true) => self.zero_copy(*picked, false)?,
            (Deed::Revert { reverted }, true) => self.zero_copy(*reverted, true)?,
        };
        Ok(Selected {
            tests,
            comparisons: 0,
        })
    }

    /// Tests that were selected on two branches since these parted, and tests that some branch has
    /// not got.
    fn zero_merge(&self, tips: &[Revision]) -> Result<TestSet, Refusal> {
        let mut tests = TestSet::new();
        for (place, one) in tips.iter().enumerate() {
            for other in &tips[place + 1..] {
                let origin = self.origin(*one, *other)?;
                let (mine, others) = (self.since(origin, *one)?, self.since(origin, *other)?);
                tests.extend(mine.intersection(&others));
            }
        }
        let mut shared = self.known_tests(self.head)?;
        for tip in tips {
            let own = self.known_tests(*tip)?;
            shared.retain(|test| own.contains(test));
        }
        let available = self.known_tests(self.head)?;
        tests.extend(available.difference(&shared));
        Ok(tests)
    }

    /// Tests that a commit hit before, and that were hit elsewhere since its branch and this one
    /// parted. Undone or done again, it is the same difference.
    fn zero_copy(&self, commit: Revision, is_undone: bool) -> Result<TestSet, Refusal> {
        let ([before], [parent]) = (self.dag.parents(commit), self.dag.parents(self.head)) else {
            return Err(Refusal::NoOption);
        };
        let origin = self.origin(*parent, *before)?;
        let hit = self.selected_at(commit)?;
        let mut elsewhere = self.since(origin, *parent)?;
        elsewhere.extend(self.since(origin, *before)?);
        let mut tests: TestSet = hit.intersection(&elsewhere).copied().collect();
        let (with, without) = match is_undone {
            true => (*before, commit),
            false => (commit, *before),
        };
        for (with, without) in [(with, without), (*parent, origin)] {
            let (with, without) = (self.known_tests(with)?, self.known_tests(without)?);
            tests.extend(with.difference(&without));
        }
        Ok(tests)
    }

    fn origin(&self, one: Revision, other: Revision) -> Result<Revision, Refusal> {
        let origin = self.dag.lowest_common_dominator(one, other);
        origin.ok_or(Refusal::NoDominator)
    }

    /// All tests that were selected after `origin` on any way to `tip`.
    fn since(&self, origin: Revision, tip: Revision) -> Result<TestSet, Refusal> {
        let mut selected = TestSet::new();
        for revision in self.dag.between(origin, tip) {
            if revision != origin {
                selected.extend(self.selected_at(revision)?);
            }
        }
        Ok(selected)
    }

    /// What was run at an earlier revision: at a commit what its parent leaves open, at a merge
    /// what every parent does.
    fn selected_at(&self, revision: Revision) -> Result<TestSet, Refusal> {
        let earlier = Course {
            head: revision,
            deed: Deed::Commit,
            ..*self
        };
        let parents = self.dag.parents(revision);
        let known = |parent: &Revision| self.selector.available(*parent).is_some();
        if self.dag.is_cut(revision) || !parents.iter().all(known) {
            return Err(Refusal::BranchNotKnown);
        }
        let selected = earlier.against(parents);
        Ok(selected.map_err(|_| Refusal::BranchNotKnown)?.tests)
    }

    fn known_tests(&self, at: Revision) -> Result<TestSet, Refusal> {
        self.available(at).ok_or(Refusal::BranchNotKnown)
    }

    fn available(&self, at: Revision) -> Option<TestSet> {
        self.selector.available(at)
    }
}
