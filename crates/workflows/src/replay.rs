//! `jury replay`: runs known tests in worker JVMs and compares with what the build showed.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jury_jvm::{
    Batch, BatchEvent, Installation, Pool, ReplayEvent, Replayed, WorkPlan, cache_directory,
};
use jury_model::{Counts, Difference, Exit, Notice, Outcome, Recipe, RedTest, ReplayedRun, TestId};
use jury_store::{RecipeId, Store, StoredTest};

use crate::WorkflowError;
use crate::recipes::{join_recipes, recipe_of, recipes_of};
use crate::tests::{TestQuery, find, open_known};

/// What to replay, and how.
#[derive(Debug)]
pub struct ReplayRequest<'a> {
    pub root: &'a Path,
    pub state_dir: &'a Path,
    pub query: TestQuery<'a>,
    pub jobs: usize,
    /// The patterns are names of test classes, which run in the order given, in one JVM if they share
    /// one.
    pub in_order: bool,
    /// How often everything is run, in the same JVMs.
    pub rounds: usize,
    /// The same limit for every test; without it, a multiple of each one's recorded time.
    pub test_timeout: Option<Duration>,
    /// Variables set over those that the build had.
    pub environment: &'a [(String, String)],
    pub cancelled: &'a AtomicBool,
}

/// What happens while a replay runs.
#[derive(Debug)]
pub enum ReplayProgress<'a> {
    /// This many test executions lie ahead.
    Planned(usize),
    Finished(&'a Replayed),
}

/// Machines differ in speed from moment to moment; a test that takes this much longer hangs.
const SLACK: u32 = 20;
const SHORTEST_LIMIT: Duration = Duration::from_secs(60);

pub fn replay(
    request: &ReplayRequest<'_>,
    mut progress: impl FnMut(ReplayProgress<'_>),
) -> Result<ReplayedRun, WorkflowError> {
    let store = open_known(request.state_dir)?;
    let mut tests = match request.in_order {
        true => in_order(&store, request.query)?,
        false => find(&store, request.query)?,
    };
    let mut notices = Vec::new();
    let mut recipes = recipes_of(&store, request.root, &tests)?;
    if request.in_order {
        join_recipes(&mut tests, &recipes);
    }
    for recipe in recipes.values_mut() {
        recipe
            .environment
            .extend(request.environment.iter().cloned());
    }
    let without_recipe = tests.len();
    tests.retain(|test| recipe_of(test, &recipes).is_some());
    if tests.len() < without_recipe {
        notices.push(Notice::with_hint(
            format!(
                "{} tests have no recipe to start their JVM",
                without_recipe - tests.len()
            ),
            "run `jury test` to record one",
        ));
    }
    let installation = Installation::prepare(&cache_directory()?)?;
    let pool = Pool {
        installation: &installation,
        plan: &WorkPlan::default(),
        jobs: if request.in_order { 1 } else { request.jobs },
        cancelled: request.cancelled,
    };

    let clock = Instant::now();
    let mut batches = Vec::new();
    for _ in 0..request.rounds.max(1) {
        batches.extend(batches_of(&tests, &recipes, request.test_timeout));
    }
    progress(ReplayProgress::Planned(tests.len() * request.rounds.max(1)));
    let mut replayed: HashMap<Key, Vec<Replayed>> = HashMap::new();
    let mut workers = 0;
    pool.replay(batches, |event| match event {
        ReplayEvent::WorkerStarted(number) => workers = number,
        ReplayEvent::Heard(_, BatchEvent::Trouble(message)) => notices.push(Notice::new(message)),
        ReplayEvent::Heard(recipe, BatchEvent::Finished(one)) => {
            progress(ReplayProgress::Finished(&one));
            replayed
                .entry((std::ptr::from_ref(recipe), one.id.clone()))
                .or_default()
                .push(one);
        }
        ReplayEvent::Heard(
            _,
            BatchEvent::FailedAfterwards { .. }
            | BatchEvent::Worked(_)
            | BatchEvent::Seen { .. }
            | BatchEvent::LeftOut { .. },
        ) => {}
    })?;

    let mut run = compare(&tests, &recipes, &replayed);
    run.rounds = request.rounds.max(1);
    run.workers = workers;
    run.notices = notices;
    run.wall_millis = u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX);
    run.exit = if request.cancelled.load(Ordering::Relaxed) {
        Exit::Interrupted
    } else if run.differences.is_empty() && run.counts.red() == 0 {
        Exit::Clean
    } else {
        Exit::Findings
    };
    Ok(run)
}

/// All tests of the classes that are named, class by class.
fn in_order(store: &Store, query: TestQuery<'_>) -> Result<Vec<StoredTest>, WorkflowError> {
    let everything = TestQuery {
        patterns: &[],
        ..query
    };
    let known = find(store, everything)?;
    let mut tests = Vec::new();
    for class in query.patterns {
        let before = tests.len();
        let of_class = |test: &&StoredTest| test.test.top_level_class() == class;
        tests.extend(known.iter().filter(of_class).cloned());
        if tests.len() == before {
            return Err(WorkflowError::NoMatch(vec![class.clone()]));
        }
    }
    Ok(tests)
}

/// Two modules may hold a test of the same id; the recipe tells them apart.
type Key = (*const Recipe, TestId);

/// One batch for each top-level class, so that fixtures run as often as they do in the build.
fn batches_of<'r>(
    tests: &[StoredTest],
    recipes: &'r BTreeMap<RecipeId, Recipe>,
    timeout: Option<Duration>,
) -> Vec<Batch<'r>> {
    let mut batches: Vec<Batch<'r>> = Vec::new();
    let mut places = HashMap::new();
    for test in tests {
        let Some(recipe) = recipe_of(test, recipes) else {
            continue;
        };
        let key = (&test.recipe, &test.test.engine, test.test.top_level_class());
        let place = *places.entry(key).or_insert_with(|| {
            batches.push(Batch {
                recipe,
                engine: test.test.engine.clone(),
                tests: Vec::new(),
            });
            batches.len() - 1
        });
        batches[place]
            .tests
            .push((test.test.id.clone(), limit(test, timeout)));
    }
    batches
}

/// How long a test may take.
pub(crate) fn limit(test: &StoredTest, given: Option<Duration>) -> Duration {
    given.unwrap_or_else(|| {
        SHORTEST_LIMIT.max(Duration::from_micros(test.last_micros).saturating_mul(SLACK))
    })
}

fn compare(
    tests: &[StoredTest],
    recipes: &BTreeMap<RecipeId, Recipe>,
    replayed: &HashMap<Key, Vec<Replayed>>,
) -> ReplayedRun {
    let mut counts = Counts::default();
    let (mut differences, mut red, mut test_micros) = (Vec::new(), Vec::new(), 0);
    for test in tests {
        let Some(recipe) = recipe_of(test, recipes) else {
            continue;
        };
        let key = (std::ptr::from_ref(recipe), test.test.id.clone());
        // Missing altogether only if the replay was interrupted.
        let Some(rounds) = replayed.get(&key) else {
            continue;
        };
        let differing = rounds
            .iter()
            .find(|one| one.outcome != Some(test.last_outcome));
        if let Some(one) = differing.or(rounds.last()) {
            if let Some(outcome) = one.outcome {
                counts.add(outcome);
            }
            test_micros += one.micros;
            if differing.is_some() {
                differences.push(Difference {
                    module: test.module.clone(),
                    label: test.test.label(),
                    recorded: test.last_outcome,
                    replayed: one.outcome,
                    failure: one.failure.clone(),
                });
            } else if one.outcome.is_some_and(Outcome::is_red) {
                red.push(RedTest {
                    module: test.module.clone(),
                    label: test.test.label(),
                    outcome: test.last_outcome,
                    failure: one.failure.clone(),
                });
            }
        }
    }
    ReplayedRun {
        exit: Exit::Clean,
        counts,
        rounds: 1,
        workers: 0,
        differences,
        red,
        notices: Vec::new(),
        wall_millis: 0,
        test_micros,
    }
}
