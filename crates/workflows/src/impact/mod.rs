//! `jury impact`: what a change can reach, told from class files without running anything.

mod census;
mod inlined;
mod methods;
mod places;
mod since;
mod snapshot;
mod statics;
mod test_classes;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Instant;

use jury_impact::{
    ByName, Change, ChangedType, ClassFacts, Edge, Firewall, Graph, ImpactRun, ImpactedType, Name,
    Step, Suite,
};
use jury_model::Notice;

use self::census::{Census, Purpose};
use self::places::{libraries, own_places};
use self::since::Changed;
use self::snapshot::Snapshot;
use crate::WorkflowError;

pub(crate) use self::places::output_places;
pub use self::since::Since;
pub(crate) use self::since::is_source;
pub(crate) use self::statics::StaticView;
pub(crate) use self::test_classes::{TestClass, test_classes};

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
    /// Whether to look at methods too.
    pub by_methods: bool,
}

pub fn impact(request: &ImpactRequest<'_>) -> Result<ImpactRun, WorkflowError> {
    let clock = Instant::now();
    let places = if request.classes.is_empty() {
        own_places(request.root, request.state_dir)?
    } else {
        request.classes.to_vec()
    };
    let libraries = if request.with_libraries {
        libraries(request.root, request.state_dir)?
    } else {
        Vec::new()
    };
    let purpose = request.since.purpose(request.state_dir);
    let census = Census::take(request.state_dir, &places, &libraries, purpose);
    if census.own().next().is_none() {
        return Err(WorkflowError::NoClasses);
    }
    census.keep(request.state_dir);
    let read_micros = micros_since(clock);

    let clock = Instant::now();
    let changed = since::changes(request, &census)?;
    let Analysis {
        census,
        changes,
        origins,
        graph,
        firewall,
        suite,
        mut notices,
    } = Analysis::of(census, changed);
    let own: Vec<&ClassFacts> = census.own().map(|counted| counted.facts).collect();

    let answer = Answer::of(request.root, &census);
    let mut run = ImpactRun {
        since: request.since.to_string(),
        changed: changes
            .iter()
            .zip(&origins)
            .map(|((name, change), origin)| ChangedType {
                name: plain(name),
                module: answer.module(*origin),
                change: *change,
            })
            .collect(),
        type_count: own.len(),
        edge_count: graph.edges().len(),
        test_count: suite.tests().count(),
        read_micros,
        ..ImpactRun::default()
    };
    run.impacted = own
        .iter()
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
    notices.extend(by_name_only(&census, &firewall));
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
    if request.by_methods {
        let (methods, notice) = methods::look_closer(request, &places, &libraries, changes);
        run.methods = Some(methods);
        run.notices.extend(notice);
    }
    Ok(run)
}

/// Remembers how the project's classes are now, for the next `--since last`.
pub fn note_classes(root: &Path, state_dir: &Path) -> Result<(), WorkflowError> {
    let places = own_places(root, state_dir)?;
    let census = Census::take(state_dir, &places, &[], Purpose::Comparison);
    census.keep(state_dir);
    let snapshot = Snapshot::write(state_dir, &census.hashes())?;
    // Reading methods takes long, so it is done only where somebody has asked for them.
    if Census::was_taken(state_dir, Purpose::Methods) {
        let census = Census::take(state_dir, &places, &[], Purpose::Methods);
        census.keep(state_dir);
        snapshot.write_parts(state_dir, census.parts(|_| true))?;
    }
    Ok(())
}

/// A project's classes, what changed among them, and all that leads there.
struct Analysis {
    census: Census,
    changes: BTreeMap<String, Change>,
    /// The changed types by name, as far as anybody speaks of them.
    origins: Vec<Option<Name>>,
    graph: Graph,
    firewall: Firewall,
    suite: Suite,
    notices: Vec<Notice>,
}

impl Analysis {
    fn of(mut census: Census, changed: Changed) -> Self {
        let changes = changed.types;
        let vanished: Vec<Name> = changes
            .iter()
            .filter(|(_, change)| **change == Change::Deleted)
            .map(|(name, _)| census.names.intern(name))
            .collect();
        let services = census.services();
        let facts: Vec<&ClassFacts> = census.all().map(|counted| counted.facts).collect();
        let graph = Graph::new(&census.names, &facts, &services, &vanished);
        let origins = changes.keys().map(|name| census.names.find(name));
        let origins: Vec<Option<Name>> = origins.collect();
        let firewall = Firewall::around(origins.iter().copied().flatten(), graph.web());
        let own: Vec<&ClassFacts> = census.own().map(|counted| counted.facts).collect();
        let suite = Suite::of(&census.names, &own);
        let notices = [census.notices(), changed.notices].concat();
        Analysis {
            census,
            changes,
            origins,
            graph,
            firewall,
            suite,
            notices,
        }
    }
}

/// Turns names into what people read.
struct Answer<'a> {
    root: &'a Path,
    census: &'a Census,
    places: ByName<&'a Path>,
    /// Of each place, once it was asked for.
    modules: RefCell<HashMap<&'a Path, String>>,
}

impl<'a> Answer<'a> {
    fn of(root: &'a Path, census: &'a Census) -> Self {
        let mut places = ByName::new(&census.names);
        for one in census.own() {
            places.insert(one.facts.name, one.place);
        }
        Answer {
            root,
            census,
            places,
            modules: RefCell::default(),
        }
    }

    fn name(&self, name: Name) -> String {
        plain(self.census.names.text(name))
    }

    fn module(&self, name: Option<Name>) -> String {
        let Some(place) = name.and_then(|name| self.places.get(name)) else {
            return String::new();
        };
        let mut modules = self.modules.borrow_mut();
        let module = modules.entry(place);
        module
            .or_insert_with(|| crate::mutate::module_of(self.root, place))
            .clone()
    }

    fn impacted(&self, shown: Name, reached: Name, firewall: &Firewall) -> Option<ImpactedType> {
        let step = |edge: &Edge| Step {
            link: edge.link,
            to: self.name(edge.to),
        };
        Some(ImpactedType {
            name: self.name(shown),
            module: self.module(Some(shown)),
            way: firewall.way(reached)?.iter().map(step).collect(),
        })
    }
}

/// Classes that may reach a change by names nobody can see, unless they are affected anyway.
fn by_name_only(census: &Census, firewall: &Firewall) -> Option<Notice> {
    if firewall.is_empty() {
        return None;
    }
    let loading: Vec<String> = census
        .own()
        .filter(|one| one.facts.loads_by_name && !firewall.contains(one.facts.name))
        .map(|one| plain(census.names.text(one.facts.name)))
        .collect();
    let first = loading.first()?;
    let others = match loading.len() {
        1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    Some(Notice::with_hint(
        format!("`{first}`{others} may load classes by computed names, which no graph shows"),
        "a test that reaches a change only so is missing here; `jury test` sees what is loaded",
    ))
}

fn plain(name: &str) -> String {
    name.replace('/', ".")
}

fn micros_since(clock: Instant) -> u64 {
    u64::try_from(clock.elapsed().as_micros()).unwrap_or(u64::MAX)
}
