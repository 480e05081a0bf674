//! Ctrl-C and worse: no JVM outlives Jury, and what was known stays known.

use std::process::{Child, Command, Stdio};

use jury_testkit::{Jdk, Pipe, Sample, jdks, run};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::JURY;

const INTERRUPTED: Option<i32> = Some(130);

fn jury(sample: &Sample, jdk: &Jdk, arguments: &[&str]) -> Command {
    let mut command = sample.command(JURY, jdk);
    command.args(arguments);
    command
}

#[test]
fn a_signal_ends_the_test_jvms_and_keeps_the_evidence() {
    for jdk in jdks() {
        let sample = Sample::copy("misbehaving");
        run(&mut jury(&sample, &jdk, &["test"])).exits(0);

        assert_eq!(stopped_replay(&sample, &jdk, Signal::SIGINT), INTERRUPTED);
        assert_eq!(stopped_replay(&sample, &jdk, Signal::SIGTERM), INTERRUPTED);
        assert_eq!(stopped_replay(&sample, &jdk, Signal::SIGKILL), None);
        assert_eq!(stopped_build(&sample, &jdk, Signal::SIGINT), INTERRUPTED);

        let known = run(&mut jury(&sample, &jdk, &["tests", "--format", "json"])).exits(0);
        assert_eq!(known.json()["tests"].as_array().map(Vec::len), Some(13));
        run(&mut jury(&sample, &jdk, &["replay"])).exits(0);
    }
}

/// Sends the signal once a test hangs in a worker; gives the exit code.
fn stopped_replay(sample: &Sample, jdk: &Jdk, signal: Signal) -> Option<i32> {
    let pipe = Pipe::create(sample.beside(&format!("replay-{signal}")));
    let variable = format!("MISBEHAVE_PIPE={}", pipe.path().display());
    let arguments = ["replay", "--env", "MISBEHAVE=hang", "--env", &variable];
    stopped(&mut jury(sample, jdk, &arguments), &pipe, signal)
}

/// Sends the signal once a test hangs in the build's JVM; gives the exit code.
fn stopped_build(sample: &Sample, jdk: &Jdk, signal: Signal) -> Option<i32> {
    let pipe = Pipe::create(sample.beside(&format!("build-{signal}")));
    let mut command = jury(sample, jdk, &["test"]);
    command
        .env("MISBEHAVE", "hang")
        .env("MISBEHAVE_PIPE", pipe.path());
    stopped(&mut command, &pipe, signal)
}

fn stopped(command: &mut Command, pipe: &Pipe, signal: Signal) -> Option<i32> {
    let mut child = start(command);
    pipe.wait_for_writer();
    let pid = i32::try_from(child.id()).expect("a process id");
    kill(Pid::from_raw(pid), signal).expect("a running jury");
    let status = child.wait().expect("an exit status");
    pipe.wait_for_end();
    status.code()
}

fn start(command: &mut Command) -> Child {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}
