//! `jury explain`: for each mutant that nobody noticed, where the chain from the change to a
//! failing assertion broke.
//!
//! Mutants are taken from `jury mutate`, which remembers its verdicts. Each one is switched on in
//! a warm worker, and what its method and its tests show is compared with the original.

mod affected;
mod applying;
mod bench;
mod drafts;
mod elsewhere;
mod findings;
mod here;
mod probing;
mod proof;
mod runner;
#[cfg(test)]
mod scripted;
mod sources;
mod survivors;
mod verify;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use jury_explain::{CallGraph, ExplainRun, Explanation, Exposure, Symptom};
use jury_jvm::{Installation, JvmError, WatchedClass, WatchedMethod, WorkPlan, cache_directory};
use jury_model::{Exit, Notice};
use jury_mutate::MutationRun;
use jury_store::Store;

use self::affected::TestCode;
use self::applying::{Applied, write_into_sources};
use self::bench::{Bench, Room, Spares, TestJvms, Workers, WorkersElsewhere};
use self::findings::{Explained, Findings};
use self::here::Here;
use self::probing::{Inquiry, probe};
use self::proof::{Proven, Prover, Wanted};
use self::survivors::{Unit, slow_tests, survivors};
pub use self::verify::verify;
use crate::WorkflowError;
use crate::mutate::subject::{Role, Subject};
use crate::mutate::{Case, MutateProgress, MutateRequest, lab_tests, mutate};

/// What is to be explained, and how.
#[derive(Debug)]
pub struct ExplainRequest<'a> {
    /// How the unnoticed mutants are found.
    pub mutate: MutateRequest<'a>,
    /// Only mutants whose id contains one of these; all if there are none.
    pub mutants: &'a [String],
    /// Only these symptoms; all if there are none.
    pub symptoms: &'a [Symptom],
    /// How often each version is run at most.
    pub runs: usize,
    /// How many fields deep objects are looked at.
    pub depth: u32,
    /// The last stage that is run.
    pub stage: Stage,
    /// Name every place in every test that shows a difference, not one for each of a few tests.
    pub every_place: bool,
    /// Write proven assertions into the tests.
    pub apply: bool,
}

/// How far a mutant is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Whether something differs after a call.
    Infection,
    /// Whether a test could see it.
    Propagation,
    /// What a test could assert.
    Hints,
}

/// What happens meanwhile.
#[derive(Debug)]
pub enum ExplainProgress {
    Mutate(MutateProgress),
    /// This many mutants are to be explained.
    Explaining(usize),
    Explained,
    /// Assertions for this many weak oracles are to be proven.
    Proving(usize),
}

/// Returns the trial, too, whose verdicts the explanations are about.
pub fn explain(
    request: &ExplainRequest<'_>,
    mut progress: impl FnMut(ExplainProgress),
) -> Result<(ExplainRun, MutationRun), WorkflowError> {
    let mutated = mutate(&request.mutate, |event| {
        progress(ExplainProgress::Mutate(event));
    })?;
    let clock = Instant::now();
    let mut store = Store::open(request.mutate.state_dir)?;
    let case = Case::open(&mut store, request.mutate.root, request.mutate.state_dir)?;
    let mut subject = request.mutate.subject(&case.known, &case.recipes)?;
    let tests = lab_tests(&case);
    let survivors = survivors(&mutated, &subject, &tests, request.mutants);
    watch(&mut subject, &survivors.units);

    let installation = Installation::prepare(&cache_directory()?)?;
    let graph = call_graph(&subject);
    let mut findings = Findings::new(&mutated, &subject, &graph, &tests, request.mutate.root);
    findings.every_place = request.every_place;
    let slow = slow_tests((tests.iter()).map(|test| (test.method.as_str(), test.micros)));
    let workers = Workers {
        installation: &installation,
        plan: &subject.plan,
    };
    let room = Room {
        jvms: &workers,
        tests: &tests,
        slow: &slow,
        runs: request.runs.max(1),
        depth: request.depth,
        stage: request.stage,
        every_place: request.every_place,
        cancelled: request.mutate.cancelled,
    };
    progress(ExplainProgress::Explaining(survivors.mutants()));
    let (mut explained, mut notices) = in_parallel(
        &room,
        &survivors.units,
        &findings,
        request.mutate.jobs,
        &mut progress,
    )?;
    if request.stage == Stage::Infection {
        // Nobody has looked yet whether a test could see it.
        let symptoms = explained
            .iter_mut()
            .map(|each| &mut each.explanation.symptom);
        let lost = symptoms.filter(|symptom| **symptom == Symptom::NoPropagation);
        lost.for_each(|symptom| *symptom = Symptom::Infected);
    }
    // Nothing is watched where assertions are tried.
    let carriers = Workers {
        installation: &installation,
        plan: &WorkPlan {
            switches: subject.plan.switches.clone(),
            points: subject.plan.points.clone(),
            ..WorkPlan::default()
        },
    };
    let code = OnceCell::new();
    let affected = |source: &Path| {
        let code = code.get_or_init(|| TestCode::read(&subject));
        code.tests_of(source, &tests)
    };
    let sources = mutated.classes.iter();
    let sources = sources.filter_map(|class| class.source.as_deref());
    let here = Here::now(request.mutate.root, sources.collect());
    let elsewhere = WorkersElsewhere(carriers);
    let jvms: (&dyn TestJvms, &dyn TestJvms) = (&carriers, &elsewhere);
    let prover = Prover::new(&room, jvms, &jury_jvm::compile, &affected, &here);
    let are_wanted = request.symptoms.is_empty() || request.symptoms.contains(&Symptom::WeakOracle);
    let (mut explanations, proven) = with_assertions(
        &prover,
        explained,
        (
            are_wanted && request.stage == Stage::Hints,
            request.every_place,
        ),
        |inquiries| probe(&room, &subject, inquiries),
        &mut notices,
        &mut progress,
    );
    let applied = match request.apply {
        true => write_into_sources(&prover, &proven),
        false => Applied::default(),
    };
    notices.extend(applied.notices);
    explanations.extend(
        survivors
            .unreached
            .iter()
            .map(|one| findings.not_reached(one)),
    );

    let rank = findings.ranks(&explanations);
    explanations.sort_by(|one, other| rank.get(&one.subject.id).cmp(&rank.get(&other.subject.id)));
    if !request.symptoms.is_empty() {
        explanations.retain(|each| request.symptoms.contains(&each.symptom));
    }
    notices.extend(mutated.notices.iter().cloned());
    notices.dedup();
    let interrupted = mutated.exit == Exit::Interrupted || room.is_cancelled();
    let run = ExplainRun {
        exit: match (interrupted, explanations.is_empty()) {
            (true, _) => Exit::Interrupted,
            (false, false) => Exit::Findings,
            (false, true) => Exit::Clean,
        },
        explanations,
        notices,
        applied: (applied.files.iter())
            .map(|path| path.strip_prefix(request.mutate.root).unwrap_or(path))
            .map(|path| path.display().to_string())
            .collect(),
        runs: room.runs,
        explain_millis: u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX),
    };
    Ok((run, mutated))
}

/// Adds an assertion to each weak oracle for which one can be proven, if any are wanted.
fn with_assertions(
    prover: &Prover<'_>,
    mut explained: Vec<Explained>,
    (are_wanted, every_place): (bool, bool),
    probe: impl Fn(&[Inquiry]) -> Result<Vec<Wanted>, JvmError>,
    notices: &mut Vec<Notice>,
    progress: &mut impl FnMut(ExplainProgress),
) -> (Vec<Explanation>, Vec<Proven>) {
    // Whichever bench was first: the proof must not depend on it.
    explained.sort_by(|one, other| {
        one.explanation
            .subject
            .id
            .cmp(&other.explanation.subject.id)
    });
    let mut explanations = Vec::new();
    let mut wanted = Vec::new();
    let mut inquiries = Vec::new();
    for (index, one) in explained.into_iter().enumerate() {
        wanted.push(Wanted {
            explanation: index,
            switch: one.switch,
            is_hidden: one.is_hidden,
            candidates: one.candidates,
        });
        inquiries.push(Inquiry {
            explanation: index,
            switch: one.switch,
            is_hidden: one.is_hidden,
            planned: one.planned,
        });
        explanations.push(one.explanation);
    }
    let weak = |index: usize| are_wanted && explanations[index].symptom == Symptom::WeakOracle;
    wanted.retain(|one| weak(one.explanation));
    inquiries.retain(|one| weak(one.explanation));
    progress(ExplainProgress::Proving(wanted.len()));
    let (mut proven, mut local) = (Vec::new(), BTreeSet::new());
    let outcome = prove_or_probe(prover, wanted, inquiries, probe, (&mut proven, &mut local));
    // There is still everything else to tell.
    notices.extend(outcome.err().map(|error| unproven(&error, &proven)));
    for explanation in local {
        let known = proven.iter().any(|one| one.explanation == explanation);
        explanations[explanation].is_local = !known;
    }
    for one in &proven {
        let exposures = &mut explanations[one.explanation].exposures;
        let shown = one.exposure();
        let is_same_place = |other: &Exposure| {
            let place = |each: &Exposure| (each.line, each.columns, each.field.clone());
            other.file == shown.file && place(other) == place(&shown)
        };
        exposures
            .retain(|other| other.test != shown.test || (every_place && !is_same_place(other)));
        exposures.insert(0, shown);
    }
    (explanations, proven)
}

fn unproven(error: &JvmError, proven: &[Proven]) -> Notice {
    let none = match proven {
        [] => "no assertion",
        _ => "no other assertion",
    };
    match error {
        JvmError::Spawn { program, .. } => Notice::with_hint(
            format!("{none} could be proven: `{program}` does not start"),
            "run `jury test` with a full JDK",
        ),
        error => Notice::with_hint(
            format!("{none} could be proven: {error}"),
            "run `jury test`, then `jury explain` again",
        ),
    }
}

/// What differs itself is asserted where that can be done; otherwise what calls show of it.
fn prove_or_probe(
    prover: &Prover<'_>,
    wanted: Vec<Wanted>,
    mut inquiries: Vec<Inquiry>,
    probe: impl Fn(&[Inquiry]) -> Result<Vec<Wanted>, JvmError>,
    (proven, local): (&mut Vec<Proven>, &mut BTreeSet<usize>),
) -> Result<(), JvmError> {
    prover.prove(wanted, proven, local)?;
    inquiries.retain(|one| {
        proven
            .iter()
            .all(|known| known.explanation != one.explanation)
    });
    let answers = probe(&inquiries)?;
    prover.prove(answers, proven, local)
}

/// Has the agent show the calls of all methods in question, and the expressions of all test code.
fn watch(subject: &mut Subject, units: &[Unit<'_>]) {
    subject.plan.calls = units
        .iter()
        .map(|unit| WatchedMethod {
            number: unit.number,
            class: unit.method.class.clone(),
            method: unit.method.name.clone(),
            descriptor: unit.method.descriptor.clone(),
        })
        .collect();
    let classes = (1..).zip(&subject.classes);
    subject.plan.values = classes
        .filter(|(_, class)| class.role == Role::Test)
        .map(|(number, class)| WatchedClass {
            number,
            class: class.facts.name.clone(),
        })
        .collect();
}

/// Of the code that is tested, not of its tests.
fn call_graph(subject: &Subject) -> CallGraph {
    let mut graph = CallGraph::default();
    for class in subject
        .classes
        .iter()
        .filter(|class| class.role != Role::Test)
    {
        if let Some(bytes) = class.read()
            && let Ok(file) = jury_classfile::ClassFile::read(&bytes)
        {
            // A class that cannot be read has been left out of the trial, too, and that was said.
            let _ = graph.add(&file);
        }
    }
    graph
}

/// Each bench takes every n-th unit, so that what a worker has been through is the same each time.
fn in_parallel(
    room: &Room<'_>,
    units: &[Unit<'_>],
    findings: &Findings<'_>,
    jobs: usize,
    progress: &mut impl FnMut(ExplainProgress),
) -> Result<(Vec<Explained>, Vec<Notice>), WorkflowError> {
    let jobs = jobs.clamp(1, units.len().max(1));
    let notices = Mutex::new(Vec::new());
    let (tell, told) = std::sync::mpsc::channel();
    let explanations = std::thread::scope(|scope| {
        let benches: Vec<_> = (0..jobs)
            .map(|first| {
                let (tell, notices) = (tell.clone(), &notices);
                scope.spawn(move || {
                    let spares = Spares::new(scope, room.jvms, room.cancelled);
                    let room = Room {
                        jvms: &spares,
                        ..*room
                    };
                    let mut bench = Bench::new(&room);
                    let units: Vec<&Unit<'_>> = units.iter().skip(first).step_by(jobs).collect();
                    bench.survey(&units)?;
                    for unit in units {
                        if room.is_cancelled() {
                            break;
                        }
                        for case in bench.examine(unit)? {
                            // The receiver lives as long as this scope.
                            let _ = tell.send(findings.explain(unit, case));
                        }
                    }
                    let mut notices = notices.lock().unwrap_or_else(|dead| dead.into_inner());
                    notices.extend(bench.notices());
                    Ok::<(), WorkflowError>(())
                })
            })
            .collect();
        drop(tell);
        let mut explanations = Vec::new();
        for explanation in told {
            explanations.push(explanation);
            progress(ExplainProgress::Explained);
        }
        for bench in benches {
            bench
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        Ok::<_, WorkflowError>(explanations)
    })?;
    let mut notices = notices
        .into_inner()
        .unwrap_or_else(|dead| dead.into_inner());
    notices.sort_by(|one: &Notice, other| one.message.cmp(&other.message));
    notices.dedup();
    Ok((explanations, notices))
}

#[cfg(test)]
mod tests;
