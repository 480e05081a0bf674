//! A comment for a pull request: the verdict in one line, a table of findings, the rest folded
//! away. Kept well below the length that code hosts accept.

use std::fmt::Write;

use jury_mutate::{JudgedMethod, Metrics, MutationRun, Ranked};

use super::markup::Escaped;
use super::{percent, source_path, spoken, spoken_cause, spoken_method};

/// Findings in the table.
const FINDINGS_SHOWN: usize = 20;
/// Mutants listed as new.
const NEWS_SHOWN: usize = 20;
/// Tests named for a finding.
const TESTS_SHOWN: usize = 5;

pub fn markdown(run: &MutationRun) -> String {
    let metrics = run.metrics();
    let mut out = String::new();
    let _ = writeln!(out, "### Jury: {}\n", headline(run, &metrics));
    let _ = writeln!(
        out,
        "{} of {} mutants that tests run are noticed ({}). Methods: {} tested, {} partially \
         tested, {} pseudo-tested, {} not covered.\n",
        metrics.extreme.detected,
        metrics.extreme.covered,
        percent(metrics.extreme_score()),
        metrics.tested,
        metrics.partially_tested,
        metrics.pseudo_tested,
        metrics.not_covered,
    );
    gate(&mut out, run);
    findings(&mut out, run);
    if !run.unreliable.is_empty() {
        let labels = run.unreliable.iter().map(|test| code(&test.label));
        let labels: Vec<String> = labels.collect();
        let _ = writeln!(out, "Unreliable tests, kept out: {}\n", labels.join(", "));
    }
    out
}

pub(super) fn headline(run: &MutationRun, metrics: &Metrics) -> String {
    let untested = metrics.pseudo_tested + metrics.partially_tested;
    match (run.gate.passes(), untested) {
        (Some(true), _) => "the gate is passed".to_owned(),
        (Some(false), _) => "the gate is not passed".to_owned(),
        (None, 0) => "the tests notice everything they run".to_owned(),
        (None, 1) => "one method is not fully checked".to_owned(),
        (None, count) => format!("{count} methods are not fully checked"),
    }
}

fn gate(out: &mut String, run: &MutationRun) {
    for breach in &run.gate.breaches {
        let _ = writeln!(out, "- **{}**", Escaped(&breach.to_string()));
    }
    if !run.gate.breaches.is_empty() {
        out.push('\n');
    }
    let unaccepted = run.gate.unaccepted.iter().map(|id| code(&id.to_string()));
    list(out, "Not in the baseline:", unaccepted.collect());
    let news = run
        .gate
        .comparison
        .iter()
        .flat_map(|comparison| &comparison.newly_undetected);
    let news = news.map(|new| {
        let id = code(&new.id.to_string());
        format!("{id} ({})", spoken_cause(new.cause))
    });
    list(
        out,
        "Unnoticed since the last run that passed:",
        news.collect(),
    );
}

fn list(out: &mut String, title: &str, entries: Vec<String>) {
    if entries.is_empty() {
        return;
    }
    let _ = writeln!(out, "{title}\n");
    for entry in entries.iter().take(NEWS_SHOWN) {
        let _ = writeln!(out, "- {entry}");
    }
    if entries.len() > NEWS_SHOWN {
        let _ = writeln!(out, "- … and {} more", entries.len() - NEWS_SHOWN);
    }
    out.push('\n');
}

fn findings(out: &mut String, run: &MutationRun) {
    let findings = run.findings();
    if findings.is_empty() {
        return;
    }
    out.push_str("| method | verdict | nobody notices | where |\n|---|---|---|---|\n");
    for (_, class, method) in findings.iter().take(FINDINGS_SHOWN) {
        let line = method.facts.first_line;
        let place = match line {
            Some(line) => format!("{}:{line}", source_path(class)),
            None => source_path(class),
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            code(&spoken_method(&method.facts.id)),
            spoken(method.result.classification()),
            unnoticed(method).join("<br>"),
            code(&place),
        );
    }
    out.push('\n');
    if findings.len() > FINDINGS_SHOWN {
        let _ = writeln!(out, "… and {} more.\n", findings.len() - FINDINGS_SHOWN);
    }
    out.push_str("<details><summary>Why these, and which tests run them</summary>\n\n");
    for (ranked, _, method) in findings.iter().take(FINDINGS_SHOWN) {
        details(out, run, ranked, method);
    }
    out.push_str("\n</details>\n\n");
}

fn details(out: &mut String, run: &MutationRun, ranked: &Ranked, method: &JudgedMethod) {
    let reasons: Vec<String> = ranked.reasons.iter().map(ToString::to_string).collect();
    let covering = method.covering();
    let mut tests: Vec<String> = covering
        .iter()
        .take(TESTS_SHOWN)
        .map(|test| code(run.label(test)))
        .collect();
    if covering.len() > TESTS_SHOWN {
        tests.push(format!("{} more", covering.len() - TESTS_SHOWN));
    }
    let _ = writeln!(
        out,
        "- {}: {}. Run by {}.",
        code(&spoken_method(&method.facts.id)),
        reasons.join(", "),
        tests.join(", "),
    );
}

fn unnoticed(method: &JudgedMethod) -> Vec<String> {
    let undetected: Vec<_> = method
        .result
        .undetected()
        .map(|result| &result.id)
        .collect();
    method
        .tried()
        .filter(|mutant| undetected.contains(&&mutant.result.id))
        .map(|mutant| code(mutant.description))
        .collect()
}

/// Code in running text and in table cells. As an element, because a backtick inside backticks and
/// a bar inside a cell have no escape that all hosts know.
fn code(text: &str) -> String {
    let one_line = text.replace(['\r', '\n'], " ");
    let mut safe = String::new();
    for character in Escaped(&one_line).to_string().chars() {
        match character {
            '|' | '`' | '*' | '_' | '[' | ']' | '~' | '@' | '\\' | ':' => {
                let _ = write!(safe, "&#{};", u32::from(character));
            }
            _ => safe.push(character),
        }
    }
    format!("<code>{safe}</code>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::sample::{accepted, hostile, run};

    #[test]
    fn findings_are_a_table_with_details_folded_away() {
        insta::assert_snapshot!(markdown(&run()));
    }

    #[test]
    fn with_a_baseline_news_come_first() {
        insta::assert_snapshot!(markdown(&accepted()));
    }

    #[test]
    fn hostile_names_stay_text() {
        let text = markdown(&hostile());
        assert!(!text.contains("<script"), "{text}");
        let rows = text.lines().filter(|line| line.starts_with("| <code>"));
        for row in rows {
            assert_eq!(row.matches('|').count(), 5, "{row}");
        }
    }
}
