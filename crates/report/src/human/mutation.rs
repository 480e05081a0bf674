//! What `jury mutate` tells on a terminal: the methods that nobody checks, those most worth a look
//! first, each with the body that nobody missed.

use std::fmt::Write;

use jury_model::{Exit, TestId};
use jury_mutate::{
    Classification, Effort, JudgedClass, JudgedMethod, Metrics, MutationRun, Redundancy, Standing,
    Tally, Unreliability, UnreliableTest,
};

use super::{BAD, FAINT, GOOD, HINT, ODD, STRONG, cut, millis, notices, plural};
use crate::mutation::{declaration_line, percent, source_name, spoken, spoken_cause};

/// Findings shown before the list is cut; the first page has to be worth reading.
const FINDINGS_SHOWN: usize = 15;
/// Lines of source shown for a finding.
const EXCERPT_LINES: usize = 8;
/// Tests named for a finding.
const TESTS_SHOWN: usize = 3;
/// Mutants named as new before the list is cut.
const NEWS_SHOWN: usize = 20;

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
    let survivors = run.surviving_points().map(|(class, mutant)| {
        let file = class.source_file.as_deref().unwrap_or(&class.name);
        let line = mutant.line.map_or(String::new(), |line| format!(":{line}"));
        let operator = &mutant.result.id.operator;
        format!("{file}{line}  {operator}: {}", mutant.description)
    });
    list(
        &mut out,
        "small changes that nobody notices",
        survivors.collect(),
    );
    for test in &run.unreliable {
        unreliable(&mut out, test);
    }
    notices(&mut out, &run.notices);
    gate(&mut out, run);
    if let Some(redundancy) = run.redundancy() {
        matrix(&mut out, run, &redundancy);
    }
    summary(&mut out, run, &run.metrics());
    out
}

/// Which tests are needed for all that is noticed.
fn matrix(out: &mut String, run: &MutationRun, redundancy: &Redundancy<'_>) {
    let Redundancy {
        noticing,
        sole,
        dispensable,
        idle,
        ..
    } = redundancy;
    let _ = writeln!(
        out,
        "{STRONG}matrix{STRONG:#}: {} of {} notice something, {} of them as the only one",
        noticing.len(),
        plural(noticing.len() + idle.len(), "test"),
        sole.len(),
    );
    for (tests, what) in [
        (
            dispensable,
            "notice nothing that the others do not notice, too",
        ),
        (idle, "run mutants and notice none"),
    ] {
        if !tests.is_empty() {
            let (count, named) = (tests.len(), some(run, tests));
            let _ = writeln!(out, "  {count} {what}: {FAINT}{named}{FAINT:#}");
        }
    }
    out.push('\n');
}

/// The first few tests by name.
fn some<'a>(run: &MutationRun, tests: impl IntoIterator<Item = &'a &'a TestId>) -> String {
    let tests: Vec<&TestId> = tests.into_iter().copied().collect();
    let shown: Vec<&str> = (tests.iter().take(TESTS_SHOWN))
        .map(|test| run.label(test))
        .collect();
    let tail = match tests.len().saturating_sub(shown.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{tail}", shown.join(", "))
}

fn unreliable(out: &mut String, test: &UnreliableTest) {
    let seen = test.seen.map_or("not found", |outcome| outcome.word());
    let (word, now) = match test.cause {
        Unreliability::KnownFlaky => ("flaky", "found by `jury flaky`".to_owned()),
        Unreliability::Flaky => ("flaky", format!("{seen} now, and otherwise in a fresh JVM")),
        Unreliability::BrokenInReplay => ("broken in replay", format!("{seen} twice without it")),
        Unreliability::Gone => ("gone", format!("{seen} now")),
    };
    let _ = writeln!(
        out,
        "{ODD}{word}{ODD:#} {}: {} in the build, {now}; kept out of all verdicts",
        test.label, test.recorded
    );
    if let Some(failure) = &test.failure {
        let message = failure.message.lines().next().unwrap_or_default();
        let _ = writeln!(out, "    {}: {message}", failure.exception);
    }
}

fn finding(
    out: &mut String,
    run: &MutationRun,
    class: &JudgedClass,
    method: &JudgedMethod,
    reasons: &str,
) {
    let classification = method.result.classification();
    let style = match classification {
        Classification::PseudoTested => BAD,
        _ => ODD,
    };
    let word = spoken(classification);
    let place = match (&class.source_file, method.facts.first_line) {
        (Some(file), Some(line)) => format!(" {FAINT}({file}:{line}){FAINT:#}"),
        _ => String::new(),
    };
    let id = &method.facts.id;
    let name = format!("{}#{}", source_name(&id.class), id.name);
    let _ = writeln!(
        out,
        "{style}{word}{style:#} {STRONG}{name}{STRONG:#}{place}"
    );
    for mutant in method.tried() {
        if mutant.result.verdict.standing() == Standing::Undetected {
            let _ = writeln!(out, "    nobody notices: {}", mutant.description);
        }
    }
    let covering: Vec<&TestId> = method.covering().iter().collect();
    let covering = some(run, &covering);
    let _ = writeln!(out, "    {FAINT}run by {covering}; {reasons}{FAINT:#}");
    excerpt(out, class, method);
    out.push('\n');
}

fn excerpt(out: &mut String, class: &JudgedClass, method: &JudgedMethod) {
    let lines: Vec<&str> = class.source.as_deref().unwrap_or("").lines().collect();
    let (Some(first), Some(last)) = (declaration_line(&lines, method), method.facts.last_line)
    else {
        return;
    };
    let shown = (first..=usize::from(last)).zip(lines.iter().skip(first - 1));
    for (number, line) in shown.take(EXCERPT_LINES) {
        let _ = writeln!(out, "    {FAINT}{number:>5} |{FAINT:#} {line}");
    }
}

/// What limits, the baseline and the last run say.
fn gate(out: &mut String, run: &MutationRun) {
    let gate = &run.gate;
    let news = gate
        .comparison
        .iter()
        .flat_map(|comparison| &comparison.newly_undetected)
        .map(|new| format!("{} {FAINT}({}){FAINT:#}", new.id, spoken_cause(new.cause)));
    list(
        out,
        "unnoticed since the last run that passed",
        news.collect(),
    );
    let unaccepted = gate.unaccepted.iter().map(ToString::to_string);
    list(out, "not in the baseline", unaccepted.collect());
    if !gate.obsolete.is_empty() {
        let _ = writeln!(
            out,
            "{ODD}note{ODD:#}: lines of the baseline that no longer apply: {}\n  \
             {HINT}hint{HINT:#}: --accept writes it anew",
            gate.obsolete.len(),
        );
    }
    for breach in &gate.breaches {
        let _ = writeln!(out, "{BAD}gate{BAD:#}: {breach}");
    }
    if !gate.unaccepted.is_empty() {
        let _ = writeln!(
            out,
            "{BAD}gate{BAD:#}: {} not in the baseline\n  \
             {HINT}hint{HINT:#}: check them in a test, or accept them with --accept",
            plural(gate.unaccepted.len(), "unnoticed mutant"),
        );
    }
    if gate.passes() == Some(true) {
        let _ = writeln!(out, "{GOOD}gate{GOOD:#}: passed");
    }
}

fn list(out: &mut String, title: &str, entries: Vec<String>) {
    if entries.is_empty() {
        return;
    }
    let _ = writeln!(out, "{STRONG}{title}{STRONG:#}:");
    for entry in entries.iter().take(NEWS_SHOWN) {
        let _ = writeln!(out, "  {entry}");
    }
    cut(out, entries.len(), NEWS_SHOWN);
    out.push('\n');
}

fn summary(out: &mut String, run: &MutationRun, metrics: &Metrics) {
    let (extreme, classic) = (&metrics.extreme, &metrics.classic);
    let untested = metrics.pseudo_tested + metrics.partially_tested;
    let (style, verdict) = if run.exit == Exit::Interrupted {
        (ODD, "interrupted, so far")
    } else if extreme.created + classic.created == 0 && run.exit == Exit::Clean {
        (GOOD, "nothing to try")
    } else if untested + classic.undetected() == 0 {
        (GOOD, "all noticed")
    } else {
        (BAD, "not all noticed")
    };
    let _ = write!(out, "{STRONG}jury{STRONG:#} {style}{verdict}{style:#}: ");
    // Methods are judged by extreme mutants only.
    if extreme.created > 0 || classic.created == 0 {
        let _ = writeln!(
            out,
            "{} analysed, {} tested, {} partially tested, {} pseudo-tested, {} not covered",
            plural(metrics.under_analysis as usize, "method"),
            metrics.tested,
            metrics.partially_tested,
            metrics.pseudo_tested,
            metrics.not_covered,
        );
        let _ = writeln!(out, "  {}", tally(extreme, "mutant"));
    }
    if classic.created > 0 {
        let indent = if extreme.created > 0 { "  " } else { "" };
        let _ = writeln!(out, "{indent}{}", tally(classic, "small change"));
    }
    let _ = writeln!(
        out,
        "  {FAINT}{}, {}; covering {}, trying {}{}{FAINT:#}",
        plural(run.tests, "test"),
        plural(run.workers, "worker JVM"),
        millis(run.cover_millis),
        millis(run.trial_millis),
        remembered(&run.effort),
    );
    if let [.., before, now] = &run.milestones[..] {
        let commit = before
            .commit
            .as_deref()
            .map(|commit| &commit[..commit.len().min(9)]);
        let _ = writeln!(
            out,
            "  {FAINT}at {}: {} of mutants unnoticed, {} pseudo-tested; now {} and {}{FAINT:#}",
            commit.unwrap_or("an earlier state"),
            percent(before.undetected_rate()),
            before.pseudo_tested,
            percent(now.undetected_rate()),
            now.pseudo_tested,
        );
    }
    if let Some(shard) = run.extent.shard {
        let _ = writeln!(
            out,
            "  only shard {shard}; `jury mutate --merge DIR…`, given the `.jury` of each, joins them"
        );
    }
}

/// What did not have to be run, because nothing it depends on has changed.
fn remembered(effort: &Effort) -> String {
    match (effort.mutants_remembered, effort.tests_remembered) {
        (0, 0) => String::new(),
        (0, tests) => format!("; what {} run is remembered", plural(tests, "test")),
        (mutants, _) => format!("; {} remembered", plural(mutants, "verdict")),
    }
}

fn tally(tally: &Tally, what: &str) -> String {
    let unusual: String = [
        (tally.timed_out, "timed out"),
        (tally.out_of_memory, "out of memory"),
        (tally.crashed, "crashed"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, word)| format!(", {count} {word}"))
    .collect();
    format!(
        "{} run by tests, {} noticed ({}){unusual}",
        plural(tally.covered as usize, what),
        tally.detected,
        percent(tally.score()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::sample::{accepted, run, with_matrix, with_points};
    use jury_mutate::{Breach, Measure, ModuleBreach};

    fn plain(run: &MutationRun) -> String {
        anstream::adapter::strip_str(&mutated(run)).to_string()
    }

    #[test]
    fn findings_come_with_the_body_that_nobody_missed() {
        insta::assert_snapshot!(plain(&run()));
    }

    #[test]
    fn with_a_matrix_redundant_tests_are_named() {
        let mut run = with_matrix();
        let text = plain(&run);
        assert!(
            text.contains("matrix: 2 of 2 tests notice something, 2 of them as the only one\n\n"),
            "{text}"
        );
        // Only what both notice is left, and what neither does.
        run.classes.truncate(1);
        let text = plain(&run);
        assert!(
            text.contains(
                "matrix: 2 of 2 tests notice something, 0 of them as the only one\n  \
                 1 notice nothing that the others do not notice, too: \
                 shop.BasketTests#counts(int)[2]\n"
            ),
            "{text}"
        );
        run.exit = Exit::Interrupted;
        assert!(!plain(&run).contains("matrix"));
    }

    #[test]
    fn small_changes_have_a_line_each() {
        let mut run = run();
        run.classes.truncate(1);
        run.classes[0].methods.truncate(1);
        with_points(&mut run.classes[0].methods[0], "sk");
        let text = plain(&run);
        assert!(text.contains(":7  math: `+` became `-`\n"), "{text}");
        assert!(
            text.contains("2 small changes run by tests, 1 noticed (50.0 %)"),
            "{text}"
        );
    }

    #[test]
    fn without_a_mutant_there_is_nothing_to_notice() {
        let mut run = run();
        run.classes.clear();
        run.exit = Exit::Clean;
        assert!(plain(&run).contains("jury nothing to try: 0 methods"));
    }

    #[test]
    fn a_run_that_was_stopped_does_not_say_that_all_was_noticed() {
        let mut run = run();
        run.classes.clear();
        run.exit = Exit::Interrupted;
        assert!(plain(&run).contains("jury interrupted, so far: 0 methods"));
    }

    #[test]
    fn the_gate_says_what_is_new_and_what_no_longer_applies() {
        let mut run = accepted();
        run.classes.clear();
        run.unreliable.clear();
        run.notices.clear();
        run.gate.breaches.push(ModuleBreach {
            module: "core".into(),
            breach: Breach {
                measure: Measure::PseudoTested,
                limit: 1.0,
                found: 2.0,
            },
        });
        insta::assert_snapshot!(plain(&run));
    }
}
