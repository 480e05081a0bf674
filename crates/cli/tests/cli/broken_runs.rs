//! Runs that come to no good end leave nothing that looks clean: what ran in them runs again.

use std::process::{Command, Stdio};

use jury_testkit::{Jdk, Pipe, Sample, run};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::JURY;
use crate::script_build::{BUILD, demo};

const POSTAGE: &str = "src/main/java/teashop/Postage.java";
const MONEY_TESTS: &str = "src/test/java/teashop/MoneyTests.java";
const KILOGRAMS: &str = "(grams + 999) / 1000";
const SAME_KILOGRAMS: &str = "(grams - 1) / 1000 + 1";

/// A test that waits if it is given a pipe, into which it writes what process it is in.
fn waiting(class: &str) -> String {
    format!(
        "package teashop;
        class {class} {{
            @org.junit.jupiter.api.Test void waits() throws Exception {{
                String pipe = System.getenv(\"TEA_PIPE\");
                if (pipe == null) return;
                try (var out = new java.io.FileWriter(pipe)) {{
                    out.write(ProcessHandle.current().pid() + \"\\n\");
                    out.flush();
                    new java.util.concurrent.CountDownLatch(1).await();
                }}
            }}
        }}"
    )
}

/// The demo after a green run, with a test class that may wait at its place in the alphabet.
fn green_with(class: &str) -> Sample {
    let sample = demo();
    let path = format!("src/test/java/teashop/{class}.java");
    sample.write(&path, &waiting(class));
    assert_eq!(ran(&test(&sample, 0)).len(), 7);
    sample
}

fn jury(sample: &Sample, options: &[&str]) -> Command {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(["test", "--format", "json"]).args(options);
    command.args(BUILD);
    command
}

fn test(sample: &Sample, exit: i32) -> Value {
    run(&mut jury(sample, &[])).exits(exit).json()
}

/// Names of the test classes that ran, without their package.
fn ran(answer: &Value) -> Vec<&str> {
    let run = answer["selection"]["run"].as_array().expect("a list");
    run.iter()
        .map(|unit| unit["class"].as_str().expect("text"))
        .map(|class| class.trim_start_matches("teashop."))
        .collect()
}

enum Victim {
    Jury,
    TestJvm,
}

/// Sends a signal while the last test class waits and all others have passed; gives the exit code.
fn broken(sample: &Sample, victim: &Victim, signal: Signal) -> Option<i32> {
    let pipe = Pipe::create(sample.beside("pipe"));
    let mut command = jury(sample, &[]);
    command.env("TEA_PIPE", pipe.path());
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let jvm = pipe.wait_for_writer();
    let pid = match victim {
        Victim::Jury => i32::try_from(child.id()).expect("a process id"),
        Victim::TestJvm => jvm.parse().expect("a process id"),
    };
    kill(Pid::from_raw(pid), signal).expect("a running process");
    let status = child.wait().expect("an exit status");
    pipe.wait_for_end();
    status.code()
}

#[test]
fn classes_that_passed_in_a_jvm_that_was_killed_run_again() {
    let sample = green_with("WaitingTests");
    sample.edit(POSTAGE, KILOGRAMS, SAME_KILOGRAMS);
    let exit = broken(&sample, &Victim::TestJvm, Signal::SIGKILL);
    assert_eq!(exit, Some(1), "the test that waited has crashed");
    let again = test(&sample, 0);
    let affected = ["CheckoutTests", "PostageTests", "WaitingTests"];
    assert_eq!(ran(&again), affected, "{again}");
    assert_eq!(ran(&test(&sample, 0)), [""; 0]);
}

#[test]
fn classes_that_passed_before_an_interrupt_run_again() {
    let sample = green_with("WaitingTests");
    sample.edit(POSTAGE, KILOGRAMS, SAME_KILOGRAMS);
    let exit = broken(&sample, &Victim::Jury, Signal::SIGINT);
    assert_eq!(exit, Some(130));
    let again = test(&sample, 0);
    assert_eq!(ran(&again), ["CheckoutTests", "PostageTests"], "{again}");
    assert_eq!(ran(&test(&sample, 0)), [""; 0]);
}

#[test]
fn what_a_first_red_test_kept_from_running_runs_the_next_time() {
    // Between the red test and those that are not reached.
    let sample = green_with("NightTests");
    sample.edit(POSTAGE, KILOGRAMS, SAME_KILOGRAMS);
    sample.edit(MONEY_TESTS, "assertEquals(33,", "assertEquals(34,");
    let pipe = Pipe::create(sample.beside("pipe"));
    let mut stopped = jury(&sample, &["--fail-fast"]);
    let stopped = run(stopped.env("TEA_PIPE", pipe.path())).exits(1).json();
    assert_eq!(stopped["counts"]["failed"], 1, "{stopped}");
    assert!(!ran(&stopped).contains(&"PostageTests"), "{stopped}");

    sample.edit(MONEY_TESTS, "assertEquals(34,", "assertEquals(33,");
    let again = test(&sample, 0);
    let affected = ["CheckoutTests", "MoneyTests", "PostageTests"];
    assert_eq!(ran(&again), affected, "{again}");
    assert_eq!(ran(&test(&sample, 0)), [""; 0]);
}

#[test]
fn a_compile_error_after_a_green_run_leaves_the_edit_untested() {
    let sample = green_with("WaitingTests");
    sample.edit(POSTAGE, KILOGRAMS, &format!("{SAME_KILOGRAMS} oops"));
    let broken = test(&sample, 4);
    assert_eq!(ran(&broken), [""; 0]);
    assert_eq!(broken["selection"]["build_started"], true);
    sample.edit(POSTAGE, " oops", "");
    let mended = test(&sample, 0);
    assert_eq!(ran(&mended), ["CheckoutTests", "PostageTests"], "{mended}");
    assert_eq!(mended["selection"]["left_out_classes"], 5);
}
