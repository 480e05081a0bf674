//! Settings of `jury test` that change what runs, where they would be missed if nobody read them.

use jury_testkit::{Jdk, Sample, run};
use serde_json::{Value, json};

use crate::JURY;
use crate::script_build::{BUILD, demo, watched_demo};

const POSTAGE: &str = "src/main/java/teashop/Postage.java";

fn test(sample: &Sample, options: &[&str]) -> Value {
    test_with(sample, options, &[])
}

fn test_with(sample: &Sample, options: &[&str], more: &[&str]) -> Value {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(["test", "--format", "json"]).args(options);
    run(command.args(BUILD).args(more)).exits(0).json()
}

/// Units that ran, without their package.
fn ran(answer: &Value) -> Vec<String> {
    let run = answer["selection"]["run"].as_array().expect("a list");
    let text = |value: &Value| value.as_str().map(str::to_owned);
    run.iter()
        .map(|unit| {
            let class = text(&unit["class"]).expect("text");
            let class = class.trim_start_matches("teashop.");
            match text(&unit["method"]) {
                Some(method) => format!("{class}#{method}"),
                None => class.to_owned(),
            }
        })
        .collect()
}

#[test]
fn classes_that_always_run_do_so_although_nothing_has_changed() {
    let sample = watched_demo();
    let always = ["--always-run", "teashop.Mon*"];
    // The second time, everything is as it was, even the settings.
    for _ in 0..2 {
        let answer = test(&sample, &always);
        assert_eq!(answer["selection"]["build_started"], true);
        assert_eq!(ran(&answer), ["MoneyTests"]);
        let reasons = &answer["selection"]["run"][0]["reasons"];
        assert_eq!(*reasons, json!(["asked for"]));
    }
    sample.write("jury.toml", "[test]\nalways-run = [\"Postage\"]\n");
    assert_eq!(ran(&test(&sample, &always)), ["MoneyTests", "PostageTests"]);
}

#[test]
fn with_plain_checksums_moved_lines_affect_tests_and_otherwise_not() {
    let move_lines =
        |sample: &Sample| sample.edit(POSTAGE, "import java.util.Map;", "\nimport java.util.Map;");
    let sample = watched_demo();
    move_lines(&sample);
    assert_eq!(ran(&test(&sample, &[])), [""; 0]);

    let (sample, plain) = (demo(), ["--plain-checksum"]);
    test(&sample, &plain);
    move_lines(&sample);
    assert_eq!(
        ran(&test(&sample, &plain)),
        ["CheckoutTests", "PostageTests"]
    );
    assert_eq!(ran(&test(&sample, &plain)), [""; 0]);
}

#[test]
fn every_nth_run_is_an_audit_although_nothing_has_changed() {
    let sample = demo();
    let audited = |options: &[&str]| {
        let answer = test(&sample, options);
        answer["selection"]["audited_classes"].clone()
    };
    assert_eq!(audited(&["--audit-every", "2"]), 0);
    assert_eq!(audited(&["--audit-every", "2"]), 6);
    assert_eq!(audited(&["--audit-every", "2"]), 0);
    sample.write("jury.toml", "[test]\naudit-every = 3\n");
    assert_eq!(audited(&[]), 6);
}

#[test]
fn tests_that_the_command_names_run_although_nothing_has_changed() {
    let sample = watched_demo();
    let named = ["-Dtest=Postage"];
    for _ in 0..2 {
        let answer = test_with(&sample, &[], &named);
        assert_eq!(ran(&answer).len(), 6, "this build takes no notice");
    }
}

const STEAM: &str = "
    package teashop;
    public class Steam {
        public static int quick() { return 1; }
        public static int slow() throws Exception { Thread.sleep(400); return 1; }
    }";

const STEAM_TESTS: &str = "
    package teashop;
    import org.junit.jupiter.api.*;
    class SteamTests {
        @Test void quick() { Assertions.assertEquals(1, Steam.quick()); }
        @Test void slow() throws Exception { Assertions.assertEquals(1, Steam.slow()); }
    }";

#[test]
fn methods_are_chosen_where_they_save_time_and_classes_where_they_do_not() {
    let sample = demo();
    let steam = "src/main/java/teashop/Steam.java";
    sample.write(steam, STEAM);
    sample.write("src/test/java/teashop/SteamTests.java", STEAM_TESTS);
    let auto = ["--granularity", "auto"];
    test(&sample, &auto);

    sample.edit(
        steam,
        "quick() { return 1",
        "quick() { return Integer.parseInt(\"1\")",
    );
    let answer = test(&sample, &auto);
    assert_eq!(ran(&answer), ["SteamTests#quick"]);
    let chosen = &answer["selection"]["chosen"];
    let of_class = chosen["class_micros"].as_u64().expect("a number");
    let of_chosen = chosen["chosen_micros"].as_u64().expect("a number");
    assert!(of_class >= 400_000 + of_chosen, "{chosen}");
    assert_eq!(chosen["methods"], true, "{chosen}");

    // Where all methods of a class are affected, nothing is saved.
    sample.edit(steam, "Thread.sleep(400)", "Thread.sleep(401)");
    sample.edit(steam, "parseInt(\"1\")", "parseInt(\"01\")");
    let answer = test(&sample, &auto);
    let chosen = &answer["selection"]["chosen"];
    assert_eq!(chosen["methods"], false, "{chosen}");
    assert_eq!(ran(&answer), ["SteamTests#quick", "SteamTests#slow"]);
}
