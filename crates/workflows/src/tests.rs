//! `jury tests`: what is known of each test.

use std::path::Path;

use jury_model::KnownTest;
use jury_store::{DATABASE, Store, StoredTest, TestFilter};

use crate::WorkflowError;
use crate::flaky::known_flaky;

/// Which tests are meant.
#[derive(Debug, Clone, Copy)]
pub struct TestQuery<'a> {
    pub module: Option<&'a str>,
    /// A test is meant if one of these matches; all tests if there are none.
    pub patterns: &'a [String],
}

pub fn known_tests(
    root: &Path,
    state_dir: &Path,
    query: TestQuery<'_>,
) -> Result<Vec<KnownTest>, WorkflowError> {
    let mut store = open_known(state_dir)?;
    let found = find(&store, query)?;
    let flaky = known_flaky(&mut store, root, state_dir)?;
    Ok(found
        .into_iter()
        .map(|stored| KnownTest {
            flaky: (flaky.iter())
                .find(|one| one.module == stored.module && one.id == stored.test.id)
                .map(|one| one.flaky.clone()),
            module: stored.module,
            test: stored.test,
            outcome: stored.last_outcome,
            micros: stored.last_micros,
        })
        .collect())
}

/// Opens a store to ask it something. Where there is none, none is made.
pub(crate) fn open_known(state_dir: &Path) -> Result<Store, WorkflowError> {
    if !state_dir.join(DATABASE).exists() {
        return Err(WorkflowError::NothingKnown);
    }
    Ok(Store::open(state_dir)?)
}

pub(crate) fn find(store: &Store, query: TestQuery<'_>) -> Result<Vec<StoredTest>, WorkflowError> {
    let filter = |label: Option<&String>| TestFilter {
        module: query.module.map(str::to_owned),
        label: label.cloned(),
        ..TestFilter::default()
    };
    let mut tests = Vec::new();
    if query.patterns.is_empty() {
        tests = store.tests(&filter(None))?;
    }
    for pattern in query.patterns {
        for test in store.tests(&filter(Some(pattern)))? {
            if !tests.contains(&test) {
                tests.push(test);
            }
        }
    }
    match (tests.is_empty(), query.patterns) {
        (false, _) => Ok(tests),
        (true, []) => Err(WorkflowError::NothingKnown),
        (true, patterns) => Err(WorkflowError::NoMatch(patterns.to_vec())),
    }
}
