//! What nobody looked at, so that a symptom does not speak of it.
//!
//! That a class or method could not be watched, and that tests were not compared, others have found out.

use jury_explain::{Gaps, Symptom};

use super::{Findings, member};
use crate::explain::bench::{Evidence, LeftOut};
use crate::explain::survivors::Unit;
use crate::mutate::lab::LabTest;

/// Methods that are not watched in full, named for one mutant.
const UNWATCHED_SHOWN: usize = 3;

impl Findings<'_> {
    pub(super) fn gaps(&self, unit: &Unit<'_>, evidence: &Evidence<'_>, symptom: Symptom) -> Gaps {
        let has_none = symptom == Symptom::NoInfection;
        let method = member(unit.method);
        Gaps {
            calls: why_no_calls(unit, evidence, has_none),
            code: self
                .unwatched_code(evidence)
                .map(|(name, _)| name)
                .collect(),
            effects: match has_none {
                true => self.graph.effects(&method),
                false => Vec::new(),
            },
        }
    }

    /// A few of the methods that are not watched in full, with the reasons.
    pub(super) fn unwatched(&self, evidence: &Evidence<'_>) -> Vec<String> {
        let unwatched: Vec<_> = self.unwatched_code(evidence).collect();
        let named = unwatched.iter().take(UNWATCHED_SHOWN);
        let named = named.map(|(name, one)| {
            let reason = &one.reason;
            format!("`{name}` is not watched in full: {reason}")
        });
        let more = unwatched.len().saturating_sub(UNWATCHED_SHOWN);
        let more = (more > 0).then(|| format!("nor are {more} more methods of test code"));
        named.chain(more).collect()
    }

    /// Methods of test code, for people, that are not watched in full and that the tests of a mutant run, or
    /// may.
    fn unwatched_code<'e>(
        &'e self,
        evidence: &'e Evidence<'_>,
    ) -> impl Iterator<Item = (String, &'e LeftOut)> {
        let code = evidence
            .left_out
            .iter()
            .filter(|one| self.is_test(&one.class));
        code.filter_map(|one| {
            let class = one.class.replace('/', ".");
            let name = one.method.split('(').next().unwrap_or_default();
            let shown = match name {
                "" => class.clone(),
                name => format!("{class}.{name}"),
            };
            may_run(&class, name, self.tests, &evidence.tests).then_some((shown, one))
        })
    }
}

/// Why no call could be compared; none if some were.
fn why_no_calls(unit: &Unit<'_>, evidence: &Evidence<'_>, found_none: bool) -> Option<String> {
    let mut left_out = evidence.left_out.iter();
    if let Some(one) = left_out.find(|one| one.concerns(unit.method)) {
        return Some(format!("the method could not be watched: {}", one.reason));
    }
    let why = if !found_none {
        return None;
    } else if !evidence.compared {
        "no test passed, or came to its end, while it was watched"
    } else if !evidence.called {
        "no test was seen to call it while it was watched"
    } else if evidence.crowded.len() == evidence.tests.len() {
        "several threads of each test call it, in an order that is chance"
    } else {
        return None;
    };
    Some(why.to_owned())
}

/// Whether some tests may run a method of test code: a test method is run by itself, and what else there is in
/// a test class, by its tests. Which run a helper in another class is not known.
fn may_run(class: &str, name: &str, all: &[LabTest<'_>], own: &[usize]) -> bool {
    let method = format!("{class}#{name}");
    let is_own = |is: &dyn Fn(&LabTest<'_>) -> bool| own.iter().any(|test| is(&all[*test]));
    let is_test = |test: &LabTest<'_>| test.method == method;
    let is_of_class = |test: &LabTest<'_>| test.class == class;
    if all.iter().any(is_test) {
        is_own(&is_test)
    } else if all.iter().any(is_of_class) {
        is_own(&is_of_class)
    } else {
        true
    }
}

#[cfg(test)]
mod tests {
    use jury_model::{Engine, TestId};

    use super::*;
    use crate::explain::bench::sample_recipe;

    #[test]
    fn a_test_method_concerns_itself_and_a_helper_whoever_may_call_it() {
        let recipe = sample_recipe();
        let test = |class: &str, method: &str| LabTest {
            id: TestId::new(method),
            engine: Engine::new("e"),
            class: class.to_owned(),
            method: format!("{class}#{method}"),
            recipe: &recipe,
            group: 0,
            micros: 1,
        };
        let all = [
            test("a.BTest", "one"),
            test("a.BTest", "two"),
            test("a.CTest", "one"),
        ];
        let run_by = |class: &str, name: &str| {
            let tests = (0..all.len()).filter(|own| may_run(class, name, &all, &[*own]));
            tests.collect::<Vec<_>>()
        };
        assert_eq!(run_by("a.BTest", "two"), [1]);
        assert_eq!(run_by("a.BTest", "lambda$one$0"), [0, 1]);
        assert_eq!(run_by("a.BTest", ""), [0, 1]);
        assert_eq!(run_by("a.Helper", "check"), [0, 1, 2]);
    }
}
