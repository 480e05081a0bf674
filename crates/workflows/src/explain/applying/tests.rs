//! What becomes of files, where JVMs are played by a script.

use std::os::unix::fs::PermissionsExt;

use jury_explain::Side;

use super::*;
use crate::explain::scripted::{Ends, Run, SOURCE, candidate, source, with_prover};

/// Two sources of tests.
struct Files {
    directory: tempfile::TempDir,
}

impl Files {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        for name in ["T.java", "U.java"] {
            fs::write(directory.path().join(name), SOURCE).unwrap();
        }
        Files { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn body(&self, name: &str) -> String {
        let text = fs::read_to_string(self.path(name)).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        lines[2..lines.len() - 2].join(" ")
    }

    /// Writes statements, and tells what was not written.
    fn apply(
        &self,
        script: impl Fn(&Run<'_>) -> Ends + Sync + 'static,
        statements: &[(&str, &str, Side)],
    ) -> (usize, String) {
        let proven: Vec<Proven> = (statements.iter())
            .map(|(name, statement, side)| {
                let source = source(&self.path(name), SOURCE);
                let candidate = candidate(&source, statement, *side);
                Proven {
                    explanation: 0,
                    candidate,
                }
            })
            .collect();
        self.apply_all(script, &proven)
    }

    fn apply_all(
        &self,
        script: impl Fn(&Run<'_>) -> Ends + Sync + 'static,
        proven: &[Proven],
    ) -> (usize, String) {
        let applied = with_prover(script, |prover| write_into_sources(prover, proven));
        assert!(applied.notices.iter().all(|notice| notice.hint.is_some()));
        let told = applied.notices.into_iter().map(|notice| notice.message);
        (applied.files.len(), told.collect::<Vec<_>>().join("; "))
    }
}

fn passes(_: &Run<'_>) -> Ends {
    Ends::Passes
}

#[test]
fn each_statement_is_written_once_and_the_mode_of_a_file_stays() {
    let files = Files::new();
    let mode = |name| fs::metadata(files.path(name)).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(files.path("T.java"), fs::Permissions::from_mode(0o640)).unwrap();
    let (before, after) = (Side::Before, Side::After);
    let statements = [
        ("T.java", "x();", before),
        ("T.java", "x();", before),
        ("T.java", "y();", after),
        ("U.java", "z();", before),
    ];
    assert_eq!(files.apply(passes, &statements), (2, String::new()));
    assert_eq!(files.body("T.java"), "x(); a(); y();");
    assert_eq!(files.body("U.java"), "z(); a();");
    assert_eq!(mode("T.java"), 0o640);
    assert_eq!(fs::read_dir(files.directory.path()).unwrap().count(), 2);
}

#[test]
fn what_does_not_hold_beside_the_others_is_left_out_and_said() {
    let files = Files::new();
    let script = |run: &Run<'_>| match run.test {
        "c" if run.has("x();") => run.at(&["y();"]),
        _ => Ends::Passes,
    };
    let (before, after) = (Side::Before, Side::After);
    let statements = [("T.java", "x();", before), ("T.java", "y();", after)];
    let told =
        "`y();` was not written into `T.java`: it does not hold beside the others that were proven";
    assert_eq!(files.apply(script, &statements), (1, told.to_owned()));
    assert_eq!(files.body("T.java"), "x(); a();");
}

#[test]
fn what_changes_the_same_statement_is_left_out_and_said() {
    let files = Files::new();
    let statements = [
        ("T.java", "x(a());", Side::Instead),
        ("T.java", "y(a());", Side::Instead),
    ];
    let told = "`y(a());` was not written into `T.java`: it changes what another one changes, too";
    assert_eq!(files.apply(passes, &statements), (1, told.to_owned()));
    assert_eq!(files.body("T.java"), "x(a());");
}

#[test]
fn a_file_that_cannot_be_written_keeps_no_other_from_it() {
    let statements = [
        ("T.java", "x();", Side::Before),
        ("U.java", "z();", Side::Before),
    ];
    type Spoil = fn(&Path);
    let spoilt: [(&str, Spoil); 3] = [
        ("it is read-only", |path| {
            fs::set_permissions(path, fs::Permissions::from_mode(0o444)).unwrap();
        }),
        ("somebody else has meanwhile", |path| {
            fs::write(path, "class T {}").unwrap()
        }),
        ("No such file", |path| fs::remove_file(path).unwrap()),
    ];
    for (reason, spoil) in spoilt {
        let files = Files::new();
        spoil(&files.path("T.java"));
        let (written, told) = files.apply(passes, &statements);
        assert_eq!(written, 1);
        assert!(
            told.starts_with("`T.java` was not changed: ") && told.contains(reason),
            "{told}"
        );
        assert_eq!(files.body("U.java"), "z(); a();");
    }
}

#[test]
fn what_the_user_changes_while_assertions_are_tried_stays() {
    let files = Files::new();
    let path = files.path("T.java");
    let script = move |_: &Run<'_>| {
        fs::write(&path, "class T {}").unwrap();
        Ends::Passes
    };
    let statements = [
        ("T.java", "x();", Side::Before),
        ("U.java", "z();", Side::Before),
    ];
    let told = "`T.java` was not changed: somebody else has meanwhile";
    assert_eq!(files.apply(script, &statements), (1, told.to_owned()));
    let text = fs::read_to_string(files.path("T.java")).unwrap();
    assert_eq!(text, "class T {}");
    assert_eq!(files.body("U.java"), "z(); a();");
}

#[test]
fn an_interrupted_run_writes_nothing() {
    let files = Files::new();
    let script = |run: &Run<'_>| {
        run.cancelled
            .store(true, std::sync::atomic::Ordering::Relaxed);
        Ends::Passes
    };
    let told = "no assertion was written: the run was interrupted";
    let statements = [("T.java", "x();", Side::Before)];
    assert_eq!(files.apply(script, &statements), (0, told.to_owned()));
    assert_eq!(files.body("T.java"), "a();");
}

#[test]
fn lines_end_as_they_did() {
    let files = Files::new();
    let text = SOURCE.replace('\n', "\r\n");
    fs::write(files.path("T.java"), &text).unwrap();
    let source = source(&files.path("T.java"), &text);
    let proven = Proven {
        explanation: 0,
        candidate: candidate(&source, "x();", Side::Before),
    };
    assert_eq!(files.apply_all(passes, &[proven]), (1, String::new()));
    let written = fs::read_to_string(files.path("T.java")).unwrap();
    assert_eq!(written, text.replace("a();", "x();\r\n        a();"));
}
