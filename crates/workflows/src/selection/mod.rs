//! Runs only what a change can affect: looks at the present, answers the JVMs of a build when they
//! ask what they may leave out, and keeps what the tests that ran have used.
//!
//! Whatever cannot be known here means run: a question nobody can answer, a row that cannot be
//! read, a JVM that did not end well.

mod class_path;
mod ensembles;
mod evidence;
mod files;
mod flaky;
mod grouping;
mod inputs;
mod launch;
mod outcomes;
mod places;
mod recording;
mod settled;
mod shared;
mod since;
mod speakers;
mod statics;
mod suites;
mod surroundings;
mod touches;
mod wanted;
mod world;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use jury_jvm::{Answer, Ask, Launch};
use jury_model::{ChosenUnits, Counts, Foreseen, Outcome, UnitName};
use jury_project::{Outside, Project};
pub use jury_select::Granularity;
use jury_select::{
    Catalogue, Changes, Cost, FactId, Hash128, Hashing, Policy, Prospect, choose_granularity, order,
};
use jury_store::{FileStamp, Store, StoreError, StoredFlaky};

use self::class_path::Listings;
use self::evidence::{ModuleEvidence, RecipeKey, Recipes, UnitVersion, VersionSource, judge};
use self::files::Files;
use self::grouping::{by_class, class_of, is_method};
pub(crate) use self::inputs::Inputs;
use self::launch::launch_hash;
use self::outcomes::Unpassed;
pub(crate) use self::recording::{Conclusion, Ending};
use self::settled::Settled;
pub(crate) use self::settled::SettledTests;
use self::shared::Shared;
pub(crate) use self::since::Since;
use self::statics::StaticCourse;
pub use self::statics::Statically;
use self::surroundings::Surroundings;
pub use self::wanted::Wanted;
use self::world::{Fingerprints, RecipeWorld, fingerprints};
use crate::impact::TestClass;

/// How to select.
#[derive(Debug, Clone, Default)]
pub struct SelectionSettings {
    pub wanted: Wanted,
    /// Run everything, and compare what would have been left out with what was known of it.
    pub audit: bool,
    /// Audit in every n-th run.
    pub audit_every: Option<u32>,
    /// Test classes that run whatever has changed.
    pub always_run: Vec<String>,
    /// What is selected: test classes, or test methods.
    pub granularity: GranularityChoice,
    /// Test classes that do not run, whatever has changed.
    pub exclude: Vec<String>,
    pub policy: Policy,
    pub hashing: Hashing,
    /// Judge by class files alone instead of by evidence.
    pub statically: Option<Statically>,
    /// Leave tests that the build runs in its own JVM where they are, out of sight.
    pub keep_in_process: bool,
}

impl SelectionSettings {
    /// The command and what else decides how the tests are run. What passed in a JVM of its own says
    /// nothing about the same test inside the build tool.
    pub(crate) fn way_to_run(&self, command: &str) -> String {
        match self.keep_in_process {
            true => format!("{command} (tests inside the build tool stay there)"),
            false => command.to_owned(),
        }
    }
}

/// What is to be selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GranularityChoice {
    #[default]
    Class,
    Method,
    /// Methods if they are estimated to save enough, else classes.
    Auto,
}

impl GranularityChoice {
    /// What is told apart while tests run. Rows of methods can speak for their class.
    pub fn collected(self) -> Granularity {
        match self {
            GranularityChoice::Class => Granularity::Class,
            GranularityChoice::Method | GranularityChoice::Auto => Granularity::Method,
        }
    }
}

/// Where a build is about to run, and how.
pub(crate) struct Place<'a> {
    pub root: &'a Path,
    pub state_dir: &'a Path,
    pub project: Option<&'a Project>,
    /// As a person would type it, and what [`SelectionSettings::way_to_run`] adds to it.
    pub command: &'a str,
}

impl Place<'_> {
    /// What the build draws on besides the tree below its root.
    fn outside(&self) -> Outside {
        self.project.map(Project::outside).unwrap_or_default()
    }

    fn inputs(&self, outside: &Outside, skipped: &[&Path]) -> Inputs {
        let trees = outside.trees.iter().map(PathBuf::as_path);
        Inputs::of([self.root].into_iter().chain(trees), skipped)
    }

    fn surroundings(&self, inputs: &Inputs, outside: &Outside) -> Surroundings {
        Surroundings::now(self.root, self.command).with_inputs(inputs.paths(), outside)
    }
}

/// From the start of a command to the end of its build.
pub(crate) struct Selection {
    root: PathBuf,
    state_dir: PathBuf,
    project: Option<Project>,
    settings: SelectionSettings,
    /// The user has named the tests to run, so none of them is left out.
    tests_named: bool,
    granularity: Granularity,
    surroundings: Surroundings,
    inputs: Inputs,
    outside: Outside,
    files: Files,
    recipes: Recipes,
    modules: BTreeMap<String, ModuleEvidence>,
    /// What an audit compares with; empty otherwise.
    unpassed: Unpassed,
    /// Tests that were found to be flaky, in whatever state.
    flaky: Vec<StoredFlaky>,
    advice: BTreeMap<String, BTreeMap<String, Advice>>,
    /// Units, with their modules, of which earlier evidence was found to hold under these build
    /// files, too.
    held_over: BTreeSet<(String, String)>,
    /// Classes, with their modules, that some execution of this build has found already.
    found: BTreeSet<(String, String)>,
    /// Units, with their modules, that were left out, and the version that spoke for it.
    left_out: BTreeMap<(String, String), VersionSource>,
    /// By module, what running classes and what running methods would cost, where that decides.
    estimates: BTreeMap<String, (Cost, Cost)>,
    /// Whether a module's test classes are an ensemble, once that was asked.
    ensembles: RefCell<BTreeMap<String, bool>>,
    /// Which classes are known to run within which suites.
    suites: Vec<String>,
    /// The latest run that anything is known from.
    latest_run: i64,
    shared: Option<Shared>,
    since: Option<Since>,
    /// Only if class files alone decide.
    statics: Option<StaticCourse>,
    analysis: Duration,
}

/// What was decided about a unit before it ran, or did not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Advice {
    /// False if the user does not want it to run, whatever has changed.
    wanted: bool,
    /// Why it has to run; empty if it may be left out.
    reasons: Vec<String>,
    /// Some evidence was recorded in a state like the present.
    speaks: bool,
    /// Where that evidence is from.
    source: Option<VersionSource>,
    counts: Counts,
    micros: u64,
    runs_since_red: Option<u32>,
    /// Why it is a class although methods were asked for.
    tangle: String,
}

impl Advice {
    /// Adds the advice on another unit, so that this one is about both.
    fn join(&mut self, other: &Advice) {
        for reason in &other.reasons {
            if !self.reasons.contains(reason) {
                self.reasons.push(reason.clone());
            }
        }
        self.wanted |= other.wanted;
        self.counts.add_all(&other.counts);
        self.micros += other.micros;
    }
}

impl Selection {
    pub fn open(
        store: &Store,
        place: &Place<'_>,
        settings: &SelectionSettings,
    ) -> Result<Self, StoreError> {
        let clock = Instant::now();
        let outside = place.outside();
        let inputs = place.inputs(&outside, &[place.state_dir]);
        let files = Files::knowing(store.stamps()?);
        let mut surroundings = place.surroundings(&inputs, &outside);
        surroundings.read_build_files(&files);
        let mut recipes = Recipes::default();
        for stored in store.recipes(place.root)? {
            recipes.add_stored(stored.id, &stored.recipe);
        }
        let modules = evidence::read(store.catalogues()?, store.units()?, &recipes);
        let versions = modules
            .values()
            .flat_map(|module| module.units.values())
            .flatten();
        let runs = versions.filter_map(UnitVersion::earlier_run);
        let latest_run = runs.max().unwrap_or_default();
        Ok(Selection {
            root: place.root.to_owned(),
            state_dir: place.state_dir.to_owned(),
            project: place.project.cloned(),
            settings: settings.clone(),
            tests_named: names_tests(place.command),
            // Class files do not tell what one method of a test leads to.
            granularity: match settings.statically {
                Some(_) => Granularity::Class,
                None => settings.granularity.collected(),
            },
            surroundings,
            inputs,
            outside,
            files,
            recipes,
            modules,
            unpassed: match settings.audit {
                true => Unpassed::read(store)?,
                false => Unpassed::default(),
            },
            flaky: store.flaky_tests()?,
            advice: BTreeMap::new(),
            held_over: BTreeSet::new(),
            found: BTreeSet::new(),
            left_out: BTreeMap::new(),
            estimates: BTreeMap::new(),
            ensembles: RefCell::default(),
            suites: suites::suites(&store.tests_in_suites()?),
            latest_run,
            shared: None,
            since: None,
            statics: (settings.statically.clone())
                .map(|how| StaticCourse::open(how, place.state_dir.to_owned())),
            analysis: clock.elapsed(),
        })
    }

    /// Runs what uses anything that changed since then, too.
    pub fn run_since(&mut self, since: Since) {
        self.since = Some(since.with_sources(self.inputs.paths()));
    }

    /// What is known of all tests, if nothing at all has changed since it was found out.
    pub fn nothing_changed(
        store: &Store,
        place: &Place<'_>,
        settings: &SelectionSettings,
    ) -> Result<Option<SettledTests>, StoreError> {
        let asked_for =
            settings.wanted == Wanted::All || settings.audit || !settings.always_run.is_empty();
        let narrowed = settings.narrows() || settings.statically.is_some();
        if asked_for || narrowed || names_tests(place.command) {
            return Ok(None);
        }
        let settled = store.settled()?.as_deref().and_then(Settled::decode);
        let holds = |settled: &Settled| {
            let outputs = settled.watched.outputs.iter().map(PathBuf::as_path);
            let skipped: Vec<&Path> = outputs.chain([place.state_dir]).collect();
            // The two halves of a project's files are looked at side by side.
            thread::scope(|scope| {
                let outputs = scope.spawn(|| settled.watched.outputs_digest());
                let outside = place.outside();
                let inputs = place.inputs(&outside, &skipped);
                let surroundings = place.surroundings(&inputs, &outside);
                inputs.digest(&settled.watched.outputs()) == settled.inputs
                    && outputs.join().is_ok_and(|digest| digest == settled.outputs)
                    && settled.watched.digest(&surroundings, settings) == settled.rest
            })
        };
        Ok(settled.filter(holds).map(|settled| settled.tests))
    }

    /// Whether it is known of any test what it uses.
    pub fn knows_something(&self) -> bool {
        let units = self
            .modules
            .values()
            .flat_map(|module| module.units.values());
        units.flatten().next().is_some()
    }

    /// Which classes, and which methods of others, a JVM that works for a module may leave out.
    /// `launch` is how it was launched itself, if it runs tests.
    pub fn answer(&mut self, ask: &Ask, launch: Option<&Launch>) -> Answer {
        let clock = Instant::now();
        let module = self.module_of(Path::new(&ask.directory));
        let launch = launch.and_then(|launch| self.launch_hash(launch));
        if let Some(launch) = launch {
            self.hold_under_build_files(&module, launch);
        }
        let mut advice = match self.statics.take() {
            Some(mut course) => {
                let advice = self.advise_statically(&mut course, &module);
                self.statics = Some(course);
                advice
            }
            None => self.advise_with_shared(&module, &ask.units, launch),
        };
        if launch.is_none() {
            self.doubt_held_over(&module, &ask.units, &mut advice);
            self.doubt_found(&module, &ask.units, &mut advice);
        }
        self.doubt_flaky(&module, &mut advice);
        self.keep_ensemble(&module, &ask.units, &mut advice);
        let mut answer = Answer {
            leave_out_like: self.settings.exclude.clone(),
            suites: self.suites.clone(),
            ..Answer::default()
        };
        let classes = by_class(&advice);
        let by_method = !self.settings.audit && self.selects_methods(&module, &classes);
        // Whoever gets an order may leave tests out, now or in the JVMs that run them.
        let is_forced =
            self.settings.audit || self.settings.wanted == Wanted::All || self.tests_named;
        let is_known = |unit: &String| classes.contains_key(unit.as_str());
        if !is_forced && ask.units.iter().any(is_known) {
            answer.order = in_order(&ask.units, &classes);
        }
        if self.settings.wanted == Wanted::Failing {
            let unknown = (ask.units.iter()).filter(|unit| !classes.contains_key(unit.as_str()));
            answer.leave_out.extend(unknown.cloned());
        }
        for (class, units) in classes {
            let needless = |advice: &Advice| {
                let unaffected = advice.reasons.is_empty() && !self.settings.audit;
                !advice.wanted || unaffected
            };
            let mut left_out = units.clone();
            left_out.retain(|(_, advice)| needless(advice));
            for (unit, advice) in &left_out {
                if let Some(source) = &advice.source {
                    let unit = (module.clone(), (*unit).to_owned());
                    self.left_out.entry(unit).or_insert_with(|| source.clone());
                }
            }
            if left_out.len() == units.len() {
                answer.leave_out.push(class.to_owned());
            } else if by_method {
                let methods = left_out.iter().map(|(unit, _)| (*unit).to_owned());
                answer.leave_out_methods.extend(methods);
            }
        }
        self.advice.insert(module, advice);
        self.analysis += clock.elapsed();
        answer
    }

    /// Whether a module's methods are selected rather than its classes.
    fn selects_methods(
        &mut self,
        module: &str,
        classes: &BTreeMap<&str, Vec<(&str, &Advice)>>,
    ) -> bool {
        match self.settings.granularity {
            GranularityChoice::Class => false,
            GranularityChoice::Method => true,
            GranularityChoice::Auto => {
                let (class, method) = estimate(classes);
                self.estimates.insert(module.to_owned(), (class, method));
                choose_granularity(&class, Some(&method)) == Granularity::Method
            }
        }
    }

    /// What was chosen for the whole build, if it was left to us.
    fn chosen_units(&self) -> Option<ChosenUnits> {
        if self.estimates.is_empty() {
            return None;
        }
        let mut chosen = ChosenUnits::default();
        for (class, method) in self.estimates.values() {
            let by_method = choose_granularity(class, Some(method)) == Granularity::Method;
            chosen.methods |= by_method;
            chosen.class_micros += class.total();
            chosen.chosen_micros += if by_method { method } else { class }.total();
        }
        Some(chosen)
    }

    /// How many runs ago a unit was last red, as far as its versions reach back.
    fn runs_since_red(&self, versions: &[UnitVersion]) -> Option<u32> {
        let red = |version: &&UnitVersion| version.recorded.outcome.is_red();
        let run = versions.iter().find(red)?.earlier_run()?;
        u32::try_from(self.latest_run - run).ok()
    }

    /// By what is known here and, where that is not enough, elsewhere.
    fn advise_with_shared(
        &mut self,
        module: &str,
        units: &[String],
        launch: Option<Hash128>,
    ) -> BTreeMap<String, Advice> {
        let advice = self.advise(module, launch);
        match self.take_shared(module, units, &advice) {
            true => self.advise(module, launch),
            false => advice,
        }
    }

    fn module_of(&self, path: &Path) -> String {
        match &self.project {
            Some(project) => project.module_of(path),
            None => ".".to_owned(),
        }
    }

    fn launch_hash(&self, launch: &Launch) -> Option<Hash128> {
        launch_hash(launch, &self.root, self.surroundings.variables())
    }

    /// Whatever was edited in build files, they launch a JVM of this module in this way. So what
    /// was seen in such a JVM holds under them.
    fn hold_under_build_files(&mut self, module: &str, launch: Hash128) {
        let Some(now) = self.surroundings.build_files() else {
            return;
        };
        if let Some(evidence) = self.modules.get_mut(module) {
            let units = evidence.hold_under(launch, now).into_iter();
            self.held_over
                .extend(units.map(|unit| (module.to_owned(), unit)));
        }
    }

    /// That evidence holds under edited build files was shown by a JVM that these launch. They may
    /// launch another one for the same tests in another way, as a further execution of Surefire
    /// does: it has to be started to find out.
    fn doubt_held_over(
        &self,
        module: &str,
        asked: &[String],
        advice: &mut BTreeMap<String, Advice>,
    ) {
        let asked: HashSet<&str> = asked.iter().map(String::as_str).collect();
        for (unit, advice) in advice {
            let is_held = self.held_over.contains(&(module.to_owned(), unit.clone()));
            let is_asked_for = asked.is_empty() || asked.contains(class_of(unit));
            if is_held && is_asked_for && advice.reasons.is_empty() {
                let reason = "an edited build file may launch its JVM in another way";
                advice.reasons.push(reason.to_owned());
            }
        }
    }

    /// Test classes that an earlier execution of this build has found, too: a further one may run them
    /// in another way, which only its JVM can tell.
    fn doubt_found(
        &mut self,
        module: &str,
        asked: &[String],
        advice: &mut BTreeMap<String, Advice>,
    ) {
        let is_new = |class: &&String| !self.found.contains(&(module.to_owned(), (*class).clone()));
        let (new, again): (Vec<&String>, Vec<&String>) = asked.iter().partition(is_new);
        let again: HashSet<&str> = again.into_iter().map(String::as_str).collect();
        for (unit, advice) in advice {
            if again.contains(class_of(unit)) && advice.reasons.is_empty() {
                let reason = "a further execution may launch its JVM in another way";
                advice.reasons.push(reason.to_owned());
            }
        }
        let new = new
            .into_iter()
            .map(|class| (module.to_owned(), class.clone()));
        self.found.extend(new.collect::<Vec<_>>());
    }

    /// `launch` is that of the JVM that would run them, if it is known.
    fn advise(&self, module: &str, launch: Option<Hash128>) -> BTreeMap<String, Advice> {
        let Some(evidence) = self.modules.get(module) else {
            return BTreeMap::new();
        };
        let changes = self.changes(evidence);
        let advise = |name: &str, versions: &Vec<UnitVersion>| {
            let latest = versions.first();
            // Where it passed under another command, which may name one of its tests, it may still be red
            // under this one.
            let is_ours =
                |version: &&UnitVersion| self.ran_by_this_command(version, evidence, &changes);
            let ours = versions.iter().find(is_ours);
            let last = (latest.into_iter().chain(ours))
                .map(|version| version.recorded.outcome)
                .max();
            let Some(policy) = self.policy(name, last) else {
                return Advice {
                    counts: latest.map(|version| version.counts).unwrap_or_default(),
                    ..Advice::default()
                };
            };
            // What was seen in a JVM that was launched in another way says nothing about this one.
            let fits =
                |version: &&UnitVersion| launch.is_none_or(|launch| version.is_launched(launch));
            let is_known = versions.iter().any(|version| fits(&version));
            let fitting = versions.iter().filter(|version| !is_known || fits(version));
            let verdict = judge(fitting, &changes, &policy);
            let explain = |version: &UnitVersion| {
                let changes = &changes[&version.recipe];
                let reasons = verdict.decision.reasons().iter();
                reasons
                    .map(|reason| reason.explain(&evidence.catalogue, changes))
                    .collect()
            };
            let mut reasons: Vec<String> = verdict.version.map_or_else(
                || vec!["what was recorded cannot be compared with the present".to_owned()],
                explain,
            );
            if reasons.is_empty() {
                reasons.extend(self.changed_since(versions, &evidence.catalogue));
            }
            if !is_known && !versions.is_empty() && reasons.is_empty() {
                reasons.push("its JVM is launched in another way".to_owned());
            }
            Advice {
                wanted: true,
                reasons,
                speaks: verdict.holds,
                source: verdict.version.map(|version| version.source.clone()),
                counts: verdict
                    .version
                    .map(|version| version.counts)
                    .unwrap_or_default(),
                micros: verdict.version.map_or(0, |version| version.micros),
                runs_since_red: self.runs_since_red(versions),
                tangle: (verdict.version)
                    .map(|version| version.tangle.clone())
                    .unwrap_or_default(),
            }
        };
        let units = evidence.units.iter();
        units
            .filter(|(name, _)| !evidence.is_gone(name, &changes))
            .map(|(name, versions)| (name.clone(), advise(name, versions)))
            .collect()
    }

    fn ran_by_this_command(
        &self,
        version: &UnitVersion,
        evidence: &ModuleEvidence,
        changes: &HashMap<RecipeKey, Changes>,
    ) -> bool {
        let is_other = |fact: &FactId| {
            let subject = &evidence.catalogue.fact_seen(*fact).subject;
            let changed = changes.get(&version.recipe).and_then(|all| all.fact(*fact));
            surroundings::is_command(subject) && changed.is_some()
        };
        !version.recorded.row.facts().iter().any(is_other)
    }

    /// Why a unit is to run that nothing has happened to since it was last seen. Any of its
    /// versions may speak of something that is gone by now.
    fn changed_since(&self, versions: &[UnitVersion], catalogue: &Catalogue) -> Option<String> {
        let since = self.since.as_ref()?;
        versions.iter().find_map(|version| {
            let recipe = &self.recipes.all[version.recipe];
            since.reason(&version.recorded.row, catalogue, recipe)
        })
    }

    /// What would become of every known unit in the present state, but those that are not wanted.
    pub fn foresee(&self) -> Vec<Foreseen> {
        let mut foreseen = Vec::new();
        for module in self.modules.keys() {
            let mut advice = self.advise(module, None);
            self.doubt_flaky(module, &mut advice);
            self.keep_ensemble(module, &[], &mut advice);
            let units = self.in_units_to_run(advice).into_iter();
            for (unit, advice) in units.filter(|(_, advice)| advice.wanted) {
                foreseen.push(Foreseen {
                    unit: UnitName::new(module, &unit),
                    reasons: advice.reasons,
                    tests: advice.counts,
                    micros: Some(advice.micros),
                    tangle: Some(advice.tangle).filter(|tangle| !tangle.is_empty()),
                });
            }
        }
        foreseen
    }

    /// Test classes of which nothing is known, unless they are not wanted: `jury test` runs them if the build
    /// takes them for tests.
    pub fn foresee_new(&self, tests: impl IntoIterator<Item = TestClass>) -> Vec<Foreseen> {
        let units = (self.modules.values()).flat_map(|module| module.units.keys());
        let known: HashSet<&str> = units.map(|unit| class_of(unit)).collect();
        let new = (tests.into_iter())
            .filter(|test| !known.contains(test.name.as_str()))
            .filter(|test| self.policy(&test.name, None).is_some());
        new.map(|test| Foreseen {
            unit: UnitName::new(self.module_of(&test.place), &test.name),
            reasons: vec!["new: it was never seen to run".to_owned()],
            tests: Counts::default(),
            micros: None,
            tangle: None,
        })
        .collect()
    }

    /// Test classes of which everything that they depend on is as it was when they were last seen,
    /// in whichever module.
    pub fn unaffected_classes(mut self) -> (BTreeSet<String>, Vec<FileStamp>) {
        // That somebody named tests to the build says nothing about them.
        self.tests_named = false;
        let (affected, unaffected): (Vec<Foreseen>, Vec<Foreseen>) =
            (self.foresee().into_iter()).partition(|unit| !unit.reasons.is_empty());
        let classes = |units: Vec<Foreseen>| units.into_iter().map(|unit| unit.unit.class);
        let mut unaffected: BTreeSet<String> = classes(unaffected).collect();
        classes(affected).for_each(|class| _ = unaffected.remove(&class));
        (unaffected, self.take_stamps())
    }

    /// Joins methods of a class to one unit where classes are selected.
    fn in_units_to_run(&self, advice: BTreeMap<String, Advice>) -> BTreeMap<String, Advice> {
        if self.granularity == Granularity::Method {
            return advice;
        }
        let mut classes: BTreeMap<String, Advice> = BTreeMap::new();
        for (unit, advice) in &advice {
            match is_method(unit) {
                true => (classes.entry(class_of(unit).to_owned()).or_default()).join(advice),
                false => _ = classes.insert(unit.clone(), advice.clone()),
            }
        }
        classes
    }

    /// Hashes taken on the way, worth keeping.
    pub fn take_stamps(&self) -> Vec<FileStamp> {
        self.files.take_news()
    }

    /// True if a source was written after every class: what is foreseen is then out of date.
    pub fn awaits_compilation(&self) -> bool {
        let (listings, known) = (Listings::default(), Fingerprints::new());
        let directories: Vec<PathBuf> = (0..self.recipes.all.len())
            .flat_map(|key| {
                let world = self.world(key, &listings, &known);
                world
                    .class_path()
                    .directories()
                    .map(Path::to_owned)
                    .collect::<Vec<_>>()
            })
            .collect();
        let compiled = Inputs::below(directories.iter().map(PathBuf::as_path)).newest("class");
        let sources = ["java", "kt", "groovy", "scala"];
        sources
            .into_iter()
            .any(|kind| self.inputs.newest(kind) > compiled)
    }

    fn policy(&self, unit: &str, last: Option<Outcome>) -> Option<Policy> {
        let policy = self.settings.policy_for(unit, last)?;
        Some(Policy {
            force: policy.force || self.tests_named,
            ..policy
        })
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
        listings: &'a Listings,
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

/// What it would cost to run the classes that hold an affected unit, and what to run only those units.
fn estimate(classes: &BTreeMap<&str, Vec<(&str, &Advice)>>) -> (Cost, Cost) {
    let (mut class, mut method) = (Cost::default(), Cost::default());
    for units in classes.values() {
        let affected = units
            .iter()
            .filter(|(_, advice)| !advice.reasons.is_empty());
        if affected.clone().next().is_some() {
            class.test_micros += units.iter().map(|(_, advice)| advice.micros).sum::<u64>();
            method.test_micros += affected.map(|(_, advice)| advice.micros).sum::<u64>();
        }
    }
    (class, method)
}

/// Those of the candidates that are to run, the most promising first.
fn in_order(candidates: &[String], classes: &BTreeMap<&str, Vec<(&str, &Advice)>>) -> Vec<String> {
    let prospect = |class: &String| {
        let Some(units) = classes.get(class.as_str()) else {
            // Being new is a reason, too.
            return Prospect {
                changes_reached: 1,
                ..Prospect::default()
            };
        };
        let affected =
            (units.iter().map(|(_, advice)| advice)).filter(|one| !one.reasons.is_empty());
        Prospect {
            runs_since_red: affected.clone().filter_map(|one| one.runs_since_red).min(),
            changes_reached: affected
                .clone()
                .map(|one| one.reasons.len())
                .max()
                .unwrap_or(0),
            micros: Some(affected.map(|one| one.micros).sum()),
        }
    };
    let mut ordered = candidates.to_vec();
    order(&mut ordered, prospect);
    ordered
}

/// Whether the user names the tests to run; all of those run.
pub(crate) fn names_tests(command: &str) -> bool {
    let naming = ["-Dtest=", "-Dit.test=", "--tests"];
    let named = |word: &str| naming.iter().any(|start| word.starts_with(start));
    command.split([' ', '\'']).any(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(reasons: &[&str], micros: u64, runs_since_red: Option<u32>) -> Advice {
        Advice {
            reasons: reasons.iter().map(ToString::to_string).collect(),
            micros,
            runs_since_red,
            ..Advice::default()
        }
    }

    #[test]
    fn red_classes_run_first_and_new_ones_before_known_ones() {
        let advice: BTreeMap<String, Advice> = [
            ("a.Slow".to_owned(), advice(&["x"], 900, None)),
            ("a.Red#one".to_owned(), advice(&[], 1, None)),
            ("a.Red#two".to_owned(), advice(&["x"], 5000, Some(0))),
            ("a.Wide".to_owned(), advice(&["x", "y"], 5000, None)),
        ]
        .into();
        let candidates = ["a.New", "a.Slow", "a.Red", "a.Wide"].map(str::to_owned);
        assert_eq!(
            in_order(&candidates, &by_class(&advice)),
            ["a.Red", "a.Wide", "a.New", "a.Slow"]
        );
    }

    #[test]
    fn a_command_that_names_tests_is_known_by_its_flags() {
        for (command, names) in [
            ("mvn -q -Dtest=PostageTests test", true),
            ("mvn -Dit.test=PostageIT verify", true),
            ("sh -c 'gradle test --tests Postage'", true),
            ("mvn -q -Dtests=all test", false),
            ("gradle test", false),
        ] {
            assert_eq!(names_tests(command), names, "{command}");
        }
    }

    #[test]
    fn the_unaffected_methods_of_an_affected_class_are_what_methods_save() {
        let advice: BTreeMap<String, Advice> = [
            ("a.B#one".to_owned(), advice(&["x"], 10, None)),
            ("a.B#two".to_owned(), advice(&[], 90, None)),
            ("a.C".to_owned(), advice(&[], 500, None)),
        ]
        .into();
        let (class, method) = estimate(&by_class(&advice));
        assert_eq!((class.total(), method.total()), (100, 10));
    }
}
