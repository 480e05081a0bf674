//! Tests of JUnit 3, JUnit 4 and TestNG are left out whoever runs them, be it a mere `java`.

use jury_testkit::{Jdk, Sample, provide, run, succeed};
use serde_json::Value;

use crate::JURY;
use crate::script_build::{compile, compiled};

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

const CORE: [&str; 6] = [
    "org.junit.runner.JUnitCore",
    "harbour.BerthTest",
    "harbour.EarlyShift",
    "harbour.FittingTest",
    "harbour.TideTest",
    "harbour.ShiftSuiteTest",
];

/// The sample with a test of JUnit 3 beside the others.
fn harbour() -> Sample {
    let sample = compiled("junit4");
    sample.write(
        "src/test/java/harbour/TideTest.java",
        "package harbour;\npublic class TideTest extends junit.framework.TestCase {\n\
         \x20   public void testRises() { assertEquals(3, new Crane().lift(3)); }\n}\n",
    );
    compile(&sample);
    sample
}

#[test]
fn junit_4_leaves_out_classes_and_methods() {
    let sample = harbour();
    assert_eq!(ran(&sample, &[], &CORE).len(), 5);
    let berth = "src/main/java/harbour/Berth.java";
    sample.edit(
        berth,
        "return ship;",
        "return this.ship == null ? null : ship;",
    );
    compile(&sample);
    // What is in a suite runs, since nobody knows whether it ran in this one before.
    let affected = ["BerthTest", "EarlyShift", "LateShift"].map(|name| format!("harbour.{name}"));
    assert_eq!(ran(&sample, &[], &CORE), affected);

    let (alone, by_method) = (&CORE[..3], ["--granularity", "method"]);
    ran(&sample, &["--granularity", "method", "--all"], alone);
    let early = "src/test/java/harbour/EarlyShift.java";
    sample.edit(early, "(1, crane.lift(1))", "(2, crane.lift(2))");
    compile(&sample);
    let methods = ran(&sample, &by_method, alone);
    assert_eq!(methods, ["harbour.EarlyShift#liftsOne"]);
}

const PIER: &str = "package harbour;
    public class Pier {
        public static int rule() { return 1; }
        public static int length() { return 1; }
    }";

const OWN_RUNNER: &str = "
    public static class Own extends org.junit.runners.BlockJUnit4ClassRunner {
        public Own(Class<?> type) throws org.junit.runners.model.InitializationError {
            super(type);
        }
    }";

const RULE: &str = "
    @ClassRule public static TestRule rule() {
        return (base, description) -> { Pier.rule(); return base; };
    }";

/// Test classes of JUnit 4 whose first test goes to the pier. That with the rule is not the first: what runs
/// before the first test of a JVM counts for all.
const PIER_TESTS: [(&str, &str, &str); 3] = [
    (
        "OwnRunnerTest",
        "@RunWith(OwnRunnerTest.Own.class)",
        OWN_RUNNER,
    ),
    ("RuledTest", "", RULE),
    (
        "SortedTest",
        "@FixMethodOrder(org.junit.runners.MethodSorters.NAME_ASCENDING)",
        "",
    ),
];

#[test]
fn what_joins_methods_in_junit_4_makes_all_of_them_run() {
    let sample = compiled("junit4");
    sample.write("src/main/java/harbour/Pier.java", PIER);
    for (class, annotation, members) in PIER_TESTS {
        let text = format!(
            "package harbour; import org.junit.*; import org.junit.rules.*; import org.junit.runner.*;
            {annotation} public class {class} {{
                {members}
                @Test public void first() {{ Pier.length(); }}
                @Test public void second() {{ }}
            }}"
        );
        sample.write(&format!("src/test/java/harbour/{class}.java"), &text);
    }
    compile(&sample);
    let mut core = vec!["org.junit.runner.JUnitCore"];
    let classes = PIER_TESTS.map(|(class, ..)| format!("harbour.{class}"));
    core.extend(classes.iter().map(String::as_str));
    let by_method = ["--granularity", "method"];
    ran(&sample, &by_method, &core);

    let mut why = sample.command(JURY, &Jdk::any());
    why.args(["why", "--format", "json"]).args(by_method);
    let why = run(&mut why).exits(0).json();
    let units = why["units"].as_array().expect("a list").iter();
    let told: Vec<String> = units
        .map(|unit| {
            let text = |field: &str| unit[field].as_str().unwrap_or_default().to_owned();
            [text("class"), text("method"), text("tangle")].join("|")
        })
        .collect();
    assert_eq!(
        told,
        [
            "harbour.OwnRunnerTest||its runner is `harbour.OwnRunnerTest$Own`",
            "harbour.RuledTest|first|",
            "harbour.RuledTest|second|",
            "harbour.SortedTest||`@FixMethodOrder` puts its tests in order",
        ]
    );
    let edit = |method: &str| {
        let (from, to) = (
            format!("{method}() {{ return 1"),
            format!("{method}() {{ return 2"),
        );
        sample.edit("src/main/java/harbour/Pier.java", &from, &to);
        compile(&sample);
        ran(&sample, &by_method, &core)
    };
    let of_rule = edit("rule");
    // Where a class begins is seen late in a mere `java`, so the class before may be asked to run, too.
    let ruled = ["harbour.RuledTest#first", "harbour.RuledTest#second"];
    assert_eq!(of_rule[of_rule.len() - 2..], ruled, "{of_rule:?}");
    let of_first = [
        "harbour.OwnRunnerTest",
        "harbour.RuledTest#first",
        "harbour.SortedTest",
    ];
    assert_eq!(edit("length"), of_first);
}

#[test]
fn a_new_suite_runs_what_it_holds() {
    let sample = harbour();
    let suite = |names: &str| {
        let text = format!(
            "package harbour;\n@org.junit.runner.RunWith(org.junit.runners.Suite.class)\n\
             @org.junit.runners.Suite.SuiteClasses({{ {names} }})\npublic class NewSuiteTest {{}}\n"
        );
        sample.write("src/test/java/harbour/NewSuiteTest.java", &text);
        compile(&sample);
    };
    let (core, mut with_suite) = (&CORE[..2], CORE[..2].to_vec());
    assert_eq!(ran(&sample, &[], core), ["harbour.BerthTest"]);
    with_suite.push("harbour.NewSuiteTest");
    suite("BerthTest.class");
    // What the user does not want does not run even there.
    let exclude = ["--exclude", "BerthTest"];
    assert_eq!(ran(&sample, &exclude, &with_suite), [""; 0]);
    assert_eq!(ran(&sample, &[], &with_suite), ["harbour.BerthTest"]);
}

/// Lets Jury run Maven, and tells which units ran.
fn maven(sample: &Sample) -> Vec<String> {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(["test", "--format", "json", "--", "mvn", "-q", "test"]);
    units(&run(&mut command).exits(0).json())
}

#[test]
fn a_new_suite_on_the_platform_does_so_once() {
    let sample = Sample::copy("junit5_vintage_mixed");
    assert_eq!(maven(&sample).len(), 3);
    sample.write(
        "src/test/java/bakery/NewSuiteTest.java",
        "package bakery;\n@org.junit.runner.RunWith(org.junit.runners.Suite.class)\n\
         @org.junit.runners.Suite.SuiteClasses(OldOvenTest.class)\npublic class NewSuiteTest {}\n",
    );
    assert_eq!(maven(&sample), ["bakery.OldOvenTest"]);
    sample.edit(
        "src/test/java/bakery/OvenTests.java",
        "class OvenTests",
        "final class OvenTests",
    );
    assert_eq!(maven(&sample), ["bakery.OvenTests"]);
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
    let sample = compiled("testng");
    write_test(&sample, "GaugeTest", "", "new Station().sawFrost();");
    write_test(&sample, "RainTest", "", "new Celsius(3).freezes();");
    compile(&sample);
    assert_eq!(ran(&sample, &[], &TESTNG).len(), 2);
    let celsius = "src/main/java/weather/Celsius.java";
    sample.edit(celsius, "degrees <= 0", "!(degrees > 0)");
    compile(&sample);
    assert_eq!(ran(&sample, &[], &TESTNG), ["weather.RainTest"]);
    // Its main class takes a run without tests for a failure.
    sample.edit(celsius, "/** A temp", "/** One temp");
    compile(&sample);
    assert_eq!(ran(&sample, &[], &TESTNG), ["weather.GaugeTest"]);
}

#[test]
fn classes_that_testng_ties_to_one_another_run_together() {
    for (annotation, together) in [("dependsOnGroups = \"gauge\"", 4), ("", 1)] {
        let sample = Sample::copy("testng");
        write_test(&sample, "GaugeTest", "groups = \"gauge\"", "");
        write_test(&sample, "RainTest", annotation, "");
        assert_eq!(maven(&sample).len(), 4);
        write_test(&sample, "RainTest", annotation, "new Celsius(3);");
        assert_eq!(maven(&sample).len(), together, "{annotation}");
    }
}

#[test]
fn both_tasks_of_ant_leave_out_what_an_edit_cannot_affect() {
    provide("ant", &["ant", "ant-optional"]);
    let sample = Sample::copy("ant");
    let mut fetch = sample.command("mvn", &Jdk::any());
    succeed(
        fetch
            .args(["-B", "-q", "-f", "libraries.xml"])
            .arg("dependency:copy-dependencies"),
    );
    let ant = || {
        let mut command = sample.command(JURY, &Jdk::any());
        command.args(["test", "--format", "json", "--", "ant", "test"]);
        units(&run(&mut command).exits(0).json())
    };
    assert_eq!(ant(), ["brewery.BeerTests", "brewery.MildBeerTest"]);
    sample.edit(
        "src/test/java/brewery/MildBeerTest.java",
        "150, 1",
        "150, 2",
    );
    assert_eq!(ant(), ["brewery.MildBeerTest"]);
    sample.edit("src/test/java/brewery/BeerTests.java", "200, 10", "300, 10");
    assert_eq!(ant(), ["brewery.BeerTests"]);
}
