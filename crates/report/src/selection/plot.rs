//! The last runs as bars: the time of tests that ran, and above it the time that was saved.

use std::fmt::Write;

use jury_model::RunFigures;

use super::spoken;

const HEIGHT: u64 = 160;
const STEP: u64 = 18;
const BAR: u64 = 12;

/// An SVG element that needs nothing from outside; empty if there is nothing to show.
pub fn plot(runs: &[RunFigures]) -> String {
    let tallest = runs
        .iter()
        .map(|run| run.run_micros + run.left_out_micros)
        .max()
        .unwrap_or(0);
    if tallest == 0 {
        return String::new();
    }
    let width = runs.len() as u64 * STEP;
    let mut out = format!(
        "<svg viewBox=\"0 0 {width} {HEIGHT}\" width=\"{width}\" height=\"{HEIGHT}\" role=\"img\" \
         aria-label=\"time of tests that ran and that were left out, run by run\">\n"
    );
    for (place, run) in (0..).zip(runs) {
        let tall = |micros: u64| u128::from(micros) * u128::from(HEIGHT) / u128::from(tallest);
        let height = u128::from(HEIGHT);
        let (ran, saved) = (tall(run.run_micros), tall(run.left_out_micros));
        let x = place * STEP + (STEP - BAR) / 2;
        let _ = write!(
            out,
            "<g><title>run {}: {} of tests ran, {} left out</title>",
            run.number,
            spoken(run.run_micros),
            spoken(run.left_out_micros)
        );
        for (word, bottom, tall) in [("ran", height, ran), ("left-out", height - ran, saved)] {
            let y = bottom - tall;
            let _ = write!(
                out,
                "<rect class=\"{word}\" x=\"{x}\" y=\"{y}\" width=\"{BAR}\" height=\"{tall}\"/>"
            );
        }
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::sample;

    #[test]
    fn every_run_is_a_bar_of_its_share() {
        let picture = plot(&sample::report().runs);
        assert_eq!(picture.matches("<g>").count(), 2);
        let whole = "<rect class=\"ran\" x=\"3\" y=\"0\" width=\"12\" height=\"160\"/>";
        let third = "<rect class=\"ran\" x=\"21\" y=\"107\" width=\"12\" height=\"53\"/>";
        let rest = "<rect class=\"left-out\" x=\"21\" y=\"1\" width=\"12\" height=\"106\"/>";
        for bar in [whole, third, rest] {
            assert!(picture.contains(bar), "{picture}");
        }
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert_eq!(plot(&[]), "");
    }
}
