//! `jury why` and `jury test --dry-run`: what running the tests now would mean, without running any.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use jury_model::{Foreseen, Foresight, Notice, UnitName};
use jury_project::Project;
use jury_select::predict;
use jury_store::{LabelPattern, RUNS_KEPT, Store};

use crate::WorkflowError;
use crate::impact::test_classes;
use crate::selection::{Place, Selection, SelectionSettings, Since, names_tests};
use crate::tests::open_known;
use crate::watch::given_command;

/// What to look at.
#[derive(Debug)]
pub struct ForeseeRequest<'a> {
    pub root: &'a Path,
    pub state_dir: &'a Path,
    /// That of the latest run that named no tests, if none is given.
    pub command: Option<&'a [String]>,
    /// Whose tests the usual command would run, if that is asked about.
    pub module: Option<&'a str>,
    /// Parts of names of test classes and methods; all if there are none.
    pub patterns: &'a [String],
    pub selection: &'a SelectionSettings,
    /// Also what uses anything that changed since this revision.
    pub since: Option<&'a str>,
}

/// A run of tests that somebody named says nothing about what a run of all would leave out.
fn latest_command(store: &Store) -> Result<String, WorkflowError> {
    let commands: Vec<String> = (store.runs(RUNS_KEPT)?.into_iter())
        .map(|run| run.command)
        .collect();
    let of_all = commands.iter().find(|command| !names_tests(command));
    Ok(of_all.or(commands.first()).cloned().unwrap_or_default())
}

/// Compares what is known of each test class with the classes and files as they lie there now.
pub fn foresee(request: &ForeseeRequest<'_>) -> Result<Foresight, WorkflowError> {
    let clock = Instant::now();
    let mut store = open_known(request.state_dir)?;
    let project = Project::discover(request.root);
    let command = match (request.command, request.module) {
        (Some(words), _) => given_command(words).to_string(),
        (None, Some(module)) => (project.as_ref().map_err(Clone::clone)?)
            .test_command(Some(module), false)?
            .to_string(),
        (None, None) => latest_command(&store)?,
    };
    let project = project.ok();
    let place = Place {
        root: request.root,
        state_dir: request.state_dir,
        project: project.as_ref(),
        command: &request.selection.way_to_run(&command),
    };
    let mut selection = Selection::open(&store, &place, request.selection)?;
    if let Some(revision) = request.since {
        selection.run_since(Since::revision(request.root, revision)?);
    }
    if !selection.knows_something() {
        return Err(WorkflowError::NothingKnown);
    }
    let mut units = selection.foresee();
    let known = micros_of_classes(&units);
    // What the last build had before it, and did not run although nothing was left to run, is no test to it.
    let is_passed_over = store.settled()?.is_some()
        && (store.runs(1)?.first()).is_some_and(|last| last.command == command);
    let tests = test_classes(request.root, request.state_dir)?.into_iter();
    let tests = tests.filter(|test| !is_passed_over || !test.was_there);
    units.extend(selection.foresee_new(tests));
    units.sort_by(|a, b| a.unit.cmp(&b.unit));
    let patterns: Vec<LabelPattern<'_>> = (request.patterns.iter())
        .map(|pattern| LabelPattern::new(pattern))
        .collect();
    let wanted = |name: &UnitName| {
        let matches = |pattern: &LabelPattern<'_>| {
            pattern.matches(&name.unit()) || pattern.matches(&name.class)
        };
        patterns.iter().any(matches)
    };
    units.retain(|unit| patterns.is_empty() || wanted(&unit.unit));
    if units.is_empty() && !patterns.is_empty() {
        return Err(WorkflowError::NoMatch(request.patterns.to_vec()));
    }
    let running = || units.iter().filter(|unit| !unit.reasons.is_empty());
    let prediction = predict(running().map(|unit| unit.micros), known);
    let predicted_tests = running().map(|unit| unit.tests.total()).sum();
    let mut notices = Vec::new();
    if selection.awaits_compilation() {
        notices.push(Notice::with_hint(
            "sources have changed since they were compiled, and only classes were compared",
            "compile them first, or run `jury test`, which does",
        ));
    }
    store.keep_stamps(&selection.take_stamps())?;
    Ok(Foresight {
        predicted_tests,
        new_classes: prediction.guessed,
        predicted_micros: prediction.micros,
        notices,
        analysis_millis: u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX),
        units,
    })
}

/// How long each known test class took.
fn micros_of_classes(units: &[Foreseen]) -> Vec<u64> {
    let mut classes: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for Foreseen { unit, micros, .. } in units {
        let class = (unit.module.as_str(), unit.outermost_class());
        *classes.entry(class).or_default() += micros.unwrap_or_default();
    }
    classes.into_values().collect()
}
