//! What `jury mutate` tells on a terminal: the methods that nobody checks, those most worth a look
//! first, each with the body that nobody missed.

use std::fmt::Write;

use jury_mutate::{Classification, JudgedClass, JudgedMethod, Metrics, MutantVerdict, MutationRun};

use super::{BAD, FAINT, GOOD, ODD, STRONG, millis, notices, plural};

/// Findings shown before the list is cut; the first page has to be worth reading.
const FINDINGS_SHOWN: usize = 15;
/// Lines of source shown for a finding.
const EXCERPT_LINES: usize = 8;
/// Tests named for a finding.
const TESTS_SHOWN: usize = 3;

pub fn mutated(run: &MutationRun) -> String {
    let mut out = String::new();
    let findings = run.findings();
    for (ranked, class, method) in findings.iter().take(FINDINGS_SHOWN) {
        let reasons: Vec<String> = ranked.reasons.iter().map(ToString::to_string).collect();
        finding(&mut out, run, class, method, &reasons.join(", "));
    }
    if findings.len() > FINDINGS_SHOWN {
        let more = findings.len() - FINDINGS_SHOWN;
        let _ = writeln!(out, "… and {more} more (all of them with --format json)\n");
    }
    for test in &run.unreliable {
        let seen = test.seen.map_or("not found", |outcome| outcome.word());
        let _ = writeln!(
            out,
            "{ODD}unreliable{ODD:#} {}: {} in the build, now {seen}; kept out of all verdicts",
            test.label, test.recorded
        );
    }
    notices(&mut out, &run.notices);
    summary(&mut out, run, &run.metrics());
    out
}

fn finding(
    out: &mut String,
    run: &MutationRun,
    class: &JudgedClass,
    method: &JudgedMethod,
    reasons: &str,
) {
    let (style, word) = match method.result.classification() {
        Classification::PseudoTested => (BAD, "pseudo-tested"),
        _ => (ODD, "partially tested"),
    };
    let place = match (&class.source_file, method.facts.first_line) {
        (Some(file), Some(line)) => format!(" {FAINT}({file}:{line}){FAINT:#}"),
        _ => String::new(),
    };
    let id = &method.facts.id;
    let name = format!("{}#{}", id.class.replace('/', "."), id.name);
    let _ = writeln!(
        out,
        "{style}{word}{style:#} {STRONG}{name}{STRONG:#}{place}"
    );
    for (mutant, result) in method.facts.mutants.iter().zip(&method.result.extreme) {
        if result.verdict == MutantVerdict::Survived {
            let _ = writeln!(out, "    nobody notices: {}", mutant.description);
        }
    }
    let covering = method
        .result
        .extreme
        .first()
        .map_or(&[][..], |one| &one.covering[..]);
    let shown: Vec<&str> = covering
        .iter()
        .take(TESTS_SHOWN)
        .map(|id| run.labels.get(id).map_or(id.as_str(), String::as_str))
        .collect();
    let more = covering.len().saturating_sub(shown.len());
    let tail = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let _ = writeln!(
        out,
        "    {FAINT}run by {}{tail}; {reasons}{FAINT:#}",
        shown.join(", ")
    );
    excerpt(out, class, method);
    out.push('\n');
}

fn excerpt(out: &mut String, class: &JudgedClass, method: &JudgedMethod) {
    let (Some(source), Some(first), Some(last)) = (
        &class.source,
        method.facts.first_line,
        method.facts.last_line,
    ) else {
        return;
    };
    // The line table begins inside the body; the signature usually stands on the line before.
    let (first, last) = (
        usize::from(first).saturating_sub(1).max(1),
        usize::from(last),
    );
    let lines = source
        .lines()
        .enumerate()
        .skip(first - 1)
        .take(last.saturating_sub(first) + 1);
    for (index, line) in lines.take(EXCERPT_LINES) {
        let _ = writeln!(out, "    {FAINT}{:>5} |{FAINT:#} {line}", index + 1);
    }
}

fn summary(out: &mut String, run: &MutationRun, metrics: &Metrics) {
    let untested = metrics.pseudo_tested + metrics.partially_tested;
    let (style, verdict) = if untested == 0 {
        (GOOD, "all noticed")
    } else {
        (BAD, "not all noticed")
    };
    let extreme = &metrics.extreme;
    let _ = writeln!(
        out,
        "{STRONG}jury{STRONG:#} {style}{verdict}{style:#}: {} methods analysed, {} tested, \
         {} partially tested, {} pseudo-tested, {} not covered",
        metrics.under_analysis,
        metrics.tested,
        metrics.partially_tested,
        metrics.pseudo_tested,
        metrics.not_covered,
    );
    let _ = writeln!(
        out,
        "  {} mutants run by tests, {} noticed ({}){}",
        extreme.covered,
        extreme.detected,
        percent(metrics.extreme_score()),
        unusual(&[
            (extreme.timed_out, "timed out"),
            (extreme.out_of_memory, "out of memory"),
            (extreme.crashed, "crashed"),
        ]),
    );
    let _ = writeln!(
        out,
        "  {FAINT}{}, {}; covering {}, trying {}{FAINT:#}",
        plural(run.tests, "test"),
        plural(run.workers, "worker JVM"),
        millis(run.cover_millis),
        millis(run.trial_millis),
    );
}

fn percent(score: Option<f64>) -> String {
    score.map_or_else(|| "–".to_owned(), |score| format!("{:.1} %", score * 100.0))
}

fn unusual(counts: &[(u64, &str)]) -> String {
    counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!(", {count} {word}"))
        .collect()
}
