//! What is wrong outside Jury gets a clear message, a hint and the documented exit code.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::{fs, path::Path};

use jury_testkit::{Jdk, Sample, run};

use crate::JURY;

/// Nobody in particular, on every Linux.
const NOBODY: u32 = 65534;

fn jury(sample: &Sample, arguments: &[&str]) -> Command {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(arguments);
    command
}

#[track_caller]
fn check(command: &mut Command, code: i32, stderr: &str) {
    let ran = run(command).exits(code);
    assert_eq!(ran.stderr, stderr);
}

#[test]
fn a_path_with_spaces_and_letters_from_anywhere_is_as_good_as_any() {
    let sample = Sample::copy_as("junit4", "Größe & Ähnlichkeit 多语 (1)");
    // In a locale without these letters, Maven itself cannot work here.
    let locale = ("LC_ALL", "C.UTF-8");
    run(jury(&sample, &["test"]).env(locale.0, locale.1)).exits(0);
    run(jury(&sample, &["replay"]).env(locale.0, locale.1)).exits(0);
}

#[test]
fn a_read_only_project_is_refused_before_the_build() {
    let sample = Sample::copy("junit4");
    let program = sample.beside("jury");
    fs::copy(JURY, &program).expect("a copy of the program");
    open_to_all(program.parent().expect("a directory"), 0o755);
    open_to_all(sample.path(), 0o555);
    let mut command = sample.command(program.to_str().expect("a plain path"), &Jdk::any());
    command.arg("test");
    // The superuser may write anywhere, so another user has to try.
    if fs::write(sample.path().join("probe"), "").is_ok() {
        command.uid(NOBODY).gid(NOBODY);
    }
    let state_dir = sample.path().join(".jury");
    let expected = format!(
        "error: failed to write to `{}`: it is read-only for this user\n  \
         hint: make the project directory writable\n",
        state_dir.display()
    );
    check(&mut command, 4, &expected);
    open_to_all(sample.path(), 0o755);
}

fn open_to_all(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a file of ours");
}

#[test]
fn a_missing_build_tool_is_named() {
    let sample = Sample::copy("junit4");
    check(
        jury(&sample, &["test"]).env("PATH", Jdk::any().home.join("bin")),
        4,
        "error: found no `mvn` on PATH and no wrapper in the project\n  \
         hint: install Maven, or add its wrapper `mvnw` to the project\n",
    );
}

#[test]
fn a_missing_jdk_is_named_with_one_that_is_there() {
    let sample = Sample::copy("junit4");
    let ran = run(jury(&sample, &["test"]).env("JAVA_HOME", "/nowhere/jdk")).exits(4);
    assert!(ran.stderr.contains("JAVA_HOME"), "{}", ran.stderr);
    let named = "before any test ran; `JAVA_HOME` is `/nowhere/jdk`, which does not exist";
    assert!(ran.stdout.contains(named), "{}", ran.stdout);
    let mended = "hint: `export JAVA_HOME=/";
    assert!(ran.stdout.contains(mended), "{}", ran.stdout);
}

#[test]
fn a_directory_without_a_build_file_needs_a_command() {
    let sample = Sample::empty("nothing");
    let expected = format!(
        "error: found no pom.xml, build.gradle or build.xml in `{}` or above it\n  \
         hint: pass the test command after `--`, such as `jury test -- make check`\n",
        sample.path().display()
    );
    check(&mut jury(&sample, &["test"]), 4, &expected);
}

#[test]
fn a_command_that_does_not_exist_is_named() {
    let sample = Sample::empty("nothing");
    check(
        &mut jury(&sample, &["test", "--", "no-such-tool"]),
        4,
        "error: failed to start `no-such-tool`: No such file or directory (os error 2)\n  \
         hint: check the command and your PATH\n",
    );
}

#[test]
fn a_directory_that_does_not_exist_is_wrong_usage() {
    let sample = Sample::empty("nothing");
    check(
        &mut jury(&sample, &["-C", "elsewhere", "test"]),
        2,
        "error: `elsewhere` is not a directory\n  hint: check what follows -C\n",
    );
}

#[test]
fn settings_that_make_no_sense_are_wrong_usage() {
    let sample = Sample::empty("nothing");
    sample.write("jury.toml", "job = 2\n");
    let ran = run(&mut jury(&sample, &["test", "--", "true"])).exits(2);
    assert!(ran.stderr.contains("unknown field `job`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("docs/settings.md"), "{}", ran.stderr);
}

#[test]
fn an_unwritable_cache_is_named_with_the_variable_that_moves_it() {
    let sample = Sample::empty("nothing");
    let mut command = jury(&sample, &["test", "--", "true"]);
    let ran = run(command.env("JURY_CACHE_DIR", "/dev/null/cache")).exits(4);
    let said = "error: failed to unpack the agent into `/dev/null/cache/";
    assert!(ran.stderr.starts_with(said), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("hint: set JURY_CACHE_DIR"),
        "{}",
        ran.stderr
    );
}

#[test]
fn evidence_of_a_newer_jury_is_left_alone() {
    let sample = Sample::empty("nothing");
    run(&mut jury(&sample, &["test", "--", "true"])).exits(0);
    let database = rusqlite::Connection::open(sample.path().join(".jury/evidence.db")).unwrap();
    database.pragma_update(None, "user_version", 99).unwrap();
    drop(database);
    let ran = run(&mut jury(&sample, &["tests"])).exits(4);
    assert!(ran.stderr.contains("has format 99"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("hint: use a newer jury"),
        "{}",
        ran.stderr
    );
}
