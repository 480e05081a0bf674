//! Remembers what was found, and takes back what is no longer so.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::time::SystemTime;

use jury_flaky::Verdict;
use jury_model::{Flakiness, Notice};
use jury_project::Project;
use jury_store::{NewFlaky, Store, StoredFlaky, StoredTest};

use super::FlakyRequest;
use super::lineup::Lineup;
use super::showings::Showings;
use crate::WorkflowError;
use crate::selection::{Place, Selection, SelectionSettings};

/// What a run has shown.
pub(super) struct News<'a> {
    pub request: &'a FlakyRequest<'a>,
    pub lineup: &'a Lineup<'a>,
    /// Tests that were judged, with their classes.
    pub cast: &'a [(usize, usize)],
    pub showings: &'a Showings,
    /// What was known before.
    pub remembered: &'a [StoredFlaky],
    /// Tests that ran with those they were known to depend on.
    pub retried: &'a HashSet<usize>,
    pub interrupted: bool,
}

/// What came of it.
pub(super) struct Remembered {
    /// Modules and labels of tests whose finding was taken back.
    pub taken_back: Vec<(String, String)>,
    pub notices: Vec<Notice>,
}

pub(super) fn remember(
    store: &mut Store,
    news: &News<'_>,
    now: SystemTime,
) -> Result<Remembered, WorkflowError> {
    let (mut found, mut taken_back, mut labels, mut kept) = (vec![], vec![], vec![], vec![]);
    for (number, class) in news.cast {
        let test = &news.lineup.tests[*number];
        let judgement = news.showings.judge(*number);
        let known = finding(news.remembered, test);
        match (judgement.verdict, known) {
            // What is known is worth more than what could not be confirmed this time.
            (Verdict::Flaky(kind), Some(known))
                if known.flaky.kind == kind && !judgement.confirmed => {}
            (Verdict::Flaky(kind), _) => found.push((test, kind, *class, judgement.culprits)),
            (Verdict::Steady | Verdict::Broken, Some(known)) => {
                let label = test.test.label();
                match news.is_thorough(*number, known) {
                    true => {
                        taken_back.push((test.module.clone(), test.test.id.clone()));
                        labels.push((test.module.clone(), label));
                    }
                    false => kept.push((label, known.rounds)),
                }
            }
            _ => {}
        }
    }
    let mut notices = Vec::new();
    let needed = kept.iter().map(|(_, rounds)| *rounds).max();
    if let Some(rounds) = needed.filter(|_| !news.interrupted) {
        let labels: Vec<String> = kept.iter().map(|(label, _)| format!("`{label}`")).collect();
        notices.push(Notice::with_hint(
            format!("remain known as flaky: {}", labels.join(", ")),
            format!("as many rounds as found them take that back: `--rounds {rounds}`"),
        ));
    }
    let selection = open_selection(store, news.request.root, news.request.state_dir)?;
    if selection.awaits_compilation() {
        notices.push(Notice::with_hint(
            "sources have changed since they were compiled, and compiled classes were run",
            "compile them first, or run `jury test`, which does",
        ));
    }
    let mut classes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (test, _, class, _) in &found {
        let name = news.lineup.classes[*class].name.as_str();
        classes.entry(&test.module).or_default().insert(name);
    }
    let uses: BTreeMap<&str, _> = (classes.iter())
        .map(|(module, classes)| (*module, selection.uses_of(module, classes)))
        .collect();
    let found: Vec<NewFlaky> = (found.into_iter())
        .map(|(test, kind, class, culprits)| {
            let name = |class: &usize| news.lineup.classes[*class].name.clone();
            let (catalogue, row) = (uses.get(test.module.as_str()))
                .and_then(|uses| uses.get(&name(&class)).cloned())
                .unwrap_or_default();
            NewFlaky {
                module: test.module.clone(),
                id: test.test.id.clone(),
                kind,
                culprits: culprits.iter().map(name).collect(),
                rounds: finding(news.remembered, test)
                    .map_or(0, |known| known.rounds)
                    .max(news.request.rounds),
                catalogue,
                row,
            }
        })
        .collect();
    store.keep_stamps(&selection.take_stamps())?;
    store.keep_flaky(&found, &taken_back, now)?;
    Ok(Remembered {
        taken_back: labels,
        notices,
    })
}

impl News<'_> {
    /// Whether a test that is steady now was looked at as closely as when it was found.
    fn is_thorough(&self, number: usize, known: &StoredFlaky) -> bool {
        let depends = known.flaky.kind != Flakiness::Unsteady;
        let as_often = self.request.rounds >= known.rounds;
        !self.interrupted && (as_often || depends && self.retried.contains(&number))
    }
}

/// What is remembered of a test.
pub(super) fn finding<'f>(
    remembered: &'f [StoredFlaky],
    test: &StoredTest,
) -> Option<&'f StoredFlaky> {
    let mut remembered = remembered.iter();
    remembered.find(|one| one.module == test.module && one.id == test.test.id)
}

/// Flaky tests that are so in the present state.
pub(crate) fn known_flaky(
    store: &mut Store,
    root: &Path,
    state_dir: &Path,
) -> Result<Vec<StoredFlaky>, WorkflowError> {
    if store.flaky_tests()?.is_empty() {
        return Ok(Vec::new());
    }
    let selection = open_selection(store, root, state_dir)?;
    let known = selection.known_flaky();
    store.keep_stamps(&selection.take_stamps())?;
    Ok(known)
}

fn open_selection(
    store: &Store,
    root: &Path,
    state_dir: &Path,
) -> Result<Selection, WorkflowError> {
    let project = Project::discover(root).ok();
    let command = store.last_run()?.map(|run| run.command).unwrap_or_default();
    let place = Place {
        root,
        state_dir,
        project: project.as_ref(),
        command: &command,
    };
    Ok(Selection::open(
        store,
        &place,
        &SelectionSettings::default(),
    )?)
}
