//! `jury mutate` through the real binary: reports that others can read, and a gate that can be
//! trusted. The bundled sample has one pseudo-tested and three partially tested methods.

use std::fs;
use std::process::Command;

use jury_testkit::{Jdk, Sample, browse, run, succeed};
use serde_json::Value;

use crate::script_build::{BUILD, compile, demo, watched_demo};
use crate::{JURY, watched};

fn jury(sample: &Sample, arguments: &[&str]) -> Command {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(arguments);
    command
}

#[test]
fn the_page_works_in_a_browser() {
    let sample = watched("demo");
    let page = sample.beside("mutants.html");
    let output = page.to_str().expect("a plain path");
    let arguments = ["mutate", "--format", "html", "--output", output];
    let ran = run(&mut jury(&sample, &arguments)).exits(1);
    assert!(
        ran.stdout
            .contains("pseudo-tested teashop.LoyaltyCard#stamp"),
        "{}",
        ran.stdout
    );

    let shown = |fragment: &str| {
        let (dom, complaints) = browse(&sample, &page, fragment, "--dump-dom");
        assert_eq!(complaints, "");
        let (_, rest) = dom.split_once("<output id=\"shown\">").expect("a count");
        let (count, _) = rest.split_once(" of ").expect("a count");
        count.parse::<usize>().expect("a number")
    };
    assert_eq!(shown("#?findings"), 4);
    assert_eq!(shown("#?findings&q=loyalty%20stamp"), 1);
    assert_eq!(shown("#?verdict=pseudo-tested"), 1);
    assert_eq!(shown("#?q=no-such-method"), 0);
    assert!(shown("") > 20);

    let picture = sample.beside("page.png");
    browse(
        &sample,
        &page,
        "",
        &format!("--screenshot={}", picture.display()),
    );
    assert!(fs::metadata(&picture).expect("a picture").len() > 20_000);
}

#[test]
fn every_format_can_be_had_and_only_from_commands_that_have_it() {
    let sample = watched("demo");
    for (format, sign) in [
        ("json", "\"command\": \"mutate\""),
        ("html", "<!DOCTYPE html>"),
        ("markdown", "### Jury: 2 methods"),
        (
            "sarif",
            "\"uri\": \"src/main/java/teashop/LoyaltyCard.java\"",
        ),
        ("pit-xml", "status='SURVIVED'"),
        ("methods-json", "\"classification\": \"pseudo-tested\""),
        (
            "elements-json",
            "\"src/main/java/teashop/LoyaltyCard.java\": {",
        ),
        ("csv", "teashop.LoyaltyCard,stamp,(I)V"),
        ("issue-json", "\"title\": \"Jury: 2 methods"),
    ] {
        let ran = run(&mut jury(
            &sample,
            &["mutate", "LoyaltyCard", "--format", format],
        ))
        .exits(1);
        assert!(ran.stdout.contains(sign), "{format}: {}", ran.stdout);
    }
    let ran = run(&mut jury(&sample, &["tests", "--format", "sarif"])).exits(2);
    assert_eq!(
        ran.stderr,
        "error: this command has no answer as `sarif`\n  \
         hint: `jury mutate` has; every command answers as `human` and `json`\n"
    );
}

#[test]
fn with_a_baseline_only_what_is_new_fails() {
    let sample = watched("demo");
    let gate = ["mutate", "LoyaltyCard", "--baseline", "accepted.txt"];
    let missing = run(&mut jury(&sample, &gate)).exits(2);
    assert!(
        missing.stderr.contains("hint: --accept writes one"),
        "{}",
        missing.stderr
    );

    run(jury(&sample, &gate).arg("--accept")).exits(0);
    run(&mut jury(&sample, &gate)).exits(0);

    let file = sample.path().join("accepted.txt");
    let accepted = fs::read_to_string(&file).expect("a baseline");
    let line = "teashop/LoyaltyCard#stamp(I)V#void\n";
    fs::write(&file, accepted.replace(line, "")).expect("writable sample");
    let ran = run(jury(&sample, &gate).args(["--format", "json"])).exits(1);
    let unaccepted = &ran.json()["gate"]["unaccepted"];
    assert_eq!(*unaccepted, serde_json::json!([line.trim_end()]));
}

#[test]
fn limits_fail_name_what_is_new_and_are_raised_by_the_ratchet() {
    let sample = watched_demo();
    sample.write("jury.toml", "[mutate]\nmin-score = 10 # to begin with\n");
    run(&mut jury(&sample, &["mutate", "--ratchet"])).exits(0);
    let settings = fs::read_to_string(sample.path().join("jury.toml")).expect("settings");
    assert_eq!(settings, "[mutate]\nmin-score = 88.5 # to begin with\n");

    // The only test that asks for a product of money goes.
    let test = sample.path().join("src/test/java/teashop/MoneyTests.java");
    fs::remove_file(test).expect("a test of the sample");
    succeed(jury(&sample, &["test"]).args(BUILD));
    let ran = run(&mut jury(&sample, &["mutate", "--format", "json"])).exits(1);
    let answer = ran.json();
    let gate = &answer["gate"];
    assert_eq!(gate["breaches"][0]["limit"], 88.5);
    let causes: Vec<&Value> = gate["newly_unnoticed"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|new| &new["cause"])
        .collect();
    assert!(!causes.is_empty());
    assert!(
        causes.iter().all(|cause| **cause == "no-longer-noticed"),
        "{causes:?}"
    );
}

#[test]
fn the_classic_engine_finds_small_changes_that_nobody_notices() {
    let sample = watched("demo");
    let arguments = ["mutate", "--engine", "classic", "--format", "json"];
    let answer = run(&mut jury(&sample, &arguments)).exits(1).json();
    let methods = answer["methods"].as_array().expect("a list");
    let unnoticed: Vec<String> = methods
        .iter()
        .flat_map(|method| method["classic"].as_array().expect("a list"))
        .filter(|mutant| mutant["verdict"] == "survived")
        .map(|mutant| mutant["id"].as_str().expect("text").to_owned())
        .collect();
    assert_eq!(
        unnoticed,
        [
            "teashop/Checkout#pay(Lteashop/Basket;Ljava/lang/String;Lteashop/LoyaltyCard;)Lteashop/Receipt;#void_calls#0",
            "teashop/LoyaltyCard#stamp(I)V#math#0",
            "teashop/LoyaltyCard#earnsFreePot()Z#conditionals_boundary#0",
            "teashop/LoyaltyCard#earnsFreePot()Z#false_returns#0",
            "teashop/Money#equals(Ljava/lang/Object;)Z#true_returns#0",
            "teashop/Money#hashCode()I#primitive_returns#0",
            "teashop/Receipt#print()Ljava/lang/String;#void_calls#0",
            "teashop/Receipt#print()Ljava/lang/String;#negate_conditionals#0",
            "teashop/Receipt#print()Ljava/lang/String;#void_calls#1",
            "teashop/Receipt#print()Ljava/lang/String;#void_calls#2",
            "teashop/Receipt#print()Ljava/lang/String;#void_calls#3",
        ]
    );
    assert_eq!(answer["metrics"]["mutants"], 0);

    let nowhere = run(&mut jury(&sample, &["mutate", "teashop.Tea*Pot"])).exits(2);
    assert!(
        nowhere
            .stderr
            .starts_with("error: no class to put on trial matches `teashop.Tea*Pot`\n"),
        "{}",
        nowhere.stderr
    );
    let unknown = run(&mut jury(&sample, &["mutate", "--mutators", "maths"])).exits(2);
    assert!(
        unknown
            .stderr
            .starts_with("error: `maths` is no operator\n"),
        "{}",
        unknown.stderr
    );

    // As in a fresh clone with evidence from elsewhere.
    fs::remove_dir_all(sample.path().join("target")).expect("classes to remove");
    let uncompiled = run(&mut jury(&sample, &["mutate", "Receipt"])).exits(4);
    assert!(
        uncompiled
            .stderr
            .starts_with("error: found no class files\n"),
        "{}",
        uncompiled.stderr
    );
}

/// The bundled sample with one class more and its tests, after a green build.
fn watched_with(class: &str, code: &str, tests: &str) -> Sample {
    let sample = demo();
    let write = |file: String, text: &str| {
        fs::write(sample.path().join(file), text).expect("a writable file");
    };
    write(format!("src/main/java/teashop/{class}.java"), code);
    write(format!("src/test/java/teashop/{class}Tests.java"), tests);
    succeed(jury(&sample, &["test"]).args(BUILD));
    sample
}

/// Verdicts on all mutants of one class.
fn verdicts(sample: &Sample, class: &str, exit: i32) -> Vec<String> {
    let arguments = ["mutate", class, "--jobs", "1", "--format", "json"];
    let answer = run(&mut jury(sample, &arguments)).exits(exit).json();
    let methods = answer["methods"].as_array().expect("a list");
    methods
        .iter()
        .flat_map(|method| method["mutants"].as_array().expect("a list"))
        .map(|mutant| mutant["verdict"].as_str().expect("text").to_owned())
        .collect()
}

#[test]
fn a_test_that_passes_but_once_in_a_jvm_kills_nothing_by_itself() {
    let sample = watched_with(
        "Till",
        "package teashop;
         class Till {
             private static boolean open;
             static void open() {
                 if (open) throw new IllegalStateException(\"open already\");
                 open = true;
             }
             static int change(int paid, int price) { return paid - price; }
         }",
        "package teashop;
         import org.junit.jupiter.api.Test;
         class TillTests {
             @Test void opensOnce() { Till.open(); Till.change(5, 3); }
         }",
    );
    assert_eq!(verdicts(&sample, "Till", 1), ["survived"; 3]);
}

#[test]
fn a_mutant_that_spoils_its_jvm_kills_no_other() {
    // Without `empty` the test passes once more, and then never again in the same JVM: whatever is
    // tried next seems to be noticed. Nobody looks at the label.
    let sample = watched_with(
        "Urn",
        "package teashop;
         class Urn {
             private static int level;
             static void empty() { if (level > 0) level = 0; }
             static int pour(int cups) { level += cups; return level; }
             static int label(int number) { return number * 3 + 1; }
         }",
        "package teashop;
         import org.junit.jupiter.api.Assertions;
         import org.junit.jupiter.api.Test;
         class UrnTests {
             @Test void pours() {
                 Assertions.assertEquals(2, Urn.pour(2));
                 Urn.label(1);
                 Urn.empty();
             }
         }",
    );
    let expected = ["survived", "killed", "killed", "survived", "survived"];
    assert_eq!(verdicts(&sample, "Urn", 1), expected);
}

#[test]
fn what_a_warm_jvm_keeps_from_before_hides_no_mutant() {
    // Each test runs the method in question every time, so nothing seems to be missing. But of
    // `millilitres` only the first result is used, and of `inFahrenheit` only what the class was
    // initialised with: in the second worker (the first one ends with `whistle`) by `fills`, which
    // ran after `boils` in the first and is not known to run it.
    let sample = watched_with(
        "Kettle",
        "package teashop;
         import java.util.HashMap;
         import java.util.Map;
         class Kettle {
             static final int BOILING = inFahrenheit(100);
             static boolean whistled;
             private static final Map<String, Integer> SIZES = new HashMap<>();
             static void whistle() { if (BOILING > 0) whistled = true; }
             static int fill(int cups) { return cups * 3 + 1; }
             static int inFahrenheit(int celsius) { return celsius * 9 / 5 + 32; }
             static int size(String name) {
                 if (!SIZES.containsKey(name)) SIZES.put(name, millilitres(name));
                 millilitres(name);
                 return SIZES.get(name);
             }
             private static int millilitres(String name) { return name.length() * 200; }
         }",
        "package teashop;
         import org.junit.jupiter.api.Assertions;
         import org.junit.jupiter.api.Test;
         class KettleTests {
             @Test void boils() {
                 Kettle.inFahrenheit(20);
                 Assertions.assertEquals(212, Kettle.BOILING);
             }
         }
         class KettleVolumeTests {
             @Test void fills() { Assertions.assertEquals(7, Kettle.fill(2)); }
         }
         class KettleWhistleTests {
             @Test void whistles() {
                 Kettle.whistled = false;
                 Kettle.whistle();
                 if (!Kettle.whistled) Runtime.getRuntime().halt(3);
             }
         }
         class LargeKettleTests {
             @Test void isLarge() { Assertions.assertEquals(1000, Kettle.size(\"large\")); }
         }",
    );
    let found = verdicts(&sample, "Kettle", 0);
    assert_eq!(found[0], "crashed");
    assert_eq!(found[1..], ["killed"; 8]);
}

#[test]
fn every_survivor_is_confirmed_on_request_even_those_of_earlier_runs() {
    // What is kept here shows in no other work: the first weight stays, whatever comes later.
    let sample = watched_with(
        "Scales",
        "package teashop;
         class Scales {
             private static int first;
             static int weigh(int grams) {
                 int weight = tare(grams);
                 first = first == 0 ? weight : first;
                 return first;
             }
             private static int tare(int grams) { return grams - 2; }
         }",
        "package teashop;
         import org.junit.jupiter.api.Assertions;
         import org.junit.jupiter.api.Test;
         class ScalesTests {
             @Test void weighs() { Assertions.assertEquals(5, Scales.weigh(7)); }
         }",
    );
    let warm = verdicts(&sample, "Scales", 1);
    assert_eq!(warm, ["killed", "killed", "survived", "survived"]);
    run(&mut jury(&sample, &["mutate", "Scales", "--confirm"])).exits(0);
}

#[test]
fn what_runs_only_while_a_class_is_initialised_is_judged_by_all_who_use_the_class() {
    // The class is initialised by the first test that comes along, which does not care. Whoever looks
    // at the title runs no method of the class at all.
    let sample = watched_with(
        "Menu",
        "package teashop;
         class Menu {
             static final String TITLE = inCapitals(\"tea\");
             static int pages() { return TITLE.length() + 2; }
             private static String inCapitals(String text) { return text.toUpperCase() + \"!\"; }
         }",
        "package teashop;
         import org.junit.jupiter.api.Assertions;
         import org.junit.jupiter.api.Test;
         class MenuTests {
             @Test void hasPages() { Assertions.assertTrue(Menu.pages() > 1); }
         }
         class TitleTests {
             @Test void isLarge() { Assertions.assertEquals(\"TEA!\", Menu.TITLE); }
         }",
    );
    let answer = run(&mut jury(&sample, &["mutate", "Menu", "--format", "json"])).json();
    let methods = answer["methods"].as_array().expect("a list");
    let capitals = methods
        .iter()
        .find(|method| method["method"] == "inCapitals");
    let mutants = capitals.expect("the method")["mutants"].as_array();
    let mutants = mutants.expect("a list");
    assert!(!mutants.is_empty(), "{methods:?}");
    for mutant in mutants {
        assert_eq!(mutant["verdict"], "killed", "{mutant}");
    }
}

#[test]
fn no_test_is_run_after_one_that_noticed_the_mutant() {
    // The first one is cheapest and is asked alone; the other two are asked together.
    let sample = watched_with(
        "Spoon",
        "package teashop;
         class Spoon { static int stir(int times) { return times * 2 + 1; } }",
        "package teashop;
         import java.nio.file.Files;
         import java.nio.file.Paths;
         import org.junit.jupiter.api.Assertions;
         import org.junit.jupiter.api.MethodOrderer;
         import org.junit.jupiter.api.Test;
         import org.junit.jupiter.api.TestMethodOrder;
         @TestMethodOrder(MethodOrderer.MethodName.class)
         class SpoonTests {
             @Test void aStirs() { Spoon.stir(1); }
             @Test void bChecks() {
                 Assertions.assertEquals(8, Spoon.stir(1) + Spoon.stir(2));
             }
             @Test void cTells() throws Exception {
                 if (Spoon.stir(1) + Spoon.stir(2) != 8) Files.createFile(Paths.get(\"told\"));
             }
         }",
    );
    assert_eq!(verdicts(&sample, "Spoon", 0), ["killed", "killed"]);
    assert!(!sample.path().join("told").exists());
}

#[test]
fn a_class_file_that_cannot_be_read_is_named() {
    let sample = watched_with(
        "Tray",
        "package teashop; class Tray { static int cups() { return 4; } }",
        "package teashop;
         import org.junit.jupiter.api.Test;
         class TrayTests { @Test void holds() { Tray.cups(); } }",
    );
    let file = sample.path().join("target/classes/teashop/Tray.class");
    fs::write(file, "no class").expect("a writable file");
    let broken = run(&mut jury(&sample, &["mutate", "Tray"])).exits(4);
    let message = "error: failed to read the class file of `teashop/Tray`\n  hint: compile";
    assert!(broken.stderr.starts_with(message), "{}", broken.stderr);
}

#[test]
fn tests_that_cannot_run_the_class_stay_out_until_they_change() {
    let sample = watched_with(
        "Spoon",
        "package teashop;
         class Spoon { static int stir(int times) { return times * 2 + 1; } }",
        "package teashop;
         import org.junit.jupiter.api.Test;
         class SpoonTests { @Test void stirs() { Spoon.stir(1); } }",
    );
    let mutate = |exit| {
        let arguments = ["mutate", "Spoon", "--fresh", "--format", "json"];
        let answer = run(&mut jury(&sample, &arguments)).exits(exit).json();
        let covered = answer["effort"]["tests_covered"].as_u64();
        covered.expect("a number")
    };
    assert_eq!(mutate(1), 1);
    // Compiled, but never seen by `jury test`: what it uses is not known any more.
    sample.edit(
        "src/test/java/teashop/MoneyTests.java",
        "assertEquals(33, ",
        "assertEquals(3, Spoon.stir(1)); assertEquals(33, ",
    );
    compile(&sample);
    assert!(mutate(0) > 1);
}

/// A class whose mutants are endless, end JVMs, leave marks behind and meet tests as constants.
fn urn() -> Sample {
    watched_with(
        "Urn",
        "package teashop;
         class Urn {
             static final String NAME = name(\"urn\");
             private static boolean broken;
             static int sips(int level) {
                 int sips = 0;
                 while (level > 0) { level = sip(level); sips++; }
                 return sips;
             }
             static int sip(int level) { return level - 1; }
             static int pour(int cups) {
                 broken |= cups - measure(cups) == cups;
                 check();
                 return measure(cups);
             }
             static int measure(int cups) { return cups + 7; }
             static void check() { if (broken) throw new IllegalStateException(\"broken\"); }
             private static String name(String name) { return name.toUpperCase() + \"!\"; }
         }",
        "package teashop;
         import static org.junit.jupiter.api.Assertions.assertEquals;
         import org.junit.jupiter.api.Test;
         class UrnTests {
             @Test void counts() { assertEquals(3, Urn.sips(3)); }
             @Test void halts() { if (Urn.sip(5) != 4) Runtime.getRuntime().halt(3); }
             @Test void measures() { assertEquals(9, Urn.measure(2)); Urn.check(); }
             @Test void onlyMeasures() { Urn.measure(3); Urn.check(); }
             @Test void onlySips() { Urn.sip(4); }
             @Test void pours() { assertEquals(8, Urn.pour(1)); }
             @Test void reads() { assertEquals(\"URN!\", Urn.NAME); }
             @Test void sips() { assertEquals(6, Urn.sip(7)); }
         }",
    )
}

/// What each test says to one mutant: those that notice it, with the verdict, and those that pass.
fn answers(document: &Value, method: &str, operator: &str) -> (Vec<String>, Vec<String>) {
    let methods = document["methods"].as_array().expect("a list").iter();
    let mut mutants = methods
        .filter(|one| one["method"] == method)
        .flat_map(|one| one["mutants"].as_array().expect("a list"));
    let mutant = mutants
        .find(|mutant| mutant["operator"] == operator)
        .unwrap_or_else(|| panic!("no `{operator}` of `{method}` in {document:#}"));
    assert_eq!(mutant["left_out"], serde_json::json!([]), "{mutant:#}");
    let name = |label: &Value| {
        let label = label.as_str().expect("a label");
        label.replace("teashop.UrnTests#", "")
    };
    let killing = mutant["killing"].as_array().expect("a list").iter();
    let killing = killing.map(|one| {
        let verdict = one["verdict"].as_str().expect("text");
        format!("{} {verdict}", name(&one["test"]))
    });
    let surviving = mutant["surviving"].as_array().expect("a list").iter();
    (killing.collect(), surviving.map(name).collect())
}

#[test]
fn with_a_matrix_every_test_answers_for_itself() {
    let sample = urn();
    let plain = verdicts(&sample, "Urn", 1);
    let matrix = |more: &[&str]| -> Value {
        let arguments = ["mutate", "Urn", "--matrix", "--format", "json"];
        let arguments = [&arguments, more].concat();
        run(&mut jury(&sample, &arguments)).exits(1).json()
    };
    let first = matrix(&["--jobs", "1"]);

    let (killing, surviving) = answers(&first, "sip", "0");
    assert_eq!(killing, ["counts killed", "halts crashed", "sips killed"]);
    assert_eq!(surviving, ["onlySips"]);
    let (killing, surviving) = answers(&first, "sip", "1");
    assert_eq!(
        killing,
        ["counts timed-out", "halts crashed", "sips killed"]
    );
    assert_eq!(surviving, ["onlySips"]);
    // What one test leaves behind with the mutant on is not the next one's answer.
    let (killing, surviving) = answers(&first, "measure", "0");
    assert_eq!(killing, ["measures killed", "pours killed"]);
    assert_eq!(surviving, ["onlyMeasures"]);
    // Everybody meets the constant, whoever initialises the class.
    let (killing, surviving) = answers(&first, "name", "\"A\"");
    assert_eq!(killing, ["reads killed"]);
    assert_eq!(surviving.len(), 7, "{surviving:?}");
    let redundant = &first["matrix"];
    assert_eq!(
        redundant["dispensable"],
        serde_json::json!([
            "teashop.UrnTests#halts",
            "teashop.UrnTests#measures",
            "teashop.UrnTests#sips"
        ]),
    );

    let methods = |document: &Value| document["methods"].clone();
    let found: Vec<String> = (methods(&first).as_array().expect("a list").iter())
        .flat_map(|method| method["mutants"].as_array().expect("a list").clone())
        .map(|mutant| mutant["verdict"].as_str().expect("text").to_owned())
        .collect();
    assert_eq!(found, plain);
    // Once more from nothing, and from memory, where only what ended a JVM is asked again.
    let again = matrix(&["--fresh", "--jobs", "2"]);
    assert_eq!(methods(&again), methods(&first));
    let polled = again["effort"]["mutants_polled"]
        .as_u64()
        .expect("a number");
    let remembered = matrix(&[]);
    assert_eq!(methods(&remembered), methods(&first));
    assert_eq!(remembered["effort"]["mutants_polled"], 2);
    assert_eq!(remembered["effort"]["polls_remembered"], polled - 2);
    assert_eq!(remembered["effort"]["mutants_tried"], 0);
}

#[test]
fn in_a_matrix_no_test_answers_for_what_an_earlier_mutant_left_behind() {
    // Without `empty`, the level stays, and `asks` ends the JVM when it is asked about another mutant.
    let sample = watched_with(
        "Urn",
        "package teashop;
         class Urn {
             static int level;
             static void empty() { if (level > 0) level = 0; }
             static int pour(int cups) { level += cups; return level; }
         }",
        "package teashop;
         import static org.junit.jupiter.api.Assertions.assertEquals;
         import org.junit.jupiter.api.Test;
         class UrnTests {
             @Test void asks() {
                 if (Urn.level > 0) Runtime.getRuntime().halt(3);
                 Urn.pour(2);
                 Urn.empty();
             }
             @Test void checks() {
                 try {
                     Urn.level = 0;
                     assertEquals(2, Urn.pour(2));
                     Urn.empty();
                     assertEquals(0, Urn.level);
                 } finally {
                     Urn.level = 0;
                 }
             }
         }",
    );
    let arguments = [
        "mutate", "Urn", "--matrix", "--jobs", "1", "--format", "json",
    ];
    let document = run(&mut jury(&sample, &arguments)).exits(0).json();
    for (method, operator) in [("empty", "void"), ("pour", "0"), ("pour", "1")] {
        let (killing, surviving) = answers(&document, method, operator);
        assert_eq!(killing, ["checks killed"]);
        assert_eq!(surviving, ["asks"]);
    }
}

#[test]
fn a_matrix_that_shards_have_filled_is_joined() {
    let sample = urn();
    let shard = |part: &str| {
        let state = sample.beside(&format!("shard-{}", &part[..1]));
        fs::create_dir_all(&state).expect("a directory");
        let evidence = sample.path().join(".jury/evidence.db");
        fs::copy(evidence, state.join("evidence.db")).expect("a copy");
        let state = state.to_str().expect("a plain path").to_owned();
        let arguments = ["mutate", "Urn", "--matrix", "--shard", part, "--state-dir"];
        let arguments = [&arguments[..], &[state.as_str()]].concat();
        let ran = run(&mut jury(&sample, &arguments)).exits(0);
        assert!(!ran.stdout.contains("matrix:"), "{}", ran.stdout);
        state
    };
    let (one, two) = (shard("1/2"), shard("2/2"));
    let arguments = ["mutate", "Urn", "--merge", &one, &two, "--format", "json"];
    let mut command = jury(&sample, &arguments);
    let merged = run(command.env("JURY_MATRIX", "1")).exits(1).json();
    assert_eq!(merged["effort"]["mutants_polled"], 2, "those that end JVMs");
    let alone = ["mutate", "Urn", "--matrix", "--fresh", "--format", "json"];
    let alone = run(&mut jury(&sample, &alone)).exits(1).json();
    assert_eq!(merged["methods"], alone["methods"]);
    assert_eq!(merged["matrix"], alone["matrix"]);
}
