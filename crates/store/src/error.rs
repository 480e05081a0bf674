use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
use thiserror::Error;

/// Why evidence could not be read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("evidence.db has format {found}, this Jury knows up to {known}")]
    NewerFormat { found: i64, known: i64 },
    #[error("failed to write to `{path}`: it is read-only for this user")]
    ReadOnly { path: PathBuf },
    #[error("failed to write evidence: the disk is full")]
    DiskFull,
    #[error("failed to write evidence: another process holds evidence.db")]
    Busy,
    #[error("evidence.db is damaged")]
    Damaged,
    #[error("the evidence in `{path}` is damaged or not Jury's")]
    ForeignDamaged { path: PathBuf },
    #[error("`{path}` was not made by Jury, so it is left alone")]
    NotOurs { path: PathBuf },
    #[error("failed to {action} `{path}`")]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("failed to read or write evidence.db")]
    Sqlite(#[source] rusqlite::Error),
}

impl StoreError {
    /// What the reader can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            StoreError::NewerFormat { .. } => {
                Some("use a newer jury, or `jury clean` to start afresh")
            }
            StoreError::ReadOnly { .. } => Some("make the project directory writable"),
            StoreError::DiskFull => Some("free some space; evidence up to the last run is kept"),
            StoreError::Busy => Some("wait for the other jury to end, then run again"),
            StoreError::Damaged => Some("the next run sets it aside and learns anew"),
            StoreError::ForeignDamaged { .. } => {
                Some("name the `.jury` directory of a run that went well")
            }
            StoreError::NotOurs { .. } | StoreError::Io { .. } | StoreError::Sqlite(_) => None,
        }
    }

    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        match source.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                StoreError::ReadOnly { path }
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::DiskFull,
            _ => StoreError::Io {
                action,
                path,
                source,
            },
        }
    }

    /// Tells the conditions a user can act on apart; `path` is the database.
    ///
    /// Jury's statements are fixed, so a database that refuses one, or answers with what Jury
    /// cannot have written, is damaged even where SQLite does not call it so.
    pub(crate) fn sqlite(path: &Path, error: rusqlite::Error) -> Self {
        let Some(cause) = error.sqlite_error() else {
            return StoreError::Damaged;
        };
        match cause.code {
            ErrorCode::DiskFull => StoreError::DiskFull,
            // There is no room for the file that SQLite shares memory through.
            _ if cause.extended_code == SQLITE_IOERR_SHMSIZE => StoreError::DiskFull,
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Busy,
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => StoreError::ReadOnly {
                path: path.to_path_buf(),
            },
            ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::ConstraintViolation
            | ErrorCode::TypeMismatch
            | ErrorCode::Unknown => StoreError::Damaged,
            _ => StoreError::Sqlite(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_write_is_told_apart_from_other_trouble() {
        let path = Path::new("p/.jury");
        for kind in [
            io::ErrorKind::PermissionDenied,
            io::ErrorKind::ReadOnlyFilesystem,
        ] {
            let error = StoreError::io("create", path, kind.into());
            assert_eq!(
                error.to_string(),
                "failed to write to `p/.jury`: it is read-only for this user"
            );
        }
        let full = StoreError::io("create", path, io::ErrorKind::StorageFull.into());
        assert!(matches!(full, StoreError::DiskFull));
        let other = StoreError::io("create", path, io::ErrorKind::NotADirectory.into());
        assert_eq!(other.to_string(), "failed to create `p/.jury`");
    }

    #[test]
    fn a_disk_without_room_for_the_shared_memory_file_is_full() {
        let code = rusqlite::ffi::Error::new(SQLITE_IOERR_SHMSIZE);
        let error = rusqlite::Error::SqliteFailure(code, None);
        let error = StoreError::sqlite(Path::new("evidence.db"), error);
        assert!(matches!(error, StoreError::DiskFull), "{error:?}");
    }

    #[test]
    fn a_newer_format_is_refused_by_name() {
        let error = StoreError::NewerFormat { found: 7, known: 1 };
        assert_eq!(
            error.to_string(),
            "evidence.db has format 7, this Jury knows up to 1"
        );
    }
}
