//! Changes that a selection might overlook: each of them has to run the tests that it can affect.

use std::fs;

use jury_testkit::{Jdk, Sample, run};
use serde_json::Value;

use crate::JURY;

fn test(sample: &Sample, goal: &str, exit: i32) -> Value {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(["test", "--format", "json", "--", "mvn", "-q", goal]);
    run(&mut command).exits(exit).json()
}

/// Names of the test classes that ran, without their packages.
fn ran(answer: &Value) -> Vec<&str> {
    let run = answer["selection"]["run"].as_array().expect("a list");
    run.iter()
        .map(|unit| unit["class"].as_str().expect("text"))
        .map(|class| class.rsplit('.').next().unwrap_or(class))
        .collect()
}

/// The modules `core` and `app` of a sample, beside their root instead of below it.
fn flat() -> Sample {
    let sample = Sample::copy("multi_module");
    for module in ["signs", "pier"] {
        sample.edit("pom.xml", &format!("<module>{module}</module>"), "");
    }
    for module in ["core", "app"] {
        fs::rename(sample.path().join(module), sample.beside(module)).expect("a directory");
        let (old, new) = (format!(">{module}<"), format!(">../{module}<"));
        sample.edit("pom.xml", &old, &new);
        let parent = "<relativePath>../multi_module/pom.xml</relativePath></parent>";
        sample.edit(&format!("../{module}/pom.xml"), "</parent>", parent);
    }
    sample
}

#[test]
fn modules_beside_the_root_are_looked_at() {
    let sample = flat();
    assert_eq!(ran(&test(&sample, "test", 0)).len(), 3);
    let settled = test(&sample, "test", 0);
    assert_eq!(settled["selection"]["build_started"], false, "{settled}");

    let fare = "../core/src/main/java/ferry/core/Fare.java";
    sample.edit(fare, "cents * 2 * 9 / 10", "cents * 2");
    assert_eq!(ran(&test(&sample, "test", 1)), ["ReturnTripTests"]);
    sample.edit(fare, "cents * 2", "cents * 2 * 9 / 10");
    assert_eq!(ran(&test(&sample, "test", 0)), [""; 0]);

    let property = "<properties><argLine>-Dflag=x</argLine></properties></project>";
    sample.edit("../app/pom.xml", "</project>", property);
    let launched = test(&sample, "test", 0);
    assert_eq!(ran(&launched), ["ReturnTripTests", "TicketOfficeTests"]);
}

const MOODY: &str = "
    package teashop;
    class MoodyTests {
        @org.junit.jupiter.api.Test void looks_at_what_nobody_sees() {
            org.junit.jupiter.api.Assertions.assertNull(System.getProperty(\"mood\"));
        }
    }";

#[test]
fn a_further_execution_of_known_tests_runs_them() {
    let sample = Sample::copy("demo");
    sample.write("src/test/java/teashop/MoodyTests.java", MOODY);
    test(&sample, "test", 0);
    let version = "<version>3.5.6</version>";
    let execution = "<executions><execution><id>again</id><goals><goal>test</goal></goals>
        <configuration><argLine>-Dmood=bad</argLine></configuration></execution></executions>";
    sample.edit("pom.xml", version, &format!("{version}{execution}"));
    let answer = test(&sample, "test", 1);
    assert!(ran(&answer).contains(&"MoodyTests"), "{answer}");
    assert_eq!(answer["counts"]["failed"], 1, "{answer}");
}

const READER: &str = "
    package teashop;
    class ReaderTests {
        @org.junit.jupiter.api.Test void reads() throws Exception {
            var text = java.nio.file.Files.readString(java.nio.file.Path.of(\"data.txt\"));
            org.junit.jupiter.api.Assertions.assertEquals(\"one\", text);
        }
    }";

#[test]
fn a_file_that_was_edited_while_the_build_ran_is_not_taken_as_tested() {
    let sample = Sample::copy("demo");
    sample.write("src/test/java/teashop/ReaderTests.java", READER);
    sample.write("data.txt", "one");
    sample.write("edit", "");
    let build = |exit: i32| {
        let mut command = sample.command(JURY, &Jdk::any());
        let script = "mvn -q test && if [ -e edit ]; then rm edit; printf two > data.txt; fi";
        command.args(["test", "--format", "json", "--", "sh", "-c", script]);
        run(&mut command).exits(exit).json()
    };
    assert_eq!(ran(&build(0)).len(), 7);
    assert_eq!(ran(&build(1)), ["ReaderTests"]);
    sample.write("data.txt", "one");
    assert_eq!(ran(&build(0)), ["ReaderTests"]);
    assert_eq!(build(0)["selection"]["build_started"], false);
}
