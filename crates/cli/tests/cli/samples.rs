//! Every sample through the real binary: `jury test` sees what `samples/expected.toml` says, and
//! `jury replay` gives each test the outcome that the build gave it.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use jury_testkit::{
    Build, Case, ClassOutcomes, Jdk, Sample, announce, cases, is_installed, jdks, provide, run,
    succeed,
};
use serde_json::Value;

use crate::JURY;

/// One test for each case, so that a failure names its sample.
macro_rules! cases {
    ($($name:ident)*) => {
        const TESTED: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*
    };
}

cases! {
    ant
    class_loaders
    console
    demo
    does_not_compile
    fork_count_zero
    forked_per_class
    gradle_junit4
    hostile
    junit3
    junit4
    junit5
    junit5_vintage_mixed
    junit6
    misbehaving
    modular
    multi_module
    multi_module_verify
    no_tests
    old_class_files
    parallel_tests
    red
    testng
    versioned_set
    virtual_threads
    weak_oracles
    with_byte_buddy
    with_jacoco
    with_mockito_inline
}

#[test]
fn every_case_of_the_model_is_tested() {
    let cases = cases();
    // Flaky tests do not end alike in a build and in a replay; `flaky` has those.
    let tried = cases
        .iter()
        .filter(|(_, case)| !case.untried && case.flaky.is_empty());
    let tried: BTreeSet<&str> = tried.map(|(name, _)| name.as_str()).collect();
    assert_eq!(tried, TESTED.iter().copied().collect());
}

fn check(name: &str) {
    let case = &cases()[name];
    for jdk in jdks() {
        if !case.runs_on(&jdk) {
            let version = jdk.feature;
            announce(&format!(
                "sample {name} on JDK {version}, which its tool refuses"
            ));
        } else if case.command[0] == "gradle" && !is_installed("gradle") {
            announce(&format!("sample {name}, because there is no Gradle"));
        } else {
            check_with(name, case, &jdk);
        }
    }
}

fn check_with(name: &str, case: &Case, jdk: &Jdk) {
    if case.command[0] == "ant" {
        provide("ant", &["ant", "ant-optional"]);
    }
    let sample = Sample::copy(case.directory(name));
    if let [program, arguments @ ..] = &case.prepare[..] {
        succeed(sample.command(program, jdk).args(arguments));
    }

    let watched = run(jury(&sample, jdk, &["test"]).args(test_command(case)));
    let watched = watched.exits(exit_of_test(case));
    assert!(
        !watched.stderr.contains("Picked up"),
        "the JVM's notice shows: {}",
        watched.stderr
    );
    let classes = case.classes(jdk);
    let seen = case.build != Build::Broken && !case.unwatchable && !classes.is_empty();
    if !seen {
        let notices = watched.json()["notices"].to_string();
        assert!(
            notices.contains("hint"),
            "nothing explains itself: {notices}"
        );
        run(&mut jury(&sample, jdk, &["tests"])).exits(4);
        return;
    }
    assert_containers_failed(&watched.json(), classes);

    let known = run(&mut jury(&sample, jdk, &["tests"])).exits(0).json();
    assert_eq!(outcomes_by_class(&known), reported(classes), "{name}");

    let replayed = run(&mut jury(&sample, jdk, &["replay"]));
    let replayed = replayed.exits(i32::from(case.build == Build::Red)).json();
    assert_eq!(replayed["differences"], Value::Array(Vec::new()), "{name}");
    let total: usize = classes.values().map(ClassOutcomes::total).sum();
    assert_eq!(replayed["counts"]["total"], total, "{name}");

    if case.build == Build::Red {
        // There is no verdict on tests that are not green.
        run(&mut jury(&sample, jdk, &["mutate"])).exits(3);
    }
}

fn jury(sample: &Sample, jdk: &Jdk, arguments: &[&str]) -> Command {
    let mut command = sample.command(JURY, jdk);
    command.args(arguments).args(["--format", "json"]);
    command
}

/// Maven's usual command is left for Jury to find; any other is given.
fn test_command(case: &Case) -> Vec<&str> {
    let words: Vec<&str> = case.command.iter().map(String::as_str).collect();
    match words[..] {
        ["mvn", "-B", "test"] => Vec::new(),
        _ => ["--"].into_iter().chain(words).collect(),
    }
}

fn exit_of_test(case: &Case) -> i32 {
    match case.build {
        Build::Broken => 4,
        _ if case.unwatchable => 4,
        Build::Red => 1,
        Build::Green => 0,
    }
}

/// What `jury tests` can know of a class: no more than its framework reports.
fn reported(classes: &BTreeMap<String, ClassOutcomes>) -> BTreeMap<String, ClassOutcomes> {
    let with_tests = classes.iter().filter(|(_, class)| class.total() > 0);
    let reported = with_tests.map(|(name, class)| {
        let mut class = class.clone();
        class.unreported = 0;
        (name.clone(), class)
    });
    reported.collect()
}

fn outcomes_by_class(known: &Value) -> BTreeMap<String, ClassOutcomes> {
    let mut classes: BTreeMap<String, ClassOutcomes> = BTreeMap::new();
    for test in known["tests"].as_array().expect("a list of tests") {
        let name = test["class"].as_str().expect("a class");
        let class = classes.entry(name.to_owned()).or_default();
        match test["outcome"].as_str() {
            Some("passed") => class.passed += 1,
            Some("skipped") => class.skipped += 1,
            Some("aborted") => class.aborted += 1,
            Some("failed") => class.failed += 1,
            other => panic!("{name} has a test that ended as {other:?}"),
        }
    }
    classes
}

fn assert_containers_failed(watched: &Value, classes: &BTreeMap<String, ClassOutcomes>) {
    let failed = classes
        .iter()
        .filter(|(_, class)| class.container.is_some());
    for (name, _) in failed {
        let red = watched["red"].as_array().expect("a list of red tests");
        let found = red.iter().any(|test| test["label"] == name.as_str());
        assert!(found, "{name} is not among the red: {red:?}");
    }
}
