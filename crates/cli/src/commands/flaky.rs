use jury_model::Exit;
use jury_report::{human, json};
use jury_workflows::{FlakyProgress, FlakyRequest, TestQuery, flaky};

use crate::args::FlakyArgs;
use crate::interrupt::watch_for_signals;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::settings::Place;

pub fn run(args: &FlakyArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let request = FlakyRequest {
        root: &place.directory,
        state_dir: &place.state_dir(),
        query: TestQuery {
            module: args.module.as_deref(),
            patterns: &args.patterns,
        },
        rounds: args.rounds as usize,
        seed: args.seed,
        isolate: args.isolate,
        jobs: args.jobs,
        test_timeout: place.test_timeout(args.test_timeout),
        cancelled: watch_for_signals()?,
    };
    let mut progress = Progress::new(printer, "rounds");
    let run = flaky(&request, |event| match event {
        FlakyProgress::Planned {
            runs,
            jvms,
            estimate,
        } => {
            printer.say(&human::about_to_rerun(runs, jvms, estimate));
            progress.plan(runs);
        }
        FlakyProgress::Ran | FlakyProgress::Settled => progress.advance(),
        FlakyProgress::Suspecting(tests) => progress.turn_to("suspects", tests),
    });
    progress.finish();
    let run = run?;
    printer.answer(|| human::reran(&run), || json::reran(&run))?;
    if run.exit == Exit::Interrupted {
        printer
            .say("interrupted; what was found is remembered, run the same command to start over");
    }
    Ok(run.exit)
}
