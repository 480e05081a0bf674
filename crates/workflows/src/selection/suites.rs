//! Which classes run within which suites, as the ids of their tests tell.

use std::collections::BTreeSet;

use jury_model::TestId;

use super::grouping::class_of;

/// Pairs of outermost classes, as [`Answer::suites`](jury_jvm::Answer) has them.
pub(super) fn suites<'t>(tests: impl IntoIterator<Item = &'t (TestId, String)>) -> Vec<String> {
    let mut pairs = BTreeSet::new();
    for (id, class) in tests {
        let class = class_of(class);
        let around = id.as_str().split('/').filter_map(suite);
        for suite in around.map(class_of).filter(|suite| *suite != class) {
            pairs.insert(format!("{suite} {class}"));
        }
    }
    pairs.into_iter().collect()
}

/// The class of a suite of the JUnit Platform, or of one that Vintage runs.
fn suite(segment: &str) -> Option<&str> {
    let inside = segment.strip_prefix('[')?.strip_suffix(']')?;
    let (kind, class) = inside.split_once(':')?;
    matches!(kind, "suite" | "runner").then_some(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_alone_is_no_suite() {
        let tests = [
            (
                "[engine:junit-vintage]/[runner:a.BTest]/[test:adds]",
                "a.BTest",
            ),
            (
                "[engine:junit-vintage]/[runner:a.All]/[test:a.BTest]/[test:adds]",
                "a.BTest",
            ),
            (
                "[engine:s]/[suite:b.All]/[engine:j]/[class:a.BTest]/[method:adds()]",
                "a.BTest$Inside",
            ),
            (
                "[engine:s]/[suite:b.All]/[engine:j]/[class:a.BTest]/[method:subs()]",
                "a.BTest",
            ),
        ];
        let tests = tests.map(|(id, class)| (TestId::new(id), class.to_owned()));
        assert_eq!(suites(&tests), ["a.All a.BTest", "b.All a.BTest"]);
    }
}
