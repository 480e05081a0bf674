//! Calls of the `git` program. What the user's settings could change about its output is set.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use crate::error::HistoryError;

/// The full name of the commit that a revision means.
pub fn commit(root: &Path, revision: &str) -> Result<String, HistoryError> {
    let verify = |revision: &str| {
        let object = format!("{revision}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options"];
        run(root, arguments.into_iter().chain([object.as_str()]))
    };
    let found = verify(revision)?;
    if found.status.success() {
        return Ok(text(&found.stdout).trim().to_owned());
    }
    let inside = run(root, ["rev-parse", "--is-inside-work-tree"])?;
    if text(&inside.stdout).trim() != "true" {
        return Err(HistoryError::NoRepository(root.to_owned()));
    }
    if !verify("HEAD")?.status.success() {
        return Err(HistoryError::NoCommit);
    }
    Err(HistoryError::UnknownRevision(revision.to_owned()))
}

/// Where git looks for hooks of the repository around `root`.
pub fn hooks_directory(root: &Path) -> Result<PathBuf, HistoryError> {
    let found = run(root, ["rev-parse", "--git-path", "hooks"])?;
    if !found.status.success() {
        return Err(HistoryError::NoRepository(root.to_owned()));
    }
    // Relative to where git was asked.
    Ok(root.join(text(&found.stdout).trim_end_matches('\n')))
}

/// The path of `root` from the top of the working tree: empty, or with a `/` at its end.
pub fn path_from_top(root: &Path) -> Result<String, HistoryError> {
    let prefix = ask(root, &["rev-parse", "--show-prefix"])?;
    Ok(text(&prefix).trim_end_matches('\n').to_owned())
}

/// Paths below `root` that differ from a commit.
pub fn changed_files(root: &Path, commit: &str) -> Result<Vec<String>, HistoryError> {
    let output = ask(root, &differing(commit, &["--name-only", "-z"]))?;
    Ok(paths(&output))
}

/// The differences of all files below `root`, without lines around them.
pub fn diff(root: &Path, commit: &str) -> Result<Vec<u8>, HistoryError> {
    let options = [
        "--unified=0",
        "--inter-hunk-context=0",
        "--src-prefix=a/",
        "--dst-prefix=b/",
    ];
    ask(root, &differing(commit, &options))
}

/// Files below `root` that are neither in the index nor ignored.
pub fn unknown_files(root: &Path) -> Result<Vec<String>, HistoryError> {
    let output = ask(
        root,
        &[
            "ls-files",
            "--others",
            "--exclude-standard",
            "-z",
            "--",
            ".",
        ],
    )?;
    Ok(paths(&output))
}

fn differing<'a>(commit: &'a str, options: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec![
        "diff",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--no-renames",
        "--ignore-submodules",
        "--relative",
    ];
    arguments.extend(options);
    arguments.extend([commit, "--", "."]);
    arguments
}

pub fn ask(root: &Path, arguments: &[&str]) -> Result<Vec<u8>, HistoryError> {
    let output = run(root, arguments.iter().copied())?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(HistoryError::Failed {
        command: arguments.first().copied().unwrap_or_default().to_owned(),
        message: text(&output.stderr).trim().to_owned(),
    })
}

fn run<'a>(
    root: &Path,
    arguments: impl IntoIterator<Item = &'a str>,
) -> Result<Output, HistoryError> {
    command(root)
        .args(arguments)
        .output()
        .map_err(HistoryError::NoGit)
}

/// The same, with something to read.
pub fn run_with(root: &Path, arguments: &[&str], input: &[u8]) -> Result<Output, HistoryError> {
    let mut child = command(root)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(HistoryError::NoGit)?;
    let stdin = child.stdin.take();
    thread::scope(|scope| {
        // Both ends of a pipe at once: neither git nor we may have to wait for the other.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        child.wait_with_output().map_err(HistoryError::NoGit)
    })
}

pub fn command(root: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(root)
        // Paths in diffs come as they are, but for quotes, backslashes and control characters.
        .args(["-c", "core.quotePath=false"])
        .env("LC_ALL", "C")
        // A mere question must not wait for, or leave, a lock.
        .env("GIT_OPTIONAL_LOCKS", "0")
        .stdin(Stdio::null());
    command
}

/// Whether every file that git knows is as it was committed.
pub fn is_clean(root: &Path) -> Result<bool, HistoryError> {
    let status = [
        "status",
        "--porcelain",
        "--untracked-files=no",
        "--ignore-submodules",
    ];
    Ok(ask(root, &status)?.is_empty())
}

fn paths(output: &[u8]) -> Vec<String> {
    output
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty())
        .map(text)
        .collect()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
