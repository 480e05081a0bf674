use jury_model::Exit;
use jury_report::{human, json};
use jury_workflows::{TestQuery, known_tests};

use crate::args::TestsArgs;
use crate::printer::Printer;
use crate::settings::Place;

pub fn run(args: &TestsArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let query = TestQuery {
        module: args.module.as_deref(),
        patterns: &args.patterns,
    };
    let tests = known_tests(&place.directory, &place.state_dir(), query)?;
    printer.answer(|| human::known_tests(&tests), || json::known_tests(&tests))?;
    Ok(Exit::Clean)
}
