//! The four ways in which a change can go unnoticed, and what is said of one before that is known.

use std::fmt;
use std::str::FromStr;

/// Exactly one of these holds for an unnoticed mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symptom {
    /// No test runs the method.
    NotReached,
    /// Tests run it, but nothing that was looked at differs after any call.
    NoInfection,
    /// Something differs after a call, but nothing in the code of any test does.
    NoPropagation,
    /// Something differs in the code of a test, and no assertion looks at it.
    WeakOracle,
    /// Something differs after a call, and nobody has looked whether a test could see it.
    Infected,
}

impl Symptom {
    pub const ALL: [Symptom; 5] = [
        Symptom::WeakOracle,
        Symptom::NoPropagation,
        Symptom::NoInfection,
        Symptom::NotReached,
        Symptom::Infected,
    ];

    /// The word used in reports and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Symptom::NotReached => "not-reached",
            Symptom::NoInfection => "no-infection",
            Symptom::NoPropagation => "no-propagation",
            Symptom::WeakOracle => "weak-oracle",
            Symptom::Infected => "infected",
        }
    }
}

impl fmt::Display for Symptom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Symptom {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let known = Symptom::ALL.into_iter();
        known
            .clone()
            .find(|symptom| symptom.word() == word)
            .ok_or_else(|| {
                let words: Vec<&str> = known.map(Symptom::word).collect();
                format!("known are {}", words.join(", "))
            })
    }
}
