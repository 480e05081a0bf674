//! What is recorded comes back, merged and pruned as documented.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jury_model::{Engine, Failure, Flakiness, LaunchedBy, Outcome, Recipe, TestCase, TestId};
use jury_store::{
    BuildStatus, ContainerFailure, JvmEvidence, NewDependencies, NewFlaky, NewRun, RunId, Speaker,
    Store, StoredTest, TestFilter, TestResult,
};
use tempfile::TempDir;

/// The directory lives as long as it is held.
fn fixture() -> (Store, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&state_dir(&directory)).unwrap();
    (store, directory)
}

fn state_dir(directory: &TempDir) -> PathBuf {
    directory.path().join("a prøject/.jury")
}

fn case(class: &str, method: &str) -> TestCase {
    TestCase {
        id: TestId::new(format!(
            "[engine:junit-jupiter]/[class:{class}]/[method:{method}()]"
        )),
        engine: Engine::new("junit-jupiter"),
        class: class.into(),
        method: method.into(),
        variant: String::new(),
        display_name: format!("{method}()"),
    }
}

fn result(class: &str, method: &str, outcome: Outcome) -> TestResult {
    TestResult {
        test: case(class, method),
        outcome,
        micros: 1_500,
        failure: outcome.is_red().then(|| failure("expected 1 but was 2")),
    }
}

fn failure(message: &str) -> Failure {
    Failure {
        exception: "java.lang.AssertionError".into(),
        message: message.into(),
        trace: format!("java.lang.AssertionError: {message}\n\tat a.BTest.adds(BTest.java:7)"),
    }
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
        jvm_flags: vec!["-Xmx1g".into()],
        properties: Default::default(),
        environment: Default::default(),
        launcher_parameters: Default::default(),
        jvm_per_class: false,
    }
}

fn jvm(module: &str, recipe: Option<Recipe>, results: Vec<TestResult>) -> JvmEvidence {
    JvmEvidence {
        module: module.into(),
        recipe,
        results,
        container_failures: vec![],
    }
}

fn run(jvms: Vec<JvmEvidence>) -> NewRun {
    let started_at = SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_123);
    NewRun {
        root: "/project".into(),
        command: "mvn test".into(),
        started_at,
        ended_at: started_at + Duration::from_secs(4),
        build_status: Some(BuildStatus::Exited(1)),
        jdk: "17.0.1".into(),
        revision: None,
        note: String::new(),
        jvms,
    }
}

fn all(store: &Store) -> Vec<StoredTest> {
    store.tests(&TestFilter::default()).unwrap()
}

fn labels(store: &Store, filter: TestFilter) -> Vec<String> {
    let tests = store.tests(&filter).unwrap();
    tests
        .iter()
        .map(|stored| format!("{}:{}", stored.module, stored.test.label()))
        .collect()
}

#[test]
fn a_recorded_run_comes_back_as_it_was() {
    let (mut store, _directory) = fixture();
    let results = vec![
        result("a.BTest", "adds", Outcome::Passed),
        result("a.BTest", "divides", Outcome::Skipped),
    ];
    let new_run = run(vec![jvm("core", Some(recipe("17")), results)]);
    let id = store.record_run(&new_run).unwrap();

    let last = store.last_run().unwrap().unwrap();
    assert_eq!(last.id, id);
    assert_eq!(last.started_at, new_run.started_at);
    assert_eq!(last.ended_at, new_run.ended_at);
    assert_eq!(last.command, "mvn test");
    assert_eq!(last.build_status, Some(BuildStatus::Exited(1)));

    let tests = all(&store);
    assert_eq!(tests.len(), 2);
    assert_eq!(tests[0].test, case("a.BTest", "adds"));
    assert_eq!(tests[0].last_outcome, Outcome::Passed);
    assert_eq!(tests[0].last_micros, 1_500);
    assert_eq!(tests[0].last_run, id);
    assert_eq!(tests[0].unstable_run, None);
    assert_eq!(tests[1].last_outcome, Outcome::Skipped);

    let stored = store
        .recipe(tests[0].recipe.as_ref().unwrap(), Path::new("/project"))
        .unwrap();
    assert_eq!(stored.unwrap().recipe, recipe("17"));
}

#[test]
fn evidence_outlives_the_process_that_recorded_it() {
    let directory = tempfile::tempdir().unwrap();
    let mut store = Store::open(&state_dir(&directory)).unwrap();
    let results = vec![result("a.BTest", "adds", Outcome::Passed)];
    store
        .record_run(&run(vec![jvm(".", None, results)]))
        .unwrap();
    drop(store);
    let store = Store::open(&state_dir(&directory)).unwrap();
    assert_eq!(store.notice(), None);
    assert_eq!(all(&store).len(), 1);
}

#[test]
fn a_test_with_two_outcomes_in_one_run_keeps_the_worst_and_is_unstable() {
    for outcomes in [
        [Outcome::Failed, Outcome::Passed],
        [Outcome::Passed, Outcome::Failed],
    ] {
        let (mut store, _directory) = fixture();
        let jvms = outcomes
            .map(|outcome| jvm("core", None, vec![result("a.BTest", "adds", outcome)]))
            .to_vec();
        let id = store.record_run(&run(jvms)).unwrap();
        let tests = all(&store);
        assert_eq!(tests.len(), 1);
        assert_eq!(tests[0].last_outcome, Outcome::Failed);
        assert_eq!(tests[0].unstable_run, Some(id));
    }
}

#[test]
fn of_each_run_it_is_known_which_tests_did_not_pass() {
    let (mut store, _directory) = fixture();
    let mut record = |adds: Outcome, subtracts: &[Outcome]| {
        let subtracts = subtracts.iter();
        let subtracts = subtracts.map(|outcome| result("a.BTest", "subtracts", *outcome));
        let results = [result("a.BTest", "adds", adds)]
            .into_iter()
            .chain(subtracts);
        let jvm = jvm("core", None, results.collect());
        store.record_run(&run(vec![jvm])).unwrap()
    };
    let (skipped, passed) = (Outcome::Skipped, Outcome::Passed);
    let first = record(skipped, &[passed]);
    let second = record(passed, &[Outcome::Aborted]);
    // Of a test that did both nothing can be said.
    record(passed, &[skipped, passed]);
    let unpassed = store.unpassed().unwrap();
    let unpassed: Vec<_> = (unpassed.iter())
        .map(|one| (one.run, one.module.as_str(), &one.test, one.outcome))
        .collect();
    let (adds, subtracts) = (case("a.BTest", "adds"), case("a.BTest", "subtracts"));
    assert_eq!(
        unpassed,
        [
            (first, "core", &adds.id, skipped),
            (second, "core", &subtracts.id, Outcome::Aborted)
        ]
    );
}

#[test]
fn a_test_repeated_with_one_outcome_is_not_unstable() {
    let (mut store, _directory) = fixture();
    let twice = vec![result("a.BTest", "adds", Outcome::Passed); 2];
    store
        .record_run(&run(vec![jvm("core", None, twice)]))
        .unwrap();
    assert_eq!(all(&store)[0].unstable_run, None);
}

#[test]
fn instability_is_remembered_after_a_steady_run() {
    let (mut store, _directory) = fixture();
    let passed = result("a.BTest", "adds", Outcome::Passed);
    let failed = result("a.BTest", "adds", Outcome::Failed);
    let both = vec![passed.clone(), failed];
    let first = store.record_run(&run(vec![jvm(".", None, both)])).unwrap();
    store
        .record_run(&run(vec![jvm(".", None, vec![passed])]))
        .unwrap();
    let stored = &all(&store)[0];
    assert_eq!(stored.last_outcome, Outcome::Passed);
    assert_eq!(stored.unstable_run, Some(first));
}

#[test]
fn a_test_that_ended_otherwise_just_before_can_be_marked_as_unstable() {
    let (mut store, _directory) = fixture();
    let passed = |class| result(class, "adds", Outcome::Passed);
    let jvm = jvm("core", None, vec![passed("a.BTest"), passed("a.CTest")]);
    let id = store.record_run(&run(vec![jvm])).unwrap();
    let flaky = ("core".to_owned(), case("a.CTest", "adds").id);
    store.mark_unstable(id, &[flaky]).unwrap();
    let tests = all(&store);
    assert_eq!(tests[0].unstable_run, None);
    assert_eq!(tests[1].unstable_run, Some(id));
}

#[test]
fn the_same_test_id_in_two_modules_is_two_tests() {
    let (mut store, _directory) = fixture();
    let passed = result("a.BTest", "adds", Outcome::Passed);
    let failed = result("a.BTest", "adds", Outcome::Failed);
    let jvms = vec![
        jvm("app", None, vec![passed]),
        jvm("core", None, vec![failed]),
    ];
    store.record_run(&run(jvms)).unwrap();
    let tests = all(&store);
    assert_eq!(tests[0].last_outcome, Outcome::Passed);
    assert_eq!(tests[1].last_outcome, Outcome::Failed);
    assert_eq!(tests[1].unstable_run, None);
}

#[test]
fn only_red_tests_have_failures() {
    let (mut store, _directory) = fixture();
    let mut aborted = result("a.BTest", "assumes", Outcome::Aborted);
    aborted.failure = Some(failure("assumption"));
    let mut crashed = result("a.BTest", "exits", Outcome::Crashed);
    crashed.failure = None;
    let failed = result("a.BTest", "adds", Outcome::Failed);
    let mut evidence = jvm("core", None, vec![aborted, crashed, failed]);
    evidence.container_failures = vec![ContainerFailure {
        id: TestId::new("[engine:junit-jupiter]/[class:a.CTest]"),
        class: "a.CTest".into(),
        failure: failure("no database"),
    }];
    let id = store.record_run(&run(vec![evidence])).unwrap();

    let failures = store.failures(id).unwrap();
    assert_eq!(failures.len(), 2);
    assert_eq!(failures[0].test.method, "exits");
    assert_eq!(failures[0].failure, None);
    assert_eq!(failures[1].outcome, Outcome::Failed);
    assert_eq!(failures[1].failure, Some(failure("expected 1 but was 2")));

    let containers = store.container_failures(id).unwrap();
    assert_eq!(containers.len(), 1);
    assert_eq!(containers[0].class, "a.CTest");
    assert_eq!(containers[0].failure, failure("no database"));
}

#[test]
fn tests_are_found_by_module_class_label_and_run() {
    let (mut store, _directory) = fixture();
    let old = vec![result("a.BTest", "adds", Outcome::Passed)];
    store
        .record_run(&run(vec![jvm("core", None, old)]))
        .unwrap();
    let new = vec![
        result("a.BTest$Inner", "adds", Outcome::Passed),
        result("a.BTestCase", "adds", Outcome::Passed),
    ];
    let second = store.record_run(&run(vec![jvm("app", None, new)])).unwrap();

    let check = |filter: TestFilter, expected: &[&str]| {
        assert_eq!(labels(&store, filter.clone()), expected, "{filter:?}");
    };
    let module = Some("core".to_string());
    check(
        TestFilter {
            module,
            ..Default::default()
        },
        &["core:a.BTest#adds"],
    );
    let class = Some("a.BTest".to_string());
    check(
        TestFilter {
            class,
            ..Default::default()
        },
        &["app:a.BTest$Inner#adds", "core:a.BTest#adds"],
    );
    let label = Some("Case#".to_string());
    check(
        TestFilter {
            label,
            ..Default::default()
        },
        &["app:a.BTestCase#adds"],
    );
    let label = Some("a.BTest#*".to_string());
    check(
        TestFilter {
            label,
            ..Default::default()
        },
        &["core:a.BTest#adds"],
    );
    let last_run = Some(second);
    check(
        TestFilter {
            last_run,
            ..Default::default()
        },
        &["app:a.BTest$Inner#adds", "app:a.BTestCase#adds"],
    );
}

#[test]
fn a_changed_recipe_replaces_the_one_no_test_uses_any_more() {
    let (mut store, _directory) = fixture();
    let results = vec![result("a.BTest", "adds", Outcome::Passed)];
    let with = |version: &str| run(vec![jvm("core", Some(recipe(version)), results.clone())]);
    let first = store.record_run(&with("17")).unwrap();
    let second = store.record_run(&with("17")).unwrap();
    let kept = store.recipes(Path::new("/project")).unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(
        (kept[0].first_seen_run, kept[0].last_seen_run),
        (first, second)
    );

    store.record_run(&with("25")).unwrap();
    let kept = store.recipes(Path::new("/project")).unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].recipe.java_version, "25");
    assert_eq!(all(&store)[0].recipe.as_ref(), Some(&kept[0].id));
}

#[test]
fn old_results_go_but_the_newest_of_each_test_stays() {
    let (mut store, _directory) = fixture();
    store.keep_runs(2);
    let rare = result("a.BTest", "rare", Outcome::Failed);
    let often = result("a.BTest", "often", Outcome::Failed);
    let both = vec![rare, often.clone()];
    let first = store
        .record_run(&run(vec![jvm("core", None, both)]))
        .unwrap();
    let mut last = first;
    for number in 0..4 {
        let mut often = often.clone();
        often.failure = Some(failure(&format!("number {number}")));
        last = store
            .record_run(&run(vec![jvm("core", None, vec![often])]))
            .unwrap();
    }

    let kept: Vec<i64> = store
        .runs(10)
        .unwrap()
        .iter()
        .map(|run| run.id.number())
        .collect();
    assert_eq!(kept, [last.number(), last.number() - 1, first.number()]);
    let old = store.failures(first).unwrap();
    assert_eq!(old.len(), 1);
    assert_eq!(old[0].test.method, "rare");
    assert_eq!(
        store.failures(last).unwrap()[0].failure,
        Some(failure("number 3"))
    );
    assert_eq!(all(&store).len(), 2);
}

/// Records a run of some tests of `a.BTest`, for all of which `speaker` speaks.
fn record(store: &mut Store, tests: &[(&str, Outcome)], speaker: Speaker) -> RunId {
    let results = tests.iter();
    let results = results.map(|(method, outcome)| result("a.BTest", method, *outcome));
    let evidence = jvm("core", Some(recipe("17")), results.collect());
    let dependencies = NewDependencies {
        speakers: [(("core".to_owned(), "a.BTest".to_owned()), speaker)].into(),
        ..NewDependencies::default()
    };
    store
        .record_run_with(&run(vec![evidence]), Some(&dependencies))
        .unwrap()
}

fn outcomes(store: &Store) -> Vec<(String, Outcome)> {
    let tests = all(store).into_iter();
    tests
        .map(|stored| (stored.test.method, stored.last_outcome))
        .collect()
}

#[test]
fn tests_that_were_left_out_end_as_in_the_run_that_speaks_for_them() {
    let (mut store, _directory) = fixture();
    let (passed, failed) = (Outcome::Passed, Outcome::Failed);
    let green = record(&mut store, &[("adds", passed)], Speaker::ThisRun);
    let recipe = all(&store)[0].recipe.clone().unwrap();
    let red = [("adds", failed), ("subtracts", failed)];
    record(&mut store, &red, Speaker::ThisRun);
    assert_eq!(outcomes(&store).len(), 2);

    let earlier = Speaker::Earlier { run: green, recipe };
    record(&mut store, &[], earlier);
    assert_eq!(outcomes(&store), [("adds".to_owned(), passed)]);
    assert_eq!(all(&store)[0].last_run, green);
}

#[test]
fn a_test_that_its_class_has_no_longer_is_gone_until_it_is_back() {
    let (mut store, _directory) = fixture();
    let (adds, old) = (("adds", Outcome::Passed), ("old", Outcome::Passed));
    let both = record(&mut store, &[adds, old], Speaker::ThisRun);
    let recipe = all(&store)[0].recipe.clone().unwrap();
    record(&mut store, &[adds], Speaker::ThisRun);
    assert_eq!(outcomes(&store).len(), 1);

    record(&mut store, &[], Speaker::Earlier { run: both, recipe });
    assert_eq!(outcomes(&store).len(), 2);

    record(&mut store, &[], Speaker::Nobody);
    assert_eq!(outcomes(&store), []);
    record(&mut store, &[old], Speaker::ThisRun);
    assert_eq!(outcomes(&store), [("old".to_owned(), Outcome::Passed)]);
}

#[test]
fn a_test_whose_class_was_green_elsewhere_is_not_red() {
    let (mut store, _directory) = fixture();
    let tests = [("adds", Outcome::Failed), ("divides", Outcome::Skipped)];
    record(&mut store, &tests, Speaker::ThisRun);
    record(&mut store, &[], Speaker::Elsewhere);
    let expected = [("adds", Outcome::Passed), ("divides", Outcome::Skipped)];
    assert_eq!(
        outcomes(&store),
        expected.map(|(method, outcome)| (method.to_owned(), outcome))
    );
}

#[test]
fn a_run_that_saw_no_test_is_still_a_run() {
    let (mut store, _directory) = fixture();
    let mut nothing = run(vec![]);
    nothing.build_status = None;
    store.record_run(&nothing).unwrap();
    assert_eq!(store.last_run().unwrap().unwrap().build_status, None);
    assert_eq!(all(&store), []);
}

#[test]
fn a_store_without_runs_answers_with_nothing() {
    let (store, _directory) = fixture();
    assert_eq!(store.last_run().unwrap(), None);
    assert_eq!(store.recipes(Path::new("/project")).unwrap(), []);
    assert!(store.size().unwrap() > 0);
}

/// The hardest case: every test red, each with a long text of its own, in runs without end.
#[test]
fn a_red_suite_takes_less_than_a_kilobyte_for_each_test_and_run() {
    const TESTS: usize = 2_000;
    const RUNS: u64 = 3;
    let (mut store, directory) = fixture();
    for run_number in 0..RUNS {
        let results = (0..TESTS)
            .map(|number| {
                let mut red = result("org.example.LongishNameTest", "x", Outcome::Failed);
                red.test = case("org.example.LongishNameTest", &format!("method{number}"));
                red.failure = Some(Failure {
                    exception: "java.lang.AssertionError".into(),
                    message: format!("run {run_number} test {number}: {}", "ä".repeat(5_000)),
                    trace: format!("{number} {}", "at a.B.c\n".repeat(5_000)),
                });
                red
            })
            .collect();
        store
            .record_run(&run(vec![jvm("core", Some(recipe("17")), results)]))
            .unwrap();
    }
    let results = TESTS as u64 * RUNS;
    drop(store);
    let store = Store::open(&state_dir(&directory)).unwrap();
    let bytes = store.size().unwrap() / results;
    assert!(bytes < 1_024, "{bytes} bytes for each test and run");
    let kept = store
        .failures(store.last_run().unwrap().unwrap().id)
        .unwrap();
    assert!(
        kept[0]
            .failure
            .as_ref()
            .unwrap()
            .trace
            .starts_with("0 at a.B.c")
    );
    let last = kept.last().unwrap().failure.as_ref().unwrap();
    assert!(last.message.starts_with("run 2 test 1999: ä") && last.trace.is_empty());
}

#[test]
fn flaky_tests_are_remembered_until_they_are_taken_back() {
    let (mut store, _directory) = fixture();
    let results = vec![
        result("a.BTest", "adds", Outcome::Passed),
        result("a.BTest", "counts", Outcome::Passed),
    ];
    store
        .record_run(&run(vec![jvm("core", None, results)]))
        .unwrap();
    let id = |method| case("a.BTest", method).id;
    let new = |method, kind, culprits: &[&str]| NewFlaky {
        module: "core".into(),
        id: id(method),
        kind,
        culprits: culprits.iter().map(ToString::to_string).collect(),
        rounds: 5,
        catalogue: vec![1],
        row: vec![2],
    };
    let found = [
        new("adds", Flakiness::Victim, &["a.CTest", "a.DTest"]),
        new("counts", Flakiness::Unsteady, &[]),
        new("gone", Flakiness::Unsteady, &[]),
    ];
    store.keep_flaky(&found, &[], SystemTime::now()).unwrap();
    let known = |store: &Store| -> Vec<String> {
        let known = store.flaky_tests().unwrap();
        known.iter().map(|one| one.flaky.to_string()).collect()
    };
    assert_eq!(
        known(&store),
        [
            "order-dependent: `a.BTest#adds` is red after `a.CTest`, `a.DTest`",
            "flaky: `a.BTest#counts` does not always end in the same way",
        ]
    );
    // The latest finding is what counts.
    let found = [new("counts", Flakiness::Brittle, &["a.CTest"])];
    let taken_back = [("core".to_owned(), id("adds"))];
    store
        .keep_flaky(&found, &taken_back, SystemTime::now())
        .unwrap();
    assert_eq!(
        known(&store),
        ["order-dependent: `a.BTest#counts` is red without `a.CTest` before it"]
    );
}
