//! How the project's classes were when its tests last ran.

use std::collections::BTreeMap;
use std::path::Path;

use jury_store::{StoreError, read_derived, write_derived};

/// Hashes by name in VM form.
pub(super) type Hashes = BTreeMap<String, [u8; 16]>;

const FILE: &str = "classes.last";

/// None if no tests have run yet.
pub(super) fn read(state_dir: &Path) -> Option<Hashes> {
    postcard::from_bytes(&read_derived(state_dir, FILE)?).ok()
}

pub(super) fn exists(state_dir: &Path) -> bool {
    state_dir.join(FILE).exists()
}

pub(super) fn write(state_dir: &Path, hashes: &Hashes) -> Result<(), StoreError> {
    // ok: maps of texts and bytes can always be written.
    let bytes = postcard::to_allocvec(hashes).unwrap_or_default();
    write_derived(state_dir, FILE, &bytes)
}
