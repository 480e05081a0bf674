//! `jury clean`: forgets what was learnt.

use std::path::Path;

use jury_jvm::{Installation, cache_directory};

use crate::WorkflowError;

/// What was swept away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swept {
    /// There was evidence, and it is gone.
    pub evidence: bool,
    /// Unpacked agents that stay because a running Jury uses them.
    pub bundles_in_use: usize,
}

pub fn sweep(state_dir: &Path, cache: bool) -> Result<Swept, WorkflowError> {
    let evidence = state_dir.exists();
    jury_store::remove(state_dir)?;
    let bundles_in_use = if cache {
        Installation::remove_unused(&cache_directory()?).map_err(WorkflowError::Sweep)?
    } else {
        0
    };
    Ok(Swept {
        evidence,
        bundles_in_use,
    })
}
