//! What `jury explain` tells on a terminal: for each unnoticed mutant what happened, in prose, and
//! the next step.

use std::fmt::Write;

use jury_explain::{ExplainRun, Explanation, Standing, Subject, Symptom, VerifyRun};

use super::{BAD, FAINT, GOOD, HINT, ODD, STRONG, millis, notices, plural};
use crate::explanation::prose;

/// Explanations shown before the list is cut.
const SHOWN: usize = 20;
/// Methods of unreached code named before the list is cut.
const UNREACHED_SHOWN: usize = 10;

pub fn explained(run: &ExplainRun) -> String {
    let mut out = String::new();
    let (unreached, reached): (Vec<&Explanation>, Vec<&Explanation>) = run
        .explanations
        .iter()
        .partition(|each| each.symptom == Symptom::NotReached);
    for explanation in reached.iter().take(SHOWN) {
        tell(&mut out, explanation);
    }
    if reached.len() > SHOWN {
        let more = reached.len() - SHOWN;
        let _ = writeln!(out, "… and {more} more (all of them with --format json)\n");
    }
    not_reached(&mut out, &unreached);
    for file in &run.applied {
        let _ = writeln!(out, "{GOOD}changed{GOOD:#} {file}");
    }
    notices(&mut out, &run.notices);
    summary(&mut out, run);
    out
}

pub fn verified(run: &VerifyRun) -> String {
    let mut out = String::new();
    for each in &run.verified {
        let (style, tail) = match &each.standing {
            Standing::Solved { by } => (GOOD, format!(" noticed by {by}")),
            Standing::Open => (BAD, String::new()),
            Standing::Gone => (FAINT, String::new()),
        };
        let word = each.standing.word();
        let _ = writeln!(
            out,
            "{style}{word}{style:#} {} {FAINT}({}){tail}{FAINT:#}",
            each.mutant, each.symptom
        );
    }
    notices(&mut out, &run.notices);
    let counts: Vec<String> = Symptom::ALL
        .into_iter()
        .map(|symptom| (symptom, run.solved(symptom)))
        .filter(|(_, (_, all))| *all > 0)
        .map(|(symptom, (solved, all))| format!("{solved} of {all} {symptom}"))
        .collect();
    let counts = if counts.is_empty() {
        "nothing was explained before".to_owned()
    } else {
        format!("solved: {}", counts.join(", "))
    };
    let _ = writeln!(out, "{STRONG}jury{STRONG:#} {counts}");
    out
}

fn tell(out: &mut String, explanation: &Explanation) {
    let subject = &explanation.subject;
    let style = match explanation.symptom {
        Symptom::WeakOracle => BAD,
        _ => ODD,
    };
    let symptom = explanation.symptom;
    let _ = writeln!(
        out,
        "{style}{symptom}{style:#} {STRONG}{}#{}{STRONG:#}{} {}",
        subject.class,
        subject.method,
        place(subject),
        subject.description,
    );
    let _ = writeln!(out, "    {FAINT}{}{FAINT:#}", prose::run_by(explanation));
    for sentence in prose::story(explanation) {
        let _ = writeln!(out, "    {sentence}");
    }
    for frame in prose::stack(explanation) {
        let at = if frame == "…" { "" } else { "at " };
        let _ = writeln!(out, "      {FAINT}{at}{frame}{FAINT:#}");
    }
    if let Some(hint) = prose::hint(explanation) {
        let _ = writeln!(out, "    {HINT}hint{HINT:#}: {hint}");
    }
    for line in prose::diff(explanation).into_iter().flat_map(str::lines) {
        let style = match line.as_bytes().first() {
            Some(b'+') => GOOD,
            Some(b'-') => BAD,
            _ => FAINT,
        };
        let _ = writeln!(out, "      {style}{line}{style:#}");
    }
    for caveat in &explanation.caveats {
        let _ = writeln!(out, "    {FAINT}note: {caveat}{FAINT:#}");
    }
    out.push('\n');
}

fn place(subject: &Subject) -> String {
    match (&subject.file, subject.line) {
        (Some(file), Some(line)) => format!(" {FAINT}({file}:{line}){FAINT:#}"),
        _ => String::new(),
    }
}

fn not_reached(out: &mut String, unreached: &[&Explanation]) {
    if unreached.is_empty() {
        return;
    }
    let _ = writeln!(out, "{ODD}not-reached{ODD:#}: no test runs these at all");
    let mut methods: Vec<(String, &Explanation)> = Vec::new();
    for explanation in unreached {
        let subject = &explanation.subject;
        let name = format!("{}#{}{}", subject.class, subject.method, place(subject));
        if methods.iter().all(|(known, _)| *known != name) {
            methods.push((name, explanation));
        }
    }
    for (name, explanation) in methods.iter().take(UNREACHED_SHOWN) {
        let hint = prose::hint(explanation).map(|hint| format!(" {FAINT}{hint}{FAINT:#}"));
        let _ = writeln!(out, "    {name}{}", hint.unwrap_or_default());
    }
    super::cut(out, methods.len(), UNREACHED_SHOWN);
    out.push('\n');
}

fn summary(out: &mut String, run: &ExplainRun) {
    let counts: Vec<String> = Symptom::ALL
        .into_iter()
        .map(|symptom| (symptom, run.count(symptom)))
        .filter(|(_, count)| *count > 0)
        .map(|(symptom, count)| format!("{count} {symptom}"))
        .collect();
    let counts = if counts.is_empty() {
        "nothing to explain".to_owned()
    } else {
        counts.join(", ")
    };
    let _ = writeln!(
        out,
        "{STRONG}jury{STRONG:#} explained {}: {counts}",
        plural(run.explanations.len(), "unnoticed mutant")
    );
    let infections: Vec<String> = run
        .infections()
        .into_iter()
        .map(|(role, count)| format!("{role} {count}"))
        .collect();
    if !infections.is_empty() {
        let _ = writeln!(out, "  differences after a call: {}", infections.join(", "));
    }
    if let (weak @ 1.., proven) = run.proven() {
        let _ = writeln!(
            out,
            "  {proven} of {weak} weak oracles with a proven assertion"
        );
        if let hidden @ 1.. = run.without_observer() {
            let _ = writeln!(
                out,
                "  {hidden} of {weak} need an accessor, or another way to be seen"
            );
        }
    }
    let _ = writeln!(out, "  {FAINT}{}{FAINT:#}", millis(run.explain_millis));
}

#[cfg(test)]
mod tests {
    use jury_explain::Symptom;

    #[test]
    fn an_infected_mutant_is_told_with_where_it_shows() {
        let mut run = crate::explanation::sample::run();
        let lost = |symptom: &Symptom| *symptom == Symptom::NoPropagation;
        run.explanations.retain(|each| lost(&each.symptom));
        run.explanations[0].symptom = Symptom::Infected;
        let told = anstream::adapter::strip_str(&super::explained(&run)).to_string();
        for part in [
            "infected shop.Card#isFull",
            "; the original gives ",
            "hint: `--stage propagation` says whether a test could see it",
            "explained 1 unnoticed mutant: 1 infected",
        ] {
            assert!(told.contains(part), "{part}\n{told}");
        }
        assert!(!told.contains("No expression in the code"), "{told}");
    }

    #[test]
    fn the_summary_says_where_differences_show() {
        let mut out = String::new();
        super::summary(&mut out, &crate::explanation::sample::run());
        assert!(
            out.contains("  differences after a call: result 1\n"),
            "{out}"
        );
    }
}
