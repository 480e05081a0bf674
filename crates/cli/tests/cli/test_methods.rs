//! `jury test --granularity method`: single test methods where they can be told apart, through a
//! real build.

use std::collections::BTreeMap;
use std::fs;

use jury_testkit::{Jdk, Sample, run};
use serde_json::Value;

use crate::JURY;
use crate::script_build::{BUILD, demo};

const MONEY: &str = "src/main/java/teashop/Money.java";
const MONEY_TESTS: &str = "src/test/java/teashop/MoneyTests.java";

fn jury(sample: &Sample, words: &[&str], exit: i32) -> Value {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(words).args(["--format", "json"]);
    if words[0] != "why" {
        command.args(BUILD);
    }
    run(&mut command).exits(exit).json()
}

fn by_method(sample: &Sample, exit: i32) -> Value {
    jury(sample, &["test", "--granularity", "method"], exit)
}

fn name(unit: &Value) -> String {
    let class = unit["class"]
        .as_str()
        .expect("text")
        .replace("teashop.", "");
    match unit["method"].as_str() {
        Some(method) => format!("{class}#{method}"),
        None => class,
    }
}

fn ran(answer: &Value) -> Vec<String> {
    let run = answer["selection"]["run"].as_array().expect("a list");
    run.iter().map(name).collect()
}

fn left_out_tests(answer: &Value) -> u64 {
    let total = &answer["selection"]["left_out_tests"]["total"];
    total.as_u64().expect("a number")
}

#[test]
fn only_methods_that_a_change_can_affect_run_and_the_others_stay_known() {
    let sample = demo();
    by_method(&sample, 0);
    assert_eq!(by_method(&sample, 0)["selection"]["build_started"], false);

    sample.edit(MONEY, "cents * percent / 100", "percent * cents / 100");
    let edited = by_method(&sample, 0);
    assert!(
        ran(&edited).contains(&"MoneyTests#takesShares".to_owned()),
        "{:?}",
        ran(&edited)
    );
    assert!(
        !ran(&edited).contains(&"MoneyTests#adds".to_owned()),
        "{:?}",
        ran(&edited)
    );
    let count = edited["counts"]["total"].as_u64().expect("a number");
    assert_eq!(left_out_tests(&edited), 34 - count);
    assert!(edited["selection"]["left_out_methods"].as_u64() > Some(0));
    assert_eq!(by_method(&sample, 0)["selection"]["build_started"], false);

    // One invocation that fails makes its method red, until it is green again.
    sample.edit(MONEY_TESTS, "\"12, 1200\"", "\"12, 1201\"");
    let red = by_method(&sample, 1);
    assert_eq!(red["counts"]["total"], 9, "annotations are declarations");
    let again = by_method(&sample, 1);
    assert_eq!(ran(&again), ["MoneyTests#parses"]);
    assert_eq!(
        (again["counts"]["total"].clone(), left_out_tests(&again)),
        (3.into(), 31)
    );
    let why = jury(
        &sample,
        &["why", "--granularity", "method", "MoneyTests#pars"],
        0,
    );
    assert_eq!(why["units"][0]["reasons"][0], "failed last time");

    // Known by methods, it is run as a class, and the reverse.
    let class = jury(&sample, &["test"], 1);
    assert_eq!(ran(&class), ["MoneyTests"]);
    sample.edit(MONEY_TESTS, "\"12, 1201\"", "\"12, 1200\"");
    assert_eq!(by_method(&sample, 0)["counts"]["failed"], 0);
    let audit = jury(&sample, &["audit", "--granularity", "method"], 0);
    assert_eq!(audit["selection"]["audited_classes"], 6);
    assert_eq!(audit["counts"]["total"], 34);
}

#[test]
fn a_method_that_is_gone_is_forgotten_and_a_new_one_runs() {
    let sample = demo();
    by_method(&sample, 0);
    sample.edit(MONEY_TESTS, "void adds()", "void addsUp()");
    let renamed = by_method(&sample, 0);
    assert!(ran(&renamed).contains(&"MoneyTests#addsUp".to_owned()));
    let settled = by_method(&sample, 0);
    assert_eq!(settled["selection"]["build_started"], false);
    assert_eq!(left_out_tests(&settled), 34);
}

fn write_test(sample: &Sample, class: &str, members: &str) {
    let text = format!(
        "package teashop; import org.junit.jupiter.api.Test; class {class} {{ {members} }}"
    );
    sample.write(&format!("src/test/java/teashop/{class}.java"), &text);
}

#[test]
fn a_jvm_that_dies_leaves_no_method_that_looks_clean() {
    let sample = demo();
    by_method(&sample, 0);
    let dies = "@Test void a() { } @Test void b() { Runtime.getRuntime().halt(3); }";
    write_test(&sample, "DyingTests", dies);
    by_method(&sample, 1);
    let why = jury(
        &sample,
        &["why", "--granularity", "method", "DyingTests"],
        0,
    );
    let units = why["units"].as_array().expect("a list");
    assert!(!units.is_empty());
    assert!(units.iter().all(|unit| unit["would_run"] == true), "{why}");
}

#[test]
fn the_red_test_runs_first_and_may_stop_the_build() {
    // Only Maven is told an order of test classes.
    let sample = Sample::copy("demo");
    let by_maven = |options: &[&str]| {
        let mut command = sample.command(JURY, &Jdk::any());
        command.args(["test", "--format", "json"]).args(options);
        run(command.args(["--", "mvn", "-q", "test"]))
            .exits(1)
            .json()
    };
    sample.edit(MONEY_TESTS, "assertEquals(33,", "assertEquals(34,");
    by_maven(&[]);
    // Its turn comes only if the build is not stopped before.
    let waits = "@Test void waits() throws Exception { new java.util.concurrent.CountDownLatch(1).await(2, java.util.concurrent.TimeUnit.MINUTES); }";
    write_test(&sample, "AlphaTests", waits);
    let stopped = by_maven(&["--fail-fast"]);
    assert_eq!(ran(&stopped), ["MoneyTests"]);
    assert_eq!(stopped["counts"]["failed"], 1);
}

#[test]
fn what_is_selected_may_be_left_to_jury() {
    let sample = demo();
    jury(&sample, &["test", "--granularity", "auto"], 0);
    sample.edit(MONEY, "cents * percent / 100", "percent * cents / 100");
    let edited = jury(&sample, &["test", "--granularity", "auto"], 0);
    let chosen = &edited["selection"]["chosen"];
    let micros = |which: &str| chosen[which].as_u64().expect("a number");
    assert!(
        micros("chosen_micros") <= micros("class_micros"),
        "{chosen}"
    );
    let count = edited["counts"]["total"].as_u64().expect("a number");
    assert_eq!(left_out_tests(&edited), 34 - count);
}

const STEAM: &str = "
    package teashop;
    public class Steam {
        public static int start() { return 1; }
        public static int extend() { return 1; }
        public static int boil() { return 1; }
    }";

const STEAM_TESTS: &str = "
    package teashop;
    import org.junit.jupiter.api.*;
    import org.junit.jupiter.api.extension.*;
    @ExtendWith(SteamTests.Valve.class)
    class SteamTests {
        static class Valve implements BeforeAllCallback {
            public void beforeAll(ExtensionContext context) { Steam.extend(); }
        }
        @BeforeAll static void starts() { Steam.start(); }
        @Test void boils() { Steam.boil(); }
        @Test void rests() { }
    }";

#[test]
fn what_is_done_once_for_a_class_counts_for_each_of_its_methods() {
    let sample = demo();
    let steam = "src/main/java/teashop/Steam.java";
    sample.write(steam, STEAM);
    sample.write("src/test/java/teashop/SteamTests.java", STEAM_TESTS);
    by_method(&sample, 0);
    let (both, one) = (
        ["SteamTests#boils", "SteamTests#rests"].as_slice(),
        ["SteamTests#boils"].as_slice(),
    );
    for (method, affected) in [("start", both), ("extend", both), ("boil", one)] {
        let (from, to) = (
            format!("{method}() {{ return 1;"),
            format!("{method}() {{ return 2;"),
        );
        sample.edit(steam, &from, &to);
        assert_eq!(ran(&by_method(&sample, 0)), affected, "{method}");
    }
}

const TWO_TESTS: &str = "@Test void one() { } @Test void two() { }";

/// Test classes with why they stay one unit; empty if they do not.
fn tangled() -> Vec<(&'static str, String, &'static str)> {
    let class = |annotation: &str, name: &str, members: &str| {
        format!("{annotation} class {name} {{ {members} }}")
    };
    vec![
        (
            "PlainTests",
            class("", "PlainTests", &format!("static int n = 1; {TWO_TESTS} @Nested class Inner {{ @Test void three() {{ }} }}")),
            "",
        ),
        (
            "OneInstanceTests",
            class("@TestInstance(TestInstance.Lifecycle.PER_CLASS)", "OneInstanceTests", TWO_TESTS),
            "its tests share an instance of the class",
        ),
        (
            "OrderedTests",
            class("@TestMethodOrder(MethodOrderer.MethodName.class)", "OrderedTests", TWO_TESTS),
            "`@TestMethodOrder` puts its tests in order",
        ),
        (
            "ComposedTests",
            class("@InOrder", "ComposedTests", TWO_TESTS)
                + "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
                   @TestMethodOrder(MethodOrderer.MethodName.class) @interface InOrder { }",
            "`@TestMethodOrder` puts its tests in order",
        ),
        (
            "FactoryTests",
            class("", "FactoryTests", "@Test void one() { } @TestFactory DynamicTest two() { return DynamicTest.dynamicTest(\"x\", () -> { }); }"),
            "some of its tests are no methods",
        ),
        (
            "StaticTests",
            class("", "StaticTests", "static final java.util.List<String> log = new java.util.ArrayList<>();
                @Test void one() { log.add(\"x\"); } @Test void two() { log.isEmpty(); }"),
            "static field `teashop.StaticTests.log` may carry state between tests",
        ),
        (
            "CarryingTests",
            class("", "CarryingTests", "@Test void one() { Store.value = 1; } @Test void two() { Assertions.assertTrue(Store.value >= 0); }")
                + "class Store { static int value; }",
            "one test writes static field `teashop.Store.value`, another reads it",
        ),
        (
            "PropertyTests",
            class("", "PropertyTests", "@Test void one() { System.setProperty(\"a\", \"b\"); } @Test void two() { }"),
            "a test calls `java.lang.System.setProperty`, which others can notice",
        ),
        (
            "FileTests",
            class("", "FileTests", "java.nio.file.Path path = java.nio.file.Path.of(\"target/left\");
                @Test void a() throws Exception { java.nio.file.Files.writeString(path, \"x\"); }
                @Test void b() throws Exception { java.nio.file.Files.exists(path); }"),
            "a test came upon a file that another one wrote",
        ),
        (
            "ExtendedTests",
            class("@org.junit.jupiter.api.extension.ExtendWith(Counting.class)", "ExtendedTests", TWO_TESTS)
                + "class Counting implements org.junit.jupiter.api.extension.BeforeEachCallback {
                     int count;
                     public void beforeEach(org.junit.jupiter.api.extension.ExtensionContext c) { count++; }
                   }",
            "extension `teashop.Counting` may carry state between tests",
        ),
        (
            "ParallelTests",
            class(
                "",
                "ParallelTests",
                "void meet() throws Exception { Meeting.PLACE.await(60, java.util.concurrent.TimeUnit.SECONDS); }
                 @Concurrent @Test void one() throws Exception { meet(); }
                 @Concurrent @Test void two() throws Exception { meet(); }",
            ) + "class Meeting { static final java.util.concurrent.CyclicBarrier PLACE = new java.util.concurrent.CyclicBarrier(2); }
                 @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
                 @org.junit.jupiter.api.parallel.Execution(org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT)
                 @interface Concurrent { }",
            "its tests ran at the same time as others",
        ),
        (
            "SkippedTests",
            class("@Disabled", "SkippedTests", TWO_TESTS),
            "all its tests were skipped",
        ),
    ]
}

#[test]
fn methods_that_may_depend_on_each_other_stay_one_unit_and_jury_says_why() {
    let sample = demo();
    fs::remove_dir_all(sample.path().join("src/test")).expect("tests to remove");
    for directory in ["src/test/java/teashop", "src/test/resources"] {
        fs::create_dir_all(sample.path().join(directory)).expect("a directory to write to");
    }
    sample.write(
        "src/test/resources/junit-platform.properties",
        "junit.jupiter.execution.parallel.enabled = true\n\
         junit.jupiter.execution.parallel.config.strategy = fixed\n\
         junit.jupiter.execution.parallel.config.fixed.parallelism = 2\n",
    );
    let mut expected: BTreeMap<String, &str> = BTreeMap::new();
    for (class, source, tangle) in tangled() {
        let text = format!("package teashop; import org.junit.jupiter.api.*; {source}");
        sample.write(&format!("src/test/java/teashop/{class}.java"), &text);
        if tangle.is_empty() {
            for method in ["#one", "#two", "$Inner#three"] {
                expected.insert(format!("{class}{method}"), "");
            }
        } else {
            expected.insert(class.to_owned(), tangle);
        }
    }
    by_method(&sample, 0);
    let why = jury(&sample, &["why", "--granularity", "method"], 0);
    let told = why["units"].as_array().expect("a list").iter();
    let told: BTreeMap<String, &str> = told
        .map(|unit| (name(unit), unit["tangle"].as_str().unwrap_or_default()))
        .collect();
    assert_eq!(told, expected);
}

/// By Maven, in JVMs that run side by side.
fn forked(sample: &Sample, exit: i32) -> Value {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(["test", "--granularity", "method", "--format", "json"]);
    command.args(["--", "mvn", "-q", "test", "-DforkCount=2"]);
    run(&mut command).exits(exit).json()
}

const OLD_TESTS: &str = "
    package teashop;
    public class OldTests extends junit.framework.TestCase {
        public void testHalves() { assertEquals(50, Money.cents(100).percent(50).toCents()); }
        public void testCounts() { assertEquals(2, Integer.parseInt(\"2\")); }
    }";

#[test]
fn methods_are_told_apart_under_maven_in_several_jvms_and_in_junit_3() {
    let sample = Sample::copy("demo");
    let vintage = "<dependency><groupId>org.junit.vintage</groupId>
        <artifactId>junit-vintage-engine</artifactId><version>5.13.4</version>
        <scope>test</scope></dependency></dependencies>";
    sample.edit("pom.xml", "</dependencies>", vintage);
    sample.write("src/test/java/teashop/OldTests.java", OLD_TESTS);
    forked(&sample, 0);
    sample.edit(MONEY, "cents * percent / 100", "percent * cents / 100");
    let edited = forked(&sample, 0);
    let ran = ran(&edited);
    for (unit, runs) in [
        ("OldTests#testHalves", true),
        ("OldTests#testCounts", false),
        ("MoneyTests#takesShares", true),
        ("MoneyTests#adds", false),
    ] {
        assert_eq!(ran.contains(&unit.to_owned()), runs, "{unit}: {ran:?}");
    }
    assert_eq!(forked(&sample, 0)["selection"]["build_started"], false);
}
