//! Tests of JUnit 3, JUnit 4 and TestNG are left out whoever runs them, be it a mere `java`.

use std::fs;

use jury_testkit::{Jdk, Sample, run};
use serde_json::Value;

use crate::JURY;

const LIBRARIES: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies";

/// Compiles everything and leaves the libraries in `lib`.
fn compile(sample: &Sample) {
    let mut maven = sample.command("mvn", &Jdk::any());
    run(maven.args(["-q", "test-compile", LIBRARIES, "-DoutputDirectory=lib"])).exits(0);
}

/// Lets Jury run a main class with these words, and tells which units ran.
fn ran(sample: &Sample, options: &[&str], main: &[&str]) -> Vec<String> {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(["test", "--format", "json"]).args(options);
    command.args([
        "--",
        "java",
        "-cp",
        "target/classes:target/test-classes:lib/*",
    ]);
    units(&run(command.args(main)).exits(0).json())
}

fn units(answer: &Value) -> Vec<String> {
    let run = answer["selection"]["run"]
        .as_array()
        .expect("a list")
        .iter();
    run.map(|unit| {
        let class = unit["class"].as_str().expect("text");
        match unit["method"].as_str() {
            Some(method) => format!("{class}#{method}"),
            None => class.to_owned(),
        }
    })
    .collect()
}

fn edit(sample: &Sample, file: &str, from: &str, to: &str) {
    let path = sample.path().join(file);
    let text = fs::read_to_string(&path).expect("a source file");
    assert!(text.contains(from), "{from}");
    fs::write(&path, text.replace(from, to)).expect("a writable file");
}

#[test]
fn junit_4_leaves_out_classes_and_methods() {
    const CORE: [&str; 4] = [
        "org.junit.runner.JUnitCore",
        "harbour.BerthTest",
        "harbour.FittingTest",
        "harbour.ShiftSuiteTest",
    ];
    let sample = Sample::copy("junit4");
    compile(&sample);
    let first = ran(&sample, &[], &CORE);
    assert!(
        first.contains(&"harbour.FittingTest".to_owned()),
        "{first:?}"
    );

    let crane = "src/main/java/harbour/Crane.java";
    edit(
        &sample,
        crane,
        "lifted += containers",
        "lifted = lifted + containers",
    );
    compile(&sample);
    // An ignored class has a runner of its own, which only says so.
    let shifts = ["harbour.EarlyShift", "harbour.LateShift"];
    assert_eq!(ran(&sample, &[], &CORE), shifts);

    let by_method = ["--granularity", "method"];
    ran(&sample, &["--granularity", "method", "--all"], &CORE);
    let early = "src/test/java/harbour/EarlyShift.java";
    edit(&sample, early, "(1, crane.lift(1))", "(2, crane.lift(2))");
    compile(&sample);
    let methods = ran(&sample, &by_method, &CORE);
    assert_eq!(
        methods,
        ["harbour.EarlyShift#liftsOne", "harbour.LateShift"]
    );
}

#[test]
fn junit_3_leaves_out_tests() {
    const RUNNER: [&str; 2] = ["junit.textui.TestRunner", "calendar.YearTest"];
    let by_method = ["--granularity", "method"];
    let sample = Sample::copy("junit3");
    compile(&sample);
    assert_eq!(ran(&sample, &by_method, &RUNNER).len(), 3);
    edit(
        &sample,
        "src/test/java/calendar/YearTest.java",
        "new Year(1900)",
        "new Year(1800)",
    );
    compile(&sample);
    assert_eq!(
        ran(&sample, &by_method, &RUNNER),
        ["calendar.YearTest#testOtherCenturiesAreNot"]
    );
}

/// Writes a test class of TestNG.
fn write_test(sample: &Sample, name: &str, annotation: &str, body: &str) {
    let text = format!(
        "package weather;\npublic class {name} {{\n\
         \x20   @org.testng.annotations.Test({annotation}) public void test() {{ {body} }}\n}}\n"
    );
    sample.write(&format!("src/test/java/weather/{name}.java"), &text);
}

#[test]
fn testng_leaves_out_classes_but_never_all_of_them() {
    const TESTNG: [&str; 3] = [
        "org.testng.TestNG",
        "-testclass",
        "weather.GaugeTest,weather.RainTest",
    ];
    let sample = Sample::copy("testng");
    write_test(&sample, "GaugeTest", "", "new Station().sawFrost();");
    write_test(&sample, "RainTest", "", "new Celsius(3).freezes();");
    compile(&sample);
    assert_eq!(ran(&sample, &[], &TESTNG).len(), 2);
    let celsius = "src/main/java/weather/Celsius.java";
    edit(&sample, celsius, "degrees <= 0", "!(degrees > 0)");
    compile(&sample);
    assert_eq!(ran(&sample, &[], &TESTNG), ["weather.RainTest"]);
    // Its main class takes a run without tests for a failure.
    edit(&sample, celsius, "/** A temp", "/** One temp");
    compile(&sample);
    assert_eq!(ran(&sample, &[], &TESTNG), ["weather.GaugeTest"]);
}

#[test]
fn classes_that_testng_ties_to_one_another_run_together() {
    let maven = |sample: &Sample| {
        let mut command = sample.command(JURY, &Jdk::any());
        command.args(["test", "--format", "json", "--", "mvn", "-q", "test"]);
        units(&run(&mut command).exits(0).json())
    };
    for (annotation, together) in [("dependsOnGroups = \"gauge\"", 4), ("", 1)] {
        let sample = Sample::copy("testng");
        write_test(&sample, "GaugeTest", "groups = \"gauge\"", "");
        write_test(&sample, "RainTest", annotation, "");
        assert_eq!(maven(&sample).len(), 4);
        write_test(&sample, "RainTest", annotation, "new Celsius(3);");
        assert_eq!(maven(&sample).len(), together, "{annotation}");
    }
}
