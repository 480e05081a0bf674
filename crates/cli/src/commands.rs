//! One file per command: settings in, workflow, answer out, exit code back.

mod clean;
mod completions;
mod demo;
mod doctor;
mod explain;
mod flaky;
mod history;
mod hook;
mod impact;
mod mutate;
mod replay;
mod report;
mod test;
mod tests;
mod why;

use std::path::PathBuf;

use anyhow::Context;
use jury_model::Exit;

use crate::args::{Cli, Command, Format, GlobalArgs};
use crate::failure::Failure;
use crate::printer::Printer;
use crate::settings::Place;

pub fn run(cli: &Cli, printer: &Printer) -> anyhow::Result<Exit> {
    let global = &cli.global;
    if !cli.command.answers_in(global.format) {
        let message = format!("this command has no answer as `{}`", global.format.word());
        let hint = if global.format == Format::Dot {
            "`jury impact graph` has; every command answers as `human` and `json`"
        } else {
            "`jury mutate` has; every command answers as `human` and `json`"
        };
        return Err(Failure::usage(message).hint(hint).into());
    }
    match &cli.command {
        Command::Test(args) => test::run(args, &place(global)?, printer),
        Command::Why(args) => why::run(args, &place(global)?, printer),
        Command::Audit(args) => test::audit(args, &place(global)?, printer),
        Command::Replay(args) => replay::run(args, &place(global)?, printer),
        Command::Flaky(args) => flaky::run(args, &place(global)?, printer),
        Command::Tests(args) => tests::run(args, &place(global)?, printer),
        Command::Mutate(args) => mutate::run(args, &place(global)?, printer),
        Command::Explain(args) => explain::run(args, &place(global)?, printer),
        Command::History(args) => history::run(args, &place(global)?, printer),
        Command::Impact(args) => impact::run(args, &place(global)?, printer),
        Command::Hook(args) => hook::run(args, &place(global)?, printer),
        Command::Report(args) => report::run(args, &place(global)?, printer),
        Command::Doctor => doctor::run(&place(global)?, printer),
        Command::Clean(args) => clean::run(args, &place(global)?, printer),
        Command::Demo(args) => demo::run(args, printer),
        Command::Completions(args) => completions::run(args, printer),
    }
}

/// Settles where to work: `-C` or the current directory, then up to the project's root.
fn place(global: &GlobalArgs) -> anyhow::Result<Place> {
    let start = match &global.directory {
        Some(directory) if directory.is_dir() => fs_err::canonicalize(directory)?,
        Some(directory) => {
            let message = format!("`{}` is not a directory", directory.display());
            return Err(Failure::usage(message).hint("check what follows -C").into());
        }
        None => current_directory()?,
    };
    Place::settle(global, &jury_workflows::project_root(&start))
}

fn current_directory() -> anyhow::Result<PathBuf> {
    std::env::current_dir().context("failed to find the current directory")
}
