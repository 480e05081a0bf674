//! What the last runs have selected, for machines.

use jury_model::{ReportedUnit, RunFigures, SelectionReport};
use serde::Serialize;

use super::document;

pub fn looked_back(report: &SelectionReport) -> String {
    document(
        "report",
        ReportJson {
            runs: report.runs.iter().map(RunJson::from).collect(),
            units: report.units.iter().map(UnitJson::from).collect(),
        },
    )
}

#[derive(Serialize)]
struct ReportJson<'a> {
    runs: Vec<RunJson<'a>>,
    units: Vec<UnitJson<'a>>,
}

#[derive(Serialize)]
struct RunJson<'a> {
    run: i64,
    started_millis: u64,
    command: &'a str,
    revision: Option<&'a str>,
    run_classes: usize,
    left_out_classes: usize,
    red_classes: usize,
    run_micros: u64,
    left_out_micros: u64,
    millis: u64,
}

#[derive(Serialize)]
struct UnitJson<'a> {
    module: &'a str,
    class: &'a str,
    method: Option<&'a str>,
    ran: bool,
    reason: &'a str,
    tests: usize,
    red: usize,
    micros: u64,
}

impl<'a> From<&'a RunFigures> for RunJson<'a> {
    fn from(run: &'a RunFigures) -> Self {
        RunJson {
            run: run.number,
            started_millis: run.started_millis,
            command: &run.command,
            revision: run.revision.as_deref(),
            run_classes: run.run_classes,
            left_out_classes: run.left_out_classes,
            red_classes: run.red_classes,
            run_micros: run.run_micros,
            left_out_micros: run.left_out_micros,
            millis: run.millis,
        }
    }
}

impl<'a> From<&'a ReportedUnit> for UnitJson<'a> {
    fn from(unit: &'a ReportedUnit) -> Self {
        UnitJson {
            module: &unit.unit.module,
            class: &unit.unit.class,
            method: unit.unit.method.as_deref(),
            ran: unit.ran,
            reason: &unit.reason,
            tests: unit.tests,
            red: unit.red,
            micros: unit.micros,
        }
    }
}
