//! What every test says to a mutant, and which tests say nothing that others do not say.

use std::collections::{BTreeMap, BTreeSet};

use jury_model::TestId;

use crate::verdict::MutantVerdict;

/// What every test that can notice a mutant says to it. Each list is in order of the tests' ids.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answers {
    /// How each test that notices it does.
    pub killing: Vec<MutantVerdict>,
    /// Tests that pass all the same.
    pub surviving: Vec<TestId>,
    /// Tests whose answer cannot be trusted, and why.
    pub left_out: Vec<(TestId, String)>,
}

impl Answers {
    /// The tests that notice the mutant.
    pub fn killers(&self) -> impl Iterator<Item = &TestId> {
        self.killing.iter().filter_map(MutantVerdict::noticed_by)
    }

    /// How many tests have given an answer.
    pub fn tests_run(&self) -> usize {
        self.killing.len() + self.surviving.len()
    }
}

/// Which tests are needed for all that is noticed. Of tests that say the same, any would do, and
/// other code than was put on trial may need them all the same.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Redundancy<'a> {
    /// Mutants that some test notices.
    pub noticed: usize,
    /// Tests that notice a mutant, in order.
    pub noticing: Vec<&'a TestId>,
    /// Those of them that are the only one to notice some mutant.
    pub sole: Vec<&'a TestId>,
    /// Those of them without whom, even all together, nothing would go unnoticed.
    pub dispensable: Vec<&'a TestId>,
    /// Tests that run mutants and notice none.
    pub idle: Vec<&'a TestId>,
}

impl<'a> Redundancy<'a> {
    pub fn of(answers: impl IntoIterator<Item = &'a Answers>) -> Self {
        let mut asked: BTreeSet<&TestId> = BTreeSet::new();
        let mut mutants: Vec<BTreeSet<&TestId>> = Vec::new();
        for answers in answers {
            let killers: BTreeSet<&TestId> = answers.killers().collect();
            asked.extend(&answers.surviving);
            if !killers.is_empty() {
                mutants.push(killers);
            }
        }
        let noticing: BTreeSet<&TestId> = mutants.iter().flatten().copied().collect();
        let sole = mutants.iter().filter(|killers| killers.len() == 1);
        let sole: BTreeSet<&TestId> = sole.flatten().copied().collect();
        let needed = enough(&sole, &mutants);
        Redundancy {
            noticed: mutants.len(),
            sole: sole.into_iter().collect(),
            dispensable: noticing.difference(&needed).copied().collect(),
            idle: asked.difference(&noticing).copied().collect(),
            noticing: noticing.into_iter().collect(),
        }
    }
}

/// Few tests that notice all of some mutants: those that are indispensable, then whoever notices
/// most of the rest, over and over. The fewest possible would take too long to find.
fn enough<'a>(
    indispensable: &BTreeSet<&'a TestId>,
    mutants: &[BTreeSet<&'a TestId>],
) -> BTreeSet<&'a TestId> {
    let mut needed = indispensable.clone();
    let mut rest: Vec<&BTreeSet<&TestId>> = (mutants.iter())
        .filter(|killers| killers.is_disjoint(&needed))
        .collect();
    while !rest.is_empty() {
        let mut counts: BTreeMap<&TestId, usize> = BTreeMap::new();
        for test in rest.iter().copied().flatten() {
            *counts.entry(test).or_default() += 1;
        }
        // The first of several, so that equal runs say the same.
        let best = counts.iter().rev().max_by_key(|(_, count)| **count);
        let Some((&best, _)) = best else { break };
        needed.insert(best);
        rest.retain(|killers| !killers.contains(best));
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `ab-c`: `a` and `b` notice the mutant, `c` does not.
    fn answers(text: &str) -> Answers {
        let (killing, surviving) = text.split_once('-').unwrap_or((text, ""));
        let test = |letter: char| TestId::new(letter.to_string());
        let killing = killing.chars().map(|letter| MutantVerdict::TimedOut {
            during: test(letter),
        });
        Answers {
            killing: killing.collect(),
            surviving: surviving.chars().map(test).collect(),
            left_out: Vec::new(),
        }
    }

    /// noticing, sole, dispensable, idle
    fn check(mutants: &str, expected: [&str; 4]) {
        let answers: Vec<Answers> = mutants.split(' ').map(answers).collect();
        let found = Redundancy::of(&answers);
        let text =
            |tests: &[&TestId]| -> String { tests.iter().map(|test| test.as_str()).collect() };
        let found = [
            text(&found.noticing),
            text(&found.sole),
            text(&found.dispensable),
            text(&found.idle),
        ];
        assert_eq!(found, expected, "{mutants}");
    }

    #[test]
    fn a_test_that_alone_notices_something_is_not_dispensable() {
        check("a-b ab-c", ["ab", "a", "b", "c"]);
        check("a b c", ["abc", "abc", "", ""]);
    }

    #[test]
    fn of_two_tests_that_notice_the_same_one_stays() {
        check("ab ab", ["ab", "", "b", ""]);
        check("ab bc ca", ["abc", "", "c", ""]);
    }

    #[test]
    fn whoever_notices_most_of_the_rest_stays() {
        check("ab bc bd", ["abcd", "", "acd", ""]);
    }

    #[test]
    fn a_test_that_notices_one_of_many_mutants_is_not_idle() {
        check("-a b-a a-b -c", ["ab", "ab", "", "c"]);
        check("-", ["", "", "", ""]);
    }
}
