//! The rules by which a test is affected. One function each; a test is skipped only if none of
//! them speaks up.

use jury_model::Outcome;

use crate::changes::{Changes, ClassChange, PartsChange};
use crate::decision::{ClassDifference, Policy, Reason};
use crate::mark::Mark;
use crate::member_set::MemberSet;
use crate::row::{Row, Use};

/// The user wants it run.
pub(crate) fn forced(policy: &Policy) -> Option<Reason> {
    policy.force.then_some(Reason::Forced)
}

/// A red test stays in sight until it is green.
pub(crate) fn red(outcome: Outcome, policy: &Policy) -> Option<Reason> {
    (outcome.is_red() && policy.rerun_red).then_some(Reason::Red(outcome))
}

/// What Jury cannot see may have changed. An incomplete row is no evidence at all.
pub(crate) fn marked(row: &Row, policy: &Policy) -> impl Iterator<Item = Reason> {
    let trusted = policy.trusted;
    let distrusted = move |mark: &Mark| *mark == Mark::Incomplete || !trusted.contains(*mark);
    row.marks().iter().filter(distrusted).map(Reason::Marked)
}

/// A file, directory, resource, missing class, variable, property or launch setting is not as
/// the test saw it.
pub(crate) fn facts(row: &Row, changes: &Changes) -> impl Iterator<Item = Reason> {
    row.facts().iter().filter_map(|fact| {
        let change = changes.fact(*fact)?;
        Some(Reason::Fact {
            fact: *fact,
            change,
        })
    })
}

/// A class is not as the test used it.
pub(crate) fn classes(row: &Row, changes: &Changes) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for (class, usage) in row.uses() {
        let Some(change) = changes.class(*class) else {
            continue;
        };
        let mut add = |difference| {
            reasons.push(Reason::Class {
                class: *class,
                difference,
            })
        };
        vanished(change).into_iter().for_each(&mut add);
        moved(change).into_iter().for_each(&mut add);
        whole(change, usage).into_iter().for_each(&mut add);
        if let (ClassChange::Parts(change), Use::Parts { executed, listed }) = (change, usage) {
            structure(change).into_iter().for_each(&mut add);
            listing(change, *listed).into_iter().for_each(&mut add);
            initializer(change).into_iter().for_each(&mut add);
            executed_bodies(change, executed).for_each(&mut add);
            executed_and_removed(change, executed).for_each(&mut add);
        }
    }
    reasons
}

/// Whatever the test did with the class fails now.
fn vanished(change: &ClassChange) -> Option<ClassDifference> {
    matches!(change, ClassChange::Vanished).then_some(ClassDifference::Vanished)
}

/// Another class of that name stands in front, or the old one went and another took its place.
/// Equal bytes do not help: resources and package access follow the origin.
fn moved(change: &ClassChange) -> Option<ClassDifference> {
    matches!(change, ClassChange::Moved { .. }).then_some(ClassDifference::Moved)
}

/// With a plain fingerprint, or a test that used all of the class, every difference counts.
fn whole(change: &ClassChange, usage: &Use) -> Option<ClassDifference> {
    match (change, usage) {
        (ClassChange::Changed, _) | (ClassChange::Parts(_), Use::Whole) => {
            Some(ClassDifference::Whole)
        }
        _ => None,
    }
}

/// Any reference can see the structure: an added override takes over calls, a changed hierarchy
/// turns casts, a changed constant or annotation is read without a method being entered.
fn structure(change: &PartsChange) -> Option<ClassDifference> {
    change.structure.then_some(ClassDifference::Structure)
}

/// Only code that lists members can see their order, lambda bodies and nest members.
fn listing(change: &PartsChange, listed: bool) -> Option<ClassDifference> {
    (change.listing && listed).then_some(ClassDifference::Listing)
}

/// The initialiser runs once in a JVM, for whichever test comes first. Its effects are there
/// for every test that refers to the class, so it counts for all of them.
fn initializer(change: &PartsChange) -> Option<ClassDifference> {
    change.initializer.then_some(ClassDifference::Initializer)
}

/// Code that ran is not the same code any more. Methods that did not run may differ: to run one
/// now, something that did run must have changed.
fn executed_bodies(
    change: &PartsChange,
    executed: &MemberSet,
) -> impl Iterator<Item = ClassDifference> {
    executed.common(&change.changed).map(ClassDifference::Body)
}

/// A lambda's body may go without a trace in the structure, while an object that outlived the
/// test which made it still leads there.
fn executed_and_removed(
    change: &PartsChange,
    executed: &MemberSet,
) -> impl Iterator<Item = ClassDifference> {
    executed
        .common(&change.removed)
        .map(ClassDifference::Removed)
}
