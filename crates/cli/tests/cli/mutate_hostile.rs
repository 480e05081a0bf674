//! `jury mutate` on code that stands in the way of a right verdict. The sources say what becomes of
//! each mutant, in a comment above its method: `// expect: 0 killed, 1 survived` or `stop synthetic`.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jury_testkit::{Jdk, Sample, jdks, run, succeed};
use serde_json::Value;

use crate::JURY;

const CODE: &str = "src/main/java/siege";

fn jury(sample: &Sample, jdk: &Jdk, arguments: &[&str]) -> Command {
    let mut command = sample.command(JURY, jdk);
    command.args(arguments);
    command
}

fn watch(sample: &Sample, jdk: &Jdk, maven: &[&str]) {
    let build = ["test", "--", "mvn", "-q"];
    succeed(&mut jury(sample, jdk, &[&build, maven].concat()));
}

fn mutate(sample: &Sample, jdk: &Jdk, arguments: &[&str], exit: i32) -> Value {
    let all = [&["mutate", "--format", "json"], arguments].concat();
    run(&mut jury(sample, jdk, &all)).exits(exit).json()
}

fn sources(sample: &Sample) -> Vec<PathBuf> {
    let files = fs::read_dir(sample.path().join(CODE)).expect("the sources");
    files.map(|file| file.expect("an entry").path()).collect()
}

/// `Gate#step 0 killed` and the like, as the sources of the sample have it.
fn expected(sample: &Sample) -> Vec<String> {
    let files = sources(sample);
    let mut lines: Vec<String> = files.iter().flat_map(|file| expected_in(file)).collect();
    lines.sort();
    lines
}

fn expected_in(file: &Path) -> Vec<String> {
    let class = file.file_stem().expect("a name").to_str().expect("text");
    let text = fs::read_to_string(file).expect("a readable source");
    let mut fates = "";
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(expected) = line.strip_prefix("// expect: ") {
            fates = expected;
        } else if let Some((declaration, _)) = line.split_once('(')
            && !fates.is_empty()
        {
            let method = declaration.rsplit(' ').next().expect("a name");
            lines.extend(
                fates
                    .split(", ")
                    .map(|fate| format!("{class}#{method} {fate}")),
            );
            fates = "";
        }
    }
    lines
}

/// The same as Jury has it.
fn found(answer: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for method in answer["methods"].as_array().expect("a list") {
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let class = text(&method["class"]).replace("siege.", "");
        let name = format!("{class}#{}", text(&method["method"]));
        match method["stop"].as_str() {
            Some("constructor" | "clinit" | "getter" | "lambda") | None => {}
            Some(reason) => lines.push(format!("{name} stop {reason}")),
        }
        for mutant in method["mutants"].as_array().expect("a list") {
            let operator = text(&mutant["operator"]);
            let verdict = text(&mutant["verdict"]);
            if verdict == "skipped" {
                assert_ne!(text(&mutant["reason"]), "", "{mutant}");
            }
            lines.push(format!("{name} {operator} {verdict}"));
        }
    }
    lines.sort();
    lines
}

#[test]
fn hostile_code_gets_right_verdicts() {
    for jdk in jdks() {
        let sample = Sample::copy("hostile");
        let expected = expected(&sample);
        assert!(expected.len() > 40, "{expected:?}");
        watch(&sample, &jdk, &["test"]);
        let first = mutate(&sample, &jdk, &[], 1);
        assert_eq!(found(&first), expected);
        assert_eq!(first["unreliable"], serde_json::json!([]));
        // Both tests of a class notice what is looked at only after the last of them.
        let matrix = mutate(&sample, &jdk, &["Walls", "--matrix"], 0);
        let moat = matrix["methods"].as_array().expect("a list").iter();
        let mut moat = moat.filter(|method| method["method"] == "moat");
        let killing = &moat.next().expect("the method")["mutants"][0]["killing"];
        assert_eq!(killing.as_array().map(Vec::len), Some(2), "{killing}");

        // Without line numbers and sources.
        let javac = jdk.home.join("bin/javac");
        let javac = javac.to_str().expect("a plain path");
        let options = ["-g:none", "--release", "17", "-encoding", "UTF-8", "-d"];
        let mut compile = sample.command(javac, &jdk);
        compile.args(options).arg("target/classes");
        succeed(compile.args(sources(&sample)));
        fs::rename(sample.path().join("src"), sample.beside("src")).expect("a new place");
        let bare = mutate(&sample, &jdk, &["--fresh", "--jobs", "1"], 1);
        let methods = bare["methods"].as_array().expect("a list");
        assert!(methods.iter().all(|method| method["line"].is_null()));
        assert!(methods.iter().all(|method| method["path"].is_null()));
        assert_eq!(found(&bare), expected);
    }
}

/// A method that has the statement as often as it takes to fill so many bytes, at so many each.
fn long_method(expected: &str, name: &str, statement: &str, each: usize, bytes: usize) -> String {
    let mut code = format!("  // expect: {expected}\n  static int {name}(int x) {{\n");
    for _ in 0..bytes / each {
        code.push_str(statement);
        code.push('\n');
    }
    code.push_str("  return x;\n  }\n");
    code
}

#[test]
fn methods_and_classes_near_the_limits_of_class_files_get_right_verdicts() {
    let sample = Sample::copy("hostile");
    let write = |file: &str, text: &str| {
        fs::write(sample.path().join(file), text).expect("a writable file");
    };
    // Eight bytes of code each: iload, bipush, imul, bipush, iadd, istore.
    let step = "x = x * 31 + 7;";
    // Twelve, and three more for each jump back that is to be counted.
    let jump = "while (x > 99) x -= 99;";
    let huge = [
        "package siege;\nfinal class Huge {\n",
        &long_method("stop huge", "full", step, 8, 65_000),
        &long_method("0 killed, 1 killed", "large", step, 8, 50_000),
        &long_method("0 skipped, 1 skipped", "winding", jump, 12, 63_900),
        // So far a jump back that it takes four bytes to say.
        &long_method("0 killed, 1 killed", "looping", step, 8, 50_000)
            .replacen("(int x) {", "(int x) { for (int i = 0; i < 3; i++) {", 1)
            .replace("  return x;", "  }\n  return x;"),
        "}\n",
    ]
    .concat();
    write(&format!("{CODE}/Huge.java"), &huge);
    // Three constants each, of 65,534 that there can be. There is room for Jury's probes, not for its
    // switches.
    let mut crowded = String::from("package siege;\nfinal class Crowded {\n");
    for field in 2..21_837 {
        writeln!(crowded, "static final long a{field} = {field};").expect("text");
    }
    crowded.push_str(
        "  // expect: 0 skipped, 1 skipped\n  static int one(int x) { return x + 7; }\n}\n",
    );
    write(&format!("{CODE}/Crowded.java"), &crowded);
    write(
        "src/test/java/siege/HugeTests.java",
        "package siege;
         import static org.junit.jupiter.api.Assertions.assertEquals;
         import org.junit.jupiter.api.Test;
         class HugeTests {
             static int steps(int x, int count) {
                 for (int i = 0; i < count; i++) x = x * 31 + 7;
                 return x;
             }
             @Test void large() {
                 assertEquals(steps(1, 50_000 / 8), Huge.large(1));
                 assertEquals(steps(1, 3 * (50_000 / 8)), Huge.looping(1));
             }
             @Test void winding() {
                 assertEquals(steps(1, 65_000 / 8), Huge.full(1));
                 assertEquals(2, Huge.winding(101));
                 assertEquals(9, Crowded.one(2));
             }
         }",
    );
    let jdk = Jdk::any();
    watch(&sample, &jdk, &["test", "-Dtest=HugeTests"]);
    let about = ["Huge", "Crowded"];
    let mut expected = expected(&sample);
    expected.retain(|line| about.iter().any(|class| line.starts_with(class)));
    let arguments = ["mutate", "Huge", "Crowded", "--format", "json"];
    let first = run(&mut jury(&sample, &jdk, &arguments)).exits(0).json();
    assert_eq!(found(&first), expected);
    // What could not be rewritten is known from the class that is loaded, and from memory.
    let again = run(&mut jury(&sample, &jdk, &arguments)).exits(0).json();
    assert_eq!(found(&again), expected);
}
