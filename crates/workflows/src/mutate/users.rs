//! Which tests depend on what a method did while a class was initialised.
//!
//! A class is initialised once in a JVM, by whichever test comes first. That this test ran the method
//! says nothing about the others, which meet what came of it. What `jury test` has booked does: there
//! an initialiser, and all that it ran, counts for every test class that uses the class.

use std::collections::{BTreeSet, HashMap, HashSet};

use jury_mutate::MethodId;
use jury_select::{Catalogue, Mark, Row};
use jury_store::{Store, StoreError};

use super::memory::Inputs;

/// What test classes used, as far as that is known.
#[derive(Default)]
pub(super) struct Users {
    modules: HashMap<String, Module>,
}

#[derive(Default)]
struct Module {
    catalogue: Catalogue,
    /// Rows of each test class, the newest of each unit first; none of them is thrown away, since another branch may have made it.
    rows: Vec<(String, Row)>,
}

/// The test classes that depend on each of some methods.
#[derive(Debug, Default)]
pub(super) struct UsersOfMethods<'m> {
    /// Those of which it is known what they use.
    known: HashSet<String>,
    by_method: HashMap<&'m MethodId, HashSet<String>>,
}

impl UsersOfMethods<'_> {
    pub fn may_include(&self, method: &MethodId, test_class: &str) -> bool {
        let users = self.by_method.get(method);
        !self.known.contains(test_class) || users.is_some_and(|users| users.contains(test_class))
    }
}

impl Users {
    pub fn read(store: &Store) -> Result<Self, StoreError> {
        let mut modules: HashMap<String, Module> = HashMap::new();
        for (module, bytes) in store.catalogues()? {
            // What cannot be read says nothing, and whoever it spoke of counts as a user.
            if let Ok(catalogue) = Catalogue::decode(&bytes) {
                modules.entry(module).or_default().catalogue = catalogue;
            }
        }
        for unit in store.units()? {
            let Some(module) = modules.get_mut(&unit.module) else {
                continue;
            };
            if let Ok(row) = Row::decode(&unit.row, &module.catalogue) {
                let class = unit.name.split('#').next().unwrap_or_default();
                module.rows.push((class.to_owned(), row));
            }
        }
        Ok(Users { modules })
    }

    /// The files that tests use.
    pub fn inputs(&self) -> Inputs {
        let mut inputs = Inputs::default();
        for module in self.modules.values() {
            for (test_class, row) in &module.rows {
                for id in row.facts() {
                    let fact = module.catalogue.fact_seen(*id);
                    inputs.add(test_class, &fact.subject, fact.state);
                }
            }
        }
        inputs
    }

    /// Who may depend on each of some methods; a test class of which too little is known depends on
    /// all of them.
    pub fn of<'m>(&self, methods: &BTreeSet<&'m MethodId>) -> UsersOfMethods<'m> {
        let mut by_class: HashMap<&str, Vec<&'m MethodId>> = HashMap::new();
        for &method in methods {
            by_class.entry(&method.class).or_default().push(method);
        }
        let mut users = UsersOfMethods::default();
        for module in self.modules.values() {
            for (test_class, row) in &module.rows {
                if row.marks().iter().any(|mark| mark == Mark::Incomplete) {
                    continue;
                }
                users.known.insert(test_class.clone());
                for (class, usage) in row.uses() {
                    let version = module.catalogue.class_version(*class);
                    let wanted = by_class.get(&*version.key.name).into_iter().flatten();
                    for &method in wanted {
                        let MethodId {
                            name, descriptor, ..
                        } = method;
                        if usage.may_run(&version.fingerprint, name, descriptor) {
                            let users = users.by_method.entry(method).or_default();
                            users.insert(test_class.clone());
                        }
                    }
                }
            }
        }
        users
    }
}
