//! Turns the records that one JVM left behind into evidence.
//!
//! A record file may end anywhere: its JVM may have been killed. What was started and never
//! finished is then known, and so is that something is missing.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime};
use std::{fs, io};

use jury_model::{Failure, Outcome, Recipe, TestCase, TestId};
use jury_protocol::{Launch, LoadedClass, Record, Uses, read_frame, read_header};

/// What one JVM of a build told.
#[derive(Debug, Default)]
pub struct JvmEvidence {
    /// `None` if not even the first record could be read.
    pub launch: Option<Launch>,
    pub properties: BTreeMap<String, String>,
    pub launcher_parameters: BTreeMap<String, String>,
    /// In the order in which the tests ended.
    pub tests: Vec<TestSeen>,
    pub container_failures: Vec<ContainerFailure>,
    /// Classes of the project, in the order in which they were loaded.
    pub loaded: Vec<LoadedClass>,
    /// What tests used, in the order in which they ended; all that is told of a test counts.
    pub used: Vec<(TestId, Uses)>,
    /// What test classes used outside their tests, where tests are told apart.
    pub shared: Vec<SharedUses>,
    /// What static initialisers used, by the numbers of their `<clinit>`, and methods that may leave
    /// something in static fields, by theirs.
    pub initialised: Vec<(u32, Uses)>,
    /// What could not be probed.
    pub left_out: Vec<LeftOut>,
    /// Outermost test classes that were left out as advised.
    pub left_out_units: Vec<String>,
    /// Modules whose tests the build would run in this JVM, by their directories, and whether it
    /// forks another one for them instead.
    pub in_process: BTreeMap<String, bool>,
    /// When it began to report, before its first test.
    pub started: Option<SystemTime>,
    /// The JVM shut down in an orderly way.
    pub ended: bool,
    /// What the agent, or the reader of its records, found wrong.
    pub troubles: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestSeen {
    pub test: TestCase,
    pub outcome: Outcome,
    pub micros: u64,
    pub failure: Option<Failure>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerFailure {
    pub id: TestId,
    pub class: String,
    pub failure: Failure,
}

/// What ran in the span of an outermost test class outside its tests; each of them needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedUses {
    pub class: String,
    /// Its tests did not run one after the other.
    pub overlapping: bool,
    /// A test came upon a file that another one had made.
    pub shared_files: bool,
    pub uses: Uses,
}

/// A method, or a whole class if `method` is empty, whose running nobody sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// In VM form.
    pub class: String,
    /// Name and descriptor.
    pub method: String,
    pub reason: String,
}

impl JvmEvidence {
    /// The recipe to start this JVM again.
    pub fn recipe(&self) -> Option<Recipe> {
        let launch = self.launch.as_ref()?;
        Some(Recipe {
            launched_by: launch.launched_by,
            java_home: launch.java_home.clone(),
            java_version: launch.java_version.clone(),
            working_directory: launch.working_directory.clone(),
            class_path: launch.class_path.clone(),
            module_path: launch.module_path.clone(),
            module_flags: launch.module_flags.clone(),
            jvm_flags: launch.jvm_flags.clone(),
            properties: lasting(&self.properties),
            environment: launch.environment.clone(),
            launcher_parameters: self.launcher_parameters.clone(),
            // One JVM alone cannot tell.
            jvm_per_class: false,
        })
    }

    fn from_records(records: impl Iterator<Item = Record>, troubles: Vec<String>) -> Self {
        let mut evidence = Self {
            troubles,
            ..Self::default()
        };
        let mut running: Vec<TestCase> = Vec::new();
        for record in records {
            match record {
                Record::Launch(launch) => evidence.launch = Some(*launch),
                Record::Properties(properties) => evidence.properties = properties,
                Record::LauncherParameters(parameters) => {
                    evidence.launcher_parameters = parameters;
                }
                Record::TestStarted(test) => running.push(test),
                Record::TestFinished {
                    id,
                    outcome,
                    nanos,
                    failure,
                } => {
                    if let Some(at) = running.iter().rposition(|test| test.id == id) {
                        let test = running.swap_remove(at);
                        let micros = nanos / 1000;
                        evidence.tests.push(TestSeen {
                            test,
                            outcome,
                            micros,
                            failure,
                        });
                    }
                }
                Record::TestSkipped { test, reason } => {
                    let failure = (!reason.is_empty()).then(|| Failure {
                        message: reason,
                        ..Failure::default()
                    });
                    evidence.tests.push(TestSeen {
                        test,
                        outcome: Outcome::Skipped,
                        micros: 0,
                        failure,
                    });
                }
                Record::ContainerFailed { id, class, failure } => {
                    evidence
                        .container_failures
                        .push(ContainerFailure { id, class, failure });
                }
                Record::Trouble(message) => evidence.troubles.push(message),
                Record::Ended => evidence.ended = true,
                Record::ClassLoaded(loaded) => evidence.loaded.push(loaded),
                Record::Used { id, uses } => evidence.used.push((id, uses)),
                Record::Shared {
                    class,
                    tangles,
                    uses,
                } => evidence.shared.push(SharedUses {
                    class,
                    overlapping: tangles & Record::OVERLAPPING != 0,
                    shared_files: tangles & Record::SHARED_FILES != 0,
                    uses,
                }),
                Record::Initialised { number, uses } => evidence.initialised.push((number, uses)),
                Record::LeftOut {
                    class,
                    method,
                    reason,
                } => evidence.left_out.push(LeftOut {
                    class,
                    method,
                    reason,
                }),
                Record::LeftOutUnit { class } => evidence.left_out_units.push(class),
                Record::InProcess { directory, forked } => {
                    evidence.in_process.insert(directory, forked);
                }
                Record::Worked { .. }
                | Record::Seen { .. }
                | Record::Ready
                | Record::BatchDone { .. } => {}
            }
        }
        // A test that never finished took its JVM down, or was taken down with it.
        for test in running {
            let message = if evidence.ended {
                "the JVM exited while this test was running"
            } else {
                "the JVM was killed or crashed while this test was running"
            };
            let failure = Some(Failure {
                message: message.into(),
                ..Failure::default()
            });
            evidence.tests.push(TestSeen {
                test,
                outcome: Outcome::Crashed,
                micros: 0,
                failure,
            });
        }
        evidence
    }
}

/// Properties without those that name files of one launch only. A build that forks a JVM for each
/// class would otherwise have as many recipes as classes.
fn lasting(properties: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut lasting = properties.clone();
    lasting.remove("surefire.real.class.path");
    lasting
}

/// Reads the records of every JVM that reported, oldest first.
pub fn read_inbox(inbox: &Path) -> io::Result<Vec<JvmEvidence>> {
    let mut files = Vec::new();
    let mut troubles = Vec::new();
    for entry in fs::read_dir(inbox)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rows") {
            files.push((entry.metadata()?.created().ok(), entry.path()));
        } else if name.starts_with("trouble-") {
            troubles.push(fs::read_to_string(entry.path()).unwrap_or_default());
        }
    }
    files.sort();
    let mut all = files
        .iter()
        .map(|(_, path)| {
            let (records, trouble) = read_rows(&mut io::BufReader::new(fs::File::open(path)?));
            let troubles = trouble.into_iter().collect();
            Ok(JvmEvidence {
                started: started(path),
                ..JvmEvidence::from_records(records.into_iter(), troubles)
            })
        })
        .collect::<io::Result<Vec<_>>>()?;
    if !troubles.is_empty() {
        all.push(JvmEvidence {
            troubles,
            ..JvmEvidence::default()
        });
    }
    Ok(all)
}

/// When a file of records came into being, which is behind the number of its process in its name.
fn started(path: &Path) -> Option<SystemTime> {
    let (_, nanos) = path.file_stem()?.to_str()?.split_once('-')?;
    Some(SystemTime::UNIX_EPOCH + Duration::from_nanos(nanos.parse().ok()?))
}

/// All records up to the first that is damaged, and what was wrong with that one.
fn read_rows(input: &mut impl io::Read) -> (Vec<Record>, Option<String>) {
    if let Err(error) = read_header(input) {
        return (Vec::new(), Some(error.to_string()));
    }
    let mut records = Vec::new();
    loop {
        match read_frame(input) {
            Ok(None) => return (records, None),
            Ok(Some(payload)) => match Record::decode(&payload) {
                Ok(record) => records.push(record),
                Err(error) => return (records, Some(error.to_string())),
            },
            Err(error) => return (records, Some(error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use jury_model::Engine;
    use jury_protocol::{write_frame, write_header};

    use super::*;

    fn test(name: &str) -> TestCase {
        TestCase {
            id: TestId::new(name),
            engine: Engine::new("junit"),
            class: "a.B".into(),
            method: name.into(),
            variant: String::new(),
            display_name: name.into(),
        }
    }

    fn finished(name: &str) -> Record {
        Record::TestFinished {
            id: TestId::new(name),
            outcome: Outcome::Passed,
            nanos: 5_000,
            failure: None,
        }
    }

    fn evidence(records: &[Record], cut: usize) -> JvmEvidence {
        let inbox = tempfile::tempdir().unwrap();
        let mut bytes = Vec::new();
        write_header(&mut bytes).unwrap();
        for record in records {
            write_frame(&mut bytes, &record.encode()).unwrap();
        }
        bytes.truncate(bytes.len() - cut);
        fs::write(inbox.path().join("1-1.rows"), bytes).unwrap();
        read_inbox(inbox.path()).unwrap().remove(0)
    }

    #[test]
    fn tests_that_overlap_keep_their_own_outcomes() {
        let seen = evidence(
            &[
                Record::TestStarted(test("one")),
                Record::TestStarted(test("two")),
                finished("one"),
                finished("two"),
                Record::Ended,
            ],
            0,
        );
        let order: Vec<_> = seen
            .tests
            .iter()
            .map(|seen| seen.test.method.as_str())
            .collect();
        assert_eq!(order, ["one", "two"]);
        assert!(
            seen.tests
                .iter()
                .all(|seen| seen.outcome == Outcome::Passed && seen.micros == 5)
        );
    }

    #[test]
    fn forks_of_one_build_have_one_recipe() {
        let recipe = |booter: &str| {
            let launch = jury_protocol::Launch {
                pid: 1,
                launched_by: jury_model::LaunchedBy::Surefire,
                java_home: "/jdk".into(),
                java_version: "17".into(),
                working_directory: "/p".into(),
                class_path: vec!["/p/target/classes".into()],
                module_path: Vec::new(),
                module_flags: Vec::new(),
                jvm_flags: Vec::new(),
                environment: BTreeMap::new(),
                runner_settings: BTreeMap::new(),
            };
            let properties = [
                ("basedir".to_string(), "/p".to_string()),
                ("surefire.real.class.path".to_string(), booter.to_string()),
            ];
            let records = [
                Record::Launch(Box::new(launch)),
                Record::Properties(properties.into()),
            ];
            evidence(&records, 0).recipe()
        };
        assert!(recipe("/p/target/surefirebooter1.jar").is_some());
        assert_eq!(
            recipe("/p/target/surefirebooter1.jar"),
            recipe("/p/target/surefirebooter2.jar")
        );
    }

    #[test]
    fn a_test_that_never_finished_crashed() {
        let seen = evidence(&[Record::TestStarted(test("exits")), Record::Ended], 0);
        assert_eq!(seen.tests[0].outcome, Outcome::Crashed);
        let message = &seen.tests[0].failure.as_ref().unwrap().message;
        assert_eq!(message, "the JVM exited while this test was running");
    }

    #[test]
    fn a_cut_file_keeps_what_stands_before_the_cut_and_says_so() {
        let seen = evidence(
            &[
                Record::TestStarted(test("one")),
                finished("one"),
                Record::TestStarted(test("two")),
            ],
            3,
        );
        assert_eq!(seen.tests.len(), 1);
        assert_eq!(seen.troubles, ["the last record is incomplete"]);
    }
}
