//! What is known of a module's units, and whether it still holds.

use std::collections::{BTreeMap, HashMap};

use jury_model::{Counts, Recipe};
use jury_select::{
    Catalogue, Changes, ClassChange, ClassId, Decision, Fact, FactId, Hash128, Mark, Policy,
    Reason, Recorded, Row, decide,
};
use jury_store::{RecipeId, RunId, StoredUnit};

use super::surroundings::attached;

/// A module's catalogue and what its units used.
#[derive(Debug, Default)]
pub(super) struct ModuleEvidence {
    pub catalogue: Catalogue,
    /// Versions of each unit, newest first.
    pub units: BTreeMap<String, Vec<UnitVersion>>,
}

#[derive(Debug, Clone)]
pub(super) struct UnitVersion {
    pub recipe: RecipeKey,
    pub source: VersionSource,
    pub recorded: Recorded,
    pub counts: Counts,
    pub micros: u64,
    /// See [`StoredUnit::tangle`].
    pub tangle: String,
    /// How its JVMs were launched, where that is known: several ways if the build runs the same tests in
    /// several executions.
    pub launches: Vec<Hash128>,
}

/// Where a version comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum VersionSource {
    /// A JVM of this run, by its index.
    ThisRun(usize),
    Stored(RunId, RecipeId),
    /// Another machine, through the shared cache.
    Shared,
}

impl UnitVersion {
    /// The number of the earlier run that showed it here, if one did.
    pub fn earlier_run(&self) -> Option<i64> {
        match &self.source {
            VersionSource::Stored(run, _) => Some(run.number()),
            VersionSource::ThisRun(_) | VersionSource::Shared => None,
        }
    }

    /// The unit's own class, if the row speaks of it.
    pub fn own_class(&self, unit: &str, catalogue: &Catalogue) -> Option<ClassId> {
        let class = unit.split('#').next().unwrap_or(unit);
        let name = class.replace('.', "/");
        let mut used = self.recorded.row.uses().iter().map(|(class, _)| *class);
        used.find(|class| *catalogue.class_version(*class).key.name == *name)
    }

    /// Whether it may speak for a JVM that is launched in this way. Where no way is known, only equal build
    /// files tell, and these are compared like all else.
    pub fn is_launched(&self, launch: Hash128) -> bool {
        self.launches.is_empty() || self.launches.contains(&launch)
    }

    /// The run was broken off: it tells neither what the unit uses nor that something is wrong.
    pub fn says_nothing(&self) -> bool {
        let Recorded { row, outcome } = &self.recorded;
        !outcome.is_red() && row.marks().iter().any(|mark| mark == Mark::Incomplete)
    }
}

impl ModuleEvidence {
    /// Takes over `now` for whatever its subject was before, in all versions whose JVM was launched
    /// in this way. Tells the units that it did so for.
    pub fn hold_under(&mut self, launch: Hash128, now: Fact) -> Vec<String> {
        let subject = now.subject.clone();
        let now = self.catalogue.fact(now);
        let mut units = Vec::new();
        for (unit, versions) in &mut self.units {
            for version in versions.iter_mut() {
                if !version.launches.contains(&launch) {
                    continue;
                }
                let row = &mut version.recorded.row;
                let speaks_of_it = |fact: &&FactId| {
                    **fact != now && self.catalogue.fact_seen(**fact).subject == subject
                };
                if let Some(before) = row.facts().iter().find(speaks_of_it).copied() {
                    row.replace_fact(before, now);
                    units.push(unit.clone());
                }
            }
        }
        units
    }

    /// Whether a unit's own class is not there, as on a branch that lacks it. It cannot run then;
    /// what is known of it is kept for the way back.
    pub fn is_gone(&self, unit: &str, changes: &HashMap<RecipeKey, Changes>) -> bool {
        let is_gone = |version: &UnitVersion| {
            let own = version.own_class(unit, &self.catalogue)?;
            changes.get(&version.recipe)?.class(own)
        };
        let mut versions = self.units.get(unit).into_iter().flatten();
        versions.all(|version| is_gone(version) == Some(&ClassChange::Vanished))
    }
}

/// Which of the distinct worlds a version belongs to.
pub(super) type RecipeKey = usize;

/// Recipes whose worlds differ. Two that differ only in flags or variables have one world.
#[derive(Debug, Default)]
pub(super) struct Recipes {
    pub all: Vec<Recipe>,
    keys: HashMap<RecipeId, RecipeKey>,
}

impl Recipes {
    pub fn key(&mut self, recipe: &Recipe) -> RecipeKey {
        let same = |known: &Recipe| {
            known.class_path == recipe.class_path
                && known.module_path == recipe.module_path
                && known.module_flags == recipe.module_flags
                && known.java_home == recipe.java_home
                && known.java_version == recipe.java_version
                && known.working_directory == recipe.working_directory
                && attached(known) == attached(recipe)
        };
        self.all.iter().position(same).unwrap_or_else(|| {
            self.all.push(recipe.clone());
            self.all.len() - 1
        })
    }

    pub fn known(&self, id: &RecipeId) -> Option<RecipeKey> {
        self.keys.get(id).copied()
    }

    pub fn add_stored(&mut self, id: RecipeId, recipe: &Recipe) {
        let key = self.key(recipe);
        self.keys.insert(id, key);
    }
}

/// By module. What cannot be read any more is left out: its units run again.
pub(super) fn read(
    catalogues: Vec<(String, Vec<u8>)>,
    units: Vec<StoredUnit>,
    recipes: &Recipes,
) -> BTreeMap<String, ModuleEvidence> {
    let mut modules: BTreeMap<String, ModuleEvidence> = BTreeMap::new();
    for (module, bytes) in catalogues {
        if let Ok(catalogue) = Catalogue::decode(&bytes) {
            modules.entry(module).or_default().catalogue = catalogue;
        }
    }
    for unit in units {
        let Some(evidence) = modules.get_mut(&unit.module) else {
            continue;
        };
        let row = Row::decode(&unit.row, &evidence.catalogue);
        if let (Ok(row), Some(recipe)) = (row, recipes.keys.get(&unit.recipe)) {
            let version = UnitVersion {
                recipe: *recipe,
                source: VersionSource::Stored(unit.run, unit.recipe),
                recorded: Recorded {
                    row,
                    outcome: unit.outcome,
                },
                counts: unit.counts,
                micros: unit.micros,
                tangle: unit.tangle,
                launches: unit.launches.into_iter().map(Hash128).collect(),
            };
            evidence.units.entry(unit.name).or_default().push(version);
        }
    }
    modules
}

/// What is to become of a unit, and the version that speaks for it.
#[derive(Debug)]
pub(super) struct Verdict<'v> {
    pub decision: Decision,
    pub version: Option<&'v UnitVersion>,
    /// The version was recorded in a state like the present.
    pub holds: bool,
}

/// The newest version that was recorded in a state like the present speaks for the unit; if there
/// is none, the newest says what has changed since.
pub(super) fn judge<'v>(
    versions: impl IntoIterator<Item = &'v UnitVersion>,
    changes: &HashMap<RecipeKey, Changes>,
    policy: &Policy,
) -> Verdict<'v> {
    let mut newest = None;
    for version in versions {
        // A version whose world nobody looked at says nothing.
        let Some(changes) = changes.get(&version.recipe) else {
            continue;
        };
        let decision = decide(Some(&version.recorded), changes, policy);
        let changed =
            |reason: &Reason| matches!(reason, Reason::Class { .. } | Reason::Fact { .. });
        let holds = !version.says_nothing() && !decision.reasons().iter().any(changed);
        let verdict = Verdict {
            decision,
            version: Some(version),
            holds,
        };
        if holds {
            return verdict;
        }
        newest.get_or_insert(verdict);
    }
    newest.unwrap_or_else(|| Verdict {
        decision: decide(None, &Changes::default(), policy),
        version: None,
        holds: false,
    })
}
