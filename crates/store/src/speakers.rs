//! Which tests there are in the present state of the project, and which result speaks for each.
//!
//! The newest result is not always the one: a unit that was left out ends as it did in an earlier run
//! with the same contents, whatever its tests did in between, and a test that was removed does not end
//! at all. Who speaks is decided elsewhere; here it is only carried out.

use std::collections::{BTreeMap, BTreeSet};

use jury_model::{Outcome, TestCase};
use rusqlite::Transaction;

use crate::query::{test_case, word};
use crate::recipe_text::RecipeId;
use crate::run::RunId;

/// What shows how the tests of a unit end in the present state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Speaker {
    /// The run that is being recorded, in which all tests of the unit ran.
    ThisRun,
    /// An earlier run, in which the unit was green.
    Earlier { run: RunId, recipe: RecipeId },
    /// A run on another machine, in which the unit was green; of its single tests nothing is known.
    Elsewhere,
    /// Nothing: the unit is not there.
    Nobody,
}

/// By module and name of the unit. Tests of other units stay as they are.
pub type Speakers = BTreeMap<(String, String), Speaker>;

struct KnownTest {
    id: i64,
    module: String,
    test: TestCase,
    last_run: RunId,
    outcome: Outcome,
    micros: i64,
}

pub(crate) fn listen(
    transaction: &Transaction<'_>,
    run: RunId,
    speakers: &Speakers,
) -> rusqlite::Result<()> {
    if speakers.is_empty() {
        return Ok(());
    }
    let tests = known_tests(transaction)?;
    let mut has_result =
        transaction.prepare_cached("SELECT 1 FROM results WHERE run = ?1 AND test = ?2")?;
    let mut spoken_for = Vec::new();
    // Results of old runs are removed; what a unit's run no longer tells, it tells of no test.
    let mut remembered = BTreeSet::new();
    for test in &tests {
        let Some((unit, speaker)) = speaker_of(test, speakers) else {
            continue;
        };
        let is_witnessed = match speaker {
            Speaker::Earlier { run, .. } => has_result.exists((run.0, test.id))?,
            Speaker::ThisRun => test.last_run == run,
            Speaker::Elsewhere | Speaker::Nobody => false,
        };
        if is_witnessed {
            remembered.insert(unit);
        }
        spoken_for.push((test, unit, speaker, is_witnessed));
    }
    for (test, unit, speaker, is_witnessed) in spoken_for {
        match speaker {
            Speaker::ThisRun if is_witnessed => {}
            Speaker::Earlier { run, recipe } if is_witnessed => {
                let sql = "UPDATE tests SET last_run = ?1, recipe = ?2, present = 1 WHERE id = ?3";
                let mut update = transaction.prepare_cached(sql)?;
                update.execute((run.0, recipe.as_str(), test.id))?;
            }
            Speaker::ThisRun | Speaker::Nobody => remove(transaction, test)?,
            Speaker::Earlier { .. } if remembered.contains(unit) => remove(transaction, test)?,
            Speaker::Earlier { .. } | Speaker::Elsewhere if test.outcome.is_red() => {
                pass(transaction, test, run)?;
            }
            Speaker::Earlier { .. } | Speaker::Elsewhere => {}
        }
    }
    Ok(())
}

/// Its unit may be its method or its class.
fn speaker_of<'s>(
    test: &KnownTest,
    speakers: &'s Speakers,
) -> Option<(&'s (String, String), &'s Speaker)> {
    let unit = |name: String| speakers.get_key_value(&(test.module.clone(), name));
    unit(test.test.method_unit()).or_else(|| unit(test.test.top_level_class().to_owned()))
}

fn known_tests(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<KnownTest>> {
    let mut select = transaction.prepare_cached(
        "SELECT t.module, t.test_id, t.engine, t.class, t.method, t.variant, t.display_name,
                t.id, t.last_run, r.outcome, r.micros
         FROM tests AS t JOIN results AS r ON r.run = t.last_run AND r.test = t.id",
    )?;
    let rows = select.query_map([], |row| {
        Ok(KnownTest {
            module: row.get(0)?,
            test: test_case(row)?,
            id: row.get(7)?,
            last_run: RunId(row.get(8)?),
            outcome: word(row, 9, Outcome::from_word)?,
            micros: row.get(10)?,
        })
    })?;
    rows.collect()
}

/// Its row stays, for the way back to a state that has the test.
fn remove(transaction: &Transaction<'_>, test: &KnownTest) -> rusqlite::Result<()> {
    let sql = "UPDATE tests SET present = 0 WHERE id = ?1";
    transaction.prepare_cached(sql)?.execute([test.id])?;
    Ok(())
}

/// All that is known is that no test of the unit is red.
fn pass(transaction: &Transaction<'_>, test: &KnownTest, run: RunId) -> rusqlite::Result<()> {
    let insert =
        "INSERT OR REPLACE INTO results (run, test, outcome, micros) VALUES (?1, ?2, ?3, ?4)";
    let passed = Outcome::Passed.word();
    let mut insert = transaction.prepare_cached(insert)?;
    insert.execute((run.0, test.id, passed, test.micros))?;
    let update = "UPDATE tests SET last_run = ?1, present = 1 WHERE id = ?2";
    let mut update = transaction.prepare_cached(update)?;
    update.execute((run.0, test.id))?;
    Ok(())
}
