//! What `jury explain` tells on a terminal: for each unnoticed mutant what happened, in prose, and
//! the next step.

use std::fmt::Write;

use jury_explain::{
    ExplainRun, Explanation, Exposure, Infection, Standing, Subject, Symptom, Unvaried, VerifyRun,
};

use super::{BAD, FAINT, GOOD, HINT, ODD, STRONG, millis, notices, plural};

/// Explanations shown before the list is cut.
const SHOWN: usize = 20;
/// Methods of unreached code named before the list is cut.
const UNREACHED_SHOWN: usize = 10;
const TESTS_SHOWN: usize = 3;
const FRAMES_SHOWN: usize = 8;

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
    let _ = writeln!(out, "{STRONG}jury{STRONG:#} solved: {}", counts.join(", "));
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
    let _ = writeln!(out, "    {FAINT}{}{FAINT:#}", run_by(&explanation.tests));
    match symptom {
        Symptom::NoInfection => no_infection(out, explanation),
        Symptom::NoPropagation => no_propagation(out, explanation),
        Symptom::WeakOracle => weak_oracle(out, explanation),
        Symptom::NotReached => {}
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

fn run_by(tests: &[String]) -> String {
    let shown = tests.iter().take(TESTS_SHOWN).cloned().collect::<Vec<_>>();
    let more = match tests.len().saturating_sub(TESTS_SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let pass = if tests.len() == 1 { "passes" } else { "pass" };
    format!("run by {}{more}, which {pass}", shown.join(", "))
}

fn no_infection(out: &mut String, explanation: &Explanation) {
    let _ = writeln!(
        out,
        "    Nothing that was looked at differs after any call: the tests' inputs lead to the same \
         outcome with and without the change."
    );
    let unvaried = explanation.unvaried.iter().map(never_varied);
    let unvaried: Vec<String> = unvaried.collect();
    if !unvaried.is_empty() {
        let _ = writeln!(out, "    In all calls: {}.", unvaried.join("; "));
    }
    if let Some(test) = explanation.tests.first() {
        hint(
            out,
            &format!("copy {test} and give it an input for which another outcome is right"),
        );
    }
}

fn never_varied(unvaried: &Unvaried) -> String {
    let what = thing(&unvaried.role, unvaried.field.as_deref(), &unvaried.aspect);
    format!("{what} was {}", unvaried.value)
}

fn no_propagation(out: &mut String, explanation: &Explanation) {
    if let Some(infection) = &explanation.infection {
        infected(out, infection);
        let _ = writeln!(
            out,
            "    No expression in the code of any test that runs it shows the difference."
        );
        stack(out, infection);
    }
    match &explanation.entry_points[..] {
        [] => hint(
            out,
            "no method that a test could call leads here: is the code needed? A test needs an \
             accessible way to it",
        ),
        points => hint(
            out,
            &format!(
                "test {} with this case and assert on what it gives; or see whether its caller \
                 needs the call at all",
                points.join(" or ")
            ),
        ),
    }
}

fn infected(out: &mut String, infection: &Infection) {
    let what = thing(
        &infection.role,
        infection.field.as_deref(),
        &infection.aspect,
    );
    let _ = writeln!(
        out,
        "    In {}, after call {}, {what} is {BAD}{}{BAD:#}; the original gives {GOOD}{}{GOOD:#}.",
        infection.test, infection.call, infection.mutant, infection.original
    );
}

fn stack(out: &mut String, infection: &Infection) {
    for frame in infection.stack.iter().take(FRAMES_SHOWN) {
        let _ = writeln!(out, "      {FAINT}at {frame}{FAINT:#}");
    }
    if infection.stack.len() > FRAMES_SHOWN + 1 {
        let _ = writeln!(out, "      {FAINT}…{FAINT:#}");
    }
    if infection.stack.len() > FRAMES_SHOWN
        && let Some(last) = infection.stack.last()
    {
        let _ = writeln!(out, "      {FAINT}at {last}{FAINT:#}");
    }
}

fn weak_oracle(out: &mut String, explanation: &Explanation) {
    let shown = explanation.assertion().map(|(exposure, _)| exposure);
    let Some(exposure) = shown.or(explanation.exposures.first()) else {
        return;
    };
    exposed(out, exposure);
    if let Some(assertion) = &exposure.assertion {
        hint(out, "this compiles, passes, and fails with the mutant:");
        for line in assertion.diff.lines() {
            let style = match line.as_bytes().first() {
                Some(b'+') => GOOD,
                Some(b'-') => BAD,
                _ => FAINT,
            };
            let _ = writeln!(out, "      {style}{line}{style:#}");
        }
        return;
    }
    match (&exposure.field, &exposure.readers[..]) {
        (None, _) => hint(out, "assert it there"),
        (Some(_), []) => hint(
            out,
            "no method that the test could call reads this field: it needs an accessor, or another \
             way to be seen",
        ),
        (Some(_), readers) => hint(out, &format!("assert through {}", readers.join(" or "))),
    }
}

fn exposed(out: &mut String, exposure: &Exposure) {
    let columns = match exposure.columns {
        Some((first, last)) => format!(", columns {first}–{last}"),
        None => String::new(),
    };
    let place = match (&exposure.file, exposure.line) {
        (Some(file), Some(line)) => format!("{file}:{line}{columns}"),
        (Some(file), None) => file.clone(),
        _ => exposure.test.clone(),
    };
    let what = match (&exposure.field, exposure.aspect.as_str()) {
        (None, "value") => format!("`{}`", exposure.expression),
        (None, aspect) => format!("{} of `{}`", spoken(aspect), exposure.expression),
        (Some(field), "value") => format!("field `{field}` of `{}`", exposure.expression),
        (Some(field), aspect) => {
            format!(
                "{} of field `{field}` of `{}`",
                spoken(aspect),
                exposure.expression
            )
        }
    };
    let _ = writeln!(
        out,
        "    {place}: {what} ({}) is {BAD}{}{BAD:#}; the original gives {GOOD}{}{GOOD:#}. No \
         assertion looks at it.",
        exposure.type_name, exposure.mutant, exposure.original
    );
}

/// `the result`, `field count of the receiver`, `the size of argument 1`.
fn thing(role: &str, field: Option<&str>, aspect: &str) -> String {
    let holder = match (role, field) {
        ("exit", _) => return "the exception thrown".to_owned(),
        ("calls", _) => return "the number of calls".to_owned(),
        (role, Some(field)) => format!("field `{field}` of {}", article(role)),
        (role, None) => article(role),
    };
    match aspect {
        "value" => holder,
        aspect => format!("{} of {holder}", spoken(aspect)),
    }
}

fn article(role: &str) -> String {
    if role.starts_with("argument") {
        role.to_owned()
    } else {
        format!("the {role}")
    }
}

fn spoken(aspect: &str) -> &str {
    match aspect {
        "null" => "nullness",
        "size" => "the size",
        "length" => "the length",
        "class" => "the class",
        "times" => "the number of evaluations",
        other => other,
    }
}

fn hint(out: &mut String, text: &str) {
    let _ = writeln!(out, "    {HINT}hint{HINT:#}: {text}");
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
        let _ = write!(out, "    {name}");
        match explanation.entry_points.first() {
            Some(point) => {
                let _ = writeln!(out, " {FAINT}reach it through {point}{FAINT:#}");
            }
            None => out.push('\n'),
        }
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
    if let (weak @ 1.., proven) = run.proven() {
        let _ = writeln!(
            out,
            "  {proven} of {weak} weak oracles with a proven assertion"
        );
    }
    let _ = writeln!(out, "  {FAINT}{}{FAINT:#}", millis(run.explain_millis));
}
