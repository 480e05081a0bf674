//! `jury test`: runs the build under observation, leaves out what no change can affect, and keeps
//! what its test JVMs showed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use jury_cache::{Cache, CacheSettings};
use jury_jvm::{
    Answer, Build, Collect, Installation, JvmEvidence, Observation, Stream, cache_directory,
    run_build,
};
use jury_model::{
    Counts, Exit, LaunchedBy, Notice, Outcome, RedTest, RunUnit, Selected, UnitName, WatchedRun,
};
use jury_project::{
    JavaHomeFault, Project, ProjectError, ReportSummary, TestCommand, java_home_fault,
};
use jury_store::{BuildStatus, NewRun, OpenNotice, Store};

use crate::WorkflowError;
use crate::collection::Collection;
use crate::forks::mark_jvms_per_class;
use crate::retries::Suspects;
use crate::selection::{
    Conclusion, Ending, Granularity, Place, Selection, SelectionSettings, SettledTests, Since,
    Wanted,
};

/// What to watch.
#[derive(Debug)]
pub struct WatchRequest<'a> {
    /// The project's root, or the directory to work in if there is no project.
    pub root: &'a Path,
    pub state_dir: &'a Path,
    /// Given by the user; the build tool's usual command otherwise.
    pub command: Option<Vec<String>>,
    pub module: Option<&'a str>,
    pub colored: bool,
    pub selection: &'a SelectionSettings,
    pub collection: Collection,
    /// Stop the build at the first red test.
    pub fail_fast: bool,
    /// Also run what uses anything that changed since this revision.
    pub since: Option<&'a str>,
    /// Where evidence is shared with other machines.
    pub cache: Option<&'a CacheSettings>,
    /// How often red tests are run again.
    pub retries: u32,
    pub cancelled: &'a AtomicBool,
}

/// The root of the project around `start`, or `start` itself where there is none.
pub fn project_root(start: &Path) -> PathBuf {
    Project::discover(start).map_or_else(|_| start.to_owned(), |project| project.root().to_owned())
}

/// Runs the build and records its evidence. `show` gets the build's output as it comes. A suspect
/// that passes now is flaky, and its class is to run again.
pub(crate) fn watch_once(
    request: &WatchRequest<'_>,
    suspects: &Suspects,
    show: impl FnMut(Stream, &[u8]),
) -> Result<WatchedRun, WorkflowError> {
    let project = Project::discover(request.root);
    let command = command_of(request, &project)?;
    // Opened before the build, so that a store that cannot be written costs no build.
    let mut store = Store::open(request.state_dir)?;
    let mut notices: Vec<Notice> = store.notice().map(store_notice).into_iter().collect();

    let clock = Instant::now();
    let place = Place {
        root: request.root,
        state_dir: request.state_dir,
        project: project.as_ref().ok(),
        command: &request.selection.way_to_run(&command.to_string()),
    };
    let settings = SelectionSettings {
        audit: request.selection.statically.is_none()
            && (request.selection.audit
                || request.selection.wanted != Wanted::Outdated
                    && audit_is_due(next_run(&store)?, request.selection.audit_every)),
        ..request.selection.clone()
    };
    let since = (request.since)
        .map(|revision| Since::revision(request.root, revision))
        .transpose()?
        .filter(|since| !since.is_empty());
    if since.is_none()
        && let Some(settled) = Selection::nothing_changed(&store, &place, &settings)?
    {
        return Ok(settled_run(&settled, millis_since(clock), notices));
    }
    if let Some(revision) = settings
        .statically
        .as_ref()
        .and_then(|how| how.since.as_deref())
    {
        jury_history::resolve(request.root, revision)?;
    }
    let mut selection = Selection::open(&store, &place, &settings)?;
    let collected = (request.collection).is_due(next_run(&store)?, selection.knows_something());
    if let Some(since) = since {
        selection.run_since(since);
    }
    if let Some(cache) = request.cache {
        selection.share(Cache::open(cache.clone())?);
    }
    let selection = Arc::new(Mutex::new(selection));
    let counsel = Arc::clone(&selection);
    let collect = collected.then(|| Collect {
        root: request.root.display().to_string(),
        by_method: settings.granularity.collected() == Granularity::Method,
    });
    let installation = Installation::prepare(&cache_directory()?)?;
    let mut args = command.all_args();
    if command.is_gradle() {
        let script = installation.gradle_script().display().to_string();
        args.extend(["--init-script".to_owned(), script]);
    }
    let keep = settings.keep_in_process;
    let observation = Observation::prepare(installation, collect, keep, move |ask, launch| {
        match counsel.lock() {
            Ok(mut selection) => selection.answer(&ask, launch.as_ref()),
            // A question that broke it off before gets no better answer now: run everything.
            Err(_) => Answer::default(),
        }
    })?;
    // Before the build, which may leave files of its own.
    let revision = jury_history::pure_head(request.root);
    let started_at = SystemTime::now();
    let clock = Instant::now();
    let status = run_build(
        Build {
            program: &command.program,
            arguments: &args,
            directory: request.root,
            variables: &command.variables(),
        },
        &observation,
        request.cancelled,
        request.fail_fast,
        show,
    )?;
    let build_millis = millis_since(clock);
    let own_clock = Instant::now();

    let mut evidence = observation.evidence()?;
    let cancelled = request.cancelled.load(Ordering::Relaxed);
    let stopped = request.fail_fast && observation.is_red();
    let interrupted = cancelled || stopped;
    if interrupted {
        // What was running when we stopped its JVM did not crash.
        for jvm in &mut evidence {
            jvm.tests.retain(|seen| seen.outcome != Outcome::Crashed);
        }
    }
    let modules: Vec<String> = evidence
        .iter()
        .map(|jvm| module_of(project.as_ref().ok(), request.root, jvm))
        .collect();
    notices.extend(evidence.iter().flat_map(troubles));
    let module_at = |directory: &str| match project.as_ref() {
        Ok(project) => project.module_of(Path::new(directory)),
        Err(_) => directory.to_owned(),
    };
    notices.extend(in_process_notices(&evidence, keep, module_at));
    let mut run = summarise(&evidence, &modules);
    let reports = project
        .as_ref()
        .map(|project| project.surefire_reports_since(started_at));
    run.exit = if cancelled {
        Exit::Interrupted
    } else {
        verdict(&run, status)
    };
    let (dependencies, conclusion) = selection
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .conclude(
            &evidence,
            &modules,
            Ending {
                interrupted,
                succeeded: status.success(),
                collected,
                suspects: &suspects.units(),
            },
        );
    notices.extend(conclusion.notices.iter().cloned());
    run.selected = selected(conclusion, collected);
    let left_out = run.selected.left_out_classes + run.selected.left_out_methods;
    let chosen_from = left_out + run.selected.deselected.len();
    if run.counts.total() == 0 && chosen_from == 0 && !interrupted {
        let (exit, notice) = explain_silence(
            status,
            reports.ok().as_ref(),
            command.is_gradle(),
            java_home_fault,
        );
        run.exit = exit;
        notices.push(notice);
    } else if !run.selected.misses.is_empty() {
        run.exit = Exit::Findings;
    } else if run.exit == Exit::Broken {
        notices.push(Notice::with_hint(
            format!("the build ended with {status} although no test is red"),
            "its output above says why",
        ));
    }
    if stopped {
        notices.push(Notice::new(
            "the build was stopped at the first red test; what else ran is not relied on",
        ));
    }
    run.notices = notices;
    run.build_status = status.to_string();
    run.build_millis = build_millis;
    if settings.wanted == Wanted::Outdated {
        if interrupted {
            // What is known is worth more than half of what is new.
            return Ok(run);
        }
        if run.exit == Exit::Findings {
            run.exit = Exit::Clean;
        }
    }

    let jdk = evidence
        .iter()
        .find_map(|jvm| jvm.launch.as_ref())
        .map(|launch| launch.java_version.clone())
        .unwrap_or_default();
    let unstable: Vec<_> = (evidence.iter().zip(&modules))
        .flat_map(|(jvm, module)| jvm.tests.iter().map(move |seen| (module, seen)))
        .filter(|(module, seen)| {
            !seen.outcome.is_red() && suspects.contains(module, &seen.test.label())
        })
        .map(|(module, seen)| (module.clone(), seen.test.id.clone()))
        .collect();
    let mut jvms: Vec<_> = evidence.into_iter().zip(modules).map(stored).collect();
    mark_jvms_per_class(&mut jvms);
    let new_run = NewRun {
        root: request.root.to_owned(),
        command: command.to_string(),
        started_at,
        ended_at: SystemTime::now(),
        build_status: Some(build_status(status)),
        jdk,
        revision,
        note: match (cancelled, stopped) {
            (true, _) => "interrupted".to_owned(),
            (false, true) => "stopped at the first red test".to_owned(),
            (false, false) => String::new(),
        },
        jvms,
    };
    let recorded = store.record_run_with(&new_run, Some(&dependencies))?;
    store.mark_unstable(recorded, &unstable)?;
    let mut selection = selection.lock().unwrap_or_else(PoisonError::into_inner);
    if !interrupted {
        selection.publish();
    }
    run.notices.extend(selection.shared_notices());
    run.own_millis = millis_since(own_clock);
    Ok(run)
}

pub(crate) fn command_of(
    request: &WatchRequest<'_>,
    project: &Result<Project, ProjectError>,
) -> Result<TestCommand, WorkflowError> {
    match &request.command {
        Some(words) => Ok(given_command(words)),
        None => Ok((project.as_ref().map_err(Clone::clone)?)
            .test_command(request.module, request.colored)?),
    }
}

fn next_run(store: &Store) -> Result<i64, WorkflowError> {
    Ok(store.last_run()?.map_or(1, |run| run.id.number() + 1))
}

/// Whether this run is an n-th one.
fn audit_is_due(run: i64, every: Option<u32>) -> bool {
    every.is_some_and(|every| run % i64::from(every) == 0)
}

pub(crate) fn given_command(words: &[String]) -> TestCommand {
    let (program, args) = words
        .split_first()
        .map_or_else(Default::default, |(program, args)| {
            (program.clone(), args.to_vec())
        });
    TestCommand {
        program,
        args,
        colouring: None,
    }
}

/// The module a test JVM worked for: build tools tell it by the base directory they set, or by the
/// directory they start the JVM in.
fn module_of(project: Option<&Project>, root: &Path, jvm: &JvmEvidence) -> String {
    let directory = jvm
        .properties
        .get("basedir")
        .map(String::as_str)
        .or_else(|| {
            jvm.launch
                .as_ref()
                .map(|launch| launch.working_directory.as_str())
        });
    match (project, directory) {
        (Some(project), Some(directory)) => project.module_of(Path::new(directory)),
        (None, Some(directory)) if Path::new(directory) != root => directory.to_owned(),
        _ => ".".to_owned(),
    }
}

fn summarise(evidence: &[JvmEvidence], modules: &[String]) -> WatchedRun {
    let mut jvms: BTreeMap<LaunchedBy, usize> = BTreeMap::new();
    let mut by_module: BTreeMap<String, Counts> = BTreeMap::new();
    let mut counts = Counts::default();
    let mut red = Vec::new();
    for (jvm, module) in evidence.iter().zip(modules) {
        if jvm.tests.is_empty() && jvm.container_failures.is_empty() {
            continue;
        }
        if let Some(launch) = &jvm.launch {
            *jvms.entry(launch.launched_by).or_default() += 1;
        }
        let module_counts = by_module.entry(module.clone()).or_default();
        for seen in &jvm.tests {
            counts.add(seen.outcome);
            module_counts.add(seen.outcome);
            if seen.outcome.is_red() {
                red.push(RedTest {
                    module: module.clone(),
                    label: seen.test.label(),
                    outcome: seen.outcome,
                    failure: seen.failure.clone(),
                });
            }
        }
        for container in &jvm.container_failures {
            counts.add(Outcome::Failed);
            module_counts.add(Outcome::Failed);
            red.push(RedTest {
                module: module.clone(),
                label: container.class.clone(),
                outcome: Outcome::Failed,
                failure: Some(container.failure.clone()),
            });
        }
    }
    WatchedRun {
        exit: Exit::Clean,
        build_status: String::new(),
        counts,
        modules: by_module,
        jvms,
        red,
        flaky: Vec::new(),
        attempts: 1,
        selected: Selected::default(),
        notices: Vec::new(),
        build_millis: 0,
        own_millis: 0,
        total_millis: 0,
    }
}

/// How many whole classes units stand for, and how many are methods of classes that `others` share.
fn classes_and_methods<'u>(
    units: impl Iterator<Item = &'u UnitName>,
    others: impl Iterator<Item = &'u UnitName>,
) -> (usize, usize) {
    let class = |name: &'u UnitName| (name.module.as_str(), name.outermost_class());
    let shared: BTreeSet<_> = others.map(class).collect();
    let mut classes = BTreeSet::new();
    let mut methods = 0;
    for name in units {
        if name.method.is_some() && shared.contains(&class(name)) {
            methods += 1;
        } else {
            classes.insert(class(name));
        }
    }
    (classes.len(), methods)
}

fn selected(conclusion: Conclusion, collected: bool) -> Selected {
    let (left_out_classes, left_out_methods) =
        classes_and_methods(conclusion.left_out.keys(), conclusion.run.keys());
    let affected = |name: &&UnitName| !conclusion.audited.contains_key(name);
    let (audited_classes, audited_methods) = classes_and_methods(
        conclusion.audited.keys(),
        conclusion.run.keys().filter(affected),
    );
    let mut counts = Counts::default();
    conclusion
        .left_out
        .values()
        .for_each(|own| counts.add_all(own));
    Selected {
        build_started: true,
        collected,
        run: (conclusion.run.into_iter())
            .map(|(unit, reasons)| RunUnit { unit, reasons })
            .collect(),
        left_out_classes,
        left_out_methods,
        left_out: conclusion.left_out.into_keys().collect(),
        left_out_tests: counts,
        deselected: conclusion.deselected.into_iter().collect(),
        audited_classes,
        audited_methods,
        chosen: conclusion.chosen,
        misses: (conclusion.audited.into_values())
            .filter(|audited| audited.known != audited.shown || !audited.otherwise.is_empty())
            .collect(),
        analysis_millis: millis(conclusion.analysis),
        collection_millis: millis(conclusion.collection),
    }
}

/// The answer where no build is needed to give it.
fn settled_run(settled: &SettledTests, analysis_millis: u64, notices: Vec<Notice>) -> WatchedRun {
    WatchedRun {
        selected: Selected {
            left_out_classes: settled.classes,
            left_out_tests: settled.counts,
            analysis_millis,
            ..Selected::default()
        },
        notices,
        ..summarise(&[], &[])
    }
}

fn verdict(run: &WatchedRun, status: ExitStatus) -> Exit {
    match (run.counts.red(), status.success()) {
        (0, true) => Exit::Clean,
        (0, false) => Exit::Broken,
        // A build that ignores failures still has failing tests.
        (_, _) => Exit::Findings,
    }
}

/// Why no test was seen: there are none, they ran where the agent was not, or the build failed
/// before it came to them.
fn explain_silence(
    status: ExitStatus,
    reports: Option<&ReportSummary>,
    is_gradle: bool,
    java_home: impl FnOnce() -> Option<JavaHomeFault>,
) -> (Exit, Notice) {
    if let Some(reports) = reports.filter(|reports| reports.tests > 0) {
        return (
            Exit::Broken,
            Notice::with_hint(
                format!(
                    "the build reports {} tests, but none ran in a JVM of their own",
                    reports.tests
                ),
                match is_gradle {
                    true => {
                        "a daemon from before may keep Jury out of its workers; \
                         stop it (`gradle --stop`) or pass `--no-daemon`"
                    }
                    false => {
                        "tests inside the build tool's JVM cannot be watched; \
                         have the build fork one for them"
                    }
                },
            ),
        );
    }
    if status.success() {
        let notice = Notice::with_hint(
            "the build ran no tests",
            "if it should have, pass the command that runs them: `jury test -- mvn verify`; \
             a build tool that reuses earlier results must be told to run them again",
        );
        return (Exit::Clean, notice);
    }
    if let Some(fault) = java_home() {
        let found = format!("the build ended with {status} before any test ran; {fault}");
        return (Exit::Broken, Notice::with_hint(found, fault.hint()));
    }
    let notice = Notice::with_hint(
        format!("the build ended with {status} before any test ran"),
        "its output above says why; without `jury`, the same command should end alike",
    );
    (Exit::Broken, notice)
}

fn store_notice(notice: &OpenNotice) -> Notice {
    match notice {
        OpenNotice::Damaged { kept_as } => Notice::with_hint(
            format!(
                "the stored evidence was damaged and is kept as `{}`",
                kept_as.display()
            ),
            "this run learns anew; the file can be deleted",
        ),
    }
}

fn troubles(jvm: &JvmEvidence) -> impl Iterator<Item = Notice> {
    let pid = jvm
        .launch
        .as_ref()
        .map(|launch| format!(" in process {}", launch.pid));
    jvm.troubles.iter().map(move |trouble| {
        Notice::new(format!(
            "Jury's agent{}: {trouble}",
            pid.clone().unwrap_or_default()
        ))
    })
}

/// Says which tests the build would run inside Maven, and where they ran instead, if anywhere.
fn in_process_notices(
    evidence: &[JvmEvidence],
    kept: bool,
    module_at: impl Fn(&str) -> String,
) -> impl Iterator<Item = Notice> {
    let named = |wanted: bool| {
        let met = evidence.iter().flat_map(|jvm| &jvm.in_process);
        let modules: BTreeSet<String> = (met.filter(|(_, forked)| **forked == wanted))
            .map(|(directory, _)| format!("`{}`", module_at(directory)))
            .collect();
        let names = modules.iter().map(String::as_str).collect::<Vec<_>>();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let forked = named(true).map(|modules| {
        Notice::with_hint(
            format!(
                "the build runs the tests of {modules} inside Maven (`forkCount` 0); \
                 under Jury they ran in a JVM of their own"
            ),
            "if a test ends in another way than in the plain build, `--keep-in-process` leaves \
             them where they are, unwatched",
        )
    });
    let inside = named(false).map(|modules| {
        Notice::with_hint(
            format!("the tests of {modules} ran inside Maven, where they cannot be watched"),
            match kept {
                true => "without `keep-in-process` they run in a JVM of their own",
                false => "this release of Surefire cannot fork a JVM of this JDK; use another one",
            },
        )
    });
    [forked, inside].into_iter().flatten()
}

fn stored((jvm, module): (JvmEvidence, String)) -> jury_store::JvmEvidence {
    jury_store::JvmEvidence {
        module,
        recipe: jvm.recipe(),
        results: jvm
            .tests
            .into_iter()
            .map(|seen| jury_store::TestResult {
                test: seen.test,
                outcome: seen.outcome,
                micros: seen.micros,
                failure: seen.failure,
            })
            .collect(),
        container_failures: jvm
            .container_failures
            .into_iter()
            .map(|failed| jury_store::ContainerFailure {
                id: failed.id,
                class: failed.class,
                failure: failed.failure,
            })
            .collect(),
    }
}

fn build_status(status: ExitStatus) -> BuildStatus {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(signal) => BuildStatus::Signalled(signal),
        None => BuildStatus::Exited(status.code().unwrap_or(-1)),
    }
}

pub(crate) fn millis_since(clock: Instant) -> u64 {
    millis(clock.elapsed())
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_nth_run_is_an_audit() {
        let due: Vec<i64> = (1..10).filter(|run| audit_is_due(*run, Some(3))).collect();
        assert_eq!(due, [3, 6, 9]);
        assert!(!audit_is_due(3, None));
    }
}
