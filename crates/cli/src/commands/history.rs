use jury_model::Exit;
use jury_report::{human, json};
use jury_workflows::{HistoryRequest, Thresholds, history, note_revision};

use crate::args::HistoryArgs;
use crate::printer::Printer;
use crate::settings::Place;

pub fn run(args: &HistoryArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    if args.note {
        let (commit, tests) = note_revision(&place.directory, &place.state_dir())?;
        printer.answer(
            || human::noted(&commit, tests),
            || json::noted(&commit, tests),
        )?;
        return Ok(Exit::Clean);
    }
    let run = history(&HistoryRequest {
        root: &place.directory,
        state_dir: &place.state_dir(),
        range: &args.range,
        thresholds: Thresholds {
            many_new_percent: args.many_new_tests,
            short_branch: args.short_branch,
        },
    })?;
    printer.answer(|| human::history(&run), || json::history(&run))?;
    Ok(Exit::Clean)
}
