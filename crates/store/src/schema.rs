//! The tables of `evidence.db` and the steps between their versions. A step, once released, is
//! never edited: a change of format is a new step at the end of the list.

use rusqlite::{Connection, Transaction, TransactionBehavior};

/// "JURY" in ASCII; tells our databases from other programs' (`PRAGMA application_id`).
pub const APPLICATION_ID: i64 = 0x4a55_5259;

/// The step at index `n` turns format `n` into format `n + 1`. Format 0 is an empty database.
pub const STEPS: &[Step] = &[
    create_first_tables,
    create_memory,
    create_dependencies,
    add_tangles,
    create_selections,
    add_launches,
    add_presence,
    add_revision,
    add_initialising,
    create_answers,
    leave_projects_open,
    create_flaky,
    allow_several_launches,
];

/// The format that this version writes, and the newest that it reads.
pub const FORMAT: u32 = STEPS.len() as u32;

pub type Step = fn(&Transaction<'_>) -> rusqlite::Result<()>;

/// What a database says of itself.
#[derive(Debug, PartialEq, Eq)]
pub enum Format {
    Empty,
    Ours(i64),
    /// A sound database that another program made.
    Foreign,
}

pub fn format(connection: &Connection) -> rusqlite::Result<Format> {
    let number = |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get(0));
    let version: i64 = number("user_version")?;
    match number("application_id")? {
        APPLICATION_ID => Ok(Format::Ours(version)),
        0 if connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| {
            row.get(0)
        })? =>
        {
            Ok(Format::Empty)
        }
        _ => Ok(Format::Foreign),
    }
}

/// Applies the steps that `connection` lacks, all in one transaction: either the database has the
/// newest format afterwards or it is as it was.
pub fn migrate(connection: &mut Connection, steps: &[Step]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let from: u32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    for step in steps.iter().skip(from as usize) {
        step(&transaction)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", steps.len() as u32)?;
    transaction.commit()
}

fn create_first_tables(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(
        "
        -- AUTOINCREMENT: the number of a removed run is never given to another.
        CREATE TABLE runs (
            id           INTEGER PRIMARY KEY AUTOINCREMENT,
            started_at   INTEGER NOT NULL,
            ended_at     INTEGER NOT NULL,
            command      TEXT NOT NULL,
            build_status TEXT,
            jdk          TEXT NOT NULL,
            note         TEXT NOT NULL
        );

        CREATE TABLE recipes (
            id             TEXT PRIMARY KEY,
            module         TEXT NOT NULL,
            launched_by    TEXT NOT NULL,
            content        TEXT NOT NULL,
            first_seen_run INTEGER NOT NULL,
            last_seen_run  INTEGER NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE tests (
            id           INTEGER PRIMARY KEY,
            module       TEXT NOT NULL,
            test_id      TEXT NOT NULL,
            engine       TEXT NOT NULL,
            class        TEXT NOT NULL,
            method       TEXT NOT NULL,
            variant      TEXT NOT NULL,
            display_name TEXT NOT NULL,
            recipe       TEXT REFERENCES recipes (id),
            last_run     INTEGER NOT NULL,
            unstable_run INTEGER,
            UNIQUE (module, test_id)
        );

        -- Equal failures, such as those of one broken test in every run, are kept once.
        CREATE TABLE failures (
            id        INTEGER PRIMARY KEY,
            hash      BLOB NOT NULL UNIQUE,
            exception TEXT NOT NULL,
            message   TEXT NOT NULL,
            trace     TEXT NOT NULL
        );

        CREATE TABLE results (
            run     INTEGER NOT NULL REFERENCES runs (id),
            test    INTEGER NOT NULL REFERENCES tests (id),
            outcome TEXT NOT NULL,
            micros  INTEGER NOT NULL,
            failure INTEGER REFERENCES failures (id),
            PRIMARY KEY (run, test)
        ) WITHOUT ROWID;
        CREATE INDEX results_by_failure ON results (failure) WHERE failure IS NOT NULL;

        CREATE TABLE container_failures (
            run       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            module    TEXT NOT NULL,
            container TEXT NOT NULL,
            class     TEXT NOT NULL,
            failure   INTEGER NOT NULL REFERENCES failures (id)
        );
        CREATE INDEX container_failures_by_run ON container_failures (run);
        CREATE INDEX container_failures_by_failure ON container_failures (failure);
        ",
    )
}

/// Format 2: what `jury mutate` has learnt. A killed mutant keeps the start of its failure here and
/// not in `failures`: there are thousands of them, and no two are alike.
fn create_memory(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(
        "
        CREATE TABLE methods (
            id     INTEGER PRIMARY KEY,
            class  TEXT NOT NULL,
            method TEXT NOT NULL,
            UNIQUE (class, method)
        );

        CREATE TABLE covered (
            key     BLOB NOT NULL PRIMARY KEY,
            test    BLOB NOT NULL,
            test_id TEXT NOT NULL,
            outcome TEXT NOT NULL,
            micros  INTEGER NOT NULL,
            work    INTEGER NOT NULL,
            methods BLOB NOT NULL,
            used_at INTEGER NOT NULL
        );
        CREATE INDEX covered_by_test ON covered (test, used_at);

        CREATE TABLE verdicts (
            key        BLOB NOT NULL PRIMARY KEY,
            mutant     TEXT NOT NULL,
            verdict    TEXT NOT NULL,
            noticed_by TEXT,
            exception  TEXT NOT NULL,
            message    TEXT NOT NULL,
            used_at    INTEGER NOT NULL
        );
        CREATE INDEX verdicts_by_mutant ON verdicts (mutant, used_at);

        CREATE TABLE left_out (
            key     BLOB NOT NULL,
            class   TEXT NOT NULL,
            method  TEXT NOT NULL,
            reason  TEXT NOT NULL,
            used_at INTEGER NOT NULL,
            PRIMARY KEY (key, method)
        ) WITHOUT ROWID;
        ",
    )
}

/// Format 3: what tests used, for `jury test` to leave out what no change can affect.
fn create_dependencies(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(
        "
        CREATE TABLE catalogues (
            module  TEXT PRIMARY KEY,
            content BLOB NOT NULL
        );

        CREATE TABLE units (
            module    TEXT NOT NULL,
            name      TEXT NOT NULL,
            run       INTEGER NOT NULL,
            recipe    TEXT NOT NULL REFERENCES recipes (id),
            outcome   TEXT NOT NULL,
            micros    INTEGER NOT NULL,
            passed    INTEGER NOT NULL,
            skipped   INTEGER NOT NULL,
            aborted   INTEGER NOT NULL,
            failed    INTEGER NOT NULL,
            timed_out INTEGER NOT NULL,
            crashed   INTEGER NOT NULL,
            uses      BLOB NOT NULL,
            PRIMARY KEY (module, name, run)
        );
        CREATE INDEX units_by_recipe ON units (recipe);

        CREATE TABLE stamps (
            path     TEXT NOT NULL,
            kind     INTEGER NOT NULL,
            size     INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            changed  INTEGER NOT NULL,
            inode    INTEGER NOT NULL,
            hash     BLOB NOT NULL,
            PRIMARY KEY (path, kind)
        ) WITHOUT ROWID;

        CREATE TABLE settled (content BLOB NOT NULL);
        ",
    )
}

/// Format 4: units may be test methods. Where a class stays one unit, this says why.
fn add_tangles(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch("ALTER TABLE units ADD COLUMN tangle TEXT NOT NULL DEFAULT ''")
}

/// Format 5: what became of each unit in a run, for `jury report`.
fn create_selections(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(
        "
        CREATE TABLE selections (
            run    INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            module TEXT NOT NULL,
            name   TEXT NOT NULL,
            ran    INTEGER NOT NULL,
            reason TEXT NOT NULL,
            tests  INTEGER NOT NULL,
            red    INTEGER NOT NULL,
            micros INTEGER NOT NULL,
            PRIMARY KEY (run, module, name)
        ) WITHOUT ROWID;
        ",
    )
}

/// Format 6: how a unit's JVM was launched, so that edits of build files which leave that as it was
/// run nothing.
fn add_launches(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch("ALTER TABLE units ADD COLUMN launch BLOB")
}

/// Format 7: a test that is gone keeps its row, for the way back to a state that has it.
fn add_presence(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch("ALTER TABLE tests ADD COLUMN present INTEGER NOT NULL DEFAULT 1")
}

/// Format 8: which commit a run was of.
fn add_revision(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch("ALTER TABLE runs ADD COLUMN revision TEXT")
}

/// Format 9: what a test ran while it initialised a class.
fn add_initialising(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction
        .execute_batch("ALTER TABLE covered ADD COLUMN initialising BLOB NOT NULL DEFAULT x''")
}

/// Format 10: what every test said to a mutant, where all were asked.
fn create_answers(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(
        "
        CREATE TABLE answers (
            key     BLOB NOT NULL PRIMARY KEY,
            mutant  TEXT NOT NULL,
            content TEXT NOT NULL,
            used_at INTEGER NOT NULL
        );
        CREATE INDEX answers_by_mutant ON answers (mutant, used_at);
        ",
    )
}

/// Format 11: new recipes leave open where the project lies, which older versions would take for a
/// part of paths.
fn leave_projects_open(_: &Transaction<'_>) -> rusqlite::Result<()> {
    Ok(())
}

/// Format 12: tests that `jury flaky` has found, with the row and catalogue of what they used then.
fn create_flaky(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(
        "
        CREATE TABLE flaky (
            test      INTEGER PRIMARY KEY REFERENCES tests (id),
            kind      TEXT NOT NULL,
            culprits  TEXT NOT NULL,
            rounds    INTEGER NOT NULL,
            found_at  INTEGER NOT NULL,
            catalogue BLOB NOT NULL,
            uses      BLOB NOT NULL
        );
        ",
    )
}

/// Format 13: a unit may have been seen in JVMs that were launched in several ways, one hash after the
/// other, of which older versions would read none.
fn allow_several_launches(_: &Transaction<'_>) -> rusqlite::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add_colour(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        transaction.execute_batch("ALTER TABLE runs ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'")
    }

    fn break_half_way(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        transaction.execute_batch("DROP TABLE results; SELECT * FROM no_such_table")
    }

    /// A database of the first format, with one run in it.
    fn first_format() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &STEPS[..1]).unwrap();
        connection
            .execute_batch("INSERT INTO runs VALUES (1, 10, 20, 'mvn test', 'exit 0', '17', '')")
            .unwrap();
        connection
    }

    #[test]
    fn an_older_format_is_brought_up_step_by_step_and_keeps_its_rows() {
        let mut connection = first_format();
        migrate(&mut connection, &[create_first_tables, add_colour]).unwrap();
        let row = connection
            .query_row("SELECT command, colour FROM runs", [], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
            })
            .unwrap();
        assert_eq!(row, ("mvn test".into(), "blue".into()));
        assert_eq!(format(&connection).unwrap(), Format::Ours(2));
    }

    #[test]
    fn a_step_that_fails_leaves_the_older_format_whole() {
        let mut connection = first_format();
        let steps: &[Step] = &[create_first_tables, add_colour, break_half_way];
        migrate(&mut connection, steps).unwrap_err();
        assert_eq!(format(&connection).unwrap(), Format::Ours(1));
        connection.execute_batch("SELECT * FROM results").unwrap();
        connection
            .execute_batch("SELECT colour FROM runs")
            .unwrap_err();
    }

    #[test]
    fn a_database_of_another_program_is_recognised() {
        let connection = Connection::open_in_memory().unwrap();
        assert_eq!(format(&connection).unwrap(), Format::Empty);
        connection
            .execute_batch("CREATE TABLE bookmarks (url)")
            .unwrap();
        assert_eq!(format(&connection).unwrap(), Format::Foreign);
    }
}
