//! Reading evidence back.

use std::path::Path;
use std::time::{Duration, SystemTime};

use jury_model::{Engine, Failure, Outcome, Recipe, TestCase, TestId};
use rusqlite::types::Type;
use rusqlite::{Params, Row};

use crate::error::StoreError;
use crate::label_pattern::LabelPattern;
use crate::recipe_text::{self, RecipeId};
use crate::run::{BuildStatus, RunId, StoredRun};
use crate::store::Store;

/// Which tests to give back; all conditions must hold, and an empty filter gives every test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestFilter {
    pub module: Option<String>,
    /// This class and those nested in it.
    pub class: Option<String>,
    /// A part of the label; with `*` in it, the whole label with `*` standing for any text.
    pub label: Option<String>,
    /// Only tests whose newest result is from this run.
    pub last_run: Option<RunId>,
}

/// A test and how it ends in the present state, as far as that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTest {
    pub module: String,
    pub test: TestCase,
    /// The recipe it ran with then.
    pub recipe: Option<RecipeId>,
    /// The run that shows it.
    pub last_run: RunId,
    pub last_outcome: Outcome,
    pub last_micros: u64,
    /// The newest run in which it ended in more than one way.
    pub unstable_run: Option<RunId>,
    /// Its place among all tests, in the order in which they were first seen.
    pub place: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRecipe {
    pub id: RecipeId,
    pub module: String,
    pub recipe: Recipe,
    pub first_seen_run: RunId,
    pub last_seen_run: RunId,
}

/// How a test ended in a run that it did not pass in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredOutcome {
    pub run: RunId,
    pub module: String,
    pub test: TestId,
    pub outcome: Outcome,
}

/// A test that was red in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFailure {
    pub module: String,
    pub test: TestCase,
    pub outcome: Outcome,
    /// `None` if nothing was thrown, as when the JVM ended under the test.
    pub failure: Option<Failure>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredContainerFailure {
    pub module: String,
    pub id: TestId,
    pub class: String,
    pub failure: Failure,
}

impl Store {
    /// Tests of the present state, ordered by module and class, then as they were first seen.
    pub fn tests(&self, filter: &TestFilter) -> Result<Vec<StoredTest>, StoreError> {
        let mut tests = self.rows(
            "SELECT t.module, t.test_id, t.engine, t.class, t.method, t.variant, t.display_name,
                    t.recipe, t.last_run, t.unstable_run, r.outcome, r.micros, t.id
             FROM tests AS t JOIN results AS r ON r.run = t.last_run AND r.test = t.id
             WHERE t.present AND (?1 IS NULL OR t.module = ?1)
               AND (?2 IS NULL OR t.class = ?2 OR substr(t.class, 1, length(?2) + 1) = ?2 || '$')
               AND (?3 IS NULL OR t.last_run = ?3)
             ORDER BY t.module, t.class, t.id",
            (
                &filter.module,
                &filter.class,
                filter.last_run.map(RunId::number),
            ),
            |row| {
                Ok(StoredTest {
                    module: row.get(0)?,
                    test: test_case(row)?,
                    recipe: row.get::<_, Option<String>>(7)?.map(RecipeId),
                    last_run: RunId(row.get(8)?),
                    unstable_run: row.get::<_, Option<i64>>(9)?.map(RunId),
                    last_outcome: word(row, 10, Outcome::from_word)?,
                    last_micros: row.get::<_, i64>(11)?.unsigned_abs(),
                    place: row.get(12)?,
                })
            },
        )?;
        if let Some(label) = &filter.label {
            let pattern = LabelPattern::new(label);
            tests.retain(|stored| pattern.matches(&stored.test.label()));
        }
        Ok(tests)
    }

    /// All results that are kept but those of tests that passed, and of tests that ended in more than one way.
    pub fn unpassed(&self) -> Result<Vec<StoredOutcome>, StoreError> {
        self.rows(
            "SELECT r.run, t.module, t.test_id, r.outcome
             FROM results AS r JOIN tests AS t ON t.id = r.test
             WHERE r.outcome <> 'passed' AND r.run IS NOT t.unstable_run
             ORDER BY r.run, t.id",
            [],
            |row| {
                Ok(StoredOutcome {
                    run: RunId(row.get(0)?),
                    module: row.get(1)?,
                    test: TestId::new(row.get::<_, String>(2)?),
                    outcome: word(row, 3, Outcome::from_word)?,
                })
            },
        )
    }

    /// Tests that may have run within a suite, by what their ids say.
    pub fn tests_in_suites(&self) -> Result<Vec<(TestId, String)>, StoreError> {
        self.rows(
            "SELECT DISTINCT test_id, class FROM tests
             WHERE present AND (test_id LIKE '%[suite:%' OR test_id LIKE '%[runner:%')",
            [],
            |row| Ok((TestId::new(row.get::<_, String>(0)?), row.get(1)?)),
        )
    }

    /// A recipe, for the project that lies at `root` now.
    pub fn recipe(&self, id: &RecipeId, root: &Path) -> Result<Option<StoredRecipe>, StoreError> {
        Ok(self.recipes_where("id = ?1", [id.as_str()], root)?.pop())
    }

    /// Recipes that some test last ran with, ordered by module, then newest first, for the project
    /// that lies at `root` now.
    pub fn recipes(&self, root: &Path) -> Result<Vec<StoredRecipe>, StoreError> {
        self.recipes_where("TRUE", [], root)
    }

    pub fn last_run(&self) -> Result<Option<StoredRun>, StoreError> {
        Ok(self.runs(1)?.pop())
    }

    /// The newest runs, newest first.
    pub fn runs(&self, limit: u32) -> Result<Vec<StoredRun>, StoreError> {
        self.rows(
            "SELECT id, started_at, ended_at, command, build_status, jdk, revision, note
             FROM runs ORDER BY id DESC LIMIT ?1",
            [limit],
            |row| {
                Ok(StoredRun {
                    id: RunId(row.get(0)?),
                    started_at: from_unix_millis(row.get(1)?),
                    ended_at: from_unix_millis(row.get(2)?),
                    command: row.get(3)?,
                    build_status: match row.get::<_, Option<String>>(4)? {
                        Some(_) => Some(word(row, 4, BuildStatus::from_words)?),
                        None => None,
                    },
                    jdk: row.get(5)?,
                    revision: row.get(6)?,
                    note: row.get(7)?,
                })
            },
        )
    }

    /// Tests that were red in a run, ordered as `tests` orders them.
    pub fn failures(&self, run: RunId) -> Result<Vec<StoredFailure>, StoreError> {
        let mut failures = self.rows(
            "SELECT t.module, t.test_id, t.engine, t.class, t.method, t.variant, t.display_name,
                    r.outcome, f.exception, f.message, f.trace
             FROM results AS r JOIN tests AS t ON t.id = r.test
                  LEFT JOIN failures AS f ON f.id = r.failure
             WHERE r.run = ?1
             ORDER BY t.module, t.class, t.id",
            [run.number()],
            |row| {
                Ok(StoredFailure {
                    module: row.get(0)?,
                    test: test_case(row)?,
                    outcome: word(row, 7, Outcome::from_word)?,
                    failure: match row.get::<_, Option<String>>(8)? {
                        Some(_) => Some(failure(row, 8)?),
                        None => None,
                    },
                })
            },
        )?;
        failures.retain(|stored| stored.outcome.is_red());
        Ok(failures)
    }

    /// Classes and suites that failed outside their tests in a run.
    pub fn container_failures(
        &self,
        run: RunId,
    ) -> Result<Vec<StoredContainerFailure>, StoreError> {
        self.rows(
            "SELECT c.module, c.container, c.class, f.exception, f.message, f.trace
             FROM container_failures AS c JOIN failures AS f ON f.id = c.failure
             WHERE c.run = ?1
             ORDER BY c.module, c.class, c.container",
            [run.number()],
            |row| {
                Ok(StoredContainerFailure {
                    module: row.get(0)?,
                    id: TestId::new(row.get::<_, String>(1)?),
                    class: row.get(2)?,
                    failure: failure(row, 3)?,
                })
            },
        )
    }

    fn recipes_where(
        &self,
        condition: &str,
        params: impl Params,
        root: &Path,
    ) -> Result<Vec<StoredRecipe>, StoreError> {
        let sql = format!(
            "SELECT id, module, content, first_seen_run, last_seen_run
             FROM recipes WHERE {condition} ORDER BY module, last_seen_run DESC, id"
        );
        self.rows(&sql, params, |row| {
            Ok(StoredRecipe {
                id: RecipeId(row.get(0)?),
                module: row.get(1)?,
                recipe: word(row, 2, |content| recipe_text::read(content, root).ok())?,
                first_seen_run: RunId(row.get(3)?),
                last_seen_run: RunId(row.get(4)?),
            })
        })
    }

    pub(crate) fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let query = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            statement
                .query_map(params, read)?
                .collect::<rusqlite::Result<_>>()
        };
        query().map_err(|error| self.failed(error))
    }
}

/// Columns 1 to 6 of every query that gives back tests.
pub(crate) fn test_case(row: &Row<'_>) -> rusqlite::Result<TestCase> {
    Ok(TestCase {
        id: TestId::new(row.get::<_, String>(1)?),
        engine: Engine::new(row.get::<_, String>(2)?),
        class: row.get(3)?,
        method: row.get(4)?,
        variant: row.get(5)?,
        display_name: row.get(6)?,
    })
}

fn failure(row: &Row<'_>, first: usize) -> rusqlite::Result<Failure> {
    Ok(Failure {
        exception: row.get(first)?,
        message: row.get(first + 1)?,
        trace: row.get(first + 2)?,
    })
}

/// Reads a text that stands for a value; one this Jury does not know is an error, not a guess.
pub(crate) fn word<T>(
    row: &Row<'_>,
    column: usize,
    meaning: impl Fn(&str) -> Option<T>,
) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    meaning(&text).ok_or_else(|| {
        let unknown = format!("unknown word `{text}`").into();
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, unknown)
    })
}

fn from_unix_millis(millis: i64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(millis.unsigned_abs())
}
