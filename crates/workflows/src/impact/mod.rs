//! `jury impact`: what a change can reach, told from class files without running anything.

mod census;
mod places;
mod since;
mod snapshot;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use jury_impact::{
    Change, ChangedType, ClassFacts, Edge, Firewall, Graph, ImpactRun, ImpactedType, Name, Step,
    Suite,
};
use jury_model::Notice;

use self::census::{Census, Counted, Purpose};
use self::places::{libraries, own_places};
use crate::WorkflowError;

pub use self::since::Since;

/// What to compare.
#[derive(Debug)]
pub struct ImpactRequest<'a> {
    pub root: &'a Path,
    pub state_dir: &'a Path,
    pub since: Since<'a>,
    /// Directories and jars of class files; those of the project if there are none.
    pub classes: &'a [PathBuf],
    /// Whether the libraries of the test JVMs belong to the graph.
    pub with_libraries: bool,
    /// Whether all types and edges are wanted.
    pub with_graph: bool,
}

pub fn impact(request: &ImpactRequest<'_>) -> Result<ImpactRun, WorkflowError> {
    let clock = Instant::now();
    let places = if request.classes.is_empty() {
        own_places(request.root, request.state_dir)?
    } else {
        request.classes.to_vec()
    };
    let libraries = if request.with_libraries {
        libraries(request.state_dir)?
    } else {
        Vec::new()
    };
    let purpose = request.since.purpose(request.state_dir);
    let mut census = Census::take(request.state_dir, &places, &libraries, purpose);
    if census.own().next().is_none() {
        return Err(WorkflowError::NoClasses);
    }
    census.keep(request.state_dir);
    let read_micros = micros_since(clock);

    let clock = Instant::now();
    let mut notices = census.notices();
    let changes = since::changes(request, &census, &mut notices)?;
    let vanished: Vec<Name> = changes
        .iter()
        .filter(|(_, change)| **change == Change::Deleted)
        .map(|(name, _)| census.names.intern(name))
        .collect();
    let services = census.services();
    let facts: Vec<&ClassFacts> = census.all().map(|counted| counted.facts).collect();
    let graph = Graph::new(&census.names, &facts, &services, &vanished);
    let changed = changes.keys().filter_map(|name| census.names.find(name));
    let firewall = Firewall::around(changed, &graph);
    let own: Vec<&ClassFacts> = census.own().map(|counted| counted.facts).collect();
    let suite = Suite::of(&census.names, &own);

    let answer = Answer {
        root: request.root,
        census: &census,
        modules: census.own().map(|one| (one.facts.name, one)).collect(),
    };
    let mut run = ImpactRun {
        since: request.since.to_string(),
        changed: changes
            .iter()
            .map(|(name, change)| ChangedType {
                name: plain(name),
                module: answer.module(census.names.find(name)),
                change: *change,
            })
            .collect(),
        type_count: own.len(),
        edge_count: graph.edges().len(),
        test_count: suite.tests().count(),
        read_micros,
        ..ImpactRun::default()
    };
    let reached: BTreeSet<Name> = firewall.names().collect();
    run.impacted = own
        .iter()
        .filter(|class| reached.contains(&class.name))
        .filter_map(|class| answer.impacted(class.name, class.name, &firewall))
        .collect();
    run.tests = suite
        .tests()
        .filter_map(|(test, classes)| {
            let all = classes.iter().chain([&test]);
            let mut ways = all.filter(|class| firewall.contains(**class));
            answer.impacted(test, *ways.next()?, &firewall)
        })
        .collect();
    run.impacted.sort_by(|a, b| a.name.cmp(&b.name));
    notices.extend(by_name_only(&census, &reached));
    run.notices = notices;
    if request.with_graph {
        run.types = own
            .iter()
            .map(|class| plain(census.names.text(class.name)))
            .collect();
        run.types.sort();
        let text = |name: Name| plain(census.names.text(name));
        let edges = graph.edges().iter();
        run.edges = edges
            .map(|edge| (text(edge.from), text(edge.to), edge.link))
            .collect();
        run.edges.sort();
    }
    run.analysis_micros = micros_since(clock);
    Ok(run)
}

/// Remembers how the project's classes are now, for the next `--since last`.
pub fn note_classes(root: &Path, state_dir: &Path) -> Result<(), WorkflowError> {
    let places = own_places(root, state_dir)?;
    let census = Census::take(state_dir, &places, &[], Purpose::Comparison);
    census.keep(state_dir);
    snapshot::write(state_dir, &census.hashes())?;
    Ok(())
}

/// Turns names into what people read.
struct Answer<'a> {
    root: &'a Path,
    census: &'a Census,
    modules: BTreeMap<Name, Counted<'a>>,
}

impl Answer<'_> {
    fn module(&self, name: Option<Name>) -> String {
        name.and_then(|name| self.modules.get(&name))
            .map_or(String::new(), |one| {
                crate::mutate::module_of(self.root, one.place)
            })
    }

    fn impacted(&self, shown: Name, reached: Name, firewall: &Firewall) -> Option<ImpactedType> {
        let step = |edge: &Edge| Step {
            link: edge.link,
            to: plain(self.census.names.text(edge.to)),
        };
        Some(ImpactedType {
            name: plain(self.census.names.text(shown)),
            module: self.module(Some(shown)),
            way: firewall.way(reached)?.iter().map(step).collect(),
        })
    }
}

/// Classes that may reach a change by names nobody can see, unless they are affected anyway.
fn by_name_only(census: &Census, reached: &BTreeSet<Name>) -> Option<Notice> {
    let loading: Vec<String> = census
        .own()
        .filter(|one| one.facts.loads_by_name && !reached.contains(&one.facts.name))
        .map(|one| plain(census.names.text(one.facts.name)))
        .collect();
    let first = loading.first()?;
    (!reached.is_empty()).then(|| {
        let others = match loading.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        Notice::with_hint(
            format!("`{first}`{others} may load classes by computed names, which no graph shows"),
            "a test that reaches a change only so is missing here; `jury test` sees what is loaded",
        )
    })
}

fn plain(name: &str) -> String {
    name.replace('/', ".")
}

fn micros_since(clock: Instant) -> u64 {
    u64::try_from(clock.elapsed().as_micros()).unwrap_or(u64::MAX)
}
