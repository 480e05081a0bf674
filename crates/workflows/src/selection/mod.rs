//! Runs only what a change can affect: looks at the present, answers the JVMs of a build when they
//! ask what they may leave out, and keeps what the tests that ran have used.
//!
//! Whatever cannot be known here means run: a question nobody can answer, a row that cannot be
//! read, a JVM that did not end well.

mod class_path;
mod evidence;
mod files;
mod inputs;
mod recording;
mod settled;
mod surroundings;
mod touches;
mod world;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jury_jvm::{Answer, Ask};
use jury_model::Counts;
use jury_project::{Project, TestCommand};
use jury_select::{Changes, Hashing, Policy};
use jury_store::{Store, StoreError};

use self::class_path::Listings;
use self::evidence::{ModuleEvidence, RecipeKey, Recipes, UnitVersion, judge};
use self::files::Files;
use self::inputs::Inputs;
pub(crate) use self::recording::Conclusion;
use self::settled::Settled;
pub(crate) use self::settled::SettledTests;
use self::surroundings::Surroundings;
use self::world::{Fingerprints, RecipeWorld, fingerprints};

/// How to select.
#[derive(Debug, Clone, Default)]
pub struct SelectionSettings {
    /// Run everything.
    pub all: bool,
    pub policy: Policy,
    pub hashing: Hashing,
}

/// Where a build is about to run, and how.
pub(crate) struct Place<'a> {
    pub root: &'a Path,
    pub state_dir: &'a Path,
    pub project: Option<&'a Project>,
    pub command: &'a TestCommand,
}

impl Place<'_> {
    fn surroundings(&self, inputs: &Inputs) -> Surroundings {
        Surroundings::now(self.root, self.command).with_inputs(inputs.paths())
    }
}

/// From the start of a command to the end of its build.
pub(crate) struct Selection {
    root: PathBuf,
    project: Option<Project>,
    settings: SelectionSettings,
    /// The user has named the tests to run, so none of them is left out.
    tests_named: bool,
    surroundings: Surroundings,
    inputs: Inputs,
    files: Files,
    recipes: Recipes,
    modules: BTreeMap<String, ModuleEvidence>,
    advice: BTreeMap<String, BTreeMap<String, Advice>>,
    analysis: Duration,
}

/// What was decided about a unit before it ran, or did not.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Advice {
    /// Why it has to run; empty if it may be left out.
    reasons: Vec<String>,
    counts: Counts,
}

impl Selection {
    pub fn open(
        store: &Store,
        place: &Place<'_>,
        settings: &SelectionSettings,
    ) -> Result<Self, StoreError> {
        let clock = Instant::now();
        let inputs = Inputs::of(place.root, place.state_dir);
        let files = Files::knowing(store.stamps()?);
        let mut surroundings = place.surroundings(&inputs);
        surroundings.read(&files);
        let mut recipes = Recipes::default();
        for stored in store.recipes()? {
            recipes.add_stored(stored.id, &stored.recipe);
        }
        let modules = evidence::read(store.catalogues()?, store.units()?, &recipes);
        Ok(Selection {
            root: place.root.to_owned(),
            project: place.project.cloned(),
            settings: settings.clone(),
            tests_named: names_tests(place.command),
            surroundings,
            inputs,
            files,
            recipes,
            modules,
            advice: BTreeMap::new(),
            analysis: clock.elapsed(),
        })
    }

    /// What is known of all tests, if nothing at all has changed since it was found out.
    pub fn nothing_changed(
        store: &Store,
        place: &Place<'_>,
        settings: &SelectionSettings,
    ) -> Result<Option<SettledTests>, StoreError> {
        if settings.all || names_tests(place.command) {
            return Ok(None);
        }
        let settled = store.settled()?.as_deref().and_then(Settled::decode);
        let holds = |settled: &Settled| {
            let inputs = Inputs::of(place.root, place.state_dir);
            inputs.digest(&settled.watched.outputs()) == settled.inputs
                && settled
                    .watched
                    .digest(&place.surroundings(&inputs), settings)
                    == settled.rest
        };
        Ok(settled.filter(holds).map(|settled| settled.tests))
    }

    /// Which classes a JVM that works for a module may leave out.
    pub fn answer(&mut self, ask: &Ask) -> Answer {
        let clock = Instant::now();
        let module = match &self.project {
            Some(project) => project.module_of(Path::new(&ask.directory)),
            None => ".".to_owned(),
        };
        let advice = self.advise(&module);
        let leave_out = (advice.iter())
            .filter(|(_, advice)| advice.reasons.is_empty())
            .map(|(unit, _)| unit.clone())
            .collect();
        self.advice.insert(module, advice);
        self.analysis += clock.elapsed();
        Answer {
            leave_out,
            leave_out_tests: Vec::new(),
        }
    }

    fn advise(&self, module: &str) -> BTreeMap<String, Advice> {
        let Some(evidence) = self.modules.get(module) else {
            return BTreeMap::new();
        };
        let policy = Policy {
            force: self.settings.all || self.tests_named,
            ..self.settings.policy
        };
        let changes = self.changes(evidence);
        let advise = |versions: &Vec<UnitVersion>| {
            let verdict = judge(versions, &changes, &policy);
            let explain = |version: &UnitVersion| {
                let changes = &changes[&version.recipe];
                let reasons = verdict.decision.reasons().iter();
                reasons
                    .map(|reason| reason.explain(&evidence.catalogue, changes))
                    .collect()
            };
            Advice {
                reasons: verdict.version.map_or_else(
                    || vec!["what was recorded cannot be compared with the present".to_owned()],
                    explain,
                ),
                counts: verdict
                    .version
                    .map(|version| version.counts)
                    .unwrap_or_default(),
            }
        };
        let units = evidence.units.iter();
        units
            .map(|(name, versions)| (name.clone(), advise(versions)))
            .collect()
    }

    /// What has changed for each world that some unit of the module belongs to.
    fn changes(&self, evidence: &ModuleEvidence) -> HashMap<RecipeKey, Changes> {
        let known = fingerprints(&evidence.catalogue);
        let listings = Listings::default();
        let keys: BTreeSet<RecipeKey> = (evidence.units.values().flatten())
            .map(|version| version.recipe)
            .collect();
        keys.into_iter()
            .map(|key| {
                let world = self.world(key, &listings, &known);
                (key, Changes::between(&evidence.catalogue, &world))
            })
            .collect()
    }

    fn world<'a>(
        &'a self,
        key: RecipeKey,
        listings: &Listings,
        known: &'a Fingerprints<'a>,
    ) -> RecipeWorld<'a> {
        RecipeWorld::new(
            &self.recipes.all[key],
            &self.root,
            &self.surroundings,
            &self.files,
            listings,
            self.settings.hashing,
            known,
        )
    }
}

/// Whether the user names the tests to run; all of those run.
fn names_tests(command: &TestCommand) -> bool {
    let naming = ["-Dtest=", "-Dit.test=", "--tests"];
    let named = |word: &String| naming.iter().any(|start| word.starts_with(start));
    command.args.iter().any(named)
}
