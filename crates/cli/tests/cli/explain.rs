//! `jury explain` through the real binary: each unnoticed mutant gets the one symptom it has.

use std::process::Command;

use jury_testkit::{Jdk, Sample, browse, run, succeed};
use serde_json::Value;

use crate::{JURY, tried};

fn jury(sample: &Sample, arguments: &[&str]) -> Command {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(arguments);
    command
}

fn explained(sample: &Sample, arguments: &[&str]) -> Vec<Value> {
    let arguments = [&["explain", "--format", "json"], arguments].concat();
    let ran = run(&mut jury(sample, &arguments)).exits(1);
    let mut answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    answer["explanations"]
        .as_array_mut()
        .unwrap()
        .drain(..)
        .collect()
}

fn symptoms(explanations: &[Value]) -> Vec<String> {
    let text = |each: &Value, field: &str| each[field].as_str().unwrap().to_owned();
    let mut symptoms: Vec<String> = explanations
        .iter()
        .map(|each| {
            format!(
                "{} {} {}",
                text(each, "method"),
                text(each, "operator"),
                text(each, "symptom")
            )
        })
        .collect();
    symptoms.sort();
    symptoms
}

#[test]
fn the_example_of_the_literature_has_its_symptoms() {
    let sample = tried("versioned_set");
    let explanations = explained(&sample, &[]);
    assert_eq!(
        symptoms(&explanations),
        [
            "equals true no-infection",
            "incrementVersion void weak-oracle",
            "isEmpty false no-infection",
            "isEmpty true no-propagation",
        ]
    );
    let find = |method: &str, symptom: &str| {
        let wanted = |each: &&Value| each["method"] == method && each["symptom"] == symptom;
        explanations.iter().find(wanted).unwrap()
    };

    let weak = &find("incrementVersion", "weak-oracle")["exposures"][0];
    assert_eq!(weak["file"], "src/test/java/sets/VersionedSetTest.java");
    assert_eq!(
        (&weak["line"], &weak["field"]),
        (&Value::from(13), &Value::from("version"))
    );
    assert_eq!(
        (&weak["original"], &weak["mutant"]),
        (&Value::from("1L"), &Value::from("0L"))
    );
    assert_eq!(weak["readers"][0], "sets.VersionedSet.getVersion()");
    assert_eq!(
        weak["assertion"]["text"],
        "assertEquals(1L, set.getVersion());"
    );

    let lost = find("isEmpty", "no-propagation");
    let infection = &lost["infection"];
    assert_eq!(
        (&infection["role"], &infection["call"]),
        (&Value::from("result"), &Value::from(1))
    );
    let stack: Vec<&str> = infection["stack"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(stack.len(), 3, "{stack:?}");
    assert!(
        stack[0].starts_with("sets.VersionedSet.isEmpty"),
        "{stack:?}"
    );
    assert!(
        stack[1].starts_with("sets.VersionedSet.intersect:"),
        "{stack:?}"
    );
    assert_eq!(
        stack[2],
        "sets.VersionedSetTest.setsWithoutACommonElementHaveAnEmptyIntersection:27"
    );
    assert_eq!(lost["entry_points"][0], "sets.VersionedSet.isEmpty()");
    let closest = &lost["closest"];
    assert_eq!(closest["distance"], 2);
    let test = closest["test"].as_str().unwrap();
    assert!(test.contains("HaveAnEmptyIntersection"), "{test}");

    let same = &find("equals", "no-infection")["unvaried"][0];
    assert_eq!(
        (&same["role"], &same["value"]),
        (&Value::from("result"), &Value::from("true"))
    );

    // What the method does not read makes no difference: it is not asked to vary.
    let unvaried = find("equals", "no-infection")["unvaried"].as_array();
    let fields = unvaried.unwrap().iter().map(|each| each["field"].clone());
    let elements = Value::from("elements");
    let expected = [Value::Null, elements.clone(), elements];
    assert_eq!(fields.collect::<Vec<_>>(), expected);

    assert_eq!(
        symptoms(&explained(&sample, &["--only", "no-infection"])).len(),
        2
    );
    assert_eq!(
        symptoms(&explained(&sample, &["--mutant", "isEmpty()Z#true"])),
        ["isEmpty true no-propagation"]
    );
}

#[test]
fn classic_mutants_are_explained_too() {
    let sample = tried("versioned_set");
    let explanations = explained(&sample, &["--engine", "classic"]);
    let symptoms = symptoms(&explanations);
    for one in [
        "add void_calls weak-oracle",
        "contains false_returns no-infection",
        "getVersion primitive_returns not-reached",
        "isEmpty negate_conditionals no-propagation",
    ] {
        assert!(symptoms.contains(&one.to_owned()), "{symptoms:?}");
    }
    let weak = explanations.iter().find(|each| each["operator"] == "math");
    assert_eq!(
        weak.unwrap()["exposures"][0]["assertion"]["text"],
        "assertEquals(1L, set.getVersion());"
    );
}

#[test]
fn assertions_are_left_to_the_last_stage() {
    let sample = tried("versioned_set");
    let arguments = ["explain", "--stage", "propagation", "--runs", "4"];
    let arguments = [&arguments[..], &["--format", "json"]].concat();
    let answer = run(&mut jury(&sample, &arguments)).exits(1).json();
    assert_eq!(answer["runs"], 4);
    let explanations = answer["explanations"].as_array().unwrap();
    assert_eq!(
        symptoms(explanations),
        [
            "equals true no-infection",
            "incrementVersion void weak-oracle",
            "isEmpty false no-infection",
            "isEmpty true no-propagation",
        ]
    );
    let weak = explanations
        .iter()
        .find(|each| each["symptom"] == "weak-oracle");
    let exposure = &weak.unwrap()["exposures"][0];
    assert_eq!(
        (&exposure["field"], &exposure["assertion"]),
        (&"version".into(), &Value::Null)
    );
}

#[test]
fn each_test_shows_one_place_and_all_on_request() {
    let sample = tried("versioned_set");
    let places = |arguments: &[&str]| {
        let weak = [&["--only", "weak-oracle"], arguments].concat();
        let explanations = explained(&sample, &weak);
        let exposures = explanations[0]["exposures"].as_array().unwrap().iter();
        let place =
            |one: &Value| format!("{} {}", one["line"], one["expression"].as_str().unwrap());
        let mut places: Vec<String> = exposures.map(place).collect();
        places.sort();
        places
    };
    assert_eq!(places(&[]), ["13 set", "27 one"]);
    assert_eq!(places(&["--every-place"]), ["13 set", "27 one", "27 two"]);
}

#[test]
fn proven_assertions_are_written_and_notice_the_mutant() {
    let sample = tried("versioned_set");
    let before = sample.beside("before.json");
    let before = before.to_str().expect("a plain path");
    let arguments = ["explain", "--format", "json", "--output", before, "--apply"];
    let ran = run(&mut jury(&sample, &arguments)).exits(1);
    assert!(
        ran.stdout
            .contains("changed src/test/java/sets/VersionedSetTest.java"),
        "{}",
        ran.stdout
    );
    succeed(&mut jury(&sample, &["test", "--", "mvn", "-q", "test"]));
    let ran = run(&mut jury(&sample, &["explain", "--verify", before])).exits(1);
    assert!(
        ran.stdout
            .contains("1 of 1 weak-oracle, 0 of 1 no-propagation"),
        "{}",
        ran.stdout
    );
    let left = symptoms(&explained(&sample, &[]));
    assert_eq!(left.len(), 3, "{left:?}");
    assert!(
        left.iter().all(|each| !each.contains("weak-oracle")),
        "{left:?}"
    );
}

#[test]
fn symptoms_are_told_in_prose() {
    let sample = tried("versioned_set");
    let ran = run(&mut jury(&sample, &["explain"])).exits(1);
    for sentence in [
        "weak-oracle sets.VersionedSet#incrementVersion",
        "field `version` of `set` (sets.VersionedSet) is 0L; the original gives 1L",
        "no-propagation sets.VersionedSet#isEmpty",
        "the result is true; the original gives false",
        "In all calls: the result was true",
        "1 weak-oracle, 1 no-propagation, 2 no-infection",
    ] {
        assert!(ran.stdout.contains(sentence), "{sentence}\n{}", ran.stdout);
    }
}

#[test]
fn each_style_gets_its_assertion_proven() {
    let sample = tried("weak_oracles");
    let explanations = explained(&sample, &["Stall"]);
    let mut proven: Vec<String> = explanations
        .iter()
        .filter_map(|each| {
            let exposures = each["exposures"].as_array().unwrap();
            let text = exposures.first()?["assertion"]["text"].as_str()?;
            Some(format!("{} {text}", each["method"].as_str().unwrap()))
        })
        .collect();
    proven.sort();
    assert_eq!(
        proven,
        [
            "greet org.testng.Assert.assertEquals(stall.visitors(), 1L);",
            "pack Assertions.assertEquals(1, stall.basket().size());",
            "pick assertEquals(1, stall.apples());",
            "raiseShutter assertThat(stall.isOpen()).isTrue();",
            "repaint assertThat(stall.sign(), org.hamcrest.CoreMatchers.is(\"Fruit!\"));",
            "weigh assertEquals(1.5, stall.weight(), 0);",
        ]
    );
    assert!(
        symptoms(&explanations).contains(&"sell void no-infection".to_owned()),
        "{:?}",
        symptoms(&explanations)
    );
    let known_by_its_interface = explained(&sample, &["--mutant", "#spin()"]);
    assert_eq!(
        known_by_its_interface[0]["exposures"][0]["assertion"]["text"],
        "Assertions.assertEquals(1, ride.rounds());"
    );
    let deeper = explained(&sample, &["--depth", "2", "--mutant", "#sell()"]);
    assert_eq!(symptoms(&deeper), ["sell void weak-oracle"]);
    assert_eq!(
        deeper[0]["exposures"][0]["assertion"]["text"],
        "Assertions.assertEquals(3, stall.till().coins());"
    );
}

#[test]
fn a_generic_class_of_tests_and_one_within_it_get_their_assertions() {
    let sample = tried("weak_oracles");
    let explanations = explained(&sample, &["Crate"]);
    let mut told: Vec<String> = explanations
        .iter()
        .map(|each| {
            let exposure = &each["exposures"][0];
            let assertion = &exposure["assertion"]["text"];
            format!("{} {} {assertion}", each["method"], exposure["test"])
        })
        .collect();
    told.sort();
    assert_eq!(
        told,
        [
            r#""put" "market.CrateTests#takesFruit" "Assertions.assertEquals(1, crate.count());""#,
            r#""shut" "market.CrateTests$Full#isShut" "Assertions.assertEquals(-1, crate.count());""#,
        ]
    );
}

#[test]
fn an_assertion_in_a_parameterised_test_names_the_invocation_it_holds_for() {
    let sample = tried("weak_oracles");
    let explanations = explained(&sample, &["Tag"]);
    assert_eq!(
        symptoms(&explanations),
        ["of \"\" weak-oracle", "of \"A\" weak-oracle"]
    );
    for each in explanations {
        assert_eq!(
            each["exposures"][0]["assertion"]["text"],
            "if (\"apple\".equals(fruit)) Assertions.assertEquals(\"apple 50p\", text);"
        );
    }
}

#[test]
fn a_long_text_is_asserted_by_its_length_and_an_exception_by_its_message() {
    let sample = tried("weak_oracles");
    let asserted = |mutant: &str| {
        let explanations = explained(&sample, &["--mutant", mutant]);
        let texts = explanations.iter().map(|each| {
            let assertion = &each["exposures"][0]["assertion"]["text"];
            assertion.as_str().unwrap_or_default().to_owned()
        });
        texts.collect::<Vec<_>>()
    };
    let length = "Assertions.assertEquals(990, text.length());";
    assert_eq!(asserted("#print()"), [length, length]);
    let thrown = "Assertions.assertThrows(IllegalStateException.class, () -> Leaflet.take(0))";
    let message = format!("Assertions.assertEquals(\"0 leaflets left\", {thrown}.getMessage());");
    assert!(asserted("#reason(I)").contains(&message));
}

#[test]
fn what_a_helper_sees_is_asserted_where_it_was_called() {
    let sample = tried("weak_oracles");
    let explanations = explained(&sample, &["--mutant", "Label#write("]);
    assert_eq!(
        explanations[0]["exposures"][0]["assertion"]["text"],
        "Assertions.assertEquals(\"fresh: apples\", apples.toString());"
    );
}

#[test]
fn what_holds_here_or_today_only_is_not_asserted() {
    let sample = tried("weak_oracles");
    let mutants = [
        "#day()",
        "#place()",
        "#year()I#0",
        "#printers()I#0",
        "#depth()I#0",
    ];
    let asked: Vec<&str> = mutants
        .iter()
        .flat_map(|each| ["--mutant", *each])
        .collect();
    let explanations = explained(&sample, &asked);
    let mut told: Vec<String> = explanations
        .iter()
        .map(|each| {
            let assertion = &each["exposures"][0]["assertion"];
            format!("{} {} {assertion}", each["method"], each["local"])
        })
        .collect();
    told.sort();
    let (day, place) = ("\"day\" true null", "\"place\" true null");
    let (printers, year) = ("\"printers\" true null", "\"year\" true null");
    let depth = "\"depth\" true null";
    assert_eq!(told, [day, day, depth, place, place, printers, year]);
}

#[test]
fn what_a_warm_jvm_remembers_hides_no_mutant() {
    let sample = tried("weak_oracles");
    let explanations = explained(&sample, &["PriceList", "-j", "1"]);
    let symptoms = symptoms(&explanations);
    for one in [
        "workOut 0 weak-oracle",
        "workOut 1 weak-oracle",
        // What a mutant of `workOut` leaves behind hides none, either.
        "isCheap false no-infection",
        "isCheap true weak-oracle",
    ] {
        assert!(symptoms.contains(&one.to_owned()), "{symptoms:?}");
    }
    let own = explanations
        .iter()
        .filter(|each| each["method"] == "workOut");
    for each in own {
        let assertion = &each["exposures"][0]["assertion"]["text"];
        assert_eq!(assertion, "Assertions.assertEquals(50, price);");
    }
}

#[test]
fn what_alternates_from_run_to_run_is_no_weak_oracle() {
    let sample = Sample::copy("versioned_set");
    sample.edit(
        "src/test/java/sets/VersionedSetTest.java",
        "VersionedSet common = one.intersect(two);",
        "VersionedSet common = one.intersect(two);
        boolean turn = ticked = !ticked;",
    );
    sample.edit(
        "src/test/java/sets/VersionedSetTest.java",
        "public class VersionedSetTest {",
        "public class VersionedSetTest {
    static boolean ticked;
",
    );
    succeed(&mut jury(&sample, &["test", "--", "mvn", "-q", "test"]));
    assert_eq!(
        symptoms(&explained(&sample, &["--mutant", "isEmpty()Z#true"])),
        ["isEmpty true no-propagation"]
    );
}

#[test]
fn a_test_too_long_to_be_watched_is_named_in_place_of_a_verdict() {
    let sample = Sample::copy("versioned_set");
    let more = "turns = turns + one.size();\n".repeat(5_000);
    sample.edit(
        "src/test/java/sets/VersionedSetTest.java",
        "assertFalse(common.contains(2));",
        &format!("assertFalse(common.contains(2));\nint turns = 0;\n{more}"),
    );
    succeed(&mut jury(&sample, &["test", "--", "mvn", "-q", "test"]));
    let explanations = explained(&sample, &["--mutant", "isEmpty()Z#true"]);
    assert_eq!(symptoms(&explanations), ["isEmpty true no-propagation"]);
    let method = "sets.VersionedSetTest.setsWithoutACommonElementHaveAnEmptyIntersection";
    assert_eq!(explanations[0]["gaps"]["code"], Value::from(vec![method]));
    let caveat = format!("`{method}` is not watched in full: the code would exceed 65535 bytes");
    assert_eq!(explanations[0]["caveats"][0], caveat);
    let trigger = &explanations[0]["infection"]["trigger"];
    assert_eq!(trigger["line"], 27);
    assert_eq!(
        trigger["statement"],
        "VersionedSet common = one.intersect(two);"
    );
}

#[test]
fn the_page_shows_each_explanation_beside_its_mutant() {
    let sample = tried("versioned_set");
    let page = sample.beside("explained.html");
    let output = page.to_str().expect("a plain path");
    let arguments = ["explain", "--format", "html", "--output", output];
    run(&mut jury(&sample, &arguments)).exits(1);
    let (dom, complaints) = browse(&sample, &page, "", "--dump-dom");
    assert_eq!(complaints, "");
    assert_eq!(dom.matches("<details class=\"why\"").count(), 4, "{dom}");
    for part in [
        "<strong>weak-oracle</strong>",
        "<ins>+        assertEquals(1L, set.getVersion());</ins>",
        "<li><code>sets.VersionedSet.intersect:",
    ] {
        assert!(dom.contains(part), "no `{part}` in {dom}");
    }
    for (format, sign) in [
        ("markdown", "### Jury: why 4 mutants went unnoticed"),
        ("sarif", "\"ruleId\": \"no-propagation\""),
    ] {
        let ran = run(&mut jury(&sample, &["explain", "--format", format])).exits(1);
        assert!(ran.stdout.contains(sign), "{format}: {}", ran.stdout);
    }
}

#[test]
fn a_symptom_that_does_not_exist_is_refused() {
    let sample = Sample::empty("anywhere");
    let ran = run(&mut jury(&sample, &["explain", "--only", "boredom"])).exits(2);
    assert!(
        ran.stderr.contains("known are weak-oracle"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_is_no_earlier_answer_is_refused() {
    let sample = Sample::empty("anywhere");
    sample.write("diary.txt", "private");
    let ran = run(&mut jury(&sample, &["explain", "--verify", "diary.txt"])).exits(2);
    assert!(
        ran.stderr.contains("`diary.txt` is no answer"),
        "{}",
        ran.stderr
    );
}

/// A base class of tests, which two classes inherit with other values.
fn with_shelves(sample: &Sample) {
    sample.write(
        "src/main/java/market/Shelf.java",
        "package market;
public class Shelf {
    private int count;
    private String label;
    public void fill(int room) { count += room; }
    public int count() { return count; }
    public void mark(String text) { label = text.trim(); }
    public String label() { return label; }
}
",
    );
    let contract = "package market;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
abstract class ShelfContract {
    abstract int room();
    @Test
    void fills() {
        Shelf shelf = new Shelf();
        shelf.fill(room());
        shelf.mark(\"full\");
        Assertions.assertNotNull(shelf);
    }
}
";
    let contract = contract.replace('\n', "\r\n");
    sample.write("src/test/java/market/ShelfContract.java", &contract);
    for (name, room) in [("Small", 1), ("Large", 2)] {
        let class = format!(
            "package market;
class {name}ShelfTests extends ShelfContract {{
    int room() {{ return {room}; }}
}}
"
        );
        sample.write(
            &format!("src/test/java/market/{name}ShelfTests.java"),
            &class,
        );
    }
}

#[test]
fn an_assertion_in_a_base_class_holds_in_every_class_that_inherits_it() {
    let sample = Sample::copy("weak_oracles");
    with_shelves(&sample);
    let test = || succeed(&mut jury(&sample, &["test", "--", "mvn", "-q", "test"]));
    test();
    let stage = ["Shelf", "--stage", "infection"];
    assert_eq!(
        symptoms(&explained(&sample, &stage)),
        ["fill void infected", "mark void infected"]
    );

    let answer = sample.beside("shelves.json");
    let answer = answer.to_str().expect("a plain path");
    let format = ["--format", "json", "--output", answer];
    let arguments = [&["explain", "Shelf", "--apply"], &format[..]].concat();
    run(&mut jury(&sample, &arguments)).exits(1);
    let written = std::fs::read_to_string(answer).unwrap();
    let written: Value = serde_json::from_str(&written).unwrap();
    let mut asserted: Vec<String> = (written["explanations"].as_array().unwrap().iter())
        .map(|each| {
            format!(
                "{} {}",
                each["method"], each["exposures"][0]["assertion"]["text"]
            )
        })
        .collect();
    asserted.sort();
    let marked = r#""mark" "Assertions.assertNotNull(shelf.label());""#;
    assert_eq!(asserted, [r#""fill" null"#, marked]);
    let contract = sample
        .path()
        .join("src/test/java/market/ShelfContract.java");
    let contract = std::fs::read_to_string(contract).unwrap();
    assert!(contract.contains("shelf.label());\r\n"), "{contract}");
    assert_eq!(
        contract.matches('\n').count(),
        contract.matches("\r\n").count()
    );

    // It holds in both classes. The mutants are made by the engine that made them.
    test();
    let verify = ["explain", "--engine", "classic", "--verify", answer];
    let ran = run(&mut jury(&sample, &verify)).exits(1);
    assert!(
        ran.stdout.contains("solved: 1 of 2 weak-oracle"),
        "{}",
        ran.stdout
    );
}
