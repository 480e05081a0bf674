use jury_model::Exit;
use jury_report::{human, json};
use jury_workflows::{ForeseeRequest, SelectionSettings, foresee};

use crate::args::WhyArgs;
use crate::printer::Printer;
use crate::settings::Place;

pub fn run(args: &WhyArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let selection = place.selection(&args.selection);
    foretell(&args.patterns, &[], &selection, None, place, printer)
}

/// Says what would become of test classes; without a command, of the one that ran last.
pub fn foretell(
    patterns: &[String],
    command: &[String],
    selection: &SelectionSettings,
    since: Option<&str>,
    place: &Place,
    printer: &Printer,
) -> anyhow::Result<Exit> {
    let request = ForeseeRequest {
        root: &place.directory,
        state_dir: &place.state_dir(),
        command: (!command.is_empty()).then_some(command),
        patterns,
        selection,
        since,
    };
    let foresight = foresee(&request)?;
    let named = !patterns.is_empty();
    printer.answer(
        || human::foreseen(&foresight, named),
        || json::foreseen(&foresight),
    )?;
    Ok(Exit::Clean)
}
