use jury_model::Exit;
use jury_mutate::{MutateSettings, Operator, StopReason, StopRules};
use jury_report::{human, json};
use jury_workflows::{MutateProgress, MutateRequest, mutate};

use crate::args::MutateArgs;
use crate::failure::Failure;
use crate::interrupt::watch_for_signals;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::settings::Place;

pub fn run(args: &MutateArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let settings = settings(args)?;
    let request = MutateRequest {
        root: &place.directory,
        state_dir: &place.state_dir(),
        classes: &args.classes,
        settings: &settings,
        jobs: place.jobs(args.jobs),
        cancelled: watch_for_signals()?,
    };
    let mut progress = Progress::new(printer, "cover");
    let run = mutate(&request, |event| match event {
        MutateProgress::Covering(total) => progress.plan(total),
        MutateProgress::Trying(total) => progress.turn_to("mutate", total),
        MutateProgress::Covered | MutateProgress::Tried => progress.advance(),
    });
    progress.finish();
    let run = run?;
    printer.answer(|| human::mutated(&run), || json::mutated(&run))?;
    if run.exit == Exit::Interrupted {
        printer.say("interrupted; the mutants tried so far are shown, run again for the rest");
    }
    Ok(run.exit)
}

fn settings(args: &MutateArgs) -> anyhow::Result<MutateSettings> {
    let operators = Operator::parse_list(args.operators.iter().map(String::as_str))
        .map_err(|error| Failure::usage(error.to_string()).hint("see `jury mutate --help`"))?;
    let mut settings = MutateSettings {
        operators,
        ..MutateSettings::default()
    };
    for kind in &args.include {
        if kind == "all" {
            settings.stop_rules = StopRules::none();
            continue;
        }
        let reason = StopReason::from_word(kind).filter(|reason| reason.is_switchable());
        let reason = reason.ok_or_else(|| {
            let known: Vec<&str> = StopReason::ALL
                .into_iter()
                .filter(|reason| reason.is_switchable())
                .map(StopReason::word)
                .collect();
            Failure::usage(format!("`{kind}` is no kind of method that is left out"))
                .hint(format!("known are {}, and `all`", known.join(", ")))
        })?;
        settings.stop_rules.readmit(reason);
    }
    Ok(settings)
}
