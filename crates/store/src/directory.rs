//! The `.jury/` directory itself: made private, ignored by git, and locked while a database is
//! created, migrated or set aside, so that two processes never do so at once.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::StoreError;

/// Makes the directory unless it is there. The environment of a build, which recipes hold, may
/// contain secrets; so only the user may look inside.
pub fn create(directory: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(directory)
        .map_err(|error| StoreError::io("create", directory, error))?;
    let path = directory.join(".gitignore");
    match File::create_new(&path).and_then(|mut file| file.write_all(b"*\n")) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(StoreError::io("create", &path, error))
        }
        _ => Ok(()),
    }
}

/// Opens or creates a file that only the user may read.
pub fn private_file(path: &Path) -> Result<File, StoreError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(path)
        .map_err(|error| StoreError::io("open", path, error))
}

/// Held until dropped; a process that dies drops it too.
pub fn lock(directory: &Path) -> Result<File, StoreError> {
    let path = directory.join("lock");
    let file = private_file(&path)?;
    file.lock()
        .map_err(|error| StoreError::io("lock", &path, error))?;
    Ok(file)
}

/// Renames a database that cannot be used, and the two files SQLite keeps beside it, to the first
/// free `….damaged-<n>`. Nothing is deleted: the user may want to look.
pub fn set_aside(database: &Path) -> Result<PathBuf, StoreError> {
    let mut number = 1;
    let kept_as = loop {
        let path = beside(database, &format!(".damaged-{number}"));
        if !path.exists() {
            break path;
        }
        number += 1;
    };
    for companion in ["-wal", "-shm"] {
        let from = beside(database, companion);
        if from.exists() {
            rename(&from, &beside(&kept_as, companion))?;
        }
    }
    rename(database, &kept_as)?;
    Ok(kept_as)
}

/// `path` with `suffix` added to its file name.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    fs::rename(from, to).map_err(|error| StoreError::io("set aside", from, error))
}
