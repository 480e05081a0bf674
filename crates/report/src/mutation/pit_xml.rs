//! `mutations.xml` as PIT writes it, for tools that read that; where all tests were asked, as PIT
//! writes its full matrix. How many tests a noticed mutant took is not recorded otherwise, so the
//! attribute stands only where the number is certain. `partial` is PIT's word for a report that
//! says nothing of lines without mutants.

use std::fmt::Write;

use jury_model::TestId;
use jury_mutate::{JudgedClass, JudgedMethod, MutantVerdict, MutationRun, Standing, TriedMutant};

use super::markup::Escaped;
use super::source_name;

pub fn pit_xml(run: &MutationRun) -> String {
    let mut out =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mutations partial=\"true\">\n");
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
    if let Some(answers) = &mutant.result.answers {
        return Some(answers.tests_run());
    }
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
    if run.matrix {
        let answers = mutant.result.answers.as_ref();
        let killing = answers.map_or(Vec::new(), |answers| answers.killers().collect());
        let surviving = answers.map_or(Vec::new(), |answers| answers.surviving.iter().collect());
        element(out, "killingTests", &joined(run, killing));
        element(out, "succeedingTests", &joined(run, surviving));
    } else {
        element(out, "killingTest", killer);
    }
    element(out, "description", mutant.description);
    out.push_str("</mutation>\n");
}

/// Labels as PIT separates them; one that has the separator in it would read as two.
fn joined(run: &MutationRun, tests: Vec<&TestId>) -> String {
    let labels = tests.iter().map(|test| run.label(test).replace('|', "¦"));
    labels.collect::<Vec<_>>().join("|")
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
    use crate::mutation::sample::{hostile, run, with_matrix};

    #[test]
    fn every_mutant_is_an_element_with_pits_words() {
        insta::assert_snapshot!(pit_xml(&run()));
    }

    #[test]
    fn with_a_matrix_all_tests_are_named() {
        let text = pit_xml(&with_matrix());
        let both = "<killingTests>shop.BasketTests#adds|shop.BasketTests#counts(int)[2]\
                    </killingTests><succeedingTests/>";
        assert_eq!(text.matches(both).count(), 1, "{text}");
        assert!(!text.contains("<killingTest>"), "{text}");
        let survivor = "<killingTests/><succeedingTests>shop.BasketTests#adds|";
        assert!(text.contains(survivor), "{text}");
        assert!(
            text.contains("status='KILLED' numberOfTestsRun='2'>"),
            "{text}"
        );
    }

    #[test]
    fn a_label_with_the_separator_in_it_stays_one() {
        let mut run = with_matrix();
        for label in run.labels.values_mut() {
            *label = "a.B#t[x|y]".into();
        }
        let text = pit_xml(&run);
        assert!(text.contains(">a.B#t[x¦y]|a.B#t[x¦y]<"), "{text}");
    }

    #[test]
    fn hostile_names_stay_text() {
        let text = pit_xml(&hostile());
        assert!(!text.contains("<script"), "{text}");
        assert!(text.contains("&lt;script&gt;"), "{text}");
    }
}
