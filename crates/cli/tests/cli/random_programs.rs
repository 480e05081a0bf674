//! Random programs with tests, random edits, and an audit after each: no test that an edit turns
//! red may be among those that would have been left out.
//!
//! `JURY_RANDOM_ROUNDS` says how many rounds to try, `JURY_RANDOM_SEED` where to begin; a failing
//! round names its seed. A round is many small programs at once, edited three times.

mod program;

use std::env;
use std::fmt::Write;
use std::fs;

use jury_testkit::{Jdk, Sample, run, succeed};
use program::{Dice, Program};
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
fn no_test_class_that_an_edit_turns_red_would_have_been_left_out() {
    rounds("class");
}

#[test]
fn no_test_method_that_an_edit_turns_red_would_have_been_left_out() {
    rounds("method");
}

fn rounds(granularity: &str) {
    let first = number("JURY_RANDOM_SEED").unwrap_or(1);
    let rounds = number("JURY_RANDOM_ROUNDS").unwrap_or(1);
    for seed in first..first + rounds {
        round(seed, granularity);
    }
}

fn round(seed: u64, granularity: &str) {
    let jdk = Jdk::any();
    let sample = Sample::empty("programs");
    let mut dice = Dice::new(seed);
    let mut programs: Vec<Program> = (0..PROGRAMS)
        .map(|number| Program::random(number, &mut dice))
        .collect();
    write_classes(&sample, &programs);
    compile(&sample, &jdk, "classes");
    write_tests(&sample, &jdk, &programs, granularity);
    compile(&sample, &jdk, "tests");
    jury(&sample, &jdk, "test", granularity, 0);

    let (mut left_out, mut red) = (0, 0);
    for edit in 1..=EDITS {
        // Half of them stay as they are, so that there is something to leave out.
        for program in &mut programs {
            if dice.chance(50) {
                program.edit(&mut dice);
            }
        }
        write_classes(&sample, &programs);
        compile(&sample, &jdk, "classes");
        let answer = jury_ending_anyhow(&sample, &jdk, granularity);
        let selection = &answer["selection"];
        let misses = selection["misses"].as_array().expect("a list");
        assert!(misses.is_empty(), "seed {seed}, edit {edit}: {misses:#?}");
        let audited = match granularity {
            "method" => "audited_methods",
            _ => "audited_classes",
        };
        left_out += selection[audited].as_u64().expect("a number");
        red += answer["counts"]["failed"].as_u64().expect("a number");
    }
    assert!(left_out > 0 && red > 0, "seed {seed} tries nothing");
}

fn write_classes(sample: &Sample, programs: &[Program]) {
    for program in programs {
        for (name, text) in program.sources() {
            write(sample, &format!("src/classes/{name}"), &text);
        }
    }
}

/// Tests expect what the program does now; later they show what an edit has changed.
fn write_tests(sample: &Sample, jdk: &Jdk, programs: &[Program], granularity: &str) {
    let mut oracle = String::from("public class Oracle { public static void main(String[] a) {\n");
    for program in programs {
        for expression in program.observed() {
            let _ = writeln!(oracle, "System.out.println({expression});");
        }
    }
    oracle.push_str("} }\n");
    write(sample, "src/oracle/Oracle.java", &oracle);
    compile(sample, jdk, "oracle");
    let mut java = sample.command("java", jdk);
    let said = succeed(java.args(["-cp", "target/classes:target/oracle", "Oracle"]));
    let mut values = said.stdout.lines();
    for program in programs {
        let tests = match granularity {
            "method" => program.test_methods(&mut values),
            _ => program.tests(&mut values),
        };
        for (name, text) in tests {
            write(sample, &format!("src/tests/{name}"), &text);
        }
    }
}

fn write(sample: &Sample, name: &str, text: &str) {
    let path = sample.path().join(name);
    fs::create_dir_all(path.parent().expect("a directory")).expect("a directory to write to");
    fs::write(path, text).expect("a writable file");
}

fn compile(sample: &Sample, jdk: &Jdk, kind: &str) {
    let mut sources = String::new();
    list(&sample.path().join("src").join(kind), &mut sources);
    write(sample, "target/sources.txt", &sources);
    let mut javac = sample.command("javac", jdk);
    javac.args(QUICKLY.map(|option| format!("-J{option}")));
    javac.args(["-nowarn", "-proc:none", "-cp"]);
    javac.arg(format!("{}:target/classes", library().display()));
    succeed(javac.args(["-d", &format!("target/{kind}"), "@target/sources.txt"]));
}

fn list(directory: &std::path::Path, sources: &mut String) {
    for entry in fs::read_dir(directory).expect("sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            list(&path, sources);
        } else {
            let _ = writeln!(sources, "{}", path.display());
        }
    }
}

fn jury(sample: &Sample, jdk: &Jdk, command: &str, granularity: &str, exit: i32) {
    run(&mut console(sample, jdk, command, granularity)).exits(exit);
}

fn jury_ending_anyhow(sample: &Sample, jdk: &Jdk, granularity: &str) -> Value {
    run(&mut console(sample, jdk, "audit", granularity)).json()
}

fn console(sample: &Sample, jdk: &Jdk, command: &str, granularity: &str) -> std::process::Command {
    let mut jury = sample.command(JURY, jdk);
    jury.args([command, "--granularity", granularity, "--format", "json"]);
    jury.args(["--", "java"]).args(QUICKLY).arg("-cp");
    let library = library();
    jury.arg(format!("{}:target/classes:target/tests", library.display()));
    jury.args(["org.junit.platform.console.ConsoleLauncher", "execute"]);
    jury.arg("--details=none");
    // A scan would look at every class before the first test, so that any edit counts for all.
    let tests = sample.path().join("src/tests");
    let mut sources = String::new();
    list(&tests, &mut sources);
    for source in sources.lines() {
        let inside = source.strip_prefix(tests.to_str().expect("a plain path"));
        let name = inside.and_then(|inside| inside.strip_suffix(".java"));
        let name = name.expect("a source of a test").trim_start_matches('/');
        jury.arg(format!("--select-class={}", name.replace('/', ".")));
    }
    jury
}
