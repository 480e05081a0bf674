//! What `jury mutate` has learnt, each fact under a key that covers everything it depends on.
//!
//! A fact never goes stale: when something it depends on changes, nobody asks for its key any
//! more. What the keys are made of is not known here.

use std::fmt;
use std::time::{Duration, SystemTime};

use jury_model::{Failure, Outcome, TestId};
use rusqlite::types::Type;
use rusqlite::{Row, Transaction, TransactionBehavior, params};

use crate::answers_text;
use crate::error::StoreError;
use crate::method_numbers;
use crate::query::word;
use crate::record::{cut, unix_millis};
use crate::store::Store;

/// Names a fact by a hash of all it depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemoryKey(pub [u8; 16]);

impl fmt::Debug for MemoryKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What a test did without any mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoveredTest {
    pub key: MemoryKey,
    /// The part of the key that is known before the test has run; several facts may share it.
    pub test: MemoryKey,
    pub id: TestId,
    pub outcome: Outcome,
    pub micros: u64,
    pub work: u64,
    /// Numbers that [`Store::number_methods`] gave, in order.
    pub methods: Vec<u32>,
    /// Those of them that ran while a class was initialised.
    pub initialising: Vec<u32>,
}

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVerdict {
    pub key: MemoryKey,
    /// For people who look inside.
    pub mutant: String,
    /// A word that the caller understands.
    pub verdict: String,
    pub noticed_by: Option<TestId>,
    /// Kept without its stack trace and with the start of its message.
    pub failure: Option<Failure>,
}

/// What every test that can notice a mutant said to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswers {
    pub key: MemoryKey,
    /// For people who look inside.
    pub mutant: String,
    /// In order; a test that is not here did not notice the mutant.
    pub answers: Vec<StoredAnswer>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer {
    /// The test's place, from 0, among those that the key covers, in order of their ids.
    pub place: u32,
    /// A word that the caller understands.
    pub verdict: String,
    /// Kept without its stack trace and with the start of its message.
    pub failure: Option<Failure>,
}

/// A method, or a class if the method is empty, that workers could not rewrite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub key: MemoryKey,
    pub class: String,
    pub method: String,
    pub reason: String,
}

/// Facts to be stored together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct News {
    pub covered: Vec<CoveredTest>,
    pub verdicts: Vec<StoredVerdict>,
    pub answers: Vec<StoredAnswers>,
    pub left_out: Vec<LeftOut>,
}

/// Facts that a run relied on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Used {
    pub covered: Vec<MemoryKey>,
    pub verdicts: Vec<MemoryKey>,
    pub answers: Vec<MemoryKey>,
    pub left_out: Vec<MemoryKey>,
}

/// Versions of one test or mutant that are kept: enough for a few branches.
const VERSIONS_KEPT: u32 = 5;
/// Facts that nobody asked for in this time are forgotten.
const KEPT_UNUSED: Duration = Duration::from_secs(90 * 24 * 60 * 60);
pub(crate) const LONGEST_MESSAGE: usize = 300;

/// What will be remembered of a failure. Whoever shows this shows the same the next time.
pub fn lasting_failure(failure: &Failure) -> Failure {
    Failure {
        exception: failure.exception.clone(),
        message: cut(&failure.message, LONGEST_MESSAGE).to_owned(),
        ..Failure::default()
    }
}

impl Store {
    /// The lasting numbers of methods, given as class and method with descriptor. Methods that
    /// have none yet get one.
    pub fn number_methods(&mut self, methods: &[(&str, &str)]) -> Result<Vec<u32>, StoreError> {
        self.in_transaction(|transaction| {
            let mut find = transaction
                .prepare_cached("SELECT id FROM methods WHERE class = ?1 AND method = ?2")?;
            let mut insert = transaction.prepare_cached(
                "INSERT INTO methods (class, method) VALUES (?1, ?2) RETURNING id",
            )?;
            let mut number = |(class, method): &(&str, &str)| {
                let mut found = find.query([class, method])?;
                match found.next()? {
                    Some(row) => row.get(0),
                    None => insert.query_row([class, method], |row| row.get(0)),
                }
            };
            methods.iter().map(&mut number).collect()
        })
    }

    /// True if it is known of any test at all what it runs.
    pub fn knows_coverage(&self) -> Result<bool, StoreError> {
        let known = self.rows("SELECT 1 FROM covered LIMIT 1", [], |_| Ok(()))?;
        Ok(!known.is_empty())
    }

    pub fn covered_tests(&self) -> Result<Vec<CoveredTest>, StoreError> {
        self.rows(
            "SELECT key, test, test_id, outcome, micros, work, methods, initialising
             FROM covered ORDER BY used_at DESC, key",
            [],
            |row| {
                Ok(CoveredTest {
                    key: key(row, 0)?,
                    test: key(row, 1)?,
                    id: TestId::new(row.get::<_, String>(2)?),
                    outcome: word(row, 3, Outcome::from_word)?,
                    micros: row.get::<_, i64>(4)?.unsigned_abs(),
                    work: row.get::<_, i64>(5)?.unsigned_abs(),
                    methods: numbers(row, 6, "methods")?,
                    initialising: numbers(row, 7, "initialising")?,
                })
            },
        )
    }

    pub fn verdicts(&self) -> Result<Vec<StoredVerdict>, StoreError> {
        self.rows(
            "SELECT key, mutant, verdict, noticed_by, exception, message
             FROM verdicts ORDER BY used_at DESC, key",
            [],
            |row| {
                let (exception, message): (String, String) = (row.get(4)?, row.get(5)?);
                let thrown = !exception.is_empty() || !message.is_empty();
                Ok(StoredVerdict {
                    key: key(row, 0)?,
                    mutant: row.get(1)?,
                    verdict: row.get(2)?,
                    noticed_by: row.get::<_, Option<String>>(3)?.map(TestId::new),
                    failure: thrown.then(|| Failure {
                        exception,
                        message,
                        trace: String::new(),
                    }),
                })
            },
        )
    }

    pub fn answers(&self) -> Result<Vec<StoredAnswers>, StoreError> {
        self.rows(
            "SELECT key, mutant, content FROM answers ORDER BY used_at DESC, key",
            [],
            |row| {
                let content: String = row.get(2)?;
                // Jury cannot have written anything else.
                let unreadable =
                    || rusqlite::Error::InvalidColumnType(2, "content".into(), Type::Text);
                Ok(StoredAnswers {
                    key: key(row, 0)?,
                    mutant: row.get(1)?,
                    answers: answers_text::read(&content).ok_or_else(unreadable)?,
                })
            },
        )
    }

    pub fn left_out(&self) -> Result<Vec<LeftOut>, StoreError> {
        self.rows(
            "SELECT key, class, method, reason FROM left_out ORDER BY key, method",
            [],
            |row| {
                Ok(LeftOut {
                    key: key(row, 0)?,
                    class: row.get(1)?,
                    method: row.get(2)?,
                    reason: row.get(3)?,
                })
            },
        )
    }

    /// Stores new facts, all of them or none. A fact under a known key replaces the older one.
    pub fn remember(&mut self, news: &News, now: SystemTime) -> Result<(), StoreError> {
        let now = unix_millis(now);
        self.in_transaction(|transaction| {
            insert_covered(transaction, &news.covered, now)?;
            insert_verdicts(transaction, &news.verdicts, now)?;
            insert_answers(transaction, &news.answers, now)?;
            insert_left_out(transaction, &news.left_out, now)
        })
    }

    /// Notes which facts were of use, and forgets those that have not been for long.
    pub fn tidy_memory(&mut self, used: &Used, now: SystemTime) -> Result<(), StoreError> {
        let oldest = unix_millis(now.checked_sub(KEPT_UNUSED).unwrap_or(now));
        let now = unix_millis(now);
        self.in_transaction(|transaction| {
            for (table, keys) in [
                ("covered", &used.covered),
                ("verdicts", &used.verdicts),
                ("answers", &used.answers),
                ("left_out", &used.left_out),
            ] {
                let touch = format!("UPDATE {table} SET used_at = ?1 WHERE key = ?2");
                let mut touch = transaction.prepare(&touch)?;
                for key in keys {
                    touch.execute(params![now, key.0])?;
                }
                let forget = format!("DELETE FROM {table} WHERE used_at < ?1");
                transaction.execute(&forget, [oldest])?;
            }
            for (table, subject) in [
                ("covered", "test"),
                ("verdicts", "mutant"),
                ("answers", "mutant"),
            ] {
                let thin_out = format!(
                    "DELETE FROM {table} WHERE rowid IN (
                         SELECT rowid FROM (
                             SELECT rowid, row_number() OVER (
                                 PARTITION BY {subject} ORDER BY used_at DESC, rowid DESC) AS place
                             FROM {table})
                         WHERE place > ?1)"
                );
                transaction.execute(&thin_out, [VERSIONS_KEPT])?;
            }
            Ok(())
        })
    }

    fn in_transaction<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let done = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .and_then(|transaction| {
                let answer = work(&transaction)?;
                transaction.commit()?;
                Ok(answer)
            });
        done.map_err(|error| self.failed(error))
    }
}

fn insert_covered(
    transaction: &Transaction<'_>,
    covered: &[CoveredTest],
    now: i64,
) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare_cached(
        "INSERT OR REPLACE INTO covered
             (key, test, test_id, outcome, micros, work, methods, initialising, used_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for test in covered {
        insert.execute(params![
            test.key.0,
            test.test.0,
            test.id.as_str(),
            test.outcome.word(),
            i64::try_from(test.micros).unwrap_or(i64::MAX),
            i64::try_from(test.work).unwrap_or(i64::MAX),
            method_numbers::encode(test.methods.clone()),
            method_numbers::encode(test.initialising.clone()),
            now,
        ])?;
    }
    Ok(())
}

fn insert_verdicts(
    transaction: &Transaction<'_>,
    verdicts: &[StoredVerdict],
    now: i64,
) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare_cached(
        "INSERT OR REPLACE INTO verdicts
             (key, mutant, verdict, noticed_by, exception, message, used_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for verdict in verdicts {
        let failure = verdict.failure.as_ref();
        insert.execute(params![
            verdict.key.0,
            verdict.mutant,
            verdict.verdict,
            verdict.noticed_by.as_ref().map(TestId::as_str),
            failure.map_or("", |failure| &failure.exception),
            failure.map_or("", |failure| cut(&failure.message, LONGEST_MESSAGE)),
            now,
        ])?;
    }
    Ok(())
}

fn insert_answers(
    transaction: &Transaction<'_>,
    answers: &[StoredAnswers],
    now: i64,
) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare_cached(
        "INSERT OR REPLACE INTO answers (key, mutant, content, used_at) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for one in answers {
        let content = answers_text::write(&one.answers);
        insert.execute(params![one.key.0, one.mutant, content, now])?;
    }
    Ok(())
}

fn insert_left_out(
    transaction: &Transaction<'_>,
    left_out: &[LeftOut],
    now: i64,
) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare_cached(
        "INSERT OR REPLACE INTO left_out (key, class, method, reason, used_at)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for one in left_out {
        insert.execute(params![one.key.0, one.class, one.method, one.reason, now])?;
    }
    Ok(())
}

fn key(row: &Row<'_>, column: usize) -> rusqlite::Result<MemoryKey> {
    row.get(column).map(MemoryKey)
}

fn numbers(row: &Row<'_>, column: usize, name: &str) -> rusqlite::Result<Vec<u32>> {
    let bytes: Vec<u8> = row.get(column)?;
    // Jury cannot have written anything else.
    let unreadable = || rusqlite::Error::InvalidColumnType(column, name.into(), Type::Blob);
    method_numbers::decode(&bytes).ok_or_else(unreadable)
}
