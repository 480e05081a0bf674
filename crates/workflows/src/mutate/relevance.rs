//! Which tests may run what is on trial. If only some classes are, most tests have nothing to say
//! about them, and are not even covered.
//!
//! What `jury test` has booked decides: a test class stays out if nothing that it depends on has
//! changed since, and nothing that it ever used includes a method on trial.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jury_mutate::MethodId;
use jury_project::Project;
use jury_store::Store;

use super::lab::LabTest;
use super::users::Users;
use crate::WorkflowError;
use crate::selection::{Place, Selection, SelectionSettings};

/// Takes those tests out that certainly run none of the methods.
pub(super) fn retain_relevant(
    tests: &mut Vec<LabTest<'_>>,
    methods: &BTreeSet<&MethodId>,
    users: &Users,
    unaffected: &BTreeSet<String>,
) {
    let users = users.of(methods);
    let mut relevant: BTreeMap<String, bool> = BTreeMap::new();
    tests.retain(|test| {
        let decide = || {
            let concerns = |method: &&MethodId| users.may_include(method, &test.class);
            !unaffected.contains(&test.class) || methods.iter().any(concerns)
        };
        *relevant.entry(test.class.clone()).or_insert_with(decide)
    });
}

/// Test classes of which everything that they depend on is as `jury test` has seen it.
pub(super) fn unaffected(
    store: &mut Store,
    root: &Path,
    state_dir: &Path,
) -> Result<BTreeSet<String>, WorkflowError> {
    let project = Project::discover(root).ok();
    let command = store.last_run()?.map(|run| run.command).unwrap_or_default();
    let place = Place {
        root,
        state_dir,
        project: project.as_ref(),
        command: &command,
    };
    let selection = Selection::open(store, &place, &SelectionSettings::default())?;
    let (unaffected, stamps) = selection.unaffected_classes();
    store.keep_stamps(&stamps)?;
    Ok(unaffected)
}
