//! Which tests make up a unit: those of an outermost test class, or, on request, the invocations of
//! a test method, unless the methods of its class cannot be told apart.

use std::collections::BTreeMap;

use jury_jvm::{JvmEvidence, TestSeen};
use jury_model::{Engine, Outcome, TestCase};
use jury_select::Tangle;

use super::Granularity;

/// How the tests of one JVM are grouped.
#[derive(Debug, Default)]
pub(super) struct Grouping {
    granularity: Granularity,
    /// Classes that are units as a whole, with why, if that is known.
    whole: BTreeMap<String, String>,
}

impl Grouping {
    /// By what was collected.
    pub fn collected(granularity: Granularity, tangled: &BTreeMap<String, Tangle>) -> Self {
        let whole = tangled.iter();
        Self {
            granularity,
            whole: whole
                .map(|(class, why)| (class.clone(), why.to_string()))
                .collect(),
        }
    }

    /// By what was known before.
    pub fn known(jvm: &JvmEvidence, is_told_apart: impl Fn(&str) -> bool) -> Self {
        let classes = jvm.tests.iter().map(|seen| seen.test.top_level_class());
        Self {
            granularity: Granularity::Method,
            whole: (classes.filter(|class| !is_told_apart(class)))
                .map(|class| (class.to_owned(), String::new()))
                .collect(),
        }
    }

    pub fn unit(&self, test: &TestCase) -> String {
        let class = test.top_level_class();
        match self.granularity {
            Granularity::Method if !self.whole.contains_key(class) => test.method_unit(),
            _ => class.to_owned(),
        }
    }

    pub fn tangle(&self, unit: &str) -> String {
        self.whole.get(unit).cloned().unwrap_or_default()
    }
}

/// The outermost class of a unit.
pub(super) fn class_of(unit: &str) -> &str {
    let end = unit.find(['#', '$']).unwrap_or(unit.len());
    &unit[..end]
}

pub(super) fn is_method(unit: &str) -> bool {
    unit.contains('#')
}

/// Units by the outermost class that they belong to.
pub(super) fn by_class<'u, T>(
    units: impl IntoIterator<Item = (&'u String, T)>,
) -> BTreeMap<&'u str, Vec<(&'u str, T)>> {
    let mut classes: BTreeMap<&str, Vec<(&str, T)>> = BTreeMap::new();
    for (unit, what) in units {
        classes
            .entry(class_of(unit))
            .or_default()
            .push((unit, what));
    }
    classes
}

/// Engines that are known to run a test method by itself.
const PLAIN_ENGINES: [&str; 3] = ["junit-jupiter", "junit-vintage", Engine::JUNIT];

/// Classes whose methods cannot be told apart, by how their tests ran.
pub(super) fn tangled(jvm: &JvmEvidence) -> Vec<(String, Tangle)> {
    let of_test = |seen: &TestSeen| {
        let test = &seen.test;
        let (id, engine) = (test.id.as_str(), test.engine.as_str());
        if id.contains("[suite:") {
            Some(Tangle::Suite)
        } else if !PLAIN_ENGINES.contains(&engine) {
            Some(Tangle::Engine(engine.to_owned()))
        } else if id.contains("[dynamic-") || test.method.is_empty() {
            Some(Tangle::Dynamic)
        } else {
            None
        }
    };
    let mut tangled: Vec<(String, Tangle)> = Vec::new();
    for seen in &jvm.tests {
        let class = seen.test.top_level_class();
        let known = |(name, _): &(String, Tangle)| name == class;
        if let Some(tangle) = of_test(seen).filter(|_| !tangled.iter().any(known)) {
            tangled.push((class.to_owned(), tangle));
        }
    }
    for failed in &jvm.container_failures {
        tangled.push((
            class_of(&failed.class).to_owned(),
            Tangle::FailedOutsideTests,
        ));
    }
    for shared in &jvm.shared {
        if shared.overlapping {
            tangled.push((shared.class.clone(), Tangle::Overlapping));
        } else if shared.shared_files {
            tangled.push((shared.class.clone(), Tangle::SharedFiles));
        }
    }
    tangled
}

/// Tests that were skipped before they began.
pub(super) fn skipped(jvm: &JvmEvidence) -> impl Iterator<Item = &TestCase> {
    let skipped = |seen: &&TestSeen| seen.outcome == Outcome::Skipped;
    jvm.tests.iter().filter(skipped).map(|seen| &seen.test)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_model::TestId;

    fn seen(id: &str, engine: &str, method: &str) -> JvmEvidence {
        JvmEvidence {
            tests: vec![TestSeen {
                test: TestCase {
                    id: TestId::new(id),
                    engine: Engine::new(engine),
                    class: "a.BTest$Inner".into(),
                    method: method.into(),
                    variant: String::new(),
                    display_name: String::new(),
                },
                outcome: Outcome::Passed,
                micros: 0,
                failure: None,
            }],
            ..JvmEvidence::default()
        }
    }

    fn check(id: &str, engine: &str, method: &str, tangle: Option<Tangle>) {
        let expected: Vec<_> = tangle
            .map(|tangle| ("a.BTest".to_owned(), tangle))
            .into_iter()
            .collect();
        assert_eq!(tangled(&seen(id, engine, method)), expected, "{id}");
    }

    #[test]
    fn only_methods_of_plain_engines_are_units() {
        check("[method:adds()]", "junit-jupiter", "adds", None);
        check("[test:adds]", "junit-vintage", "adds", None);
        check("junit:a.BTest#adds", "junit", "adds", None);
        check(
            "[test-factory:all()]/[dynamic-test:#1]",
            "junit-jupiter",
            "all",
            Some(Tangle::Dynamic),
        );
        check("junit:a.BTest", "junit", "", Some(Tangle::Dynamic));
        check(
            "[suite:a.All]/[method:adds()]",
            "junit-platform-suite",
            "adds",
            Some(Tangle::Suite),
        );
        check(
            "[feature:adds]",
            "spock",
            "adds",
            Some(Tangle::Engine("spock".into())),
        );
    }

    #[test]
    fn units_know_the_class_they_belong_to() {
        assert_eq!(class_of("a.BTest$Inner#adds $1 and #2"), "a.BTest");
        assert_eq!(class_of("a.BTest"), "a.BTest");
        let grouping = Grouping::collected(Granularity::Method, &BTreeMap::new());
        let test = &seen("id", "junit", "adds").tests[0].test;
        assert_eq!(grouping.unit(test), "a.BTest$Inner#adds");
        assert_eq!(Grouping::default().unit(test), "a.BTest");
    }
}
