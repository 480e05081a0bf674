//! The report schema of mutation-testing-elements, version 2, for viewers and dashboards that
//! understand it. A crash and exhausted memory are both `RuntimeError` there.

use std::collections::{BTreeMap, BTreeSet};

use jury_model::TestId;
use jury_mutate::{
    Answers, JudgedClass, JudgedMethod, MutantResult, MutantVerdict, MutationRun, TriedMutant,
};
use serde::Serialize;

use super::{declaration_line, json_text, reason, source_path};

pub fn elements_json(run: &MutationRun) -> String {
    let mut files: BTreeMap<String, SourceFile<'_>> = BTreeMap::new();
    for class in &run.classes {
        let mutants: Vec<Mutant<'_>> = class
            .methods
            .iter()
            .flat_map(|method| {
                let location = location(class, method);
                method
                    .tried()
                    .map(move |mutant| mutant_entry(mutant, location))
            })
            .collect();
        if mutants.is_empty() {
            continue;
        }
        let path = source_path(class);
        let file = files.entry(path).or_insert_with_key(|path| SourceFile {
            language: language(path),
            source: class.source.as_deref().unwrap_or(""),
            mutants: Vec::new(),
        });
        file.mutants.extend(mutants);
    }
    json_text(&Report {
        schema_version: "2",
        thresholds: Bounds { high: 80, low: 60 },
        framework: Framework { name: "Jury" },
        files,
        test_files: test_files(run),
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    schema_version: &'static str,
    thresholds: Bounds,
    framework: Framework,
    files: BTreeMap<String, SourceFile<'a>>,
    test_files: BTreeMap<&'a str, TestFile<'a>>,
}

/// Where the viewer turns from red to yellow and to green.
#[derive(Serialize)]
struct Bounds {
    high: u8,
    low: u8,
}

#[derive(Serialize)]
struct Framework {
    name: &'static str,
}

#[derive(Serialize)]
struct SourceFile<'a> {
    language: &'static str,
    source: &'a str,
    mutants: Vec<Mutant<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Mutant<'a> {
    id: String,
    mutator_name: &'a str,
    description: &'a str,
    location: Location,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<String>,
    /// Known where all tests were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    tests_completed: Option<usize>,
    covered_by: Vec<&'a str>,
    killed_by: Vec<&'a str>,
}

#[derive(Clone, Copy, Serialize)]
struct Location {
    start: Position,
    end: Position,
}

/// Counted from 1.
#[derive(Clone, Copy, Serialize)]
struct Position {
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct TestFile<'a> {
    tests: Vec<Test<'a>>,
}

#[derive(Serialize)]
struct Test<'a> {
    id: &'a str,
    name: &'a str,
}

fn mutant_entry<'a>(mutant: TriedMutant<'a>, location: Location) -> Mutant<'a> {
    let result = mutant.result;
    Mutant {
        id: result.id.to_string(),
        mutator_name: &result.id.operator,
        description: mutant.description,
        location,
        status: match result.verdict {
            MutantVerdict::Killed { .. } => "Killed",
            MutantVerdict::Survived => "Survived",
            MutantVerdict::NotCovered => "NoCoverage",
            MutantVerdict::TimedOut { .. } => "Timeout",
            MutantVerdict::OutOfMemory { .. } | MutantVerdict::Crashed { .. } => "RuntimeError",
            MutantVerdict::Skipped { .. } => "Ignored",
        },
        status_reason: reason(&result.verdict),
        tests_completed: result.answers.as_ref().map(Answers::tests_run),
        covered_by: covered_by(result).into_iter().map(TestId::as_str).collect(),
        killed_by: killed_by(result).into_iter().map(TestId::as_str).collect(),
    }
}

/// The tests that run the method, or meet what it did while a class was initialised.
fn covered_by(result: &MutantResult) -> BTreeSet<&TestId> {
    let answers = result.answers.iter();
    let asked = answers.flat_map(|answers| answers.killers().chain(&answers.surviving));
    result.covering.iter().chain(asked).collect()
}

/// All that notice the mutant, as far as they were asked.
fn killed_by(result: &MutantResult) -> BTreeSet<&TestId> {
    let answers = result.answers.iter().flat_map(Answers::killers);
    answers.chain(result.verdict.noticed_by()).collect()
}

/// From the declaration to the end of the method's last line of code.
fn location(class: &JudgedClass, method: &JudgedMethod) -> Location {
    let source = class.source.as_deref().unwrap_or("");
    let lines: Vec<&str> = source.lines().collect();
    let first = declaration_line(&lines, method).unwrap_or(1);
    let last = method.facts.last_line.map_or(first, usize::from).max(first);
    let width = lines.get(last - 1).map_or(0, |line| line.chars().count());
    Location {
        start: Position {
            line: first,
            column: 1,
        },
        end: Position {
            line: last,
            column: width + 1,
        },
    }
}

fn language(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("kt") => "kotlin",
        Some("scala") => "scala",
        Some("groovy") => "groovy",
        _ => "java",
    }
}

/// Tests by class. Where their sources lie is not known, so the class stands for the file.
fn test_files(run: &MutationRun) -> BTreeMap<&str, TestFile<'_>> {
    let mut files: BTreeMap<&str, TestFile<'_>> = BTreeMap::new();
    for (id, label) in &run.labels {
        let class = label.split(['#', '[']).next().unwrap_or(label);
        let file = files
            .entry(class)
            .or_insert_with(|| TestFile { tests: Vec::new() });
        file.tests.push(Test {
            id: id.as_str(),
            name: label,
        });
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::sample::{run, with_matrix};
    use serde_json::Value;

    #[test]
    fn files_carry_their_source_and_mutants() {
        insta::assert_snapshot!(elements_json(&run()));
    }

    #[test]
    fn with_a_matrix_all_killers_are_named() {
        let report: Value = serde_json::from_str(&elements_json(&with_matrix())).unwrap();
        let mutant = &report["files"]["src/main/java/shop/Basket.java"]["mutants"][2];
        assert_eq!(mutant["status"], "Killed");
        assert_eq!(mutant["killedBy"].as_array().unwrap().len(), 2);
        assert_eq!(mutant["testsCompleted"], 2);
    }

    #[test]
    fn what_the_schema_requires_is_there() {
        let report: Value = serde_json::from_str(&elements_json(&run())).unwrap();
        assert!(report["schemaVersion"].as_str().unwrap().starts_with('2'));
        assert!(report["thresholds"]["high"].is_u64() && report["thresholds"]["low"].is_u64());
        let tests: BTreeSet<&str> = report["testFiles"]
            .as_object()
            .unwrap()
            .values()
            .flat_map(|file| file["tests"].as_array().unwrap())
            .map(|test| test["id"].as_str().unwrap())
            .collect();
        let statuses = [
            "Killed",
            "Survived",
            "NoCoverage",
            "Timeout",
            "RuntimeError",
            "Ignored",
        ];
        let mut ids = BTreeSet::new();
        for file in report["files"].as_object().unwrap().values() {
            assert!(file["language"].is_string() && file["source"].is_string());
            for mutant in file["mutants"].as_array().unwrap() {
                assert!(ids.insert(mutant["id"].as_str().unwrap()), "ids differ");
                assert!(mutant["mutatorName"].is_string());
                assert!(statuses.contains(&mutant["status"].as_str().unwrap()));
                for position in ["start", "end"] {
                    let position = &mutant["location"][position];
                    assert!(position["line"].as_u64() >= Some(1));
                    assert!(position["column"].as_u64() >= Some(1));
                }
                for test in mutant["coveredBy"].as_array().unwrap() {
                    assert!(tests.contains(test.as_str().unwrap()));
                }
            }
        }
        assert!(!ids.is_empty());
    }
}
