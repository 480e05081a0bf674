//! What can be typed, and which setting wins.

use std::process::Command;

use jury_testkit::{Jdk, Pipe, Sample, run};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::JURY;

fn jury(sample: &Sample, arguments: &[&str]) -> Command {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(arguments);
    command
}

#[test]
fn help_teaches_with_examples() {
    let sample = Sample::empty("anywhere");
    let commands = [
        "test",
        "replay",
        "flaky",
        "tests",
        "mutate",
        "explain",
        "doctor",
        "clean",
        "demo",
        "completions",
    ];
    let pages = [&["--help"][..]].into_iter().map(<[_]>::to_vec);
    let pages = pages.chain(commands.iter().map(|command| vec![*command, "--help"]));
    for arguments in pages {
        let page = run(&mut jury(&sample, &arguments)).exits(0);
        insta::assert_snapshot!(arguments.join("_").replace("--", ""), page.stdout);
    }
}

#[test]
fn every_command_says_what_it_does() {
    let sample = Sample::empty("anywhere");
    let page = run(&mut jury(&sample, &["--help"])).exits(0).stdout;
    let commands = page.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = commands.take_while(|line| !line.is_empty()).collect();
    assert!(!commands.is_empty());
    for command in commands {
        assert!(command.split_whitespace().count() > 1, "{command}");
    }
}

#[test]
fn completions_know_the_commands_in_every_shell() {
    let sample = Sample::empty("anywhere");
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&mut jury(&sample, &["completions", shell]))
            .exits(0)
            .stdout;
        assert!(script.contains("replay"), "{shell}");
    }
}

#[test]
fn nonsense_is_wrong_usage() {
    let sample = Sample::empty("anywhere");
    for arguments in [
        &["--no-such-flag"][..],
        &["retry"],
        &["replay", "--env", "NAME"],
        &[],
    ] {
        run(&mut jury(&sample, arguments)).exits(2);
    }
}

#[test]
fn a_flag_beats_the_environment_which_beats_the_file() {
    let sample = Sample::empty("settings");
    let made = |name: &str| sample.path().join(name).join("evidence.db").is_file();
    let mut command = jury(&sample, &["test", "--", "true"]);

    run(&mut command).exits(0);
    assert!(made(".jury"), "the default");
    sample.write("jury.toml", "state-dir = 'from-file'\n");
    run(&mut command).exits(0);
    assert!(made("from-file"));
    run(command.env("JURY_STATE_DIR", "from-environment")).exits(0);
    assert!(made("from-environment"));
    let mut command = jury(&sample, &["--state-dir", "from-flag", "test", "--", "true"]);
    run(command.env("JURY_STATE_DIR", "not-this-one")).exits(0);
    assert!(made("from-flag") && !made("not-this-one"));
}

#[test]
fn the_file_may_name_the_test_command() {
    let sample = Sample::empty("settings");
    sample.write("jury.toml", "command = ['echo', 'from the file']\n");
    let ran = run(&mut jury(&sample, &["test"])).exits(0);
    assert!(ran.stdout.starts_with("from the file\n"), "{}", ran.stdout);
    let ran = run(&mut jury(&sample, &["test", "--", "echo", "from the flag"])).exits(0);
    assert!(ran.stdout.starts_with("from the flag\n"), "{}", ran.stdout);
}

#[test]
fn json_answers_leave_standard_output_to_the_machine() {
    let sample = Sample::empty("anywhere");
    let ran = run(&mut jury(
        &sample,
        &["test", "--format", "json", "--", "echo", "hello"],
    ));
    let ran = ran.exits(0);
    assert_eq!(ran.json()["command"], "test");
    assert_eq!(ran.stderr, "hello\n");
}

#[test]
fn a_bypass_runs_the_command_as_it_is_and_learns_nothing() {
    let sample = Sample::empty("anywhere");
    let shown = ["sh", "-c", "echo tools: $JAVA_TOOL_OPTIONS; exit $CODE"];
    for (code, exit) in [("0", 0), ("3", 4)] {
        let mut command = jury(&sample, &["test", "--bypass", "--"]);
        let ran = run(command.args(shown).env("CODE", code)).exits(exit);
        assert_eq!(ran.stdout, "tools:\n");
    }
    assert!(!sample.path().join(".jury").exists());
}

#[test]
fn a_switch_of_the_environment_is_off_where_it_is_empty_or_zero() {
    let sample = Sample::empty("anywhere");
    for value in ["1", "yes", "0", ""] {
        let mut command = jury(&sample, &["test", "--", "true"]);
        run(command.env("JURY_FAIL_FAST", value)).exits(0);
    }
    for (value, exit) in [("1", 2), ("0", 0), ("", 0)] {
        let mut command = jury(&sample, &["test", "--bypass", "--", "true"]);
        run(command.env("JURY_COLLECT_ONLY", value)).exits(exit);
    }
}

#[test]
fn options_that_contradict_each_other_are_named() {
    let sample = Sample::empty("anywhere");
    let mut command = jury(&sample, &["test", "--all", "--", "true"]);
    let ran = run(command.env("JURY_FAILING", "1")).exits(2);
    assert!(
        (ran.stderr).contains("`--failing` cannot be used with `--all`"),
        "{ran:?}"
    );
}

#[test]
fn a_signal_ends_a_bypassed_build() {
    let sample = Sample::empty("anywhere");
    let pipe = Pipe::create(sample.beside("build"));
    let script = format!("echo > {0}; exec sleep 60 > {0}", pipe.path().display());
    let mut command = jury(&sample, &["test", "--bypass", "--", "sh", "-c", &script]);
    let mut child = command.spawn().expect("the program starts");
    pipe.wait_for_writer();
    let pid = i32::try_from(child.id()).expect("a process id");
    kill(Pid::from_raw(pid), Signal::SIGTERM).expect("a running jury");
    assert_eq!(child.wait().expect("an exit status").code(), Some(130));
    pipe.wait_for_end();
}
