//! Against real repositories.

use std::fs;
use std::path::Path;
use std::process::Command;

use jury_history::{
    Commit, FileChange, HistoryError, Origin, Remaker, changes_since, commits, head, pure_head,
};
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
fn files_are_those_of_a_commit_only_if_none_was_edited_or_added() {
    let root = repository();
    let project = root.path().join("p");
    assert_eq!(pure_head(&project), Some(name(root.path(), "HEAD")));
    write(root.path(), "p/target/A.class", "1\n");
    assert!(pure_head(&project).is_some(), "ignored files are no part");
    write(root.path(), "p/src/New.java", "1\n");
    assert_eq!(pure_head(&project), None);
    fs::remove_file(root.path().join("p/src/New.java")).unwrap();
    write(root.path(), "p/src/A.java", "2\n");
    assert_eq!(pure_head(&project), None);
    assert_eq!(pure_head(&std::env::temp_dir()), None);
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

/// The name of a commit.
fn name(root: &Path, revision: &str) -> String {
    jury_history::resolve(root, revision).unwrap()
}

fn commit(root: &Path, file: &str, text: &str) -> String {
    write(root, file, text);
    git(root, &["add", "."]);
    git(root, &["commit", "--quiet", "-m", file]);
    name(root, "HEAD")
}

fn newest(root: &Path) -> Commit {
    commits(root, "HEAD").unwrap().remove(0)
}

#[test]
fn how_commits_came_about_is_told_as_far_as_it_can_be() {
    let repository = repository();
    let root = repository.path();
    git(root, &["checkout", "--quiet", "-b", "side"]);
    let side = commit(root, "side.txt", "1\n");
    git(root, &["checkout", "--quiet", "-b", "trunk", "HEAD~1"]);
    assert_eq!(newest(root).origin, Origin::Commit);

    git(root, &["cherry-pick", "-x", &side]);
    let picked = newest(root);
    assert_eq!(picked.origin, Origin::CherryPick(Some(side.clone())));
    let remaker = Remaker::new(root).unwrap();
    let is_copy = |copy: &str, of: &str, undone| remaker.is_automatic_copy(copy, of, undone);
    assert_eq!(is_copy(&picked.name, &side, false), Some(true));

    git(root, &["revert", "--no-edit", "HEAD"]);
    let reverted = newest(root);
    assert_eq!(reverted.origin, Origin::Revert(Some(picked.name.clone())));
    assert_eq!(is_copy(&reverted.name, &picked.name, true), Some(true));
    assert_eq!(is_copy(&reverted.name, &picked.name, false), Some(false));

    git(root, &["cherry-pick", &side]);
    assert_eq!(
        newest(root).origin,
        Origin::CherryPick(None),
        "by the log of HEAD"
    );
    git(root, &["checkout", "--quiet", "-b", "topic", &side]);
    commit(root, "topic.txt", "1\n");
    git(root, &["rebase", "--quiet", "trunk"]);
    assert_eq!(newest(root).origin, Origin::Rebase);
    let other = [
        "commit",
        "--quiet",
        "--amend",
        "--no-edit",
        "--author=A <a@example.org>",
    ];
    git(root, &other);
    assert_eq!(newest(root).origin, Origin::Foreign);
    assert_eq!(commits(root, "HEAD~1..HEAD").unwrap().len(), 1);
    assert!(matches!(
        commits(root, "nowhere..HEAD"),
        Err(HistoryError::UnknownRevision(_))
    ));
}

#[test]
fn an_edited_merge_is_told_from_one_that_git_makes() {
    let repository = repository();
    let root = repository.path();
    git(root, &["branch", "base"]);
    let on = |branch: &str, file: &str, text: &str| {
        git(root, &["checkout", "--quiet", "-b", branch, "base"]);
        commit(root, file, text);
    };
    on("one", "one.txt", "1\n");
    on("two", "two.txt", "2\n");
    on("three", "three.txt", "3\n");
    on("clash", "one.txt", "other\n");
    let objects = || {
        let mut git = Command::new("git");
        git.arg("-C").arg(root).args(["count-objects", "-v"]);
        git.output().unwrap().stdout
    };
    let is_automatic = || {
        let before = objects();
        let merge = newest(root);
        assert_eq!(merge.origin, Origin::Merge);
        let answer = Remaker::new(root).unwrap().is_automatic_merge(&merge);
        assert_eq!(objects(), before, "nothing was written");
        answer
    };
    git(root, &["checkout", "--quiet", "one"]);
    git(root, &["merge", "--quiet", "--no-edit", "two"]);
    assert_eq!(is_automatic(), Some(true));
    git(root, &["merge", "--quiet", "--no-commit", "three"]);
    write(root, "three.txt", "edited\n");
    git(root, &["commit", "--quiet", "-am", "merge"]);
    assert_eq!(is_automatic(), Some(false));
    git(
        root,
        &["merge", "--quiet", "--no-edit", "-s", "ours", "clash"],
    );
    assert_eq!(is_automatic(), Some(false));
    git(root, &["checkout", "--quiet", "clash"]);
    git(root, &["merge", "--quiet", "--no-edit", "two", "three"]);
    assert_eq!(newest(root).parents.len(), 3);
    assert_eq!(is_automatic(), Some(true));
}
