//! Writing a run: everything in one transaction, then old results out.

use std::collections::HashMap;
use std::time::SystemTime;

use jury_model::{Failure, Recipe};
use rusqlite::{CachedStatement, OptionalExtension, Transaction, TransactionBehavior, params};

use crate::dependencies::{self, NewDependencies};
use crate::error::StoreError;
use crate::recipe_text::{self, RecipeText};
use crate::run::{NewRun, RunId, TestResult};
use crate::store::Store;

/// Texts that a project controls are cut to so many bytes. Longer names come from parameters
/// printed into them, longer messages from compared documents, longer traces from recursion.
const LONGEST_NAME: usize = 500;
const LONGEST_MESSAGE: usize = 2_000;
const LONGEST_TRACE: usize = 4_000;

/// When a broken class path fails every test, each has a failure of its own. Beyond this many
/// bytes, failures keep only their exception and the start of their message, so that a run stays
/// below 1 KB a test.
const FAILURE_BYTES_PER_TEST: usize = 300;
const FAILURE_BYTES_PER_RUN: usize = 200_000;
const SHORT_MESSAGE: usize = 200;

impl Store {
    /// Records a run whole or not at all.
    ///
    /// A test seen more than once in the run is recorded with its worst outcome; if its outcomes
    /// differed, it is marked as unstable.
    pub fn record_run(&mut self, run: &NewRun) -> Result<RunId, StoreError> {
        self.record_run_with(run, None)
    }

    /// Records a run together with what its tests used. Without that, what is known of it stays.
    pub fn record_run_with(
        &mut self,
        run: &NewRun,
        dependencies: Option<&NewDependencies>,
    ) -> Result<RunId, StoreError> {
        let verdicts = merge(run);
        let recipes = run
            .jvms
            .iter()
            .map(|jvm| {
                let recipe = jvm.recipe.as_ref()?;
                Some(recipe_text::write(&jvm.module, recipe, &run.root))
            })
            .collect::<Vec<_>>();
        self.write(run, dependencies, &verdicts, &recipes)
            .map_err(|error| self.failed(error))
    }

    fn write(
        &mut self,
        run: &NewRun,
        dependencies: Option<&NewDependencies>,
        verdicts: &[Verdict<'_>],
        recipes: &[Option<RecipeText>],
    ) -> rusqlite::Result<RunId> {
        let keep = self.runs_kept;
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let id = insert_run(&transaction, run)?;
        for (jvm, recipe) in run.jvms.iter().zip(recipes) {
            if let (Some(text), Some(recipe)) = (recipe, &jvm.recipe) {
                upsert_recipe(&transaction, id, &jvm.module, recipe, text)?;
            }
        }
        let mut failures = Failures::new(&transaction, verdicts.len())?;
        insert_results(&transaction, id, verdicts, recipes, &mut failures)?;
        insert_container_failures(&transaction, id, run, &mut failures)?;
        drop(failures);
        if let Some(dependencies) = dependencies {
            dependencies::insert(&transaction, id, dependencies, recipes, &run.root)?;
        }
        prune(&transaction, keep)?;
        transaction.commit()?;
        Ok(id)
    }
}

/// What a run says of one test.
struct Verdict<'a> {
    module: &'a str,
    /// Index of the JVM that gave the result.
    jvm: usize,
    result: &'a TestResult,
    unstable: bool,
}

/// One verdict for each test, in the order the tests were first seen.
fn merge(run: &NewRun) -> Vec<Verdict<'_>> {
    let mut verdicts: Vec<Verdict<'_>> = Vec::new();
    let mut places = HashMap::new();
    for (jvm, evidence) in run.jvms.iter().enumerate() {
        for result in &evidence.results {
            let module = evidence.module.as_str();
            let place = *places
                .entry((module, result.test.id.as_str()))
                .or_insert(verdicts.len());
            let Some(known) = verdicts.get_mut(place) else {
                verdicts.push(Verdict {
                    module,
                    jvm,
                    result,
                    unstable: false,
                });
                continue;
            };
            known.unstable |= result.outcome != known.result.outcome;
            if result.outcome >= known.result.outcome {
                known.jvm = jvm;
                known.result = result;
            }
        }
    }
    verdicts
}

fn insert_run(transaction: &Transaction<'_>, run: &NewRun) -> rusqlite::Result<RunId> {
    transaction.query_row(
        "INSERT INTO runs (started_at, ended_at, command, build_status, jdk, revision, note)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id",
        params![
            unix_millis(run.started_at),
            unix_millis(run.ended_at),
            run.command,
            run.build_status.map(|status| status.to_string()),
            run.jdk,
            run.revision,
            run.note,
        ],
        |row| row.get(0).map(RunId),
    )
}

pub(crate) fn upsert_recipe(
    transaction: &Transaction<'_>,
    run: RunId,
    module: &str,
    recipe: &Recipe,
    text: &RecipeText,
) -> rusqlite::Result<()> {
    transaction.execute(
        "INSERT INTO recipes (id, module, launched_by, content, first_seen_run, last_seen_run)
         VALUES (?1, ?2, ?3, ?4, ?5, ?5)
         ON CONFLICT (id) DO UPDATE SET last_seen_run = excluded.last_seen_run",
        params![
            text.id.as_str(),
            module,
            recipe.launched_by.word(),
            text.content,
            run.0
        ],
    )?;
    Ok(())
}

fn insert_results(
    transaction: &Transaction<'_>,
    run: RunId,
    verdicts: &[Verdict<'_>],
    recipes: &[Option<RecipeText>],
    failures: &mut Failures<'_>,
) -> rusqlite::Result<()> {
    let mut upsert_test = transaction.prepare_cached(
        "INSERT INTO tests (module, test_id, engine, class, method, variant, display_name,
                            recipe, last_run, unstable_run)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
         ON CONFLICT (module, test_id) DO UPDATE SET
             engine = excluded.engine, class = excluded.class, method = excluded.method,
             variant = excluded.variant, display_name = excluded.display_name,
             recipe = excluded.recipe, last_run = excluded.last_run, present = 1,
             unstable_run = coalesce(excluded.unstable_run, unstable_run)
         RETURNING id",
    )?;
    let mut insert_result = transaction.prepare_cached(
        "INSERT INTO results (run, test, outcome, micros, failure) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for verdict in verdicts {
        let TestResult {
            test,
            outcome,
            micros,
            failure,
        } = verdict.result;
        let recipe = recipes[verdict.jvm].as_ref().map(|text| text.id.as_str());
        let test: i64 = upsert_test.query_row(
            params![
                verdict.module,
                test.id.as_str(),
                test.engine.as_str(),
                test.class,
                test.method,
                test.variant,
                cut(&test.display_name, LONGEST_NAME),
                recipe,
                run.0,
                verdict.unstable.then_some(run.0),
            ],
            |row| row.get(0),
        )?;
        let failure = match failure {
            Some(failure) if outcome.is_red() => Some(failures.intern(failure)?),
            _ => None,
        };
        let micros = i64::try_from(*micros).unwrap_or(i64::MAX);
        insert_result.execute(params![run.0, test, outcome.word(), micros, failure])?;
    }
    Ok(())
}

fn insert_container_failures(
    transaction: &Transaction<'_>,
    run: RunId,
    new_run: &NewRun,
    failures: &mut Failures<'_>,
) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO container_failures (run, module, container, class, failure)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for jvm in &new_run.jvms {
        for container in &jvm.container_failures {
            let failure = failures.intern(&container.failure)?;
            insert.execute(params![
                run.0,
                jvm.module,
                container.id.as_str(),
                container.class,
                failure
            ])?;
        }
    }
    Ok(())
}

/// Stores each distinct failure once.
struct Failures<'a> {
    find: CachedStatement<'a>,
    insert: CachedStatement<'a>,
    bytes_left: usize,
}

impl<'a> Failures<'a> {
    fn new(transaction: &'a Transaction<'_>, tests: usize) -> rusqlite::Result<Self> {
        Ok(Self {
            find: transaction.prepare_cached("SELECT id FROM failures WHERE hash = ?1")?,
            insert: transaction.prepare_cached(
                "INSERT INTO failures (hash, exception, message, trace)
                 VALUES (?1, ?2, ?3, ?4) RETURNING id",
            )?,
            bytes_left: FAILURE_BYTES_PER_RUN + tests * FAILURE_BYTES_PER_TEST,
        })
    }

    fn intern(&mut self, failure: &Failure) -> rusqlite::Result<i64> {
        let exception = cut(&failure.exception, LONGEST_NAME);
        let message = cut(&failure.message, LONGEST_MESSAGE);
        let trace = cut(&failure.trace, LONGEST_TRACE);
        if let Some(id) = self.find([exception, message, trace])? {
            return Ok(id);
        }
        match self.bytes_left.checked_sub(message.len() + trace.len()) {
            Some(left) => {
                self.bytes_left = left;
                self.insert([exception, message, trace])
            }
            None => {
                let short = [exception, cut(message, SHORT_MESSAGE), ""];
                match self.find(short)? {
                    Some(id) => Ok(id),
                    None => self.insert(short),
                }
            }
        }
    }

    fn find(&mut self, texts: [&str; 3]) -> rusqlite::Result<Option<i64>> {
        let hash = hash(texts);
        self.find
            .query_row([&hash[..]], |row| row.get(0))
            .optional()
    }

    fn insert(&mut self, texts: [&str; 3]) -> rusqlite::Result<i64> {
        let [exception, message, trace] = texts;
        let hash = hash(texts);
        self.insert
            .query_row(params![&hash[..], exception, message, trace], |row| {
                row.get(0)
            })
    }
}

/// Half of a BLAKE3 hash; a clash among the failures of one project is out of the question.
fn hash(texts: [&str; 3]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    let mut half = [0; 16];
    hasher.finalize_xof().fill(&mut half);
    half
}

/// Removes the results of all but the newest `keep` runs, and what nothing refers to any more.
///
/// A test's newest result stays however old it is: a test that no change could affect is not run
/// for a long time, and is no less known for that.
fn prune(transaction: &Transaction<'_>, keep: u32) -> rusqlite::Result<()> {
    transaction.execute(
        "DELETE FROM recipes
         WHERE id NOT IN (SELECT recipe FROM tests WHERE recipe IS NOT NULL)
           AND id NOT IN (SELECT recipe FROM units)",
        [],
    )?;
    let newest_to_go: Option<i64> = transaction
        .query_row(
            "SELECT id FROM runs ORDER BY id DESC LIMIT 1 OFFSET ?1",
            [keep],
            |row| row.get(0),
        )
        .optional()?;
    let Some(newest_to_go) = newest_to_go else {
        return Ok(());
    };
    transaction.execute(
        "DELETE FROM results
         WHERE run <= ?1 AND run <> (SELECT last_run FROM tests WHERE tests.id = results.test)",
        [newest_to_go],
    )?;
    transaction.execute("DELETE FROM selections WHERE run <= ?1", [newest_to_go])?;
    transaction.execute(
        "DELETE FROM runs
         WHERE id <= ?1 AND NOT EXISTS (SELECT 1 FROM results WHERE results.run = runs.id)",
        [newest_to_go],
    )?;
    transaction.execute(
        "DELETE FROM failures
         WHERE NOT EXISTS (SELECT 1 FROM results WHERE results.failure = failures.id)
           AND NOT EXISTS (SELECT 1 FROM container_failures AS c WHERE c.failure = failures.id)",
        [],
    )?;
    Ok(())
}

/// At most `longest` bytes of `text`, ending between two characters.
pub(crate) fn cut(text: &str, longest: usize) -> &str {
    let mut end = longest.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Clocks set before 1970 count as 1970.
pub(crate) fn unix_millis(time: SystemTime) -> i64 {
    let since_1970 = time
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX)
}
