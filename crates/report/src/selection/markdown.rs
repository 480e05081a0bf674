//! What ran and what did not, for a pull request.

use std::fmt::Write;

use jury_model::SelectionReport;

use super::{spoken, summary};

/// How many units a table lists.
const LISTED: usize = 50;

pub fn markdown(report: &SelectionReport) -> String {
    let mut out = format!("### Jury: {}\n", summary(report));
    for (title, ran) in [("Ran", true), ("Left out", false)] {
        let units: Vec<_> = report.units.iter().filter(|unit| unit.ran == ran).collect();
        if units.is_empty() {
            continue;
        }
        let _ = write!(
            out,
            "\n<details><summary>{title}: {}</summary>\n\n\
             | test | why | tests | time |\n|---|---|---|---|\n",
            units.len()
        );
        for unit in units.iter().take(LISTED) {
            let red = if unit.red > 0 { " ❌" } else { "" };
            let _ = writeln!(
                out,
                "| `{}`{red} | {} | {} | {} |",
                plain(&unit.unit.unit()),
                plain(&unit.reason),
                unit.tests,
                spoken(unit.micros)
            );
        }
        if units.len() > LISTED {
            let _ = writeln!(out, "\nand {} more", units.len() - LISTED);
        }
        out.push_str("\n</details>\n");
    }
    out
}

/// Text that neither ends a cell nor begins markup.
fn plain(text: &str) -> String {
    text.replace('|', "\\|")
        .replace('<', "&lt;")
        .replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::sample;

    #[test]
    fn what_ran_comes_before_what_was_left_out() {
        assert_eq!(
            markdown(&sample::report()),
            "### Jury: 1 of 3 test classes ran, 2 left out; 3.0 s of tests saved (66 %)\n\n\
             <details><summary>Ran: 1</summary>\n\n\
             | test | why | tests | time |\n|---|---|---|---|\n\
             | `shop.TaxTests` ❌ | method `shop.Tax.&lt;of>` changed | 3 | 1.5 s |\n\n\
             </details>\n\n\
             <details><summary>Left out: 2</summary>\n\n\
             | test | why | tests | time |\n|---|---|---|---|\n\
             | `shop.TeaTests` | nothing it uses has changed | 3 | 1.5 s |\n\
             | `shop.PotTests` | nothing it uses has changed | 3 | 1.5 s |\n\n\
             </details>\n"
        );
    }
}
