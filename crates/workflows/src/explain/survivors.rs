//! The mutants that nobody noticed, those of one method together: they share their tests and what
//! the original shows.

use std::collections::{HashMap, HashSet};

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
        // How near they are is found out where they are run.
        found.units.push(Unit {
            number: found.units.len() as u32,
            method: &method.facts.id,
            mutants,
            tests: covering,
        });
    }
    found
}

/// Test methods that took longer in the build are asked last: a few take more time than all others.
const SLOW_MICROS: u64 = 250_000;

/// The places of tests whose methods are slow, by method and time. The quickest invocation of a method counts:
/// the first one in a JVM pays for the classes it loads, which may take longer than most tests.
pub(super) fn slow_tests<'t>(
    timed: impl Iterator<Item = (&'t str, u64)> + Clone,
) -> HashSet<usize> {
    let mut quickest: HashMap<&str, u64> = HashMap::new();
    for (method, micros) in timed.clone() {
        let least = quickest.entry(method).or_insert(micros);
        *least = micros.min(*least);
    }
    let slow = timed.enumerate();
    slow.filter(|(_, (method, _))| quickest[method] >= SLOW_MICROS)
        .map(|(place, _)| place)
        .collect()
}

/// Sorts the tests of a class's method, as far as it is known how many calls lead from each to it.
pub(super) fn nearest_first(
    class: &str,
    covering: &mut [usize],
    tests: &[LabTest<'_>],
    slow: &HashSet<usize>,
    distance: impl Fn(usize) -> Option<u32>,
) {
    covering.sort_by_key(|place| {
        let test = &tests[*place];
        nearness(
            class,
            &test.class,
            slow.contains(place),
            distance(*place),
            &test.id,
        )
    });
}

/// A test class named after the class was written for it, then fewer calls are nearer. Otherwise in order
/// of identity, which no busy machine can change, but for the few tests that are slow by any measure.
fn nearness<'t>(
    class: &str,
    test_class: &str,
    slow: bool,
    distance: Option<u32>,
    id: &'t TestId,
) -> (bool, bool, u32, &'t TestId) {
    let is_named_after = simple_name(test_class).contains(simple_name(class));
    (slow, !is_named_after, distance.unwrap_or(u32::MAX), id)
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
    fn a_method_is_as_slow_as_its_quickest_invocation() {
        let timed = [
            ("a.B#cold", SLOW_MICROS),
            ("a.B#cold", 1),
            ("a.B#slow", SLOW_MICROS),
        ];
        assert_eq!(slow_tests(timed.into_iter()), [2].into());
    }

    #[test]
    fn tests_named_after_the_class_come_first_and_slow_ones_last() {
        let tests = [
            ("a.BTest", false, Some(1), "b"),
            ("a.BTest", false, Some(3), "a"),
            ("a.BTest", false, None, "a"),
            ("a.Fuzz", false, Some(2), "a"),
            ("a.Fuzz", false, Some(2), "c"),
            ("a.BTest", true, Some(1), "a"),
        ];
        let ids = tests.map(|(.., id)| TestId::new(id));
        let order = tests
            .iter()
            .zip(&ids)
            .map(|((class, slow, distance, _), id)| nearness("a/B", class, *slow, *distance, id));
        assert!(order.is_sorted());
    }
}
