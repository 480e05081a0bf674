//! Proofs whose compiler and JVMs are played by a script: a copy of a source counts as its class.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use jury_explain::{Exposure, JavaSource, Proposal, Side, Spot};
use jury_jvm::{BatchEnd, BatchEvent, Complaint, JvmError, Replayed};
use jury_model::{Engine, Failure, Outcome, Recipe, TestId};

use super::Stage;
use super::bench::{Batch, Room, TestJvm, TestJvms, sample_recipe};
use super::drafts::TestSource;
use super::here::Here;
use super::proof::{Candidate, Prover};
use crate::mutate::lab::LabTest;

/// A run of one test.
pub(super) struct Run<'r> {
    pub test: &'r str,
    pub mutant: Option<u32>,
    /// The changed sources, if there are any.
    pub text: &'r str,
    pub is_elsewhere: bool,
    /// Mutants that have been on in this JVM.
    pub before: &'r [u32],
    /// Tests that have run in it.
    pub has_run: &'r [String],
    /// How long the test may take.
    pub limit: Duration,
    /// How many JVMs were started before this one.
    pub jvm: usize,
    pub cancelled: &'r AtomicBool,
}

impl Run<'_> {
    pub fn has(&self, statement: &str) -> bool {
        self.text.lines().any(|line| line.trim() == statement)
    }

    /// Fails at the first of these statements that is there, or passes.
    pub fn at(&self, statements: &[&str]) -> Ends {
        let first = statements.iter().find(|statement| self.has(statement));
        first.map_or(Ends::Passes, |first| self.through(&[first]))
    }

    /// Fails at the first of these statements, which the others led to; all of them are there.
    pub fn through(&self, statements: &[&str]) -> Ends {
        let line = |statement: &&str| self.text.lines().position(|line| line.trim() == *statement);
        let lines = statements.iter().filter_map(line);
        let frames: String = lines
            .map(|line| format!("\tat T.t(T.java:{})\n", line + 1))
            .collect();
        Ends::Fails(format!("AssertionError\n{frames}"))
    }
}

pub(super) enum Ends {
    Passes,
    /// With this trace.
    Fails(String),
    /// With its JVM, and without a word.
    Lost,
    /// With its JVM, and everybody knows which test it was.
    Dies,
}

type Script = dyn Fn(&Run<'_>) -> Ends + Sync;

/// Scripts outlive the JVMs that play them.
#[derive(Clone, Copy)]
struct Players {
    script: &'static Script,
    started: &'static AtomicUsize,
    are_elsewhere: bool,
}

struct Player {
    script: &'static Script,
    text: String,
    is_elsewhere: bool,
    before: Vec<u32>,
    has_run: Vec<String>,
    jvm: usize,
}

impl TestJvms for Players {
    fn start(&self, recipe: &Recipe, _: &Engine) -> Result<Box<dyn TestJvm>, JvmError> {
        let changed = recipe.class_path.first().map(fs::read_dir);
        let copies = changed.into_iter().flatten().flatten().flatten();
        let mut copies: Vec<PathBuf> = copies.map(|entry| entry.path()).collect();
        copies.sort();
        let texts = copies.iter().map(|path| fs::read_to_string(path).unwrap());
        Ok(Box::new(Player {
            script: self.script,
            text: texts.collect(),
            is_elsewhere: self.are_elsewhere
                && recipe
                    .jvm_flags
                    .contains(&"-Duser.name=elsewhere".to_owned()),
            before: Vec::new(),
            has_run: Vec::new(),
            jvm: self.started.fetch_add(1, Ordering::Relaxed),
        }))
    }
}

impl TestJvm for Player {
    fn warm_up(&mut self, _: &Engine, _: &AtomicBool) {}

    fn run(&mut self, batch: Batch<'_>, report: &mut dyn FnMut(BatchEvent)) -> BatchEnd {
        self.before.extend(batch.mutant);
        for (number, (id, limit)) in batch.tests.iter().enumerate() {
            if batch.cancelled.load(Ordering::Relaxed) {
                return BatchEnd::Cancelled;
            }
            let ends = (self.script)(&Run {
                test: id.as_str(),
                mutant: batch.mutant,
                text: &self.text,
                is_elsewhere: self.is_elsewhere,
                before: &self.before,
                has_run: &self.has_run,
                limit: *limit,
                jvm: self.jvm,
                cancelled: batch.cancelled,
            });
            self.has_run.push(id.as_str().to_owned());
            let (outcome, trace) = match &ends {
                Ends::Passes => (Outcome::Passed, None),
                Ends::Fails(trace) => (Outcome::Failed, Some(trace.clone())),
                Ends::Lost | Ends::Dies => (Outcome::Crashed, None),
            };
            let is_known = !matches!(ends, Ends::Lost);
            if is_known {
                report(BatchEvent::Finished(Replayed {
                    id: id.clone(),
                    outcome: Some(outcome),
                    micros: 0,
                    failure: trace.map(|trace| Failure {
                        trace,
                        ..Failure::default()
                    }),
                }));
            }
            if outcome == Outcome::Crashed {
                return BatchEnd::Lost {
                    how: outcome,
                    rest: batch.tests[number + usize::from(is_known)..].to_vec(),
                    culprits_known: is_known,
                };
            }
        }
        BatchEnd::Done
    }
}

fn compile(_: &Recipe, files: &[PathBuf], classes: &Path) -> Result<Vec<Complaint>, JvmError> {
    for file in files {
        fs::copy(file, classes.join(file.file_name().unwrap())).unwrap();
    }
    Ok(Vec::new())
}

/// Three tests, the first two of one class, all of which run the code of every source. The last took a minute.
pub(super) fn with_prover<T>(
    script: impl Fn(&Run<'_>) -> Ends + Sync + 'static,
    look: impl FnOnce(&Prover<'_>) -> T,
) -> T {
    let recipe = sample_recipe();
    let tests = [("a", "A"), ("b", "A"), ("c", "C")].map(|(name, class)| LabTest {
        id: TestId::new(name),
        engine: Engine::new("e"),
        class: class.to_owned(),
        method: name.to_owned(),
        recipe: &recipe,
        group: 0,
        micros: if name == "c" { 60_000_000 } else { 1 },
    });
    let players = Players {
        script: Box::leak(Box::new(script)),
        started: Box::leak(Box::default()),
        are_elsewhere: false,
    };
    let elsewhere = Players {
        are_elsewhere: true,
        ..players
    };
    let room = Room {
        jvms: &players,
        tests: &tests,
        slow: &HashSet::new(),
        runs: 3,
        depth: 1,
        stage: Stage::Hints,
        every_place: false,
        cancelled: &AtomicBool::new(false),
    };
    let here = Here::now(Path::new(PROJECT), Vec::new());
    let affected = |_: &Path| vec![0, 1, 2];
    let jvms: (&dyn TestJvms, &dyn TestJvms) = (&players, &elsewhere);
    look(&Prover::new(&room, jvms, &compile, &affected, &here))
}

/// The directory of the project, of which no file is there.
pub(super) const PROJECT: &str = "/no such/project";

/// A class of tests with one statement, `a();`, and places for others.
pub(super) const SOURCE: &str = "class T {\n    void t() {\n        a();\n    }\n}\n";

pub(super) fn source(file: &Path, text: &str) -> Arc<TestSource> {
    Arc::new(TestSource {
        file: file.to_owned(),
        path: file.file_name().unwrap().to_string_lossy().into_owned(),
        classes: PathBuf::new(),
        java: JavaSource::parse(text.to_owned()).unwrap(),
    })
}

/// A statement for the test `a`, at its one statement.
pub(super) fn candidate(source: &Arc<TestSource>, statement: &str, side: Side) -> Candidate {
    let text = &source.java.text;
    let start = text.find("a();").unwrap();
    let spot = Spot {
        statement: start..start + "a();".len(),
        leaves: false,
    };
    Candidate {
        test: 0,
        source: Arc::clone(source),
        proposal: Proposal::at(text, statement.to_owned(), &spot, side),
        value: String::new(),
        exposure: Exposure {
            test: "a".into(),
            file: None,
            line: None,
            columns: None,
            expression: String::new(),
            type_name: String::new(),
            field: None,
            aspect: String::new(),
            original: String::new(),
            mutant: String::new(),
            readers: Vec::new(),
            assertion: None,
        },
    }
}
