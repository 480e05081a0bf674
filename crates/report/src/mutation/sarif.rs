//! SARIF 2.1.0, for code scanning and editors: one result per method with something nobody
//! noticed. What the team has accepted is there too, as suppressed.

use jury_mutate::{Classification, JudgedClass, JudgedMethod, MutationRun, Ranked};
use serde::Serialize;
use serde_json::{Value, json};

use super::{declaration_line, json_text, source_path, spoken_method};

/// From this relevance on a finding is a warning, below it a note. An error would be too strong:
/// the code may be right, it is only not checked.
const WARNING_FROM: i32 = 30;

pub fn sarif(run: &MutationRun) -> String {
    let results: Vec<Finding> = run
        .findings()
        .iter()
        .map(|(ranked, class, method)| finding(run, ranked, class, method))
        .collect();
    json_text(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "Jury", "rules": RULES.map(|rule| rule.describe()) } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

struct Rule {
    classification: Classification,
    name: &'static str,
    summary: &'static str,
    help: &'static str,
}

const RULES: [Rule; 2] = [
    Rule {
        classification: Classification::PseudoTested,
        name: "PseudoTestedMethod",
        summary: "Tests run the method, but none notices when its body is gone.",
        help: "Assert something that the method returns or changes.",
    },
    Rule {
        classification: Classification::PartiallyTested,
        name: "PartiallyTestedMethod",
        summary: "Tests notice some replacements of the method's body, but not all.",
        help: "Assert what the method does in the cases that nobody noticed.",
    },
];

impl Rule {
    fn describe(&self) -> Value {
        json!({
            "id": self.classification.word(),
            "name": self.name,
            "shortDescription": { "text": self.summary },
            "help": { "text": self.help },
            "defaultConfiguration": { "level": "warning" },
        })
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    rank: f64,
    message: Value,
    locations: [Value; 1],
    partial_fingerprints: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Value>,
}

fn finding(
    run: &MutationRun,
    ranked: &Ranked,
    class: &JudgedClass,
    method: &JudgedMethod,
) -> Finding {
    let classification = method.result.classification();
    let level = if ranked.relevance >= WARNING_FROM {
        "warning"
    } else {
        "note"
    };
    let rule_index = RULES
        .iter()
        .position(|rule| rule.classification == classification);
    Finding {
        rule_id: classification.word(),
        // ok: findings are of these two classifications.
        rule_index: rule_index.unwrap_or(0),
        level,
        rank: f64::from(ranked.relevance.clamp(0, 100)),
        message: json!({ "text": message(method) }),
        locations: [location(class, method)],
        partial_fingerprints: json!({ "juryMethod/v1": method.facts.id.to_string() }),
        suppressions: suppressions(run, method),
    }
}

fn message(method: &JudgedMethod) -> String {
    let unnoticed: Vec<&str> = method
        .tried()
        .filter(|mutant| {
            method
                .result
                .undetected()
                .any(|each| each.id == mutant.result.id)
        })
        .map(|mutant| mutant.description)
        .collect();
    let tests = match method.covering().len() {
        1 => "the test that runs it does not notice".to_owned(),
        count => format!("none of the {count} tests that run it notices"),
    };
    format!(
        "{} is {}: {tests}: {}.",
        spoken_method(&method.facts.id),
        super::spoken(method.result.classification()),
        unnoticed.join("; "),
    )
}

fn location(class: &JudgedClass, method: &JudgedMethod) -> Value {
    let lines: Vec<&str> = class.source.as_deref().unwrap_or("").lines().collect();
    let first = declaration_line(&lines, method);
    let mut physical = json!({
        "artifactLocation": { "uri": uri(&source_path(class)), "uriBaseId": "%SRCROOT%" },
    });
    if let Some(first) = first {
        let last = method.facts.last_line.map_or(first, usize::from).max(first);
        physical["region"] = json!({ "startLine": first, "endLine": last });
    }
    json!({
        "physicalLocation": physical,
        "logicalLocations": [{
            "fullyQualifiedName": spoken_method(&method.facts.id),
            "kind": "function",
        }],
    })
}

fn suppressions(run: &MutationRun, method: &JudgedMethod) -> Vec<Value> {
    let Some(accepted) = &run.gate.accepted else {
        return Vec::new();
    };
    if !accepted.covers(method.result.undetected().map(|result| &result.id)) {
        return Vec::new();
    }
    let reasons = method
        .result
        .undetected()
        .filter_map(|result| accepted.reason(&result.id))
        .find(|reason| !reason.is_empty());
    vec![json!({ "kind": "external", "justification": reasons.unwrap_or("accepted") })]
}

/// A relative reference (RFC 3986): whatever is neither unreserved nor a slash is encoded.
pub(crate) fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::sample::{accepted, run};

    #[test]
    fn every_finding_is_a_result() {
        insta::assert_snapshot!(sarif(&run()));
    }

    #[test]
    fn what_sarif_requires_is_there() {
        let log: Value = serde_json::from_str(&sarif(&run())).unwrap();
        assert_eq!(log["version"], "2.1.0");
        let driver = &log["runs"][0]["tool"]["driver"];
        assert!(driver["name"].is_string());
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert!(!results.is_empty());
        for result in results {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(driver["rules"][index]["id"], result["ruleId"]);
            assert!(["warning", "note"].contains(&result["level"].as_str().unwrap()));
            assert!(result["message"]["text"].is_string());
            let place = &result["locations"][0]["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().unwrap();
            assert!(!uri.starts_with('/') && !uri.contains(' '), "{uri}");
            assert!(place["region"]["startLine"].as_u64() >= Some(1));
        }
    }

    #[test]
    fn accepted_findings_are_suppressed_with_their_reason() {
        let log: Value = serde_json::from_str(&sarif(&accepted())).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        let suppressed: Vec<&Value> = results
            .iter()
            .filter(|result| !result["suppressions"].is_null())
            .collect();
        assert_eq!(suppressed.len(), 1);
        assert_eq!(
            suppressed[0]["suppressions"][0]["justification"],
            "only logs"
        );
    }

    #[test]
    fn odd_paths_become_valid_references() {
        assert_eq!(uri("src/a b/Ünit.java"), "src/a%20b/%C3%9Cnit.java");
    }
}
