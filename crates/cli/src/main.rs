//! The `jury` program: arguments become settings, settings start a workflow, its result goes to
//! the printer and becomes the exit code.

use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;

mod args;
mod commands;
mod failure;
mod gate;
mod interrupt;
mod printer;
mod progress;
mod settings;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    let printer = printer::Printer::new(&cli.global);
    let exit = commands::run(&cli, &printer).unwrap_or_else(|error| {
        let (exit, notice) = failure::explain(&error);
        printer.error(&notice);
        exit
    });
    ExitCode::from(exit.code())
}
