//! What tests used, and stamps of files whose content is known.
//!
//! Rows and catalogues are bytes here: only the analysis that made them can read them. They are
//! written in the transaction of the run that showed them, so a run that was lost leaves none.

use std::path::Path;

use jury_model::{Counts, Outcome, Recipe, ReportedUnit, TestId};
use rusqlite::{OptionalExtension, Row, Transaction, TransactionBehavior, params};

use crate::error::StoreError;
use crate::query::word;
use crate::recipe_text::{self, RecipeId, RecipeText};
use crate::record::upsert_recipe;
use crate::run::RunId;
use crate::selections;
use crate::speakers::{self, Speakers};
use crate::store::Store;

/// So many versions of what a unit used are kept, so that going back to an earlier state of the
/// project finds its evidence again: a few branches, each before and after its latest changes.
pub const VERSIONS_KEPT: u32 = 8;

/// What a run showed about what its tests used.
#[derive(Debug, Clone, Default)]
pub struct NewDependencies {
    /// Modules with their new catalogues.
    pub catalogues: Vec<(String, Vec<u8>)>,
    pub units: Vec<NewUnit>,
    /// Units that are gone, or whose rows speak of an older catalogue, with all their versions.
    pub forgotten: Vec<(String, String)>,
    pub stamps: Vec<FileStamp>,
    /// What shows how tests end in the present state.
    pub speakers: Speakers,
    /// The state in which every test is known to be as it was; none if there is no such state.
    pub settled: Option<Vec<u8>>,
    /// What became of each unit.
    pub selection: Vec<ReportedUnit>,
}

/// A unit that a run recorded.
#[derive(Debug, Clone)]
pub struct NewUnit {
    pub module: String,
    pub name: String,
    pub source: UnitSource,
    pub outcome: Outcome,
    pub counts: Counts,
    pub micros: u64,
    /// Why a class is one unit although methods were asked for; empty for all others.
    pub tangle: String,
    /// Names the ways in which its JVMs were launched, where these are known.
    pub launches: Vec<[u8; 16]>,
    pub row: Vec<u8>,
}

#[derive(Debug, Clone)]
pub enum UnitSource {
    /// The run that is being recorded, and the index of its JVM.
    Jvm(usize),
    /// An earlier run, whose row is only written anew.
    Earlier { run: RunId, recipe: RecipeId },
    /// A run on another machine, whose JVM would be launched like this here.
    Elsewhere(Box<Recipe>),
}

/// One version of what a unit used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredUnit {
    pub module: String,
    pub name: String,
    pub run: RunId,
    pub recipe: RecipeId,
    /// The worst of its tests.
    pub outcome: Outcome,
    pub counts: Counts,
    pub micros: u64,
    pub tangle: String,
    pub launches: Vec<[u8; 16]>,
    pub row: Vec<u8>,
}

/// A file as it was when its hash was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileStamp {
    pub path: String,
    /// What was hashed: the caller's business.
    pub kind: u8,
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: i64,
    pub changed: i64,
    pub inode: u64,
    pub hash: [u8; 16],
}

impl Store {
    /// The catalogue of each module.
    pub fn catalogues(&self) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let sql = "SELECT module, content FROM catalogues ORDER BY module";
        self.rows(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Every version of every unit, by module and name, newest first.
    pub fn units(&self) -> Result<Vec<StoredUnit>, StoreError> {
        self.rows(
            "SELECT module, name, run, recipe, outcome, micros, uses,
                    passed, skipped, aborted, failed, timed_out, crashed, tangle, launch
             FROM units ORDER BY module, name, run DESC",
            [],
            unit,
        )
    }

    pub fn stamps(&self) -> Result<Vec<FileStamp>, StoreError> {
        let sql = "SELECT path, kind, size, modified, changed, inode, hash FROM stamps";
        self.rows(sql, [], |row| {
            Ok(FileStamp {
                path: row.get(0)?,
                kind: row.get(1)?,
                size: row.get::<_, i64>(2)?.cast_unsigned(),
                modified: row.get(3)?,
                changed: row.get(4)?,
                inode: row.get::<_, i64>(5)?.cast_unsigned(),
                hash: row.get(6)?,
            })
        })
    }

    /// The state in which every test is known to be as it was.
    pub fn settled(&self) -> Result<Option<Vec<u8>>, StoreError> {
        self.connection
            .query_row("SELECT content FROM settled", [], |row| row.get(0))
            .optional()
            .map_err(|error| self.failed(error))
    }

    /// Notes tests of a run that ended otherwise when they were run just before, with nothing changed.
    pub fn mark_unstable(
        &mut self,
        run: RunId,
        tests: &[(String, TestId)],
    ) -> Result<(), StoreError> {
        let sql = "UPDATE tests SET unstable_run = ?1 WHERE module = ?2 AND test_id = ?3";
        for (module, id) in tests {
            self.connection
                .execute(sql, (run.0, module, id.as_str()))
                .map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    /// Keeps hashes that were taken without a run.
    pub fn keep_stamps(&mut self, stamps: &[FileStamp]) -> Result<(), StoreError> {
        let mut write = || {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            insert_stamps(&transaction, stamps)?;
            transaction.commit()
        };
        write().map_err(|error| self.failed(error))
    }
}

fn unit(row: &Row<'_>) -> rusqlite::Result<StoredUnit> {
    let count = |column| Ok::<_, rusqlite::Error>(row.get::<_, u32>(column)? as usize);
    Ok(StoredUnit {
        module: row.get(0)?,
        name: row.get(1)?,
        run: RunId(row.get(2)?),
        recipe: RecipeId(row.get(3)?),
        outcome: word(row, 4, Outcome::from_word)?,
        micros: row.get::<_, i64>(5)?.unsigned_abs(),
        tangle: row.get(13)?,
        launches: launches(row.get(14)?),
        row: row.get(6)?,
        counts: Counts {
            passed: count(7)?,
            skipped: count(8)?,
            aborted: count(9)?,
            failed: count(10)?,
            timed_out: count(11)?,
            crashed: count(12)?,
        },
    })
}

/// One after the other, as they are stored.
fn launches(stored: Option<Vec<u8>>) -> Vec<[u8; 16]> {
    let (launches, _) = stored.as_deref().unwrap_or_default().as_chunks();
    launches.to_vec()
}

/// Writes what `dependencies` holds as part of a run. A unit whose JVM has no recipe cannot be
/// compared with the present and is left out.
pub(crate) fn insert(
    transaction: &Transaction<'_>,
    run: RunId,
    dependencies: &NewDependencies,
    recipes: &[Option<RecipeText>],
    root: &Path,
) -> rusqlite::Result<()> {
    for (module, name) in &dependencies.forgotten {
        let sql = "DELETE FROM units WHERE module = ?1 AND name = ?2";
        transaction.prepare_cached(sql)?.execute((module, name))?;
    }
    for (module, content) in &dependencies.catalogues {
        let sql = "INSERT OR REPLACE INTO catalogues (module, content) VALUES (?1, ?2)";
        transaction.execute(sql, (module, content))?;
    }
    for unit in &dependencies.units {
        let (run, recipe) = match &unit.source {
            UnitSource::Jvm(jvm) => match recipes.get(*jvm).and_then(Option::as_ref) {
                Some(text) => (run, text.id.clone()),
                None => continue,
            },
            UnitSource::Earlier { run, recipe } => (*run, recipe.clone()),
            UnitSource::Elsewhere(recipe) => {
                let text = recipe_text::write(&unit.module, recipe, root);
                upsert_recipe(transaction, run, &unit.module, recipe, &text)?;
                (run, text.id)
            }
        };
        insert_unit(transaction, run, &recipe, unit)?;
    }
    insert_stamps(transaction, &dependencies.stamps)?;
    speakers::listen(transaction, run, &dependencies.speakers)?;
    selections::insert(transaction, run, &dependencies.selection)?;
    transaction.execute("DELETE FROM settled", [])?;
    if let Some(settled) = &dependencies.settled {
        transaction.execute("INSERT INTO settled (content) VALUES (?1)", [settled])?;
    }
    Ok(())
}

fn insert_unit(
    transaction: &Transaction<'_>,
    run: RunId,
    recipe: &RecipeId,
    unit: &NewUnit,
) -> rusqlite::Result<()> {
    let counts = &unit.counts;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let mut insert = transaction.prepare_cached(
        "INSERT OR REPLACE INTO units (module, name, run, recipe, outcome, micros, uses,
                                       passed, skipped, aborted, failed, timed_out, crashed,
                                       tangle, launch)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    )?;
    insert.execute(params![
        unit.module,
        unit.name,
        run.0,
        recipe.as_str(),
        unit.outcome.word(),
        i64::try_from(unit.micros).unwrap_or(i64::MAX),
        unit.row,
        number(counts.passed),
        number(counts.skipped),
        number(counts.aborted),
        number(counts.failed),
        number(counts.timed_out),
        number(counts.crashed),
        unit.tangle,
        (!unit.launches.is_empty()).then(|| unit.launches.concat()),
    ])?;
    let mut prune = transaction.prepare_cached(
        "DELETE FROM units WHERE module = ?1 AND name = ?2 AND run NOT IN
             (SELECT run FROM units WHERE module = ?1 AND name = ?2 ORDER BY run DESC LIMIT ?3)",
    )?;
    prune.execute((&unit.module, &unit.name, VERSIONS_KEPT))?;
    Ok(())
}

fn insert_stamps(transaction: &Transaction<'_>, stamps: &[FileStamp]) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare_cached(
        "INSERT OR REPLACE INTO stamps (path, kind, size, modified, changed, inode, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for stamp in stamps {
        insert.execute(params![
            stamp.path,
            stamp.kind,
            stamp.size.cast_signed(),
            stamp.modified,
            stamp.changed,
            stamp.inode.cast_signed(),
            stamp.hash,
        ])?;
    }
    Ok(())
}
