//! The document of `jury mutate`: every method with its mutants and verdicts.

use std::collections::BTreeMap;

use jury_model::TestId;
use jury_mutate::{
    Answers, Cause, Effort, Extent, Gate, JudgedClass, JudgedMethod, Metrics, Milestone,
    MutantVerdict, MutationRun, Redundancy, Tally, TriedMutant, compare_kinds,
};
use serde::Serialize;

use super::{FailureJson, NoticeJson, document};
use crate::mutation::{reason, source_name};

pub fn mutated(run: &MutationRun) -> String {
    document(
        "mutate",
        MutationJson {
            exit_code: run.exit.code(),
            metrics: (&run.metrics()).into(),
            modules: groups(&Metrics::by_module(run.results())),
            packages: groups(&Metrics::by_package(run.results())),
            classes: groups(&Metrics::by_class(run.results())),
            common: common(run),
            methods: run
                .methods()
                .filter(|(_, method)| {
                    let idle = method.facts.mutants.is_empty() && method.points.is_empty();
                    !idle || method.facts.stop.is_some()
                })
                .map(|(class, method)| method_json(run, class, method))
                .collect(),
            unreliable: run
                .unreliable
                .iter()
                .map(|test| UnreliableJson {
                    label: &test.label,
                    recorded: test.recorded.word(),
                    seen: test.seen.map(|outcome| outcome.word()),
                    cause: test.cause.word(),
                    failure: test.failure.as_ref().map(FailureJson::from),
                })
                .collect(),
            notices: run.notices.iter().map(NoticeJson::from).collect(),
            gate: (&run.gate).into(),
            extent: (&run.extent).into(),
            revisions: run.milestones.iter().map(RevisionJson::from).collect(),
            matrix: (run.redundancy()).map(|redundancy| matrix_json(run, &redundancy)),
            effort: run.effort.into(),
            workers: run.workers,
            tests: run.tests,
            cover_millis: run.cover_millis,
            trial_millis: run.trial_millis,
        },
    )
}

#[derive(Serialize)]
struct MutationJson<'a> {
    exit_code: u8,
    metrics: MetricsJson,
    modules: Vec<GroupJson>,
    packages: Vec<GroupJson>,
    classes: Vec<GroupJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    common: Option<CommonJson>,
    methods: Vec<MethodJson<'a>>,
    unreliable: Vec<UnreliableJson<'a>>,
    notices: Vec<NoticeJson<'a>>,
    gate: GateJson,
    extent: ExtentJson<'a>,
    revisions: Vec<RevisionJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matrix: Option<MatrixJson<'a>>,
    effort: EffortJson,
    workers: usize,
    tests: usize,
    cover_millis: u64,
    trial_millis: u64,
}

/// What was put on trial; a document says which part of the project it speaks of.
#[derive(Serialize)]
struct ExtentJson<'a> {
    code: &'a str,
    commit: Option<&'a str>,
    settings: &'a str,
    since: Option<&'a str>,
    shard: Option<String>,
}

impl<'a> From<&'a Extent> for ExtentJson<'a> {
    fn from(extent: &'a Extent) -> Self {
        Self {
            code: &extent.code,
            commit: extent.commit.as_deref(),
            settings: &extent.settings,
            since: extent.since.as_deref(),
            shard: extent.shard.map(|shard| shard.to_string()),
        }
    }
}

#[derive(Serialize)]
struct EffortJson {
    tests_covered: usize,
    tests_remembered: usize,
    mutants_tried: usize,
    mutants_remembered: usize,
    mutants_polled: usize,
    polls_remembered: usize,
}

impl From<Effort> for EffortJson {
    fn from(effort: Effort) -> Self {
        Self {
            tests_covered: effort.tests_covered,
            tests_remembered: effort.tests_remembered,
            mutants_tried: effort.mutants_tried,
            mutants_remembered: effort.mutants_remembered,
            mutants_polled: effort.mutants_polled,
            polls_remembered: effort.polls_remembered,
        }
    }
}

#[derive(Serialize)]
struct MetricsJson {
    methods: u64,
    covered: u64,
    under_analysis: u64,
    tested: u64,
    partially_tested: u64,
    pseudo_tested: u64,
    not_covered: u64,
    coverage_rate: Option<f64>,
    pseudo_tested_rate: Option<f64>,
    mutants: u64,
    mutants_covered: u64,
    mutants_detected: u64,
    mutants_timed_out: u64,
    mutants_out_of_memory: u64,
    mutants_crashed: u64,
    score: Option<f64>,
    classic: TallyJson,
    classic_score_in_pseudo_tested: Option<f64>,
    classic_score_in_required: Option<f64>,
}

/// The figures of one module, package or class.
#[derive(Serialize)]
struct GroupJson {
    name: String,
    #[serde(flatten)]
    metrics: MetricsJson,
}

fn groups(groups: &BTreeMap<String, Metrics>) -> Vec<GroupJson> {
    let group = |(name, metrics): (&String, &Metrics)| GroupJson {
        name: source_name(name),
        metrics: metrics.into(),
    };
    groups.iter().map(group).collect()
}

/// Both kinds of mutants in methods that have both, where alone they compare.
#[derive(Serialize)]
struct CommonJson {
    extreme: TallyJson,
    classic: TallyJson,
}

fn common(run: &MutationRun) -> Option<CommonJson> {
    let (extreme, classic) = compare_kinds(run.results());
    (classic.created > 0).then(|| CommonJson {
        extreme: (&extreme).into(),
        classic: (&classic).into(),
    })
}

/// How well the project was tested at one revision.
#[derive(Serialize)]
struct RevisionJson<'a> {
    commit: Option<&'a str>,
    code: &'a str,
    mutants_covered: u64,
    mutants_undetected: u64,
    undetected_rate: Option<f64>,
    under_analysis: u64,
    pseudo_tested: u64,
    partially_tested: u64,
}

impl<'a> From<&'a Milestone> for RevisionJson<'a> {
    fn from(milestone: &'a Milestone) -> Self {
        Self {
            commit: milestone.commit.as_deref(),
            code: &milestone.code,
            mutants_covered: milestone.mutants_covered,
            mutants_undetected: milestone.mutants_undetected,
            undetected_rate: milestone.undetected_rate(),
            under_analysis: milestone.methods_under_analysis,
            pseudo_tested: milestone.pseudo_tested,
            partially_tested: milestone.partially_tested,
        }
    }
}

#[derive(Serialize)]
struct TallyJson {
    mutants: u64,
    covered: u64,
    detected: u64,
    timed_out: u64,
    out_of_memory: u64,
    crashed: u64,
    score: Option<f64>,
}

impl From<&Tally> for TallyJson {
    fn from(tally: &Tally) -> Self {
        Self {
            mutants: tally.created,
            covered: tally.covered,
            detected: tally.detected,
            timed_out: tally.timed_out,
            out_of_memory: tally.out_of_memory,
            crashed: tally.crashed,
            score: tally.score(),
        }
    }
}

impl From<&Metrics> for MetricsJson {
    fn from(metrics: &Metrics) -> Self {
        Self {
            methods: metrics.methods,
            covered: metrics.covered,
            under_analysis: metrics.under_analysis,
            tested: metrics.tested,
            partially_tested: metrics.partially_tested,
            pseudo_tested: metrics.pseudo_tested,
            not_covered: metrics.not_covered,
            coverage_rate: metrics.coverage_rate(),
            pseudo_tested_rate: metrics.pseudo_tested_rate(),
            mutants: metrics.extreme.created,
            mutants_covered: metrics.extreme.covered,
            mutants_detected: metrics.extreme.detected,
            mutants_timed_out: metrics.extreme.timed_out,
            mutants_out_of_memory: metrics.extreme.out_of_memory,
            mutants_crashed: metrics.extreme.crashed,
            score: metrics.extreme_score(),
            classic: (&metrics.classic).into(),
            classic_score_in_pseudo_tested: metrics.score_in_pseudo_tested(),
            classic_score_in_required: metrics.score_in_required(),
        }
    }
}

#[derive(Serialize)]
struct MethodJson<'a> {
    class: String,
    method: &'a str,
    descriptor: &'a str,
    module: &'a str,
    file: Option<&'a str>,
    /// Where the source lies in the project.
    path: Option<&'a str>,
    line: Option<u16>,
    classification: &'static str,
    /// Why the method has no mutants, if it has none.
    stop: Option<&'static str>,
    tests: Vec<&'a str>,
    mutants: Vec<MutantJson<'a>>,
    /// The classic mutants, in the order of the code.
    classic: Vec<MutantJson<'a>>,
}

#[derive(Serialize)]
struct MutantJson<'a> {
    id: String,
    operator: &'a str,
    line: Option<u16>,
    description: &'a str,
    verdict: &'static str,
    noticed_by: Option<&'a str>,
    /// What the noticing test threw, or why there is no verdict.
    reason: Option<String>,
    #[serde(flatten)]
    answers: Option<AnswersJson<'a>>,
}

/// What every test says, if all were asked.
#[derive(Serialize)]
struct AnswersJson<'a> {
    killing: Vec<KillingJson<'a>>,
    surviving: Vec<&'a str>,
    left_out: Vec<LeftOutJson<'a>>,
}

#[derive(Serialize)]
struct KillingJson<'a> {
    test: &'a str,
    verdict: &'static str,
    reason: Option<String>,
}

#[derive(Serialize)]
struct LeftOutJson<'a> {
    test: &'a str,
    reason: &'a str,
}

/// Which tests are needed for all that is noticed.
#[derive(Serialize)]
struct MatrixJson<'a> {
    noticed: usize,
    noticing: Vec<&'a str>,
    sole: Vec<&'a str>,
    dispensable: Vec<&'a str>,
    idle: Vec<&'a str>,
}

fn matrix_json<'a>(run: &'a MutationRun, redundancy: &Redundancy<'a>) -> MatrixJson<'a> {
    let labels = |tests: &[&'a TestId]| tests.iter().map(|test| run.label(test)).collect();
    MatrixJson {
        noticed: redundancy.noticed,
        noticing: labels(&redundancy.noticing),
        sole: labels(&redundancy.sole),
        dispensable: labels(&redundancy.dispensable),
        idle: labels(&redundancy.idle),
    }
}

fn answers_json<'a>(run: &'a MutationRun, answers: &'a Answers) -> AnswersJson<'a> {
    let killing = |verdict: &'a MutantVerdict| {
        Some(KillingJson {
            test: run.label(verdict.noticed_by()?),
            verdict: verdict.word(),
            reason: reason(verdict),
        })
    };
    let left_out = answers.left_out.iter();
    AnswersJson {
        killing: answers.killing.iter().filter_map(killing).collect(),
        surviving: answers
            .surviving
            .iter()
            .map(|test| run.label(test))
            .collect(),
        left_out: left_out
            .map(|(test, reason)| LeftOutJson {
                test: run.label(test),
                reason,
            })
            .collect(),
    }
}

#[derive(Serialize)]
struct GateJson {
    passes: Option<bool>,
    breaches: Vec<BreachJson>,
    unaccepted: Vec<String>,
    obsolete: Vec<String>,
    newly_unnoticed: Vec<NewJson>,
}

#[derive(Serialize)]
struct BreachJson {
    module: String,
    measure: String,
    limit: f64,
    found: f64,
}

#[derive(Serialize)]
struct NewJson {
    id: String,
    cause: &'static str,
}

impl From<&Gate> for GateJson {
    fn from(gate: &Gate) -> Self {
        let breach = |one: &jury_mutate::ModuleBreach| BreachJson {
            module: one.module.clone(),
            measure: one.breach.measure.to_string(),
            limit: one.breach.limit,
            found: one.breach.found,
        };
        let new = |one: &jury_mutate::NewlyUndetected| NewJson {
            id: one.id.to_string(),
            cause: match one.cause {
                Cause::NewMethod => "new-method",
                Cause::NewMutant => "new-mutant",
                Cause::NoLongerDetected => "no-longer-noticed",
                Cause::NowCovered => "now-covered",
            },
        };
        let comparison = gate.comparison.iter();
        Self {
            passes: gate.passes(),
            breaches: gate.breaches.iter().map(breach).collect(),
            unaccepted: gate.unaccepted.iter().map(ToString::to_string).collect(),
            obsolete: gate.obsolete.iter().map(ToString::to_string).collect(),
            newly_unnoticed: comparison
                .flat_map(|each| &each.newly_undetected)
                .map(new)
                .collect(),
        }
    }
}

#[derive(Serialize)]
struct UnreliableJson<'a> {
    label: &'a str,
    recorded: &'a str,
    seen: Option<&'a str>,
    cause: &'static str,
    failure: Option<FailureJson<'a>>,
}

fn method_json<'a>(
    run: &'a MutationRun,
    class: &'a JudgedClass,
    method: &'a JudgedMethod,
) -> MethodJson<'a> {
    let id = &method.facts.id;
    MethodJson {
        class: source_name(&id.class),
        method: &id.name,
        descriptor: &id.descriptor,
        module: &class.module,
        file: class.source_file.as_deref(),
        path: class.source_path.as_deref(),
        line: method.facts.first_line,
        classification: method.result.classification().word(),
        stop: method.facts.stop.map(|stop| stop.word()),
        tests: method
            .covering()
            .iter()
            .map(|test| run.label(test))
            .collect(),
        mutants: method.tried().map(|one| mutant_json(run, one)).collect(),
        classic: method
            .tried_points()
            .map(|one| mutant_json(run, one))
            .collect(),
    }
}

fn mutant_json<'a>(run: &'a MutationRun, mutant: TriedMutant<'a>) -> MutantJson<'a> {
    let TriedMutant {
        description,
        line,
        result,
    } = mutant;
    MutantJson {
        id: result.id.to_string(),
        operator: &result.id.operator,
        line,
        description,
        verdict: result.verdict.word(),
        noticed_by: result.verdict.noticed_by().map(|test| run.label(test)),
        reason: reason(&result.verdict),
        answers: (result.answers.as_ref()).map(|answers| answers_json(run, answers)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::sample::{accepted, with_matrix, with_points};

    #[test]
    fn the_document_has_methods_mutants_and_the_gate() {
        insta::assert_snapshot!(mutated(&accepted()));
    }

    #[test]
    fn revisions_have_their_figures() {
        let mut run = accepted();
        run.milestones.push(Milestone {
            code: "c0de".into(),
            commit: Some("beef".into()),
            settings: String::new(),
            mutants_covered: 8,
            mutants_undetected: 2,
            methods_under_analysis: 4,
            pseudo_tested: 1,
            partially_tested: 0,
        });
        let document: serde_json::Value = serde_json::from_str(&mutated(&run)).unwrap();
        let revision = &document["revisions"][0];
        assert_eq!(revision["commit"], "beef");
        assert_eq!(revision["undetected_rate"], 0.25);
        assert_eq!(revision["pseudo_tested"], 1);
    }

    #[test]
    fn with_a_matrix_every_mutant_has_all_that_tests_say() {
        let run = with_matrix();
        let document: serde_json::Value = serde_json::from_str(&mutated(&run)).unwrap();
        let name = &document["methods"][2]["mutants"];
        assert!(name[0].get("killing").is_none(), "{name}");
        let killing = name[1]["killing"].as_array().unwrap();
        assert_eq!(killing[0]["verdict"], "timed-out");
        assert_eq!(killing[0]["reason"], serde_json::Value::Null);
        assert_eq!(killing[1]["test"], "shop.BasketTests#counts(int)[2]");
        assert_eq!(
            killing[1]["reason"],
            "org.opentest4j.AssertionFailedError: expected: <1> but was: <0>"
        );
        let left_out = &name[1]["left_out"][0];
        assert_eq!(
            left_out["reason"],
            "it does not pass reliably without any mutant"
        );
        assert_eq!(name[2]["surviving"].as_array().unwrap().len(), 2);
        let matrix = &document["matrix"];
        assert_eq!(matrix["noticed"], 5);
        assert_eq!(matrix["sole"].as_array().unwrap().len(), 2);
        assert_eq!(matrix["dispensable"].as_array().unwrap().len(), 0);
    }

    #[test]
    fn classic_mutants_have_lines_of_their_own() {
        let mut run = accepted();
        with_points(&mut run.classes[0].methods[0], "kst");
        let document: serde_json::Value = serde_json::from_str(&mutated(&run)).unwrap();
        let point = &document["methods"][0]["classic"][1];
        assert_eq!(point["operator"], "math");
        assert_eq!(point["line"], 7);
        assert_eq!(point["verdict"], "survived");
        assert_eq!(
            document["metrics"]["classic_score_in_pseudo_tested"],
            2.0 / 3.0
        );
        assert_eq!(document["packages"][0]["name"], "shop");
        assert_eq!(document["classes"][0]["classic"]["mutants"], 3);
        assert_eq!(document["common"]["classic"]["detected"], 2);
        assert_eq!(document["common"]["extreme"]["mutants"], 1);
        let tally = &document["metrics"]["classic"];
        assert_eq!(
            (&tally["mutants"], &tally["detected"]),
            (&3.into(), &2.into())
        );
    }
}
