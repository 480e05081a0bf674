//! The mutants that nobody noticed, those of one method together: they share their tests and what
//! the original shows.

use std::collections::HashMap;

use jury_explain::Subject as Explained;
use jury_model::TestId;
use jury_mutate::{
    JudgedClass, JudgedMethod, MethodId, MutantId, MutantVerdict, MutationRun, TriedMutant,
};

use crate::mutate::lab::LabTest;
use crate::mutate::simple_name;
use crate::mutate::subject::Subject;

pub(super) struct Survivors<'a> {
    pub units: Vec<Unit<'a>>,
    /// Mutants that no test reaches.
    pub unreached: Vec<Survivor<'a>>,
}

/// A method with unnoticed mutants.
pub(super) struct Unit<'a> {
    /// Under which its calls are watched.
    pub number: u32,
    pub method: &'a MethodId,
    pub mutants: Vec<Survivor<'a>>,
    /// The tests that run it, the nearest first.
    pub tests: Vec<usize>,
}

pub(super) struct Survivor<'a> {
    /// By which it is switched on.
    pub switch: u32,
    /// Of its method or block.
    pub probe: u32,
    /// The tests that run that.
    pub tests: Vec<usize>,
    pub id: &'a MutantId,
    pub explained: Explained,
}

impl Survivors<'_> {
    pub fn mutants(&self) -> usize {
        self.units.iter().map(|unit| unit.mutants.len()).sum()
    }
}

pub(super) fn survivors<'a>(
    run: &'a MutationRun,
    subject: &Subject,
    tests: &[LabTest<'_>],
    wanted: &[String],
) -> Survivors<'a> {
    let switches: HashMap<&MutantId, u32> = subject.mutant_ids().into_iter().zip(0..).collect();
    let places: HashMap<&TestId, usize> = tests.iter().map(|test| &test.id).zip(0..).collect();
    let mut found = Survivors {
        units: Vec::new(),
        unreached: Vec::new(),
    };
    for (class, method) in run.methods() {
        let mut mutants = Vec::new();
        let mut covering: Vec<usize> = Vec::new();
        for tried in method.tried().chain(method.tried_points()) {
            let id = &tried.result.id;
            let text = id.to_string();
            if !wanted.is_empty() && !wanted.iter().any(|part| text.contains(part)) {
                continue;
            }
            let Some(switch) = switches.get(id) else {
                continue;
            };
            let survivor = Survivor {
                switch: *switch,
                probe: subject.mutants[*switch as usize].probe,
                tests: (tried.result.covering.iter())
                    .filter_map(|id| places.get(id).copied())
                    .collect(),
                id,
                explained: explained(class, method, &tried),
            };
            match tried.result.verdict {
                MutantVerdict::Survived => {
                    covering.extend(&survivor.tests);
                    mutants.push(survivor);
                }
                MutantVerdict::NotCovered => found.unreached.push(survivor),
                _ => {}
            }
        }
        if mutants.is_empty() {
            continue;
        }
        covering.sort_unstable();
        covering.dedup();
        nearest_first(&class.name, &mut covering, tests);
        found.units.push(Unit {
            number: found.units.len() as u32,
            method: &method.facts.id,
            mutants,
            tests: covering,
        });
    }
    found
}

/// Tests that took longer in the build are asked last: a few of them take more time than all others.
const SLOW_MICROS: u64 = 100_000;

fn nearest_first(class: &str, covering: &mut [usize], tests: &[LabTest<'_>]) {
    covering.sort_by_key(|test| {
        let LabTest {
            class: own,
            micros,
            id,
            ..
        } = &tests[*test];
        distance(class, own, *micros, id)
    });
}

/// A test class named after the class was written for it. Otherwise in order of identity, which no
/// busy machine can change, but for the few that are slow by any measure.
fn distance<'t>(
    class: &str,
    test_class: &str,
    micros: u64,
    id: &'t TestId,
) -> (bool, bool, &'t TestId) {
    let is_named_after = simple_name(test_class).contains(simple_name(class));
    (micros >= SLOW_MICROS, !is_named_after, id)
}

fn explained(class: &JudgedClass, method: &JudgedMethod, tried: &TriedMutant<'_>) -> Explained {
    let id = &tried.result.id;
    Explained {
        id: id.to_string(),
        class: class.name.replace('/', "."),
        method: method.facts.id.name.clone(),
        descriptor: method.facts.id.descriptor.clone(),
        description: tried.description.to_owned(),
        operator: id.operator.clone(),
        file: class.source_path.clone().or(class.source_file.clone()),
        line: tried.line.or(method.facts.first_line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_named_after_the_class_come_first_and_slow_ones_last() {
        let tests = [
            ("a.BTest", 1, "b"),
            ("a.Fuzz", 1, "a"),
            ("a.Fuzz", 1, "c"),
            ("a.BTest", SLOW_MICROS, "a"),
        ];
        let ids = tests.map(|(_, _, id)| TestId::new(id));
        let distances = [0, 1, 2, 3].map(|each| {
            let (class, micros, _) = tests[each];
            distance("a/B", class, micros, &ids[each])
        });
        assert!(distances.is_sorted(), "{distances:?}");
    }
}
