//! Proves assertions: they must compile, pass on the original and fail on the mutant.
//!
//! All mutants are served at once, in rounds. A round takes the next proposal for each mutant that
//! has none proven, writes them into copies of the tests' sources, compiles these in one go and puts
//! the result in front of the class path of a fresh worker. There, all tests of the changed classes
//! must pass, and each mutant must fail at the very line of its own assertion. What holds only here and
//! today is refuted in one more worker (`elsewhere`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jury_explain::{Assertion, Exposure, Proposal, apply, compatible, diff};
use jury_jvm::{BatchEvent, JvmError, WorkPlan, Worker};
use jury_model::{Failure, Outcome, Recipe, TestId};

use super::bench::{Room, Workers};
use super::drafts::{Draft, TestSource, compile_drafts};
use super::elsewhere::{elsewhere, is_local};

/// Proposals are tried in at most so many rounds, and so many of each mutant.
const MOST_ROUNDS: usize = 24;
const MOST_TRIED: usize = 12;
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A mutant that waits for an assertion.
pub(super) struct Wanted {
    /// Its place among the explanations.
    pub explanation: usize,
    pub switch: u32,
    /// The likeliest first.
    pub candidates: Vec<Candidate>,
}

pub(super) struct Candidate {
    pub test: usize,
    /// The source of the test, as it is.
    pub source: Arc<TestSource>,
    pub proposal: Proposal,
    pub exposure: Exposure,
}

/// An assertion that holds what it promises.
pub(super) struct Proven {
    pub explanation: usize,
    pub exposure: Exposure,
    source: Arc<TestSource>,
    proposal: Proposal,
}

impl Candidate {
    /// The same where nothing that it asks is null.
    fn where_present(self) -> Option<Self> {
        let proposal = self.proposal.where_present()?;
        Some(Candidate { proposal, ..self })
    }
}

impl Proven {
    fn of(explanation: usize, candidate: Candidate) -> Self {
        let Candidate {
            source, proposal, ..
        } = candidate;
        let assertion = Assertion {
            text: proposal.statement.clone(),
            diff: diff(&source.path, &source.java.text, &proposal),
        };
        Proven {
            explanation,
            exposure: Exposure {
                assertion: Some(assertion),
                ..candidate.exposure
            },
            source,
            proposal,
        }
    }
}

/// One proposal in a round.
struct Tried {
    /// Its mutant, among those wanted.
    wanted: usize,
    candidate: usize,
    /// Where its statement stands in the changed source.
    line: usize,
    verdict: Verdict,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Something else got in the way; it may be tried again.
    Open,
    Refuted,
    /// It asks something of what is null in the original.
    Absent,
    /// It holds here and today only.
    Local,
    Proven,
}

/// Explanations of which an assertion was found to hold here and today only are added to `local`.
pub(super) fn prove(
    room: &Room<'_>,
    workers: &Workers<'_>,
    mut wanted: Vec<Wanted>,
    local: &mut BTreeSet<usize>,
) -> Result<Vec<Proven>, JvmError> {
    let mut proven = Vec::new();
    for one in &mut wanted {
        one.candidates.retain(|each| {
            let directory = &room.tests[each.test].recipe.working_directory;
            let is_local = is_local(&each.proposal.statement, Path::new(directory));
            if is_local {
                local.insert(one.explanation);
            }
            !is_local
        });
        one.candidates.truncate(MOST_TRIED);
    }
    for _ in 0..MOST_ROUNDS {
        wanted.retain(|one| !one.candidates.is_empty());
        if wanted.is_empty() || room.is_cancelled() {
            break;
        }
        let mut done = BTreeMap::new();
        for recipe in recipes(room, &wanted) {
            for tried in round(room, workers, recipe, &wanted)? {
                if tried.verdict != Verdict::Open {
                    done.insert(tried.wanted, tried.verdict);
                }
            }
        }
        if done.is_empty() {
            break;
        }
        // Proposals may exclude each other; whoever had to stand back comes first the next time.
        let mut waiting = Vec::new();
        let mut refuted = Vec::new();
        for (index, mut one) in wanted.into_iter().enumerate() {
            let Some(verdict) = done.get(&index) else {
                waiting.push(one);
                continue;
            };
            let candidate = one.candidates.remove(0);
            match verdict {
                Verdict::Proven => proven.push(Proven::of(one.explanation, candidate)),
                Verdict::Absent => {
                    one.candidates.splice(..0, candidate.where_present());
                    refuted.push(one);
                }
                Verdict::Local => {
                    local.insert(one.explanation);
                    refuted.push(one);
                }
                Verdict::Open | Verdict::Refuted => refuted.push(one),
            }
        }
        wanted = waiting;
        wanted.append(&mut refuted);
    }
    Ok(proven)
}

/// Writes proven assertions into the sources of the tests, unless these have changed meanwhile; one
/// that serves several mutants is written once. Returns the files.
pub(super) fn write_into_sources(proven: &[Proven]) -> std::io::Result<Vec<PathBuf>> {
    let mut by_file: BTreeMap<&Path, Vec<&Proven>> = BTreeMap::new();
    for one in proven {
        by_file.entry(&one.source.file).or_default().push(one);
    }
    let mut written = Vec::new();
    for (path, own) in by_file {
        let source = &own[0].source.java.text;
        if fs::read_to_string(path)? != *source {
            continue;
        }
        let mut proposals: Vec<&Proposal> = Vec::new();
        for one in &own {
            if proposals
                .iter()
                .all(|known| compatible(known, &one.proposal))
                && !proposals.contains(&&one.proposal)
            {
                proposals.push(&one.proposal);
            }
        }
        let (edited, _) = apply(source, &proposals);
        fs::write(path, edited)?;
        written.push(path.to_owned());
    }
    Ok(written)
}

fn recipes<'a>(room: &Room<'a>, wanted: &[Wanted]) -> Vec<&'a Recipe> {
    let mut recipes: Vec<&Recipe> = Vec::new();
    for one in wanted {
        if let Some(candidate) = one.candidates.first() {
            let recipe = room.tests[candidate.test].recipe;
            if !recipes.iter().any(|known| std::ptr::eq(*known, recipe)) {
                recipes.push(recipe);
            }
        }
    }
    recipes
}

/// Tries the first proposal of each mutant whose test has this recipe.
fn round(
    room: &Room<'_>,
    workers: &Workers<'_>,
    recipe: &Recipe,
    wanted: &[Wanted],
) -> Result<Vec<Tried>, JvmError> {
    let mut tried = choose(room, recipe, wanted);
    let drafts: Vec<Draft<'_>> = tried
        .iter()
        .map(|one| candidate(wanted, one))
        .map(|one| Draft {
            source: &one.source,
            proposal: &one.proposal,
        })
        .collect();
    let compiled = compile_drafts(&jury_jvm::compile, recipe, &drafts)?;
    for (one, line) in tried.iter_mut().zip(&compiled.lines) {
        match line {
            Some(line) => one.line = *line,
            None => one.verdict = Verdict::Refuted,
        }
    }
    if compiled.is_empty() {
        return Ok(tried);
    }
    let changed = compiled.recipe(recipe);
    let plan = WorkPlan {
        switches: workers.plan.switches.clone(),
        points: workers.plan.points.clone(),
        ..WorkPlan::default()
    };
    let mut worker = Worker::start(&changed, workers.installation, &plan)?;
    check_original(room, &mut worker, recipe, wanted, &mut tried);
    for one in tried.iter_mut().filter(|one| one.verdict == Verdict::Open) {
        check_mutant(room, &mut worker, wanted, one);
        if one.verdict == Verdict::Refuted && !room.is_cancelled() {
            // What the original left behind, such as a cache, may hide the mutant; what the mutant
            // leaves behind concerns no other.
            let mut fresh = Worker::start(&changed, workers.installation, &plan)?;
            check_mutant(room, &mut fresh, wanted, one);
        }
    }
    if tried.iter().any(|one| one.verdict == Verdict::Proven) && !room.is_cancelled() {
        let theirs = elsewhere(&changed, SystemTime::now());
        // A JVM that cannot be had like that refutes nothing.
        if let Ok(mut worker) = Worker::start(&theirs, workers.installation, &plan) {
            check_elsewhere(room, &mut worker, wanted, &mut tried);
        }
    }
    Ok(tried)
}

/// The first proposal of each mutant, as far as they can be made together.
fn choose(room: &Room<'_>, recipe: &Recipe, wanted: &[Wanted]) -> Vec<Tried> {
    let mut chosen: Vec<Tried> = Vec::new();
    for (index, one) in wanted.iter().enumerate() {
        let Some(candidate) = one.candidates.first() else {
            continue;
        };
        let fits = chosen.iter().all(|other| {
            let other = &wanted[other.wanted].candidates[other.candidate];
            other.source.file != candidate.source.file
                || compatible(&other.proposal, &candidate.proposal)
        });
        if fits && std::ptr::eq(room.tests[candidate.test].recipe, recipe) {
            chosen.push(Tried {
                wanted: index,
                candidate: 0,
                line: 0,
                verdict: Verdict::Open,
            });
        }
    }
    chosen
}

fn candidate<'w>(wanted: &'w [Wanted], tried: &Tried) -> &'w Candidate {
    &wanted[tried.wanted].candidates[tried.candidate]
}

/// All tests of the changed classes must pass; an assertion that fails is refuted, and what stands
/// behind it in the same test is left open.
fn check_original(
    room: &Room<'_>,
    worker: &mut Worker,
    recipe: &Recipe,
    wanted: &[Wanted],
    tried: &mut [Tried],
) {
    let classes: BTreeSet<&str> = tried
        .iter()
        .map(|one| room.tests[candidate(wanted, one).test].class.as_str())
        .collect();
    let tests: Vec<usize> = (0..room.tests.len())
        .filter(|test| {
            let test = &room.tests[*test];
            std::ptr::eq(test.recipe, recipe) && classes.contains(test.class.as_str())
        })
        .collect();
    for (test, outcome, failure) in run(room, worker, None, &tests) {
        if outcome == Some(Outcome::Passed) {
            continue;
        }
        let class = &room.tests[test].class;
        let trace = failure.map(|failure| failure.trace).unwrap_or_default();
        let open = tried.iter_mut().filter(|one| one.verdict == Verdict::Open);
        let mut own: Vec<&mut Tried> = open
            .filter(|one| room.tests[candidate(wanted, one).test].class == *class)
            .collect();
        let named = own.iter().any(|one| fails_at(&trace, wanted, one));
        for one in &mut own {
            if named && fails_at(&trace, wanted, one) && is_null_pointer(&trace) {
                one.verdict = Verdict::Absent;
            } else if !named || fails_at(&trace, wanted, one) {
                one.verdict = Verdict::Refuted;
            }
        }
    }
}

/// An assertion that fails at its own line there is refuted; a test that does not get so far says nothing.
fn check_elsewhere(room: &Room<'_>, worker: &mut Worker, wanted: &[Wanted], tried: &mut [Tried]) {
    let is_proven = |one: &&mut Tried| one.verdict == Verdict::Proven;
    let proven: Vec<&mut Tried> = tried.iter_mut().filter(is_proven).collect();
    let tests: BTreeSet<usize> = (proven.iter())
        .map(|one| candidate(wanted, one).test)
        .collect();
    let tests: Vec<usize> = tests.into_iter().collect();
    let traces: Vec<String> = run(room, worker, None, &tests)
        .into_iter()
        .filter_map(|(_, _, failure)| Some(failure?.trace))
        .collect();
    for one in proven {
        if traces.iter().any(|trace| fails_at(trace, wanted, one)) {
            one.verdict = Verdict::Local;
        }
    }
}

fn check_mutant(room: &Room<'_>, worker: &mut Worker, wanted: &[Wanted], tried: &mut Tried) {
    let switch = wanted[tried.wanted].switch;
    let test = candidate(wanted, tried).test;
    let mut answers = run(room, worker, Some(switch), &[test]);
    tried.verdict = match answers.pop() {
        Some((_, Some(Outcome::Failed), Some(failure))) => {
            if fails_at(&failure.trace, wanted, tried) {
                Verdict::Proven
            } else {
                // The assertion of another mutant came first.
                Verdict::Open
            }
        }
        Some((_, Some(Outcome::Passed), _)) => Verdict::Refuted,
        _ => Verdict::Refuted,
    };
}

fn fails_at(trace: &str, wanted: &[Wanted], tried: &Tried) -> bool {
    let file = candidate(wanted, tried).source.file.file_name();
    let file = file.map(|name| name.to_string_lossy().into_owned());
    trace.contains(&format!("({}:{})", file.unwrap_or_default(), tried.line))
}

fn is_null_pointer(trace: &str) -> bool {
    trace.starts_with("java.lang.NullPointerException")
}

/// Runs tests, those of one engine at a time.
fn run(
    room: &Room<'_>,
    worker: &mut Worker,
    mutant: Option<u32>,
    tests: &[usize],
) -> Vec<(usize, Option<Outcome>, Option<Failure>)> {
    let mut answers = Vec::new();
    let mut rest: Vec<usize> = tests.to_vec();
    while let Some(first) = rest.first() {
        let engine = &room.tests[*first].engine;
        let (now, later): (Vec<usize>, Vec<usize>) = rest
            .iter()
            .partition(|test| room.tests[**test].engine == *engine);
        let index_of = |id: &TestId| now.iter().copied().find(|t| room.tests[*t].id == *id);
        let limits = now
            .iter()
            .map(|test| (room.tests[*test].id.clone(), TIME_LIMIT));
        if worker.switch(mutant).is_err() {
            break;
        }
        worker.run(engine, limits.collect(), room.cancelled, |event| {
            if let BatchEvent::Finished(one) = event
                && let Some(test) = index_of(&one.id)
            {
                answers.push((test, one.outcome, one.failure));
            }
        });
        rest = later;
    }
    answers
}
