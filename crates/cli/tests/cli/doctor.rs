//! `jury doctor`: says what is there, what is missing, and how to mend it.

use std::process::Command;

use jury_testkit::{Jdk, Sample, run};
use serde_json::Value;

use crate::JURY;

fn doctor(sample: &Sample) -> Command {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(["doctor", "--format", "json"]);
    command
}

fn checkup<'a>(answer: &'a Value, subject: &str) -> &'a Value {
    let checkups = answer["checkups"].as_array().expect("a list");
    let found = checkups.iter().find(|checkup| {
        let name = checkup["subject"].as_str().unwrap_or_default();
        name.starts_with(subject)
    });
    found.unwrap_or_else(|| panic!("no checkup of {subject}: {answer}"))
}

#[test]
fn a_healthy_set_up_has_nothing_bad() {
    let sample = Sample::copy("demo");
    let answer = run(&mut doctor(&sample)).exits(0).json();
    for subject in ["platform", "project", "agent", "jdk", "evidence"] {
        assert_eq!(checkup(&answer, subject)["health"], "good", "{subject}");
    }
    assert!(
        !sample.path().join(".jury").exists(),
        "a look at the set-up leaves no evidence behind"
    );
}

#[test]
fn a_missing_build_tool_is_bad_and_has_a_hint() {
    let sample = Sample::copy("demo");
    let answer = run(doctor(&sample).env("PATH", Jdk::any().home.join("bin")));
    let answer = answer.exits(4).json();
    let project = checkup(&answer, "project");
    assert_eq!(project["health"], "bad");
    let hint = project["hint"].as_str().unwrap_or_default();
    assert!(hint.starts_with("install Maven"), "{project}");
}

#[test]
fn a_wrong_java_home_is_named_and_the_build_tool_is_not_blamed() {
    let sample = Sample::copy("demo");
    let answer = run(doctor(&sample).env("JAVA_HOME", "/no/such/jdk"));
    let answer = answer.exits(4).json();
    let java_home = checkup(&answer, "JAVA_HOME");
    assert_eq!(java_home["health"], "bad");
    assert_eq!(
        java_home["finding"],
        "`JAVA_HOME` is `/no/such/jdk`, which does not exist"
    );
    let hint = java_home["hint"].as_str().unwrap_or_default();
    assert!(hint.starts_with("`export JAVA_HOME=/"), "{java_home}");
    let project = checkup(&answer, "project");
    assert_eq!(project["health"], "odd");
    assert_eq!(project["hint"], "mend `JAVA_HOME` first");
}

#[test]
fn a_cache_that_cannot_be_written_is_bad_and_has_a_hint() {
    let sample = Sample::copy("demo");
    let answer = run(doctor(&sample).env("JURY_CACHE_DIR", "/dev/null/cache"));
    let answer = answer.exits(4).json();
    let agent = checkup(&answer, "agent");
    assert_eq!(agent["health"], "bad");
    assert_eq!(
        agent["hint"],
        "set JURY_CACHE_DIR to a directory you can write to"
    );
}

#[test]
fn options_for_all_jvms_are_odd_but_not_bad() {
    let sample = Sample::copy("demo");
    let answer = run(doctor(&sample).env("JAVA_TOOL_OPTIONS", "-Xss2m"))
        .exits(0)
        .json();
    let options = checkup(&answer, "JAVA_TOOL_OPTIONS");
    assert_eq!(options["health"], "odd");
    assert_eq!(options["finding"], "set to `-Xss2m`");
}

#[test]
fn a_directory_without_a_project_is_odd_but_not_bad() {
    let sample = Sample::empty("nothing");
    let answer = run(&mut doctor(&sample)).exits(0).json();
    assert_eq!(checkup(&answer, "project")["health"], "odd");
}
