//! What the last runs have selected, for a terminal.

use std::fmt::Write;

use jury_model::SelectionReport;

use super::{BAD, FAINT, STRONG, plural, styled};
use crate::selection::summary;

/// How many runs and how many classes are listed.
const RUNS_SHOWN: usize = 10;
const WIDTH: usize = 30;
/// How much of a commit's name is shown.
const COMMIT: usize = 10;

pub fn looked_back(report: &SelectionReport) -> String {
    let mut out = String::new();
    for unit in &report.units {
        let deed = match (unit.ran, unit.red) {
            (true, 0) => "ran     ".to_owned(),
            (true, _) => styled(BAD, "red     "),
            (false, _) => format!("{FAINT}left out{FAINT:#}"),
        };
        let (class, reason) = (unit.unit.unit(), &unit.reason);
        let _ = writeln!(out, "{deed} {class}  {FAINT}{reason}{FAINT:#}");
    }
    let first = report.runs.len().saturating_sub(RUNS_SHOWN);
    let shown = &report.runs[first..];
    let longest = shown
        .iter()
        .map(|run| run.run_micros + run.left_out_micros)
        .max()
        .unwrap_or(0);
    for run in shown {
        let wide = |micros: u64| {
            let width = (micros * WIDTH as u64).checked_div(longest);
            width.unwrap_or(0) as usize
        };
        let (ran, left_out) = (wide(run.run_micros), wide(run.left_out_micros));
        let _ = writeln!(
            out,
            "run {:<5} {}{FAINT}{}{FAINT:#}{} {} of {}{}",
            run.number,
            "█".repeat(ran),
            "░".repeat(left_out),
            " ".repeat(WIDTH.saturating_sub(ran + left_out)),
            run.run_classes,
            run.run_classes + run.left_out_classes,
            run.revision.as_deref().map_or_else(String::new, at_commit),
        );
    }
    let runs = plural(report.runs.len(), "run");
    let _ = writeln!(
        out,
        "{STRONG}jury{STRONG:#} {} {FAINT}({runs}){FAINT:#}",
        summary(report)
    );
    out
}

fn at_commit(name: &str) -> String {
    let short = name.get(..COMMIT).unwrap_or(name);
    format!("  {FAINT}{short}{FAINT:#}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::sample;

    #[test]
    fn classes_come_first_and_then_the_last_runs_as_bars() {
        let text = anstream::adapter::strip_str(&looked_back(&sample::report())).to_string();
        let bars = ["█".repeat(30), "█".repeat(10) + &"░".repeat(20)];
        assert_eq!(
            text,
            format!(
                "red      shop.TaxTests  method `shop.Tax.<of>` changed\n\
                 left out shop.TeaTests  nothing it uses has changed\n\
                 left out shop.PotTests  nothing it uses has changed\n\
                 run 1     {} 3 of 3\n\
                 run 2     {} 1 of 3  0123456789\n\
                 jury 1 of 3 test classes ran, 2 left out; 3.0 s of tests saved (66 %) (2 runs)\n",
                bars[0], bars[1]
            )
        );
    }
}
