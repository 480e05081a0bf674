//! Tells builds that give each test class a JVM of its own from those that do not.

use std::collections::BTreeSet;

use jury_store::JvmEvidence;

/// Marks the recipe of JVMs that were launched alike, more than once, and never ran a second class.
pub(crate) fn mark_jvms_per_class(jvms: &mut [JvmEvidence]) {
    for alike in launched_alike(jvms) {
        if alike.len() > 1 && alike.iter().all(|at| class_count(&jvms[*at]) == 1) {
            for at in alike {
                if let Some(recipe) = &mut jvms[at].recipe {
                    recipe.jvm_per_class = true;
                }
            }
        }
    }
}

/// Places of the JVMs that ran tests, those with the same recipe together.
fn launched_alike(jvms: &[JvmEvidence]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, jvm) in jvms.iter().enumerate() {
        if jvm.results.is_empty() {
            continue;
        }
        let alike = groups.iter_mut().find(|group| {
            let first = &jvms[group[0]];
            first.module == jvm.module && first.recipe == jvm.recipe
        });
        match alike {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    groups
}

fn class_count(jvm: &JvmEvidence) -> usize {
    let classes = jvm.results.iter().map(|one| one.test.top_level_class());
    classes.collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use jury_model::{Engine, LaunchedBy, Outcome, Recipe, TestCase, TestId};
    use jury_store::TestResult;

    use super::*;

    fn jvm(module: &str, classes: &[&str]) -> JvmEvidence {
        let result = |class: &&str| TestResult {
            test: TestCase {
                id: TestId::new(*class),
                engine: Engine::new("junit-jupiter"),
                class: (*class).to_owned(),
                method: "adds".to_owned(),
                variant: String::new(),
                display_name: String::new(),
            },
            outcome: Outcome::Passed,
            micros: 1,
            failure: None,
        };
        JvmEvidence {
            module: module.to_owned(),
            recipe: Some(Recipe {
                launched_by: LaunchedBy::Surefire,
                java_home: "/jdk".to_owned(),
                java_version: "17".to_owned(),
                working_directory: "/p".to_owned(),
                class_path: Vec::new(),
                module_path: Vec::new(),
                module_flags: Vec::new(),
                jvm_flags: Vec::new(),
                properties: Default::default(),
                environment: Default::default(),
                launcher_parameters: Default::default(),
                jvm_per_class: false,
            }),
            results: classes.iter().map(result).collect(),
            container_failures: Vec::new(),
        }
    }

    #[track_caller]
    fn check(mut jvms: Vec<JvmEvidence>, expected: &[bool]) {
        mark_jvms_per_class(&mut jvms);
        let marks = jvms.iter().filter_map(|jvm| jvm.recipe.as_ref());
        assert_eq!(
            marks.map(|recipe| recipe.jvm_per_class).collect::<Vec<_>>(),
            expected
        );
    }

    #[test]
    fn several_jvms_of_one_class_each_are_forks_per_class() {
        check(
            vec![jvm(".", &["a.A", "a.A$Inner"]), jvm(".", &["a.B"])],
            &[true, true],
        );
    }

    #[test]
    fn a_jvm_with_two_classes_shows_that_jvms_are_reused() {
        check(
            vec![jvm(".", &["a.A", "a.C"]), jvm(".", &["a.B"])],
            &[false, false],
        );
    }

    #[test]
    fn one_jvm_with_one_class_shows_nothing() {
        check(
            vec![jvm("x", &["a.A"]), jvm("y", &["a.B"]), jvm("y", &[])],
            &[false; 3],
        );
    }
}
