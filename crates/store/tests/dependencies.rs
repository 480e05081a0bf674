//! What tests used is kept with its run, in a few versions, and nothing of it outlives its use.

use std::path::Path;
use std::time::SystemTime;

use jury_model::{Counts, LaunchedBy, Outcome, Recipe, ReportedUnit, UnitName};
use jury_store::{
    DATABASE, FileStamp, JvmEvidence, NewDependencies, NewRun, NewUnit, Store, UnitSource,
};
use rusqlite::Connection;

fn store() -> (Store, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    (Store::open(directory.path()).unwrap(), directory)
}

fn recipe(java_version: &str) -> Recipe {
    Recipe {
        launched_by: LaunchedBy::Surefire,
        java_home: "/jdk".into(),
        java_version: java_version.into(),
        working_directory: "/p".into(),
        class_path: vec!["/p/target/classes".into()],
        module_path: vec![],
        module_flags: vec![],
        jvm_flags: vec![],
        properties: Default::default(),
        environment: Default::default(),
        launcher_parameters: Default::default(),
        jvm_per_class: false,
    }
}

fn run(recipe: Option<Recipe>) -> NewRun {
    NewRun {
        root: "/project".into(),
        command: "mvn test".into(),
        started_at: SystemTime::now(),
        ended_at: SystemTime::now(),
        build_status: None,
        jdk: "17".into(),
        revision: None,
        note: String::new(),
        jvms: vec![JvmEvidence {
            module: ".".into(),
            recipe,
            results: vec![],
            container_failures: vec![],
        }],
    }
}

fn unit(name: &str, row: &[u8]) -> NewUnit {
    NewUnit {
        module: ".".into(),
        name: name.into(),
        source: UnitSource::Jvm(0),
        outcome: Outcome::Failed,
        counts: Counts {
            passed: 2,
            failed: 1,
            ..Counts::default()
        },
        micros: 9,
        tangle: "it ran within a suite".into(),
        launches: vec![[7; 16], [8; 16]],
        row: row.to_vec(),
    }
}

fn record(store: &mut Store, dependencies: NewDependencies) {
    store
        .record_run_with(&run(Some(recipe("17"))), Some(&dependencies))
        .unwrap();
}

fn rows(store: &Store) -> Vec<(String, Vec<u8>)> {
    let units = store.units().unwrap();
    units
        .into_iter()
        .map(|unit| (unit.name, unit.row))
        .collect()
}

#[test]
fn the_newest_versions_of_a_unit_come_back_newest_first() {
    let (mut store, _directory) = store();
    for version in 1..=10 {
        let dependencies = NewDependencies {
            units: vec![unit("a.BTest", &[version])],
            ..NewDependencies::default()
        };
        record(&mut store, dependencies);
    }
    let expected = [10, 9, 8, 7, 6, 5, 4, 3].map(|version| ("a.BTest".to_owned(), vec![version]));
    assert_eq!(rows(&store), expected);
    let newest = store.units().unwrap().remove(0);
    assert_eq!(
        (newest.outcome, newest.counts.passed, newest.micros),
        (Outcome::Failed, 2, 9)
    );
    assert_eq!(newest.tangle, "it ran within a suite");
    assert_eq!(newest.launches, [[7; 16], [8; 16]]);
    assert!(
        store
            .recipe(&newest.recipe, Path::new("/project"))
            .unwrap()
            .is_some(),
        "no test needs it, but a unit does"
    );
}

#[test]
fn a_unit_without_a_recipe_is_not_kept() {
    let (mut store, _directory) = store();
    let dependencies = NewDependencies {
        units: vec![unit("a.BTest", &[1])],
        ..NewDependencies::default()
    };
    store
        .record_run_with(&run(None), Some(&dependencies))
        .unwrap();
    assert_eq!(rows(&store), []);
}

#[test]
fn what_another_machine_showed_is_kept_with_its_recipe() {
    let (mut store, _directory) = store();
    let foreign = NewUnit {
        source: UnitSource::Elsewhere(Box::new(recipe("25"))),
        ..unit("a.BTest", &[1])
    };
    let dependencies = NewDependencies {
        units: vec![foreign],
        ..NewDependencies::default()
    };
    record(&mut store, dependencies);
    record(&mut store, NewDependencies::default());
    let kept = store.units().unwrap().remove(0);
    let launched = store
        .recipe(&kept.recipe, Path::new("/project"))
        .unwrap()
        .unwrap()
        .recipe;
    assert_eq!(launched.java_version, "25");
}

#[test]
fn a_forgotten_unit_is_gone_and_may_come_back_in_the_same_run() {
    let (mut store, _directory) = store();
    let both = NewDependencies {
        units: vec![unit("a.BTest", &[1]), unit("a.CTest", &[2])],
        ..NewDependencies::default()
    };
    record(&mut store, both);
    let earlier = store.units().unwrap().remove(1);
    let again = NewUnit {
        source: UnitSource::Earlier {
            run: earlier.run,
            recipe: earlier.recipe.clone(),
        },
        ..unit("a.CTest", &[7])
    };
    let forgetting = NewDependencies {
        forgotten: vec![
            (".".into(), "a.BTest".into()),
            (".".into(), "a.CTest".into()),
        ],
        units: vec![again],
        ..NewDependencies::default()
    };
    record(&mut store, forgetting);
    assert_eq!(rows(&store), [("a.CTest".to_owned(), vec![7])]);
    assert_eq!(store.units().unwrap()[0].run, earlier.run);
}

#[test]
fn a_run_that_settles_nothing_ends_what_was_settled_and_a_plain_one_does_not() {
    let (mut store, _directory) = store();
    let settling = NewDependencies {
        settled: Some(b"all is well".to_vec()),
        catalogues: vec![(".".into(), b"1".to_vec())],
        ..NewDependencies::default()
    };
    record(&mut store, settling);
    store.record_run(&run(None)).unwrap();
    assert_eq!(
        store.settled().unwrap().as_deref(),
        Some(&b"all is well"[..])
    );
    record(&mut store, NewDependencies::default());
    assert_eq!(store.settled().unwrap(), None);
    assert_eq!(
        store.catalogues().unwrap(),
        [(".".to_owned(), b"1".to_vec())]
    );
}

#[test]
fn a_newer_stamp_of_a_file_takes_the_place_of_the_older() {
    let (mut store, _directory) = store();
    let stamp = |kind, hash| FileStamp {
        path: "/p/a".into(),
        kind,
        size: u64::MAX,
        modified: -1,
        changed: i64::MAX,
        inode: 1 << 63,
        hash: [hash; 16],
    };
    store.keep_stamps(&[stamp(0, 1), stamp(1, 2)]).unwrap();
    store.keep_stamps(&[stamp(0, 3)]).unwrap();
    assert_eq!(store.stamps().unwrap(), [stamp(0, 3), stamp(1, 2)]);
}

#[test]
fn a_database_of_the_second_format_gains_the_tables() {
    let (store, directory) = store();
    drop(store);
    let raw = Connection::open(directory.path().join(DATABASE)).unwrap();
    raw.execute_batch(
        "DROP TABLE units; DROP TABLE catalogues; DROP TABLE stamps; DROP TABLE settled;
         DROP TABLE selections; ALTER TABLE tests DROP COLUMN present;
         ALTER TABLE runs DROP COLUMN revision; ALTER TABLE covered DROP COLUMN initialising;
         DROP TABLE answers; DROP TABLE flaky;
         PRAGMA user_version = 2",
    )
    .unwrap();
    drop(raw);
    let store = Store::open(directory.path()).unwrap();
    assert_eq!(store.notice(), None);
    assert_eq!(rows(&store), []);
}

#[test]
fn what_a_run_selected_is_kept_as_long_as_its_results() {
    let (mut store, _directory) = store();
    store.keep_runs(2);
    let reported = |class: &str, ran: bool, red: usize| ReportedUnit {
        unit: UnitName::new(".", class),
        ran,
        reason: "ä".repeat(1_000),
        tests: 3,
        red,
        micros: 10,
    };
    for red in 0..3 {
        let dependencies = NewDependencies {
            selection: vec![reported("a.Run", true, red), reported("b.Not", false, 0)],
            ..NewDependencies::default()
        };
        record(&mut store, dependencies);
    }
    let runs = store.selecting_runs(9).unwrap();
    let figures: Vec<_> = (runs.iter())
        .map(|run| {
            (
                run.number,
                run.run_classes,
                run.left_out_classes,
                run.red_classes,
            )
        })
        .collect();
    assert_eq!(figures, [(2, 1, 1, 1), (3, 1, 1, 1)]);
    assert_eq!((runs[1].run_micros, runs[1].left_out_micros), (10, 10));
    assert_eq!(store.selecting_runs(1).unwrap()[0].number, 3);
    let units = store.selection_of(3).unwrap();
    assert_eq!(units.len(), 2);
    assert_eq!((units[0].red, units[0].reason.len()), (2, 400));
    assert!(units[0].ran && !units[1].ran);
    assert!(store.selection_of(1).unwrap().is_empty());
}
