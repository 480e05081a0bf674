//! Which finding a developer should see first.
//!
//! Developers asked for findings in core and public code and in precondition checks, and waved
//! away those in debug helpers, tiny methods and placeholders. The final call needs knowledge
//! of the domain, so this only orders; it hides nothing. Every point given has a reason that can
//! be shown.

use std::fmt;

use jury_classfile::Access;

use crate::id::MethodId;
use crate::verdict::Classification;

/// A method with undetected mutants, with what its rank depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub method: MethodId,
    pub classification: Classification,
    pub class_access: Access,
    pub method_access: Access,
    pub covering_tests: usize,
    /// In bytes of code.
    pub code_length: usize,
    /// Methods of the project that call it; none if not known.
    pub callers: Option<usize>,
    /// Methods of the project that it calls; none if not known.
    pub callees: Option<usize>,
    /// Whether it is there only because something has to be.
    pub is_placeholder: bool,
}

/// What speaks for or against a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    PseudoTested,
    PublicApi,
    Precondition,
    ManyTests,
    ManyCallers,
    LongCode,
    Private,
    ShortCode,
    ManyCallees,
    Diagnostics,
    Placeholder,
}

impl Reason {
    fn weight(self) -> i32 {
        match self {
            Reason::PseudoTested => 30,
            Reason::PublicApi => 30,
            Reason::Precondition => 20,
            Reason::ManyTests => 20,
            Reason::ManyCallers => 20,
            Reason::LongCode => 10,
            Reason::Private => -10,
            Reason::ShortCode => -20,
            Reason::ManyCallees => -10,
            Reason::Diagnostics => -60,
            Reason::Placeholder => -60,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::PseudoTested => "nothing it does is checked",
            Reason::PublicApi => "part of the public API",
            Reason::Precondition => "checks a precondition",
            Reason::ManyTests => "run by many tests",
            Reason::ManyCallers => "used in many places",
            Reason::LongCode => "has much code",
            Reason::Private => "private",
            Reason::ShortCode => "has little code",
            Reason::ManyCallees => "depends on much else",
            Reason::Diagnostics => "serves debugging or display",
            Reason::Placeholder => "a placeholder",
        })
    }
}

/// A finding's place in the order, with what put it there.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    pub finding: Finding,
    pub relevance: i32,
    /// The weightiest first.
    pub reasons: Vec<Reason>,
}

/// Orders findings by relevance, the most relevant first, and equal ones by id.
pub fn rank(findings: impl IntoIterator<Item = Finding>) -> Vec<Ranked> {
    let mut ranked: Vec<Ranked> = findings
        .into_iter()
        .map(|finding| {
            let mut reasons = finding.reasons();
            reasons.sort_by_key(|reason| (-reason.weight().abs(), *reason));
            let relevance = reasons.iter().map(|reason| reason.weight()).sum();
            Ranked {
                finding,
                relevance,
                reasons,
            }
        })
        .collect();
    ranked.sort_by(|a, b| {
        b.relevance
            .cmp(&a.relevance)
            .then_with(|| a.finding.method.cmp(&b.finding.method))
    });
    ranked
}

const MANY_TESTS: usize = 10;
const MANY_CALLERS: usize = 5;
const MANY_CALLEES: usize = 10;
/// About five and about one statement.
const LONG_CODE: usize = 60;
const SHORT_CODE: usize = 12;

impl Finding {
    fn reasons(&self) -> Vec<Reason> {
        let open = |access: Access| access.has(Access::PUBLIC | Access::PROTECTED);
        let applying = [
            (
                Reason::PseudoTested,
                self.classification == Classification::PseudoTested,
            ),
            (
                Reason::PublicApi,
                open(self.class_access) && open(self.method_access),
            ),
            (Reason::Precondition, is_precondition(&self.method.name)),
            (Reason::ManyTests, self.covering_tests >= MANY_TESTS),
            (
                Reason::ManyCallers,
                self.callers.is_some_and(|callers| callers >= MANY_CALLERS),
            ),
            (Reason::LongCode, self.code_length >= LONG_CODE),
            (Reason::Private, self.method_access.has(Access::PRIVATE)),
            (Reason::ShortCode, self.code_length <= SHORT_CODE),
            (
                Reason::ManyCallees,
                self.callees.is_some_and(|callees| callees >= MANY_CALLEES),
            ),
            (Reason::Diagnostics, is_diagnostic(&self.method)),
            (Reason::Placeholder, self.is_placeholder),
        ];
        applying
            .into_iter()
            .filter(|(_, applies)| *applies)
            .map(|(reason, _)| reason)
            .collect()
    }
}

fn is_precondition(name: &str) -> bool {
    ["check", "require", "validate", "verify", "ensure", "assert"]
        .iter()
        .any(|verb| starts_with_word(name, verb))
}

/// Names by which code says that it only tells somebody something.
fn is_diagnostic(method: &MethodId) -> bool {
    let verbs = [
        "debug",
        "log",
        "trace",
        "dump",
        "print",
        "describe",
        "toString",
        "toDebugString",
    ];
    let class = method
        .class
        .rsplit(['/', '$'])
        .next()
        .unwrap_or(&method.class);
    verbs
        .iter()
        .any(|verb| starts_with_word(&method.name, verb))
        || method.name.ends_with("ToString")
        || method.name.ends_with("Message")
        || class.ends_with("Logger")
}

/// Whether a camel-case name begins with this whole word: `checkIndex`, not `checker`.
fn starts_with_word(name: &str, word: &str) -> bool {
    let rest = name.strip_prefix(word);
    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(name: &str) -> Finding {
        Finding {
            method: format!("a/A#{name}()V").parse().unwrap(),
            classification: Classification::PseudoTested,
            class_access: Access(Access::PUBLIC),
            method_access: Access(0),
            covering_tests: 1,
            code_length: 30,
            callers: None,
            callees: None,
            is_placeholder: false,
        }
    }

    fn order(findings: Vec<Finding>) -> String {
        rank(findings)
            .iter()
            .map(|each| &*each.finding.method.name)
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn public(name: &str) -> Finding {
        Finding {
            method_access: Access(Access::PUBLIC),
            ..finding(name)
        }
    }

    #[test]
    fn public_api_comes_first_and_private_code_late() {
        let private = Finding {
            method_access: Access(Access::PRIVATE),
            ..finding("hidden")
        };
        assert_eq!(
            order(vec![private, finding("package"), public("open")]),
            "open package hidden"
        );
    }

    #[test]
    fn public_methods_of_hidden_classes_are_no_api() {
        let hidden = Finding {
            class_access: Access(0),
            ..public("hidden")
        };
        assert_eq!(order(vec![hidden, public("open")]), "open hidden");
    }

    #[test]
    fn preconditions_rise_and_diagnostics_sink() {
        let names = [
            "run",
            "checkIndex",
            "checker",
            "logState",
            "login",
            "errorMessage",
        ];
        let ordered = order(names.map(finding).to_vec());
        assert_eq!(
            ordered,
            "checkIndex checker login run errorMessage logState"
        );
    }

    #[test]
    fn use_and_size_matter() {
        let popular = Finding {
            callers: Some(9),
            ..finding("popular")
        };
        let exercised = Finding {
            covering_tests: 40,
            ..finding("exercised")
        };
        let long = Finding {
            code_length: 200,
            ..finding("long")
        };
        let tiny = Finding {
            code_length: 5,
            ..finding("a_tiny")
        };
        let ordered = order(vec![tiny, long, popular, exercised, finding("plain")]);
        assert_eq!(ordered, "exercised popular long plain a_tiny");
    }

    #[test]
    fn what_depends_on_much_else_and_placeholders_come_later() {
        let dependent = Finding {
            callees: Some(10),
            ..finding("a_dependent")
        };
        let placeholder = Finding {
            is_placeholder: true,
            ..finding("a_placeholder")
        };
        let ordered = order(vec![placeholder, dependent, finding("plain")]);
        assert_eq!(ordered, "plain a_dependent a_placeholder");
    }

    #[test]
    fn pseudo_tested_comes_before_partially_tested() {
        let partly = Finding {
            classification: Classification::PartiallyTested,
            ..finding("a_partly")
        };
        assert_eq!(order(vec![partly, finding("pseudo")]), "pseudo a_partly");
    }

    #[test]
    fn every_rank_has_its_reasons() {
        let ranked = rank([public("dumpAll")]).remove(0);
        let reasons = [Reason::Diagnostics, Reason::PseudoTested, Reason::PublicApi];
        assert_eq!((ranked.relevance, &ranked.reasons[..]), (0, &reasons[..]));
    }
}
