//! Which test ended how: what an audit compares beside numbers of tests, in which one that is skipped
//! stands in for another that no longer is.

use std::collections::{BTreeMap, HashMap};

use jury_jvm::{JvmEvidence, TestSeen};
use jury_model::{Outcome, UnitName};
use jury_store::{Store, StoreError};

/// How tests ended that did not pass, by run, module and id.
#[derive(Debug, Default)]
pub(super) struct Unpassed(HashMap<(i64, String, String), Outcome>);

impl Unpassed {
    pub fn read(store: &Store) -> Result<Self, StoreError> {
        let all = store.unpassed()?.into_iter();
        let keyed = all.map(|one| {
            let key = (one.run.number(), one.module, one.test.as_str().to_owned());
            (key, one.outcome)
        });
        Ok(Unpassed(keyed.collect()))
    }

    fn of(&self, run: i64, module: &str, id: &str) -> Option<Outcome> {
        let key = (run, module.to_owned(), id.to_owned());
        self.0.get(&key).copied()
    }
}

/// The tests of a build by outermost class, each with its worst end.
pub(super) struct Shown<'j>(BTreeMap<(&'j str, &'j str), Vec<&'j TestSeen>>);

impl<'j> Shown<'j> {
    pub fn of(jvms: &'j [JvmEvidence], modules: &'j [String]) -> Self {
        let mut worst: BTreeMap<(&str, &str), &TestSeen> = BTreeMap::new();
        for (jvm, module) in jvms.iter().zip(modules) {
            for seen in &jvm.tests {
                let known = worst.entry((module, seen.test.id.as_str())).or_insert(seen);
                if known.outcome < seen.outcome {
                    *known = seen;
                }
            }
        }
        let mut classes: BTreeMap<_, Vec<&TestSeen>> = BTreeMap::new();
        for ((module, _), seen) in worst {
            let class = (module, seen.test.top_level_class());
            classes.entry(class).or_default().push(seen);
        }
        Shown(classes)
    }

    /// In words, tests of a unit that did not pass in a run and ended in another way now. If as many tests
    /// passed as before, there is one for each that passed then and no longer does.
    pub fn otherwise(&self, unit: &UnitName, known: &Unpassed, run: i64) -> Vec<String> {
        let class = (unit.module.as_str(), unit.outermost_class());
        let tests = self.0.get(&class).into_iter().flatten();
        let own =
            tests.filter(|seen| unit.method.is_none() || seen.test.method_unit() == unit.unit());
        own.filter_map(|seen| {
            let before = known.of(run, &unit.module, seen.test.id.as_str())?;
            let label = seen.test.label();
            (before != seen.outcome)
                .then(|| format!("`{label}`: was {before}; now {}", seen.outcome))
        })
        .collect()
    }
}
