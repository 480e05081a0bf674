use std::fmt;

/// How a test is flaky.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flakiness {
    /// It ended in more than one way in the same order of test classes.
    Unsteady,
    /// It passes alone, and is red after certain other test classes.
    Victim,
    /// It is red alone, and passes after certain other test classes.
    Brittle,
}

impl Flakiness {
    pub const ALL: [Flakiness; 3] = [Flakiness::Unsteady, Flakiness::Victim, Flakiness::Brittle];

    /// The word used in output and in stored data.
    pub fn word(self) -> &'static str {
        match self {
            Flakiness::Unsteady => "unsteady",
            Flakiness::Victim => "victim",
            Flakiness::Brittle => "brittle",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// A flaky test, as a run of `jury flaky` has shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlakyTest {
    pub label: String,
    pub kind: Flakiness,
    /// Names of the test classes after which it is red, or without which it is.
    pub culprits: Vec<String>,
}

/// What is wrong with it, in half a sentence.
impl fmt::Display for FlakyTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = &self.label;
        match self.kind {
            Flakiness::Unsteady => {
                write!(f, "flaky: `{label}` does not always end in the same way")
            }
            Flakiness::Victim => {
                write!(
                    f,
                    "order-dependent: `{label}` is red after {}",
                    named(&self.culprits)
                )
            }
            Flakiness::Brittle => write!(
                f,
                "order-dependent: `{label}` is red without {} before it",
                named(&self.culprits)
            ),
        }
    }
}

/// Whom nobody could name is some other class.
fn named(classes: &[String]) -> String {
    const SHOWN: usize = 3;
    let names = classes.iter().take(SHOWN).map(|class| format!("`{class}`"));
    let names: Vec<String> = names.collect();
    match classes.len() {
        0 => "other test classes".to_owned(),
        count if count > SHOWN => format!("{} and {} more", names.join(", "), count - SHOWN),
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flaky_test_says_what_is_wrong_with_it() {
        let says = |kind, culprits: &[&str]| {
            let culprits = culprits.iter().map(ToString::to_string).collect();
            let label = "a.BTest#adds".to_owned();
            FlakyTest {
                label,
                kind,
                culprits,
            }
            .to_string()
        };
        assert_eq!(
            says(Flakiness::Unsteady, &[]),
            "flaky: `a.BTest#adds` does not always end in the same way"
        );
        assert_eq!(
            says(Flakiness::Victim, &["a.C"]),
            "order-dependent: `a.BTest#adds` is red after `a.C`"
        );
        assert_eq!(
            says(Flakiness::Brittle, &["a.C", "a.D", "a.E", "a.F"]),
            "order-dependent: `a.BTest#adds` is red without `a.C`, `a.D`, `a.E` and 1 more before it"
        );
    }
}
