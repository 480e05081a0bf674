//! Test classes that the project's class files show, whether or not one of them has ever run.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use jury_impact::{ByName, ClassFacts, Name, Suite};

use super::census::{Census, Purpose};
use super::places::own_places;
use super::plain;
use super::snapshot::Snapshot;
use crate::WorkflowError;

/// An outermost class that holds tests.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TestClass {
    pub name: String,
    /// The directory that it is in.
    pub place: PathBuf,
    /// It was there when a build last ran, and what makes it a test was as it is now.
    pub was_there: bool,
}

pub(crate) fn test_classes(root: &Path, state_dir: &Path) -> Result<Vec<TestClass>, WorkflowError> {
    let places = own_places(root, state_dir)?;
    let census = Census::take(state_dir, &places, &[], Purpose::Comparison);
    census.keep(state_dir);
    let snapshot = Snapshot::read(state_dir);
    let noted = snapshot.as_ref().and_then(Snapshot::hashes);
    let noted: HashMap<&str, [u8; 16]> = noted.unwrap_or_default().into_iter().collect();
    let is_noted = |name: &str, hash: &[u8; 16]| noted.get(name) == Some(hash);
    let hashes = census.hashes();
    let changed: HashSet<Name> = (hashes.iter())
        .filter(|(name, hash)| !is_noted(name, hash))
        .filter_map(|(name, _)| census.names.find(name))
        .collect();
    let own: Vec<&ClassFacts> = census.own().map(|class| class.facts).collect();
    let found: HashMap<Name, &Path> = (census.own())
        .map(|class| (class.facts.name, class.place))
        .collect();
    let suite = Suite::of(&census.names, &own);
    let mut facts = ByName::new(&census.names);
    own.iter()
        .for_each(|class| facts.insert(class.name, *class));
    let is_as_noted = |classes: Vec<Name>| with_origins(&facts, classes).is_disjoint(&changed);
    let tests = suite.tests().map(|(test, within)| TestClass {
        name: plain(census.names.text(test)),
        place: found.get(&test).copied().unwrap_or(root).to_owned(),
        was_there: is_as_noted([within, &[test]].concat()),
    });
    Ok(tests.collect())
}

/// Classes with their supertypes and annotations, of which each may make them tests.
fn with_origins(facts: &ByName<&ClassFacts>, classes: Vec<Name>) -> HashSet<Name> {
    let (mut all, mut pending) = (HashSet::new(), classes);
    while let Some(name) = pending.pop() {
        if all.insert(name)
            && let Some(class) = facts.get(name)
        {
            pending.extend(class.supertypes.iter().chain(&class.annotations));
        }
    }
    all
}
