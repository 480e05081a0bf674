//! What each run left out and what it ran, with why: for people who look back.

use jury_model::{ReportedUnit, RunFigures, UnitName};
use rusqlite::{Transaction, params};

use crate::error::StoreError;
use crate::record::cut;
use crate::run::RunId;
use crate::store::Store;

/// Reasons are cut to so many bytes, so that a run stays below 1 KB a test class.
const LONGEST_REASON: usize = 400;

impl Store {
    /// Figures of the last runs that selected anything, oldest first.
    pub fn selecting_runs(&self, most: usize) -> Result<Vec<RunFigures>, StoreError> {
        let mut runs = self.rows(
            "SELECT r.id, r.started_at, r.ended_at, r.command, r.revision,
                    sum(s.ran), sum(NOT s.ran), sum(s.red > 0 AND s.ran),
                    sum(CASE WHEN s.ran THEN s.micros ELSE 0 END),
                    sum(CASE WHEN s.ran THEN 0 ELSE s.micros END)
             FROM runs AS r JOIN selections AS s ON s.run = r.id
             GROUP BY r.id ORDER BY r.id DESC LIMIT ?1",
            [i64::try_from(most).unwrap_or(i64::MAX)],
            |row| {
                let number =
                    |column| Ok::<_, rusqlite::Error>(row.get::<_, i64>(column)?.unsigned_abs());
                Ok(RunFigures {
                    number: row.get(0)?,
                    started_millis: number(1)?,
                    millis: number(2)?.saturating_sub(number(1)?),
                    command: row.get(3)?,
                    revision: row.get(4)?,
                    run_classes: number(5)? as usize,
                    left_out_classes: number(6)? as usize,
                    red_classes: number(7)? as usize,
                    run_micros: number(8)?,
                    left_out_micros: number(9)?,
                })
            },
        )?;
        runs.reverse();
        Ok(runs)
    }

    /// What became of each unit in a run, by module and name.
    pub fn selection_of(&self, run: i64) -> Result<Vec<ReportedUnit>, StoreError> {
        self.rows(
            "SELECT module, name, ran, reason, tests, red, micros FROM selections
             WHERE run = ?1 ORDER BY module, name",
            [run],
            |row| {
                Ok(ReportedUnit {
                    unit: UnitName::new(row.get::<_, String>(0)?, &row.get::<_, String>(1)?),
                    ran: row.get(2)?,
                    reason: row.get(3)?,
                    tests: row.get::<_, u32>(4)? as usize,
                    red: row.get::<_, u32>(5)? as usize,
                    micros: row.get::<_, i64>(6)?.unsigned_abs(),
                })
            },
        )
    }
}

pub(crate) fn insert(
    transaction: &Transaction<'_>,
    run: RunId,
    units: &[ReportedUnit],
) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare_cached(
        "INSERT OR REPLACE INTO selections (run, module, name, ran, reason, tests, red, micros)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for unit in units {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        insert.execute(params![
            run.0,
            unit.unit.module,
            unit.unit.unit(),
            unit.ran,
            cut(&unit.reason, LONGEST_REASON),
            number(unit.tests),
            number(unit.red),
            i64::try_from(unit.micros).unwrap_or(i64::MAX),
        ])?;
    }
    Ok(())
}
