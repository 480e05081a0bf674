//! Facts under keys: they come back as they were, are replaced, used, and forgotten in the end.

use std::time::{Duration, SystemTime};

use jury_model::{Failure, Outcome, TestId};
use jury_store::{
    CoveredTest, DATABASE, LeftOut, MemoryKey, News, Store, StoredAnswer, StoredAnswers,
    StoredVerdict, Used, lasting_failure,
};
use rusqlite::Connection;
use tempfile::TempDir;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + 1_000 * DAY
}

fn store() -> (Store, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    (Store::open(directory.path()).unwrap(), directory)
}

fn covered(key: u8, test: u8) -> CoveredTest {
    CoveredTest {
        key: MemoryKey([key; 16]),
        test: MemoryKey([test; 16]),
        id: TestId::new("junit:a.BTest#adds"),
        outcome: Outcome::Passed,
        micros: 7,
        work: 1 << 40,
        methods: vec![1, 2, 900],
        initialising: vec![2],
    }
}

fn verdict(key: u8, mutant: &str) -> StoredVerdict {
    StoredVerdict {
        key: MemoryKey([key; 16]),
        mutant: mutant.into(),
        verdict: "killed".into(),
        noticed_by: Some(TestId::new("junit:a.BTest#adds")),
        failure: Some(Failure {
            exception: "java.lang.AssertionError".into(),
            message: "é".repeat(200),
            trace: "at a.B".into(),
        }),
    }
}

fn answers(key: u8, mutant: &str) -> StoredAnswers {
    StoredAnswers {
        key: MemoryKey([key; 16]),
        mutant: mutant.into(),
        answers: vec![StoredAnswer {
            place: 3,
            verdict: "killed".into(),
            failure: None,
        }],
    }
}

#[test]
fn facts_come_back_as_they_were_but_failures_are_cut() {
    let (mut store, _directory) = store();
    let news = News {
        covered: vec![covered(1, 10)],
        verdicts: vec![verdict(1, "a/B#add()V#void")],
        answers: vec![answers(1, "a/B#add()V#void")],
        left_out: vec![LeftOut {
            key: MemoryKey([3; 16]),
            class: "a/B".into(),
            method: "huge()V".into(),
            reason: "it is too long".into(),
        }],
    };
    store.remember(&news, now()).unwrap();
    assert_eq!(store.covered_tests().unwrap(), news.covered);
    assert_eq!(store.left_out().unwrap(), news.left_out);
    assert_eq!(store.answers().unwrap(), news.answers);
    let kept = store.verdicts().unwrap().remove(0);
    let failure = kept.failure.unwrap();
    assert_eq!(failure.message, "é".repeat(150));
    assert_eq!(failure.trace, "");
    let learnt = news.verdicts[0].failure.as_ref().unwrap();
    assert_eq!(failure, lasting_failure(learnt));
    assert_eq!(kept.noticed_by, news.verdicts[0].noticed_by);
}

#[test]
fn a_survivor_has_no_failure() {
    let (mut store, _directory) = store();
    let survivor = StoredVerdict {
        verdict: "survived".into(),
        noticed_by: None,
        failure: None,
        ..verdict(1, "m")
    };
    let news = News {
        verdicts: vec![survivor.clone()],
        ..News::default()
    };
    store.remember(&news, now()).unwrap();
    assert_eq!(store.verdicts().unwrap(), [survivor]);
}

#[test]
fn methods_keep_their_numbers() {
    let (mut store, directory) = store();
    let first = store
        .number_methods(&[("a/B", "add()V"), ("a/C", "add()V")])
        .unwrap();
    drop(store);
    let mut store = Store::open(directory.path()).unwrap();
    let again = store
        .number_methods(&[("a/C", "add()V"), ("a/C", "new()V"), ("a/B", "add()V")])
        .unwrap();
    assert_eq!((again[0], again[2]), (first[1], first[0]));
    assert!(!first.contains(&again[1]));
}

#[test]
fn only_the_newest_versions_of_a_test_and_a_mutant_are_kept() {
    let (mut store, _directory) = store();
    for version in 0..8 {
        let news = News {
            covered: vec![covered(version, 10), covered(100 + version, version)],
            verdicts: vec![verdict(version, "m"), verdict(100 + version, "other")],
            answers: vec![answers(version, "m")],
            ..News::default()
        };
        store
            .remember(&news, now() + Duration::from_secs(version.into()))
            .unwrap();
    }
    let used = Used {
        covered: vec![MemoryKey([0; 16])],
        verdicts: vec![MemoryKey([0; 16])],
        answers: vec![MemoryKey([0; 16])],
        ..Used::default()
    };
    store.tidy_memory(&used, now() + DAY).unwrap();
    let versions = |keys: Vec<MemoryKey>| {
        let keys = keys.into_iter().map(|key| key.0[0]);
        keys.filter(|key| *key < 100).collect::<Vec<_>>()
    };
    let tests = store.covered_tests().unwrap();
    assert_eq!(
        versions(tests.iter().map(|one| one.key).collect()),
        [0, 7, 6, 5, 4]
    );
    assert_eq!(tests.len(), 5 + 8);
    let verdicts = store.verdicts().unwrap();
    assert_eq!(
        versions(verdicts.iter().map(|one| one.key).collect()),
        [0, 7, 6, 5, 4]
    );
    let answers = store.answers().unwrap();
    assert_eq!(
        versions(answers.iter().map(|one| one.key).collect()),
        [0, 7, 6, 5, 4]
    );
}

#[test]
fn what_was_of_no_use_for_long_is_forgotten() {
    let (mut store, _directory) = store();
    let news = News {
        covered: vec![covered(1, 1), covered(2, 2)],
        ..News::default()
    };
    store.remember(&news, now()).unwrap();
    let used = Used {
        covered: vec![MemoryKey([2; 16])],
        ..Used::default()
    };
    store.tidy_memory(&used, now() + 60 * DAY).unwrap();
    assert_eq!(store.covered_tests().unwrap().len(), 2);
    store
        .tidy_memory(&Used::default(), now() + 100 * DAY)
        .unwrap();
    let kept = store.covered_tests().unwrap();
    assert_eq!(kept, [covered(2, 2)]);
}

#[test]
fn a_database_of_the_first_format_gains_a_memory_and_keeps_its_runs() {
    let (store, directory) = store();
    drop(store);
    let raw = Connection::open(directory.path().join(DATABASE)).unwrap();
    raw.execute_batch(
        "DROP TABLE methods; DROP TABLE covered; DROP TABLE verdicts; DROP TABLE left_out; DROP TABLE answers; DROP TABLE flaky;
         DROP TABLE units; DROP TABLE catalogues; DROP TABLE stamps; DROP TABLE settled;
         DROP TABLE selections; ALTER TABLE tests DROP COLUMN present;
         ALTER TABLE runs DROP COLUMN revision;
         INSERT INTO runs VALUES (7, 10, 20, 'mvn test', 'exit 0', '17', '');
         PRAGMA user_version = 1",
    )
    .unwrap();
    drop(raw);
    let store = Store::open(directory.path()).unwrap();
    assert_eq!(store.last_run().unwrap().unwrap().command, "mvn test");
    assert_eq!(store.covered_tests().unwrap(), []);
}

#[test]
fn what_another_store_has_learnt_is_taken_over_under_own_numbers() {
    let (mut other, other_directory) = store();
    let methods = [("a/B", "one()V"), ("a/B", "two()V")];
    let numbers = other.number_methods(&methods).unwrap();
    let news = News {
        covered: vec![CoveredTest {
            initialising: vec![numbers[1]],
            methods: numbers,
            ..covered(1, 10)
        }],
        verdicts: vec![verdict(2, "a/B#one()V#void")],
        answers: vec![answers(2, "a/B#one()V#void")],
        left_out: vec![],
    };
    other.remember(&news, now()).unwrap();

    let (mut own, _directory) = store();
    let known = own.number_methods(&[("x/Y", "other()V")]).unwrap();
    // The other store is still open, so part of it is in its log.
    assert_eq!(own.take_over(other_directory.path(), now()).unwrap(), 1);
    let taken = own.covered_tests().unwrap().remove(0);
    assert_eq!(taken.methods, own.number_methods(&methods).unwrap());
    assert_eq!(taken.initialising, taken.methods[1..]);
    assert!(!taken.methods.contains(&known[0]));
    assert_eq!(own.verdicts().unwrap()[0].mutant, "a/B#one()V#void");
    assert_eq!(own.answers().unwrap(), news.answers);
}

#[test]
fn evidence_that_is_missing_or_damaged_is_not_taken_over() {
    let (mut own, _directory) = store();
    let elsewhere = tempfile::tempdir().unwrap();
    let missing = own.take_over(elsewhere.path(), now()).unwrap_err();
    assert!(
        missing.to_string().starts_with("failed to read"),
        "{missing}"
    );
    std::fs::write(elsewhere.path().join(DATABASE), "no database at all").unwrap();
    let damaged = own.take_over(elsewhere.path(), now()).unwrap_err();
    assert!(matches!(
        damaged,
        jury_store::StoreError::ForeignDamaged { .. }
    ));
    let left = std::fs::read_to_string(elsewhere.path().join(DATABASE)).unwrap();
    assert_eq!(left, "no database at all");
}
