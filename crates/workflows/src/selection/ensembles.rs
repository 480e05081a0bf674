//! Modules whose test classes run as a whole or not at all.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use jury_select::makes_ensemble;

use super::grouping::class_of;
use super::{Advice, Selection};
use crate::impact::output_places;

const REASON: &str =
    "a test class beside it runs, and with TestNG some classes here need others to run, too";

impl Selection {
    /// If some unit of an ensemble runs, `units` that nothing is known of among them, all do.
    pub(super) fn keep_ensemble(
        &self,
        module: &str,
        units: &[String],
        advice: &mut BTreeMap<String, Advice>,
    ) {
        let known: BTreeSet<&str> = advice.keys().map(|unit| class_of(unit)).collect();
        let is_new = units.iter().any(|unit| !known.contains(unit.as_str()));
        let (run, left): (Vec<_>, Vec<_>) = (advice.values_mut())
            .filter(|advice| advice.wanted)
            .partition(|advice| !advice.reasons.is_empty());
        if (is_new || !run.is_empty()) && !left.is_empty() && self.is_ensemble(module) {
            for advice in left {
                advice.reasons.push(REASON.to_owned());
            }
        }
    }

    /// Looked up once: the JVMs of a module all ask after its classes have been compiled.
    fn is_ensemble(&self, module: &str) -> bool {
        let mut known = self.ensembles.borrow_mut();
        *known.entry(module.to_owned()).or_insert_with(|| {
            let places = self.places_of_tests(module);
            places.iter().any(|place| holds_ensemble(place))
        })
    }

    /// Where classes are that TestNG may run for a module.
    fn places_of_tests(&self, module: &str) -> BTreeSet<PathBuf> {
        let Some(evidence) = self.modules.get(module) else {
            return self.project.iter().flat_map(output_places).collect();
        };
        let recipes: BTreeSet<usize> = (evidence.units.values().flatten())
            .map(|version| version.recipe)
            .collect();
        let entries = (recipes.into_iter()).flat_map(|key| {
            let recipe = &self.recipes.all[key];
            recipe.module_path.iter().chain(&recipe.class_path)
        });
        let entries: BTreeSet<PathBuf> = entries.map(PathBuf::from).collect();
        match entries.iter().any(|entry| is_testng(entry)) {
            true => entries.into_iter().filter(|entry| entry.is_dir()).collect(),
            false => BTreeSet::new(),
        }
    }
}

fn is_testng(entry: &Path) -> bool {
    let name = entry.file_name().unwrap_or_default();
    name.to_string_lossy().contains("testng")
}

fn holds_ensemble(directory: &Path) -> bool {
    let mut entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return holds_ensemble(&path);
        }
        let is_class = path.extension().is_some_and(|kind| kind == "class");
        // A class that cannot be read tells nobody what it needs.
        is_class && fs::read(&path).is_ok_and(|bytes| makes_ensemble(&bytes).unwrap_or(true))
    })
}
