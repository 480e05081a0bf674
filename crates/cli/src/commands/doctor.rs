use jury_model::Exit;
use jury_report::{human, json};
use jury_workflows::{examine, verdict};

use crate::printer::Printer;
use crate::settings::Place;

pub fn run(place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let checkups = examine(&place.directory, &place.state_dir());
    printer.answer(|| human::checkups(&checkups), || json::checkups(&checkups))?;
    Ok(verdict(&checkups))
}
