//! How the project's classes were when its tests last ran.

use std::path::Path;

use jury_store::{StoreError, read_derived, write_derived};

use super::census::Hashes;

const FILE: &str = "classes.last";

/// The hashes of classes at another time.
pub(super) struct Snapshot(Vec<u8>);

impl Snapshot {
    /// None if no tests have run yet.
    pub fn read(state_dir: &Path) -> Option<Self> {
        read_derived(state_dir, FILE).map(Snapshot)
    }

    /// Names in VM form with hashes; none if it is damaged.
    pub fn hashes(&self) -> Option<Vec<(&str, [u8; 16])>> {
        postcard::from_bytes(&self.0).ok()
    }
}

pub(super) fn exists(state_dir: &Path) -> bool {
    state_dir.join(FILE).exists()
}

pub(super) fn write(state_dir: &Path, hashes: &Hashes<'_>) -> Result<(), StoreError> {
    let mut hashes: Vec<_> = hashes.iter().collect();
    hashes.sort_unstable();
    // ok: lists of texts and bytes can always be written.
    let bytes = postcard::to_allocvec(&hashes).unwrap_or_default();
    write_derived(state_dir, FILE, &bytes)
}
