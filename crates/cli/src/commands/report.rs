use jury_model::Exit;
use jury_report::{human, json, selection};
use jury_workflows::look_back;

use crate::args::{Format, ReportArgs};
use crate::printer::Printer;
use crate::settings::Place;

pub fn run(args: &ReportArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let report = look_back(&place.state_dir(), args.runs)?;
    printer.answer_in(
        || human::looked_back(&report),
        |format| match format {
            Format::Html => selection::html(&report),
            Format::Markdown => selection::markdown(&report),
            _ => json::looked_back(&report),
        },
    )?;
    Ok(Exit::Clean)
}
