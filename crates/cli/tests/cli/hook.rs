//! `jury hook`, in real repositories and before real pushes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use jury_testkit::{Jdk, Sample, run};

use crate::JURY;

const HOOK: &str = ".git/hooks/pre-push";

fn git(root: &Path, arguments: &[&str]) -> String {
    let output = git_command(root, arguments).output().expect("git");
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn git_command(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
        .args(["-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(root);
    command
}

/// A project in a repository with one commit.
fn repository() -> Sample {
    let sample = Sample::empty("project");
    sample.write("pom.xml", "<project/>");
    git(sample.path(), &["init", "-q", "-b", "main"]);
    git(sample.path(), &["add", "-A"]);
    git(sample.path(), &["commit", "-q", "-m", "begin"]);
    sample
}

fn hook(sample: &Sample, action: &str, exit: i32) -> String {
    let mut command = sample.command(JURY, &Jdk::any());
    run(command.args(["hook", action])).exits(exit).stderr
}

#[test]
fn a_push_tests_what_the_remote_lacks() {
    let sample = repository();
    let root = sample.path();
    let remote = sample.beside("remote.git");
    git(
        root,
        &["init", "-q", "--bare", &remote.display().to_string()],
    );
    git(
        root,
        &["remote", "add", "origin", &remote.display().to_string()],
    );
    hook(&sample, "install", 0);
    hook(&sample, "install", 0);

    // In place of Jury: says what it was asked to do, and that all is well unless told otherwise.
    let bin = sample.beside("bin");
    fs::create_dir(&bin).expect("a new directory");
    let asked = sample.beside("asked");
    let script = format!(
        "#!/bin/sh\necho \"$@\" > '{}'\n[ ! -e fails ]\n",
        asked.display()
    );
    fs::write(bin.join("jury"), script).expect("a writable file");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(bin.join("jury"), mode).expect("an executable");
    let push = |arguments: &[&str]| {
        let _ = fs::remove_file(&asked);
        let path = format!(
            "{}:{}",
            bin.display(),
            std::env::var("PATH").expect("a PATH")
        );
        let status = git_command(root, arguments).env("PATH", path).status();
        let asked = fs::read_to_string(&asked).ok();
        (status.expect("git").success(), asked)
    };
    let asks = |words: &str| Some(format!("{words}\n"));

    let first = push(&["push", "-q", "origin", "main"]);
    assert_eq!(first, (true, asks("-C ./ test")));
    let known = git(root, &["rev-parse", "HEAD"]);
    git(root, &["commit", "-q", "--allow-empty", "-m", "more"]);
    fs::write(root.join("fails"), "").expect("a writable file");
    let since = asks(&format!("-C ./ test --since {known}"));
    let second = push(&["push", "-q", "origin", "main"]);
    assert_eq!(second, (false, since), "red tests stop the push");
    let deleted = push(&["push", "-q", "origin", ":main"]);
    assert_eq!(
        deleted.1, None,
        "there is nothing to test in a deleted branch"
    );
}

#[test]
fn a_foreign_hook_is_left_alone() {
    let sample = repository();
    let foreign = "#!/bin/sh\nexec make check\n";
    fs::create_dir_all(sample.path().join(".git/hooks")).expect("a directory");
    sample.write(HOOK, foreign);
    for action in ["install", "remove"] {
        let said = hook(&sample, action, 4);
        assert!(said.contains("was not written by Jury"), "{said}");
        assert!(said.contains("hint: add the line `jury test`"), "{said}");
    }
    let kept = fs::read_to_string(sample.path().join(HOOK)).expect("a hook");
    assert_eq!(kept, foreign);
}

#[test]
fn a_hook_is_removed_and_none_is_no_trouble() {
    let sample = repository();
    hook(&sample, "install", 0);
    hook(&sample, "remove", 0);
    assert!(!sample.path().join(HOOK).exists());
    let said = hook(&sample, "remove", 0);
    assert!(
        said.contains("there is no hook of Jury's to remove"),
        "{said}"
    );
}

#[test]
fn without_a_repository_or_a_commit_it_is_said_what_is_missing() {
    let sample = Sample::empty("project");
    sample.write("pom.xml", "<project/>");
    let said = hook(&sample, "install", 4);
    assert!(said.contains("is not in a git repository"), "{said}");
    let since = |exit: i32| {
        let mut command = sample.command(JURY, &Jdk::any());
        let command = command.args(["test", "--since", "HEAD", "--", "true"]);
        run(command).exits(exit).stderr
    };
    let said = since(4);
    assert!(said.contains("is not in a git repository"), "{said}");
    git(sample.path(), &["init", "-q"]);
    let said = since(4);
    assert!(said.contains("the repository has no commit yet"), "{said}");
}
