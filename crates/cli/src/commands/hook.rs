use jury_model::Exit;
use jury_workflows::{HookAction, HookOutcome, hook};

use crate::args::{self, HookArgs};
use crate::printer::Printer;
use crate::settings::Place;

pub fn run(args: &HookArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let action = match args.action {
        args::HookAction::Install => HookAction::Install,
        args::HookAction::Remove => HookAction::Remove,
    };
    printer.say(&match hook(&place.directory, action)? {
        HookOutcome::Installed(path) => format!("installed `{}`", path.display()),
        HookOutcome::Removed(path) => format!("removed `{}`", path.display()),
        HookOutcome::Absent => "there is no hook of Jury's to remove".to_owned(),
    });
    Ok(Exit::Clean)
}
