//! The Java mirror of the protocol writes the bytes that Rust writes and reads the commands that
//! Rust sends. `fixtures/records.txt` pins those bytes, so that both sides cannot drift together
//! without a new format version.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use jury_model::{Engine, Failure, Outcome, TestCase, TestId};
use jury_protocol::{
    Ask, Attention, Calls, ClassQuestion, Command, FlagsQuestion, PathQuestion, PortQuestion,
    ProbesQuestion, Question, Record, Runs, SeenCalls, Sighting, Sightings, Touch, TouchKind, Uses,
};
use support::Driver;

fn samples() -> Vec<(String, Record)> {
    let map: BTreeMap<String, String> = [("greeting".into(), "grüß dich".into())].into();
    let test = TestCase {
        id: TestId::new("[engine:junit-jupiter]/[class:a.BTest]/[method:adds(int)]"),
        engine: Engine::new("junit-jupiter"),
        class: "a.BTest".into(),
        method: "adds".into(),
        variant: "(int)[1]".into(),
        display_name: "adds → 3".into(),
    };
    let failure = Failure {
        exception: "java.lang.AssertionError".into(),
        message: "1 ≠ 2".into(),
        trace: "at a.BTest.adds".into(),
    };
    let mut samples = vec![
        ("properties".to_string(), Record::Properties(map.clone())),
        (
            "launcher-parameters".into(),
            Record::LauncherParameters(map),
        ),
        ("test-started".into(), Record::TestStarted(test.clone())),
    ];
    for outcome in [
        Outcome::Passed,
        Outcome::Skipped,
        Outcome::Aborted,
        Outcome::Failed,
    ] {
        let record = Record::TestFinished {
            id: test.id.clone(),
            outcome,
            nanos: 0x0102_0304_0506_0708,
            failure: (outcome == Outcome::Failed).then(|| failure.clone()),
        };
        samples.push((format!("test-{outcome}"), record));
    }
    let uses = Uses {
        methods: vec![0, 300],
        facts: vec![
            Touch {
                kind: TouchKind::FileRead,
                name: "/grün".into(),
            },
            Touch {
                kind: TouchKind::AllVariablesRead,
                name: String::new(),
            },
        ],
        marks: Uses::CHILD_PROCESS | Uses::NATIVE_LIBRARY,
    };
    samples.extend([
        (
            "test-skipped-before-start".into(),
            Record::TestSkipped {
                test,
                reason: "slow".into(),
            },
        ),
        (
            "container-failed".into(),
            Record::ContainerFailed {
                id: TestId::new("a.BTest"),
                class: "a.BTest".into(),
                failure,
            },
        ),
        (
            "worked".into(),
            Record::Worked {
                id: TestId::new("a.BTest"),
                runs: Runs::of([(0, 1), (300, 2)]),
                initialising: vec![300],
                work: 5,
                overran: true,
            },
        ),
        (
            "used".into(),
            Record::Used {
                id: TestId::new("a.BTest"),
                uses: uses.clone(),
            },
        ),
        (
            "shared".into(),
            Record::Shared {
                class: "a.BTest".into(),
                tangles: Record::OVERLAPPING | Record::SHARED_FILES,
                uses: uses.clone(),
            },
        ),
        (
            "initialised".into(),
            Record::Initialised { number: 300, uses },
        ),
        (
            "left-out-unit".into(),
            Record::LeftOutUnit {
                class: "a.BTest".into(),
            },
        ),
        (
            "in-process".into(),
            Record::InProcess {
                directory: "/p".into(),
                forked: true,
            },
        ),
        (
            "seen".into(),
            Record::Seen {
                id: TestId::new("a.BTest"),
                sightings: Sightings {
                    texts: vec!["result#value".into(), "I5".into()],
                    sightings: vec![Sighting {
                        place: 1 << 32,
                        ordinal: 2,
                        property: 0,
                        value: 1,
                    }],
                    digest: 7,
                    calls: vec![SeenCalls {
                        number: 5,
                        count: 3,
                        digest: 8,
                        distance: 2,
                    }],
                    cut: true,
                    unreadable: vec!["a.B.hidden".into()],
                },
            },
        ),
        ("ready".into(), Record::Ready),
        (
            "batch-done".into(),
            Record::BatchDone {
                batch: 3,
                trouble: "class not found".into(),
            },
        ),
        ("trouble".into(), Record::Trouble("out of luck".into())),
    ]);
    samples
}

fn rust_lines() -> Vec<String> {
    let ask = Ask {
        directory: "/p".into(),
        units: vec!["a.BTest".into(), "a.CTest".into()],
    };
    let path = PathQuestion {
        path: "/grün".into(),
    };
    samples()
        .into_iter()
        .map(|(name, record)| (name, record.encode()))
        .chain([
            ("ask".to_owned(), ask.encode()),
            ("red-question".to_owned(), Question::Red.encode()),
            ("path-question".to_owned(), path.encode()),
            (
                "port-question".to_owned(),
                PortQuestion { port: 8080 }.encode(),
            ),
            (
                "class-question".to_owned(),
                ClassQuestion {
                    class: "a/B".into(),
                }
                .encode(),
            ),
            ("probes-question".to_owned(), ProbesQuestion.encode()),
            ("flags-question".to_owned(), FlagsQuestion.encode()),
        ])
        .map(|(name, bytes)| format!("{name} {}", hex(&bytes)))
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn rust_writes_the_bytes_of_this_format_version() {
    let pinned =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/records.txt"));
    assert_eq!(rust_lines(), pinned.unwrap().lines().collect::<Vec<_>>());
}

#[test]
fn java_writes_what_rust_writes_and_reads_what_rust_sends() {
    let commands = [
        Command::Prepare {
            properties: [("basedir".to_string(), "/grün".to_string())].into(),
            launcher_parameters: [("a".to_string(), "1".to_string()), ("b".into(), "2".into())]
                .into(),
            probes: 9,
            test_code: vec!["a/BTest".into()],
        },
        Command::Switch(Some(4)),
        Command::Switch(None),
        Command::Limit(Some(1 << 40)),
        Command::Attend(Attention {
            calls: Calls::Of(2),
            values: true,
            stack_of: None,
            depth: 3,
            digest_only: true,
        }),
        Command::Run {
            batch: 7,
            engine: "junit".into(),
            until_red: true,
            tests: vec![
                TestId::new("junit:a.BTest#adds"),
                TestId::new("junit:a.BTest#süß"),
            ],
        },
        Command::Stop,
    ];
    let mut expected = rust_lines();
    expected.extend([
        "prepare {basedir=/grün} {a=1, b=2} 9 [a/BTest]".to_string(),
        "switch 4".into(),
        "switch -1".into(),
        "limit 1099511627776".into(),
        "attend 2 true -1 3 true".into(),
        "run 7 junit true [junit:a.BTest#adds, junit:a.BTest#süß]".into(),
        "stop".into(),
    ]);
    let arguments: Vec<String> = commands
        .iter()
        .map(|command| hex(&command.encode()))
        .collect();
    assert_eq!(
        Driver::compile(&["mirror"]).run("Mirror", &arguments),
        expected
    );
}
