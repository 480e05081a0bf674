//! The document of `jury explain`: every unnoticed mutant with its symptom and the evidence.

use std::collections::BTreeMap;

use jury_explain::{
    Assertion, ExplainRun, Explanation, Exposure, Gaps, Infection, Standing, Symptom, Trigger,
    Unvaried, VerifyRun,
};
use serde::{Deserialize, Serialize};

use super::{NoticeJson, document};

pub fn explained(run: &ExplainRun) -> String {
    let (weak_oracles, proven_assertions) = run.proven();
    document(
        "explain",
        ExplainJson {
            exit_code: run.exit.code(),
            counts: CountsJson {
                weak_oracle: run.count(Symptom::WeakOracle),
                no_propagation: run.count(Symptom::NoPropagation),
                no_infection: run.count(Symptom::NoInfection),
                not_reached: run.count(Symptom::NotReached),
                infected: run.count(Symptom::Infected),
            },
            infections: run.infections(),
            weak_oracles,
            proven_assertions,
            without_observer: run.without_observer(),
            explanations: run.explanations.iter().map(ExplanationJson::from).collect(),
            applied: &run.applied,
            notices: run.notices.iter().map(NoticeJson::from).collect(),
            runs: run.runs,
            explain_millis: run.explain_millis,
        },
    )
}

pub fn verified(run: &VerifyRun) -> String {
    document(
        "explain",
        VerifyJson {
            exit_code: run.exit.code(),
            verified: run
                .verified
                .iter()
                .map(|each| VerifiedJson {
                    mutant: &each.mutant,
                    symptom: each.symptom.word(),
                    standing: each.standing.word(),
                    noticed_by: match &each.standing {
                        Standing::Solved { by } => Some(by),
                        Standing::Open | Standing::Gone => None,
                    },
                })
                .collect(),
            notices: run.notices.iter().map(NoticeJson::from).collect(),
        },
    )
}

/// The mutants and symptoms of an earlier answer; none if the text is no such answer.
pub fn read_explained(text: &str) -> Option<Vec<(String, Symptom)>> {
    let answer: EarlierJson = serde_json::from_str(text).ok()?;
    let earlier = answer.explanations.into_iter();
    earlier
        .map(|each| Some((each.mutant, each.symptom.parse().ok()?)))
        .collect()
}

#[derive(Deserialize)]
struct EarlierJson {
    explanations: Vec<EarlierExplanationJson>,
}

#[derive(Deserialize)]
struct EarlierExplanationJson {
    mutant: String,
    symptom: String,
}

#[derive(Serialize)]
struct VerifyJson<'a> {
    exit_code: u8,
    verified: Vec<VerifiedJson<'a>>,
    notices: Vec<NoticeJson<'a>>,
}

#[derive(Serialize)]
struct VerifiedJson<'a> {
    mutant: &'a str,
    symptom: &'static str,
    standing: &'static str,
    noticed_by: Option<&'a str>,
}

#[derive(Serialize)]
struct ExplainJson<'a> {
    exit_code: u8,
    counts: CountsJson,
    infections: BTreeMap<&'a str, usize>,
    weak_oracles: usize,
    proven_assertions: usize,
    without_observer: usize,
    explanations: Vec<ExplanationJson<'a>>,
    applied: &'a [String],
    notices: Vec<NoticeJson<'a>>,
    runs: usize,
    explain_millis: u64,
}

#[derive(Serialize)]
struct CountsJson {
    weak_oracle: usize,
    no_propagation: usize,
    no_infection: usize,
    not_reached: usize,
    infected: usize,
}

#[derive(Serialize)]
struct ExplanationJson<'a> {
    mutant: &'a str,
    class: &'a str,
    method: &'a str,
    descriptor: &'a str,
    operator: &'a str,
    description: &'a str,
    file: Option<&'a str>,
    line: Option<u16>,
    symptom: &'static str,
    parameters: &'a [String],
    tests: &'a [String],
    closest: Option<ClosestJson<'a>>,
    infection: Option<InfectionJson<'a>>,
    exposures: Vec<ExposureJson<'a>>,
    unvaried: Vec<UnvariedJson<'a>>,
    entry_points: &'a [String],
    gaps: GapsJson<'a>,
    caveats: &'a [String],
    local: bool,
    millis: u64,
}

impl<'a> From<&'a Explanation> for ExplanationJson<'a> {
    fn from(explanation: &'a Explanation) -> Self {
        let subject = &explanation.subject;
        Self {
            mutant: &subject.id,
            class: &subject.class,
            method: &subject.method,
            descriptor: &subject.descriptor,
            operator: &subject.operator,
            description: &subject.description,
            file: subject.file.as_deref(),
            line: subject.line,
            symptom: explanation.symptom.word(),
            parameters: &explanation.parameters,
            tests: &explanation.tests,
            closest: explanation.closest.as_ref().map(|closest| ClosestJson {
                test: &closest.test,
                distance: closest.distance,
            }),
            infection: explanation.infection.as_ref().map(InfectionJson::from),
            exposures: explanation
                .exposures
                .iter()
                .map(ExposureJson::from)
                .collect(),
            unvaried: explanation
                .unvaried
                .iter()
                .map(UnvariedJson::from)
                .collect(),
            entry_points: &explanation.entry_points,
            gaps: GapsJson::from(&explanation.gaps),
            caveats: &explanation.caveats,
            local: explanation.is_local,
            millis: explanation.millis,
        }
    }
}

#[derive(Serialize)]
struct GapsJson<'a> {
    calls: Option<&'a str>,
    code: &'a [String],
    effects: Vec<&'static str>,
}

impl<'a> From<&'a Gaps> for GapsJson<'a> {
    fn from(gaps: &'a Gaps) -> Self {
        Self {
            calls: gaps.calls.as_deref(),
            code: &gaps.code,
            effects: gaps.effects.iter().map(|effect| effect.word()).collect(),
        }
    }
}

#[derive(Serialize)]
struct ClosestJson<'a> {
    test: &'a str,
    distance: u32,
}

#[derive(Serialize)]
struct InfectionJson<'a> {
    test: &'a str,
    call: u32,
    role: &'a str,
    field: Option<&'a str>,
    aspect: &'a str,
    original: &'a str,
    mutant: &'a str,
    given: Vec<GivenJson<'a>>,
    differences: usize,
    differing_calls: usize,
    compared_calls: usize,
    stack: &'a [String],
    trigger: Option<TriggerJson<'a>>,
    readers: &'a [String],
}

impl<'a> From<&'a Infection> for InfectionJson<'a> {
    fn from(infection: &'a Infection) -> Self {
        Self {
            test: &infection.test,
            call: infection.call,
            role: &infection.role,
            field: infection.field.as_deref(),
            aspect: &infection.aspect,
            original: &infection.original,
            mutant: &infection.mutant,
            given: (infection.given.iter())
                .map(|(argument, value)| GivenJson {
                    argument: *argument,
                    value,
                })
                .collect(),
            differences: infection.differences,
            differing_calls: infection.differing_calls,
            compared_calls: infection.compared_calls,
            stack: &infection.stack,
            trigger: infection.trigger.as_ref().map(TriggerJson::from),
            readers: &infection.readers,
        }
    }
}

#[derive(Serialize)]
struct TriggerJson<'a> {
    file: &'a str,
    line: u16,
    statement: &'a str,
}

impl<'a> From<&'a Trigger> for TriggerJson<'a> {
    fn from(trigger: &'a Trigger) -> Self {
        Self {
            file: &trigger.file,
            line: trigger.line,
            statement: &trigger.statement,
        }
    }
}

#[derive(Serialize)]
struct GivenJson<'a> {
    argument: usize,
    value: &'a str,
}

#[derive(Serialize)]
struct ExposureJson<'a> {
    test: &'a str,
    file: Option<&'a str>,
    line: Option<u16>,
    columns: Option<[usize; 2]>,
    expression: &'a str,
    #[serde(rename = "type")]
    type_name: &'a str,
    field: Option<&'a str>,
    aspect: &'a str,
    original: &'a str,
    mutant: &'a str,
    readers: &'a [String],
    assertion: Option<AssertionJson<'a>>,
}

impl<'a> From<&'a Exposure> for ExposureJson<'a> {
    fn from(exposure: &'a Exposure) -> Self {
        Self {
            test: &exposure.test,
            file: exposure.file.as_deref(),
            line: exposure.line,
            columns: exposure.columns.map(|(first, last)| [first, last]),
            expression: &exposure.expression,
            type_name: &exposure.type_name,
            field: exposure.field.as_deref(),
            aspect: &exposure.aspect,
            original: &exposure.original,
            mutant: &exposure.mutant,
            readers: &exposure.readers,
            assertion: exposure.assertion.as_ref().map(AssertionJson::from),
        }
    }
}

#[derive(Serialize)]
struct AssertionJson<'a> {
    text: &'a str,
    diff: &'a str,
}

impl<'a> From<&'a Assertion> for AssertionJson<'a> {
    fn from(assertion: &'a Assertion) -> Self {
        Self {
            text: &assertion.text,
            diff: &assertion.diff,
        }
    }
}

#[derive(Serialize)]
struct UnvariedJson<'a> {
    role: &'a str,
    field: Option<&'a str>,
    aspect: &'a str,
    value: &'a str,
    variant: Option<&'a str>,
}

impl<'a> From<&'a Unvaried> for UnvariedJson<'a> {
    fn from(unvaried: &'a Unvaried) -> Self {
        Self {
            role: &unvaried.role,
            field: unvaried.field.as_deref(),
            aspect: &unvaried.aspect,
            value: &unvaried.value,
            variant: unvaried.variant.as_deref(),
        }
    }
}
