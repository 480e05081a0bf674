//! `jury flaky`: what is flaky is found, named with its cause, remembered, and taken back.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use jury_testkit::{Jdk, Sample, Suspect, cases, run};
use serde_json::Value;

use crate::{JURY, watched};

fn jury(sample: &Sample, arguments: &[&str]) -> Command {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(arguments);
    command
}

/// The command that the sample was watched with: another one may show other things.
const TEST: [&str; 7] = ["test", "--format", "json", "--", "mvn", "-q", "test"];

/// What was found, by label.
fn suspects(answer: &Value) -> BTreeMap<String, Suspect> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let tests = answer["tests"].as_array().expect("a list");
    let suspect = |test: &Value| Suspect {
        verdict: text(&test["verdict"]),
        culprits: (test["culprits"].as_array().expect("a list").iter())
            .map(text)
            .collect(),
    };
    let named = tests
        .iter()
        .map(|test| (text(&test["label"]), suspect(test)));
    named.collect()
}

/// The classes that would run now, with why.
fn foreseen(sample: &Sample) -> BTreeMap<String, String> {
    let why = run(&mut jury(sample, &["why", "--format", "json"])).exits(0);
    let units = why.json()["units"].as_array().expect("a list").clone();
    let running = units.iter().filter(|unit| unit["would_run"] == true);
    running
        .map(|unit| {
            let class = unit["class"].as_str().expect("a text").to_owned();
            (class, unit["reasons"].to_string())
        })
        .collect()
}

/// One build, and everything that comes of it.
#[test]
fn flaky_tests_are_found_and_never_relied_on_until_somebody_edits_them() {
    let sample = watched("flaky_tests");
    let answer = run(&mut jury(&sample, &["flaky", "--format", "json"])).exits(1);
    let answer = answer.json();
    assert_eq!(suspects(&answer), cases()["flaky_tests"].flaky);
    for test in answer["tests"].as_array().expect("a list") {
        assert_eq!(test["confirmed"], true, "{test}");
    }
    let counts = &answer["counts"];
    assert_eq!(
        (&counts["total"], &counts["steady"]),
        (&8.into(), &5.into())
    );

    what_is_shown_can_be_pasted(&sample, &answer);
    other_commands_know(&sample);
    naming_a_test_judges_no_other(&sample);
    an_edit_takes_a_finding_back(&sample);
}

fn what_is_shown_can_be_pasted(sample: &Sample, answer: &Value) {
    for test in answer["tests"].as_array().expect("a list") {
        if test["verdict"] == "unsteady" {
            continue;
        }
        let shown = test["reproduce"].as_str().expect("a text");
        let words: Vec<&str> = shown.split(' ').skip(1).collect();
        let replayed = run(jury(sample, &words).args(["--format", "json"])).exits(1);
        assert_eq!(
            replayed.json()["differences"][0]["label"],
            test["label"],
            "{shown}"
        );
    }
}

fn other_commands_know(sample: &Sample) {
    let running = foreseen(sample);
    let class = |name: &str| format!("lottery.{name}");
    let flaky = ["BoothTests", "CounterTests", "EmptyDrawTests", "MoonTests"];
    assert_eq!(
        running.keys().cloned().collect::<Vec<_>>(),
        flaky.map(class),
    );
    assert!(running["lottery.MoonTests"].contains("does not always end in the same way"));
    assert!(running["lottery.EmptyDrawTests"].contains("is red after `lottery.WinnerTests`"));
    assert!(running["lottery.BoothTests"].contains("lottery.CounterTests#ticketsAreSold"));

    // Neither a lucky pass nor the file that the test counts in ends what is known.
    fs::write(sample.path().join("target/moon.txt"), "").expect("a file");
    for _ in 0..2 {
        let ran = run(&mut jury(sample, &TEST));
        let ran = ran.json()["selection"]["run"].clone();
        let ran: Vec<&str> = (ran.as_array().expect("a list").iter())
            .filter_map(|unit| unit["class"].as_str())
            .collect();
        assert_eq!(ran, flaky.map(class));
    }

    let known = run(&mut jury(sample, &["tests", "--format", "json"])).exits(0);
    let known = known.json()["tests"].as_array().expect("a list").clone();
    let kinds: Vec<&str> = known
        .iter()
        .filter_map(|test| test["flaky"]["kind"].as_str())
        .collect();
    assert_eq!(kinds, ["brittle", "victim", "unsteady"]);

    // One of them is red by now, which is no reason to refuse a verdict.
    let mutated = run(&mut jury(sample, &["mutate", "--format", "json"]));
    let unreliable = mutated.json()["unreliable"].clone();
    let unreliable = unreliable.as_array().expect("a list");
    assert_eq!(unreliable.len(), 3, "{unreliable:?}");
    for test in unreliable {
        assert_eq!(test["cause"], "known-flaky");
    }
}

fn naming_a_test_judges_no_other(sample: &Sample) {
    let only = [
        "flaky",
        "EmptyDrawTests",
        "--rounds",
        "1",
        "--format",
        "json",
    ];
    let answer = run(&mut jury(sample, &only)).exits(1).json();
    assert_eq!(
        suspects(&answer)["lottery.EmptyDrawTests#nobodyHasWonYet"].verdict,
        "victim"
    );
    assert_eq!(answer["counts"]["total"], 1);
}

fn an_edit_takes_a_finding_back(sample: &Sample) {
    let test = "src/test/java/lottery/EmptyDrawTests.java";
    sample.edit(
        test,
        "assertEquals(0, Draw.winners());",
        "assertEquals(0, 0 * Draw.winners());",
    );
    run(&mut jury(sample, &TEST));
    let running = foreseen(sample);
    assert!(
        !running.contains_key("lottery.EmptyDrawTests"),
        "{running:?}"
    );
    assert!(running.contains_key("lottery.CounterTests"), "{running:?}");
    let answer = run(&mut jury(
        sample,
        &["flaky", "EmptyDraw", "--format", "json"],
    ));
    let answer = answer.exits(0).json();
    assert_eq!(
        answer["taken_back"][0]["label"],
        "lottery.EmptyDrawTests#nobodyHasWonYet"
    );
}
