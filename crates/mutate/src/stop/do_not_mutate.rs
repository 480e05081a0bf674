//! The annotation with which authors take code out of the analysis: any annotation called
//! `DoNotMutate`, on a method or a class, optionally naming the operators it is about. The one on
//! the method overrules the one on its class.

use jury_classfile::{Annotation, ElementValue};

use crate::extreme::Operator;
use crate::method::{MethodInHand, is_named};
use crate::stop::{StopReason, StopRules};

/// Which operators an author has forbidden.
pub(crate) enum Forbidden {
    Nothing,
    /// By canonical name.
    Operators(Vec<String>),
    Everything,
}

impl Forbidden {
    /// What is forbidden if the rules heed the annotation at all.
    pub fn under(rules: &StopRules, method: &MethodInHand<'_, '_>) -> Self {
        if rules.enforces(StopReason::DoNotMutate) {
            Self::read(method)
        } else {
            Self::Nothing
        }
    }

    pub fn read(method: &MethodInHand<'_, '_>) -> Self {
        let mut annotations = method.annotations.iter().chain(&method.class.annotations);
        match annotations.find(|annotation| is_named(annotation, "DoNotMutate")) {
            None => Forbidden::Nothing,
            Some(annotation) => match named_operators(annotation) {
                names if names.is_empty() => Forbidden::Everything,
                names => Forbidden::Operators(names),
            },
        }
    }

    pub fn forbids(&self, operator: &str) -> bool {
        match self {
            Forbidden::Nothing => false,
            Forbidden::Operators(names) => names.iter().any(|name| name == operator),
            Forbidden::Everything => true,
        }
    }
}

/// The texts in the annotation, whatever its element is called: the annotation is the user's own.
fn named_operators(annotation: &Annotation<'_>) -> Vec<String> {
    let values = annotation
        .elements
        .iter()
        .flat_map(|(_, value)| match value {
            ElementValue::Array(values) => values.as_slice(),
            single => std::slice::from_ref(single),
        });
    values
        .filter_map(|value| match value {
            ElementValue::String(text) => Some(canonical(&text.to_str())),
            _ => None,
        })
        .collect()
}

/// Operators may be spelt in several ways: `0x0` is `0`. Unknown ones may be classic.
fn canonical(text: &str) -> String {
    Operator::parse(text).map_or_else(|_| text.trim().to_owned(), |operator| operator.to_string())
}
