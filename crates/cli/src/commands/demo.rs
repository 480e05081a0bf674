//! The tour: each step says what it does, shows the command a user would type, and runs it.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Context;
use clap::Parser;
use jury_model::Exit;
use jury_workflows::unpack_demo;

use crate::args::{Cli, DemoArgs};
use crate::printer::Printer;

enum Step {
    /// A title, and what a user types after `jury`.
    Command(&'static str, &'static str),
    /// A title, a file of the sample, a piece of its text and what takes its place.
    Edit(&'static str, &'static str, &'static str, &'static str),
}

const TOUR: [Step; 8] = [
    Step::Command("Is everything here that Jury needs?", "doctor"),
    Step::Command(
        "Watch the project's own build once; no build file is edited.",
        "test",
    ),
    Step::Command(
        "Run the same tests again and again without the build tool, in warm JVMs.",
        "replay --repeat 20",
    ),
    Step::Edit(
        "Change a method. What does that concern?",
        "src/main/java/teashop/Postage.java",
        "int kilograms = (grams + 999) / 1000;",
        "int kilograms = (grams - 1) / 1000 + 1;",
    ),
    Step::Command("Run only the tests that it can affect.", "test --explain"),
    Step::Command(
        "What do the tests execute but not check? Throw method bodies away and see.",
        "mutate",
    ),
    Step::Command(
        "Why did nobody notice, and what should be asserted?",
        "explain LoyaltyCard Receipt",
    ),
    Step::Command("And now that nothing has changed any more?", "test"),
];

pub fn run(args: &DemoArgs, printer: &Printer) -> anyhow::Result<Exit> {
    let temporary;
    let project: &Path = match &args.keep {
        Some(directory) => directory,
        None => {
            temporary = tempfile::Builder::new()
                .prefix("jury-demo-")
                .tempdir()
                .context("failed to make a directory for the sample project")?;
            temporary.path()
        }
    };
    unpack_demo(project)?;
    let project = fs_err::canonicalize(project)?;
    for (number, step) in (1..).zip(&TOUR) {
        match take(number, step, &project, printer)? {
            // The sample has gaps on purpose; the tour goes well if it can show them.
            Exit::Clean | Exit::Findings => {}
            trouble => return Ok(trouble),
        }
    }
    let show = |text: &str| printer.out(text.as_bytes());
    show("\nNow in your own project: `jury test`, then `jury mutate` and `jury explain`.\n");
    if args.keep.is_some() {
        show(&format!("The sample stays in `{}`.\n", project.display()));
    }
    Ok(Exit::Clean)
}

fn take(number: usize, step: &Step, project: &Path, printer: &Printer) -> anyhow::Result<Exit> {
    let announce = |title: &str, action: &str| {
        let text = format!("\n\x1b[1m{number}. {title}\x1b[0m\n\x1b[2m{action}\x1b[0m\n");
        printer.out(text.as_bytes());
    };
    match step {
        Step::Command(title, words) => {
            announce(title, &format!("$ jury {words}"));
            let mut line: Vec<OsString> = vec!["jury".into(), "-C".into(), project.into()];
            line.extend(["--state-dir".into(), project.join(".jury").into()]);
            line.extend(words.split(' ').map(OsString::from));
            super::run(&Cli::try_parse_from(line)?, printer)
        }
        Step::Edit(title, file, from, to) => {
            announce(title, &format!("in {file}\n- {from}\n+ {to}"));
            let path = project.join(file);
            let text = fs_err::read_to_string(&path)?;
            fs_err::write(&path, text.replace(from, to))?;
            Ok(Exit::Clean)
        }
    }
}
