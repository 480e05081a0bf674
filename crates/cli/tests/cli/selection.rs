//! `jury test` runs what a change can affect, through a real build.

use std::fs;

use jury_testkit::{Jdk, Sample, run};
use serde_json::{Value, json};

use crate::JURY;
use crate::script_build::{BUILD, compile, demo, watched_demo};

const POSTAGE: &str = "src/main/java/teashop/Postage.java";
const MONEY_TESTS: &str = "src/test/java/teashop/MoneyTests.java";

fn test(sample: &Sample, options: &[&str], exit: i32) -> Value {
    test_with(sample, options, &BUILD, exit)
}

fn test_by_maven(sample: &Sample, options: &[&str], exit: i32) -> Value {
    test_with(sample, options, &["--", "mvn", "-q", "test"], exit)
}

fn test_with(sample: &Sample, options: &[&str], build: &[&str], exit: i32) -> Value {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(["test", "--format", "json"]).args(options);
    run(command.args(build)).exits(exit).json()
}

/// Classes and outcomes of the tests that are known to be there.
fn known(sample: &Sample) -> Vec<(String, String)> {
    let mut command = sample.command(JURY, &Jdk::any());
    let answer = run(command.args(["tests", "--format", "json"]))
        .exits(0)
        .json();
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    (answer["tests"].as_array().expect("a list").iter())
        .map(|test| (text(&test["class"]), text(&test["outcome"])))
        .collect()
}

/// Names of the test classes that ran.
fn ran(answer: &Value) -> Vec<&str> {
    let run = answer["selection"]["run"].as_array().expect("a list");
    run.iter()
        .map(|unit| unit["class"].as_str().expect("text"))
        .collect()
}

fn left_out_tests(answer: &Value) -> u64 {
    answer["selection"]["left_out_tests"]["total"]
        .as_u64()
        .expect("a number")
}

#[test]
fn only_tests_that_a_change_can_affect_run() {
    let sample = Sample::copy("demo");
    let first = test_by_maven(&sample, &[], 0);
    assert_eq!(ran(&first).len(), 6);
    assert_eq!(left_out_tests(&first), 0);

    let unchanged = test_by_maven(&sample, &[], 0);
    assert_eq!(unchanged["selection"]["build_started"], false);
    assert_eq!(left_out_tests(&unchanged), 34);

    sample.edit(POSTAGE, "(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
    let edited = test_by_maven(&sample, &[], 0);
    assert_eq!(
        ran(&edited),
        ["teashop.CheckoutTests", "teashop.PostageTests"]
    );
    let reasons = edited["selection"]["run"][0]["reasons"].to_string();
    assert!(reasons.contains("method `teashop.Postage.to("), "{reasons}");
    assert_eq!(left_out_tests(&edited), 27);

    sample.edit(POSTAGE, "(grams - 1) / 1000 + 1", "(grams + 999) / 1000");
    let reverted = test_by_maven(&sample, &[], 0);
    assert_eq!(ran(&reverted), [""; 0], "its evidence was kept");
    assert_eq!(left_out_tests(&reverted), 34);

    assert_eq!(ran(&test_by_maven(&sample, &["--all"], 0)).len(), 6);
}

#[test]
fn a_build_that_broke_is_started_again_though_all_its_tests_are_green() {
    let sample = demo();
    let build = |exit: i32| {
        let mut command = sample.command(JURY, &Jdk::any());
        let script = "sh build.sh && test ! -e broken";
        command.args(["test", "--format", "json", "--", "sh", "-c", script]);
        run(&mut command).exits(exit).json()
    };
    let broken = sample.path().join("broken");
    fs::write(&broken, "").expect("a file");
    assert_eq!(ran(&build(4)).len(), 6);
    let again = build(4);
    assert_eq!(again["selection"]["build_started"], true);
    assert_eq!(ran(&again), [""; 0]);
    fs::remove_file(&broken).expect("a file");
    assert_eq!(build(0)["selection"]["build_started"], true);
    assert_eq!(build(0)["selection"]["build_started"], false);
}

#[test]
fn an_edited_build_file_counts_if_it_launches_tests_in_another_way() {
    let sample = Sample::copy("demo");
    let property = |text: &str| {
        let end = "</properties>";
        sample.edit("pom.xml", end, &format!("{text}{end}"));
    };
    test_by_maven(&sample, &[], 0);
    property("<unused>x</unused><!-- nor does this count -->");
    let edited = test_by_maven(&sample, &[], 0);
    assert_eq!(ran(&edited), [""; 0]);
    assert_eq!(edited["selection"]["build_started"], true);
    let settled = test_by_maven(&sample, &[], 0);
    assert_eq!(settled["selection"]["build_started"], false);

    property("<argLine>-Dflag=x</argLine>");
    assert_eq!(ran(&test_by_maven(&sample, &[], 0)).len(), 6);
    // Which tests of a class ran is up to such filters, so none of them is left out for another one.
    property("<excludedGroups>slow</excludedGroups>");
    assert_eq!(ran(&test_by_maven(&sample, &[], 0)).len(), 6);
}

#[test]
fn a_red_test_runs_until_it_is_green() {
    let sample = watched_demo();
    sample.edit(MONEY_TESTS, "Money.cents(", "Money.cents(1 + ");
    assert_eq!(ran(&test(&sample, &[], 1)), ["teashop.MoneyTests"]);
    let again = test(&sample, &[], 1);
    assert_eq!(ran(&again), ["teashop.MoneyTests"]);
    sample.edit(MONEY_TESTS, "Money.cents(1 + ", "Money.cents(");
    let mended = test(&sample, &[], 0);
    assert_eq!(ran(&mended), [""; 0], "it was green in this state before");
    assert_eq!(left_out_tests(&mended), 34);
    let known = known(&sample);
    assert_eq!(known.len(), 34);
    assert!(known.iter().all(|(_, outcome)| outcome == "passed"));
}

#[test]
fn a_new_test_runs_and_a_deleted_one_is_forgotten() {
    let sample = watched_demo();
    fs::remove_file(sample.path().join(MONEY_TESTS)).expect("a file to delete");
    let new = "package teashop; class NewTests { @org.junit.jupiter.api.Test void runs() { } }";
    sample.write("src/test/java/teashop/NewTests.java", new);
    // Maven leaves the class of a deleted source where it was.
    let stale = sample
        .path()
        .join("target/test-classes/teashop/MoneyTests.class");
    fs::remove_file(stale).expect("a class to delete");
    let changed = test(&sample, &[], 0);
    assert_eq!(ran(&changed), ["teashop.NewTests"]);
    let settled = test(&sample, &[], 0);
    assert_eq!(settled["selection"]["build_started"], false);
    assert_eq!(settled["selection"]["left_out_classes"], 6);
    let known = known(&sample);
    assert!(known.iter().any(|(class, _)| class == "teashop.NewTests"));
    assert!(known.iter().all(|(class, _)| class != "teashop.MoneyTests"));
}

const FRESH: &str = "package teashop;
    class FreshTests {
        @org.junit.jupiter.api.Test void runs() { }
    }";

#[test]
fn what_would_run_is_foretold_and_a_new_test_class_is_among_it() {
    let sample = watched_demo();
    let foretold = || {
        let answer = test(&sample, &["--dry-run"], 0);
        let units = answer["units"].as_array().expect("a list").iter();
        let running = units.filter(|unit| unit["would_run"] == true);
        let running = running.map(|unit| unit["class"].as_str().expect("text").to_owned());
        (running.collect::<Vec<_>>(), answer)
    };
    let (running, nothing) = foretold();
    assert_eq!(running, [""; 0]);
    assert_eq!(nothing["units"].as_array().map(Vec::len), Some(6));
    assert_eq!(
        (&nothing["predicted_tests"], &nothing["predicted_micros"]),
        (&json!(0), &json!(0))
    );

    sample.edit(POSTAGE, "(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
    sample.write("src/test/java/teashop/FreshTests.java", FRESH);
    // Not a test by the names that this build goes by.
    let check = FRESH.replace("FreshTests", "FreshCheck");
    sample.write("src/test/java/teashop/FreshCheck.java", &check);
    compile(&sample);
    let (running, edited) = foretold();
    assert_eq!(
        running,
        [
            "teashop.CheckoutTests",
            "teashop.FreshCheck",
            "teashop.FreshTests",
            "teashop.PostageTests"
        ]
    );
    let all = edited["units"].as_array().expect("a list").iter();
    let new: Vec<&Value> = all.filter(|unit| unit["micros"].is_null()).collect();
    let new = new[1];
    assert_eq!(new["class"], "teashop.FreshTests");
    assert_eq!(new["reasons"], json!(["new: it was never seen to run"]));
    assert_eq!(
        (&edited["predicted_tests"], &edited["new_classes"]),
        (&json!(7), &json!(2))
    );
    let known = edited["units"].as_array().expect("a list").iter();
    let known = known.filter(|unit| unit["would_run"] == true);
    let known: u64 = known.filter_map(|unit| unit["micros"].as_u64()).sum();
    let predicted = edited["predicted_micros"].as_u64();
    assert!(predicted > Some(known), "new ones are guessed: {edited}");

    let excluding = test(&sample, &["--dry-run", "--exclude", "Fresh"], 0);
    assert_eq!(excluding["new_classes"], 0);
    let ran_now = test(&sample, &[], 0);
    assert_eq!(
        ran(&ran_now),
        [
            "teashop.CheckoutTests",
            "teashop.FreshTests",
            "teashop.PostageTests"
        ]
    );
    let (running, settled) = foretold();
    assert_eq!(running, [""; 0], "the build has passed over the other");
    assert_eq!(settled["new_classes"], 0);
}

#[test]
fn a_new_test_class_is_foretold_until_it_has_had_its_turn() {
    let sample = watched_demo();
    sample.write("src/test/java/teashop/FreshTests.java", FRESH);
    let new_classes = || test(&sample, &["--dry-run"], 0)["new_classes"].clone();
    // It is compiled and seen, but kept from running.
    test(&sample, &["--exclude", "Fresh"], 0);
    assert_eq!(new_classes(), 1);
    test(&sample, &[], 0);
    assert_eq!(new_classes(), 0);
}

#[test]
fn a_class_that_has_lost_its_tests_is_not_waited_for() {
    let sample = watched_demo();
    sample.write(MONEY_TESTS, "package teashop; class MoneyTests {}");
    assert_eq!(ran(&test(&sample, &[], 0)), [""; 0]);
    let settled = test(&sample, &[], 0);
    assert_eq!(settled["selection"]["build_started"], false);
    assert_eq!(settled["selection"]["left_out_classes"], 5);
}

const TOUCHY: &str = "
    package teashop;
    class TouchyTests {
        @org.junit.jupiter.api.Test void looks() throws Exception {
            java.nio.file.Files.readAllBytes(java.nio.file.Path.of(\"data.txt\"));
            new java.io.File(\"extra.txt\").exists();
        }
    }";

#[test]
fn a_file_that_a_test_read_or_missed_affects_that_test() {
    let sample = demo();
    sample.write("src/test/java/teashop/TouchyTests.java", TOUCHY);
    sample.write("data.txt", "one");
    test(&sample, &[], 0);
    sample.write("data.txt", "two");
    assert_eq!(ran(&test(&sample, &[], 0)), ["teashop.TouchyTests"]);
    sample.write("extra.txt", "");
    assert_eq!(ran(&test(&sample, &[], 0)), ["teashop.TouchyTests"]);
    sample.write("unrelated.txt", "");
    assert_eq!(ran(&test(&sample, &[], 0)), [""; 0]);
}

const CONDITIONAL: &str = "package teashop;
    import org.junit.jupiter.api.Test;
    import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
    class ConditionalTests {
        @Test
        @EnabledIfEnvironmentVariable(named = \"TEA_TIME\", matches = \"yes\")
        void isNotReady() {
            throw new AssertionError();
        }
    }";

#[test]
fn what_a_condition_looked_at_affects_a_class_without_a_test() {
    let sample = demo();
    sample.write("src/test/java/teashop/ConditionalTests.java", CONDITIONAL);
    test(&sample, &[], 0);
    test(&sample, &[], 0);
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(["test", "--format", "json"]).args(BUILD);
    let answer = run(command.env("TEA_TIME", "yes")).exits(1).json();
    assert!(ran(&answer).contains(&"teashop.ConditionalTests"));
}

#[test]
fn tests_inside_maven_are_selected_and_can_be_kept_there() {
    let sample = Sample::copy("fork_count_zero");
    let answer = test_by_maven(&sample, &[], 0);
    assert_eq!(answer["counts"]["passed"], 2);
    let notices = answer["notices"].to_string();
    assert!(
        notices.contains("under Jury they ran in a JVM of their own"),
        "{notices}"
    );
    let again = test_by_maven(&sample, &[], 0);
    assert_eq!(again["selection"]["build_started"], false, "{again}");
    sample.edit("src/main/java/lighthouse/Lamp.java", "== 0", "== 1");
    let red = test_by_maven(&sample, &[], 1);
    assert_eq!(red["counts"]["failed"], 1, "{red}");

    sample.edit("src/main/java/lighthouse/Lamp.java", "== 1", "== 0");
    let kept = test_by_maven(&sample, &["--keep-in-process"], 4);
    let notices = kept["notices"].to_string();
    assert!(
        notices.contains("ran inside Maven, where they cannot be watched"),
        "{notices}"
    );
}

#[test]
fn what_ran_uncollected_runs_until_it_is_collected() {
    let sample = demo();
    let never = ["--collect", "never"];
    let first = test(&sample, &never, 0);
    assert_eq!(first["selection"]["collected"], false);
    assert_eq!(ran(&test(&sample, &never, 0)).len(), 6, "nothing is known");
    assert_eq!(ran(&test(&sample, &["--collect", "sparse"], 0)).len(), 6);

    let (old, new) = ("(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
    let affected = ["teashop.CheckoutTests", "teashop.PostageTests"];
    sample.edit(POSTAGE, old, new);
    assert_eq!(ran(&test(&sample, &never, 0)), affected);
    assert_eq!(ran(&test(&sample, &never, 0)), affected);
    sample.edit(POSTAGE, new, old);
    assert_eq!(ran(&test(&sample, &never, 0)), [""; 0], "all is as it was");
    sample.edit(POSTAGE, old, new);
    assert_eq!(ran(&test(&sample, &[], 0)), affected);
    assert_eq!(ran(&test(&sample, &never, 0)), [""; 0]);
}

const MOODY: &str = "
    package teashop;
    class MoodyTests {
        @org.junit.jupiter.api.Test void looks_at_what_nobody_sees() {
            org.junit.jupiter.api.Assertions.assertNull(System.getProperty(\"mood\"));
        }
    }";

#[test]
fn a_test_that_failed_uncollected_runs_again() {
    let sample = demo();
    sample.write("src/test/java/teashop/MoodyTests.java", MOODY);
    test(&sample, &[], 0);
    let red = |options: &[&str], exit| {
        let mut command = sample.command(JURY, &Jdk::any());
        command.args(["test", "--format", "json"]).args(options);
        command.args(BUILD).arg("-Dmood=bad");
        run(&mut command).exits(exit).json()
    };
    red(&["--collect", "never"], 1);
    let again = test(&sample, &["--collect", "never"], 0);
    assert_eq!(ran(&again), ["teashop.MoodyTests"]);
    let reasons = again["selection"]["run"][0]["reasons"].to_string();
    assert!(reasons.contains("failed last time"), "{reasons}");
    let once_more = test(&sample, &[], 0);
    assert_eq!(ran(&once_more), [""; 0], "it is green again, as it was");
}

#[test]
fn what_is_collected_later_is_known_as_if_it_had_been_at_once() {
    let sample = demo();
    let first = test(&sample, &["--collect", "later"], 0);
    assert_eq!(first["selection"]["collected"], false);
    let again = test(&sample, &[], 0);
    assert_eq!(again["selection"]["build_started"], false);
    assert_eq!(left_out_tests(&again), 34);

    sample.edit(MONEY_TESTS, "Money.cents(", "Money.cents(1 + ");
    let red = test(&sample, &["--collect-only"], 0);
    assert_eq!(ran(&red), ["teashop.MoneyTests"], "red, but no verdict");
    assert_eq!(ran(&test(&sample, &["--collect-only"], 0)), [""; 0]);
    assert_eq!(
        ran(&test(&sample, &["--collect", "later"], 1)),
        ["teashop.MoneyTests"]
    );
}

#[test]
fn what_is_not_wanted_does_not_run_and_stays_as_it_was() {
    let sample = demo();
    let exclude = ["--exclude", "teashop.Mon*"];
    let first = test(&sample, &exclude, 0);
    assert_eq!(ran(&first).len(), 5);
    assert_eq!(
        first["selection"]["deselected"],
        json!(["teashop.MoneyTests"])
    );

    sample.edit(MONEY_TESTS, "Money.cents(", "Money.cents(1 + ");
    let unwanted = test(&sample, &exclude, 0);
    assert_eq!(ran(&unwanted), [""; 0]);
    assert_eq!(
        unwanted["selection"]["deselected"],
        json!(["teashop.MoneyTests"])
    );
    assert_eq!(ran(&test(&sample, &[], 1)), ["teashop.MoneyTests"]);

    sample.edit(POSTAGE, "(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
    let failing = test(&sample, &["--failing"], 1);
    assert_eq!(ran(&failing), ["teashop.MoneyTests"]);
    assert_eq!(
        failing["selection"]["deselected"].as_array().map(Vec::len),
        Some(5)
    );
    sample.edit(MONEY_TESTS, "Money.cents(1 + ", "Money.cents(");
    assert_eq!(
        ran(&test(&sample, &[], 0)),
        [
            "teashop.CheckoutTests",
            "teashop.MoneyTests",
            "teashop.PostageTests"
        ]
    );
}

#[test]
fn options_may_come_from_the_environment() {
    let sample = demo();
    let test_with = |variable: &str, value: &str| {
        let mut command = sample.command(JURY, &Jdk::any());
        command
            .args(["test", "--format", "json"])
            .env(variable, value);
        run(command.args(BUILD)).exits(0).json()
    };
    let excluding = test_with("JURY_EXCLUDE", "Money,Postage");
    assert_eq!(ran(&excluding).len(), 4);
    assert_eq!(ran(&test_with("JURY_ALL", "no")).len(), 2);
    assert_eq!(ran(&test_with("JURY_ALL", "1")).len(), 6);
}

/// Red whenever it finds no trace of an earlier run; the trace is nothing that a build would see.
const FICKLE: &str = "
    package teashop;
    class FickleTests {
        @org.junit.jupiter.api.Test void passes_the_second_time() throws Exception {
            Process touch = new ProcessBuilder(\"mkdir\", \"../trace\").start();
            org.junit.jupiter.api.Assertions.assertNotEquals(0, touch.waitFor());
        }
    }";

#[test]
fn a_test_that_passes_when_it_is_run_again_is_flaky() {
    let sample = demo();
    sample.write("src/test/java/teashop/FickleTests.java", FICKLE);
    let trust = ["--trust", "child-process", "--retries", "2"];
    let first = test(&sample, &trust, 0);
    assert_eq!(first["attempts"], 2);
    let label = "teashop.FickleTests#passes_the_second_time";
    assert_eq!(first["flaky"][0]["label"], label);
    assert_eq!(first["red"], json!([]));

    let again = test(&sample, &trust, 0);
    assert_eq!(ran(&again), ["teashop.FickleTests"]);
    let reasons = again["selection"]["run"][0]["reasons"].to_string();
    assert!(reasons.contains("flaky last time"), "{reasons}");
    assert_eq!(
        (&again["attempts"], &again["flaky"]),
        (&json!(1), &json!([]))
    );
    let settled = test(&sample, &trust, 0);
    assert_eq!(settled["selection"]["build_started"], false);

    sample.edit(MONEY_TESTS, "Money.cents(", "Money.cents(1 + ");
    let broken = test(&sample, &trust, 1);
    assert_eq!(
        (&broken["attempts"], &broken["flaky"]),
        (&json!(3), &json!([]))
    );
}

#[test]
fn a_mocked_interface_does_not_blur_what_a_test_uses() {
    let sample = Sample::copy("with_mockito_inline");
    sample.write(
        "src/main/java/letters/Route.java",
        "package letters;\npublic interface Route { String next(); }\n",
    );
    sample.write(
        "src/test/java/letters/RouteTests.java",
        "package letters;\nclass RouteTests {\n    @org.junit.jupiter.api.Test void isMocked() {\n\
         \x20       org.mockito.Mockito.mock(Route.class).next();\n    }\n}\n",
    );
    assert_eq!(ran(&test_by_maven(&sample, &[], 0)).len(), 2);
    let postman = "src/main/java/letters/Postman.java";
    let text = fs::read_to_string(sample.path().join(postman)).expect("a source file");
    let end = text.rfind('}').expect("the end of a class");
    sample.write(
        postman,
        &format!("{}int spare() {{ return 1; }}\n}}\n", &text[..end]),
    );
    assert_eq!(
        ran(&test_by_maven(&sample, &[], 0)),
        ["letters.PostmanTests"]
    );
}

#[test]
fn a_class_that_takes_the_place_of_a_librarys_runs_everything() {
    let sample = watched_demo();
    // Found before JUnit's own, by which it is annotated all over.
    let path = "src/test/java/org/apiguardian/api/API.java";
    fs::create_dir_all(sample.path().join(path).parent().expect("a directory"))
        .expect("a writable directory");
    sample.write(
        path,
        "package org.apiguardian.api;
         public @interface API {
             Status status();
             String since() default \"\";
             String[] consumers() default {\"*\"};
             enum Status { INTERNAL, DEPRECATED, EXPERIMENTAL, MAINTAINED, STABLE }
         }",
    );
    assert_eq!(ran(&test(&sample, &[], 0)).len(), 6);
    assert_eq!(test(&sample, &[], 0)["selection"]["build_started"], false);
}
