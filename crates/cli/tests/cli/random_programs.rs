//! Random programs with tests, and random edits, held to the rules by which tools that select tests are
//! checked: the first run runs everything (R6); without an edit nothing runs (R5); an edit selects what it
//! turns red, whatever else it does (R1, R2), but not the tests of other programs, which it cannot reach
//! (R3, R4); and every program is run and understood (R7).
//!
//! `JURY_RANDOM_ROUNDS` says how many rounds to try, `JURY_RANDOM_SEED` where to begin; a failing
//! round names its seed. A round is many small programs at once, edited three times.

mod dice;
mod program;

use std::collections::BTreeSet;
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use dice::Dice;
use jury_testkit::{Jdk, Sample, run, succeed};
use program::Program;
use serde_json::Value;

use crate::JURY;
use crate::script_build::library;

/// JVMs are gone before a better compiler pays.
const QUICKLY: [&str; 2] = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
const PROGRAMS: usize = 40;
const EDITS: usize = 3;

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}

#[test]
fn random_edits_select_the_test_classes_that_they_turn_red_and_none_that_they_cannot_reach() {
    rounds(Granularity::Class);
}

#[test]
fn random_edits_select_the_test_methods_that_they_turn_red_and_none_that_they_cannot_reach() {
    rounds(Granularity::Method);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Granularity {
    Class,
    Method,
}

impl Granularity {
    fn name(self) -> &'static str {
        match self {
            Granularity::Class => "class",
            Granularity::Method => "method",
        }
    }
}

fn rounds(granularity: Granularity) {
    let first = number("JURY_RANDOM_SEED").unwrap_or(1);
    let rounds = number("JURY_RANDOM_ROUNDS").unwrap_or(1);
    for seed in first..first + rounds {
        round(seed, granularity);
    }
}

fn round(seed: u64, granularity: Granularity) {
    let mut dice = Dice::new(seed);
    let mut programs: Vec<Program> = (0..PROGRAMS)
        .map(|number| Program::random(number, &mut dice))
        .collect();
    let bench = Bench {
        sample: Sample::empty("programs"),
        jdk: Jdk::any(),
        granularity,
    };
    bench.write_programs(&programs);
    let expected = bench.values(&programs);
    bench.write_tests(&programs, &expected);

    let answer = bench.jury("test");
    let tests: usize = programs.iter().map(Program::count_tests).sum();
    assert_eq!(answer["counts"]["passed"], tests, "seed {seed}: {answer:#}");
    assert!(is_empty(&answer["notices"]), "seed {seed}: {answer:#}");
    let answer = bench.jury("test");
    let selection = &answer["selection"];
    assert!(is_empty(&selection["run"]), "seed {seed}: {selection:#}");

    let (mut left_out, mut red) = (0, BTreeSet::new());
    for edit in 1..=EDITS {
        let before = programs.clone();
        // Half of them stay as they are, so that there is something to leave out.
        for program in &mut programs {
            if dice.chance(50) {
                program.edit(&mut dice);
            }
        }
        bench.write_programs(&programs);
        bench.write_tests(&programs, &expected);
        let reachable: BTreeSet<String> = (programs.iter().zip(&before))
            // A class that has lost its tests is waited for until a build is green.
            .filter(|(after, before)| after != before || after.has_empty_class())
            .map(|(after, _)| after.package())
            .chain(red)
            .collect();
        let mut needless = bench.would_run();
        needless.retain(|unit| !reachable.contains(&package(&unit["class"])));
        assert!(
            needless.is_empty(),
            "seed {seed}, edit {edit}: {needless:#?}"
        );

        let answer = bench.jury("audit");
        let selection = &answer["selection"];
        let misses = &selection["misses"];
        assert!(is_empty(misses), "seed {seed}, edit {edit}: {misses:#}");
        let audited = match granularity {
            Granularity::Method => "audited_methods",
            Granularity::Class => "audited_classes",
        };
        left_out += selection[audited].as_u64().expect("a number");
        let now_red = answer["red"].as_array().expect("a list").iter();
        red = now_red.map(|test| package(&test["label"])).collect();
    }
    assert!(left_out > 0 && !red.is_empty(), "seed {seed} tries nothing");
}

/// A project of many programs.
struct Bench {
    sample: Sample,
    jdk: Jdk,
    granularity: Granularity,
}

impl Bench {
    fn write_programs(&self, programs: &[Program]) {
        self.clear("src/classes");
        self.clear("target/classes");
        for program in programs {
            for (name, text) in program.sources() {
                self.write(&format!("src/classes/{name}"), &text);
            }
        }
        self.compile("classes");
        for program in programs {
            for (name, content) in program.resources() {
                self.write_or_remove(&format!("target/classes/{name}"), content);
            }
            for (name, content) in program.files() {
                self.write_or_remove(&format!("data/{name}"), content);
            }
        }
    }

    /// What all tests see now, which they expect from then on; so they show what an edit has changed.
    fn values(&self, programs: &[Program]) -> Vec<String> {
        let mut all =
            String::from("public class Oracle { public static void main(String[] arguments) {\n");
        for program in programs {
            let (name, text) = program.oracle();
            self.write(&format!("src/oracle/{name}"), &text);
            let _ = writeln!(all, "{}.Oracle.print();", program.package());
        }
        all.push_str("} }\n");
        self.write("src/oracle/Oracle.java", &all);
        self.compile("oracle");
        let mut java = self.sample.command("java", &self.jdk);
        let said = succeed(java.args(["-cp", "target/classes:target/oracle", "Oracle"]));
        said.stdout.lines().map(str::to_owned).collect()
    }

    fn write_tests(&self, programs: &[Program], values: &[String]) {
        let mut values = values.iter().map(String::as_str);
        for program in programs {
            let tests = match self.granularity {
                Granularity::Class => program.tests(&mut values),
                Granularity::Method => program.test_methods(&mut values),
            };
            for (name, text) in tests {
                self.write(&format!("src/tests/{name}"), &text);
            }
        }
        self.compile("tests");
    }

    /// Tests that would run now, with why.
    fn would_run(&self) -> Vec<Value> {
        let answer = self.jury("why");
        let mut units = answer["units"].as_array().expect("a list").clone();
        units.retain(|unit| unit["would_run"] == true);
        units
    }

    fn jury(&self, command: &str) -> Value {
        let mut jury = self.sample.command(JURY, &self.jdk);
        let granularity = self.granularity.name();
        jury.args([command, "--granularity", granularity, "--format", "json"]);
        if command != "why" {
            self.tests_by_console(&mut jury);
        }
        run(&mut jury).json()
    }

    fn tests_by_console(&self, jury: &mut Command) {
        jury.args(["--", "java"]).args(QUICKLY).arg("-cp");
        let library = library();
        jury.arg(format!("{}:target/classes:target/tests", library.display()));
        jury.args(["org.junit.platform.console.ConsoleLauncher", "execute"]);
        jury.arg("--details=none");
        // A scan would look at every class before the first test, so that any edit counts for all.
        let tests = self.sample.path().join("src/tests");
        for source in sources(&tests) {
            let inside = source.strip_prefix(tests.to_str().expect("a plain path"));
            let name = inside.and_then(|inside| inside.strip_suffix(".java"));
            let name = name.expect("a source of a test").trim_start_matches('/');
            jury.arg(format!("--select-class={}", name.replace('/', ".")));
        }
    }

    fn compile(&self, kind: &str) {
        let sources = sources(&self.sample.path().join("src").join(kind));
        self.write("target/sources.txt", sources.join("\n"));
        let mut javac = self.sample.command("javac", &self.jdk);
        javac.args(QUICKLY.map(|option| format!("-J{option}")));
        javac.args(["-nowarn", "-proc:none", "-cp"]);
        javac.arg(format!("{}:target/classes", library().display()));
        succeed(javac.args(["-d", &format!("target/{kind}"), "@target/sources.txt"]));
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.sample.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory to write to");
        fs::write(path, content).expect("a writable file");
    }

    fn write_or_remove(&self, name: &str, content: Option<u8>) {
        match content {
            Some(content) => self.write(name, [content]),
            None => drop(fs::remove_file(self.sample.path().join(name))),
        }
    }

    fn clear(&self, directory: &str) {
        drop(fs::remove_dir_all(self.sample.path().join(directory)));
    }
}

fn sources(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else {
            found.push(path.display().to_string());
        }
    }
    found.sort();
    found
}

fn is_empty(list: &Value) -> bool {
    list.as_array().expect("a list").is_empty()
}

fn package(class: &Value) -> String {
    let class = class.as_str().expect("a class name");
    class.split('.').next().unwrap_or_default().to_owned()
}
