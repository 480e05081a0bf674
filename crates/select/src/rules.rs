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
                is_lent: row.is_lent(*class),
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

/// One test per rule: a world in which nothing but that rule speaks up.
#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use crate::catalogue::{ClassKey, ClassVersion};
    use crate::decision::{Decision, Recorded, decide};
    use crate::evidence::Evidence;
    use crate::fact::{Fact, State, Subject};
    use crate::fingerprint::{ClassFingerprint, Hashing, MemberFingerprint, Parts};
    use crate::hash::Hash128;
    use crate::mark::Marks;
    use crate::world::{FoundClass, World};

    /// A class by the contents of its parts.
    #[derive(Clone)]
    struct Class {
        structure: &'static str,
        listing: &'static str,
        initializer: &'static str,
        methods: Vec<(&'static str, &'static str)>,
    }

    fn class() -> Class {
        Class {
            structure: "class C",
            listing: "m, p",
            initializer: "N = 1",
            methods: vec![("m", "return 1"), ("p", "return 2")],
        }
    }

    impl Class {
        fn smart(&self) -> ClassFingerprint {
            let hash = |text: &str| Hash128::of(text.as_bytes());
            let method = |&(name, body): &(&str, &str)| MemberFingerprint {
                name: name.into(),
                descriptor: "()V".into(),
                lambda: None,
                body: hash(body),
            };
            let members = self.methods.iter().map(method).collect();
            ClassFingerprint::from_parts(Parts::new(
                hash(self.structure),
                hash(self.listing),
                hash(self.initializer),
                members,
            ))
        }
    }

    #[derive(Default)]
    struct Present {
        classes: BTreeMap<Arc<str>, (Arc<str>, ClassFingerprint)>,
        states: BTreeMap<Subject, State>,
    }

    impl World for Present {
        fn class(&self, key: &ClassKey) -> Option<FoundClass<'_>> {
            let (origin, fingerprint) = self.classes.get(&key.name)?;
            Some(FoundClass {
                origin: origin.clone(),
                fingerprint: Cow::Borrowed(fingerprint),
            })
        }

        fn state(&self, subject: &Subject) -> State {
            self.states.get(subject).copied().unwrap_or(State::Absent)
        }
    }

    /// Why a test that used `seen` as `usage` says runs now that the class is `now`.
    fn explain(
        seen: ClassFingerprint,
        usage: Use,
        now: Option<(&str, ClassFingerprint)>,
    ) -> String {
        let mut evidence = Evidence::new();
        let key = ClassKey {
            origin: "classes".into(),
            name: "a/C".into(),
        };
        let id = evidence.catalogue.class(ClassVersion {
            key,
            fingerprint: seen,
        });
        let mut row = Row::new();
        row.add_use(id, usage);
        evidence.record(
            "t",
            Recorded {
                row,
                outcome: Outcome::Passed,
            },
        );
        let mut present = Present::default();
        if let Some((origin, fingerprint)) = now {
            present
                .classes
                .insert("a/C".into(), (origin.into(), fingerprint));
        }
        reasons(&evidence, &present, &Policy::default())
    }

    fn reasons(evidence: &Evidence, present: &Present, policy: &Policy) -> String {
        let changes = Changes::between(&evidence.catalogue, present);
        match evidence.check_affected("t", &changes, policy) {
            Decision::Skip => "skip".into(),
            Decision::Run(reasons) => {
                let lines = reasons
                    .iter()
                    .map(|each| each.explain(&evidence.catalogue, &changes));
                lines.collect::<Vec<_>>().join("\n")
            }
        }
    }

    fn explain_smart(usage: Use, now: Class) -> String {
        explain(class().smart(), usage, Some(("classes", now.smart())))
    }

    /// Positions of `m` and `p`.
    const M: usize = 0;
    const P: usize = 1;

    #[test]
    fn an_unchanged_class_affects_nobody() {
        assert_eq!(explain_smart(Use::executed([M, P]), class()), "skip");
        assert_eq!(explain_smart(Use::Whole, class()), "skip");
    }

    #[test]
    fn a_vanished_class_affects_those_who_used_it() {
        assert_eq!(
            explain(class().smart(), Use::referenced(), None),
            "class `a.C` is gone from `classes`; the test uses it"
        );
    }

    #[test]
    fn a_class_that_stands_in_front_affects_even_with_equal_content() {
        let shadow = Some(("patch.jar", class().smart()));
        assert_eq!(
            explain(class().smart(), Use::referenced(), shadow),
            "class `a.C` now comes from `patch.jar`, not `classes`; the test uses it"
        );
    }

    #[test]
    fn plain_fingerprints_know_only_the_whole() {
        let plain = |bytes: &[u8]| ClassFingerprint::of(bytes, Hashing::Plain);
        let changed = "class `a.C` changed; the test uses it";
        let now = Some(("classes", plain(b"2")));
        assert_eq!(explain(plain(b"1"), Use::referenced(), now), changed);
        let now = Some(("classes", plain(b"1")));
        assert_eq!(explain(class().smart(), Use::referenced(), now), changed);
    }

    #[test]
    fn use_of_the_whole_class_is_affected_by_any_method() {
        let now = Class {
            methods: vec![("m", "return 1"), ("p", "return 3")],
            ..class()
        };
        assert_eq!(
            explain_smart(Use::Whole, now),
            "class `a.C` changed; the test uses it"
        );
    }

    #[test]
    fn changed_structure_affects_mere_references() {
        let now = Class {
            structure: "class C extends D",
            ..class()
        };
        assert_eq!(
            explain_smart(Use::referenced(), now),
            "declarations in `a.C` changed; the test refers to the class"
        );
    }

    #[test]
    fn a_changed_listing_affects_only_those_who_list() {
        let now = Class {
            listing: "p, m",
            ..class()
        };
        assert_eq!(
            explain_smart(Use::listed(), now.clone()),
            "members of `a.C` changed; the test lists them"
        );
        assert_eq!(explain_smart(Use::executed([M, P]), now), "skip");
    }

    #[test]
    fn a_changed_initialiser_affects_mere_references() {
        let now = Class {
            initializer: "N = 2",
            ..class()
        };
        assert_eq!(
            explain_smart(Use::referenced(), now),
            "static initialiser of `a.C` changed; the test refers to the class"
        );
    }

    #[test]
    fn a_changed_body_affects_only_those_who_executed_it() {
        let now = Class {
            methods: vec![("m", "return 1"), ("p", "return 3")],
            ..class()
        };
        assert_eq!(
            explain_smart(Use::executed([P]), now.clone()),
            "method `a.C.p()` changed; the test executes it"
        );
        assert_eq!(explain_smart(Use::executed([M]), now.clone()), "skip");
        assert_eq!(explain_smart(Use::referenced(), now), "skip");
    }

    #[test]
    fn a_removed_method_affects_those_who_executed_it() {
        let now = Class {
            methods: vec![("p", "return 2")],
            ..class()
        };
        assert_eq!(
            explain_smart(Use::executed([M]), now.clone()),
            "method `a.C.m()` is gone; the test executes it"
        );
        assert_eq!(explain_smart(Use::executed([P]), now), "skip");
    }

    /// Why a test that saw `subject` in a state runs now that it is in another.
    fn explain_state(subject: Subject, seen: State, now: State) -> String {
        let mut evidence = Evidence::new();
        let fact = evidence.catalogue.fact(Fact {
            subject: subject.clone(),
            state: seen,
        });
        let mut row = Row::new();
        row.add_fact(fact);
        evidence.record(
            "t",
            Recorded {
                row,
                outcome: Outcome::Passed,
            },
        );
        let states = [(subject, now)].into();
        reasons(
            &evidence,
            &Present {
                states,
                ..Present::default()
            },
            &Policy::default(),
        )
    }

    #[test]
    fn subjects_affect_when_they_change_appear_or_vanish() {
        let one = State::Present(Hash128::of(b"1"));
        let two = State::Present(Hash128::of(b"2"));
        let cases = [
            (Subject::File("a.txt".into()), one, two),
            (Subject::File("a.txt".into()), one, State::Absent),
            (Subject::File("a.txt".into()), State::Absent, one),
            (Subject::File("a.txt".into()), one, State::Unreadable),
            (Subject::Directory("data".into()), one, two),
            (Subject::Resource("a.properties".into()), one, two),
            (
                Subject::MissingClass("a.Optional".into()),
                State::Absent,
                one,
            ),
            (Subject::Variable("HOME".into()), one, two),
            (Subject::Launch("JDK".into()), one, two),
        ];
        let lines = cases
            .clone()
            .map(|(subject, seen, now)| explain_state(subject, seen, now));
        insta::assert_snapshot!(lines.join("\n"), @r"
        file `a.txt` changed; the test saw it
        file `a.txt` is gone; the test saw it
        file `a.txt` appeared; the test found it missing
        file `a.txt` changed; the test saw it
        directory `data` changed; the test saw it
        resource `a.properties` changed; the test saw it
        class `a.Optional` appeared; the test found it missing
        environment variable `HOME` changed; the test saw it
        launch setting `JDK` changed; the test's JVM depends on it
        ");
        for (subject, seen, _) in cases {
            assert_eq!(explain_state(subject, seen, seen), "skip");
        }
    }

    /// The decision about a test that used nothing.
    fn decide_idle(outcome: Outcome, marks: &[Mark], policy: &Policy) -> Vec<Reason> {
        let mut row = Row::new();
        marks.iter().for_each(|mark| row.add_mark(*mark));
        let recorded = Recorded { row, outcome };
        decide(Some(&recorded), &Changes::default(), policy)
            .reasons()
            .to_vec()
    }

    #[test]
    fn a_test_without_a_record_runs() {
        let decision = decide(None, &Changes::default(), &Policy::default());
        assert_eq!(decision, Decision::Run(vec![Reason::New]));
    }

    #[test]
    fn a_forced_test_runs() {
        let force = Policy {
            force: true,
            ..Policy::default()
        };
        assert_eq!(decide_idle(Outcome::Passed, &[], &force), [Reason::Forced]);
        assert_eq!(decide_idle(Outcome::Passed, &[], &Policy::default()), []);
    }

    #[test]
    fn a_red_test_runs_again_unless_its_outcome_is_carried_forward() {
        let carry = Policy {
            rerun_red: false,
            ..Policy::default()
        };
        for outcome in [Outcome::Failed, Outcome::TimedOut, Outcome::Crashed] {
            let reasons = decide_idle(outcome, &[], &Policy::default());
            assert_eq!(reasons, [Reason::Red(outcome)]);
            assert_eq!(decide_idle(outcome, &[], &carry), []);
        }
        assert_eq!(decide_idle(Outcome::Aborted, &[], &Policy::default()), []);
    }

    #[test]
    fn a_marked_test_runs_unless_the_mark_is_trusted() {
        let trusted = Policy {
            trusted: Marks::from_iter(Mark::ALL),
            ..Policy::default()
        };
        for mark in Mark::ALL {
            let reasons = decide_idle(Outcome::Passed, &[mark], &Policy::default());
            assert_eq!(reasons, [Reason::Marked(mark)]);
        }
        assert_eq!(decide_idle(Outcome::Passed, &[Mark::Network], &trusted), []);
    }

    #[test]
    fn an_incomplete_row_is_never_trusted() {
        let trusted = Policy {
            trusted: Marks::from_iter(Mark::ALL),
            ..Policy::default()
        };
        let reasons = decide_idle(Outcome::Passed, &[Mark::Incomplete], &trusted);
        assert_eq!(reasons, [Reason::Marked(Mark::Incomplete)]);
    }
}
