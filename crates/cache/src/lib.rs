//! Entries that machines share: in a directory, a Redis server or S3-compatible storage.
//!
//! An entry is found by the hash of its bytes and never changes; an index says which entries there
//! are under a name. Whoever can write to the cache is trusted, but nothing else: what is damaged,
//! too large or out of date is as good as absent. What entries mean is not known here.

mod cache;
mod index;
mod location;
mod sweep;

pub use cache::{Cache, CacheError, CacheSettings};
pub use index::{Index, IndexKey, Line};
pub use location::{Location, LocationError};

/// The hash of an entry's bytes, by which it is found.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct EntryId([u8; 32]);

impl EntryId {
    pub fn of(bytes: &[u8]) -> Self {
        EntryId(*blake3::hash(bytes).as_bytes())
    }

    fn path(self) -> String {
        let hex = blake3::Hash::from_bytes(self.0).to_hex();
        // Directories with very many files are slow on some file systems.
        format!("entries/{}/{}", &hex[..2], &hex[2..])
    }
}
