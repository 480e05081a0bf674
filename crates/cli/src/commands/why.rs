use jury_model::Exit;
use jury_report::{human, json};
use jury_workflows::{ForeseeRequest, foresee};

use crate::args::WhyArgs;
use crate::printer::Printer;
use crate::settings::Place;

pub fn run(args: &WhyArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let selection = place.selection(&args.selection);
    let command = place.test_command(&args.command);
    foretell(
        &ForeseeRequest {
            root: &place.directory,
            state_dir: &place.state_dir(),
            command: command.as_deref(),
            module: None,
            patterns: &args.patterns,
            selection: &selection,
            since: None,
        },
        printer,
    )
}

/// Says what would become of test classes.
pub fn foretell(request: &ForeseeRequest<'_>, printer: &Printer) -> anyhow::Result<Exit> {
    let foresight = foresee(request)?;
    let named = !request.patterns.is_empty();
    printer.answer(
        || human::foreseen(&foresight, named),
        || json::foreseen(&foresight),
    )?;
    Ok(Exit::Clean)
}
