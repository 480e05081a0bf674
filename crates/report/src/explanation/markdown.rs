//! Explanations for a pull request: what is worth a look first, each with its next step; proven
//! assertions as diffs. Kept well below the length that code hosts accept.

use std::fmt::Write;

use jury_explain::{ExplainRun, Explanation, Symptom};

use super::prose;
use crate::mutation::markup::Escaped;

const SHOWN: usize = 20;

pub fn markdown(run: &ExplainRun) -> String {
    let mut out = String::new();
    let counts: Vec<String> = Symptom::ALL
        .into_iter()
        .map(|symptom| (symptom, run.count(symptom)))
        .filter(|(_, count)| *count > 0)
        .map(|(symptom, count)| format!("{count} {symptom}"))
        .collect();
    let headline = match run.explanations.len() {
        0 => "no mutant went unnoticed".to_owned(),
        1 => "why one mutant went unnoticed".to_owned(),
        many => format!("why {many} mutants went unnoticed"),
    };
    let _ = writeln!(out, "### Jury: {headline}\n");
    if !counts.is_empty() {
        let _ = writeln!(out, "{}.\n", counts.join(", "));
    }
    for explanation in run.explanations.iter().take(SHOWN) {
        entry(&mut out, explanation);
    }
    if run.explanations.len() > SHOWN {
        let _ = writeln!(out, "… and {} more.", run.explanations.len() - SHOWN);
    }
    out
}

fn entry(out: &mut String, explanation: &Explanation) {
    let subject = &explanation.subject;
    let place = match (&subject.file, subject.line) {
        (Some(file), Some(line)) => format!(" ({file}:{line})"),
        _ => String::new(),
    };
    let _ = writeln!(
        out,
        "<details><summary><b>{}</b> <code>{}#{}</code>{}: {}</summary>\n",
        explanation.symptom,
        Escaped(&subject.class),
        Escaped(&subject.method),
        Escaped(&place),
        Escaped(&subject.description),
    );
    for sentence in prose::story(explanation) {
        let _ = writeln!(out, "{}\n", text(&sentence));
    }
    if let Some(hint) = prose::hint(explanation) {
        let _ = writeln!(out, "**Next:** {}\n", text(&hint));
    }
    if let Some(diff) = prose::diff(explanation) {
        let fence = fence_for(diff);
        let _ = writeln!(out, "{fence}diff\n{}\n{fence}\n", diff.trim_end());
    }
    out.push_str("</details>\n\n");
}

/// Prose in which nothing is markup, whatever the project's values hold.
fn text(prose: &str) -> String {
    let mut text = String::new();
    for character in Escaped(prose).to_string().chars() {
        if matches!(character, '\\' | '*' | '_' | '[' | ']' | '|' | '`') {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

/// Longer than any run of backticks inside.
fn fence_for(text: &str) -> String {
    let runs = text.split(|character| character != '`').map(str::len);
    "`".repeat(runs.max().unwrap_or(0).max(2) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explanation::sample;

    #[test]
    fn each_mutant_is_folded_away_with_its_story_and_diff() {
        insta::assert_snapshot!(markdown(&sample::run()));
    }

    #[test]
    fn values_of_the_project_are_no_markup() {
        assert_eq!(text("a <b> `c` *d*"), "a &lt;b&gt; \\`c\\` \\*d\\*");
        assert_eq!(fence_for("a ```` b"), "`````");
    }
}
