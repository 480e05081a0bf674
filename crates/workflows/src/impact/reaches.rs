//! What each test class leads to, as one hash, for comparing revisions.

use std::collections::BTreeMap;
use std::path::Path;

use jury_impact::Reach;
use jury_select::{Digest, Hash128};

use super::census::{Census, Purpose};
use super::places::own_places;
use super::since::Changed;
use super::{Analysis, plain};
use crate::WorkflowError;

/// By name of the outermost class; none where a class within reach cannot be read.
pub(crate) fn reaches(
    root: &Path,
    state_dir: &Path,
) -> Result<BTreeMap<String, Option<Hash128>>, WorkflowError> {
    let places = own_places(root, state_dir)?;
    let census = Census::take(state_dir, &places, &[], Purpose::Comparison);
    census.keep(state_dir);
    let analysis = Analysis::of(census, Changed::default());
    let contents = analysis.census.hashes_by_name();
    let reach = Reach::of(&analysis.census.names, &analysis.graph, |name| {
        contents.get(&name).copied()
    });
    let tests = analysis.suite.tests().map(|(test, nested)| {
        let classes = nested.iter().chain([&test]);
        let hash = all(classes.map(|class| reach.hash(*class)));
        (plain(analysis.census.names.text(test)), hash)
    });
    Ok(tests.collect())
}

/// One hash of all, if all are known.
fn all(hashes: impl Iterator<Item = Option<[u8; 16]>>) -> Option<Hash128> {
    let hashes: Option<Vec<Hash128>> = hashes.map(|hash| hash.map(Hash128)).collect();
    let mut digest = Digest::new("jury unit reach 1");
    digest.unordered(hashes?);
    Some(digest.finish())
}
