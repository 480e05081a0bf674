//! `jury history`: how a repository's commits came about, and what the published options and
//! evidence would select at each merge, pick and revert.
//!
//! What tests lead to at a revision is known only where its classes were compiled and noted; it is
//! never guessed from sources.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use jury_history::{Commit, Origin, Remaker, commits, graph, head, is_clean, is_shallow};
use jury_lineage::{
    Count, Course, Dag, Deed, DeedCounts, Event, HistoryRun, Merge, Plan, Reaches, Refusal,
    Revision, Selected, Selections, Selector, Test, TestSet, Tested, Thresholds, choose,
};
use jury_model::Notice;
use jury_store::{DATABASE, RUNS_KEPT, Store, StoreError, read_derived, write_derived};

use crate::WorkflowError;
use crate::impact::StaticView;

#[derive(Debug)]
pub struct HistoryRequest<'a> {
    pub root: &'a Path,
    pub state_dir: &'a Path,
    /// A revision, or a range of them.
    pub range: &'a str,
    pub thresholds: Thresholds,
}

/// What each test leads to at a revision, by name.
type Noted = BTreeMap<String, Option<[u8; 16]>>;

/// Where revisions are noted, within the state directory.
const NOTES: &str = "revisions";

/// Remembers the classes as they are now as those of the commit that is checked out, and says which
/// one that is and how many test classes it has.
pub fn note_revision(root: &Path, state_dir: &Path) -> Result<(String, usize), WorkflowError> {
    let commit = jury_history::resolve(root, "HEAD")?;
    if !is_clean(root)? {
        return Err(WorkflowError::NotCommitted);
    }
    let view = StaticView::now(root, state_dir, None)?;
    if view.tests.is_empty() {
        return Err(WorkflowError::NoClasses);
    }
    let tests = view.tests.len();
    let noted: Noted = (view.tests.into_iter())
        .map(|(name, test)| (name, test.reach.map(|hash| hash.0)))
        .collect();
    // ok: maps of texts and bytes can always be written.
    let bytes = postcard::to_allocvec(&noted).unwrap_or_default();
    write_derived(&state_dir.join(NOTES), &commit, &bytes)?;
    Ok((commit, tests))
}

pub fn history(request: &HistoryRequest<'_>) -> Result<HistoryRun, WorkflowError> {
    let commits = commits(request.root, request.range)?;
    let tip = match commits.first() {
        Some(newest) => newest.name.clone(),
        None => head(request.root).unwrap_or_default(),
    };
    let listed = graph(request.root, &tip)?;
    let dag = Dag::new(listed.iter().map(|(name, parents)| {
        let parents = parents.iter().map(String::as_str).collect();
        (name.as_str(), parents)
    }));
    let known = Known::read(&dag, &request.state_dir.join(NOTES));
    let remaker = Remaker::new(request.root)?;
    let mut run = HistoryRun {
        range: request.range.to_owned(),
        known_revisions: known.reaches.revisions().count(),
        ..HistoryRun::default()
    };
    let tested = tested(request.state_dir).unwrap_or_else(|error| {
        // Commits are what was asked for; that is no reason to say nothing of them.
        let message = format!("what `jury test` did at commits is not known: {error}");
        run.notices.push(match error.hint() {
            Some(hint) => Notice::with_hint(message, hint),
            None => Notice::new(message),
        });
        HashMap::new()
    });
    for commit in &commits {
        let event = Analyst {
            dag: &dag,
            known: &known,
            tested: &tested,
            remaker: &remaker,
            thresholds: &request.thresholds,
        }
        .examine(commit);
        count(&mut run.counts, commit, event.as_ref());
        run.events.extend(event);
    }
    if is_shallow(request.root)? {
        run.notices.push(Notice::with_hint(
            "this clone is shallow: what came before its oldest commits is not known",
            "`git fetch --unshallow` brings it",
        ));
    }
    if known.is_empty() {
        run.notices.push(Notice::with_hint(
            "no revision is known with its tests, so nothing can be selected",
            "check revisions out, compile each and run `jury history --note`",
        ));
    }
    Ok(run)
}

/// What the newest `jury test` of each commit did, by the commit's name.
fn tested(state_dir: &Path) -> Result<HashMap<String, Tested>, StoreError> {
    if !state_dir.join(DATABASE).exists() {
        return Ok(HashMap::new());
    }
    // Oldest first, so the newest stays.
    let runs = Store::open(state_dir)?.selecting_runs(RUNS_KEPT as usize)?;
    let tested = runs.into_iter().filter_map(|run| {
        let tested = Tested {
            available: run.run_classes + run.left_out_classes,
            selected: run.run_classes,
            red: run.red_classes,
        };
        Some((run.revision?, tested))
    });
    Ok(tested.collect())
}

fn count(counts: &mut DeedCounts, commit: &Commit, event: Option<&Event>) {
    counts.commits += 1;
    match commit.origin {
        Origin::Merge => {
            counts.merges += 1;
            counts.octopuses += usize::from(commit.parents.len() > 2);
            match event.and_then(|event| event.is_automatic) {
                Some(true) => counts.automatic += 1,
                Some(false) => counts.edited += 1,
                None => {}
            }
        }
        Origin::Rebase => counts.rebases += 1,
        Origin::Foreign => counts.foreign += 1,
        Origin::CherryPick(_) => counts.cherry_picks += 1,
        Origin::Revert(_) => counts.reverts += 1,
        Origin::Commit => {}
    }
}

/// What is noted of revisions.
struct Known {
    names: Vec<String>,
    reaches: Reaches,
}

impl Known {
    fn read(dag: &Dag, notes: &Path) -> Self {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut names = Vec::new();
        let mut reaches = Reaches::default();
        for revision in dag.revisions() {
            let noted = read_derived(notes, dag.name(revision))
                .and_then(|bytes| postcard::from_bytes::<Noted>(&bytes).ok());
            let Some(noted) = noted else {
                continue;
            };
            let tests = noted.into_iter().map(|(name, reach)| {
                let number = *numbers.entry(name).or_insert_with_key(|name| {
                    names.push(name.clone());
                    names.len() as u32 - 1
                });
                (Test(number), reach)
            });
            reaches.add(revision, tests.collect());
        }
        Known { names, reaches }
    }

    fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    fn name(&self, test: Test) -> String {
        let name = self.names.get(test.0 as usize);
        name.cloned().unwrap_or_default()
    }
}

struct Analyst<'a> {
    dag: &'a Dag,
    known: &'a Known,
    tested: &'a HashMap<String, Tested>,
    remaker: &'a Remaker<'a>,
    thresholds: &'a Thresholds,
}

impl Analyst<'_> {
    /// None for plain commits.
    fn examine(&self, commit: &Commit) -> Option<Event> {
        let (word, other) = match &commit.origin {
            Origin::Merge => ("merge", None),
            Origin::CherryPick(of) => ("cherry-pick", of.as_ref()),
            Origin::Revert(of) => ("revert", of.as_ref()),
            Origin::Rebase | Origin::Foreign | Origin::Commit => return None,
        };
        let is_automatic = match (&commit.origin, other) {
            (Origin::Merge, _) => self.remaker.is_automatic_merge(commit),
            (_, None) => None,
            (origin, Some(of)) => {
                let undone = matches!(origin, Origin::Revert(_));
                self.remaker.is_automatic_copy(&commit.name, of, undone)
            }
        };
        let other = other.and_then(|name| self.dag.find(name));
        let deed = match (&commit.origin, other) {
            (Origin::Merge, _) => Deed::Merge,
            (Origin::CherryPick(_), Some(picked)) => Deed::CherryPick { picked },
            (Origin::Revert(_), Some(reverted)) => Deed::Revert { reverted },
            // What it was made of is not in this history: it is as good as any commit.
            _ => Deed::Commit,
        };
        Some(Event {
            commit: commit.name.clone(),
            subject: commit.subject.clone(),
            deed: word,
            parents: commit.parents.len(),
            is_automatic,
            selections: self.selections(commit, deed, is_automatic == Some(true)),
            tested: self.tested.get(&commit.name).copied(),
        })
    }

    fn selections(&self, commit: &Commit, deed: Deed, is_automatic: bool) -> Option<Selections> {
        let head = self.dag.find(&commit.name)?;
        let tests = self.known.reaches.available(head)?;
        let course = Course {
            dag: self.dag,
            selector: &self.known.reaches,
            head,
            deed,
            is_automatic,
        };
        let plans: Vec<(Plan, Result<Selected, Refusal>)> =
            Plan::ALL.map(|plan| (plan, course.select(plan))).to_vec();
        let of = |plan: Plan| {
            let found = plans.iter().find(|(own, _)| *own == plan);
            found.and_then(|(_, outcome)| outcome.as_ref().ok())
        };
        let missed = match (of(Plan::Zero), of(Plan::Evidence)) {
            (Some(zero), Some(evidence)) => {
                evidence.tests.difference(&zero.tests).copied().collect()
            }
            _ => TestSet::new(),
        };
        let merge = Merge {
            is_automatic,
            is_covered: of(Plan::Zero).is_some(),
            new_tests: self.new_tests(head, &tests),
            tests: tests.len(),
            length: self.length(head),
        };
        let counted = |selected: &Selected| Count {
            tests: selected.tests.len(),
            comparisons: selected.comparisons,
        };
        Some(Selections {
            tests: tests.len(),
            chosen: choose(&merge, self.thresholds),
            missed_by_zero: missed
                .into_iter()
                .map(|test| self.known.name(test))
                .collect(),
            plans: (plans.iter())
                .map(|(plan, outcome)| (*plan, outcome.as_ref().map(counted).map_err(|why| *why)))
                .collect(),
        })
    }

    /// Tests that some parent has not got.
    fn new_tests(&self, head: Revision, tests: &TestSet) -> usize {
        let parents = self.dag.parents(head).iter();
        let known: Vec<TestSet> = parents
            .filter_map(|parent| self.known.reaches.available(*parent))
            .collect();
        let is_new = |test: &&Test| known.iter().any(|own| !own.contains(test));
        tests.iter().filter(is_new).count()
    }

    /// Revisions on the longest merged branch, as far as it is known where it began.
    fn length(&self, head: Revision) -> usize {
        let Some(origin) = self.dag.immediate_dominator(head) else {
            return usize::MAX;
        };
        let parents = self.dag.parents(head).iter();
        let lengths =
            parents.map(|parent| self.dag.between(origin, *parent).len().saturating_sub(1));
        lengths.max().unwrap_or(0)
    }
}
