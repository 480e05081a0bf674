//! Extreme operators: the whole body goes, a fixed way to return stays.
//!
//! Each operator has its file, whose header is the operator's page in the manual. All of them
//! look at types only; whether a method deserves a mutant is decided elsewhere.

mod argument;
mod collections;
mod constant;
mod empty;
mod new;
mod null;
mod optional;
mod stream;
mod this;
mod void;

use std::fmt;

use thiserror::Error;

use crate::literal::{Literal, LiteralError};
use crate::manual;
use crate::method::MethodInHand;
use crate::replacement::Replacement;

/// An operator with a name of its own, as opposed to a constant.
pub struct NamedOperator {
    pub name: &'static str,
    source: &'static str,
    replace: fn(&MethodInHand<'_, '_>) -> Option<Replacement>,
}

/// Every operator that is chosen by name.
pub static NAMED: [NamedOperator; 9] = [
    void::OPERATOR,
    null::OPERATOR,
    empty::OPERATOR,
    optional::OPERATOR,
    new::OPERATOR,
    argument::OPERATOR,
    this::OPERATOR,
    collections::OPERATOR,
    stream::OPERATOR,
];

/// The constants that are tried when the user names none.
const DEFAULT_CONSTANTS: [&str; 18] = [
    "true", "false", "0", "1", "(byte)0", "(byte)1", "(short)0", "(short)1", "0L", "1L", "0.0",
    "1.0", "0.0f", "1.0f", "'\\40'", "'A'", "\"\"", "\"A\"",
];

/// A way to transform methods, chosen by the user.
#[derive(Debug, Clone, PartialEq)]
pub enum Operator {
    Named(&'static NamedOperator),
    Constant(Literal),
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OperatorError {
    #[error("no operator or preset is called `{0}`")]
    Unknown(String),
    #[error(transparent)]
    Constant(#[from] LiteralError),
}

impl Operator {
    pub fn parse(text: &str) -> Result<Self, OperatorError> {
        let text = text.trim();
        if let Some(operator) = NAMED.iter().find(|operator| operator.name == text) {
            return Ok(Operator::Named(operator));
        }
        // A bare word was meant as a name, so it should not be called a bad literal.
        let is_word = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphabetic());
        match Literal::parse(text) {
            Err(_) if is_word => Err(OperatorError::Unknown(text.to_owned())),
            literal => Ok(Operator::Constant(literal?)),
        }
    }

    /// Reads a list in which a preset (`default`, `study`, `all`) stands for its members.
    /// Repetitions are dropped, the order of first mention is kept.
    pub fn parse_list<'t>(
        texts: impl IntoIterator<Item = &'t str>,
    ) -> Result<Vec<Self>, OperatorError> {
        let mut chosen = Vec::new();
        for text in texts {
            let members = match text.trim() {
                "default" => Self::default_set(),
                "study" => Self::study_set(),
                "all" => Self::all(),
                other => vec![Self::parse(other)?],
            };
            for operator in members {
                if !chosen.contains(&operator) {
                    chosen.push(operator);
                }
            }
        }
        Ok(chosen)
    }

    /// Removes void bodies, returns null and empty arrays, and tries two constants for each
    /// primitive type and for strings.
    pub fn default_set() -> Vec<Self> {
        let named = ["void", "null", "empty"].into_iter();
        named
            .chain(DEFAULT_CONSTANTS)
            .filter_map(|text| Self::parse(text).ok())
            .collect()
    }

    /// The values of the published study: 0.1 stands where the default has 1.0.
    pub fn study_set() -> Vec<Self> {
        let tenth = |operator| match operator {
            Operator::Constant(Literal::Double(1.0)) => Operator::Constant(Literal::Double(0.1)),
            Operator::Constant(Literal::Float(1.0)) => Operator::Constant(Literal::Float(0.1)),
            other => other,
        };
        Self::default_set().into_iter().map(tenth).collect()
    }

    /// The default set and every named operator.
    pub fn all() -> Vec<Self> {
        let mut all = Self::default_set();
        let further = NAMED.iter().map(Operator::Named);
        all.extend(further.filter(|operator| !Self::default_set().contains(operator)));
        all
    }

    /// The operator's page in the manual.
    pub fn manual(&self) -> String {
        match self {
            Operator::Named(operator) => manual::header(operator.source),
            Operator::Constant(_) => manual::header(include_str!("constant.rs")),
        }
    }

    pub(crate) fn replace(&self, method: &MethodInHand<'_, '_>) -> Option<Replacement> {
        match self {
            Operator::Named(operator) => (operator.replace)(method),
            Operator::Constant(literal) => constant::replace(literal, method),
        }
    }
}

/// The operator's name in settings, ids and reports.
impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operator::Named(operator) => f.write_str(operator.name),
            Operator::Constant(literal) => literal.fmt(f),
        }
    }
}

impl PartialEq for NamedOperator {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for NamedOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(operators: &[Operator]) -> String {
        operators
            .iter()
            .map(Operator::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn presets_are_fixed() {
        assert_eq!(
            names(&Operator::default_set()),
            "void null empty true false 0 1 (byte)0 (byte)1 (short)0 (short)1 0L 1L \
             0.0 1.0 0.0f 1.0f '\\40' 'A' \"\" \"A\""
        );
        assert_eq!(
            names(&Operator::study_set()),
            "void null empty true false 0 1 (byte)0 (byte)1 (short)0 (short)1 0L 1L \
             0.0 0.1 0.0f 0.1f '\\40' 'A' \"\" \"A\""
        );
        assert!(names(&Operator::all()).ends_with("optional new argument this collections stream"));
    }

    #[test]
    fn lists_mix_presets_names_and_constants() {
        let list = Operator::parse_list(["void", " 0x10 ", "void", "16"]).unwrap();
        assert_eq!(names(&list), "void 16");
        let list = Operator::parse_list(["default", "new", "void"]).unwrap();
        assert_eq!(list.len(), Operator::default_set().len() + 1);
    }

    #[test]
    fn unknown_operators_are_named_in_the_error() {
        let message = |text| Operator::parse(text).unwrap_err().to_string();
        assert_eq!(message("vode"), "no operator or preset is called `vode`");
        assert_eq!(message("(int)1"), "`(int)1` is not a Java literal");
    }

    #[test]
    fn every_operator_has_a_page_in_the_manual() {
        for operator in Operator::all() {
            let page = operator.manual();
            for heading in ["# What it does", "# Why", "# Example"] {
                assert!(page.contains(heading), "`{operator}` has no `{heading}`");
            }
        }
    }
}
