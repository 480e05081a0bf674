use jury_model::Exit;
use jury_workflows::sweep;

use crate::args::CleanArgs;
use crate::printer::Printer;
use crate::settings::Place;

pub fn run(args: &CleanArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let state_dir = place.state_dir();
    let swept = sweep(&state_dir, args.cache)?;
    if swept.evidence {
        printer.say(&format!("removed `{}`", state_dir.display()));
    } else {
        printer.say("nothing was stored for this project");
    }
    if swept.bundles_in_use > 0 {
        printer.say("an unpacked agent stays, because a running jury uses it");
    }
    Ok(Exit::Clean)
}
