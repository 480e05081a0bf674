//! What a second `jury mutate` does not have to do again: after no change, after an edit, for a
//! part of the mutants, and with what other machines have learnt.

use std::fs;
use std::process::Command;

use jury_testkit::{Jdk, Sample, run, succeed};
use serde_json::Value;

use crate::script_build::{BUILD, demo, watched_demo};
use crate::{JURY, watched};

const POSTAGE: &str = "src/main/java/teashop/Postage.java";

fn jury(sample: &Sample, arguments: &[&str]) -> Command {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(arguments);
    command
}

fn mutate(sample: &Sample, arguments: &[&str], exit: i32) -> Value {
    let mut all = vec!["mutate", "--format", "json"];
    all.extend(arguments);
    run(&mut jury(sample, &all)).exits(exit).json()
}

fn effort(answer: &Value, what: &str) -> u64 {
    answer["effort"][what].as_u64().expect("a number")
}

/// Every mutant with its verdict.
fn verdicts(answer: &Value) -> Vec<(String, String)> {
    let methods = answer["methods"].as_array().expect("a list");
    let mutants = methods
        .iter()
        .flat_map(|method| method["mutants"].as_array().expect("a list"));
    mutants
        .map(|mutant| {
            let text = |field: &str| mutant[field].as_str().expect("text").to_owned();
            (text("id"), text("verdict"))
        })
        .collect()
}

fn git(sample: &Sample, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.current_dir(sample.path()).args(arguments);
    for (name, value) in [
        ("GIT_AUTHOR_NAME", "T"),
        ("GIT_AUTHOR_EMAIL", "t@example.org"),
        ("GIT_COMMITTER_NAME", "T"),
        ("GIT_COMMITTER_EMAIL", "t@example.org"),
    ] {
        git.env(name, value);
    }
    succeed(&mut git);
}

#[test]
fn only_what_an_edit_can_have_affected_is_tried_again() {
    let sample = watched_demo();
    let first = mutate(&sample, &[], 1);
    assert_eq!(effort(&first, "mutants_remembered"), 0);

    let same = mutate(&sample, &[], 1);
    assert_eq!(effort(&same, "mutants_tried"), 0);
    assert_eq!(verdicts(&same), verdicts(&first));

    sample.edit(POSTAGE, "(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
    succeed(jury(&sample, &["test"]).args(BUILD));
    let edited = mutate(&sample, &[], 1);
    let tried = effort(&edited, "mutants_tried");
    assert!(
        tried > 0 && tried < effort(&first, "mutants_tried"),
        "{tried}"
    );
    assert_eq!(verdicts(&edited), verdicts(&first));

    let fresh = mutate(&sample, &["--fresh"], 1);
    assert_eq!(effort(&fresh, "mutants_remembered"), 0);
    assert_eq!(verdicts(&fresh), verdicts(&first));
}

#[test]
fn a_file_that_a_test_opens_by_its_path_counts_wherever_it_lies() {
    let sample = Sample::copy("demo");
    let write = |file: &str, text: &str| {
        fs::write(sample.path().join(file), text).expect("a writable file");
    };
    write(
        "src/main/java/teashop/Scale.java",
        "package teashop;\nclass Scale {\n  static int weigh(String a) { return a.trim().length(); }\n}",
    );
    write(
        "src/test/java/teashop/ScaleTests.java",
        "package teashop;\nimport java.nio.file.*;\nimport org.junit.jupiter.api.*;\n\
         class ScaleTests {\n  @Test void weighs() throws Exception {\n    \
         String word = new String(Files.readAllBytes(Paths.get(\"words.txt\")));\n    \
         Assertions.assertEquals(word.indexOf(';'), Scale.weigh(word.split(\";\")[0]));\n  }\n}",
    );
    write("words.txt", "a;");
    succeed(&mut jury(&sample, &["test", "--", "mvn", "-q", "test"]));
    // Who returns 1 is right by chance.
    let first = mutate(&sample, &["Scale"], 1);
    assert_eq!(effort(&first, "mutants_tried"), 2);
    assert_eq!(effort(&mutate(&sample, &["Scale"], 1), "mutants_tried"), 0);
    write("words.txt", "abc;");
    let edited = mutate(&sample, &["Scale"], 0);
    assert_eq!(effort(&edited, "mutants_tried"), 2);
}

#[test]
fn a_difference_is_tried_alone() {
    let sample = demo();
    git(&sample, &["init", "-q"]);
    git(&sample, &["add", "."]);
    git(&sample, &["commit", "-q", "-m", "first"]);
    sample.edit(POSTAGE, "(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
    succeed(jury(&sample, &["test"]).args(BUILD));
    let answer = mutate(&sample, &["--diff", "HEAD"], 0);
    let ids: Vec<String> = verdicts(&answer).into_iter().map(|(id, _)| id).collect();
    assert_eq!(
        ids,
        ["teashop/Postage#to(Ljava/lang/String;I)Lteashop/Money;#null"]
    );

    let unknown = run(&mut jury(&sample, &["mutate", "--diff", "no-such-branch"])).exits(2);
    assert!(
        unknown.stderr.contains("no-such-branch"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn shards_together_are_the_whole() {
    let sample = watched("demo");
    let evidence = sample.path().join(".jury");
    let shards = ["1/2", "2/2"].map(|shard| {
        let own = sample.beside(&shard.replace('/', "-of-"));
        copy(&evidence, &own);
        let state = own.to_str().expect("a plain path").to_owned();
        let part = mutate(&sample, &["--state-dir", &state, "--shard", shard], 0);
        (state, effort(&part, "mutants_tried"))
    });
    let [(one, tried_one), (two, tried_two)] = &shards;
    assert!(*tried_one > 0 && *tried_two > 0);

    let merged = mutate(&sample, &["--merge", one, two], 1);
    assert_eq!(effort(&merged, "mutants_tried"), 0);
    assert_eq!(effort(&merged, "mutants_remembered"), tried_one + tried_two);
    let whole = mutate(&sample, &["--fresh"], 1);
    assert_eq!(verdicts(&merged), verdicts(&whole));

    fs::write(sample.beside("1-of-2").join("evidence.db"), "no database").expect("a file");
    let refused = run(&mut jury(&sample, &["mutate", "--merge", one])).exits(4);
    assert!(
        refused.stderr.contains("is damaged or not Jury's"),
        "{}",
        refused.stderr
    );
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        if entry.file_type().expect("a type").is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
        }
    }
}
