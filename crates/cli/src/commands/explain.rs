use jury_model::Exit;
use jury_report::{human, json};
use jury_workflows::{ExplainProgress, ExplainRequest, MutateProgress, MutateRequest, explain};

use super::mutate::{mutators, settings};
use crate::args::ExplainArgs;
use crate::interrupt::watch_for_signals;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::settings::Place;

pub fn run(args: &ExplainArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let request = ExplainRequest {
        mutate: MutateRequest {
            root: &place.directory,
            state_dir: &place.state_dir(),
            classes: &args.classes,
            settings: &settings(&args.mutants)?,
            classic: &mutators(&args.mutants)?,
            since: None,
            shard: None,
            fresh: false,
            merge: &[],
            jobs: place.jobs(args.jobs),
            cancelled: watch_for_signals()?,
        },
        mutants: &args.ids,
        symptoms: &args.only,
        runs: args.runs,
        apply: args.apply,
    };
    let mut progress = Progress::new(printer, "cover");
    let run = explain(&request, |event| match event {
        ExplainProgress::Mutate(MutateProgress::Covering(total)) => progress.plan(total),
        ExplainProgress::Mutate(MutateProgress::Trying(total)) => progress.turn_to("mutate", total),
        ExplainProgress::Explaining(total) => progress.turn_to("explain", total),
        ExplainProgress::Proving(total) => progress.turn_to("prove", total),
        ExplainProgress::Mutate(MutateProgress::Covered | MutateProgress::Tried)
        | ExplainProgress::Explained => progress.advance(),
    });
    progress.finish();
    let run = run?;
    printer.answer(|| human::explained(&run), || json::explained(&run))?;
    if run.exit == Exit::Interrupted {
        printer.say("interrupted; what was explained so far is shown");
    }
    Ok(run.exit)
}
