//! What became of a mutant, and what that says about its method.

use std::fmt;

use jury_model::{Failure, TestId};

use crate::answers::Answers;
use crate::id::MutantId;

/// What the tests made of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MutantVerdict {
    Killed {
        by: TestId,
        failure: Failure,
    },
    Survived,
    NotCovered,
    TimedOut {
        during: TestId,
    },
    OutOfMemory {
        during: TestId,
    },
    /// The JVM went down.
    Crashed {
        during: TestId,
    },
    /// Set aside without a verdict.
    Skipped {
        reason: String,
    },
}

impl MutantVerdict {
    /// The word used in reports and in stored data.
    pub fn word(&self) -> &'static str {
        match self {
            MutantVerdict::Killed { .. } => "killed",
            MutantVerdict::Survived => "survived",
            MutantVerdict::NotCovered => "not-covered",
            MutantVerdict::TimedOut { .. } => "timed-out",
            MutantVerdict::OutOfMemory { .. } => "out-of-memory",
            MutantVerdict::Crashed { .. } => "crashed",
            MutantVerdict::Skipped { .. } => "skipped",
        }
    }

    pub fn standing(&self) -> Standing {
        match self {
            MutantVerdict::Killed { .. }
            | MutantVerdict::TimedOut { .. }
            | MutantVerdict::OutOfMemory { .. }
            | MutantVerdict::Crashed { .. } => Standing::Detected,
            MutantVerdict::Survived => Standing::Undetected,
            MutantVerdict::NotCovered => Standing::NotCovered,
            MutantVerdict::Skipped { .. } => Standing::Skipped,
        }
    }

    /// The test that noticed the mutant, whichever way.
    pub fn noticed_by(&self) -> Option<&TestId> {
        match self {
            MutantVerdict::Killed { by: test, .. }
            | MutantVerdict::TimedOut { during: test }
            | MutantVerdict::OutOfMemory { during: test }
            | MutantVerdict::Crashed { during: test } => Some(test),
            _ => None,
        }
    }
}

/// A verdict with its circumstances left out: all that scores and gates look at. A mutant that
/// hangs, exhausts memory or crashes has been noticed, though by no assertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    Detected,
    Undetected,
    NotCovered,
    Skipped,
}

/// A mutant with its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MutantResult {
    pub id: MutantId,
    pub verdict: MutantVerdict,
    /// Every test that runs the mutated method, in order of id.
    pub covering: Vec<TestId>,
    /// What every test says; none unless all were asked.
    pub answers: Option<Answers>,
}

/// How well a method is tested, judged by its extreme mutants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Classification {
    /// Covered, and no mutant is noticed.
    PseudoTested,
    /// Some mutants are noticed, some are not.
    PartiallyTested,
    /// Every mutant is noticed.
    Tested,
    NotCovered,
    /// A stop method, or one to which no operator applies.
    NotAnalysed,
}

impl Classification {
    pub const ALL: [Classification; 5] = [
        Classification::PseudoTested,
        Classification::PartiallyTested,
        Classification::Tested,
        Classification::NotCovered,
        Classification::NotAnalysed,
    ];

    /// Judges a method by the standings of its extreme mutants. Skipped ones say nothing.
    pub fn of(standings: impl IntoIterator<Item = Standing>) -> Self {
        let mut seen = [false; 3];
        for standing in standings {
            match standing {
                Standing::Detected => seen[0] = true,
                Standing::Undetected => seen[1] = true,
                Standing::NotCovered => seen[2] = true,
                Standing::Skipped => {}
            }
        }
        match seen {
            [true, true, _] => Classification::PartiallyTested,
            [true, false, _] => Classification::Tested,
            [false, true, _] => Classification::PseudoTested,
            [false, false, true] => Classification::NotCovered,
            [false, false, false] => Classification::NotAnalysed,
        }
    }

    /// Whether some test needs the method to do something.
    pub fn is_required(self) -> bool {
        matches!(
            self,
            Classification::Tested | Classification::PartiallyTested
        )
    }

    /// Whether the method counts as being under analysis.
    pub fn is_under_analysis(self) -> bool {
        self.is_required() || self == Classification::PseudoTested
    }

    /// The word used in reports and in stored data.
    pub fn word(self) -> &'static str {
        match self {
            Classification::PseudoTested => "pseudo-tested",
            Classification::PartiallyTested => "partially-tested",
            Classification::Tested => "tested",
            Classification::NotCovered => "not-covered",
            Classification::NotAnalysed => "not-analysed",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|classification| classification.word() == word)
    }
}

impl fmt::Display for Classification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Standing::*;

    #[test]
    fn methods_are_judged_by_all_their_mutants() {
        let table: [(&[Standing], Classification); 8] = [
            (&[], Classification::NotAnalysed),
            (&[Skipped, Skipped], Classification::NotAnalysed),
            (&[NotCovered], Classification::NotCovered),
            (&[Detected, Detected], Classification::Tested),
            (&[Detected, Undetected], Classification::PartiallyTested),
            (&[Undetected, Undetected], Classification::PseudoTested),
            (&[Undetected, Skipped], Classification::PseudoTested),
            (&[Detected, NotCovered], Classification::Tested),
        ];
        for (standings, expected) in table {
            assert_eq!(
                Classification::of(standings.iter().copied()),
                expected,
                "{standings:?}"
            );
        }
    }

    #[test]
    fn hanging_and_crashing_mutants_are_detected_but_not_called_killed() {
        let during = TestId::new("t");
        for (verdict, word) in [
            (
                MutantVerdict::TimedOut {
                    during: during.clone(),
                },
                "timed-out",
            ),
            (
                MutantVerdict::OutOfMemory {
                    during: during.clone(),
                },
                "out-of-memory",
            ),
            (
                MutantVerdict::Crashed {
                    during: during.clone(),
                },
                "crashed",
            ),
        ] {
            assert_eq!((verdict.standing(), verdict.word()), (Detected, word));
            assert_eq!(verdict.noticed_by(), Some(&during));
        }
    }

    #[test]
    fn partially_tested_methods_are_required() {
        let required = Classification::ALL
            .into_iter()
            .filter(|each| each.is_required());
        let words: Vec<_> = required.map(Classification::word).collect();
        assert_eq!(words, ["partially-tested", "tested"]);
    }

    #[test]
    fn every_classification_is_found_again_by_its_word() {
        for classification in Classification::ALL {
            assert_eq!(
                Classification::from_word(classification.word()),
                Some(classification)
            );
        }
    }
}
