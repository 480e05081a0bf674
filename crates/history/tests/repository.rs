//! Against real repositories.

use std::fs;
use std::path::Path;
use std::process::Command;

use jury_history::{FileChange, HistoryError, changes_since, head};
use tempfile::TempDir;

fn git(root: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["-c", "user.name=j", "-c", "user.email=j@example.org"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(done.status.success(), "{arguments:?}: {done:?}");
}

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A repository with one commit.
fn repository() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    git(root.path(), &["init", "--quiet"]);
    write(root.path(), ".gitignore", "target\n");
    write(root.path(), "p/src/A.java", "1\n2\n3\n4\n");
    write(root.path(), "p/src/Gone.java", "1\n");
    write(root.path(), "other/B.java", "1\n");
    git(root.path(), &["add", "."]);
    git(root.path(), &["commit", "--quiet", "-m", "first"]);
    root
}

#[test]
fn commits_edits_and_new_files_below_the_project_count() {
    let root = repository();
    let project = root.path().join("p");
    write(root.path(), "p/src/A.java", "1\ntwo\n3\n4\n");
    git(root.path(), &["commit", "--quiet", "-am", "second"]);
    write(root.path(), "p/src/A.java", "1\ntwo\n3\n4\n5\n");
    write(root.path(), "p/src/ä b.java", "1\n");
    write(root.path(), "p/target/C.java", "1\n");
    write(root.path(), "p/picture", "\0\0");
    write(root.path(), "other/B.java", "2\n");
    git(root.path(), &["add", "p/picture"]);
    fs::remove_file(root.path().join("p/src/Gone.java")).unwrap();

    let since = |revision| changes_since(&project, revision).unwrap();
    let lines = |lines: &[_]| FileChange::Lines(lines.to_vec());
    let expected = |lines: FileChange| {
        [
            ("picture", FileChange::Whole),
            ("src/A.java", lines),
            ("src/Gone.java", FileChange::Deleted),
            ("src/ä b.java", FileChange::Whole),
        ]
        .map(|(path, change)| (path.to_owned(), change))
    };
    assert_eq!(since("HEAD"), expected(lines(&[5..=5])).into());
    assert_eq!(since("HEAD~1"), expected(lines(&[2..=2, 5..=5])).into());
}

#[test]
fn a_renamed_file_is_new() {
    let root = repository();
    git(root.path(), &["mv", "other/B.java", "other/C.java"]);
    let changes = changes_since(root.path(), "HEAD").unwrap();
    assert_eq!(changes["other/B.java"], FileChange::Deleted);
    assert_eq!(changes["other/C.java"], FileChange::Lines(vec![1..=1]));
}

#[test]
fn settings_of_the_user_do_not_change_the_answer() {
    let root = repository();
    for (name, value) in [
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.context", "9"),
        ("diff.external", "false"),
        ("color.ui", "always"),
        ("core.quotePath", "true"),
    ] {
        git(root.path(), &["config", name, value]);
    }
    write(root.path(), "p/src/A.java", "1\n2\nthree\n4\n");
    let changes = changes_since(root.path(), "HEAD").unwrap();
    assert_eq!(changes["p/src/A.java"], FileChange::Lines(vec![3..=3]));
}

#[test]
fn what_cannot_be_answered_is_named_with_a_hint() {
    let check = |root: &Path, revision: &str, message: &str| {
        let error = changes_since(root, revision).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(error.hint().is_some());
    };
    let bare = tempfile::tempdir().unwrap();
    let place = format!("`{}` is not in a git repository", bare.path().display());
    check(bare.path(), "HEAD", &place);
    assert_eq!(head(bare.path()), None);
    git(bare.path(), &["init", "--quiet"]);
    check(bare.path(), "HEAD", "the repository has no commit yet");
    assert_eq!(head(bare.path()), None);
    let root = repository();
    check(
        root.path(),
        "main~99",
        "`main~99` is no revision of the repository",
    );
    check(
        root.path(),
        "--all",
        "`--all` is no revision of the repository",
    );
    let error = changes_since(root.path(), "").unwrap_err();
    assert!(
        matches!(error, HistoryError::UnknownRevision(_)),
        "{error:?}"
    );
    assert_eq!(head(root.path()).unwrap().len(), 40);
}
