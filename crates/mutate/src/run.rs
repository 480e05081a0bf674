//! All that a run of `jury mutate` found out, ready to be reported.

use std::collections::BTreeMap;

use jury_classfile::Access;
use jury_model::{Exit, Failure, Notice, Outcome, TestId};

use crate::answers::Redundancy;
use crate::classic::ClassicPoint;
use crate::gate::{Gate, Milestone};
use crate::metrics::{MethodResult, Metrics};
use crate::mutant::MethodFacts;
use crate::ranking::{Finding, Ranked, rank};
use crate::shard::Shard;
use crate::verdict::{Classification, MutantResult, Standing};

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
    /// What limits, accepted findings and the last run say to it; nothing until it is asked.
    pub gate: Gate,
    /// How well the project was tested at each revision that is known with the same choices, this
    /// one last; nothing unless the run was over everything.
    pub milestones: Vec<Milestone>,
    pub extent: Extent,
    /// Whether all tests were asked about every mutant, and not only until one noticed it.
    pub matrix: bool,
    pub effort: Effort,
    pub workers: usize,
    pub tests: usize,
    pub cover_millis: u64,
    pub trial_millis: u64,
}

/// What was put on trial. Runs that differ in nothing but the shard are parts of one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extent {
    /// Hash of the code, its tests and how their JVMs are started.
    pub code: String,
    /// The commit that was checked out, where that is known; for people.
    pub commit: Option<String>,
    /// What the user chose, as text that differs when the choice does.
    pub settings: String,
    /// Only what changed since this revision.
    pub since: Option<String>,
    pub shard: Option<Shard>,
}

/// How much had to be run, and how much was known from before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    pub tests_covered: usize,
    pub tests_remembered: usize,
    pub mutants_tried: usize,
    pub mutants_remembered: usize,
    /// Mutants about which all tests were asked after one had noticed them.
    pub mutants_polled: usize,
    pub polls_remembered: usize,
}

#[derive(Debug, Clone)]
pub struct JudgedClass {
    /// In VM form.
    pub name: String,
    pub module: String,
    pub access: Access,
    pub source_file: Option<String>,
    /// Where the source was found, relative to the project, with `/` between the parts.
    pub source_path: Option<String>,
    /// The source text, where it was found.
    pub source: Option<String>,
    pub methods: Vec<JudgedMethod>,
}

#[derive(Debug, Clone)]
pub struct JudgedMethod {
    pub facts: MethodFacts,
    /// Where classic operators apply; empty unless they ran, too.
    pub points: Vec<ClassicPoint>,
    pub result: MethodResult,
}

/// A mutant, in words, with what became of it.
#[derive(Debug, Clone, Copy)]
pub struct TriedMutant<'a> {
    pub description: &'a str,
    pub line: Option<u16>,
    pub result: &'a MutantResult,
}

impl JudgedMethod {
    /// The extreme mutants, in the order of the operators.
    pub fn tried(&self) -> impl Iterator<Item = TriedMutant<'_>> {
        let pairs = self.facts.mutants.iter().zip(&self.result.extreme);
        pairs.map(|(mutant, result)| TriedMutant {
            description: &mutant.description,
            line: mutant.line,
            result,
        })
    }

    /// The classic mutants, in the order of the code.
    pub fn tried_points(&self) -> impl Iterator<Item = TriedMutant<'_>> {
        let pairs = self.points.iter().zip(&self.result.classic);
        pairs.map(|(point, result)| TriedMutant {
            description: &point.description,
            line: point.line,
            result,
        })
    }

    /// The tests that run the method, in order of id.
    pub fn covering(&self) -> &[TestId] {
        let first = self.result.extreme.first();
        first.map_or(&[], |result| &result.covering)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreliableTest {
    pub label: String,
    pub recorded: Outcome,
    pub seen: Option<Outcome>,
    pub cause: Unreliability,
    /// What it failed with, if this run has seen it.
    pub failure: Option<Failure>,
}

/// Why a test cannot be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreliability {
    /// `jury flaky` has found it.
    KnownFlaky,
    /// It ended in one way, and in another when it was run once more in a fresh JVM.
    Flaky,
    /// It ended in the same way twice, which is not how it had ended in the build.
    BrokenInReplay,
    /// Its framework does not find it any more.
    Gone,
}

impl Unreliability {
    /// The word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Unreliability::KnownFlaky => "known-flaky",
            Unreliability::Flaky => "flaky",
            Unreliability::BrokenInReplay => "broken-in-replay",
            Unreliability::Gone => "gone",
        }
    }
}

impl MutationRun {
    pub fn methods(&self) -> impl Iterator<Item = (&JudgedClass, &JudgedMethod)> {
        self.classes
            .iter()
            .flat_map(|class| class.methods.iter().map(move |method| (class, method)))
    }

    pub fn metrics(&self) -> Metrics {
        Metrics::of(self.results())
    }

    pub fn results(&self) -> impl Iterator<Item = &MethodResult> {
        self.methods().map(|(_, method)| &method.result)
    }

    /// Which tests are needed for all that is noticed, if all were asked about everything.
    pub fn redundancy(&self) -> Option<Redundancy<'_>> {
        let results = self.results();
        let mutants = results.flat_map(|method| method.extreme.iter().chain(&method.classic));
        let answers = mutants.filter_map(|mutant| mutant.answers.as_ref());
        let whole = self.exit != Exit::Interrupted && self.extent.shard.is_none();
        (self.matrix && whole).then(|| Redundancy::of(answers))
    }

    /// The short form of a test.
    pub fn label<'a>(&'a self, test: &'a TestId) -> &'a str {
        self.labels.get(test).map_or(test.as_str(), String::as_str)
    }

    /// Classic mutants that nobody noticed, in the order of classes and code.
    pub fn surviving_points(&self) -> impl Iterator<Item = (&JudgedClass, TriedMutant<'_>)> {
        self.methods().flat_map(|(class, method)| {
            let undetected = method
                .tried_points()
                .filter(|mutant| mutant.result.verdict.standing() == Standing::Undetected);
            undetected.map(move |mutant| (class, mutant))
        })
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
                covering_tests: method.covering().len(),
                code_length: method.facts.code_length,
                callers: None,
                callees: None,
                is_placeholder: false,
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
