//! `jury report`: what the last runs have selected.

use std::path::Path;

use jury_model::SelectionReport;

use crate::WorkflowError;
use crate::tests::open_known;

/// Looks back over so many runs.
pub fn look_back(state_dir: &Path, runs: usize) -> Result<SelectionReport, WorkflowError> {
    let store = open_known(state_dir)?;
    let runs = store.selecting_runs(runs)?;
    let Some(newest) = runs.last() else {
        return Err(WorkflowError::NothingKnown);
    };
    let units = store.selection_of(newest.number)?;
    Ok(SelectionReport { runs, units })
}
