//! `jury replay`: what becomes of tests that take their JVM down, and what the answer looks like.

use std::process::Command;

use jury_testkit::{Case, Jdk, Ran, Sample, cases, jdks, run};
use serde_json::Value;

use crate::JURY;

fn jury(sample: &Sample, jdk: &Jdk, arguments: &[&str]) -> Command {
    let mut command = sample.command(JURY, jdk);
    command.args(arguments);
    command
}

#[test]
fn a_test_that_takes_its_jvm_down_is_named_and_the_others_go_on() {
    let case = &cases()["misbehaving"];
    for jdk in jdks() {
        let sample = Sample::copy("misbehaving");
        run(&mut jury(&sample, &jdk, &["test"])).exits(0);
        for mood in case.replay.keys() {
            check_tantrum(case, &sample, &jdk, mood);
        }
    }
}

fn check_tantrum(case: &Case, sample: &Sample, jdk: &Jdk, mood: &str) {
    let wanted = &case.replay[mood];
    let variable = format!("MISBEHAVE={mood}");
    let arguments = ["replay", "--env", &variable, "--test-timeout", "10"];
    let replayed = run(jury(sample, jdk, &arguments).args(["--format", "json"]));
    let total: usize = case.classes(jdk).values().map(|class| class.total()).sum();

    if wanted.outcome == "passed" {
        let replayed = replayed.exits(0).json();
        assert_eq!(replayed["counts"]["passed"], total, "{mood}");
        return;
    }
    let replayed = replayed.exits(1).json();
    let differences = replayed["differences"].as_array().expect("a list");
    let [difference] = &differences[..] else {
        panic!("{mood}: one test and no other is to blame: {differences:?}");
    };
    assert_eq!(difference["label"], wanted.test, "{mood}");
    assert_eq!(difference["replayed"], wanted.outcome, "{mood}");
    assert_eq!(replayed["counts"]["passed"], total - 1, "{mood}");
}

/// One build, and everything that can be asked about it.
#[test]
fn answers_about_a_watched_build() {
    let jdk = Jdk::any();
    let sample = Sample::copy("junit5");
    run(&mut jury(&sample, &jdk, &["test"])).exits(0);

    patterns_choose_tests(&sample, &jdk);
    json_is_the_same_each_time(&sample, &jdk);
    output_goes_to_a_file_and_people_keep_their_text(&sample, &jdk);
    colours_follow_the_environment(&sample, &jdk);
    rounds_reuse_the_workers(&sample, &jdk);
    a_jdk_that_is_gone_is_named(&sample, &jdk);
    clean_forgets(&sample, &jdk);
}

fn patterns_choose_tests(sample: &Sample, jdk: &Jdk) {
    let ran = run(&mut jury(
        sample,
        jdk,
        &["replay", "MoonTests", "--format", "json"],
    ))
    .exits(0);
    assert_eq!(ran.json()["counts"]["total"], 11);
    let ran = run(&mut jury(sample, jdk, &["replay", "NoSuchTests"])).exits(4);
    assert_eq!(
        ran.stderr,
        "error: no known test matches `NoSuchTests`\n  hint: `jury tests` lists what is known\n"
    );
}

fn json_is_the_same_each_time(sample: &Sample, jdk: &Jdk) {
    let ask = || run(&mut jury(sample, jdk, &["tests", "--format", "json"])).exits(0);
    let (first, second) = (ask(), ask());
    assert_eq!(first.stdout, second.stdout);
    assert_eq!(first.json()["schema_version"], 1);
    let replay = run(&mut jury(sample, jdk, &["replay", "--format", "json"])).exits(0);
    assert_eq!(
        keys(&replay),
        [
            "schema_version",
            "command",
            "exit_code",
            "counts",
            "rounds",
            "workers",
            "differences",
            "red",
            "notices",
            "wall_millis",
            "test_micros",
        ]
    );
}

fn keys(ran: &Ran) -> Vec<String> {
    let Value::Object(document) = ran.json() else {
        panic!("no object: {}", ran.stdout);
    };
    document.keys().cloned().collect()
}

fn output_goes_to_a_file_and_people_keep_their_text(sample: &Sample, jdk: &Jdk) {
    let file = sample.beside("tests.json");
    let name = file.to_str().expect("a plain path");
    let ran = run(&mut jury(
        sample,
        jdk,
        &["tests", "--format", "json", "--output", name],
    ));
    let ran = ran.exits(0);
    assert!(ran.stdout.contains("tides.MoonTests#"), "{}", ran.stdout);
    let written: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(written["command"], "tests");
}

fn colours_follow_the_environment(sample: &Sample, jdk: &Jdk) {
    let escape = '\u{1b}';
    let mut forced = jury(sample, jdk, &["tests"]);
    forced.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1");
    assert!(run(&mut forced).stdout.contains(escape));
    forced.env("NO_COLOR", "1");
    assert!(!run(&mut forced).stdout.contains(escape));
    let asked = run(&mut jury(sample, jdk, &["tests", "--color", "always"]));
    assert!(
        asked.stdout.contains(escape),
        "a flag beats the environment"
    );
}

fn rounds_reuse_the_workers(sample: &Sample, jdk: &Jdk) {
    let arguments = ["replay", "--repeat", "3", "-j", "1", "--format", "json"];
    let replayed = run(&mut jury(sample, jdk, &arguments)).exits(0).json();
    assert_eq!(
        (&replayed["rounds"], &replayed["workers"]),
        (&3.into(), &1.into())
    );
}

fn a_jdk_that_is_gone_is_named(sample: &Sample, jdk: &Jdk) {
    let file = sample.path().join(".jury/evidence.db");
    let database = rusqlite::Connection::open(file).unwrap();
    let (old, new) = (jdk.home.canonicalize().unwrap(), "/nowhere/jdk");
    let change = "UPDATE recipes SET content = replace(content, ?1, ?2)";
    let old = old.to_str().expect("a plain path");
    assert_eq!(database.execute(change, [old, new]), Ok(1));
    let ran = run(&mut jury(sample, jdk, &["replay"])).exits(4);
    assert_eq!(
        ran.stderr,
        "error: the JDK in `/nowhere/jdk` is gone\n  \
         hint: run `jury test` with the JDK you use now\n"
    );
}

fn clean_forgets(sample: &Sample, jdk: &Jdk) {
    run(&mut jury(sample, jdk, &["clean"])).exits(0);
    assert!(!sample.path().join(".jury").exists());
    let ran = run(&mut jury(sample, jdk, &["replay"])).exits(4);
    assert_eq!(
        ran.stderr,
        "error: no tests are known yet\n  hint: run `jury test` first\n"
    );
    let ran = run(&mut jury(sample, jdk, &["clean"])).exits(0);
    assert!(ran.stderr.contains("nothing was stored"), "{}", ran.stderr);
}
