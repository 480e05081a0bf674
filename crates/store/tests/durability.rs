//! Processes that die or meet: the last complete state is always there.
//!
//! Each test starts this very test program again to play the other process; the parts it plays
//! are the ignored tests at the end, which find their stage through an environment variable.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::SystemTime;

use jury_model::{Engine, Outcome, TestCase, TestId};
use jury_store::{DATABASE, JvmEvidence, NewRun, Store, TestFilter, TestResult};
use rusqlite::Connection;

const STATE_DIR: &str = "JURY_STORE_TEST_DIRECTORY";
const TESTS: usize = 500;
const RUNS: usize = 10;

fn run() -> NewRun {
    let results = (0..TESTS)
        .map(|number| TestResult {
            test: TestCase {
                id: TestId::new(format!("junit:a.BTest#number{number}")),
                engine: Engine::new(Engine::JUNIT),
                class: "a.BTest".into(),
                method: format!("number{number}"),
                variant: String::new(),
                display_name: String::new(),
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

fn start(part: &str, state_dir: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([part, "--exact", "--ignored", "--nocapture"])
        .env(STATE_DIR, state_dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Reads what the child says until it has said `line` so many times.
fn wait_for(child: &mut Child, line: &str, times: usize) {
    let output = BufReader::new(child.stdout.as_mut().unwrap());
    let seen = output
        .lines()
        .filter(|said| said.as_ref().unwrap() == line)
        .take(times)
        .count();
    assert_eq!(seen, times, "the other process ended early");
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Every run that can be seen is there with all its results.
fn complete_runs(state_dir: &Path) -> usize {
    let store = Store::open(state_dir).unwrap();
    assert_eq!(store.notice(), None);
    let connection = Connection::open(state_dir.join(DATABASE)).unwrap();
    let mut statement = connection
        .prepare("SELECT (SELECT count(*) FROM results WHERE run = runs.id) FROM runs")
        .unwrap();
    let counts: Vec<i64> = statement
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert!(
        counts.iter().all(|count| *count == TESTS as i64),
        "{counts:?}"
    );
    assert_eq!(store.tests(&TestFilter::default()).unwrap().len(), TESTS);
    counts.len()
}

#[test]
fn a_writer_killed_inside_a_transaction_leaves_the_last_complete_run() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = start("part_stops_inside_a_transaction", directory.path());
    wait_for(&mut child, "inside", 1);
    kill(child);
    assert_eq!(complete_runs(directory.path()), 1);
}

#[test]
fn a_writer_killed_while_recording_leaves_only_complete_runs() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = start("part_records_without_end", directory.path());
    wait_for(&mut child, "recorded", 3);
    kill(child);
    assert!(complete_runs(directory.path()) >= 3);
}

#[test]
fn two_processes_recording_at_once_both_succeed() {
    let directory = tempfile::tempdir().unwrap();
    let children = [(); 2].map(|()| start("part_records_some_runs", directory.path()));
    for mut child in children {
        let mut said = String::new();
        child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        assert!(child.wait().unwrap().success(), "{said}");
    }
    assert_eq!(complete_runs(directory.path()), 2 * RUNS);
}

#[test]
fn processes_that_meet_a_damaged_database_set_it_aside_once() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join(DATABASE), "rubbish".repeat(1_000)).unwrap();
    let children = [(); 2].map(|()| start("part_records_some_runs", directory.path()));
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(complete_runs(directory.path()), 2 * RUNS);
    assert!(!directory.path().join("evidence.db.damaged-2").exists());
}

fn stage() -> PathBuf {
    std::env::var_os(STATE_DIR)
        .expect("played by another test")
        .into()
}

fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    // The test runner may have left its own words on the line.
    writeln!(output, "\n{line}").unwrap();
    output.flush().unwrap();
}

#[test]
#[ignore = "played by another test"]
fn part_stops_inside_a_transaction() {
    let mut store = Store::open(&stage()).unwrap();
    store.record_run(&run()).unwrap();
    let connection = Connection::open(stage().join(DATABASE)).unwrap();
    // With next to no cache, changed pages reach the file before any commit.
    connection
        .execute_batch("PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE tests SET class = 'x'")
        .unwrap();
    connection.execute_batch("DELETE FROM results").unwrap();
    say("inside");
    let _ = std::io::stdin().read_to_string(&mut String::new());
}

#[test]
#[ignore = "played by another test"]
fn part_records_without_end() {
    let mut store = Store::open(&stage()).unwrap();
    loop {
        store.record_run(&run()).unwrap();
        say("recorded");
    }
}

#[test]
#[ignore = "played by another test"]
fn part_records_some_runs() {
    let mut store = Store::open(&stage()).unwrap();
    for _ in 0..RUNS {
        store.record_run(&run()).unwrap();
    }
}
