//! Files in the state directory that can be made again: caches and snapshots of analyses.
//!
//! Such a file is whole or not there: it is written beside its place and moved, and what does not
//! bear its own checksum is as good as missing. What is in it is not known here.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::directory;
use crate::error::StoreError;

const MAGIC: &[u8; 8] = b"JURYDRV1";
const HASH: usize = 16;

/// The content that was last written under `name`; none if there is none, or it is damaged.
pub fn read_derived(state_dir: &Path, name: &str) -> Option<Vec<u8>> {
    let mut bytes = fs::read(state_dir.join(name)).ok()?;
    let content = bytes.strip_prefix(MAGIC)?.get(HASH..)?;
    let intact = bytes[MAGIC.len()..][..HASH] == checksum(content);
    intact.then(|| bytes.split_off(MAGIC.len() + HASH))
}

/// Replaces the content under `name`, which is a plain file name.
pub fn write_derived(state_dir: &Path, name: &str, content: &[u8]) -> Result<(), StoreError> {
    directory::create(state_dir)?;
    let failed = |error| StoreError::io("write", &state_dir.join(name), error);
    let mut file = tempfile::NamedTempFile::new_in(state_dir).map_err(failed)?;
    file.write_all(MAGIC)
        .and_then(|()| file.write_all(&checksum(content)))
        .and_then(|()| file.write_all(content))
        .map_err(failed)?;
    file.persist(state_dir.join(name))
        .map_err(|error| failed(error.error))?;
    Ok(())
}

fn checksum(content: &[u8]) -> [u8; HASH] {
    let mut checksum = [0; HASH];
    checksum.copy_from_slice(&blake3::hash(content).as_bytes()[..HASH]);
    checksum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_comes_back_unless_a_byte_of_it_is_lost() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(read_derived(directory.path(), "cache"), None);
        write_derived(directory.path(), "cache", b"first").unwrap();
        write_derived(directory.path(), "cache", b"second").unwrap();
        assert_eq!(read_derived(directory.path(), "cache").unwrap(), b"second");
        let path = directory.path().join("cache");
        let bytes = fs::read(&path).unwrap();
        for end in 0..bytes.len() {
            fs::write(&path, &bytes[..end]).unwrap();
            assert_eq!(read_derived(directory.path(), "cache"), None);
        }
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }
}
