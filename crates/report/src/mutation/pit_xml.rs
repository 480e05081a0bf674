//! `mutations.xml` as PIT writes it, for tools that read that. How many tests a noticed mutant
//! took is not recorded, so the attribute stands only where the number is certain.

use std::fmt::Write;

use jury_mutate::{JudgedClass, JudgedMethod, MutantVerdict, MutationRun, Standing, TriedMutant};

use super::markup::Escaped;
use super::source_name;

pub fn pit_xml(run: &MutationRun) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mutations>\n");
    for (class, method) in run.methods() {
        for mutant in method.tried() {
            mutation(&mut out, run, class, method, mutant);
        }
    }
    out.push_str("</mutations>\n");
    out
}

/// The word that PIT has for a verdict.
pub(super) fn status(verdict: &MutantVerdict) -> &'static str {
    match verdict {
        MutantVerdict::Killed { .. } => "KILLED",
        MutantVerdict::Survived => "SURVIVED",
        MutantVerdict::NotCovered => "NO_COVERAGE",
        MutantVerdict::TimedOut { .. } => "TIMED_OUT",
        MutantVerdict::OutOfMemory { .. } => "MEMORY_ERROR",
        MutantVerdict::Crashed { .. } => "RUN_ERROR",
        MutantVerdict::Skipped { .. } => "NOT_STARTED",
    }
}

/// How many tests were run against a mutant, where that is certain.
pub(super) fn tests_run(mutant: &TriedMutant<'_>) -> Option<usize> {
    match mutant.result.verdict.standing() {
        Standing::Undetected => Some(mutant.result.covering.len()),
        Standing::NotCovered | Standing::Skipped => Some(0),
        Standing::Detected => None,
    }
}

fn mutation(
    out: &mut String,
    run: &MutationRun,
    class: &JudgedClass,
    method: &JudgedMethod,
    mutant: TriedMutant<'_>,
) {
    let id = &method.facts.id;
    let verdict = &mutant.result.verdict;
    let detected = verdict.standing() == Standing::Detected;
    let tests_run = tests_run(&mutant).map_or(String::new(), |tests| {
        format!(" numberOfTestsRun='{tests}'")
    });
    let _ = write!(
        out,
        "<mutation detected='{detected}' status='{}'{tests_run}>",
        status(verdict)
    );
    let killer = verdict.noticed_by().map_or("", |test| run.label(test));
    for (tag, text) in [
        ("sourceFile", class.source_file.as_deref().unwrap_or("")),
        ("mutatedClass", &source_name(&id.class)),
        ("mutatedMethod", &id.name),
        ("methodDescription", &id.descriptor),
        ("lineNumber", &mutant.line.unwrap_or(0).to_string()),
        ("mutator", &mutant.result.id.operator),
    ] {
        element(out, tag, text);
    }
    // An extreme mutant concerns the whole body, which begins with the first instruction.
    out.push_str("<indexes><index>0</index></indexes><blocks><block>0</block></blocks>");
    element(out, "killingTest", killer);
    element(out, "description", mutant.description);
    out.push_str("</mutation>\n");
}

fn element(out: &mut String, tag: &str, text: &str) {
    let _ = if text.is_empty() {
        write!(out, "<{tag}/>")
    } else {
        write!(out, "<{tag}>{}</{tag}>", Escaped(text))
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::sample::{hostile, run};

    #[test]
    fn every_mutant_is_an_element_with_pits_words() {
        insta::assert_snapshot!(pit_xml(&run()));
    }

    #[test]
    fn hostile_names_stay_text() {
        let text = pit_xml(&hostile());
        assert!(!text.contains("<script"), "{text}");
        assert!(text.contains("&lt;script&gt;"), "{text}");
    }
}
