//! How the project's classes were when its tests last ran.

use std::collections::BTreeMap;
use std::path::Path;

use jury_impact::ClassParts;
use jury_select::Digest;
use jury_store::{StoreError, read_derived, write_derived};
use serde::{Deserialize, Serialize};

use super::census::Hashes;

const FILE: &str = "classes.last";
const METHODS: &str = "methods.last";

/// The hashes of classes at another time.
pub(super) struct Snapshot(Vec<u8>);

/// Classes by name in VM form, part by part; without those that can only be compared as a whole.
/// Modules may have classes of one name.
pub(super) type Parts = BTreeMap<String, Vec<ClassParts>>;

/// What a closer look needs of the same time.
#[derive(Serialize, Deserialize)]
struct MethodSnapshot {
    /// Of the snapshot that it belongs to: they are two files, of which one may be older.
    belongs_to: [u8; 16],
    parts: Parts,
}

impl Snapshot {
    /// None if no tests have run yet.
    pub fn read(state_dir: &Path) -> Option<Self> {
        read_derived(state_dir, FILE).map(Snapshot)
    }

    pub fn write(state_dir: &Path, hashes: &Hashes<'_>) -> Result<Self, StoreError> {
        let mut hashes: Vec<_> = hashes.iter().collect();
        hashes.sort_unstable();
        // ok: lists of texts and bytes can always be written.
        let bytes = postcard::to_allocvec(&hashes).unwrap_or_default();
        write_derived(state_dir, FILE, &bytes)?;
        Ok(Snapshot(bytes))
    }

    /// Names in VM form with hashes; none if it is damaged.
    pub fn hashes(&self) -> Option<Vec<(&str, [u8; 16])>> {
        postcard::from_bytes(&self.0).ok()
    }

    /// None unless they were written down with this very snapshot.
    pub fn parts(&self, state_dir: &Path) -> Option<Parts> {
        let bytes = read_derived(state_dir, METHODS)?;
        let methods: MethodSnapshot = postcard::from_bytes(&bytes).ok()?;
        (methods.belongs_to == self.digest()).then_some(methods.parts)
    }

    pub fn write_parts(&self, state_dir: &Path, parts: Parts) -> Result<(), StoreError> {
        let methods = MethodSnapshot {
            belongs_to: self.digest(),
            parts,
        };
        // ok: lists of texts and bytes can always be written.
        let bytes = postcard::to_allocvec(&methods).unwrap_or_default();
        write_derived(state_dir, METHODS, &bytes)
    }

    fn digest(&self) -> [u8; 16] {
        let mut digest = Digest::new("jury snapshot 1");
        digest.bytes(&self.0);
        digest.finish().0
    }
}

pub(super) fn exists(state_dir: &Path) -> bool {
    state_dir.join(FILE).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_count_only_beside_the_classes_they_were_written_with() {
        let state = tempfile::tempdir().unwrap();
        let parts = Parts::from([("shop/Tax".to_owned(), Vec::new())]);
        let write = |hash: u8| {
            let hashes = Hashes::from_iter([("shop/Tax", [hash; 16])]);
            Snapshot::write(state.path(), &hashes).unwrap()
        };
        let early = write(1);
        assert_eq!(early.parts(state.path()), None);
        early.write_parts(state.path(), parts.clone()).unwrap();
        assert_eq!(early.parts(state.path()), Some(parts));
        assert_eq!(write(2).parts(state.path()), None);
    }
}
