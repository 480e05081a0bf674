use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use crate::directory;
use crate::error::StoreError;
use crate::schema::{self, Format, STEPS};

/// The database's file name within the state directory.
pub const DATABASE: &str = "evidence.db";

/// How many runs keep all their results, unless set otherwise.
pub const RUNS_KEPT: u32 = 50;

/// A run of 20,000 tests is written in well under a second; a writer that waits longer than this
/// waits for something that has hung.
const BUSY_TIMEOUT: Duration = Duration::from_secs(20);

/// Present from the moment damage was met until the database has been set aside.
const SUSPECT: &str = "evidence.db.suspect";

/// An open `.jury/` directory.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) runs_kept: u32,
    database: PathBuf,
    notice: Option<OpenNotice>,
}

/// Something that opening the store found and mended, which the user should hear of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenNotice {
    /// The database could not be read. Its evidence is lost to Jury, but the file was kept.
    Damaged { kept_as: PathBuf },
}

impl Store {
    /// Opens the evidence in `state_dir` (a project's `.jury`), creating or migrating it as needed.
    pub fn open(state_dir: &Path) -> Result<Store, StoreError> {
        directory::create(state_dir)?;
        let _lock = directory::lock(state_dir)?;
        let database = state_dir.join(DATABASE);
        let suspected = take_suspicion(state_dir)? && database.exists();
        let connected = if suspected {
            Err(StoreError::Damaged)
        } else {
            connect(&database)
        };
        let (connection, notice) = match connected {
            Err(StoreError::Damaged) => {
                let kept_as = directory::set_aside(&database)?;
                (connect(&database)?, Some(OpenNotice::Damaged { kept_as }))
            }
            result => (result?, None),
        };
        Ok(Store {
            connection,
            runs_kept: RUNS_KEPT,
            database,
            notice,
        })
    }

    /// What opening found; `None` if all was well.
    pub fn notice(&self) -> Option<&OpenNotice> {
        self.notice.as_ref()
    }

    /// Sets how many runs keep all their results; at least one.
    pub fn keep_runs(&mut self, count: u32) {
        self.runs_kept = count.max(1);
    }

    /// Bytes on disk, SQLite's log included.
    pub fn size(&self) -> Result<u64, StoreError> {
        ["", "-wal"]
            .iter()
            .map(|suffix| directory::beside(&self.database, suffix))
            .map(|path| match fs::metadata(&path) {
                Ok(metadata) => Ok(metadata.len()),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(0),
                Err(error) => Err(StoreError::io("measure", &path, error)),
            })
            .sum()
    }

    /// Classifies an error of SQLite. Damage met here is remembered for the next process to open
    /// the store; looking for it on every start would mean to read the whole file.
    pub(crate) fn failed(&self, error: rusqlite::Error) -> StoreError {
        let error = StoreError::sqlite(&self.database, error);
        if matches!(error, StoreError::Damaged) {
            // Without the marker the same error is simply met again.
            let _ = fs::write(self.database.with_file_name(SUSPECT), "");
        }
        error
    }
}

/// Removes a state directory and all evidence in it; one that does not exist is fine.
pub fn remove(state_dir: &Path) -> Result<(), StoreError> {
    let ours = |name: &str| state_dir.join(name).exists();
    match fs::read_dir(state_dir).map(|mut entries| entries.next().is_none()) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(StoreError::io("read", state_dir, error)),
        Ok(empty) if !empty && !ours(DATABASE) && !ours("lock") => {
            return Err(StoreError::NotOurs {
                path: state_dir.to_path_buf(),
            });
        }
        Ok(_) => {}
    }
    fs::remove_dir_all(state_dir).map_err(|error| StoreError::io("remove", state_dir, error))
}

/// Removes the mark of damage; true if there was one.
fn take_suspicion(state_dir: &Path) -> Result<bool, StoreError> {
    let path = state_dir.join(SUSPECT);
    match fs::remove_file(&path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(StoreError::io("remove", &path, error)),
    }
}

/// Opens the database and brings it to the newest format. `StoreError::Damaged` means that the
/// file can be of no use; it has been closed again by then.
fn connect(database: &Path) -> Result<Connection, StoreError> {
    // Made here first, because SQLite would give it the permissions of the umask. The files
    // SQLite adds beside it take after it.
    drop(directory::private_file(database)?);
    let failed = |error| StoreError::sqlite(database, error);
    let mut connection = Connection::open(database).map_err(failed)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(failed)?;
    let known = STEPS.len() as i64;
    match schema::format(&connection).map_err(failed)? {
        Format::Foreign => return Err(StoreError::Damaged),
        Format::Ours(found) if found > known => {
            return Err(StoreError::NewerFormat { found, known });
        }
        Format::Empty | Format::Ours(_) => {}
    }
    prepare(&mut connection).map_err(failed)?;
    Ok(connection)
}

fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // With a write-ahead log this survives kill -9 whole; a power cut can cost the last runs but
    // never the file.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    if schema::format(connection)? != Format::Ours(STEPS.len() as i64) {
        schema::migrate(connection, STEPS)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::run::NewRun;

    fn empty_run() -> NewRun {
        NewRun {
            root: "/project".into(),
            command: "mvn test".into(),
            started_at: SystemTime::UNIX_EPOCH,
            ended_at: SystemTime::UNIX_EPOCH,
            build_status: None,
            jdk: String::new(),
            revision: None,
            note: "x".repeat(100_000),
            jvms: vec![],
        }
    }

    #[test]
    fn a_full_disk_is_named_and_costs_only_the_run_that_met_it() {
        let directory = tempfile::tempdir().unwrap();
        let mut store = Store::open(directory.path()).unwrap();
        let kept = store.record_run(&empty_run()).unwrap();
        let pages: i64 = store
            .connection
            .pragma_query_value(None, "page_count", |row| row.get(0))
            .unwrap();
        // The limit takes the place of the disk's: SQLite reports both in the same way.
        store
            .connection
            .pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))
            .unwrap();
        let error = store.record_run(&empty_run()).unwrap_err();
        assert!(matches!(error, StoreError::DiskFull), "{error:?}");
        assert_eq!(store.last_run().unwrap().unwrap().id, kept);
    }

    #[test]
    fn a_writer_that_never_ends_is_not_waited_for_without_end() {
        let directory = tempfile::tempdir().unwrap();
        let mut store = Store::open(directory.path()).unwrap();
        let other = Connection::open(directory.path().join(DATABASE)).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        store.connection.busy_timeout(Duration::ZERO).unwrap();
        let error = store.record_run(&empty_run()).unwrap_err();
        assert!(matches!(error, StoreError::Busy), "{error:?}");
        assert_eq!(store.last_run().unwrap(), None);
    }
}
