//! Run or skip, and why.

use jury_model::Outcome;

use crate::catalogue::{Catalogue, ClassId, FactId};
use crate::changes::{Changes, ClassChange};
use crate::fact::{StateChange, Subject};
use crate::mark::{Mark, Marks};
use crate::row::Row;
use crate::rules;

/// What is known of a test: the row of its latest recorded run, and how that run ended. The two
/// belong together; a skipped test takes over this outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub row: Row,
    pub outcome: Outcome,
}

/// What users may choose about tests that Jury would otherwise run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Run the test whatever is known.
    pub force: bool,
    /// Run a test that was red until it is green again. Otherwise its red outcome is carried
    /// forward.
    pub rerun_red: bool,
    /// Marks that alone are no reason to run. [`Mark::Incomplete`] is one regardless.
    pub trusted: Marks,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            force: false,
            rerun_red: true,
            trusted: Marks::default(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// For at least one reason.
    Run(Vec<Reason>),
    Skip,
}

impl Decision {
    pub fn is_run(&self) -> bool {
        matches!(self, Decision::Run(_))
    }

    pub fn reasons(&self) -> &[Reason] {
        match self {
            Decision::Run(reasons) => reasons,
            Decision::Skip => &[],
        }
    }
}

/// Why a test is to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Forced,
    /// Nothing is recorded: a new test, or lost evidence.
    New,
    Red(Outcome),
    Marked(Mark),
    Class {
        class: ClassId,
        difference: ClassDifference,
        /// Not the test itself used it, but others to make what the test found ready.
        is_lent: bool,
    },
    Fact {
        fact: FactId,
        change: StateChange,
    },
}

/// What about a class affects a test. Positions are those of the recorded version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassDifference {
    Vanished,
    Moved,
    /// The class as a whole, because it was recorded or compared as one.
    Whole,
    Structure,
    Listing,
    Initializer,
    /// The body of a method that the test executed.
    Body(usize),
    /// A method that the test executed is gone.
    Removed(usize),
}

/// Decides about one test. Without a record the test runs.
pub fn decide(recorded: Option<&Recorded>, changes: &Changes, policy: &Policy) -> Decision {
    let mut reasons = Vec::new();
    reasons.extend(rules::forced(policy));
    match recorded {
        None => reasons.push(Reason::New),
        Some(Recorded { row, outcome }) => {
            reasons.extend(rules::red(*outcome, policy));
            reasons.extend(rules::marked(row, policy));
            reasons.extend(rules::classes(row, changes));
            reasons.extend(rules::facts(row, changes));
        }
    }
    if reasons.is_empty() {
        Decision::Skip
    } else {
        Decision::Run(reasons)
    }
}

impl Reason {
    /// One line for people: what changed, and how the test reached it.
    pub fn explain(&self, catalogue: &Catalogue, changes: &Changes) -> String {
        match *self {
            Reason::Forced => "asked for".to_owned(),
            Reason::New => "nothing is recorded about the test".to_owned(),
            Reason::Red(outcome) => format!("{outcome} last time"),
            Reason::Marked(mark) => mark.to_string(),
            Reason::Class {
                class,
                difference,
                is_lent,
            } => {
                let (what, how) = explain_class(class, difference, catalogue, changes);
                match is_lent {
                    true => format!("{what}; {READY_MADE}"),
                    false => format!("{what}; the test {how}"),
                }
            }
            Reason::Fact { fact, change } => explain_fact(fact, change, catalogue),
        }
    }
}

/// How a test reached what it did not use itself.
const READY_MADE: &str =
    "it had a part in what the test found ready: a static field, or an object of an earlier test";

/// What changed, and how a test reached it.
fn explain_class(
    class: ClassId,
    difference: ClassDifference,
    catalogue: &Catalogue,
    changes: &Changes,
) -> (String, &'static str) {
    let version = catalogue.class_version(class);
    let name = version.key.name.replace('/', ".");
    let method = |position: usize| version.method_in_words(position);
    match difference {
        ClassDifference::Vanished => {
            let from = &version.key.origin;
            (format!("class `{name}` is gone from `{from}`"), "uses it")
        }
        ClassDifference::Moved => {
            let to = match changes.class(class) {
                Some(ClassChange::Moved { to }) => to,
                _ => "elsewhere",
            };
            let from = &version.key.origin;
            let what = format!("class `{name}` now comes from `{to}`, not `{from}`");
            (what, "uses it")
        }
        ClassDifference::Whole => (format!("class `{name}` changed"), "uses it"),
        ClassDifference::Structure => {
            let what = format!("declarations in `{name}` changed");
            (what, "refers to the class")
        }
        ClassDifference::Listing => (format!("members of `{name}` changed"), "lists them"),
        ClassDifference::Initializer => {
            let what = format!("static initialiser of `{name}` changed");
            (what, "refers to the class")
        }
        ClassDifference::Body(position) => (format!("{} changed", method(position)), "executes it"),
        ClassDifference::Removed(position) => {
            (format!("{} is gone", method(position)), "executes it")
        }
    }
}

fn explain_fact(fact: FactId, change: StateChange, catalogue: &Catalogue) -> String {
    let subject = &catalogue.fact_seen(fact).subject;
    if let Subject::Launch(_) = subject {
        return format!("{subject} changed; the test's JVM depends on it");
    }
    match change {
        StateChange::Appeared => format!("{subject} appeared; the test found it missing"),
        StateChange::Vanished => format!("{subject} is gone; the test saw it"),
        StateChange::Changed => format!("{subject} changed; the test saw it"),
    }
}
