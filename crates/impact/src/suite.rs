//! Which classes are tests, told from annotations and inheritance.

use std::collections::HashMap;

use crate::class_facts::ClassFacts;
use crate::names::{ByName, Name, Names};

/// Annotations that make a class a test, on the class or on a method of it.
const TEST: [&str; 16] = [
    "org/junit/Test",
    "org/junit/runner/RunWith",
    "org/junit/experimental/theories/Theory",
    "org/junit/jupiter/api/Test",
    "org/junit/jupiter/api/RepeatedTest",
    "org/junit/jupiter/api/TestFactory",
    "org/junit/jupiter/api/TestTemplate",
    "org/junit/jupiter/params/ParameterizedTest",
    "org/junit/jupiter/params/ParameterizedClass",
    "org/junit/platform/commons/annotation/Testable",
    "org/junit/platform/suite/api/Suite",
    "org/testng/annotations/Test",
    "net/jqwik/api/Property",
    "net/jqwik/api/Example",
    "io/kotest/core/annotation/Tags",
    "com/tngtech/archunit/junit/ArchTest",
];

/// Classes whose subclasses are tests.
const TEST_CLASSES: [&str; 4] = [
    "junit/framework/TestCase",
    "junit/framework/TestSuite",
    "spock/lang/Specification",
    "org/scalatest/Suite",
];

/// The test classes of a project. A nested class counts with the outermost one, which is what
/// build tools run.
#[derive(Debug)]
pub struct Suite {
    tests: Vec<(Name, Vec<Name>)>,
}

impl Suite {
    pub fn of(names: &Names, classes: &[&ClassFacts]) -> Self {
        let mut by_name = ByName::new(names);
        for class in classes {
            by_name.insert(class.name, *class);
        }
        let known = |list: &[&str]| -> Vec<Name> {
            list.iter().filter_map(|name| names.find(name)).collect()
        };
        let (annotations, ancestors) = (known(&TEST), known(&TEST_CLASSES));
        let mut verdicts = ByName::new(names);
        let mut tests: HashMap<Name, Vec<Name>> = HashMap::new();
        for class in classes {
            let is_test = inherits_test(
                class.name,
                &by_name,
                &annotations,
                &ancestors,
                &mut verdicts,
            );
            if is_test && !class.is_abstract {
                let text = names.text(class.name);
                let outermost = text.split_once('$').map_or(text, |(outer, _)| outer);
                let outermost = names.find(outermost).unwrap_or(class.name);
                tests.entry(outermost).or_default().push(class.name);
            }
        }
        let mut tests: Vec<_> = tests.into_iter().collect();
        tests.sort_by(|a, b| names.text(a.0).cmp(names.text(b.0)));
        Suite { tests }
    }

    /// Outermost classes in order of their names, each with the test classes it stands for.
    pub fn tests(&self) -> impl Iterator<Item = (Name, &[Name])> + '_ {
        self.tests
            .iter()
            .map(|(outermost, classes)| (*outermost, classes.as_slice()))
    }
}

/// A class is a test if it, an annotation on it or a supertype says so.
fn inherits_test(
    name: Name,
    classes: &ByName<&ClassFacts>,
    annotations: &[Name],
    ancestors: &[Name],
    verdicts: &mut ByName<bool>,
) -> bool {
    if annotations.contains(&name) || ancestors.contains(&name) {
        return true;
    }
    if let Some(verdict) = verdicts.get(name) {
        return *verdict;
    }
    // Stands while a circle of annotations is looked at; hostile files may hold one.
    verdicts.insert(name, false);
    let Some(class) = classes.get(name) else {
        return false;
    };
    let mut origins = class.supertypes.iter().chain(&class.annotations);
    let verdict =
        origins.any(|origin| inherits_test(*origin, classes, annotations, ancestors, verdicts));
    verdicts.insert(name, verdict);
    verdict
}
