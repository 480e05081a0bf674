//! `jury test --bypass`: the test command as it is, with nothing watched, learnt or left out.

use std::process::ExitStatus;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

use jury_jvm::{Build, run_plainly};
use jury_model::Exit;
use jury_project::Project;

use crate::WorkflowError;
use crate::watch::{WatchRequest, command_of};

/// Runs the command of the request; of the rest, only the place counts.
pub fn bypass(request: &WatchRequest<'_>) -> Result<Exit, WorkflowError> {
    let project = Project::discover(request.root);
    let command = command_of(request, &project)?;
    let started_at = SystemTime::now();
    let build = Build {
        program: &command.program,
        arguments: &command.all_args(),
        directory: request.root,
        variables: &command.variables(),
    };
    let status = run_plainly(build, request.cancelled)?;
    if request.cancelled.load(Ordering::Relaxed) {
        return Ok(Exit::Interrupted);
    }
    let reports = project.map(|project| project.surefire_reports_since(started_at));
    Ok(verdict(
        status,
        reports.is_ok_and(|reports| reports.failures + reports.errors > 0),
    ))
}

/// Only reports tell red tests from a broken build.
fn verdict(status: ExitStatus, is_red: bool) -> Exit {
    match (status.success(), is_red) {
        (_, true) => Exit::Findings,
        (true, false) => Exit::Clean,
        (false, false) => Exit::Broken,
    }
}
