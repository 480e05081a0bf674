//! What a JVM reports. `Launch`, `ClassLoaded`, `LeftOut`, `Trouble` and `Ended` are written by the
//! agent, the others by the Java harness, whose mirror is `jury.boot.Records`.

use std::collections::BTreeMap;

use jury_model::{Engine, Failure, LaunchedBy, Outcome, TestCase, TestId};

use crate::runs::Runs;
use crate::uses::Uses;
use crate::watch::Sightings;
use crate::wire::{DecodeError, Decoder, Encoder};

/// How a JVM was launched, as far as it can be told before Java code runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    pub pid: u32,
    pub launched_by: LaunchedBy,
    pub java_home: String,
    pub java_version: String,
    pub working_directory: String,
    pub class_path: Vec<String>,
    pub module_path: Vec<String>,
    pub module_flags: Vec<String>,
    pub jvm_flags: Vec<String>,
    pub environment: BTreeMap<String, String>,
    /// What the build tool tells its runner in this JVM, but for which classes to run; empty where
    /// it leaves nothing to read.
    pub runner_settings: BTreeMap<String, String>,
}

/// A class of the project that a watched JVM has loaded and probed. It is told once, however many
/// loaders load it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedClass {
    /// In VM form.
    pub class: String,
    /// The directory or jar on the JVM's paths that holds it.
    pub origin: String,
    /// The first 16 bytes of BLAKE3 over the class file as it was before any probe.
    pub digest: [u8; 16],
    /// The number of its first method; the others follow in the order of the class file.
    pub first: u32,
    /// Those that another agent has added come last.
    pub methods: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// First record of every JVM that may run tests.
    Launch(Box<Launch>),
    /// Properties that differ from those the JVM started with, when the first framework class ran.
    Properties(BTreeMap<String, String>),
    /// Configuration parameters the build handed to the JUnit Platform launcher.
    LauncherParameters(BTreeMap<String, String>),
    TestStarted(TestCase),
    TestFinished {
        id: TestId,
        outcome: Outcome,
        nanos: u64,
        failure: Option<Failure>,
    },
    TestSkipped {
        test: TestCase,
        reason: String,
    },
    /// A class, suite or other group failed outside its tests, as in a `@BeforeAll` method.
    ContainerFailed {
        id: TestId,
        class: String,
        failure: Failure,
    },
    /// What a test did, as far as probes tell; follows its end. Tests that ran at the same time
    /// share what happened meanwhile.
    Worked {
        id: TestId,
        /// The methods that ran.
        runs: Runs,
        /// Of all methods that ran in this JVM and were not told of before, those that did so while
        /// a class was initialised, ascending.
        initialising: Vec<u32>,
        /// Probe events, the measure of `Command::Limit`.
        work: u64,
        /// The test went beyond its limit.
        overran: bool,
    },
    /// Comes before anything the class does.
    ClassLoaded(LoadedClass),
    /// What ran since the end of the test before, fixtures included, up to the end of this one. A
    /// test may be told of several times; all of it counts. Where dependencies are collected by
    /// class, the last test of a class speaks for all tests of its outermost class; elsewhere, the
    /// last invocation of a test method for all of them.
    Used {
        id: TestId,
        uses: Uses,
    },
    /// What ran between the entry and the end of a static initialiser, or of another method that may
    /// leave something in a static field, nested ones included.
    Initialised {
        /// The number of the class's `<clinit>`, or of the method.
        number: u32,
        uses: Uses,
    },
    /// What ran in the span of an outermost test class outside all its tests: fixtures, conditions,
    /// sources of arguments. Only where tests are told apart; each of them needs it.
    Shared {
        class: String,
        /// Bits of [`Record::OVERLAPPING`] and its kin: why its tests cannot be told apart.
        tangles: u8,
        uses: Uses,
    },
    /// An outermost test class was left out as Jury advised.
    LeftOutUnit {
        class: String,
    },
    /// A build tool was about to run tests of a module in its own JVM.
    InProcess {
        /// The base directory of the module.
        directory: String,
        /// It forks a JVM for them instead; otherwise they run there, unseen.
        forked: bool,
    },
    /// What the observer saw while a test ran; precedes its end.
    Seen {
        id: TestId,
        sightings: Sightings,
    },
    /// The agent could not rewrite a method, or a whole class if `method` is empty, as planned.
    LeftOut {
        class: String,
        method: String,
        reason: String,
    },
    /// A worker is ready for commands.
    Ready,
    /// A worker finished a batch. `trouble` is empty unless the batch could not be run.
    BatchDone {
        batch: u32,
        trouble: String,
    },
    /// Something went wrong in the agent or the harness; it has switched itself off.
    Trouble(String),
    /// The JVM ended in an orderly way.
    Ended,
}

const LAUNCH: u8 = 1;
const PROPERTIES: u8 = 2;
const LAUNCHER_PARAMETERS: u8 = 3;
const TEST_STARTED: u8 = 4;
const TEST_FINISHED: u8 = 5;
const TEST_SKIPPED: u8 = 6;
const CONTAINER_FAILED: u8 = 7;
const READY: u8 = 8;
const BATCH_DONE: u8 = 9;
const TROUBLE: u8 = 10;
const ENDED: u8 = 11;
const WORKED: u8 = 12;
const LEFT_OUT: u8 = 13;
const CLASS_LOADED: u8 = 14;
const USED: u8 = 15;
const INITIALISED: u8 = 16;
const LEFT_OUT_UNIT: u8 = 17;
const SEEN: u8 = 18;
const SHARED: u8 = 19;
const IN_PROCESS: u8 = 20;

impl Record {
    /// Tests of the class ran at the same time as others.
    pub const OVERLAPPING: u8 = 1;
    /// A test came upon a file that another test of the class had made.
    pub const SHARED_FILES: u8 = 2;

    pub fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        match self {
            Record::Launch(launch) => {
                out.u8(LAUNCH)
                    .u32(launch.pid)
                    .text(launch.launched_by.word())
                    .text(&launch.java_home)
                    .text(&launch.java_version)
                    .text(&launch.working_directory)
                    .texts(&launch.class_path)
                    .texts(&launch.module_path)
                    .texts(&launch.module_flags)
                    .texts(&launch.jvm_flags)
                    .map(&launch.environment)
                    .map(&launch.runner_settings);
            }
            Record::Properties(properties) => {
                out.u8(PROPERTIES).map(properties);
            }
            Record::LauncherParameters(parameters) => {
                out.u8(LAUNCHER_PARAMETERS).map(parameters);
            }
            Record::TestStarted(test) => {
                put_test(out.u8(TEST_STARTED), test);
            }
            Record::TestFinished {
                id,
                outcome,
                nanos,
                failure,
            } => {
                out.u8(TEST_FINISHED)
                    .text(id.as_str())
                    .text(outcome.word())
                    .u64(*nanos);
                match failure {
                    None => {
                        out.u8(0);
                    }
                    Some(failure) => put_failure(out.u8(1), failure),
                }
            }
            Record::TestSkipped { test, reason } => {
                put_test(out.u8(TEST_SKIPPED), test);
                out.text(reason);
            }
            Record::ContainerFailed { id, class, failure } => {
                out.u8(CONTAINER_FAILED).text(id.as_str()).text(class);
                put_failure(&mut out, failure);
            }
            Record::Worked {
                id,
                runs,
                initialising,
                work,
                overran,
            } => {
                runs.put(out.u8(WORKED).text(id.as_str()));
                out.numbers(initialising).u64(*work).u8((*overran).into());
            }
            Record::Seen { id, sightings } => {
                sightings.put(out.u8(SEEN).text(id.as_str()));
            }
            Record::LeftOut {
                class,
                method,
                reason,
            } => {
                out.u8(LEFT_OUT).text(class).text(method).text(reason);
            }
            Record::ClassLoaded(loaded) => {
                out.u8(CLASS_LOADED)
                    .text(&loaded.class)
                    .text(&loaded.origin)
                    .bytes(&loaded.digest)
                    .u32(loaded.first)
                    .u32(loaded.methods);
            }
            Record::Used { id, uses } => {
                uses.put(out.u8(USED).text(id.as_str()));
            }
            Record::Initialised { number, uses } => {
                uses.put(out.u8(INITIALISED).u32(*number));
            }
            Record::Shared {
                class,
                tangles,
                uses,
            } => {
                uses.put(out.u8(SHARED).text(class).u8(*tangles));
            }
            Record::LeftOutUnit { class } => {
                out.u8(LEFT_OUT_UNIT).text(class);
            }
            Record::InProcess { directory, forked } => {
                out.u8(IN_PROCESS).text(directory).u8((*forked).into());
            }
            Record::Ready => {
                out.u8(READY);
            }
            Record::BatchDone { batch, trouble } => {
                out.u8(BATCH_DONE).u32(*batch).text(trouble);
            }
            Record::Trouble(message) => {
                out.u8(TROUBLE).text(message);
            }
            Record::Ended => {
                out.u8(ENDED);
            }
        }
        out.into_bytes()
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::new(bytes);
        let record = match input.u8()? {
            LAUNCH => Record::Launch(Box::new(Launch {
                pid: input.u32()?,
                launched_by: known("launcher", input.text()?, LaunchedBy::from_word)?,
                java_home: input.text()?,
                java_version: input.text()?,
                working_directory: input.text()?,
                class_path: input.texts()?,
                module_path: input.texts()?,
                module_flags: input.texts()?,
                jvm_flags: input.texts()?,
                environment: input.map()?,
                runner_settings: input.map()?,
            })),
            PROPERTIES => Record::Properties(input.map()?),
            LAUNCHER_PARAMETERS => Record::LauncherParameters(input.map()?),
            TEST_STARTED => Record::TestStarted(take_test(&mut input)?),
            TEST_FINISHED => Record::TestFinished {
                id: TestId::new(input.text()?),
                outcome: known("outcome", input.text()?, Outcome::from_word)?,
                nanos: input.u64()?,
                failure: match input.u8()? {
                    0 => None,
                    _ => Some(take_failure(&mut input)?),
                },
            },
            TEST_SKIPPED => Record::TestSkipped {
                test: take_test(&mut input)?,
                reason: input.text()?,
            },
            CONTAINER_FAILED => Record::ContainerFailed {
                id: TestId::new(input.text()?),
                class: input.text()?,
                failure: take_failure(&mut input)?,
            },
            WORKED => Record::Worked {
                id: TestId::new(input.text()?),
                runs: Runs::take(&mut input)?,
                initialising: input.numbers()?,
                work: input.u64()?,
                overran: input.u8()? != 0,
            },
            SEEN => Record::Seen {
                id: TestId::new(input.text()?),
                sightings: Sightings::take(&mut input)?,
            },
            LEFT_OUT => Record::LeftOut {
                class: input.text()?,
                method: input.text()?,
                reason: input.text()?,
            },
            CLASS_LOADED => Record::ClassLoaded(LoadedClass {
                class: input.text()?,
                origin: input.text()?,
                digest: input.array()?,
                first: input.u32()?,
                methods: input.u32()?,
            }),
            USED => Record::Used {
                id: TestId::new(input.text()?),
                uses: Uses::take(&mut input)?,
            },
            INITIALISED => Record::Initialised {
                number: input.u32()?,
                uses: Uses::take(&mut input)?,
            },
            SHARED => Record::Shared {
                class: input.text()?,
                tangles: input.u8()?,
                uses: Uses::take(&mut input)?,
            },
            LEFT_OUT_UNIT => Record::LeftOutUnit {
                class: input.text()?,
            },
            IN_PROCESS => Record::InProcess {
                directory: input.text()?,
                forked: input.u8()? != 0,
            },
            READY => Record::Ready,
            BATCH_DONE => Record::BatchDone {
                batch: input.u32()?,
                trouble: input.text()?,
            },
            TROUBLE => Record::Trouble(input.text()?),
            ENDED => Record::Ended,
            tag => {
                return Err(DecodeError::Unknown {
                    what: "record",
                    tag: tag.to_string(),
                });
            }
        };
        input.finish()?;
        Ok(record)
    }
}

fn known<T>(
    what: &'static str,
    word: String,
    find: impl Fn(&str) -> Option<T>,
) -> Result<T, DecodeError> {
    find(&word).ok_or(DecodeError::Unknown { what, tag: word })
}

fn put_test(out: &mut Encoder, test: &TestCase) {
    out.text(test.id.as_str())
        .text(test.engine.as_str())
        .text(&test.class)
        .text(&test.method)
        .text(&test.variant)
        .text(&test.display_name);
}

fn take_test(input: &mut Decoder<'_>) -> Result<TestCase, DecodeError> {
    Ok(TestCase {
        id: TestId::new(input.text()?),
        engine: Engine::new(input.text()?),
        class: input.text()?,
        method: input.text()?,
        variant: input.text()?,
        display_name: input.text()?,
    })
}

fn put_failure(out: &mut Encoder, failure: &Failure) {
    out.text(&failure.exception)
        .text(&failure.message)
        .text(&failure.trace);
}

fn take_failure(input: &mut Decoder<'_>) -> Result<Failure, DecodeError> {
    Ok(Failure {
        exception: input.text()?,
        message: input.text()?,
        trace: input.text()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uses::{Touch, TouchKind};
    use crate::watch::{SeenCalls, Sighting};
    use proptest::prelude::*;

    fn check(record: Record) {
        let bytes = record.encode();
        assert_eq!(Record::decode(&bytes).as_ref(), Ok(&record));
        for end in 0..bytes.len() {
            assert!(
                Record::decode(&bytes[..end]).is_err(),
                "cut at {end} of {record:?}"
            );
        }
    }

    fn test() -> TestCase {
        TestCase {
            id: TestId::new("[engine:junit-jupiter]/[class:a.BTest]/[method:adds(int)]"),
            engine: Engine::new("junit-jupiter"),
            class: "a.BTest".into(),
            method: "adds".into(),
            variant: "(int)[1]".into(),
            display_name: "adds → 3".into(),
        }
    }

    #[test]
    fn every_record_comes_back_as_it_was() {
        let failure = Failure {
            exception: "java.lang.AssertionError".into(),
            message: "1 ≠ 2".into(),
            trace: "at a.BTest.adds".into(),
        };
        let map: BTreeMap<String, String> = [("k".to_string(), "v".to_string())].into();
        check(Record::Launch(Box::new(Launch {
            pid: 7,
            launched_by: LaunchedBy::Surefire,
            java_home: "/jdk".into(),
            java_version: "17.0.1".into(),
            working_directory: "/p".into(),
            class_path: vec!["a.jar".into(), "b".into()],
            module_path: vec![],
            module_flags: vec!["--add-opens=a/b=ALL-UNNAMED".into()],
            jvm_flags: vec!["-Xmx1g".into()],
            environment: map.clone(),
            runner_settings: map.clone(),
        })));
        check(Record::Properties(map.clone()));
        check(Record::LauncherParameters(map));
        check(Record::TestStarted(test()));
        for outcome in Outcome::ALL {
            check(Record::TestFinished {
                id: test().id,
                outcome,
                nanos: 5,
                failure: outcome.is_red().then(|| failure.clone()),
            });
        }
        check(Record::TestSkipped {
            test: test(),
            reason: "slow".into(),
        });
        check(Record::ContainerFailed {
            id: test().id,
            class: "a.BTest".into(),
            failure: failure.clone(),
        });
        check(Record::Worked {
            id: test().id,
            runs: Runs::of([(0, 1), (7, 2)]),
            initialising: vec![7],
            work: 9,
            overran: true,
        });
        check(Record::Seen {
            id: test().id,
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
        });
        check(Record::LeftOut {
            class: "a/B".into(),
            method: "m()V".into(),
            reason: "too large".into(),
        });
        check(Record::ClassLoaded(LoadedClass {
            class: "a/B".into(),
            origin: "/p/target/classes".into(),
            digest: *b"0123456789abcdef",
            first: 5,
            methods: 2,
        }));
        let uses = Uses {
            methods: vec![5, 6],
            facts: TouchKind::ALL
                .map(|kind| Touch {
                    kind,
                    name: format!("{kind:?}"),
                })
                .to_vec(),
            marks: Uses::NETWORK,
        };
        check(Record::Used {
            id: test().id,
            uses: uses.clone(),
        });
        check(Record::Shared {
            class: "a.BTest".into(),
            tangles: Record::OVERLAPPING,
            uses: uses.clone(),
        });
        check(Record::Initialised { number: 5, uses });
        check(Record::LeftOutUnit {
            class: "a.BTest".into(),
        });
        check(Record::Ready);
        check(Record::BatchDone {
            batch: 3,
            trouble: String::new(),
        });
        check(Record::Trouble("out of luck".into()));
        check(Record::Ended);
    }

    proptest! {
        #[test]
        fn hostile_bytes_are_refused_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Record::decode(&bytes);
        }
    }
}
