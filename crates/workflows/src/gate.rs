//! The gate of `jury mutate`: reads what a team has accepted and how mutants stood before, has a
//! run judged, and keeps how they stand now.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::{fs, io, process};

use jury_model::{Exit, Notice};
use jury_mutate::{
    Accepted, Gate, Limits, MethodResult, Milestone, MutationRun, Scope, Standings, add_milestone,
    format_milestones, format_standings, parse_milestones, parse_standings, standings,
};

use crate::WorkflowError;

// Without an ending that would tell what is in them: builds that ask for a licence at the top of every
// text look here, too.
const STANDINGS_FILE: &str = "standings";
const MILESTONES_FILE: &str = "milestones";

/// What a run has to pass.
#[derive(Debug)]
pub struct GateRequest<'a> {
    pub state_dir: &'a Path,
    pub scope: &'a Scope,
    pub limits: &'a Limits,
    pub baseline: Option<Baseline>,
}

/// The file of accepted findings.
#[derive(Debug)]
pub struct Baseline {
    pub path: PathBuf,
    pub accepted: Accepted,
    /// Whether to accept all that is undetected now, and write the file.
    pub accept: bool,
}

/// Reads a baseline; none if there is no such file.
pub fn read_baseline(path: &Path) -> Result<Option<Accepted>, WorkflowError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(source) => {
            return Err(WorkflowError::ReadBaseline {
                path: path.to_owned(),
                source,
            });
        }
    };
    let accepted = Accepted::parse(&text).map_err(|source| WorkflowError::BadBaseline {
        path: path.to_owned(),
        source,
    })?;
    Ok(Some(accepted))
}

/// Puts a finished run before the gate and settles how the command ends. An interrupted run knows
/// too little to be judged or to be compared with.
pub fn pass_gate(run: &mut MutationRun, request: GateRequest<'_>) -> Result<(), WorkflowError> {
    if run.exit == Exit::Interrupted {
        return Ok(());
    }
    let methods: Vec<&MethodResult> = run.results().collect();
    let accepted = match request.baseline {
        Some(baseline) if baseline.accept => Some(accept(&baseline, &methods, request.scope)?),
        Some(baseline) => Some(baseline.accepted),
        None => None,
    };
    let mut notices = Vec::new();
    rename_older(request.state_dir);
    let memory = request.state_dir.join(STANDINGS_FILE);
    let before = recall(&memory).unwrap_or_else(|lost| {
        notices.push(lost);
        None
    });
    let (scope, limits) = (request.scope, request.limits);
    let gate = Gate::judge(&methods, scope, limits, accepted, before.as_ref());
    // A run that fails is not remembered: the next one shall still be told what is new.
    if gate.passes() != Some(false) {
        let now = scope.update(before.unwrap_or_default(), standings(methods));
        if let Err(error) = write_whole(&memory, &format_standings(&now)) {
            let message = format!("failed to remember this run for the next comparison: {error}");
            notices.push(Notice::new(message));
        }
    }
    run.exit = match gate.passes() {
        Some(true) => Exit::Clean,
        Some(false) => Exit::Findings,
        None => run.exit,
    };
    run.gate = gate;
    run.notices.extend(notices);
    if *scope == Scope::Everything {
        note_milestone(run, request.state_dir);
    }
    Ok(())
}

/// Earlier versions kept the same files under names that builds took for texts.
fn rename_older(state_dir: &Path) {
    for name in [STANDINGS_FILE, MILESTONES_FILE] {
        // Usually there is none; one that cannot be renamed costs a comparison.
        let _ = fs::rename(state_dir.join(format!("{name}.txt")), state_dir.join(name));
    }
}

/// Adds a run to the history of its project.
fn note_milestone(run: &mut MutationRun, state_dir: &Path) {
    let path = state_dir.join(MILESTONES_FILE);
    let latest = Milestone::of(&run.extent, &run.metrics());
    let before = match fs::read_to_string(&path) {
        Ok(text) => parse_milestones(&text).map_err(|error| error.to_string()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error.to_string()),
    };
    let milestones = before.map(|before| add_milestone(before, latest));
    let written = milestones.and_then(|milestones| {
        let text = format_milestones(&milestones);
        write_whole(&path, &text).map_err(|error| error.to_string())?;
        Ok(milestones)
    });
    match written {
        Ok(milestones) => {
            let settings = run.extent.settings.clone();
            let alike = milestones
                .into_iter()
                .filter(|one| one.settings == settings);
            run.milestones = alike.collect();
        }
        Err(reason) => run.notices.push(Notice::with_hint(
            format!(
                "this run is not in the history: `{}`: {reason}",
                path.display()
            ),
            "remove the file to begin a new one",
        )),
    }
}

fn accept(
    baseline: &Baseline,
    methods: &[&MethodResult],
    scope: &Scope,
) -> Result<Accepted, WorkflowError> {
    let accepted = baseline.accepted.renewed(methods, scope);
    let written = write_whole(&baseline.path, &accepted.format());
    written.map_err(|source| WorkflowError::WriteBaseline {
        path: baseline.path.clone(),
        source,
    })?;
    Ok(accepted)
}

/// How mutants stood in the last run that passed. Losing this costs one comparison, so it is said
/// and not an error.
fn recall(path: &Path) -> Result<Option<Standings>, Notice> {
    let lost = |reason: String| {
        Notice::new(format!(
            "this run cannot be compared with the last one: `{}`: {reason}",
            path.display()
        ))
    };
    match fs::read_to_string(path) {
        Ok(text) => parse_standings(&text)
            .map(Some)
            .map_err(|error| lost(error.to_string())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(lost(error.to_string())),
    }
}

/// Replaces a file at once, so that nobody ever reads half of it.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}", process::id()));
    let written = fs::write(&draft, text).and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        // Nothing more can be done about a draft that cannot be removed either.
        let _ = fs::remove_file(&draft);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_classfile::Access;
    use jury_model::TestId;
    use jury_mutate::{
        JudgedClass, JudgedMethod, MethodFacts, MutantResult, MutantVerdict, Thresholds,
    };
    use tempfile::TempDir;

    /// A run over `A#run()V`, whose only mutant survives or not.
    fn run(verdict: MutantVerdict) -> MutationRun {
        let id: jury_mutate::MethodId = "A#run()V".parse().unwrap();
        let result = MethodResult {
            id: id.clone(),
            module: ".".into(),
            stop: None,
            covered: true,
            extreme: vec![MutantResult {
                id: "A#run()V#void".parse().unwrap(),
                verdict,
                covering: vec![TestId::new("t")],
                answers: None,
            }],
            classic: Vec::new(),
        };
        let facts = MethodFacts {
            id,
            access: Access(0),
            first_line: None,
            last_line: None,
            code_length: 9,
            mutants: Vec::new(),
            stop: None,
        };
        MutationRun {
            exit: Exit::Findings,
            classes: vec![JudgedClass {
                name: "A".into(),
                module: ".".into(),
                access: Access(0),
                source_file: None,
                source_path: None,
                source: None,
                methods: vec![JudgedMethod {
                    facts,
                    points: Vec::new(),
                    result,
                }],
            }],
            labels: Default::default(),
            unreliable: Vec::new(),
            notices: Vec::new(),
            gate: Gate::default(),
            extent: Default::default(),
            milestones: Vec::new(),
            matrix: false,
            effort: Default::default(),
            workers: 1,
            tests: 1,
            cover_millis: 0,
            trial_millis: 0,
        }
    }

    fn killed() -> MutantVerdict {
        MutantVerdict::Killed {
            by: TestId::new("t"),
            failure: Default::default(),
        }
    }

    fn judged(
        verdict: MutantVerdict,
        state: &TempDir,
        limits: &Limits,
        baseline: Option<Baseline>,
    ) -> MutationRun {
        let mut run = run(verdict);
        let request = GateRequest {
            state_dir: state.path(),
            scope: &Scope::Everything,
            limits,
            baseline,
        };
        pass_gate(&mut run, request).unwrap();
        run
    }

    fn full_score() -> Limits {
        Limits {
            general: Thresholds {
                extreme_score: Some(100.0),
                ..Thresholds::default()
            },
            ..Limits::default()
        }
    }

    fn news(run: &MutationRun) -> Option<usize> {
        let comparison = run.gate.comparison.as_ref()?;
        Some(comparison.newly_undetected.len())
    }

    #[test]
    fn what_is_accepted_passes_the_next_time() {
        let state = TempDir::new().unwrap();
        let path = state.path().join("accepted.txt");
        let accept = Baseline {
            path: path.clone(),
            accepted: Accepted::default(),
            accept: true,
        };
        judged(
            MutantVerdict::Survived,
            &state,
            &Limits::default(),
            Some(accept),
        );
        let again = Baseline {
            path: path.clone(),
            accepted: read_baseline(&path).unwrap().unwrap(),
            accept: false,
        };
        let limits = Limits::default();
        let run = judged(MutantVerdict::Survived, &state, &limits, Some(again));
        assert_eq!(run.exit, Exit::Clean);
    }

    #[test]
    fn a_failing_run_is_not_what_the_next_one_is_compared_with() {
        let state = TempDir::new().unwrap();
        let good = judged(killed(), &state, &full_score(), None);
        assert_eq!((good.exit, news(&good)), (Exit::Clean, None));
        for _ in 0..2 {
            let bad = judged(MutantVerdict::Survived, &state, &full_score(), None);
            assert_eq!((bad.exit, news(&bad)), (Exit::Findings, Some(1)));
        }
    }

    #[test]
    fn without_a_gate_every_run_is_remembered() {
        let state = TempDir::new().unwrap();
        let limits = Limits::default();
        judged(killed(), &state, &limits, None);
        let second = judged(MutantVerdict::Survived, &state, &limits, None);
        assert_eq!((second.exit, news(&second)), (Exit::Findings, Some(1)));
        let third = judged(MutantVerdict::Survived, &state, &limits, None);
        assert_eq!(news(&third), Some(0));
    }

    #[test]
    fn what_an_older_version_remembered_is_taken_over() {
        let state = TempDir::new().unwrap();
        let limits = Limits::default();
        judged(killed(), &state, &limits, None);
        for name in [STANDINGS_FILE, MILESTONES_FILE] {
            let older = state.path().join(format!("{name}.txt"));
            fs::rename(state.path().join(name), older).unwrap();
        }
        let next = judged(MutantVerdict::Survived, &state, &limits, None);
        assert_eq!(news(&next), Some(1));
        let kept = fs::read_dir(state.path()).unwrap();
        let is_text = |path: PathBuf| path.extension().is_some();
        assert!(!kept.map(|file| file.unwrap().path()).any(is_text));
    }

    #[test]
    fn a_spoilt_memory_is_said_and_replaced() {
        let state = TempDir::new().unwrap();
        fs::write(state.path().join(STANDINGS_FILE), "who knows").unwrap();
        let limits = Limits::default();
        let run = judged(killed(), &state, &limits, None);
        assert!(
            run.notices[0].message.contains("line 1"),
            "{:?}",
            run.notices
        );
        assert!(judged(killed(), &state, &limits, None).notices.is_empty());
    }

    #[test]
    fn every_state_of_the_code_has_its_place_in_the_history() {
        let state = TempDir::new().unwrap();
        let at = |code: &str, verdict| {
            let mut run = run(verdict);
            run.extent.code = code.to_owned();
            let limits = Limits::default();
            let request = GateRequest {
                state_dir: state.path(),
                scope: &Scope::Everything,
                limits: &limits,
                baseline: None,
            };
            pass_gate(&mut run, request).unwrap();
            run
        };
        at("one", MutantVerdict::Survived);
        let run = at("two", killed());
        let history: Vec<_> = (run.milestones.iter())
            .map(|one| (one.code.as_str(), one.mutants_undetected, one.pseudo_tested))
            .collect();
        assert_eq!(history, [("one", 1, 1), ("two", 0, 0)]);
        fs::write(state.path().join(MILESTONES_FILE), "who knows").unwrap();
        let run = at("three", killed());
        assert!(run.notices[0].message.contains("not in the history"));
        assert!(run.milestones.is_empty());
    }

    #[test]
    fn an_interrupted_run_is_neither_judged_nor_remembered() {
        let state = TempDir::new().unwrap();
        let mut run = run(MutantVerdict::Survived);
        run.exit = Exit::Interrupted;
        let request = GateRequest {
            state_dir: state.path(),
            scope: &Scope::Everything,
            limits: &full_score(),
            baseline: None,
        };
        pass_gate(&mut run, request).unwrap();
        assert_eq!((run.exit, run.gate.passes()), (Exit::Interrupted, None));
        assert!(!state.path().join(STANDINGS_FILE).exists());
    }

    #[test]
    fn a_baseline_that_makes_no_sense_is_refused_by_line() {
        let state = TempDir::new().unwrap();
        let path = state.path().join("accepted.txt");
        fs::write(&path, "A#run\n").unwrap();
        let error = read_baseline(&path).unwrap_err();
        assert_eq!(error.exit(), Exit::Usage);
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert_eq!(cause, "line 1: `A#run` is not the id of a mutant");
    }
}
