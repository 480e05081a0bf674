use clap::CommandFactory;
use jury_model::Exit;

use crate::args::{Cli, CompletionsArgs};
use crate::printer::Printer;

pub fn run(args: &CompletionsArgs, printer: &Printer) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "jury", &mut script);
    printer.out(&script);
    Ok(Exit::Clean)
}
