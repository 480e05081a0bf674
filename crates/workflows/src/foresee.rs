//! `jury why` and `jury test --dry-run`: what running the tests now would mean, without running any.

use std::path::Path;
use std::time::Instant;

use jury_model::{Foresight, Notice, UnitName};
use jury_project::Project;
use jury_select::predict;
use jury_store::LabelPattern;

use crate::WorkflowError;
use crate::selection::{Place, Selection, SelectionSettings, Since};
use crate::tests::open_known;
use crate::watch::given_command;

/// What to look at.
#[derive(Debug)]
pub struct ForeseeRequest<'a> {
    pub root: &'a Path,
    pub state_dir: &'a Path,
    /// That of the latest run if none is given.
    pub command: Option<&'a [String]>,
    /// Parts of names of test classes and methods; all if there are none.
    pub patterns: &'a [String],
    pub selection: &'a SelectionSettings,
    /// Also what uses anything that changed since this revision.
    pub since: Option<&'a str>,
}

/// Compares what is known of each test class with the classes and files as they lie there now.
pub fn foresee(request: &ForeseeRequest<'_>) -> Result<Foresight, WorkflowError> {
    let clock = Instant::now();
    let mut store = open_known(request.state_dir)?;
    let project = Project::discover(request.root).ok();
    let command = match request.command {
        Some(words) => given_command(words).to_string(),
        None => store.last_run()?.map(|run| run.command).unwrap_or_default(),
    };
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
    let known: Vec<u64> = units.iter().map(|unit| unit.micros).collect();
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
    let running = units.iter().filter(|unit| !unit.reasons.is_empty());
    let prediction = predict(running.map(|unit| Some(unit.micros)), known);
    let mut notices = Vec::new();
    if selection.awaits_compilation() {
        notices.push(Notice::with_hint(
            "sources have changed since they were compiled, and only classes were compared",
            "compile them first, or run `jury test`, which does",
        ));
    }
    store.keep_stamps(&selection.take_stamps())?;
    Ok(Foresight {
        units,
        predicted_micros: prediction.micros,
        notices,
        analysis_millis: u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}
