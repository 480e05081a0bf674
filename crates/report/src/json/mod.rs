//! JSON for machines. The structs here are the published schema (`docs/json.md`): fields are only
//! ever added, and `SCHEMA_VERSION` rises when one changes its meaning. Order is stable.

mod explanation;
mod flakiness;
mod history;
mod impact;
mod look_back;
mod mutation;

use std::collections::BTreeMap;

use jury_model::{
    Checkup, Counts, Difference, Foresight, Health, KnownTest, Notice, RedTest, ReplayedRun,
    RunUnit, Selected, UnitName, WatchedRun,
};
use serde::Serialize;

pub use explanation::{explained, read_explained, verified};
pub use flakiness::reran;
pub use history::{history, noted};
pub use impact::{dot, impact};
pub use look_back::looked_back;
pub use mutation::mutated;

pub const SCHEMA_VERSION: u32 = 1;

pub fn watched(run: &WatchedRun) -> String {
    document(
        "test",
        WatchedJson {
            exit_code: run.exit.code(),
            build_status: &run.build_status,
            counts: (&run.counts).into(),
            modules: run
                .modules
                .iter()
                .map(|(name, counts)| (&**name, counts.into()))
                .collect(),
            jvms: run
                .jvms
                .iter()
                .map(|(by, count)| (by.word(), *count))
                .collect(),
            red: run.red.iter().map(RedJson::from).collect(),
            flaky: run.flaky.iter().map(RedJson::from).collect(),
            attempts: run.attempts,
            selection: (&run.selected).into(),
            notices: run.notices.iter().map(NoticeJson::from).collect(),
            build_millis: run.build_millis,
            own_millis: run.own_millis,
            total_millis: run.total_millis,
        },
    )
}

pub fn foreseen(foresight: &Foresight) -> String {
    document(
        "why",
        ForesightJson {
            units: (foresight.units.iter())
                .map(|one| ForeseenJson {
                    unit: (&one.unit).into(),
                    would_run: !one.reasons.is_empty(),
                    reasons: &one.reasons,
                    tests: (&one.tests).into(),
                    micros: one.micros,
                    tangle: one.tangle.as_deref(),
                })
                .collect(),
            predicted_tests: foresight.predicted_tests,
            new_classes: foresight.new_classes,
            predicted_micros: foresight.predicted_micros,
            notices: foresight.notices.iter().map(NoticeJson::from).collect(),
            analysis_millis: foresight.analysis_millis,
        },
    )
}

pub fn replayed(run: &ReplayedRun) -> String {
    document(
        "replay",
        ReplayedJson {
            exit_code: run.exit.code(),
            counts: (&run.counts).into(),
            rounds: run.rounds,
            workers: run.workers,
            differences: run.differences.iter().map(DifferenceJson::from).collect(),
            red: run.red.iter().map(RedJson::from).collect(),
            notices: run.notices.iter().map(NoticeJson::from).collect(),
            wall_millis: run.wall_millis,
            test_micros: run.test_micros,
        },
    )
}

pub fn known_tests(tests: &[KnownTest]) -> String {
    document(
        "tests",
        TestsJson {
            tests: tests.iter().map(TestJson::from).collect(),
        },
    )
}

pub fn checkups(checkups: &[Checkup]) -> String {
    document(
        "doctor",
        CheckupsJson {
            checkups: checkups.iter().map(CheckupJson::from).collect(),
        },
    )
}

#[derive(Serialize)]
struct Document<T> {
    schema_version: u32,
    command: &'static str,
    #[serde(flatten)]
    body: T,
}

fn document(command: &'static str, body: impl Serialize) -> String {
    let document = Document {
        schema_version: SCHEMA_VERSION,
        command,
        body,
    };
    // ok: maps have string keys and no value refuses to be serialised.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

#[derive(Serialize)]
struct WatchedJson<'a> {
    exit_code: u8,
    build_status: &'a str,
    counts: CountsJson,
    modules: BTreeMap<&'a str, CountsJson>,
    jvms: BTreeMap<&'a str, usize>,
    red: Vec<RedJson<'a>>,
    flaky: Vec<RedJson<'a>>,
    attempts: u32,
    selection: SelectionJson<'a>,
    notices: Vec<NoticeJson<'a>>,
    build_millis: u64,
    own_millis: u64,
    total_millis: u64,
}

#[derive(Serialize)]
struct SelectionJson<'a> {
    build_started: bool,
    collected: bool,
    run: Vec<RunUnitJson<'a>>,
    left_out: Vec<UnitJson<'a>>,
    left_out_classes: usize,
    left_out_methods: usize,
    left_out_tests: CountsJson,
    deselected: &'a [String],
    audited_classes: usize,
    audited_methods: usize,
    misses: Vec<MissJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<ChosenJson>,
    analysis_millis: u64,
    collection_millis: u64,
}

impl<'a> From<&'a Selected> for SelectionJson<'a> {
    fn from(selected: &'a Selected) -> Self {
        Self {
            build_started: selected.build_started,
            collected: selected.collected,
            run: (selected.run.iter())
                .map(|RunUnit { unit, reasons }| RunUnitJson {
                    unit: unit.into(),
                    reasons,
                })
                .collect(),
            left_out: selected.left_out.iter().map(UnitJson::from).collect(),
            left_out_classes: selected.left_out_classes,
            left_out_methods: selected.left_out_methods,
            left_out_tests: (&selected.left_out_tests).into(),
            deselected: &selected.deselected,
            audited_classes: selected.audited_classes,
            audited_methods: selected.audited_methods,
            misses: (selected.misses.iter())
                .map(|miss| MissJson {
                    unit: (&miss.unit).into(),
                    known: (&miss.known).into(),
                    shown: (&miss.shown).into(),
                    newly_used: &miss.newly_used,
                    otherwise: &miss.otherwise,
                })
                .collect(),
            chosen: selected.chosen.map(|chosen| ChosenJson {
                methods: chosen.methods,
                class_micros: chosen.class_micros,
                chosen_micros: chosen.chosen_micros,
            }),
            analysis_millis: selected.analysis_millis,
            collection_millis: selected.collection_millis,
        }
    }
}

#[derive(Serialize)]
struct ChosenJson {
    methods: bool,
    class_micros: u64,
    chosen_micros: u64,
}

#[derive(Serialize)]
struct UnitJson<'a> {
    module: &'a str,
    class: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
}

impl<'a> From<&'a UnitName> for UnitJson<'a> {
    fn from(unit: &'a UnitName) -> Self {
        Self {
            module: &unit.module,
            class: &unit.class,
            method: unit.method.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct RunUnitJson<'a> {
    #[serde(flatten)]
    unit: UnitJson<'a>,
    reasons: &'a [String],
}

#[derive(Serialize)]
struct MissJson<'a> {
    #[serde(flatten)]
    unit: UnitJson<'a>,
    known: CountsJson,
    shown: CountsJson,
    newly_used: &'a [String],
    otherwise: &'a [String],
}

#[derive(Serialize)]
struct ForesightJson<'a> {
    units: Vec<ForeseenJson<'a>>,
    predicted_tests: usize,
    new_classes: usize,
    predicted_micros: u64,
    notices: Vec<NoticeJson<'a>>,
    analysis_millis: u64,
}

#[derive(Serialize)]
struct ForeseenJson<'a> {
    #[serde(flatten)]
    unit: UnitJson<'a>,
    would_run: bool,
    reasons: &'a [String],
    tests: CountsJson,
    micros: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tangle: Option<&'a str>,
}

#[derive(Serialize)]
struct ReplayedJson<'a> {
    exit_code: u8,
    counts: CountsJson,
    rounds: usize,
    workers: u32,
    differences: Vec<DifferenceJson<'a>>,
    red: Vec<RedJson<'a>>,
    notices: Vec<NoticeJson<'a>>,
    wall_millis: u64,
    test_micros: u64,
}

#[derive(Serialize)]
struct CountsJson {
    total: usize,
    passed: usize,
    skipped: usize,
    aborted: usize,
    failed: usize,
    timed_out: usize,
    crashed: usize,
}

impl From<&Counts> for CountsJson {
    fn from(counts: &Counts) -> Self {
        Self {
            total: counts.total(),
            passed: counts.passed,
            skipped: counts.skipped,
            aborted: counts.aborted,
            failed: counts.failed,
            timed_out: counts.timed_out,
            crashed: counts.crashed,
        }
    }
}

#[derive(Serialize)]
struct FailureJson<'a> {
    exception: &'a str,
    message: &'a str,
    trace: &'a str,
}

impl<'a> From<&'a jury_model::Failure> for FailureJson<'a> {
    fn from(failure: &'a jury_model::Failure) -> Self {
        Self {
            exception: &failure.exception,
            message: &failure.message,
            trace: &failure.trace,
        }
    }
}

#[derive(Serialize)]
struct RedJson<'a> {
    module: &'a str,
    label: &'a str,
    outcome: &'a str,
    failure: Option<FailureJson<'a>>,
}

impl<'a> From<&'a RedTest> for RedJson<'a> {
    fn from(red: &'a RedTest) -> Self {
        Self {
            module: &red.module,
            label: &red.label,
            outcome: red.outcome.word(),
            failure: red.failure.as_ref().map(FailureJson::from),
        }
    }
}

#[derive(Serialize)]
struct DifferenceJson<'a> {
    module: &'a str,
    label: &'a str,
    recorded: &'a str,
    replayed: Option<&'a str>,
    failure: Option<FailureJson<'a>>,
}

impl<'a> From<&'a Difference> for DifferenceJson<'a> {
    fn from(difference: &'a Difference) -> Self {
        Self {
            module: &difference.module,
            label: &difference.label,
            recorded: difference.recorded.word(),
            replayed: difference.replayed.map(|outcome| outcome.word()),
            failure: difference.failure.as_ref().map(FailureJson::from),
        }
    }
}

#[derive(Serialize)]
struct NoticeJson<'a> {
    message: &'a str,
    hint: Option<&'a str>,
}

impl<'a> From<&'a Notice> for NoticeJson<'a> {
    fn from(notice: &'a Notice) -> Self {
        Self {
            message: &notice.message,
            hint: notice.hint.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct TestsJson<'a> {
    tests: Vec<TestJson<'a>>,
}

#[derive(Serialize)]
struct TestJson<'a> {
    module: &'a str,
    id: &'a str,
    engine: &'a str,
    class: &'a str,
    method: &'a str,
    variant: &'a str,
    display_name: &'a str,
    label: String,
    outcome: &'a str,
    micros: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    flaky: Option<KnownFlakyJson<'a>>,
}

/// A test that `jury flaky` has found.
#[derive(Serialize)]
struct KnownFlakyJson<'a> {
    kind: &'static str,
    culprits: &'a [String],
}

impl<'a> From<&'a KnownTest> for TestJson<'a> {
    fn from(known: &'a KnownTest) -> Self {
        Self {
            module: &known.module,
            id: known.test.id.as_str(),
            engine: known.test.engine.as_str(),
            class: &known.test.class,
            method: &known.test.method,
            variant: &known.test.variant,
            display_name: &known.test.display_name,
            label: known.test.label(),
            outcome: known.outcome.word(),
            micros: known.micros,
            flaky: known.flaky.as_ref().map(|flaky| KnownFlakyJson {
                kind: flaky.kind.word(),
                culprits: &flaky.culprits,
            }),
        }
    }
}

#[derive(Serialize)]
struct CheckupsJson<'a> {
    checkups: Vec<CheckupJson<'a>>,
}

#[derive(Serialize)]
struct CheckupJson<'a> {
    subject: &'a str,
    health: &'static str,
    finding: &'a str,
    hint: Option<&'a str>,
}

impl<'a> From<&'a Checkup> for CheckupJson<'a> {
    fn from(checkup: &'a Checkup) -> Self {
        Self {
            subject: &checkup.subject,
            health: match checkup.health {
                Health::Good => "good",
                Health::Odd => "odd",
                Health::Bad => "bad",
            },
            finding: &checkup.finding,
            hint: checkup.hint.as_deref(),
        }
    }
}
