//! `jury mutate`: throws method bodies away or changes instructions, one at a time, and sees whether
//! any test notices.

mod carried;
mod docket;
pub(crate) mod lab;
mod memory;
mod relevance;
mod session;
mod siblings;
pub(crate) mod sources;
pub(crate) mod subject;
mod users;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use jury_jvm::{Installation, cache_directory};
use jury_model::{Exit, Outcome, Recipe, TestId};
use jury_mutate::{
    Answers, ClassicOperator, Classification, CoveringTest, Extent, Gate, JudgedClass,
    JudgedMethod, MethodId, MethodResult, MutantId, MutantResult, MutantVerdict, MutateSettings,
    MutationRun, Shard, Unreliability, UnreliableTest, likely_killers_first,
};
use jury_select::Hash128;
use jury_store::{LabelPattern, RecipeId, Store, StoredTest, lasting_failure};

use self::docket::{Docket, unmapped};
use self::lab::{Baseline, EarlyWorkers, Fate, Lab, LabTest, Replies, Trial};
use self::memory::{Memory, Reliance};
use self::relevance::{retain_relevant, unaffected};
use self::session::{Log, Session};
use self::siblings::see_through_jars;
use self::subject::{Engines, Role, Subject};
use self::users::Users;
use crate::WorkflowError;
use crate::flaky::known_flaky;
use crate::recipes::{recipe_of, recipes_of};
use crate::tests::{TestQuery, find};

pub(crate) use self::sources::module_of;

/// Why a mutant has no verdict that was next in the queue when the run ended.
const UNTRIED: &str = "the run ended before its turn";

/// What to put on trial, and how.
#[derive(Debug, Clone, Copy)]
pub struct MutateRequest<'a> {
    pub root: &'a Path,
    pub state_dir: &'a Path,
    /// Only classes whose names match one of these; all if there are none.
    pub classes: &'a [String],
    /// What becomes of whole bodies; nothing does without operators.
    pub settings: &'a MutateSettings,
    /// What becomes of single instructions, likewise.
    pub classic: &'a [&'static ClassicOperator],
    /// Only what changed since this revision of the repository.
    pub since: Option<&'a str>,
    /// Only one part of it.
    pub shard: Option<Shard>,
    /// State directories of other runs, which are relied on like one's own.
    pub merge: &'a [PathBuf],
    /// Rely on nothing that earlier runs have learnt.
    pub fresh: bool,
    /// Have every survivor tried alone in a fresh JVM.
    pub confirm: bool,
    /// Ask all tests about every mutant, not only until one notices it.
    pub matrix: bool,
    pub jobs: usize,
    pub cancelled: &'a AtomicBool,
}

impl MutateRequest<'_> {
    /// The code that is put on trial.
    pub(crate) fn subject(
        &self,
        known: &[StoredTest],
        recipes: &BTreeMap<RecipeId, Recipe>,
    ) -> Result<Subject, WorkflowError> {
        let patterns: Vec<LabelPattern<'_>> = (self.classes.iter())
            .map(|pattern| LabelPattern::new(pattern))
            .collect();
        let wanted = |class: &str| {
            let class = class.replace('/', ".");
            patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(&class))
        };
        let engines = Engines {
            extreme: self.settings,
            classic: self.classic,
        };
        let subject = Subject::gather(recipes.values(), known, engines, wanted);
        let mut roles = subject.classes.iter().map(|class| class.role);
        let any = self.classes.is_empty() || roles.any(|role| role == Role::OnTrial);
        match &subject.unreadable[..] {
            [] if subject.classes.is_empty() => Err(WorkflowError::NoClasses),
            _ if any => Ok(subject),
            [] => Err(WorkflowError::NoSuchClass(self.classes.to_vec())),
            unreadable => Err(WorkflowError::UnreadableClass(unreadable.to_vec())),
        }
    }

    /// What is probed beside methods: classic mutants have probes of their own.
    fn probed(&self) -> String {
        if self.classic.is_empty() {
            return String::new();
        }
        let operators = self.classic.iter().map(|operator| operator.name);
        let classes = self.classes.iter().map(String::as_str);
        operators
            .chain(["in"])
            .chain(classes)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// All that the user chose, in short.
    fn choices(&self) -> String {
        let classic: Vec<&str> = self.classic.iter().map(|operator| operator.name).collect();
        let choices = format!("{:?} {classic:?} {:?}", self.settings, self.classes);
        Hash128::of(choices.as_bytes()).to_string()
    }
}

/// What happens while mutants are tried.
#[derive(Debug)]
pub enum MutateProgress {
    /// This many tests are run without a mutant first.
    Covering(usize),
    Covered,
    /// This many mutants are run by at least one test.
    Trying(usize),
    Tried,
    /// About this many mutants that were noticed, everybody else is asked.
    Polling(usize),
    Polled,
}

pub fn mutate(
    request: &MutateRequest<'_>,
    progress: impl FnMut(MutateProgress),
) -> Result<MutationRun, WorkflowError> {
    let mut store = Store::open(request.state_dir)?;
    let case = Case::open(&mut store, request.root, request.state_dir)?;
    for other in request.merge {
        store.take_over(other, SystemTime::now())?;
    }
    let subject = request.subject(&case.known, &case.recipes)?;
    let installation = Installation::prepare(&cache_directory()?)?;
    // Where nothing is remembered, workers are needed whatever comes.
    let all_is_new = request.fresh || !store.knows_coverage()?;
    thread::scope(|scope| {
        let early = match all_is_new && !subject.mutants.is_empty() {
            true => EarlyWorkers::start(
                scope,
                request.jobs,
                &lab_tests(&case),
                &installation,
                &subject.plan,
                request.cancelled,
            ),
            false => EarlyWorkers::default(),
        };
        conduct(
            request,
            &mut store,
            &case,
            &subject,
            &installation,
            early,
            progress,
        )
    })
}

/// Everything from what is on trial to verdicts.
fn conduct(
    request: &MutateRequest<'_>,
    store: &mut Store,
    case: &Case,
    subject: &Subject,
    installation: &Installation,
    early: EarlyWorkers<'_>,
    progress: impl FnMut(MutateProgress),
) -> Result<MutationRun, WorkflowError> {
    let known = &case.known;
    let changes = match request.since {
        Some(revision) => Some(jury_history::changes_since(request.root, revision)?),
        None => None,
    };
    let mut docket = Docket::new(subject, changes.as_ref(), request.shard);
    let unmapped = changes.and_then(|changes| unmapped(subject, &changes));
    let users = Users::read(store)?;
    let mut tests = lab_tests(case);
    if let Some(methods) = docket.few_methods(subject) {
        let unaffected = unaffected(store, request.root, request.state_dir)?;
        retain_relevant(&mut tests, &methods, &users, &unaffected);
    }
    let lab = Lab {
        installation,
        plan: &subject.plan,
        tests: &tests,
        jobs: request.jobs.max(1),
        confirm: request.confirm,
        early,
        cancelled: request.cancelled,
    };
    let reliance = Reliance {
        probed: request.probed(),
        fresh: request.fresh,
        matrix: request.matrix,
    };
    let inputs = users.inputs();
    let memory = Memory::open(store, subject, &tests, &inputs, request.root, reliance)?;
    let extent = Extent {
        code: memory.code().to_string(),
        commit: jury_history::head(request.root),
        settings: request.choices(),
        since: request.since.map(str::to_owned),
        shard: request.shard,
    };

    let clock = Instant::now();
    let mut cover_time = Duration::ZERO;
    let mut session = Session::begin(subject, memory, progress)?;
    let remembered = session.recall_tests()?;
    // The lab asks for trials in between its reports.
    let session = RefCell::new(session);
    let baselines = lab.run(
        remembered,
        |baselines| {
            cover_time = clock.elapsed();
            docket.add_changed_tests(subject, baselines);
            let trials = plan_trials(subject, &docket, &tests, baselines, &users);
            let mut session = session.borrow_mut();
            session.plan(trials, request.confirm, request.matrix)
        },
        || session.borrow_mut().plan_polls(),
        |event| session.borrow_mut().hear(event),
    );
    // Whatever became of the lab, what it has shown is kept.
    let (log, effort) = session.into_inner().end();
    let baselines = baselines?;

    let interrupted = request.cancelled.load(Ordering::Relaxed);
    let notices = subject.notices.iter().chain(&unmapped).chain(&log.notices);
    let classes = judge(subject, &docket, &tests, &baselines, &log, request);
    let mut run = MutationRun {
        exit: Exit::Clean,
        classes,
        labels: known
            .iter()
            .map(|test| (test.test.id.clone(), test.test.label()))
            .collect(),
        unreliable: unreliable(case, &tests, &baselines, interrupted),
        notices: notices.cloned().collect(),
        gate: Gate::default(),
        milestones: Vec::new(),
        extent,
        matrix: request.matrix,
        effort,
        workers: lab.jobs,
        tests: tests.len(),
        cover_millis: millis(cover_time),
        trial_millis: millis(clock.elapsed().saturating_sub(cover_time)),
    };
    let found = run.methods().any(|(_, method)| {
        matches!(
            method.result.classification(),
            Classification::PseudoTested | Classification::PartiallyTested
        )
    }) || run.surviving_points().next().is_some();
    run.exit = match (interrupted, found) {
        (true, _) => Exit::Interrupted,
        // A shard shows too little of a method to judge it; that is for whoever merges them.
        (false, true) if request.shard.is_none() => Exit::Findings,
        (false, _) => Exit::Clean,
    };
    Ok(run)
}

/// The tests that are asked, and how their JVMs are started.
pub(crate) struct Case {
    pub known: Vec<StoredTest>,
    pub recipes: BTreeMap<RecipeId, Recipe>,
    /// Tests that were found to be flaky, by module and id. Nobody is asked whose word changes.
    flaky: BTreeSet<(String, TestId)>,
}

impl Case {
    pub fn open(store: &mut Store, root: &Path, state_dir: &Path) -> Result<Self, WorkflowError> {
        let everything = TestQuery {
            module: None,
            patterns: &[],
        };
        let known = find(store, everything)?;
        let flaky: BTreeSet<_> = (known_flaky(store, root, state_dir)?.into_iter())
            .map(|one| (one.module, one.id))
            .collect();
        refuse_red_baseline(&known, &flaky)?;
        let mut recipes = recipes_of(store, root, &known)?;
        for recipe in recipes.values_mut() {
            see_through_jars(recipe, root);
        }
        Ok(Case {
            known,
            recipes,
            flaky,
        })
    }
}

fn refuse_red_baseline(
    known: &[StoredTest],
    flaky: &BTreeSet<(String, TestId)>,
) -> Result<(), WorkflowError> {
    let red: Vec<String> = known
        .iter()
        .filter(|test| test.last_outcome.is_red() && !is_among(flaky, test))
        .map(|test| test.test.label())
        .collect();
    if red.is_empty() {
        Ok(())
    } else {
        Err(WorkflowError::NotGreen(red))
    }
}

fn is_among(tests: &BTreeSet<(String, TestId)>, test: &StoredTest) -> bool {
    tests.contains(&(test.module.clone(), test.test.id.clone()))
}

/// Tests that passed in the build, and do so always; others can notice nothing.
pub(crate) fn lab_tests(case: &Case) -> Vec<LabTest<'_>> {
    let mut groups = HashMap::new();
    (case.known.iter())
        .filter(|test| test.last_outcome == Outcome::Passed && !is_among(&case.flaky, test))
        .filter_map(|test| {
            let recipe = recipe_of(test, &case.recipes)?;
            let key = (&test.recipe, &test.test.engine, test.test.top_level_class());
            let next = groups.len();
            Some(LabTest {
                id: test.test.id.clone(),
                engine: test.test.engine.clone(),
                class: test.test.top_level_class().to_owned(),
                method: test.test.method_unit(),
                recipe,
                group: *groups.entry(key).or_insert(next),
                micros: test.last_micros,
            })
        })
        .collect()
}

/// One trial for each mutant that some reliable test runs.
fn plan_trials(
    subject: &Subject,
    docket: &Docket<'_>,
    tests: &[LabTest<'_>],
    baselines: &[Baseline],
    users: &Users,
) -> Vec<Trial> {
    let covering = Covering::of(subject, tests, baselines, users);
    // The mutants of a method, or of a block, have the same tests.
    let mut orders: HashMap<u32, Vec<usize>> = HashMap::new();
    (0..)
        .zip(subject.mutants.iter().zip(subject.mutant_ids()))
        .filter(|(_, (_, id))| docket.holds(id))
        .filter_map(|(mutant, (place, _))| {
            let tests_here = covering.tests.get(&place.probe)?;
            let class = &subject.classes[place.class].facts.name;
            let order = orders
                .entry(place.probe)
                .or_insert_with(|| in_order(class, tests_here, tests, baselines));
            Some(Trial {
                mutant,
                class: place.class,
                probe: place.probe,
                tests: order.clone(),
                initialises: covering.initialising.contains(&place.probe),
            })
        })
        .collect()
}

/// Which tests can notice that something else happens at a probe.
struct Covering {
    tests: HashMap<u32, BTreeSet<usize>>,
    /// Probes that are hit while a class is initialised.
    initialising: BTreeSet<u32>,
}

impl Covering {
    fn of(subject: &Subject, tests: &[LabTest<'_>], baselines: &[Baseline], users: &Users) -> Self {
        let reliable = |test: &usize| baselines[*test].outcome == Some(Outcome::Passed);
        let reliable: Vec<usize> = (0..tests.len()).filter(reliable).collect();
        let mut covering = Covering {
            tests: HashMap::new(),
            initialising: BTreeSet::new(),
        };
        for &test in &reliable {
            for probe in &baselines[test].hits {
                covering.tests.entry(*probe).or_default().insert(test);
            }
            covering.initialising.extend(&baselines[test].initialising);
        }
        let probes = subject.probes();
        let method = |probe: &u32| probes[*probe as usize].method;
        let users = users.of(&covering.initialising.iter().map(method).collect());
        for probe in &covering.initialising {
            let depends = |test: &usize| users.may_include(method(probe), &tests[*test].class);
            let here = covering.tests.entry(*probe).or_default();
            here.extend(reliable.iter().copied().filter(depends));
        }
        covering
    }
}

/// The likeliest killers first. A test class named after the class under trial was written for it.
fn in_order(
    class: &str,
    covering: &BTreeSet<usize>,
    tests: &[LabTest<'_>],
    baselines: &[Baseline],
) -> Vec<usize> {
    let subject = simple_name(class);
    // Tests of two modules may have one id.
    let mut places: HashMap<&TestId, VecDeque<usize>> = HashMap::new();
    let mut candidates: Vec<CoveringTest> = covering
        .iter()
        .map(|&test| {
            places.entry(&tests[test].id).or_default().push_back(test);
            let namesake = simple_name(&tests[test].class).contains(subject);
            CoveringTest {
                id: tests[test].id.clone(),
                // Counted work, not time: the order must not depend on how busy a machine was.
                duration: Duration::from_micros(baselines[test].work),
                distance: Some(if namesake { 0 } else { 1 }),
                kills: 0,
                tries: 0,
                killed_this: false,
            }
        })
        .collect();
    likely_killers_first(&mut candidates);
    candidates
        .iter()
        .filter_map(|test| places.get_mut(&test.id)?.pop_front())
        .collect()
}

/// `Basket` of `shop/Basket$Line` and of `shop.Basket`.
pub(crate) fn simple_name(class: &str) -> &str {
    let name = class.rsplit(['/', '.']).next().unwrap_or(class);
    name.split('$').next().unwrap_or(name)
}

fn judge(
    subject: &Subject,
    docket: &Docket<'_>,
    tests: &[LabTest<'_>],
    baselines: &[Baseline],
    log: &Log,
    request: &MutateRequest<'_>,
) -> Vec<JudgedClass> {
    let (root, matrix) = (request.root, request.matrix);
    // What a test that was not run yet covers, nobody knows.
    let interrupted = request.cancelled.load(Ordering::Relaxed);
    let all_covered = !interrupted || baselines.iter().all(|one| one.outcome.is_some());
    let mut covering: HashMap<u32, Vec<TestId>> = HashMap::new();
    let mut relied_on: BTreeSet<u32> = BTreeSet::new();
    for (test, baseline) in tests.iter().zip(baselines) {
        if baseline.outcome == Some(Outcome::Passed) {
            relied_on.extend(&baseline.hits);
        }
        for probe in &baseline.hits {
            covering.entry(*probe).or_default().push(test.id.clone());
        }
    }
    covering.values_mut().for_each(|tests| tests.sort());
    let result = |number: usize, id: &MutantId| {
        let covering = covering.get(&subject.mutants[number].probe);
        let covering = covering.cloned().unwrap_or_default();
        let answers = log.replies.get(&(number as u32));
        let verdict = match verdict(number as u32, &id.method, &covering, tests, log) {
            _ if !docket.holds(id) => skipped("another shard tries it"),
            Some(MutantVerdict::NotCovered) if !all_covered => skipped(UNTRIED),
            Some(verdict) => verdict,
            None if interrupted || relied_on.contains(&subject.mutants[number].probe) => {
                skipped(UNTRIED)
            }
            None => skipped("only unreliable tests run it"),
        };
        MutantResult {
            id: id.clone(),
            answers: match verdict {
                // Nobody can say anything to it.
                MutantVerdict::NotCovered => Some(Answers::default()),
                MutantVerdict::Skipped { .. } => None,
                _ => answers.map(|replies| said(replies, tests, &covering)),
            }
            .filter(|_| matrix),
            verdict,
            covering,
        }
    };

    let mut mutants = 0..;
    let mut points = subject.first_point..;
    let mut classes = Vec::new();
    for (class, probed) in subject.classes.iter().zip(&subject.plan.probes) {
        if class.role != Role::OnTrial {
            continue;
        }
        let module = sources::module_of(root, &class.directory);
        let mut methods = Vec::new();
        for (index, facts) in class.facts.methods.iter().enumerate() {
            let own_points = class.points.get(index).map_or(&[][..], Vec::as_slice);
            let extreme = facts.mutants.iter().zip(mutants.by_ref());
            let extreme = extreme.map(|(mutant, number)| result(number, &mutant.id));
            let extreme = extreme.collect();
            let classic = own_points.iter().zip(points.by_ref());
            let classic = classic.map(|(point, number)| result(number, &point.id));
            let classic = classic.collect();
            if !docket.is_about(&facts.id) {
                continue;
            }
            methods.push(JudgedMethod {
                facts: facts.clone(),
                points: own_points.to_vec(),
                result: MethodResult {
                    id: facts.id.clone(),
                    module: module.clone(),
                    stop: facts.stop,
                    covered: covering.contains_key(&(probed.first + index as u32)),
                    extreme,
                    classic,
                },
            });
        }
        if methods.is_empty() && !class.facts.methods.is_empty() {
            continue;
        }
        let (source_path, source) = sources::source_of(root, &class.directory, &class.facts)
            .map_or((None, None), |source| (source.path, Some(source.text)));
        classes.push(JudgedClass {
            name: class.facts.name.clone(),
            module,
            access: class.facts.access,
            source_file: class.facts.source_file.clone(),
            source_path,
            source,
            methods,
        });
    }
    classes
}

/// What all tests say, those included that were not asked because they are unreliable.
fn said(replies: &Replies, tests: &[LabTest<'_>], covering: &[TestId]) -> Answers {
    let mut answers = Answers::default();
    let mut asked = BTreeSet::new();
    for (test, fate) in replies {
        let id = &tests[*test].id;
        asked.insert(id);
        match fate {
            Fate::Survived => answers.surviving.push(id.clone()),
            Fate::SetAside(reason) => answers.left_out.push((id.clone(), reason.clone())),
            noticed => answers.killing.push(spoken(noticed, tests)),
        }
    }
    let unreliable = covering.iter().filter(|id| !asked.contains(id));
    let reason = "it does not pass reliably without any mutant";
    (answers.left_out).extend(unreliable.map(|id| (id.clone(), reason.to_owned())));
    let by = |verdict: &MutantVerdict| verdict.noticed_by().cloned();
    answers.killing.sort_by_key(by);
    answers.surviving.sort();
    answers.left_out.sort();
    answers
}

fn skipped(reason: &str) -> MutantVerdict {
    MutantVerdict::Skipped {
        reason: reason.to_owned(),
    }
}

/// None if it was not tried although tests run it.
fn verdict(
    number: u32,
    method: &MethodId,
    covering: &[TestId],
    tests: &[LabTest<'_>],
    log: &Log,
) -> Option<MutantVerdict> {
    if let Some(reason) = log.reason_left_out(method) {
        return Some(skipped(reason));
    }
    match log.fates.get(&number) {
        Some(fate) => Some(spoken(fate, tests)),
        None => covering.is_empty().then_some(MutantVerdict::NotCovered),
    }
}

fn spoken(fate: &Fate, tests: &[LabTest<'_>]) -> MutantVerdict {
    let id = |test: &usize| tests[*test].id.clone();
    match fate {
        Fate::Killed { by, failure } => MutantVerdict::Killed {
            by: id(by),
            failure: failure.as_ref().map(lasting_failure).unwrap_or_default(),
        },
        Fate::Survived => MutantVerdict::Survived,
        Fate::TimedOut { by, .. } => MutantVerdict::TimedOut { during: id(by) },
        Fate::OutOfMemory { by } => MutantVerdict::OutOfMemory { during: id(by) },
        Fate::Crashed { by } => MutantVerdict::Crashed { during: id(by) },
        Fate::SetAside(reason) => skipped(reason),
    }
}

fn unreliable(
    Case { known, flaky, .. }: &Case,
    tests: &[LabTest<'_>],
    baselines: &[Baseline],
    interrupted: bool,
) -> Vec<UnreliableTest> {
    let labels: HashMap<&TestId, String> = known
        .iter()
        .map(|test| (&test.test.id, test.test.label()))
        .collect();
    let known_flaky = known.iter().filter(|test| is_among(flaky, test));
    let known_flaky = known_flaky.map(|test| UnreliableTest {
        label: test.test.label(),
        recorded: test.last_outcome,
        seen: None,
        cause: Unreliability::KnownFlaky,
        failure: None,
    });
    let seen = tests
        .iter()
        .zip(baselines)
        .filter(|(_, baseline)| match baseline.outcome {
            Some(outcome) => outcome != Outcome::Passed,
            None => !interrupted,
        })
        .map(|(test, baseline)| UnreliableTest {
            label: labels
                .get(&test.id)
                .cloned()
                .unwrap_or_else(|| test.id.to_string()),
            recorded: Outcome::Passed,
            seen: baseline.outcome,
            cause: match baseline.outcome {
                None => Unreliability::Gone,
                Some(_) if baseline.is_reproducible() => Unreliability::BrokenInReplay,
                Some(_) => Unreliability::Flaky,
            },
            failure: baseline.failure.clone(),
        });
    known_flaky.chain(seen).collect()
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_model::{Engine, LaunchedBy};

    #[test]
    fn tests_of_two_modules_with_one_id_are_both_asked() {
        let recipe = Recipe {
            launched_by: LaunchedBy::Surefire,
            java_home: String::new(),
            java_version: String::new(),
            working_directory: String::new(),
            class_path: Vec::new(),
            module_path: Vec::new(),
            module_flags: Vec::new(),
            jvm_flags: Vec::new(),
            properties: BTreeMap::new(),
            environment: BTreeMap::new(),
            launcher_parameters: BTreeMap::new(),
            jvm_per_class: false,
        };
        let test = LabTest {
            id: TestId::new("a.BTest#adds"),
            engine: Engine::new("junit-jupiter"),
            class: "a.BTest".into(),
            method: "a.BTest#adds".into(),
            recipe: &recipe,
            group: 0,
            micros: 1,
        };
        let tests = [test.clone(), test];
        let baselines = [Baseline::default(), Baseline::default()];
        let order = in_order("a/B", &BTreeSet::from([0, 1]), &tests, &baselines);
        assert_eq!(order, [0, 1]);
    }
}
