//! After the build: what its tests have used, which units were left out, and whether all is settled.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::mem;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use jury_jvm::JvmEvidence;
use jury_model::{ChosenUnits, Counts, Miss, Notice, Outcome, Recipe, ReportedUnit, UnitName};
use jury_project::is_of_a_build;
use jury_select::{
    Catalogue, Fact, FactId, Hash128, Mark, Policy, Recorded, Row, Rows, Subject, World, rows,
};
use jury_store::{NewDependencies, NewUnit, RUNS_KEPT, UnitSource, VERSIONS_KEPT};

use super::class_path::{ClassPath, Listings};
use super::evidence::{ModuleEvidence, RecipeKey, UnitVersion, VersionSource, judge};
use super::files::Look;
use super::grouping::{Grouping, by_class, class_of, is_method};
use super::outcomes::Shown;
use super::settled::{Settled, SettledTests, Watched};
use super::surroundings::Surroundings;
use super::world::{Fingerprints, RecipeWorld};
use super::{Advice, Selection, Wanted, touches};

/// What came of a selection.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conclusion {
    /// Units that ran, with why.
    pub run: BTreeMap<UnitName, Vec<String>>,
    /// Units that were left out, with how their tests last ended.
    pub left_out: BTreeMap<UnitName, Counts>,
    /// Classes that the user did not want to run.
    pub deselected: BTreeSet<String>,
    /// Units that an audit ran although they would have been left out, with what was missed where one
    /// ended in another way than it was known to.
    pub audited: BTreeMap<UnitName, Option<Miss>>,
    /// If it was left to Jury whether to select classes or methods.
    pub chosen: Option<ChosenUnits>,
    pub notices: Vec<Notice>,
    pub analysis: Duration,
    pub collection: Duration,
}

/// How a build came to its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ending<'a> {
    /// An interrupted run leaves nothing to rely on.
    pub interrupted: bool,
    /// A build that broke has to be started again, whatever its tests say.
    pub succeeded: bool,
    /// Whether it was found out what tests use.
    pub collected: bool,
    /// Units that were red in an earlier attempt of the same command.
    pub suspects: &'a BTreeSet<UnitName>,
}

/// What this run showed of a unit.
struct NewVersion {
    jvm: usize,
    recipe: RecipeKey,
    /// Whether its JVM came to a good end.
    ended_well: bool,
    row: Row,
    outcome: Outcome,
    counts: Counts,
    micros: u64,
    tangle: String,
    launches: Vec<Hash128>,
}

/// How a unit's tests ended in one JVM.
#[derive(Default)]
struct UnitResult {
    tests: BTreeMap<String, (Outcome, u64)>,
    failed_outside_tests: bool,
}

impl UnitResult {
    fn outcome(&self) -> Outcome {
        let outcomes = self.tests.values().map(|(outcome, _)| *outcome);
        let worst = outcomes.max().unwrap_or(Outcome::Passed);
        match self.failed_outside_tests {
            true => worst.max(Outcome::Failed),
            false => worst,
        }
    }
}

/// Files and directories that somebody edited while a JVM's tests ran. States are taken after the build, so
/// nobody knows what the tests saw of these.
struct Edited<'a> {
    root: &'a Path,
    started: Option<SystemTime>,
    /// By the tests themselves. Where a file came into being or went, its directory is among them.
    written: HashSet<PathBuf>,
    /// What was there when the tests looked.
    seen: HashSet<PathBuf>,
    temporary: PathBuf,
}

/// Where builds put what they make, while tests run, too.
const OUTPUTS: [&str; 3] = ["target", "build", "out"];

impl<'a> Edited<'a> {
    fn meanwhile(jvm: &JvmEvidence, root: &'a Path) -> Self {
        Edited {
            root,
            started: jvm.started,
            written: touches::written(jvm),
            seen: touches::seen(jvm),
            temporary: touches::temporary_directory(jvm).into(),
        }
    }

    fn holds(&self, subject: &Subject, world: &RecipeWorld<'_>) -> bool {
        match world.directory_of(subject) {
            Some(directory) => self.holds_directory(&directory),
            None => (world.files_of(subject).iter()).any(|file| self.holds_file(file)),
        }
    }

    /// Tests know a file that they write by how they left it, and temporary files are their own.
    fn holds_file(&self, file: &Path) -> bool {
        if self.is_temporary(file) || self.written.contains(file) {
            return false;
        }
        match fs::metadata(file) {
            Ok(metadata) => metadata.is_file() && self.is_later(file),
            Err(error) => error.kind() == ErrorKind::NotFound && self.seen.contains(file),
        }
    }

    /// In the same way, of the names in a directory.
    fn holds_directory(&self, directory: &Path) -> bool {
        let inside = directory.strip_prefix(self.root).unwrap_or(directory);
        let is_output = inside
            .iter()
            .any(|part| OUTPUTS.iter().any(|name| part == *name));
        let mut written = self.written.iter();
        let is_own = written.any(|path| path == directory || path.parent() == Some(directory));
        if is_output || is_own || self.is_temporary(directory) {
            return false;
        }
        self.is_later(directory)
    }

    fn is_temporary(&self, path: &Path) -> bool {
        path.starts_with(&self.temporary) && !path.starts_with(self.root)
    }

    /// A link that was turned to another file says so by its own age only.
    fn is_later(&self, path: &Path) -> bool {
        let Some(started) = self.started else {
            return false;
        };
        let nanos = started.duration_since(SystemTime::UNIX_EPOCH);
        let started = nanos.map_or(0, |nanos| nanos.as_nanos() as i64);
        let looks = [fs::symlink_metadata(path), fs::metadata(path)];
        (looks.iter().flatten().map(Look::at)).any(|look| look.modified.max(look.changed) > started)
    }
}

impl Selection {
    /// Takes in what the build's JVMs have shown.
    pub fn conclude(
        &mut self,
        jvms: &[JvmEvidence],
        modules: &[String],
        Ending {
            interrupted,
            succeeded,
            collected,
            suspects,
        }: Ending<'_>,
    ) -> (NewDependencies, Conclusion) {
        let clock = Instant::now();
        // The build is over, so what lies there now is listed once for all its JVMs.
        let listings = Listings::default();
        let mut forgotten = Vec::new();
        let mut new: BTreeMap<UnitName, NewVersion> = BTreeMap::new();
        for (index, (jvm, module)) in jvms.iter().zip(modules).enumerate() {
            let Some(recipe) = jvm.recipe() else {
                // Nothing says what these depend on, and what was known is not the latest.
                let results = results(jvm, &Grouping::default());
                let units = results.into_keys().map(|unit| UnitName::new(module, &unit));
                forgotten.extend(units);
                continue;
            };
            let recipe = self.recipes.key(&recipe);
            let launch = jvm
                .launch
                .as_ref()
                .and_then(|launch| self.launch_hash(launch));
            let ended_well = jvm.ended && jvm.troubles.is_empty() && !interrupted;
            let (mut rows, grouping) =
                match collected.then(|| self.rows(jvm, module, recipe, &listings)) {
                    Some(Some(Rows { rows, tangled })) => {
                        (rows, Grouping::collected(self.granularity, &tangled))
                    }
                    // Nothing in its report can be attributed.
                    Some(None) => Default::default(),
                    None => (BTreeMap::new(), self.known_grouping(module, jvm)),
                };
            let cut_short = cut_short(jvm);
            for (unit, result) in results(jvm, &grouping) {
                let mut row = rows.remove(&unit).unwrap_or_else(incomplete);
                let class = class_of(&unit);
                if !ended_well || cut_short.contains(class) || !is_seen(class, jvm) {
                    row.add_mark(Mark::Incomplete);
                }
                let tangle = grouping.tangle(&unit);
                let mut version =
                    NewVersion::of(index, recipe, ended_well, row, &result, tangle, launch);
                let name = UnitName::new(module, &unit);
                if self.settings.wanted == Wanted::Outdated {
                    self.keep_verdict(&name, &mut version);
                }
                let class = UnitName::new(module, name.outermost_class());
                if suspects.contains(&class) && !version.outcome.is_red() {
                    version.row.add_mark(Mark::Flaky);
                }
                add(&mut new, name, version);
            }
        }
        join_tangled(&mut new);
        self.join_left_out(&mut new);
        self.doubt_parts_of_classes(&mut new, &ran_methods(jvms, modules));
        let mut conclusion = Conclusion {
            // What was broken off ends in no way that could be compared.
            audited: match interrupted {
                true => BTreeMap::new(),
                false => self.audited(&new, &Shown::of(jvms, modules)),
            },
            run: (new.keys().chain(&forgotten))
                .map(|unit| (unit.clone(), self.reasons(unit)))
                .collect(),
            chosen: self.chosen_units(),
            analysis: self.analysis,
            ..Conclusion::default()
        };
        let shown: BTreeMap<UnitName, (Counts, u64)> = (new.iter())
            .map(|(unit, version)| (unit.clone(), (version.counts, version.micros)))
            .collect();
        let whole: BTreeSet<UnitName> = (new.iter())
            .filter(|(_, version)| version.is_whole())
            .map(|(name, _)| name.clone())
            .collect();
        if let Some(course) = &mut self.statics {
            conclusion.notices = std::mem::take(&mut course.notices);
            if !interrupted && !self.tests_named {
                course.learn(green_classes(&new));
            }
        }
        if !collected {
            new.retain(|unit, version| self.is_telling(unit, version));
        }
        let is_whole = succeeded && !interrupted && !self.tests_named && !self.settings.narrows();
        let mut vanished = self.vanished();
        if is_whole {
            vanished.extend(self.emptied(&conclusion.run));
        }
        forgotten.extend(vanished.iter().cloned());
        forgotten.extend(self.superseded(new.keys().chain(&forgotten)));
        for name in &forgotten {
            if let Some(evidence) = self.modules.get_mut(&name.module) {
                evidence.units.remove(&name.unit());
            }
        }
        let mut dependencies = NewDependencies {
            forgotten: (forgotten.iter())
                .map(|name| (name.module.clone(), name.unit()))
                .collect(),
            ..NewDependencies::default()
        };
        self.take_over(new, &mut dependencies);
        conclusion.left_out = self.left_out(&conclusion.run);
        conclusion.deselected = self.deselected(jvms, &conclusion.run);
        if !interrupted && !self.tests_named {
            dependencies.speakers = self.speakers(&whole, &vanished, &conclusion);
        }
        // What ran uncollected may depend on things that nobody would look at, and class files alone
        // may have left out units of which no evidence speaks.
        let all_known = (collected || conclusion.run.is_empty()) && self.statics.is_none();
        if all_known && is_whole {
            dependencies.settled = self.settle();
        }
        dependencies.stamps = self.files.take_news();
        dependencies.selection = self.reported(&conclusion, &shown);
        conclusion.collection = clock.elapsed();
        (dependencies, conclusion)
    }

    /// A unit that one execution of the build ran and another left out: what spoke for leaving it out there
    /// is as true as what has shown here, and only both together speak for the unit.
    fn join_left_out(&self, new: &mut BTreeMap<UnitName, NewVersion>) {
        let class = |module: &str, unit: &str| (module.to_owned(), class_of(unit).to_owned());
        let (methods, classes): (Vec<_>, Vec<_>) =
            (self.left_out.keys()).partition(|(_, unit)| is_method(unit));
        let in_set = |units: Vec<&(String, String)>| -> HashSet<(String, String)> {
            let units = units.into_iter();
            units.map(|(module, unit)| class(module, unit)).collect()
        };
        let (methods, classes) = (in_set(methods), in_set(classes));
        for (name, version) in new {
            if let Some(spoke) = self.spoke_for_leaving_out(name) {
                version.join(spoke);
            }
            // Known there in other units than here, so that nothing speaks for what was left out.
            let known_otherwise = match name.method {
                Some(_) => &classes,
                None => &methods,
            };
            if known_otherwise.contains(&class(&name.module, &name.unit())) {
                version.row.add_mark(Mark::Incomplete);
            }
        }
    }

    /// The version of a unit by which it was left out of one of the build's JVMs.
    fn spoke_for_leaving_out(&self, name: &UnitName) -> Option<&UnitVersion> {
        let unit = (name.module.clone(), name.unit());
        let source = self.left_out.get(&unit)?;
        let mut versions = self.modules.get(&unit.0)?.units.get(&unit.1)?.iter();
        versions.find(|known| known.source == *source)
    }

    /// Whether a unit that ran uncollected has to be remembered without what it used, so that it
    /// runs again whatever it is compared with: it was red, or nobody knows how it ended, or that it
    /// was red is no longer the latest. Otherwise what is known of it holds as before.
    fn is_telling(&self, name: &UnitName, version: &NewVersion) -> bool {
        let was_red = |latest: &UnitVersion| latest.recorded.outcome.is_red();
        !version.ended_well || version.outcome.is_red() || self.latest(name).is_some_and(was_red)
    }

    /// A run that is no verdict makes no red or flaky unit green.
    fn keep_verdict(&self, name: &UnitName, version: &mut NewVersion) {
        let Some(UnitVersion { recorded, .. }) = self.latest(name) else {
            return;
        };
        if recorded.outcome.is_red() {
            version.outcome = version.outcome.max(recorded.outcome);
        }
        if recorded.row.marks().contains(Mark::Flaky) {
            version.row.add_mark(Mark::Flaky);
        }
    }

    fn latest(&self, name: &UnitName) -> Option<&UnitVersion> {
        let module = self.modules.get(&name.module)?;
        module.units.get(&name.unit())?.first()
    }

    /// The units in which the tests of a JVM are known.
    fn known_grouping(&self, module: &str, jvm: &JvmEvidence) -> Grouping {
        let known = self.modules.get(module);
        let known = known.into_iter().flat_map(|evidence| evidence.units.keys());
        let apart: BTreeSet<&str> = (known.filter(|unit| is_method(unit)))
            .map(|unit| class_of(unit))
            .collect();
        Grouping::known(jvm, |class| apart.contains(class))
    }

    /// The rows of all units that a JVM ran, in the module's catalogue.
    fn rows(
        &mut self,
        jvm: &JvmEvidence,
        module: &str,
        recipe: RecipeKey,
        listings: &Listings,
    ) -> Option<Rows> {
        let observed = touches::observed(jvm, (&self.root, &self.state_dir), self.granularity)?;
        let mut evidence = self.modules.remove(module).unwrap_or_default();
        let known = Fingerprints::new();
        let world = self.world(recipe, listings, &known);
        let catalogue = &mut evidence.catalogue;
        let mut rows = rows(&observed, &world, self.settings.hashing, catalogue);
        for subject in Surroundings::subjects() {
            let state = world.state(&subject);
            let fact = catalogue.fact(Fact { subject, state });
            rows.rows.values_mut().for_each(|row| row.add_fact(fact));
        }
        let edited = Edited::meanwhile(jvm, &self.root);
        let is_edited = |fact: &FactId| edited.holds(&catalogue.fact_seen(*fact).subject, &world);
        let facts: BTreeSet<FactId> = (rows.rows.values())
            .flat_map(|row| row.facts().iter().copied())
            .filter(is_edited)
            .collect();
        for row in rows.rows.values_mut() {
            // What a process or a native library wrote is no surprise where these are trusted.
            let reaches_out = [Mark::ChildProcess, Mark::NativeLibrary]
                .into_iter()
                .any(|mark| row.marks().contains(mark));
            if !reaches_out && row.facts().iter().any(|fact| facts.contains(fact)) {
                row.add_mark(Mark::Incomplete);
            }
        }
        drop(world);
        self.modules.insert(module.to_owned(), evidence);
        Some(rows)
    }

    /// A class that became one unit although some of its methods, as they were known, did not run:
    /// its new row speaks for a part of it only.
    fn doubt_parts_of_classes(
        &self,
        new: &mut BTreeMap<UnitName, NewVersion>,
        ran: &BTreeSet<(&str, String)>,
    ) {
        for (name, version) in new.iter_mut().filter(|(name, _)| name.method.is_none()) {
            let known = self.modules.get(&name.module);
            let mut units = known.iter().flat_map(|known| known.units.keys());
            let is_missing = |unit: &String| {
                is_method(unit)
                    && class_of(unit) == name.class
                    && !ran.contains(&(name.module.as_str(), unit.clone()))
            };
            if units.any(is_missing) {
                version.row.add_mark(Mark::Incomplete);
            }
        }
    }

    /// Known units whose tests belong to other units now: a class that was told apart, or methods
    /// that no longer are.
    fn superseded<'n>(&self, now: impl Iterator<Item = &'n UnitName>) -> Vec<UnitName> {
        let now: BTreeSet<(&str, &str, bool)> = now
            .map(|name| {
                (
                    name.module.as_str(),
                    name.outermost_class(),
                    name.method.is_some(),
                )
            })
            .collect();
        let mut superseded = Vec::new();
        for (module, evidence) in &self.modules {
            for unit in evidence.units.keys() {
                if now.contains(&(module, class_of(unit), !is_method(unit))) {
                    superseded.push(UnitName::new(module, unit));
                }
            }
        }
        superseded
    }

    /// In an audit, units that ran although nothing they use has changed.
    fn audited(
        &self,
        new: &BTreeMap<UnitName, NewVersion>,
        tests: &Shown<'_>,
    ) -> BTreeMap<UnitName, Option<Miss>> {
        if !self.settings.audit {
            return BTreeMap::new();
        }
        let mut shown: BTreeMap<UnitName, (Counts, Row)> = BTreeMap::new();
        for (name, version) in new {
            // Its class was known as a whole, and is compared as one.
            let known = self.advice.get(&name.module);
            let as_class = known.is_some_and(|known| known.contains_key(name.outermost_class()));
            let name = match as_class {
                true => UnitName::new(&name.module, name.outermost_class()),
                false => name.clone(),
            };
            let (counts, row) = shown.entry(name).or_default();
            counts.add_all(&version.counts);
            row.absorb(&version.row);
        }
        let unaffected = |name: &UnitName| {
            let advice = self.advice_on(name)?;
            advice.reasons.is_empty().then_some(advice)
        };
        (shown.into_iter())
            .filter_map(|(unit, (shown, row))| {
                let advice = unaffected(&unit)?;
                let miss = self.missed(&unit, advice.counts, (shown, &row), tests);
                Some((unit, miss))
            })
            .collect()
    }

    /// What was missed of a unit that would have been left out, if it did not end as it was known to.
    fn missed(
        &self,
        unit: &UnitName,
        known: Counts,
        (shown, row): (Counts, &Row),
        tests: &Shown<'_>,
    ) -> Option<Miss> {
        let evidence = self.modules.get(&unit.module);
        let spoke: Vec<(&str, &UnitVersion)> = (self.advised(unit).into_iter())
            .filter_map(|(name, advice)| {
                let mut versions = evidence?.units.get(name)?.iter();
                let version =
                    versions.find(|known| Some(&known.source) == advice.source.as_ref())?;
                Some((name, version))
            })
            .collect();
        // How many executions of a build run a unit is its own affair.
        let in_several = (spoke.iter()).any(|(_, version)| version.launches.len() > 1);
        let otherwise = match in_several {
            true => Vec::new(),
            false => self.otherwise(unit, &spoke, tests),
        };
        let is_as_known = match in_several {
            true => (shown.red() > 0) == (known.red() > 0),
            false => shown == known,
        };
        if is_as_known && otherwise.is_empty() {
            return None;
        }
        let mut used_before = Row::new();
        for (_, version) in &spoke {
            used_before.absorb(&version.recorded.row);
        }
        let newly_used = match evidence {
            Some(evidence) if !spoke.is_empty() => row.beyond(&used_before, &evidence.catalogue),
            _ => Vec::new(),
        };
        Some(Miss {
            unit: unit.clone(),
            known,
            shown,
            newly_used,
            otherwise,
        })
    }

    /// Tests of a unit that ended in another way than in the runs that spoke for leaving it out.
    fn otherwise(
        &self,
        unit: &UnitName,
        spoke: &[(&str, &UnitVersion)],
        tests: &Shown<'_>,
    ) -> Vec<String> {
        let runs = spoke.iter().filter_map(|(name, version)| {
            let run = version.earlier_run()?;
            Some((UnitName::new(&unit.module, name), run))
        });
        runs.flat_map(|(known, run)| tests.otherwise(&known, &self.unpassed, run))
            .collect()
    }

    /// What was advised about a unit, or about the units that hold the same tests.
    fn advice_on(&self, name: &UnitName) -> Option<Advice> {
        let mut advised = self.advised(name).into_iter();
        let (_, first) = advised.next()?;
        let mut joined = first.clone();
        advised.for_each(|(_, advice)| joined.join(advice));
        Some(joined)
    }

    /// Advice on a unit, or on those that hold the same tests, by their names.
    fn advised(&self, name: &UnitName) -> Vec<(&str, &Advice)> {
        let Some(module) = self.advice.get(&name.module) else {
            return Vec::new();
        };
        let class = name.outermost_class();
        let known = |unit: &str| module.get_key_value(unit);
        let known = known(&name.unit()).or_else(|| known(class));
        let known = known
            .into_iter()
            .map(|(unit, advice)| (unit.as_str(), advice));
        let known: Vec<(&str, &Advice)> = known.collect();
        if !known.is_empty() || name.method.is_some() {
            return known;
        }
        let methods = module.iter().filter(|(unit, _)| class_of(unit) == class);
        methods
            .map(|(unit, advice)| (unit.as_str(), advice))
            .collect()
    }

    fn reasons(&self, name: &UnitName) -> Vec<String> {
        let known = self.modules.get(&name.module);
        let known = known.and_then(|known| known.units.get(&name.unit()));
        match (self.advice_on(name), known) {
            (Some(advice), _) if advice.reasons.is_empty() => {
                vec![match self.settings.audit {
                    true => "the audit runs everything".to_owned(),
                    false => "its runner leaves no test out".to_owned(),
                }]
            }
            (Some(advice), _) => advice.reasons,
            (None, _) if self.statics.is_some() => {
                vec!["class files do not show that it is a test".to_owned()]
            }
            (None, Some(_)) => vec!["its JVM did not ask".to_owned()],
            (None, None) => vec!["nothing is recorded about the test".to_owned()],
        }
    }

    /// Units that no JVM of the build ran, because they were told so.
    fn left_out(&self, run: &BTreeMap<UnitName, Vec<String>>) -> BTreeMap<UnitName, Counts> {
        // Classes that ran, with whether they did so method by method.
        let classes: BTreeSet<(&str, &str, bool)> = (run.keys())
            .map(|name| {
                (
                    name.module.as_str(),
                    name.outermost_class(),
                    name.method.is_some(),
                )
            })
            .collect();
        let mut left_out = BTreeMap::new();
        for (module, advice) in &self.advice {
            for (unit, advice) in advice {
                let name = UnitName::new(module, unit);
                let ran_otherwise = classes.contains(&(module, class_of(unit), !is_method(unit)));
                if !advice.wanted || ran_otherwise || run.contains_key(&name) {
                    continue;
                }
                if advice.reasons.is_empty() {
                    left_out.insert(name, advice.counts);
                } else if let Some(spoke) = self.spoke_for_leaving_out(&name) {
                    // A JVM that was told to run it was none that holds it.
                    left_out.insert(name, spoke.counts);
                }
            }
        }
        left_out
    }

    /// What became of each unit, for those who look back.
    fn reported(
        &self,
        conclusion: &Conclusion,
        shown: &BTreeMap<UnitName, (Counts, u64)>,
    ) -> Vec<ReportedUnit> {
        let ran = conclusion.run.iter().map(|(unit, reasons)| {
            let (counts, micros) = shown.get(unit).copied().unwrap_or_default();
            ReportedUnit {
                unit: unit.clone(),
                ran: true,
                reason: in_one_line(reasons),
                tests: counts.total(),
                red: counts.red(),
                micros,
            }
        });
        let left_out = conclusion
            .left_out
            .iter()
            .map(|(unit, counts)| ReportedUnit {
                unit: unit.clone(),
                ran: false,
                reason: match self.statics {
                    Some(_) => "no change is within its reach".to_owned(),
                    None => "nothing it uses has changed".to_owned(),
                },
                tests: counts.total(),
                red: counts.red(),
                micros: self.advice_on(unit).map_or(0, |advice| advice.micros),
            });
        ran.chain(left_out).collect()
    }

    /// Classes that were not wanted, known ones and those that JVMs came across.
    fn deselected(
        &self,
        jvms: &[JvmEvidence],
        run: &BTreeMap<UnitName, Vec<String>>,
    ) -> BTreeSet<String> {
        let advice = || self.advice.values().flatten();
        let known = advice().filter(|(_, advice)| !advice.wanted);
        let met = jvms.iter().flat_map(|jvm| &jvm.left_out_units);
        let unknown = met.filter(|class| !advice().any(|(unit, _)| class_of(unit) == *class));
        let mut deselected: BTreeSet<String> = known
            .map(|(unit, _)| class_of(unit))
            .chain(unknown.map(String::as_str))
            .map(str::to_owned)
            .collect();
        for name in run.keys() {
            deselected.remove(name.outermost_class());
        }
        deselected
    }

    /// Units whose test class or method is gone, and that nobody will miss: those of classes that ran
    /// lately are kept for the way back to a branch that has them.
    fn vanished(&self) -> Vec<UnitName> {
        let all = self
            .modules
            .values()
            .flat_map(|module| module.units.values());
        let latest = all
            .flatten()
            .filter_map(UnitVersion::earlier_run)
            .max()
            .unwrap_or_default();
        let listings = Listings::default();
        let class_paths: Vec<ClassPath> = (self.recipes.all.iter())
            .map(|recipe| ClassPath::of(recipe, &self.root, &listings))
            .collect();
        let mut vanished = Vec::new();
        for (module, evidence) in &self.modules {
            for (unit, versions) in &evidence.units {
                let name = UnitName::new(module, unit);
                let vm_name = name.class.replace('.', "/");
                let exists = |version: &UnitVersion| {
                    let class_path = &class_paths[version.recipe];
                    match &name.method {
                        None => class_path.find_class(&vm_name).is_some(),
                        Some(method) => class_path.may_have_method(&vm_name, method),
                    }
                };
                let is_kept = |version: &UnitVersion| {
                    let class = class_paths[version.recipe].find_class(&vm_name);
                    let own = version.own_class(unit, &evidence.catalogue);
                    let is_recent = version.earlier_run() > Some(latest - i64::from(RUNS_KEPT));
                    class.is_none() && own.is_some() && is_recent
                };
                if !versions.iter().any(exists) && !versions.iter().any(is_kept) {
                    vanished.push(name);
                }
            }
        }
        vanished
    }

    /// Units that had to run in a build that went well, and of which no test came to light: their classes are
    /// there, but hold no tests any more. They would be waited for in vain in every run.
    fn emptied(&self, run: &BTreeMap<UnitName, Vec<String>>) -> Vec<UnitName> {
        let class = |name: &UnitName| (name.module.clone(), name.outermost_class().to_owned());
        let ran: BTreeSet<(String, String)> = run.keys().map(class).collect();
        let mut emptied = Vec::new();
        for (module, advice) in &self.advice {
            let is_missing = |(unit, advice): &(&String, &Advice)| {
                let was_left_out = (self.left_out).contains_key(&(module.clone(), (*unit).clone()));
                let had_to_run = advice.wanted && !advice.reasons.is_empty() && !was_left_out;
                had_to_run && !ran.contains(&(module.clone(), class_of(unit).to_owned()))
            };
            let missing: Vec<&String> = (advice.iter().filter(is_missing))
                .map(|(unit, _)| unit)
                .collect();
            let Some(evidence) = self.modules.get(module).filter(|_| !missing.is_empty()) else {
                continue;
            };
            // Another command may leave out what this one runs.
            let changes = self.changes(evidence);
            let is_ours =
                |version: &UnitVersion| self.ran_by_this_command(version, evidence, &changes);
            let ours = missing.into_iter().filter(|unit| {
                let versions = evidence.units.get(*unit);
                versions.is_some_and(|versions| versions.iter().any(is_ours))
            });
            emptied.extend(ours.map(|unit| UnitName::new(module, unit)));
        }
        emptied
    }

    /// Adds what is new to what was known, and both to what is to be stored.
    fn take_over(
        &mut self,
        new: BTreeMap<UnitName, NewVersion>,
        dependencies: &mut NewDependencies,
    ) {
        let mut touched: BTreeSet<String> = (self.modules.iter())
            .filter(|(_, evidence)| evidence.units.values().flatten().any(is_shared))
            .map(|(module, _)| module.clone())
            .collect();
        let mut replaced = mem::take(&mut self.held_over);
        touched.extend(replaced.iter().map(|(module, _)| module.clone()));
        for (name, mut version) in new {
            let unit = name.unit();
            let evidence = self.modules.entry(name.module.clone()).or_default();
            let versions = evidence.units.entry(unit.clone()).or_default();
            let known = versions.len();
            make_room(versions, &mut version);
            if versions.len() < known {
                replaced.insert((name.module.clone(), unit.clone()));
            }
            touched.insert(name.module);
            versions.insert(
                0,
                UnitVersion {
                    recipe: version.recipe,
                    source: VersionSource::ThisRun(version.jvm),
                    recorded: Recorded {
                        row: version.row,
                        outcome: version.outcome,
                    },
                    counts: version.counts,
                    micros: version.micros,
                    tangle: version.tangle,
                    launches: version.launches,
                },
            );
            versions.truncate(VERSIONS_KEPT as usize);
        }
        for module in touched {
            let Some(evidence) = self.modules.get_mut(&module) else {
                continue;
            };
            let compacted = compact(evidence);
            for (unit, versions) in &evidence.units {
                let name = (module.clone(), unit.clone());
                let anew = compacted || replaced.contains(&name);
                if anew {
                    dependencies.forgotten.push(name);
                }
                for version in versions {
                    let source = match &version.source {
                        VersionSource::ThisRun(jvm) => UnitSource::Jvm(*jvm),
                        VersionSource::Stored(run, recipe) if anew => UnitSource::Earlier {
                            run: *run,
                            recipe: recipe.clone(),
                        },
                        VersionSource::Stored(..) => continue,
                        VersionSource::Shared => UnitSource::Elsewhere(Box::new(
                            self.recipes.all[version.recipe].clone(),
                        )),
                    };
                    dependencies.units.push(NewUnit {
                        module: module.clone(),
                        name: unit.clone(),
                        source,
                        outcome: version.recorded.outcome,
                        counts: version.counts,
                        micros: version.micros,
                        tangle: version.tangle.clone(),
                        launches: version.launches.iter().map(|hash| hash.0).collect(),
                        row: version.recorded.row.encode(&evidence.catalogue),
                    });
                }
            }
            dependencies
                .catalogues
                .push((module, evidence.catalogue.encode()));
        }
    }

    /// The state all is in now, if no unit would have to run in it.
    fn settle(&self) -> Option<Vec<u8>> {
        let policy = Policy {
            force: false,
            ..self.settings.policy
        };
        let mut watched = Watched::default();
        let mut recipes = BTreeSet::new();
        let mut tests = SettledTests {
            classes: 0,
            counts: Counts::default(),
        };
        for (module, evidence) in &self.modules {
            if self.has_flaky(module) {
                return None;
            }
            let changes = self.changes(evidence);
            let is_there =
                |(unit, _): &(&String, &Vec<UnitVersion>)| !evidence.is_gone(unit, &changes);
            let units: Vec<_> = evidence.units.iter().filter(is_there).collect();
            tests.classes += by_class(units.iter().copied()).len();
            for (_, versions) in units {
                let verdict = judge(versions, &changes, &policy);
                let version = verdict.version.filter(|_| !verdict.decision.is_run())?;
                let recipe = &self.recipes.all[version.recipe];
                if recipes.insert(version.recipe) {
                    watched.add_recipe(recipe, &self.surroundings);
                }
                for fact in version.recorded.row.facts() {
                    watched.add_subject(&evidence.catalogue.fact_seen(*fact).subject, recipe);
                }
                tests.counts.add_all(&version.counts);
            }
        }
        let in_sight = |key: &RecipeKey| self.is_in_sight(&self.recipes.all[*key]);
        if self.outside.boundless || !recipes.iter().all(in_sight) {
            return None;
        }
        let settled = Settled {
            inputs: self.inputs.digest(&watched.outputs()),
            outputs: watched.outputs_digest(),
            rest: watched.digest(&self.surroundings, &self.settings),
            tests,
            watched,
        };
        settled.encode().filter(|_| tests.classes > 0)
    }

    /// Whether all that a build makes for a JVM is made of files that are looked at. Classes that lie
    /// elsewhere have sources that nobody knows.
    fn is_in_sight(&self, recipe: &Recipe) -> bool {
        let paths = recipe.module_path.iter().chain(&recipe.class_path);
        let mut elsewhere = paths
            .map(Path::new)
            .filter(|path| !path.starts_with(&self.root) && !self.outside.holds(path));
        !elsewhere.any(|path| path.is_dir() || path.is_file() && is_of_a_build(path))
    }
}

/// Which classes ran with nothing red, and nothing missed.
fn green_classes(new: &BTreeMap<UnitName, NewVersion>) -> BTreeMap<UnitName, bool> {
    let mut classes = BTreeMap::new();
    for (unit, version) in new {
        let class = UnitName::new(&unit.module, unit.outermost_class());
        *classes.entry(class).or_insert(true) &= !version.outcome.is_red() && version.ended_well;
    }
    classes
}

impl NewVersion {
    fn of(
        jvm: usize,
        recipe: RecipeKey,
        ended_well: bool,
        row: Row,
        result: &UnitResult,
        tangle: String,
        launch: Option<Hash128>,
    ) -> Self {
        NewVersion {
            jvm,
            recipe,
            ended_well,
            row,
            outcome: result.outcome(),
            counts: result.tests.values().map(|(outcome, _)| *outcome).collect(),
            micros: result.tests.values().map(|(_, micros)| micros).sum(),
            tangle,
            launches: launch.into_iter().collect(),
        }
    }

    /// Takes in what spoke for leaving the unit out of another execution of the same build.
    fn join(&mut self, spoke: &UnitVersion) {
        self.row.absorb(&spoke.recorded.row);
        if spoke.recipe != self.recipe {
            self.row.add_mark(Mark::Incomplete);
        }
        let knows = |launch: &Hash128| self.launches.contains(launch);
        if !spoke.launches.is_empty() && !spoke.launches.iter().any(knows) {
            self.counts.add_all(&spoke.counts);
            self.micros += spoke.micros;
        }
        add_launches(&mut self.launches, &spoke.launches);
    }

    /// Whether all tests of the unit ran: nothing was red, which may keep others from running.
    fn is_whole(&self) -> bool {
        let incomplete = self.row.marks().contains(Mark::Incomplete);
        self.ended_well && !self.outcome.is_red() && !incomplete
    }
}

/// A unit may be spread over several JVMs. If these were launched in different ways, no one world
/// can tell whether it is as it was.
fn add(new: &mut BTreeMap<UnitName, NewVersion>, name: UnitName, version: NewVersion) {
    match new.get_mut(&name) {
        None => _ = new.insert(name, version),
        Some(known) => {
            known.ended_well &= version.ended_well;
            add_launches(&mut known.launches, &version.launches);
            known.row.absorb(&version.row);
            if known.recipe != version.recipe {
                known.row.add_mark(Mark::Incomplete);
            }
            known.outcome = known.outcome.max(version.outcome);
            known.counts.add_all(&version.counts);
            known.micros += version.micros;
        }
    }
}

/// Drops what a new version of a unit stands for as well.
fn make_room(versions: &mut Vec<UnitVersion>, new: &mut NewVersion) {
    versions.retain(|known| {
        let is_same = known.recipe == new.recipe && known.recorded.row == new.row;
        if is_same && known.recorded.outcome == new.outcome {
            // An execution that leaves the unit out now has run it then.
            add_launches(&mut new.launches, &known.launches);
        }
        // The unit ran all the same, so here is better evidence than a stranger's. And one broken run is as good
        // as another: they must not crowd out what was learnt before.
        !is_same && !is_shared(known) && !known.says_nothing()
    });
}

fn is_shared(version: &UnitVersion) -> bool {
    version.source == VersionSource::Shared
}

/// Nothing is known of how a JVM was launched if it is not known of all.
fn add_launches(known: &mut Vec<Hash128>, more: &[Hash128]) {
    if known.is_empty() || more.is_empty() {
        known.clear();
        return;
    }
    for launch in more {
        if !known.contains(launch) {
            known.push(*launch);
        }
    }
}

/// One JVM may tell the methods of a class apart where another cannot; then nobody can.
fn join_tangled(new: &mut BTreeMap<UnitName, NewVersion>) {
    let classes: BTreeSet<UnitName> = (new.keys())
        .filter(|name| name.method.is_none())
        .cloned()
        .collect();
    let is_split = |name: &UnitName| {
        let class = UnitName::new(&name.module, name.outermost_class());
        name.method.is_some() && classes.contains(&class)
    };
    let (split, whole): (Vec<_>, Vec<_>) =
        (mem::take(new).into_iter()).partition(|(name, _)| is_split(name));
    new.extend(whole);
    for (name, version) in split {
        add(
            new,
            UnitName::new(&name.module, name.outermost_class()),
            version,
        );
    }
}

/// Classes within whose tests the JVM ended, in an orderly way or not: their fixtures are not done.
fn cut_short(jvm: &JvmEvidence) -> BTreeSet<&str> {
    let crashed = (jvm.tests.iter()).filter(|seen| seen.outcome == Outcome::Crashed);
    crashed.map(|seen| seen.test.top_level_class()).collect()
}

/// All test methods that ran, with their modules, whether or not they are units.
fn ran_methods<'m>(jvms: &[JvmEvidence], modules: &'m [String]) -> BTreeSet<(&'m str, String)> {
    let tests = jvms.iter().zip(modules);
    tests
        .flat_map(|(jvm, module)| {
            let units = jvm.tests.iter().map(|seen| seen.test.method_unit());
            units.map(|unit| (module.as_str(), unit))
        })
        .collect()
}

/// Whether a unit's own class was recognised as the project's. Where a class loader hides its class
/// path, as an isolated one does, none is, and nothing else that the unit used was seen either.
fn is_seen(unit: &str, jvm: &JvmEvidence) -> bool {
    let name = unit.replace('.', "/");
    let is_of_unit = |class: &str| {
        let rest = class.strip_prefix(name.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    };
    jvm.loaded.iter().any(|loaded| is_of_unit(&loaded.class))
        || jvm.left_out.iter().any(|one| is_of_unit(&one.class))
}

fn incomplete() -> Row {
    let mut row = Row::new();
    row.add_mark(Mark::Incomplete);
    row
}

fn results(jvm: &JvmEvidence, grouping: &Grouping) -> BTreeMap<String, UnitResult> {
    let mut results: BTreeMap<String, UnitResult> = BTreeMap::new();
    for seen in &jvm.tests {
        let unit = results.entry(grouping.unit(&seen.test)).or_default();
        let id = seen.test.id.as_str().to_owned();
        let known = unit.tests.entry(id).or_insert((seen.outcome, 0));
        known.0 = known.0.max(seen.outcome);
        known.1 += seen.micros;
    }
    for failed in &jvm.container_failures {
        let unit = results
            .entry(class_of(&failed.class).to_owned())
            .or_default();
        unit.failed_outside_tests = true;
    }
    results
}

/// Leaves behind what no row speaks of, once that is the greater part. True if it did, so that all
/// rows have new numbers.
fn compact(evidence: &mut ModuleEvidence) -> bool {
    let rows = || {
        evidence
            .units
            .values()
            .flatten()
            .map(|version| &version.recorded.row)
    };
    let spoken_of: BTreeSet<_> = rows()
        .flat_map(|row| row.uses())
        .map(|(id, _)| *id)
        .collect();
    if evidence.catalogue.classes().len() <= 2 * spoken_of.len() {
        return false;
    }
    let mut compacted = Catalogue::new();
    for version in evidence.units.values_mut().flatten() {
        let row = &mut version.recorded.row;
        *row = row.moved(&evidence.catalogue, &mut compacted);
    }
    evidence.catalogue = compacted;
    true
}

/// Those who look back see many classes at once: the first reason stands for the others.
fn in_one_line(reasons: &[String]) -> String {
    match reasons {
        [] => String::new(),
        [only] => only.clone(),
        [first, others @ ..] => format!("{first} (and {} more)", others.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_jvm::LoadedClass;

    fn version(outcome: Outcome, marks: &[Mark], launches: &[u8]) -> NewVersion {
        let mut row = Row::new();
        marks.iter().for_each(|mark| row.add_mark(*mark));
        NewVersion {
            jvm: 0,
            recipe: 0,
            ended_well: true,
            row,
            outcome,
            counts: Counts::default(),
            micros: 0,
            tangle: String::new(),
            launches: launches.iter().map(|byte| Hash128([*byte; 16])).collect(),
        }
    }

    fn known(version: NewVersion) -> UnitVersion {
        UnitVersion {
            recipe: version.recipe,
            source: VersionSource::ThisRun(0),
            recorded: Recorded {
                row: version.row,
                outcome: version.outcome,
            },
            counts: version.counts,
            micros: version.micros,
            tangle: version.tangle,
            launches: version.launches,
        }
    }

    #[test]
    fn broken_runs_leave_room_for_what_was_learnt_before() {
        let broken = || known(version(Outcome::Passed, &[Mark::Incomplete], &[]));
        let red = || known(version(Outcome::Failed, &[Mark::Incomplete], &[]));
        let good = || known(version(Outcome::Passed, &[Mark::Network], &[]));
        let mut versions = vec![broken(), good(), broken(), red()];
        make_room(&mut versions, &mut version(Outcome::Passed, &[], &[]));
        let kept: Vec<bool> = versions.iter().map(UnitVersion::says_nothing).collect();
        assert_eq!(kept, [false, false]);
    }

    #[test]
    fn the_same_state_again_knows_all_executions_that_ran_the_unit() {
        let mut new = version(Outcome::Passed, &[], &[1]);
        let mut versions = vec![known(version(Outcome::Passed, &[], &[2]))];
        make_room(&mut versions, &mut new);
        assert!(versions.is_empty());
        assert_eq!(new.launches, [Hash128([1; 16]), Hash128([2; 16])]);

        // One that was red then has not passed in the other execution.
        let mut new = version(Outcome::Passed, &[], &[1]);
        make_room(
            &mut vec![known(version(Outcome::Failed, &[], &[2]))],
            &mut new,
        );
        assert_eq!(new.launches, [Hash128([1; 16])]);
    }

    #[test]
    fn a_look_back_shows_one_reason_and_counts_the_others() {
        let reasons = ["one".to_owned(), "two".to_owned(), "three".to_owned()];
        assert_eq!(in_one_line(&reasons), "one (and 2 more)");
        assert_eq!(in_one_line(&reasons[..1]), "one");
    }

    #[test]
    fn a_unit_none_of_whose_classes_was_recognised_is_not_relied_on() {
        let jvm = |class: &str| JvmEvidence {
            loaded: vec![LoadedClass {
                class: class.into(),
                origin: "classes".into(),
                digest: [0; 16],
                first: 0,
                methods: 1,
            }],
            ..JvmEvidence::default()
        };
        assert!(is_seen("shop.TaxTests", &jvm("shop/TaxTests")));
        assert!(is_seen("shop.TaxTests", &jvm("shop/TaxTests$Inside")));
        assert!(!is_seen("shop.TaxTests", &jvm("shop/TaxTestsOfOld")));
        assert!(!is_seen("shop.TaxTests", &JvmEvidence::default()));
    }
}
