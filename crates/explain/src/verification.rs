//! What has become of mutants that were unnoticed once.

use jury_model::{Exit, Notice};

use crate::symptom::Symptom;

/// Mutants that were explained before, tried against the tests as they are now.
#[derive(Debug, Clone)]
pub struct VerifyRun {
    pub exit: Exit,
    pub verified: Vec<Verified>,
    pub notices: Vec<Notice>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The mutant's id.
    pub mutant: String,
    /// What was said of it.
    pub symptom: Symptom,
    pub standing: Standing,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// A test notices it now.
    Solved {
        /// Its label.
        by: String,
    },
    Open,
    /// There is no such mutant any more, or it could not be tried.
    Gone,
}

impl Standing {
    /// The word used in reports.
    pub fn word(&self) -> &'static str {
        match self {
            Standing::Solved { .. } => "solved",
            Standing::Open => "open",
            Standing::Gone => "gone",
        }
    }
}

impl VerifyRun {
    /// How many of those with a symptom are solved, and how many there are.
    pub fn solved(&self, symptom: Symptom) -> (usize, usize) {
        let own = self.verified.iter().filter(|each| each.symptom == symptom);
        let solved = own.clone();
        let solved = solved.filter(|each| matches!(each.standing, Standing::Solved { .. }));
        (solved.count(), own.count())
    }
}
