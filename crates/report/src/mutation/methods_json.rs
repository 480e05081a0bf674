//! One entry per method with its mutants, in the field names that Descartes made known. Methods
//! without a verdict are left out, as that format has no word for them.

use std::collections::BTreeSet;

use jury_mutate::{Classification, JudgedClass, JudgedMethod, MutationRun, Standing};
use serde::Serialize;

use super::json_text;
use super::pit_xml::{status, tests_run};

pub fn methods_json(run: &MutationRun) -> String {
    let judged = run
        .methods()
        .filter(|(_, method)| method.result.classification() != Classification::NotAnalysed);
    let operators: BTreeSet<&str> = run
        .methods()
        .flat_map(|(_, method)| &method.result.extreme)
        .map(|result| result.id.operator.as_str())
        .collect();
    json_text(&Report {
        methods: judged
            .map(|(class, method)| method_entry(run, class, method))
            .collect(),
        analysis: Analysis {
            time: run.cover_millis + run.trial_millis,
            mutators: operators.into_iter().collect(),
        },
    })
}

#[derive(Serialize)]
struct Report<'a> {
    methods: Vec<Method<'a>>,
    analysis: Analysis<'a>,
}

#[derive(Serialize)]
struct Analysis<'a> {
    time: u64,
    mutators: Vec<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Method<'a> {
    name: &'a str,
    description: &'a str,
    class: &'a str,
    package: &'a str,
    file_name: Option<&'a str>,
    line_number: Option<u16>,
    classification: &'static str,
    detected: Vec<&'a str>,
    not_detected: Vec<&'a str>,
    tests: Vec<&'a str>,
    mutations: Vec<Mutation<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Mutation<'a> {
    status: &'static str,
    mutator: &'a str,
    tests_run: Option<usize>,
    detected_by: &'a str,
    tests: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    killing_tests: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    succeeding_tests: Option<Vec<&'a str>>,
}

fn method_entry<'a>(
    run: &'a MutationRun,
    class: &'a JudgedClass,
    method: &'a JudgedMethod,
) -> Method<'a> {
    let id = &method.facts.id;
    let (package, name) = id.class.rsplit_once('/').unwrap_or(("", &id.class));
    let operators = |standing| {
        method
            .tried()
            .filter(move |mutant| mutant.result.verdict.standing() == standing)
            .map(|mutant| mutant.result.id.operator.as_str())
            .collect()
    };
    let labels = |tests: &'a [jury_model::TestId]| tests.iter().map(|test| run.label(test));
    Method {
        name: &id.name,
        description: &id.descriptor,
        class: name,
        package,
        file_name: class.source_file.as_deref(),
        line_number: method.facts.first_line,
        classification: method.result.classification().word(),
        detected: operators(Standing::Detected),
        not_detected: operators(Standing::Undetected),
        tests: labels(method.covering()).collect(),
        mutations: method
            .tried()
            .map(|mutant| Mutation {
                status: status(&mutant.result.verdict),
                mutator: &mutant.result.id.operator,
                tests_run: tests_run(&mutant),
                detected_by: match mutant.result.verdict.noticed_by() {
                    Some(test) => run.label(test),
                    None => "",
                },
                tests: labels(&mutant.result.covering).collect(),
                killing_tests: (mutant.result.answers.as_ref())
                    .map(|answers| answers.killers().map(|test| run.label(test)).collect()),
                succeeding_tests: (mutant.result.answers.as_ref())
                    .map(|answers| labels(&answers.surviving).collect()),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::sample::{run, with_matrix};

    #[test]
    fn every_judged_method_has_an_entry() {
        insta::assert_snapshot!(methods_json(&run()));
    }

    #[test]
    fn with_a_matrix_all_tests_are_named() {
        let report = methods_json(&with_matrix());
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let mutation = &report["methods"][1]["mutations"][1];
        assert_eq!(mutation["killing-tests"].as_array().unwrap().len(), 2);
        assert_eq!(mutation["succeeding-tests"].as_array().unwrap().len(), 0);
        assert_eq!(mutation["tests-run"], 2);
    }
}
