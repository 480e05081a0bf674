//! Findings that a team has looked at and accepted, in a file that can be reviewed: one mutant per
//! line, sorted, with the reason in a comment above. A mutant stays accepted under its id, so a
//! changed signature asks for a new decision.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::id::{BadId, MutantId};

const HEADER: &str = "\
# Undetected mutants that have been looked at and accepted.
# One per line; the comment above says why, down to the next blank line or comment.
";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedFinding {
    pub id: MutantId,
    /// Empty if none was given.
    pub reason: String,
}

/// The contents of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Accepted {
    reasons: BTreeMap<MutantId, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {source}")]
pub struct AcceptedError {
    pub line: usize,
    source: BadId,
}

impl FromIterator<AcceptedFinding> for Accepted {
    fn from_iter<I: IntoIterator<Item = AcceptedFinding>>(findings: I) -> Self {
        let entries = findings
            .into_iter()
            .map(|finding| (finding.id, one_line(&finding.reason)));
        Accepted {
            reasons: entries.collect(),
        }
    }
}

impl Accepted {
    pub fn parse(text: &str) -> Result<Self, AcceptedError> {
        let mut reasons = BTreeMap::new();
        let mut reason: Vec<&str> = Vec::new();
        let mut after_comment = false;
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim();
            if let Some(comment) = text.strip_prefix('#') {
                if !after_comment {
                    reason.clear();
                }
                reason.push(comment.trim());
            } else if text.is_empty() {
                reason.clear();
            } else {
                let id = text
                    .parse()
                    .map_err(|source| AcceptedError { line, source })?;
                reasons.insert(id, reason.join(" "));
            }
            after_comment = text.starts_with('#');
        }
        Ok(Accepted { reasons })
    }

    /// The file, the same for the same findings.
    pub fn format(&self) -> String {
        let mut text = HEADER.to_owned();
        let mut previous = None;
        for (id, reason) in &self.reasons {
            if previous != Some(reason) {
                text.push('\n');
                if !reason.is_empty() {
                    text.push_str(&format!("# {reason}\n"));
                }
            }
            text.push_str(&format!("{id}\n"));
            previous = Some(reason);
        }
        text
    }

    pub fn contains(&self, id: &MutantId) -> bool {
        self.reasons.contains_key(id)
    }

    pub fn reason(&self, id: &MutantId) -> Option<&str> {
        self.reasons.get(id).map(String::as_str)
    }

    /// Mutants with the reasons given, in order of id.
    pub fn iter(&self) -> impl Iterator<Item = (&MutantId, &str)> {
        self.reasons
            .iter()
            .map(|(id, reason)| (id, reason.as_str()))
    }

    /// Entries for mutants that no longer survive or no longer exist, which can be deleted.
    pub fn obsolete<'a>(&'a self, undetected: &BTreeSet<MutantId>) -> Vec<&'a MutantId> {
        self.reasons
            .keys()
            .filter(|id| !undetected.contains(id))
            .collect()
    }

    /// Whether everything undetected in a method has been accepted.
    pub fn covers<'m>(&self, mut undetected: impl Iterator<Item = &'m MutantId>) -> bool {
        undetected.all(|id| self.contains(id))
    }
}

/// A reason is one comment line, whatever was typed.
fn one_line(reason: &str) -> String {
    reason
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .trim_start_matches('#')
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn accepted(entries: &[(&str, &str)]) -> Accepted {
        let findings = entries.iter().map(|(id, reason)| AcceptedFinding {
            id: id.parse().unwrap(),
            reason: (*reason).to_owned(),
        });
        findings.collect()
    }

    #[test]
    fn the_file_is_sorted_and_gives_each_reason_once() {
        let accepted = accepted(&[
            ("b/B#run()V#void", "only logs"),
            ("a/A#name()Ljava/lang/String;#\"A\"", ""),
            ("b/B#stop()V#void", "only\n  logs"),
        ]);
        insta::assert_snapshot!(accepted.format(), @r#"
        # Undetected mutants that have been looked at and accepted.
        # One per line; the comment above says why, down to the next blank line or comment.

        a/A#name()Ljava/lang/String;#"A"

        # only logs
        b/B#run()V#void
        b/B#stop()V#void
        "#);
        assert_eq!(Accepted::parse(&accepted.format()), Ok(accepted));
    }

    #[test]
    fn the_header_is_nobodys_reason() {
        let parsed = Accepted::parse(&format!("{HEADER}\na/A#run()V#void\n")).unwrap();
        assert_eq!(parsed.reason(&"a/A#run()V#void".parse().unwrap()), Some(""));
    }

    #[test]
    fn hand_written_files_are_understood() {
        let text = "# two\n# lines\r\n a/A#x()V#void \n\na/A#y()V#void\n# other\na/A#z()V#void";
        let expected = accepted(&[
            ("a/A#x()V#void", "two lines"),
            ("a/A#y()V#void", ""),
            ("a/A#z()V#void", "other"),
        ]);
        assert_eq!(Accepted::parse(text), Ok(expected));
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = Accepted::parse("# why\na/A#x()V#void\na/A#x()\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 3: `a/A#x()` is not the id of a mutant"
        );
    }

    #[test]
    fn entries_that_no_longer_survive_are_obsolete() {
        let accepted = accepted(&[("a/A#x()V#void", ""), ("a/A#y()V#void", "")]);
        let undetected = BTreeSet::from(["a/A#x()V#void".parse().unwrap()]);
        let obsolete: Vec<_> = accepted
            .obsolete(&undetected)
            .iter()
            .map(|id| id.to_string())
            .collect();
        assert_eq!(obsolete, ["a/A#y()V#void"]);
    }

    proptest! {
        #[test]
        fn any_reason_survives_as_one_line(reason in any::<String>(), name in "[a-z]{1,9}") {
            let id: MutantId = format!("a/A#{name}()V#void").parse().unwrap();
            let accepted: Accepted = [AcceptedFinding { id, reason }].into_iter().collect();
            prop_assert_eq!(Accepted::parse(&accepted.format()), Ok(accepted));
        }
    }
}
