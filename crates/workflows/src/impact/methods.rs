//! `jury impact --methods`: a second, closer look, with its own reading and its own cache, so that
//! what it costs shows and the first look stays fast.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use jury_impact::{
    Change, Difference, Edge, Firewall, ImpactedType, Meaning, MemberFacts, MethodGraph, MethodRun,
    Name, Node, Step,
};
use jury_model::Notice;

use super::census::{Census, Purpose};
use super::since::{Changed, Since};
use super::snapshot::{self, Parts, Snapshot};
use super::{Analysis, Answer, ImpactRequest, micros_since};

/// `changes` are those of classes. If these cannot be compared part by part, it says why.
pub(super) fn look_closer(
    request: &ImpactRequest<'_>,
    places: &[PathBuf],
    libraries: &[PathBuf],
    changes: BTreeMap<String, Change>,
) -> (MethodRun, Option<Notice>) {
    let clock = Instant::now();
    let census = Census::take(request.state_dir, places, libraries, Purpose::Methods);
    census.keep(request.state_dir);
    let before = before(request);
    let read_micros = micros_since(clock);

    let clock = Instant::now();
    let analysis = Analysis::of(census, Changed::from(changes));
    let census = &analysis.census;
    let classes: Vec<(_, Option<&MemberFacts>)> = (census.all())
        .map(|class| (class.facts, class.members.map(|members| &members.facts)))
        .collect();
    let graph = MethodGraph::new(&census.names, &classes, &analysis.graph, &analysis.suite);
    let mut origins: Vec<Node> = Vec::new();
    for (name, difference) in differences(&analysis, before.as_ref()) {
        origins.extend(graph.changed(name, &difference));
    }
    let closer = Closer {
        answer: Answer::of(request.root, census),
        firewall: Firewall::around(origins.iter().copied(), graph.web()),
        open: Firewall::around(graph.open(), graph.web()),
        graph: &graph,
        analysis: &analysis,
    };
    let mut run = MethodRun {
        method_count: graph.method_count(),
        edge_count: graph.web().edges().len(),
        read_micros,
        ..MethodRun::default()
    };
    let changed = origins.iter().map(|node| graph.meaning(*node));
    let shown =
        changed.filter(|meaning| !matches!(meaning, Meaning::Whole(_) | Meaning::Object(_)));
    run.changed = shown.map(|meaning| meaning.label(&census.names)).collect();
    run.changed.sort();
    run.impacted = closer
        .firewall
        .names()
        .filter_map(|node| closer.method(node))
        .collect();
    run.impacted.sort_by(|a, b| a.name.cmp(&b.name));
    for (test, classes) in analysis.suite.tests() {
        if let Some(impacted) = closer.test(test, classes) {
            run.tests.push(impacted);
        } else if let Some(impacted) = closer.test_by_class(test, classes) {
            run.tests.push(impacted);
            run.by_class += 1;
        }
    }
    if request.with_graph {
        let label = |node: Node| graph.meaning(node).label(&census.names);
        let edges = graph.web().edges().iter();
        run.edges = edges
            .map(|edge| (label(edge.from), label(edge.to), edge.link))
            .filter(|(from, to, _)| from != to)
            .collect();
        run.edges.sort();
    }
    run.analysis_micros = micros_since(clock);
    let notice = (before.is_none() && !analysis.changes.is_empty()).then(|| as_a_whole(request));
    (run, notice.flatten())
}

/// The classes of the other time, part by part; none if that is not known.
fn before(request: &ImpactRequest<'_>) -> Option<Parts> {
    let state_dir = request.state_dir;
    match request.since {
        Since::Classes(places) => {
            let census = Census::take(state_dir, places, &[], Purpose::Methods);
            Some(census.parts(|_| true))
        }
        Since::LastRun => Snapshot::read(state_dir)?.parts(state_dir),
        // Only sources are known of it.
        Since::Revision(_) => None,
    }
}

/// None if it was said already that nothing is known of the other time.
fn as_a_whole(request: &ImpactRequest<'_>) -> Option<Notice> {
    let hint = match request.since {
        Since::LastRun if !snapshot::exists(request.state_dir) => return None,
        Since::LastRun => "from now on `jury test` remembers methods, too",
        Since::Revision(_) | Since::Classes(_) => "`--since` takes class files, too",
    };
    Some(Notice::with_hint(
        "all methods of a changed type count as changed, as it is not known how they were",
        hint,
    ))
}

/// What differs in each class that is not the same.
fn differences(analysis: &Analysis, before: Option<&Parts>) -> Vec<(Name, Difference)> {
    let changes = &analysis.changes;
    let now = analysis.census.parts(|name| changes.contains_key(name));
    changes
        .keys()
        .filter_map(|name| {
            let old = before.and_then(|before| before.get(name));
            let difference = match (old.map(Vec::as_slice), now.get(name).map(Vec::as_slice)) {
                (Some([old]), Some([new])) => Difference::between(old, new),
                // New, gone, opaque, or there more than once.
                _ => Difference::Whole,
            };
            Some((analysis.census.names.find(name)?, difference))
        })
        .collect()
}

struct Closer<'a> {
    graph: &'a MethodGraph,
    analysis: &'a Analysis,
    /// Around what changed.
    firewall: Firewall<Node>,
    /// Around code that may call any method of what it gets.
    open: Firewall<Node>,
    answer: Answer<'a>,
}

impl Closer<'_> {
    fn method(&self, node: Node) -> Option<ImpactedType> {
        let meaning @ Meaning::Method(class, _) = self.graph.meaning(node) else {
            return None;
        };
        Some(ImpactedType {
            name: meaning.label(&self.analysis.census.names),
            module: self.answer.module(Some(class)),
            way: self.steps(node)?,
        })
    }

    fn test(&self, test: Name, classes: &[Name]) -> Option<ImpactedType> {
        // Nothing is further off by methods than by classes.
        self.by_class(test, classes)?;
        let reached = self
            .nodes(test, classes)
            .find_map(|node| self.steps(node))?;
        Some(ImpactedType {
            name: self.answer.name(test),
            module: self.answer.module(Some(test)),
            way: reached,
        })
    }

    fn test_by_class(&self, test: Name, classes: &[Name]) -> Option<ImpactedType> {
        let mut nodes = self.nodes(test, classes);
        let is_open = nodes.any(|node| self.open.contains(node));
        let reached = self.by_class(test, classes).filter(|_| is_open)?;
        self.answer.impacted(test, reached, &self.analysis.firewall)
    }

    /// The class over which the graph of classes leads to a change.
    fn by_class(&self, test: Name, classes: &[Name]) -> Option<Name> {
        let mut all = classes.iter().chain([&test]);
        all.find(|class| self.analysis.firewall.contains(**class))
            .copied()
    }

    fn nodes(&self, test: Name, classes: &[Name]) -> impl Iterator<Item = Node> {
        let all = classes.iter().copied().chain([test]);
        all.filter_map(|class| self.graph.node(Meaning::Whole(class)))
    }

    /// The way to a change; what reads the same is one step.
    fn steps(&self, from: Node) -> Option<Vec<Step>> {
        let label = |node: Node| self.graph.meaning(node).label(&self.analysis.census.names);
        let mut here = label(from);
        let step = |edge: &Edge<Node>| {
            let to = label(edge.to);
            let is_new = to != here;
            here.clone_from(&to);
            is_new.then_some(Step {
                link: edge.link,
                to,
            })
        };
        Some(self.firewall.way(from)?.iter().filter_map(step).collect())
    }
}
