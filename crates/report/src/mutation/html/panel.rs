//! One method on the page: its verdict, what was tried, who noticed, and which tests run it.

use std::fmt::Write;

use jury_mutate::{Classification, JudgedMethod, MutationRun, Ranked, Standing, TriedMutant};

use super::Page;
use crate::explanation::html::fragment;
use crate::mutation::markup::Escaped;
use crate::mutation::{is_finding, reason, signature, spoken};

/// Readable without colour.
pub(super) fn badge(classification: Classification) -> String {
    let sign = match classification {
        Classification::PseudoTested => "✗",
        Classification::PartiallyTested => "◐",
        Classification::Tested => "✓",
        Classification::NotCovered => "○",
        Classification::NotAnalysed => "·",
    };
    format!(
        "<span class=\"badge {}\">{sign} {}</span>",
        classification.word(),
        spoken(classification)
    )
}

/// `nested` is the nested class that declares the method, if one does.
pub(super) fn panel(
    page: &Page<'_>,
    anchor: usize,
    nested: Option<&str>,
    method: &JudgedMethod,
    ranked: Option<&Ranked>,
) -> String {
    let classification = method.result.classification();
    let id = &method.facts.id;
    let name = match nested {
        Some(class) => format!("{class}.{}", id.name),
        None => id.name.clone(),
    };
    let mut out = format!(
        "<details class=\"method {word}\" id=\"m{anchor}\" data-verdict=\"{word}\"{open}>\
         <summary>{badge} <code>{name}{parameters}</code> <small>{digest}</small></summary>\n",
        word = classification.word(),
        open = if is_finding(classification) {
            " open"
        } else {
            ""
        },
        badge = badge(classification),
        name = Escaped(&name),
        parameters = Escaped(&signature::parameters(&id.descriptor)),
        digest = digest(method),
    );
    if let Some(ranked) = ranked {
        let reasons: Vec<String> = ranked.reasons.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "<p>{}</p>", Escaped(&reasons.join(", ")));
    }
    if let Some(stop) = method.facts.stop {
        let _ = writeln!(
            out,
            "<p>left out as <code>{}</code></p>",
            Escaped(stop.word())
        );
    }
    mutants(&mut out, page, method);
    tests(&mut out, page.run, method);
    out.push_str("</details>\n");
    out
}

fn digest(method: &JudgedMethod) -> String {
    let count = |standing| {
        let results = method.result.extreme.iter();
        results
            .filter(|result| result.verdict.standing() == standing)
            .count()
    };
    let (noticed, unnoticed) = (count(Standing::Detected), count(Standing::Undetected));
    match noticed + unnoticed {
        0 => String::new(),
        tried => format!("{noticed} of {tried} mutants noticed"),
    }
}

fn mutants(out: &mut String, page: &Page<'_>, method: &JudgedMethod) {
    // Small changes are too many to be listed; those that are explained are.
    let explained = |mutant: &TriedMutant<'_>| page.explanation(mutant).is_some();
    let points = method.tried_points().filter(explained);
    let mut mutants = method.tried().chain(points).peekable();
    if mutants.peek().is_none() {
        return;
    }
    out.push_str("<table><tr><th>mutant<th>verdict<th>noticed by</tr>\n");
    for mutant in mutants {
        row(out, page, &mutant);
    }
    out.push_str("</table>\n");
}

fn row(out: &mut String, page: &Page<'_>, mutant: &TriedMutant<'_>) {
    let verdict = &mutant.result.verdict;
    let test = verdict.noticed_by().map_or("", |test| page.run.label(test));
    let failure = reason(verdict).map_or(String::new(), |reason| {
        format!("<div class=\"failure\">{}</div>", Escaped(&reason))
    });
    let _ = writeln!(
        out,
        "<tr><td>{}<td class=\"{word}\">{word}<td>{}{failure}{}</tr>",
        Escaped(mutant.description),
        Escaped(test),
        others(page.run, mutant),
        word = verdict.word(),
    );
    if let Some(explanation) = page.explanation(mutant) {
        let _ = writeln!(out, "<tr><td colspan=\"3\">{}</tr>", fragment(explanation));
    }
}

/// What everybody else says, if all were asked.
fn others(run: &MutationRun, mutant: &TriedMutant<'_>) -> String {
    let Some(answers) = &mutant.result.answers else {
        return String::new();
    };
    let first = mutant.result.verdict.noticed_by();
    let killing: Vec<String> = (answers.killing.iter())
        .filter(|verdict| verdict.noticed_by() != first)
        .filter_map(|verdict| {
            let label = run.label(verdict.noticed_by()?);
            let reason = reason(verdict).unwrap_or_else(|| verdict.word().to_owned());
            let failure = format!("<div class=\"failure\">{}</div>", Escaped(&reason));
            Some(format!("{}{failure}", Escaped(label)))
        })
        .collect();
    let surviving = (answers.surviving.iter()).map(|test| Escaped(run.label(test)).to_string());
    let left_out = (answers.left_out.iter())
        .map(|(test, reason)| Escaped(&format!("{}: {reason}", run.label(test))).to_string());
    let mut out = String::new();
    if first.is_some() {
        fold(&mut out, "more notice it", &killing);
        // Of one that nobody notices, all are listed below.
        fold(&mut out, "do not", &surviving.collect::<Vec<_>>());
    }
    fold(&mut out, "left out", &left_out.collect::<Vec<_>>());
    out
}

pub(super) fn fold(out: &mut String, what: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    let count = entries.len();
    let _ = write!(
        out,
        "<details class=\"tests\"><summary>{count} {what}</summary><ul>"
    );
    for entry in entries {
        let _ = write!(out, "<li>{entry}");
    }
    out.push_str("</ul></details>");
}

fn tests(out: &mut String, run: &MutationRun, method: &JudgedMethod) {
    let covering = method.covering();
    if covering.is_empty() {
        return;
    }
    let noun = if covering.len() == 1 { "test" } else { "tests" };
    let _ = writeln!(
        out,
        "<details class=\"tests\"><summary>{} {noun} run it</summary><ul>",
        covering.len()
    );
    for test in covering {
        let _ = writeln!(out, "<li>{}", Escaped(run.label(test)));
    }
    out.push_str("</ul></details>\n");
}
