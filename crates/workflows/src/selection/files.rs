//! Hashes of files, each taken once for each state that the file is in.
//!
//! A file whose size, times and inode are as they were has the content it had. A file that was
//! written only just now is hashed again the next time: it may change within the same tick of the
//! file system's clock.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use jury_select::Hash128;
use jury_store::FileStamp;

/// Coarser than the clocks of all usual file systems.
const TICK: Duration = Duration::from_millis(50);

/// What a hash is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Hashed {
    Content,
    /// A class file, as the smart fingerprint sees it.
    SmartClass,
    PlainClass,
}

#[derive(Debug, Default)]
pub(super) struct Files {
    known: RefCell<HashMap<(String, u8), FileStamp>>,
    news: RefCell<Vec<FileStamp>>,
}

/// How a file looks from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    pub size: u64,
    pub modified: i64,
    pub changed: i64,
    pub inode: u64,
}

impl Look {
    pub fn at(metadata: &Metadata) -> Self {
        let nanos = |seconds: i64, nanos: i64| seconds.saturating_mul(1_000_000_000) + nanos;
        Look {
            size: metadata.size(),
            modified: nanos(metadata.mtime(), metadata.mtime_nsec()),
            changed: nanos(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
        }
    }

    fn is_of(&self, stamp: &FileStamp) -> bool {
        self.size == stamp.size
            && self.modified == stamp.modified
            && self.changed == stamp.changed
            && self.inode == stamp.inode
    }

    /// Nothing that is written from now on can look like this.
    fn is_past(&self) -> bool {
        let since_1970 = (SystemTime::now() - TICK).duration_since(SystemTime::UNIX_EPOCH);
        let limit = since_1970.map_or(0, |duration| duration.as_nanos() as i64);
        self.modified < limit && self.changed < limit
    }
}

impl Files {
    pub fn knowing(stamps: Vec<FileStamp>) -> Self {
        let known = stamps
            .into_iter()
            .map(|stamp| ((stamp.path.clone(), stamp.kind), stamp));
        Files {
            known: RefCell::new(known.collect()),
            news: RefCell::default(),
        }
    }

    /// The hash of the file at `path`, which `hash` makes of its content if it is not known.
    pub fn hash(
        &self,
        path: &Path,
        kind: Hashed,
        hash: impl FnOnce(&[u8]) -> Hash128,
    ) -> io::Result<Hash128> {
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            // A device would be read without end.
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let look = Look::at(&metadata);
        let key = (path.to_string_lossy().into_owned(), kind as u8);
        if let Some(stamp) = self.known.borrow().get(&key)
            && look.is_of(stamp)
        {
            return Ok(Hash128(stamp.hash));
        }
        let hash = hash(&fs::read(path)?);
        if look.is_past() {
            let stamp = FileStamp {
                path: key.0.clone(),
                kind: key.1,
                size: look.size,
                modified: look.modified,
                changed: look.changed,
                inode: look.inode,
                hash: hash.0,
            };
            self.news.borrow_mut().push(stamp.clone());
            self.known.borrow_mut().insert(key, stamp);
        }
        Ok(hash)
    }

    pub fn content(&self, path: &Path) -> io::Result<Hash128> {
        self.hash(path, Hashed::Content, Hash128::of)
    }

    /// What was learnt since the last call.
    pub fn take_news(&self) -> Vec<FileStamp> {
        self.news.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn old_file(directory: &Path, text: &str) -> std::path::PathBuf {
        let path = directory.join("file");
        fs::write(&path, text).unwrap();
        path
    }

    /// As if the file had been looked at long after it was written.
    fn stamp(path: &Path, hash: Hash128) -> FileStamp {
        let look = Look::at(&fs::metadata(path).unwrap());
        FileStamp {
            path: path.to_string_lossy().into_owned(),
            kind: Hashed::Content as u8,
            size: look.size,
            modified: look.modified,
            changed: look.changed,
            inode: look.inode,
            hash: hash.0,
        }
    }

    #[test]
    fn a_file_that_looks_as_it_did_is_not_read_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = old_file(directory.path(), "text");
        let remembered = Hash128::of(b"remembered");
        let files = Files::knowing(vec![stamp(&path, remembered)]);
        assert_eq!(files.content(&path).unwrap(), remembered);
        assert!(files.take_news().is_empty());
    }

    #[test]
    fn a_file_that_looks_different_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = old_file(directory.path(), "text");
        let mut stale = stamp(&path, Hash128::of(b"remembered"));
        stale.changed -= 1;
        let files = Files::knowing(vec![stale]);
        assert_eq!(files.content(&path).unwrap(), Hash128::of(b"text"));
    }

    #[test]
    fn a_file_of_this_very_moment_is_not_remembered() {
        let directory = tempfile::tempdir().unwrap();
        let path = old_file(directory.path(), "text");
        let future = SystemTime::now() + Duration::from_secs(3600);
        let file = fs::File::options().append(true).open(&path).unwrap();
        file.set_modified(future).unwrap();
        let files = Files::default();
        files.content(&path).unwrap();
        assert!(files.take_news().is_empty());
    }
}
