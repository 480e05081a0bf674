//! What was run and left out, as a page and as Markdown for a pull request.

mod html;
mod markdown;
mod plot;

pub use html::html;
pub use markdown::markdown;

use jury_model::{RunFigures, SelectionReport};

/// Time in words short enough for a table.
fn spoken(micros: u64) -> String {
    let seconds = micros as f64 / 1e6;
    match seconds {
        0.0..1.0 => format!("{:.0} ms", seconds * 1e3),
        1.0..100.0 => format!("{seconds:.1} s"),
        _ => format!("{:.0} min", seconds / 60.0),
    }
}

/// Of the time that all tests would have taken.
fn saved_percent(run: &RunFigures) -> u64 {
    let all = run.run_micros + run.left_out_micros;
    (run.left_out_micros * 100).checked_div(all).unwrap_or(0)
}

/// What was selected: classes, or methods where these were told apart.
fn noun(report: &SelectionReport) -> &'static str {
    let methods = report
        .units
        .iter()
        .filter(|unit| unit.unit.method.is_some());
    match methods.count() {
        0 => "test classes",
        count if count == report.units.len() => "test methods",
        _ => "test classes and methods",
    }
}

/// What all reports begin or end with.
pub(crate) fn summary(report: &SelectionReport) -> String {
    match report.runs.last() {
        None => "no run is known".to_owned(),
        Some(run) => format!(
            "{} of {} {} ran, {} left out; {} of tests saved ({} %)",
            run.run_classes,
            run.run_classes + run.left_out_classes,
            noun(report),
            run.left_out_classes,
            spoken(run.left_out_micros),
            saved_percent(run),
        ),
    }
}

#[cfg(test)]
pub(crate) mod sample {
    use jury_model::{ReportedUnit, RunFigures, SelectionReport, UnitName};

    fn unit(class: &str, ran: bool, reason: &str, red: usize) -> ReportedUnit {
        ReportedUnit {
            unit: UnitName::new(".", class),
            ran,
            reason: reason.into(),
            tests: 3,
            red,
            micros: 1_500_000,
        }
    }

    pub fn report() -> SelectionReport {
        let run = |number: i64, run_classes: usize| RunFigures {
            number,
            started_millis: 1_700_000_000_000 + number as u64 * 60_000,
            command: "mvn test".into(),
            revision: (number == 2).then(|| "0123456789abcdef".into()),
            run_classes,
            left_out_classes: 3 - run_classes,
            red_classes: usize::from(number == 2),
            run_micros: run_classes as u64 * 1_500_000,
            left_out_micros: (3 - run_classes) as u64 * 1_500_000,
            millis: 9_000,
        };
        SelectionReport {
            runs: vec![run(1, 3), run(2, 1)],
            units: vec![
                unit("shop.TaxTests", true, "method `shop.Tax.<of>` changed", 1),
                unit("shop.TeaTests", false, "nothing it uses has changed", 0),
                unit("shop.PotTests", false, "nothing it uses has changed", 0),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_of_the_newest_run() {
        assert_eq!(
            summary(&sample::report()),
            "1 of 3 test classes ran, 2 left out; 3.0 s of tests saved (66 %)"
        );
        assert_eq!(summary(&SelectionReport::default()), "no run is known");
    }

    #[test]
    fn methods_are_not_called_classes() {
        let mut report = sample::report();
        report.units[0].unit.method = Some("taxes".into());
        assert!(summary(&report).contains("1 of 3 test classes and methods ran"));
        for unit in &mut report.units {
            unit.unit.method = Some("taxes".into());
        }
        assert!(summary(&report).contains("1 of 3 test methods ran"));
    }

    #[test]
    fn times_are_short() {
        let spoken = [0, 999_000, 1_500_000, 99_000_000, 600_000_000].map(spoken);
        assert_eq!(spoken, ["0 ms", "999 ms", "1.5 s", "99.0 s", "10 min"]);
    }
}
