//! SARIF 2.1.0: one result for each unnoticed mutant, at its place, with the place in the test where
//! it could be seen. A symptom is a rule.

use jury_explain::{ExplainRun, Explanation, Symptom};
use serde_json::{Value, json};

use super::prose;
use crate::mutation::{json_text, sarif_uri};

pub fn sarif(run: &ExplainRun) -> String {
    let results: Vec<Value> = run.explanations.iter().map(result).collect();
    json_text(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "Jury", "rules": Symptom::ALL.map(rule) } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

fn rule(symptom: Symptom) -> Value {
    let (name, summary, help) = match symptom {
        Symptom::WeakOracle => (
            "WeakOracle",
            "A test could see the change and does not look.",
            "Add the assertion.",
        ),
        Symptom::NoPropagation => (
            "NoPropagation",
            "The change makes a difference that no test can see.",
            "Test the method from nearer by, or see whether its caller needs it.",
        ),
        Symptom::NoInfection => (
            "NoInfection",
            "The change makes no difference for the inputs of the tests.",
            "Add an input for which another outcome is right.",
        ),
        Symptom::NotReached => (
            "NotReached",
            "No test runs the code.",
            "Add a test that runs it.",
        ),
        Symptom::Infected => (
            "Infected",
            "The change makes a difference after a call.",
            "See whether a test could notice it.",
        ),
    };
    json!({
        "id": symptom.word(),
        "name": name,
        "shortDescription": { "text": summary },
        "help": { "text": help },
        "defaultConfiguration": { "level": "warning" },
    })
}

fn result(explanation: &Explanation) -> Value {
    let subject = &explanation.subject;
    let symptom = explanation.symptom;
    let mut message = format!(
        "{}#{}: {}: nobody notices. {}",
        subject.class,
        subject.method,
        subject.description,
        prose::story(explanation).join(" ")
    );
    if let Some(hint) = prose::hint(explanation) {
        message.push_str(&format!(" Next: {hint}"));
    }
    if let Some((_, assertion)) = explanation.assertion() {
        message.push_str(&format!(" {}", assertion.text));
    }
    let mut result = json!({
        "ruleId": symptom.word(),
        "ruleIndex": Symptom::ALL.iter().position(|each| *each == symptom),
        "level": match symptom {
            Symptom::WeakOracle | Symptom::NoPropagation | Symptom::Infected => "warning",
            Symptom::NoInfection | Symptom::NotReached => "note",
        },
        "message": { "text": message },
        "partialFingerprints": { "juryMutant/v1": subject.id },
    });
    if let Some(file) = &subject.file {
        result["locations"] = json!([location(file, subject.line)]);
    }
    let seen: Vec<Value> = explanation
        .exposures
        .iter()
        .filter_map(|exposure| Some(location(exposure.file.as_ref()?, exposure.line)))
        .collect();
    if !seen.is_empty() {
        result["relatedLocations"] = json!(seen);
    }
    result
}

fn location(file: &str, line: Option<u16>) -> Value {
    let mut physical = json!({
        "artifactLocation": { "uri": sarif_uri(file), "uriBaseId": "%SRCROOT%" },
    });
    if let Some(line) = line {
        physical["region"] = json!({ "startLine": line });
    }
    json!({ "physicalLocation": physical })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explanation::sample;

    #[test]
    fn a_result_lies_at_the_mutant_and_points_to_the_test() {
        let document: Value = serde_json::from_str(&sarif(&sample::run())).unwrap();
        let run = &document["runs"][0];
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), sample::run().explanations.len());
        for result in results {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(
                run["tool"]["driver"]["rules"][index]["id"],
                result["ruleId"]
            );
        }
        let place = |location: &Value| {
            let physical = &location["physicalLocation"];
            format!(
                "{}:{}",
                physical["artifactLocation"]["uri"].as_str().unwrap(),
                physical["region"]["startLine"]
            )
        };
        let weak = &results[0];
        assert_eq!(
            place(&weak["locations"][0]),
            "src/main/java/shop/Card.java:7"
        );
        assert_eq!(
            place(&weak["relatedLocations"][0]),
            "src/test/java/shop/CardTest.java:12"
        );
    }
}
