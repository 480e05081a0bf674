//! What a state directory looks like, and what happens when it is not as it should be.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::SystemTime;

use jury_model::{Engine, Outcome, TestCase, TestId};
use jury_store::{
    DATABASE, FORMAT, JvmEvidence, NewRun, OpenNotice, Store, StoreError, TestFilter, TestResult,
    remove,
};
use rusqlite::Connection;
use tempfile::TempDir;

fn directory() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// A run of so many tests, all of which passed.
fn run(tests: usize) -> NewRun {
    let results = (0..tests)
        .map(|number| TestResult {
            test: TestCase {
                id: TestId::new(format!("junit:a.BTest#number{number}")),
                engine: Engine::new(Engine::JUNIT),
                class: "a.BTest".into(),
                method: format!("number{number}"),
                variant: String::new(),
                display_name: format!("number{number}"),
            },
            outcome: Outcome::Passed,
            micros: 10,
            failure: None,
        })
        .collect();
    NewRun {
        root: "/project".into(),
        command: "mvn test".into(),
        started_at: SystemTime::UNIX_EPOCH,
        ended_at: SystemTime::UNIX_EPOCH,
        build_status: None,
        jdk: String::new(),
        revision: None,
        note: String::new(),
        jvms: vec![JvmEvidence {
            module: ".".into(),
            recipe: None,
            results,
            container_failures: vec![],
        }],
    }
}

fn raw(state_dir: &Path) -> Connection {
    Connection::open(state_dir.join(DATABASE)).unwrap()
}

#[test]
fn a_new_directory_is_ignored_by_git_and_names_its_format() {
    let directory = directory();
    let state_dir = directory.path().join(".jury");
    let store = Store::open(&state_dir).unwrap();
    assert_eq!(store.notice(), None);
    let ignored = fs::read_to_string(state_dir.join(".gitignore")).unwrap();
    assert_eq!(ignored, "*\n");
    let pragma = |name: &str| -> String {
        let value: rusqlite::types::Value = raw(&state_dir)
            .pragma_query_value(None, name, |row| row.get(0))
            .unwrap();
        format!("{value:?}")
    };
    assert_eq!(pragma("application_id"), "Integer(1247105625)");
    assert_eq!(pragma("user_version"), format!("Integer({FORMAT})"));
    assert_eq!(pragma("journal_mode"), "Text(\"wal\")");
}

#[cfg(unix)]
#[test]
fn only_the_user_can_look_inside() {
    use std::os::unix::fs::PermissionsExt;
    let directory = directory();
    let state_dir = directory.path().join(".jury");
    let mut store = Store::open(&state_dir).unwrap();
    store.record_run(&run(1)).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&state_dir), 0o700);
    assert_eq!(mode(&state_dir.join("evidence.db")), 0o600);
    assert_eq!(mode(&state_dir.join("evidence.db-wal")), 0o600);
}

#[test]
fn a_newer_format_is_refused_and_left_as_it_is() {
    let directory = directory();
    drop(Store::open(directory.path()).unwrap());
    raw(directory.path())
        .pragma_update(None, "user_version", FORMAT + 1)
        .unwrap();
    let error = Store::open(directory.path()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "evidence.db has format {}, this Jury knows up to {FORMAT}",
            FORMAT + 1
        )
    );
    assert_eq!(
        error.hint(),
        Some("use a newer jury, or `jury clean` to start afresh")
    );
    assert!(directory.path().join(DATABASE).exists());
}

/// Opens a store that must find its database damaged; gives back the name it was kept under.
fn open_damaged(state_dir: &Path) -> String {
    let store = Store::open(state_dir).unwrap();
    assert_eq!(store.last_run().unwrap(), None);
    let Some(OpenNotice::Damaged { kept_as }) = store.notice() else {
        panic!("no notice");
    };
    assert!(kept_as.exists());
    kept_as.file_name().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn a_file_that_is_no_database_is_set_aside() {
    let directory = directory();
    let database = directory.path().join(DATABASE);
    fs::write(&database, "not a database ".repeat(100)).unwrap();
    assert_eq!(open_damaged(directory.path()), "evidence.db.damaged-1");
    fs::write(&database, "again ".repeat(1000)).unwrap();
    assert_eq!(open_damaged(directory.path()), "evidence.db.damaged-2");
    assert_eq!(Store::open(directory.path()).unwrap().notice(), None);
}

#[test]
fn a_database_of_another_program_is_set_aside() {
    let directory = directory();
    raw(directory.path())
        .execute_batch("CREATE TABLE bookmarks (url)")
        .unwrap();
    assert_eq!(open_damaged(directory.path()), "evidence.db.damaged-1");
}

#[test]
fn damage_met_while_reading_is_mended_by_the_next_open() {
    let directory = directory();
    let mut store = Store::open(directory.path()).unwrap();
    store.record_run(&run(5_000)).unwrap();
    drop(store);
    let path = directory.path().join(DATABASE);
    let length = fs::metadata(&path).unwrap().len();
    let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    // The first pages hold the schema and stay whole, so that the damage shows only later.
    file.seek(SeekFrom::Start(length / 4)).unwrap();
    file.write_all(&vec![0xee; length as usize / 2]).unwrap();
    drop(file);

    let store = Store::open(directory.path()).unwrap();
    assert_eq!(store.notice(), None);
    let error = store.tests(&TestFilter::default()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged), "{error:?}");
    drop(store);
    assert_eq!(open_damaged(directory.path()), "evidence.db.damaged-1");
    assert_eq!(Store::open(directory.path()).unwrap().notice(), None);
}

/// Overwrites and cuts a sound database in many places; whatever that does, the store works
/// again at the latest when it is opened for the second time.
#[test]
fn any_damage_is_mended_by_the_next_open() {
    let directory = directory();
    let mut store = Store::open(directory.path()).unwrap();
    store.record_run(&run(100)).unwrap();
    drop(store);
    let path = directory.path().join(DATABASE);
    let sound = fs::read(&path).unwrap();
    // The format's number is left alone: another one is refused, not mended.
    let format_number = 60..64;
    let places = (0..sound.len())
        .step_by(3_989)
        .filter(|place| !format_number.contains(place));
    for place in places {
        let mut overwritten = sound.clone();
        overwritten[place..]
            .iter_mut()
            .take(24)
            .for_each(|byte| *byte ^= 0xa5);
        if place < format_number.end {
            overwritten[format_number.clone()].copy_from_slice(&sound[format_number.clone()]);
        }
        for damaged in [&overwritten[..], &sound[..place]] {
            fs::write(&path, damaged).unwrap();
            let mended = (0..2).any(|_| {
                let mut store = Store::open(directory.path()).unwrap();
                store.tests(&TestFilter::default()).is_ok() && store.record_run(&run(100)).is_ok()
            });
            assert!(mended, "damaged at {place}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_cannot_be_written_is_named() {
    // Not even root may create a directory here.
    let error = Store::open(Path::new("/sys/kernel/.jury")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "failed to write to `/sys/kernel/.jury`: it is read-only for this user"
    );
    assert_eq!(error.hint(), Some("make the project directory writable"));
}

#[test]
fn evidence_is_removed_but_nothing_else_is() {
    let directory = directory();
    let state_dir = directory.path().join(".jury");
    remove(&state_dir).unwrap();
    drop(Store::open(&state_dir).unwrap());
    remove(&state_dir).unwrap();
    assert!(!state_dir.exists());

    fs::write(directory.path().join("Precious.java"), "class Precious {}").unwrap();
    let error = remove(directory.path()).unwrap_err();
    assert!(matches!(error, StoreError::NotOurs { .. }), "{error:?}");
    assert!(directory.path().join("Precious.java").exists());
}
