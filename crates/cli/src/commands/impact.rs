use std::path::PathBuf;

use jury_model::Exit;
use jury_report::{human, json};
use jury_workflows::{ImpactRequest, Since, impact};

use crate::args::{Format, ImpactArgs, ImpactPart};
use crate::printer::Printer;
use crate::settings::Place;

pub fn run(args: &ImpactArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let others: Vec<PathBuf> = args.since.iter().map(PathBuf::from).collect();
    let since = match args.since.as_slice() {
        [] => Since::LastRun,
        [word] if word == "last" => Since::LastRun,
        [word] if !others.iter().all(|path| path.exists()) => Since::Revision(word),
        _ => Since::Classes(&others),
    };
    let run = impact(&ImpactRequest {
        root: &place.directory,
        state_dir: &place.state_dir(),
        since,
        classes: &args.classes,
        with_libraries: args.libraries,
        with_graph: args.part == Some(ImpactPart::Graph),
        by_methods: args.methods,
    })?;
    let part = match args.part {
        None => human::ImpactPart::Summary,
        Some(ImpactPart::Changed) => human::ImpactPart::Changed,
        Some(ImpactPart::Impacted) => human::ImpactPart::Impacted,
        Some(ImpactPart::Tests) => human::ImpactPart::Tests,
        Some(ImpactPart::Graph) => human::ImpactPart::Graph,
    };
    printer.answer_in(
        || human::impact(&run, part),
        |format| match format {
            Format::Dot => json::dot(&run),
            _ => json::impact(&run),
        },
    )?;
    Ok(Exit::Clean)
}
