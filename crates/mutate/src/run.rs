//! All that a run of `jury mutate` found out, ready to be reported.

use std::collections::BTreeMap;

use jury_classfile::Access;
use jury_model::{Exit, Notice, Outcome, TestId};

use crate::metrics::{MethodResult, Metrics};
use crate::mutant::MethodFacts;
use crate::ranking::{Finding, Ranked, rank};
use crate::verdict::Classification;

#[derive(Debug, Clone)]
pub struct MutationRun {
    pub exit: Exit,
    /// Ordered by name.
    pub classes: Vec<JudgedClass>,
    /// The short form of every covering test.
    pub labels: BTreeMap<TestId, String>,
    /// Tests kept out of all verdicts, because they did not end as they had in the build.
    pub unreliable: Vec<UnreliableTest>,
    pub notices: Vec<Notice>,
    pub workers: usize,
    pub tests: usize,
    pub cover_millis: u64,
    pub trial_millis: u64,
}

#[derive(Debug, Clone)]
pub struct JudgedClass {
    /// In VM form.
    pub name: String,
    pub module: String,
    pub access: Access,
    pub source_file: Option<String>,
    /// The source text, where it was found.
    pub source: Option<String>,
    pub methods: Vec<JudgedMethod>,
}

#[derive(Debug, Clone)]
pub struct JudgedMethod {
    pub facts: MethodFacts,
    pub result: MethodResult,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreliableTest {
    pub label: String,
    pub recorded: Outcome,
    pub seen: Option<Outcome>,
}

impl MutationRun {
    pub fn methods(&self) -> impl Iterator<Item = (&JudgedClass, &JudgedMethod)> {
        self.classes
            .iter()
            .flat_map(|class| class.methods.iter().map(move |method| (class, method)))
    }

    pub fn metrics(&self) -> Metrics {
        Metrics::of(self.methods().map(|(_, method)| &method.result))
    }

    /// Methods with something nobody noticed, those most worth a look first.
    pub fn findings(&self) -> Vec<(Ranked, &JudgedClass, &JudgedMethod)> {
        let judged: BTreeMap<_, _> = self
            .methods()
            .map(|(class, method)| (&method.facts.id, (class, method)))
            .collect();
        let findings = self.methods().filter_map(|(class, method)| {
            let classification = method.result.classification();
            let noteworthy = matches!(
                classification,
                Classification::PseudoTested | Classification::PartiallyTested
            );
            noteworthy.then(|| Finding {
                method: method.facts.id.clone(),
                classification,
                class_access: class.access,
                method_access: method.facts.access,
                covering_tests: method
                    .result
                    .extreme
                    .first()
                    .map_or(0, |one| one.covering.len()),
                code_length: method.facts.code_length,
                callers: None,
            })
        });
        rank(findings)
            .into_iter()
            .filter_map(|ranked| {
                let (class, method) = *judged.get(&ranked.finding.method)?;
                Some((ranked, class, method))
            })
            .collect()
    }
}
