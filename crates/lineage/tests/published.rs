//! The worked examples of the publication, and the cases in which its zero-comparison options miss
//! a test.

mod toy;

use jury_lineage::{Deed, Plan, Refusal, Test, TestSet};
use toy::{History, Line, Program, Story};

const M: u32 = 1;
const P: u32 = 2;
const Q: u32 = 3;

fn tests(numbers: &str) -> TestSet {
    let numbers = numbers.split_whitespace();
    numbers
        .map(|number| Test(number.parse().unwrap()))
        .collect()
}

fn program(tests: &[(u32, &[u32])]) -> Program {
    Program {
        tests: (tests.iter())
            .map(|(test, calls)| (Test(*test), calls.to_vec()))
            .collect(),
        ..Program::default()
    }
}

/// Test 1 uses m, 2 uses p, 3 uses q, 4 uses m and p. Two branches and the trunk edit them.
fn three_branches() -> Story {
    let mut story = Story::default();
    let base = program(&[(1, &[M]), (2, &[P]), (3, &[Q]), (4, &[M, P])]);
    story.add("n1", &[], base);
    for (edit, (name, parent, method)) in [
        ("n2", "n1", M),
        ("n3", "n2", P),
        ("n4", "n1", M),
        ("n5", "n4", P),
        ("n6", "n1", P),
        ("n7", "n6", Q),
    ]
    .into_iter()
    .enumerate()
    {
        story.commit(name, parent, method, &[Line::Act(edit as u32)]);
    }
    story
}

fn check(history: &History, deed: Deed, one: &str, each: Option<&str>, zero: &str) {
    let select = |plan| history.select("h", deed.clone(), plan);
    assert_eq!(select(Plan::One), Ok(tests(one)));
    let each = each.map(tests).ok_or(Refusal::NoOption);
    assert_eq!(select(Plan::Each), each);
    assert_eq!(select(Plan::Zero), Ok(tests(zero)));
    let evidence = select(Plan::Evidence).unwrap();
    assert!(evidence.is_subset(&tests(one)));
    assert_eq!(history.missed("h", &evidence), tests(""));
}

#[test]
fn commits_select_what_they_edit() {
    let history = three_branches().end();
    for (name, selected) in [
        ("n2", "1 4"),
        ("n3", "2 4"),
        ("n4", "1 4"),
        ("n5", "2 4"),
        ("n6", "2 4"),
        ("n7", "3"),
    ] {
        let found = history.select(name, Deed::Commit, Plan::One);
        assert_eq!(found, Ok(tests(selected)), "{name}");
    }
    let nothing_before = history.select("n1", Deed::Commit, Plan::One);
    assert_eq!(nothing_before, Err(Refusal::NothingToCompare));
}

#[test]
fn a_merge_of_three_branches() {
    let mut story = three_branches();
    story.merge("h", "n1", &["n3", "n5", "n7"]);
    check(&story.end(), Deed::Merge, "1 2 3 4", Some("1 2 4"), "1 2 4");
}

#[test]
fn a_rebase() {
    let mut story = three_branches();
    let program = story.merged("n1", &["n7", "n3"]);
    story.add("h", &["n3"], program);
    let history = story.end();
    let (from, onto) = (history.find("n7"), history.find("n3"));
    let deed = Deed::Rebase { from, onto };
    check(&history, deed, "1 2 3 4", Some("2 4"), "2 4");
}

#[test]
fn a_cherry_pick() {
    let mut story = three_branches();
    story.apply("h", "n7", "n1", "n2");
    let history = story.end();
    let picked = history.find("n2");
    check(&history, Deed::CherryPick { picked }, "1 4", None, "4");
}

#[test]
fn a_revert_by_the_published_formula_saves_nothing_and_evidence_does() {
    let mut story = three_branches();
    story.apply("h", "n7", "n6", "n1");
    let history = story.end();
    let reverted = history.find("n6");
    check(&history, Deed::Revert { reverted }, "2 4", None, "2 4");
    let evidence = history.select("h", Deed::Revert { reverted }, Plan::Evidence);
    assert_eq!(evidence, Ok(tests("")), "as before the reverted commit");
}

#[test]
fn an_edited_merge_has_no_zero_option() {
    let mut story = three_branches();
    story.merge("h", "n1", &["n3", "n7"]);
    let history = story.end();
    let course = jury_lineage::Course {
        dag: &history.dag,
        selector: &history,
        head: history.find("h"),
        deed: Deed::Merge,
        is_automatic: false,
    };
    assert_eq!(course.select(Plan::Zero), Err(Refusal::Edited));
    assert_eq!(course.select(Plan::Each).unwrap().comparisons, 2);
}

#[test]
fn a_reverted_merge_is_compared_with_its_parent() {
    let mut story = three_branches();
    story.merge("merge", "n1", &["n3", "n7"]);
    story.apply("h", "merge", "merge", "n3");
    let history = story.end();
    let reverted = history.find("merge");
    let deed = Deed::Revert { reverted };
    let zero = history.select("h", deed.clone(), Plan::Zero);
    assert_eq!(zero, Err(Refusal::NoOption));
    assert_eq!(history.select("h", deed, Plan::One), Ok(tests("2 3 4")));
}

#[test]
fn a_merge_that_restores_what_was_is_the_case_for_the_dominator() {
    let mut story = Story::default();
    story.add("n1", &[], program(&[(1, &[M])]));
    story.commit("n2", "n1", M, &[Line::Act(1)]);
    story.commit("n3", "n1", M, &[Line::Act(2)]);
    let restored = story.program("n1").clone();
    story.add("h", &["n2", "n3"], restored);
    let history = story.end();
    let select = |plan| history.select("h", Deed::Merge, plan);
    assert_eq!(select(Plan::One), Ok(tests("")));
    assert_eq!(select(Plan::Each), Ok(tests("1")));
    assert_eq!(select(Plan::Evidence), Ok(tests("")));
}

/// The lowest common ancestor of n5 and n6 is n2, since which nobody has edited m; the dominator is
/// n1, since which both branches have.
#[test]
fn seven_revisions_show_why_ancestors_do_not_do() {
    let mut story = Story::default();
    story.add("n1", &[], program(&[(1, &[M]), (2, &[P])]));
    story.commit("n2", "n1", P, &[Line::Act(1)]);
    story.commit("n3", "n1", M, &[Line::Act(2)]);
    story.commit("n4", "n1", M, &[Line::Act(3)]);
    story.merge("n5", "n1", &["n3", "n2"]);
    story.merge("n6", "n1", &["n4", "n2"]);
    story.merge("h", "n2", &["n5", "n6"]);
    let history = story.end();
    let bases = history
        .dag
        .lowest_common_ancestors(history.find("n5"), history.find("n6"));
    assert_eq!(bases.into_iter().collect::<Vec<_>>(), [history.find("n2")]);
    for name in ["n5", "n6"] {
        let selected = history.select(name, Deed::Merge, Plan::Each);
        assert!(!selected.unwrap().contains(&Test(1)), "{name}");
    }
    for plan in Plan::ALL {
        let selected = history.select("h", Deed::Merge, plan).unwrap();
        assert!(selected.contains(&Test(1)), "{plan}");
        assert_eq!(history.missed("h", &selected), tests(""), "{plan}");
    }
}

/// The zero option misses the test, evidence does not.
fn check_gap(history: &History, deed: Deed) {
    let select = |plan| history.select("h", deed.clone(), plan).unwrap();
    let zero = select(Plan::Zero);
    assert_eq!(history.missed("h", &zero), tests("1"));
    for plan in [Plan::One, Plan::Evidence] {
        assert_eq!(history.missed("h", &select(plan)), tests(""), "{plan}");
    }
    assert!(!Plan::Zero.is_safe());
    assert!(select(Plan::Evidence).contains(&Test(1)));
}

#[test]
fn one_branch_calls_what_the_other_edits() {
    let mut story = Story::default();
    story.add("base", &[], program(&[(1, &[M])]));
    story.commit("calls", "base", M, &[Line::Call(P)]);
    story.commit("edits", "base", P, &[Line::Act(1)]);
    story.merge("h", "base", &["calls", "edits"]);
    let history = story.end();
    check_gap(&history, Deed::Merge);
    let each = history.select("h", Deed::Merge, Plan::Each);
    assert_eq!(each, Ok(tests("1")));
}

#[test]
fn a_picked_commit_edits_what_only_the_receiving_branch_calls() {
    let mut story = Story::default();
    story.add("base", &[], program(&[(1, &[M])]));
    story.commit("calls", "base", M, &[Line::Call(P)]);
    story.commit("edits", "base", P, &[Line::Act(1)]);
    story.apply("h", "calls", "base", "edits");
    let history = story.end();
    let picked = history.find("edits");
    check_gap(&history, Deed::CherryPick { picked });
}

#[test]
fn a_revert_changes_what_is_called_only_since() {
    let mut story = Story::default();
    story.add("base", &[], program(&[(1, &[M])]));
    story.commit("edits", "base", P, &[Line::Act(1)]);
    story.commit("calls", "edits", M, &[Line::Call(P)]);
    story.apply("h", "calls", "edits", "base");
    let history = story.end();
    let reverted = history.find("edits");
    check_gap(&history, Deed::Revert { reverted });
}

#[test]
fn a_new_test_of_one_branch_runs_at_the_merge() {
    let mut story = three_branches();
    let mut program = story.program("n7").clone();
    program.tests.insert(Test(5), vec![Q]);
    story.add("new", &["n7"], program);
    story.merge("h", "n1", &["n3", "new"]);
    let history = story.end();
    let zero = history.select("h", Deed::Merge, Plan::Zero).unwrap();
    assert!(zero.contains(&Test(5)));
    let evidence = history.select("h", Deed::Merge, Plan::Evidence).unwrap();
    assert!(!evidence.contains(&Test(5)), "it has passed on its branch");
}

#[test]
fn a_parent_that_was_never_tested_costs_tests_and_no_safety() {
    let mut story = three_branches();
    story.merge("h", "n1", &["n3", "n7"]);
    let mut history = story.end();
    let untested = history.find("n7");
    history.programs.remove(&untested);
    let select = |plan| history.select("h", Deed::Merge, plan);
    assert_eq!(select(Plan::Zero), Err(Refusal::BranchNotKnown));
    assert_eq!(
        select(Plan::Each),
        Ok(tests("2 3 4")),
        "by the other parent alone"
    );
    assert_eq!(select(Plan::One), Ok(tests("1 2 3 4")));
}
