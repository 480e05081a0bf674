//! `jury impact` through the real binary: what an edit of the bundled sample can reach.

use std::fs;
use std::process::Command;

use jury_testkit::{Jdk, Sample, run, succeed};
use serde_json::Value;

use crate::JURY;
use crate::script_build::{BUILD, compile, demo};

const POSTAGE: &str = "src/main/java/teashop/Postage.java";

fn jury(sample: &Sample, arguments: &[&str]) -> Command {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(arguments);
    command
}

fn git(sample: &Sample, arguments: &[&str]) {
    let mut git = Command::new("git");
    let identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
    succeed(
        git.current_dir(sample.path())
            .args(identity)
            .args(arguments),
    );
}

fn edit(sample: &Sample, from: &str, to: &str) {
    sample.edit(POSTAGE, from, to);
}

fn names(answer: &Value, list: &str) -> Vec<String> {
    let list = answer[list].as_array().expect("a list").iter();
    list.map(|one| one["name"].as_str().expect("text").to_owned())
        .collect()
}

fn impact(sample: &Sample, arguments: &[&str]) -> Value {
    let mut all = vec!["impact", "--format", "json"];
    all.extend(arguments);
    run(&mut jury(sample, &all)).exits(0).json()
}

#[test]
fn an_edit_reaches_its_tests_by_every_comparison() {
    let sample = demo();
    fs::remove_dir_all(sample.path().join("target")).expect("classes to remove");
    let early = run(&mut jury(&sample, &["impact"])).exits(4);
    assert!(
        early.stderr.contains("found no class files"),
        "{}",
        early.stderr
    );

    git(&sample, &["init", "-q"]);
    git(&sample, &["add", "."]);
    git(&sample, &["commit", "-q", "-m", "first"]);
    succeed(jury(&sample, &["test"]).args(BUILD));
    assert_eq!(names(&impact(&sample, &[]), "changed"), [""; 0]);
    let old = sample.beside("old-classes");
    fs::create_dir_all(old.join("teashop")).expect("a directory");
    for entry in fs::read_dir(sample.path().join("target/classes/teashop")).expect("classes") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), old.join("teashop").join(entry.file_name())).expect("a copy");
    }

    // Only what a program can see counts.
    edit(&sample, "/** What it costs", "\n\n/** All that it costs");
    compile(&sample);
    assert_eq!(names(&impact(&sample, &[]), "changed"), [""; 0]);

    edit(&sample, "(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
    compile(&sample);
    let old = old.to_str().expect("a plain path");
    for since in [
        &["--since", "last"][..],
        &["--since", "HEAD"],
        &[
            "--since",
            old,
            "--classes",
            "target/classes",
            "target/test-classes",
        ],
    ] {
        let answer = impact(&sample, since);
        let changed = names(&answer, "changed");
        assert!(
            changed.contains(&"teashop.Postage".to_owned()),
            "{changed:?}"
        );
        let tests = names(&answer, "tests");
        let expected = ["teashop.CheckoutTests", "teashop.PostageTests"];
        for test in expected {
            assert!(tests.contains(&test.to_owned()), "{since:?}: {tests:?}");
        }
    }
    let answer = impact(&sample, &["--since", "last"]);
    assert_eq!(names(&answer, "tests").len(), 2);
    assert_eq!(answer["tests"][0]["way"][0]["to"], "teashop.Checkout");
    assert_eq!(answer["tests"][1]["way"][0]["to"], "teashop.Postage");

    let dot = succeed(&mut jury(&sample, &["impact", "graph", "--format", "dot"]));
    assert!(
        dot.stdout
            .contains("\"teashop.PostageTests\" -> \"teashop.Postage\";"),
        "{}",
        dot.stdout
    );
    run(&mut jury(&sample, &["impact", "--format", "dot"])).exits(2);
    run(&mut jury(&sample, &["impact", "--since", "no-such-branch"])).exits(2);
}

#[test]
fn a_closer_look_compares_methods_with_those_of_the_last_run() {
    let sample = demo();
    let changed = || {
        compile(&sample);
        let answer = impact(&sample, &["--methods"]);
        let changed = answer["methods"]["changed"].as_array().expect("a list");
        (changed.clone(), answer["notices"].to_string())
    };
    let test = || succeed(jury(&sample, &["test"]).args(BUILD));
    test();
    edit(&sample, "(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
    let (all, notices) = changed();
    assert!(all.len() > 1, "{all:?}");
    assert!(
        notices.contains("all methods of a changed type"),
        "{notices}"
    );

    // Somebody has asked for methods, so they are remembered.
    test();
    assert_eq!(changed().0, [""; 0]);
    edit(&sample, "(grams - 1) / 1000 + 1", "(grams + 999) / 1000");
    let (one, notices) = changed();
    assert_eq!(one, ["teashop.Postage.to(String, int)"]);
    assert!(!notices.contains("all methods"), "{notices}");
}

/// Money and postage are edited on two branches; on one of them, tests of money come to use postage.
#[test]
fn a_merge_shows_what_each_option_would_select() {
    const MONEY: &str = "src/main/java/teashop/Money.java";
    let sample = demo();
    let note = || {
        compile(&sample);
        succeed(&mut jury(&sample, &["history", "--note"]));
    };
    let commit = |message: &str| {
        git(&sample, &["add", "."]);
        git(&sample, &["commit", "-q", "-m", message]);
        note();
    };
    git(&sample, &["init", "-q", "-b", "main"]);
    run(&mut jury(&sample, &["history"])).exits(4);
    sample.write(".gitignore", "target\n.jury\n");
    commit("first");
    git(&sample, &["checkout", "-q", "-b", "side"]);
    edit(&sample, "(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
    run(&mut jury(&sample, &["history", "--note"])).exits(4);
    commit("postage");
    git(&sample, &["checkout", "-q", "main"]);
    let money = fs::read_to_string(sample.path().join(MONEY)).expect("a source file");
    let end = money.rfind('}').expect("a class");
    let calling = format!(
        "{} Object postage() {{ return Postage.class; }}\n}}",
        &money[..end]
    );
    sample.write(MONEY, &calling);
    commit("money");
    git(&sample, &["merge", "-q", "--no-edit", "side"]);
    note();

    let answer = run(&mut jury(&sample, &["history", "--format", "json"]));
    let answer = answer.exits(0).json();
    assert_eq!(answer["counts"]["commits"], 4);
    assert_eq!(answer["counts"]["automatic_merges"], 1);
    assert_eq!(answer["known_revisions"], 4);
    let merge = &answer["events"][0];
    let selected: Vec<_> = (merge["options"].as_array().expect("a list").iter())
        .map(|option| option["selected"].as_u64().expect("a number"))
        .collect();
    let [one, each, zero, evidence] = selected[..] else {
        panic!("{selected:?}")
    };
    assert!(
        evidence <= each && each <= one && zero < evidence,
        "{selected:?}"
    );
    let missed = merge["missed_by_s0"].to_string();
    assert!(missed.contains("teashop.MoneyTests"), "{missed}");
}

#[test]
fn a_constant_that_was_copied_leads_to_its_copies() {
    let sample = demo();
    let limit = |value: u32| {
        let class = format!("package teashop; interface Limit {{ int MOST = {value}; }}");
        sample.write("src/main/java/teashop/Limit.java", &class);
    };
    limit(7);
    let heir =
        "package teashop; class House implements Limit { static final int SOME = MOST - 1; }";
    sample.write("src/main/java/teashop/House.java", heir);
    let test = "package teashop; class LimitTests { @org.junit.jupiter.api.Test void holds() {
        org.junit.jupiter.api.Assertions.assertEquals(6, House.SOME); } }";
    sample.write("src/test/java/teashop/LimitTests.java", test);
    git(&sample, &["init", "-q"]);
    git(&sample, &["add", "."]);
    git(&sample, &["commit", "-q", "-m", "first"]);
    limit(9);
    compile(&sample);
    let answer = impact(&sample, &["--since", "HEAD"]);
    assert_eq!(names(&answer, "tests"), ["teashop.LimitTests"]);
}

/// Names of the test classes that ran.
fn ran(sample: &Sample, options: &[&str], exit: i32) -> Vec<String> {
    let mut all = vec!["test", "--static", "--format", "json"];
    all.extend(options);
    all.extend(BUILD);
    let answer = run(&mut jury(sample, &all)).exits(exit).json();
    let run = answer["selection"]["run"].as_array().expect("a list");
    run.iter()
        .map(|unit| unit["class"].as_str().expect("text").to_owned())
        .collect()
}

const BOTH: [&str; 2] = ["teashop.CheckoutTests", "teashop.PostageTests"];

#[test]
fn class_files_alone_can_leave_tests_out_since_a_revision() {
    let sample = demo();
    sample.write(".gitignore", "target\n");
    git(&sample, &["init", "-q"]);
    git(&sample, &["add", "."]);
    git(&sample, &["commit", "-q", "-m", "first"]);
    edit(&sample, "(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
    // The first run of all, in which nothing is known of any test.
    assert_eq!(ran(&sample, &["--since", "HEAD"], 0), BOTH);
    // What was left out without evidence has none.
    let mut plain = jury(&sample, &["test", "--format", "json"]);
    let answer = run(plain.args(BUILD)).exits(0).json();
    assert_eq!(answer["counts"]["passed"], 27);
    edit(&sample, "(grams - 1) / 1000 + 1", "(grams - 1) / 1000 + 2");
    assert_eq!(ran(&sample, &["--since", "HEAD"], 1), BOTH);
    assert_eq!(ran(&sample, &["--since", "HEAD"], 1), BOTH);

    sample.write("notes.txt", "new");
    assert_eq!(ran(&sample, &["--since", "HEAD"], 1).len(), 6);
    let unread = ["--since", "HEAD", "--unread", "notes.txt"];
    assert_eq!(ran(&sample, &unread, 1), BOTH);
    let missing = ["test", "--static", "--since", "no-such-branch"];
    run(&mut jury(&sample, &missing)).exits(2);
}

#[test]
fn class_files_alone_can_leave_out_what_has_passed() {
    let sample = demo();
    assert_eq!(ran(&sample, &[], 0).len(), 6);
    assert_eq!(ran(&sample, &[], 0), [""; 0]);
    edit(&sample, "(grams + 999) / 1000", "(grams - 1) / 1000 + 2");
    assert_eq!(ran(&sample, &[], 1), BOTH);
    assert_eq!(ran(&sample, &[], 1), BOTH, "a red test runs again");
    edit(&sample, "(grams - 1) / 1000 + 2", "(grams + 999) / 1000");
    assert_eq!(ran(&sample, &[], 0), [""; 0], "they have passed like this");
    sample.write("data.txt", "new");
    assert_eq!(ran(&sample, &[], 0).len(), 6, "who reads it is not known");
}
