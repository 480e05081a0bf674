//! What changed: since the last run, a revision, or against other class files.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use jury_history::{FileChange, changes_since};
use jury_impact::{Change, compare};
use jury_model::Notice;

use super::census::{Census, Purpose};
use super::snapshot::{self, Snapshot};
use super::{ImpactRequest, inlined};
use crate::WorkflowError;

#[derive(Debug, Clone, Copy)]
pub enum Since<'a> {
    /// The last `jury test`.
    LastRun,
    /// A revision of the git repository.
    Revision(&'a str),
    /// Other directories or jars of class files.
    Classes(&'a [PathBuf]),
}

impl Since<'_> {
    /// What has to be known of classes to tell what changed.
    pub(super) fn purpose(self, state_dir: &Path) -> Purpose {
        match self {
            Since::Classes(_) => Purpose::Comparison,
            Since::LastRun if snapshot::exists(state_dir) => Purpose::Comparison,
            Since::LastRun | Since::Revision(_) => Purpose::Graph,
        }
    }
}

impl fmt::Display for Since<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Since::LastRun => f.write_str("the last `jury test`"),
            Since::Revision(revision) => write!(f, "revision `{revision}`"),
            Since::Classes(places) => {
                let places: Vec<String> = places
                    .iter()
                    .map(|place| format!("`{}`", place.display()))
                    .collect();
                f.write_str(&places.join(" and "))
            }
        }
    }
}

/// What is different now.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// Types that differ, by name in VM form.
    pub types: BTreeMap<String, Change>,
    /// Files that differ, and of which no class file tells whom they affect.
    pub unexplained: Vec<String>,
    pub notices: Vec<Notice>,
}

impl From<BTreeMap<String, Change>> for Changed {
    fn from(types: BTreeMap<String, Change>) -> Self {
        Changed {
            types,
            ..Changed::default()
        }
    }
}

pub(super) fn changes(
    request: &ImpactRequest<'_>,
    census: &Census,
) -> Result<Changed, WorkflowError> {
    match request.since {
        Since::LastRun => {
            let last = Snapshot::read(request.state_dir);
            Ok(match last.as_ref().and_then(Snapshot::hashes) {
                Some(before) => compare(before, census.hashes()).into(),
                None => everything(census),
            })
        }
        Since::Classes(places) => {
            let before = Census::take(request.state_dir, places, &[], Purpose::Comparison);
            if before.own().next().is_none() {
                return Err(WorkflowError::NoClasses);
            }
            Ok(compare(before.hashes(), census.hashes()).into())
        }
        Since::Revision(revision) => since_revision(request.root, revision, census),
    }
}

fn everything(census: &Census) -> Changed {
    let all = census
        .own()
        .map(|class| census.names.text(class.facts.name));
    Changed {
        types: all.map(|name| (name.to_owned(), Change::Changed)).collect(),
        notices: vec![Notice::with_hint(
            "nothing is known of an earlier run, so every type counts as changed",
            "`jury test` remembers the classes it ran with; `--since REV` asks git",
        )],
        ..Changed::default()
    }
}

const SOURCES: [&str; 4] = ["java", "kt", "groovy", "scala"];

/// Classes of changed source files. Where the class files are older than the sources, they do not
/// show what the sources now say.
fn since_revision(root: &Path, revision: &str, census: &Census) -> Result<Changed, WorkflowError> {
    let mut types = BTreeMap::new();
    let (mut data, mut stale, mut missing) = (Vec::new(), Vec::new(), Vec::new());
    for (path, change) in changes_since(root, revision)? {
        if !is_source(Path::new(&path)) {
            data.push(path);
        } else if change == FileChange::Deleted {
            types.extend(vanished(&path, census).map(|name| (name, Change::Deleted)));
        } else {
            let own: Vec<_> = census.compiled_from(&path).collect();
            let edited = root
                .join(&path)
                .metadata()
                .and_then(|file| file.modified())
                .ok();
            if own.is_empty() || own.iter().any(|class| class.modified < edited) {
                stale.push(path.clone());
            }
            if own.is_empty() {
                missing.push(path.clone());
            }
            let names = own
                .iter()
                .map(|class| census.names.text(class.facts.name).to_owned());
            types.extend(names.map(|name| (name, Change::Changed)));
        }
    }
    let copies = inlined::copies_of(&types, root, census);
    types.extend(copies.into_iter().map(|name| (name, Change::Changed)));
    let stale = listed(&stale).map(|stale| {
        Notice::with_hint(
            format!("not compiled since the last edit: {stale}"),
            "build first, for example with `mvn test-compile`",
        )
    });
    let unread = listed(&data).map(|data| {
        Notice::with_hint(
            format!("changed, but no source, so what it can affect is not known: {data}"),
            "`jury test` sees which tests read a file",
        )
    });
    Ok(Changed {
        types,
        unexplained: [data, missing].concat(),
        notices: stale.into_iter().chain(unread).collect(),
    })
}

pub(crate) fn is_source(path: &Path) -> bool {
    let end = path.extension();
    end.is_some_and(|end| SOURCES.iter().any(|source| end == *source))
}

/// The first few of some paths; none if there are none.
fn listed(paths: &[String]) -> Option<String> {
    const SHOWN: usize = 3;
    let shown = paths.iter().take(SHOWN).map(|path| format!("`{path}`"));
    let mut shown = shown.collect::<Vec<_>>().join(", ");
    if paths.len() > SHOWN {
        shown.push_str(&format!(" and {} more", paths.len() - SHOWN));
    }
    (!paths.is_empty()).then_some(shown)
}

/// The class that a deleted file held, if anybody still speaks of it.
fn vanished<'c>(path: &str, census: &'c Census) -> impl Iterator<Item = String> + 'c {
    let stem = path
        .rsplit_once('.')
        .map_or(path, |(stem, _)| stem)
        .to_owned();
    let starts: Vec<usize> = [0]
        .into_iter()
        .chain(stem.match_indices('/').map(|(place, _)| place + 1))
        .collect();
    // The longest name first: directories in front of the package are no part of it.
    starts
        .into_iter()
        .map(move |start| stem[start..].to_owned())
        .find(|name| census.names.find(name).is_some())
        .into_iter()
}
