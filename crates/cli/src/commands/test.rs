use jury_model::Exit;
use jury_report::{human, json};
use jury_workflows::{SelectionSettings, WatchRequest, note_classes, watch};

use crate::args::TestArgs;
use crate::interrupt::watch_for_signals;
use crate::printer::Printer;
use crate::settings::Place;

pub fn run(args: &TestArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let request = WatchRequest {
        root: &place.directory,
        state_dir: &place.state_dir(),
        command: place.test_command(args),
        module: args.module.as_deref(),
        colored: printer.wants_colored_build(),
        selection: &SelectionSettings {
            all: args.all,
            ..SelectionSettings::default()
        },
        cancelled: watch_for_signals()?,
    };
    let run = watch(&request, |stream, bytes| printer.pass_on(stream, bytes))?;
    if run.selected.build_started {
        // A cache: what it cannot keep is found out again.
        let _ = note_classes(&place.directory, &place.state_dir());
    }
    let explained = match args.explain {
        true => human::explained(&run),
        false => String::new(),
    };
    printer.answer(|| explained + &human::watched(&run), || json::watched(&run))?;
    if run.exit == Exit::Interrupted {
        printer.say("interrupted; what had finished is kept, `jury test` starts over");
    }
    Ok(run.exit)
}
