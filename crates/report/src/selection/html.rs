//! One self-contained page: figures, the last runs as a plot, every test class with the reason why
//! it ran or did not. It asks nothing of the network and has no scripts. Everything that comes from
//! the project is escaped.

use std::fmt::Write;

use jury_model::{ReportedUnit, RunFigures, SelectionReport};

use super::plot::plot;
use super::{noun, saved_percent, spoken, summary};
use crate::mutation::markup::Escaped;

const STYLE: &str = concat!(
    include_str!("../mutation/html/page.css"),
    include_str!("page.css")
);

pub fn html(report: &SelectionReport) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'\">\n\
         <title>Jury: what was run</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>What was run</h1>\n<p>{}</p>\n",
        Escaped(&summary(report))
    );
    if let Some(run) = report.runs.last() {
        tiles(&mut out, run, noun(report));
    }
    let picture = plot(&report.runs);
    if !picture.is_empty() {
        let _ = write!(
            out,
            "<section>\n<h2>The last runs</h2>\n\
             <p><small>time of the tests that ran, and above it of those left out</small></p>\n\
             {picture}</section>\n"
        );
    }
    let (ran, left_out): (Vec<_>, Vec<_>) = report.units.iter().partition(|unit| unit.ran);
    table(&mut out, "Ran", &ran);
    table(&mut out, "Left out", &left_out);
    out.push_str("</body>\n</html>\n");
    out
}

fn tiles(out: &mut String, run: &RunFigures, noun: &str) {
    out.push_str("<div class=\"tiles\">\n");
    let red = match run.red_classes {
        0 => "left-out",
        _ => "red",
    };
    for (word, figure, label) in [
        ("ran", run.run_classes.to_string(), &*format!("{noun} ran")),
        ("left-out", run.left_out_classes.to_string(), "left out"),
        (red, run.red_classes.to_string(), "red"),
        ("left-out", spoken(run.left_out_micros), "of tests saved"),
        (
            "left-out",
            format!("{} %", saved_percent(run)),
            "of their time",
        ),
    ] {
        let _ = writeln!(
            out,
            "<div class=\"tile {word}\"><strong>{figure}</strong>{label}</div>"
        );
    }
    out.push_str("</div>\n");
}

fn table(out: &mut String, title: &str, units: &[&ReportedUnit]) {
    if units.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<section>\n<h2>{title} ({})</h2>\n<table>\n\
         <tr><th>test</th><th>why</th><th>tests</th><th>time</th></tr>",
        units.len()
    );
    for unit in units {
        let red = match unit.red {
            0 => String::new(),
            red => format!(" <span class=\"badge red\">{red} red</span>"),
        };
        let module = match unit.unit.module.as_str() {
            "." => String::new(),
            module => format!("<br><small>{}</small>", Escaped(module)),
        };
        let _ = writeln!(
            out,
            "<tr><td><code>{}</code>{red}{module}</td><td>{}</td>\
             <td class=\"figure\">{}</td><td class=\"figure\">{}</td></tr>",
            Escaped(&unit.unit.unit()),
            Escaped(&unit.reason),
            unit.tests,
            spoken(unit.micros),
        );
    }
    out.push_str("</table>\n</section>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::sample;

    #[test]
    fn every_class_is_there_with_its_reason_and_nothing_is_taken_for_markup() {
        let page = html(&sample::report());
        assert!(page.contains("<h2>Ran (1)</h2>"));
        assert!(page.contains("<h2>Left out (2)</h2>"));
        assert!(page.contains("<td>method `shop.Tax.&lt;of&gt;` changed</td>"));
        assert!(page.contains("<code>shop.TaxTests</code> <span class=\"badge red\">1 red</span>"));
        for outside in ["http://", "https://", "<script", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
