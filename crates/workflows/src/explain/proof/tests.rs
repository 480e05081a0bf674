//! What is made of tests that fail, of JVMs that are lost and of statements that get in each other's way.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use jury_explain::Side;

use super::*;
use crate::explain::scripted::{Ends, PROJECT, Run, SOURCE, candidate, source, with_prover};

/// The statements proven for mutants, each of which has some to choose from.
fn check(
    script: impl Fn(&Run<'_>) -> Ends + Sync + 'static,
    mutants: &[(u32, &[&str])],
) -> Vec<String> {
    check_in(true, script, mutants)
}

/// The same of mutants that only fresh JVMs show, or warm ones, too.
fn check_in(
    is_hidden: bool,
    script: impl Fn(&Run<'_>) -> Ends + Sync + 'static,
    mutants: &[(u32, &[&str])],
) -> Vec<String> {
    let source = source(Path::new("/p/T.java"), SOURCE);
    let wanted = mutants
        .iter()
        .enumerate()
        .map(|(index, (switch, statements))| Wanted {
            explanation: index,
            switch: *switch,
            is_hidden,
            candidates: (statements.iter())
                .map(|statement| candidate(&source, statement, Side::Before))
                .collect(),
        });
    let (mut proven, mut local) = (Vec::new(), BTreeSet::new());
    with_prover(script, |prover| {
        (prover.prove(wanted.collect(), &mut proven, &mut local)).unwrap();
    });
    let told = proven.iter().map(|one| {
        let statement = &one.candidate.proposal.statement;
        format!("{} {statement}", mutants[one.explanation].0)
    });
    told.chain(local.iter().map(|one| format!("{} local", mutants[*one].0)))
        .collect()
}

#[test]
fn what_the_original_bears_out_and_the_mutant_does_not_is_proven() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        (None, _) => run.at(&["w();"]),
        _ => Ends::Passes,
    };
    // The first is wrong in the original, the second never sees the mutant.
    assert_eq!(check(script, &[(1, &["w();", "v();", "x();"])]), ["1 x();"]);
}

#[test]
fn what_does_not_hold_in_another_class_of_tests_is_refuted() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();", "y();"]),
        (None, "c") => run.at(&["x();"]),
        _ => Ends::Passes,
    };
    assert_eq!(check(script, &[(1, &["x();", "y();"])]), ["1 y();"]);
}

#[test]
fn a_test_that_is_lost_with_its_jvm_is_run_again() {
    static LOST: AtomicUsize = AtomicUsize::new(0);
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        (None, "a") if LOST.fetch_add(1, Ordering::Relaxed) == 0 => Ends::Lost,
        (None, "b") => run.at(&["x();"]),
        _ => Ends::Passes,
    };
    // The test behind the lost one is the one that fails.
    assert!(check(script, &[(1, &["x();"])]).is_empty());
}

#[test]
fn a_test_that_is_lost_once_more_when_it_is_alone_has_another_chance() {
    static LOST: AtomicUsize = AtomicUsize::new(0);
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        (None, "a") if LOST.fetch_add(1, Ordering::Relaxed) < 2 => Ends::Lost,
        _ => Ends::Passes,
    };
    assert_eq!(check(script, &[(1, &["x();"])]), ["1 x();"]);
}

#[test]
fn a_test_that_is_known_to_have_ended_its_jvm_has_another_chance() {
    static LOST: AtomicUsize = AtomicUsize::new(0);
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        (None, "a") if LOST.fetch_add(1, Ordering::Relaxed) == 0 => Ends::Dies,
        _ => Ends::Passes,
    };
    assert_eq!(check(script, &[(1, &["x();"])]), ["1 x();"]);
}

#[test]
fn a_test_that_never_comes_to_an_end_does_not_pass() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();", "y();"]),
        (None, "b") if run.has("x();") => Ends::Dies,
        (None, "c") if run.has("x();") => Ends::Lost,
        _ => Ends::Passes,
    };
    assert_eq!(check(script, &[(1, &["x();", "y();"])]), ["1 y();"]);
}

#[test]
fn a_slow_test_has_time_to_pass() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        (None, "c") if run.limit < Duration::from_secs(10 * 60) => Ends::Lost,
        _ => Ends::Passes,
    };
    assert_eq!(check(script, &[(1, &["x();"])]), ["1 x();"]);
}

#[test]
fn a_test_that_fails_without_any_statement_refutes_none() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        (_, "b") => Ends::Fails("AssertionError\n\tat T.u(T.java:99)\n".into()),
        _ => Ends::Passes,
    };
    assert_eq!(check(script, &[(1, &["x();"])]), ["1 x();"]);
}

#[test]
fn a_test_that_fails_elsewhere_because_of_a_statement_refutes_it() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();", "y();"]),
        (None, "b") if run.has("x();") => {
            Ends::Fails("AssertionError\n\tat T.u(T.java:99)\n".into())
        }
        _ => Ends::Passes,
    };
    assert_eq!(check(script, &[(1, &["x();", "y();"])]), ["1 y();"]);
}

#[test]
fn a_test_that_fails_now_and_then_refutes_none() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        (None, "b") if RUNS.fetch_add(1, Ordering::Relaxed) == 0 => {
            Ends::Fails("AssertionError\n\tat T.u(T.java:99)\n".into())
        }
        _ => Ends::Passes,
    };
    assert_eq!(check(script, &[(1, &["x();"])]), ["1 x();"]);
}

#[test]
fn a_test_that_fails_behind_others_of_its_class_refutes_none() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        (None, "b") if run.has_run.contains(&"a".to_owned()) => {
            Ends::Fails("AssertionError\n\tat T.u(T.java:99)\n".into())
        }
        _ => Ends::Passes,
    };
    assert_eq!(check(script, &[(1, &["x();"])]), ["1 x();"]);
}

#[test]
fn a_statement_whose_traces_make_another_test_fail_is_refuted() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        (None, "b") if run.has("x();") && run.has_run.contains(&"a".to_owned()) => {
            Ends::Fails("AssertionError\n\tat T.u(T.java:99)\n".into())
        }
        _ => Ends::Passes,
    };
    assert!(check(script, &[(1, &["x();"])]).is_empty());
}

#[test]
fn a_statement_whose_failure_somebody_swallows_keeps_no_other_from_its_turn() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") if run.has("w();") => {
            Ends::Fails("AssertionError\n\tat T.t(T.java:99)\n".into())
        }
        (Some(1), "a") => run.at(&["x();"]),
        _ => Ends::Passes,
    };
    assert_eq!(check(script, &[(1, &["w();", "x();"])]), ["1 x();"]);
}

#[test]
fn a_statement_that_fails_on_its_second_line_is_refuted_alone() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(2), "a") => run.at(&["y();"]),
        (None, "a") => run.at(&["2);"]),
        _ => Ends::Passes,
    };
    let proven = check(script, &[(1, &["x(1,\n2);"]), (2, &["y();"])]);
    assert_eq!(proven, ["2 y();"]);
}

#[test]
fn a_statement_is_not_refuted_by_one_that_it_leads_to() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(2), "a") => run.at(&["y();"]),
        (None, "a") if run.has("x();") => run.through(&["x();", "y();"]),
        _ => Ends::Passes,
    };
    let proven = check(script, &[(1, &["x();"]), (2, &["y();"])]);
    assert_eq!(proven, ["2 y();"]);
}

#[test]
fn a_statement_is_not_proven_by_one_that_it_leads_to() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        (Some(2), "a") if run.has("x();") => run.through(&["x();", "y();"]),
        _ => Ends::Passes,
    };
    let proven = check(script, &[(1, &["x();"]), (2, &["y();"])]);
    assert_eq!(proven, ["1 x();"]);
}

#[test]
fn a_failure_is_that_of_the_innermost_statement_in_its_own_package() {
    let other = source(Path::new("/p/b/T.java"), SOURCE);
    let own = source(Path::new("/p/a/T.java"), SOURCE);
    let candidates = [&other, &own].map(|source| candidate(source, "x();", Side::Before));
    let check = |trace: &str| {
        let candidates = candidates.each_ref();
        failed_at(trace, &candidates, &[Some(3..=4), Some(3..=3)])
    };
    let outer = "AssertionError: no (T.java:3)\n\tat app//a.T$U.lambda$t$0(T.java:3)\n\tat b.T.t(T.java:4)\n";
    assert_eq!(check(outer), [1]);
    let caused = format!("{outer}Caused by: Error\n\tat b.T.<init>(T.java:4)\n\t... 2 more\n");
    assert_eq!(check(&caused), [0]);
    assert!(check("AssertionError\n\tat a.T.t(T.java:4)\n").is_empty());
}

#[test]
fn what_was_hidden_behind_a_refuted_statement_is_tried_without_it() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(2), "a") => run.at(&["y();"]),
        (None, "b") => run.at(&["w();", "y();"]),
        _ => Ends::Passes,
    };
    assert!(check(script, &[(1, &["w();"]), (2, &["y();"])]).is_empty());
}

#[test]
fn what_is_proven_in_different_rounds_must_hold_together() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        (Some(2), "a") => run.at(&["y();", "z();"]),
        (None, "a") if run.has("w();") => run.at(&["w();"]),
        (None, "a") if run.has("x();") => run.at(&["y();"]),
        _ => Ends::Passes,
    };
    let proven = check(script, &[(1, &["x();"]), (2, &["w();", "y();", "z();"])]);
    assert_eq!(proven, ["1 x();", "2 z();"]);
}

#[test]
fn one_statement_serves_several_mutants() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(_), "a") => run.at(&["x();"]),
        _ => Ends::Passes,
    };
    assert_eq!(
        check(script, &[(1, &["x();"]), (2, &["x();"])]),
        ["1 x();", "2 x();"]
    );
}

#[test]
fn what_the_original_left_behind_hides_no_mutant() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") if run.jvm > 0 => run.at(&["x();"]),
        _ => Ends::Passes,
    };
    assert_eq!(check(script, &[(1, &["x();"])]), ["1 x();"]);
}

#[test]
fn what_another_mutant_left_behind_proves_nothing() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        (_, "a") if run.before.contains(&1) => run.at(&["y();"]),
        _ => Ends::Passes,
    };
    let proven = check(script, &[(1, &["x();"]), (2, &["y();"])]);
    assert_eq!(proven, ["1 x();"]);
}

#[test]
fn what_a_mutant_left_behind_keeps_no_other_from_its_proof() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        // The first is never seen, but ends with what keeps others from being seen.
        (Some(2), "a") if !run.before.contains(&1) => run.at(&["y();"]),
        (None, "a") if run.before.contains(&1) => {
            Ends::Fails("AssertionError\n\tat T.u(T.java:99)\n".into())
        }
        _ => Ends::Passes,
    };
    let proven = check_in(false, script, &[(1, &["x();"]), (2, &["y();"])]);
    assert_eq!(proven, ["2 y();"]);
}

#[test]
fn what_fails_elsewhere_holds_here_only() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();", "y();"]),
        (None, "a") if run.is_elsewhere => run.at(&["x();"]),
        _ => Ends::Passes,
    };
    let proven = check(script, &[(1, &["x();", "y();"])]);
    assert_eq!(proven, ["1 y();", "1 local"]);
}

#[test]
fn what_is_made_from_a_place_of_this_machine_is_not_tried() {
    let source = source(Path::new("/p/T.java"), SOURCE);
    let of = |value: &str| Candidate {
        value: value.to_owned(),
        ..candidate(&source, "assertEquals(990, text.length());", Side::Before)
    };
    let is_of_here = |value: String| {
        with_prover(
            |_| Ends::Passes,
            move |prover| prover.is_of_here(&of(&value)),
        )
    };
    assert!(is_of_here(format!("Tsee {PROJECT}/a.txt for more")));
    assert!(!is_of_here("Tsee a.txt for more".to_owned()));
}

#[test]
fn what_is_hidden_elsewhere_behind_another_is_looked_for_again() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        (Some(2), "a") => run.at(&["y();"]),
        (None, "a") if run.is_elsewhere => run.at(&["x();", "y();"]),
        _ => Ends::Passes,
    };
    let proven = check(script, &[(1, &["x();"]), (2, &["y();"])]);
    assert_eq!(proven, ["1 local", "2 local"]);
}

#[test]
fn nothing_is_proven_once_the_run_is_cancelled() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        (None, "c") => {
            run.cancelled.store(true, Ordering::Relaxed);
            Ends::Passes
        }
        _ => Ends::Passes,
    };
    assert!(check(script, &[(1, &["x();"])]).is_empty());
}
