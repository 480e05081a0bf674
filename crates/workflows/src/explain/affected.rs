//! Which tests may run the code of a source: a statement that is put there has to hold for all of them.
//!
//! A base class or a helper serves the tests of many classes. Class files tell which class speaks of
//! which, in code, types, annotations and texts; a name that is put together while tests run is missed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use jury_classfile::{ClassFile, Constant};

use crate::mutate::lab::LabTest;
use crate::mutate::subject::{Role, Subject, class_directories};

/// The classes of test code, all of them top-level ones in VM form.
#[derive(Default)]
pub(super) struct TestCode {
    classes: BTreeMap<String, TestClass>,
    /// Who speaks of each, itself and its nested classes apart.
    users: HashMap<String, BTreeSet<String>>,
}

struct TestClass {
    /// Of class files.
    directory: PathBuf,
    /// What the path of its source ends with.
    source: PathBuf,
}

impl TestCode {
    pub fn read(subject: &Subject) -> Self {
        let own = subject.classes.iter();
        let own = own.filter(|class| class.role == Role::Test);
        let mut code = TestCode::default();
        for class in own.clone() {
            let name = top_level(&class.facts.name);
            let file = class.facts.source_file.as_deref().unwrap_or_default();
            let one = || TestClass {
                directory: class.directory.clone(),
                source: Path::new(name).with_file_name(file),
            };
            code.classes.entry(name.to_owned()).or_insert_with(one);
        }
        for class in own {
            let bytes = class.read().unwrap_or_default();
            let Ok(file) = ClassFile::read(&bytes) else {
                continue;
            };
            let texts = file.pool.indices();
            let texts = texts.filter_map(|index| match file.pool.get(index) {
                Ok(Constant::Utf8(text)) => Some(text.to_str()),
                _ => None,
            });
            for text in texts {
                code.add(top_level(&class.facts.name), &text);
            }
        }
        code
    }

    /// Adds that a class has a text in its class file.
    fn add(&mut self, class: &str, text: &str) {
        for name in names(&text.replace('.', "/")) {
            if name != class && self.classes.contains_key(name) {
                let users = self.users.entry(name.to_owned()).or_default();
                users.insert(class.to_owned());
            }
        }
    }

    /// The places of those tests that may run the code of a source. One of which it is not known what it
    /// uses is among them.
    pub fn tests_of(&self, source: &Path, tests: &[LabTest<'_>]) -> Vec<usize> {
        let own = self.classes.iter();
        let own = own.filter(|(_, class)| source.ends_with(&class.source));
        let (mut reached, mut directories) = (BTreeSet::new(), BTreeSet::new());
        let mut pending = Vec::new();
        for (name, class) in own {
            directories.insert(&class.directory);
            pending.push(name);
        }
        while let Some(name) = pending.pop() {
            if reached.insert(name) {
                pending.extend(self.users.get(name).into_iter().flatten());
            }
        }
        let mut sees: HashMap<*const _, bool> = HashMap::new();
        let mut may_run = |test: &LabTest<'_>| {
            let class = test.class.replace('.', "/");
            let uses = reached.contains(&class) || !self.classes.contains_key(&class);
            uses && *sees
                .entry(std::ptr::from_ref(test.recipe))
                .or_insert_with(|| {
                    let seen = class_directories(test.recipe);
                    seen.iter().any(|directory| directories.contains(directory))
                })
        };
        let places = (0..tests.len()).filter(|place| may_run(&tests[*place]));
        places.collect()
    }
}

/// `a/B` of `a/B$C$D`.
fn top_level(class: &str) -> &str {
    class.split('$').next().unwrap_or(class)
}

/// What may be names of classes in a text: a descriptor has some behind an `L`.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |next: char| next.is_alphanumeric() || matches!(next, '_' | '$' | '/' | '-');
    let words = text.split(move |next: char| !is_part(next));
    words.filter(|word| !word.is_empty()).flat_map(|word| {
        let behind = word.match_indices('L').map(|(at, _)| &word[at + 1..]);
        std::iter::once(word).chain(behind).map(top_level)
    })
}

#[cfg(test)]
mod tests {
    use jury_model::{Engine, TestId};

    use super::*;
    use crate::explain::bench::sample_recipe;

    /// The test classes affected by `a/T.java`, where classes have texts in their class files.
    fn check(texts: &[(&str, &str)]) -> Vec<String> {
        let directory = tempfile::tempdir().unwrap();
        let mut code = TestCode::default();
        let names = ["a.T", "a.Derived", "a.Other", "b.User"];
        for name in names {
            let name = name.replace('.', "/");
            let class = TestClass {
                directory: directory.path().to_owned(),
                source: PathBuf::from(format!("{name}.java")),
            };
            code.classes.insert(name, class);
        }
        for (class, text) in texts {
            code.add(class, text);
        }
        let mut recipe = sample_recipe();
        let blind = recipe.clone();
        recipe.class_path = vec![directory.path().display().to_string()];
        let test = |class: &str, recipe| LabTest {
            id: TestId::new(class),
            engine: Engine::new("e"),
            class: class.to_owned(),
            method: class.to_owned(),
            recipe,
            group: 0,
            micros: 1,
        };
        let mut tests = [names.as_slice(), &["c.Generated"]].concat();
        let mut tests: Vec<_> = tests.drain(..).map(|name| test(name, &recipe)).collect();
        tests.push(test("a.T", &blind));
        let affected = code.tests_of(Path::new("/p/src/test/java/a/T.java"), &tests);
        let names = affected.iter().map(|place| tests[*place].class.clone());
        names.collect()
    }

    #[test]
    fn a_source_that_nobody_uses_affects_its_own_tests() {
        // Nobody knows what a class without a class file uses.
        assert_eq!(check(&[("a/Other", "La/Tea;")]), ["a.T", "c.Generated"]);
    }

    #[test]
    fn users_of_users_are_affected() {
        for text in [
            "a/T",
            "(IJLa/T;)V",
            "[La/T$Inner;",
            "a.T#cases",
            "Ljava/util/List<La/T;>;",
        ] {
            assert_eq!(
                check(&[("a/Derived", text), ("b/User", "a/Derived")]),
                ["a.T", "a.Derived", "b.User", "c.Generated"],
                "{text}"
            );
        }
    }
}
