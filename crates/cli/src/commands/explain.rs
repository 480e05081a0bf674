use std::path::Path;

use anyhow::Context;
use jury_explain::Symptom;
use jury_model::Exit;
use jury_report::{explanation, human, json, mutation};
use jury_workflows::{
    ExplainProgress, ExplainRequest, MutateProgress, MutateRequest, Stage, explain, verify,
};

use super::mutate::{mutators, settings};
use crate::args::{self, ExplainArgs, Format};
use crate::failure::Failure;
use crate::interrupt::watch_for_signals;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::settings::Place;

pub fn run(args: &ExplainArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let mutate = MutateRequest {
        root: &place.directory,
        state_dir: &place.state_dir(),
        classes: &args.classes,
        settings: &settings(&args.mutants)?,
        classic: &mutators(&args.mutants)?,
        since: None,
        shard: None,
        fresh: false,
        confirm: false,
        matrix: false,
        merge: &[],
        jobs: place.jobs(args.jobs),
        cancelled: watch_for_signals()?,
    };
    let mut progress = Progress::new(printer, "cover");
    if let Some(file) = &args.verify {
        let run = verify(&mutate, earlier(file)?, |event| show(&mut progress, event));
        progress.finish();
        let run = run?;
        printer.answer(|| human::verified(&run), || json::verified(&run))?;
        return Ok(run.exit);
    }
    let request = ExplainRequest {
        mutate,
        mutants: &args.ids,
        symptoms: &args.only,
        runs: args.runs,
        depth: args.depth,
        stage: match args.stage {
            args::Stage::Infection => Stage::Infection,
            args::Stage::Propagation => Stage::Propagation,
            args::Stage::Hints => Stage::Hints,
        },
        every_place: args.every_place,
        apply: args.apply,
    };
    let explained = explain(&request, |event| match event {
        ExplainProgress::Mutate(event) => show(&mut progress, event),
        ExplainProgress::Explaining(total) => progress.turn_to("explain", total),
        ExplainProgress::Explained => progress.advance(),
        ExplainProgress::Proving(total) => progress.turn_to("prove", total),
    });
    progress.finish();
    let (run, mutated) = explained?;
    printer.answer_in(
        || human::explained(&run),
        |format| match format {
            Format::Html => mutation::explained_html(&mutated, &run.explanations),
            Format::Markdown => explanation::markdown(&run),
            Format::Sarif => explanation::sarif(&run),
            _ => json::explained(&run),
        },
    )?;
    if run.exit == Exit::Interrupted {
        printer.say("interrupted; what was explained so far is shown");
    }
    Ok(run.exit)
}

fn show(progress: &mut Progress<'_>, event: MutateProgress) {
    match event {
        MutateProgress::Covering(total) => progress.plan(total),
        MutateProgress::Trying(total) => progress.turn_to("mutate", total),
        MutateProgress::Polling(total) => progress.turn_to("matrix", total),
        MutateProgress::Covered | MutateProgress::Tried | MutateProgress::Polled => {
            progress.advance();
        }
    }
}

fn earlier(file: &Path) -> anyhow::Result<Vec<(String, Symptom)>> {
    let text = fs_err::read_to_string(file).context("failed to read the earlier answer")?;
    json::read_explained(&text).ok_or_else(|| {
        let message = format!("`{}` is no answer of `jury explain`", file.display());
        let hint = "write one with --format json --output FILE";
        Failure::usage(message).hint(hint).into()
    })
}
