use jury_model::Exit;
use jury_report::{human, json};
use jury_workflows::{ReplayProgress, ReplayRequest, TestQuery, replay};

use crate::args::ReplayArgs;
use crate::interrupt::watch_for_signals;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::settings::Place;

pub fn run(args: &ReplayArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let request = ReplayRequest {
        root: &place.directory,
        state_dir: &place.state_dir(),
        query: TestQuery {
            module: args.module.as_deref(),
            patterns: &args.patterns,
        },
        jobs: place.jobs(args.jobs),
        in_order: args.in_order,
        rounds: args.repeat,
        test_timeout: place.test_timeout(args.test_timeout),
        environment: &args.environment,
        cancelled: watch_for_signals()?,
    };
    let mut progress = Progress::new(printer, "replay");
    let run = replay(&request, |event| match event {
        ReplayProgress::Planned(total) => progress.plan(total),
        ReplayProgress::Finished(_) => progress.advance(),
    });
    progress.finish();
    let run = run?;
    printer.answer(|| human::replayed(&run), || json::replayed(&run))?;
    if run.exit == Exit::Interrupted {
        printer.say("interrupted; the worker JVMs are stopped, run the same command to start over");
    }
    Ok(run.exit)
}
