//! Each test class as class files alone show it, for `jury test --static`.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use jury_impact::{Name, Reach};
use jury_model::Notice;
use jury_select::{Digest, Hash128};

use super::census::{Census, Purpose};
use super::places::own_places;
use super::since::{self, Changed};
use super::{Analysis, ImpactRequest, Since, by_name_only, plain};
use crate::WorkflowError;

/// The test classes of a project, by name.
#[derive(Debug, Default)]
pub(crate) struct StaticView {
    pub tests: BTreeMap<String, StaticTest>,
    /// Files that changed and may affect anything.
    pub unexplained: Vec<String>,
    pub notices: Vec<Notice>,
}

#[derive(Debug)]
pub(crate) struct StaticTest {
    /// The directory or jar that it is in.
    pub place: PathBuf,
    /// Of every class that it leads to; none if one of them cannot be read.
    pub reach: Option<Hash128>,
    /// How it gets to a change, if it does.
    pub impact: Option<String>,
}

impl StaticView {
    /// Looks at the class files as they are now; nothing counts as changed without a revision.
    pub fn now(
        root: &Path,
        state_dir: &Path,
        revision: Option<&str>,
    ) -> Result<Self, WorkflowError> {
        let places = own_places(root, state_dir)?;
        let census = Census::take(state_dir, &places, &[], Purpose::Comparison);
        census.keep(state_dir);
        let mut changed = match revision {
            None => Changed::default(),
            Some(revision) => {
                let request = ImpactRequest {
                    root,
                    state_dir,
                    since: Since::Revision(revision),
                    classes: &[],
                    with_libraries: false,
                    with_graph: false,
                    by_methods: false,
                };
                since::changes(&request, &census)?
            }
        };
        // Builds compile before they test: what is stale now belongs to a later module.
        changed.notices.clear();
        let unexplained = std::mem::take(&mut changed.unexplained);
        let analysis = Analysis::of(census, changed);
        let contents = analysis.census.hashes_by_name();
        let reach = Reach::of(&analysis.census.names, &analysis.graph, |name| {
            contents.get(&name).copied()
        });
        let places: HashMap<Name, &Path> = (analysis.census.own())
            .map(|class| (class.facts.name, class.place))
            .collect();
        let tests = (analysis.suite.tests())
            .map(|(test, nested)| {
                let classes = || nested.iter().chain([&test]).copied();
                let one = StaticTest {
                    place: places.get(&test).copied().unwrap_or(root).to_owned(),
                    reach: all(classes().map(|class| reach.hash(class))),
                    impact: classes().find_map(|class| analysis.impact(class)),
                };
                (plain(analysis.census.names.text(test)), one)
            })
            .collect();
        let by_name = by_name_only(&analysis.census, &analysis.firewall);
        Ok(StaticView {
            tests,
            unexplained,
            notices: analysis.notices.into_iter().chain(by_name).collect(),
        })
    }
}

impl Analysis {
    /// In words, if the class leads to a change.
    fn impact(&self, class: Name) -> Option<String> {
        let way = self.firewall.way(class)?;
        let text = |name: Name| plain(self.census.names.text(name));
        Some(match way.as_slice() {
            [] => format!("`{}` has changed", text(class)),
            [only] => format!("it leads to `{}`, which has changed", text(only.to)),
            [first, .., last] => {
                let (first, last) = (text(first.to), text(last.to));
                format!("it leads over `{first}` to `{last}`, which has changed")
            }
        })
    }
}

/// One hash of all, if all are known.
fn all(hashes: impl Iterator<Item = Option<[u8; 16]>>) -> Option<Hash128> {
    let hashes: Option<Vec<Hash128>> = hashes.map(|hash| hash.map(Hash128)).collect();
    let mut digest = Digest::new("jury unit reach 1");
    digest.unordered(hashes?);
    Some(digest.finish())
}
