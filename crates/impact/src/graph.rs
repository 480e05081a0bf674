//! Who speaks of whom.

use std::collections::HashMap;

use crate::class_facts::ClassFacts;
use crate::names::{Name, Names};

/// Why one class depends on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    Inherits,
    Mentions,
    /// A text is the other's name; reflection may use it.
    Names,
    /// The other is listed as a provider of a service.
    Service,
    /// A container may inject the other.
    Injects,
}

impl Link {
    pub fn word(self) -> &'static str {
        match self {
            Link::Inherits => "inherits",
            Link::Mentions => "mentions",
            Link::Names => "names",
            Link::Service => "service",
            Link::Injects => "injects",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub from: Name,
    pub to: Name,
    pub link: Link,
}

/// Annotations of test classes that start a container with all components of the application.
const STARTS_CONTAINER: [&str; 8] = [
    "org/springframework/boot/test/context/SpringBootTest",
    "org/springframework/test/context/ContextConfiguration",
    "org/springframework/test/context/junit/jupiter/SpringJUnitConfig",
    "org/springframework/test/context/junit/jupiter/web/SpringJUnitWebConfig",
    "io/quarkus/test/junit/QuarkusTest",
    "io/micronaut/test/extensions/junit5/annotation/MicronautTest",
    "org/jboss/weld/junit5/EnableWeld",
    "org/jboss/weld/junit5/auto/EnableAutoWeld",
];

/// Annotations by which a class offers itself to a container.
const COMPONENT: [&str; 16] = [
    "org/springframework/stereotype/Component",
    "org/springframework/stereotype/Service",
    "org/springframework/stereotype/Repository",
    "org/springframework/stereotype/Controller",
    "org/springframework/web/bind/annotation/RestController",
    "org/springframework/web/bind/annotation/ControllerAdvice",
    "org/springframework/context/annotation/Configuration",
    "org/springframework/boot/autoconfigure/SpringBootApplication",
    "javax/inject/Named",
    "jakarta/inject/Named",
    "javax/inject/Singleton",
    "jakarta/inject/Singleton",
    "jakarta/enterprise/context/ApplicationScoped",
    "javax/enterprise/context/ApplicationScoped",
    "jakarta/enterprise/context/RequestScoped",
    "javax/enterprise/context/RequestScoped",
];

/// The classes of a project and what leads from each to others of them.
#[derive(Debug)]
pub struct Graph {
    /// Which names are classes of the project.
    nodes: Vec<bool>,
    edges: Vec<Edge>,
    /// Indices of edges, in the order of their ends.
    backward: Vec<u32>,
    /// Where the edges that end at a name begin in `backward`.
    starts: Vec<u32>,
}

impl Graph {
    /// `services` are pairs of a service and a provider. `vanished` are classes that were there
    /// before: whoever still speaks of them has an edge to them.
    pub fn new(
        names: &Names,
        classes: &[&ClassFacts],
        services: &[(Name, Name)],
        vanished: &[Name],
    ) -> Self {
        let mut nodes = vec![false; names.len()];
        let all = classes.iter().map(|class| class.name);
        for name in all.chain(vanished.iter().copied()) {
            nodes[name.place()] = true;
        }
        let mut edges = Vec::new();
        let mut add = |from: Name, to: Name, link: Link| {
            if from != to && nodes[from.place()] && nodes[to.place()] {
                edges.push(Edge { from, to, link });
            }
        };
        for class in classes {
            for (targets, link) in [
                (&class.supertypes, Link::Inherits),
                (&class.mentions, Link::Mentions),
                (&class.texts, Link::Names),
            ] {
                targets.iter().for_each(|to| add(class.name, *to, link));
            }
        }
        for (service, provider) in services {
            add(*service, *provider, Link::Service);
        }
        inject(names, classes, &mut add);
        // Of several reasons the first in this order is the plainest.
        edges.sort_unstable();
        edges.dedup_by_key(|edge| (edge.from, edge.to));
        // Sorted by counting: how many edges end at each name says where those of the next begin.
        let mut starts = vec![0_u32; nodes.len() + 1];
        for edge in &edges {
            starts[edge.to.place() + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let mut free = starts.clone();
        let mut backward = vec![0_u32; edges.len()];
        for (number, edge) in (0..).zip(&edges) {
            let place = &mut free[edge.to.place()];
            backward[*place as usize] = number;
            *place += 1;
        }
        Graph {
            nodes,
            edges,
            backward,
            starts,
        }
    }

    pub fn contains(&self, name: Name) -> bool {
        self.nodes.get(name.place()).copied().unwrap_or(false)
    }

    /// In the order of their beginnings.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Edges that end at a class.
    pub fn dependents(&self, of: Name) -> impl Iterator<Item = Edge> + '_ {
        let range = self.starts.get(of.place()..=of.place() + 1);
        let range = range.map_or(0..0, |ends| ends[0] as usize..ends[1] as usize);
        self.backward[range]
            .iter()
            .map(|edge| self.edges[*edge as usize])
    }
}

/// Containers put objects together without anybody naming their classes: whoever has a field of a
/// type injected may get any subtype of it, and a test that starts a container starts all
/// components.
fn inject(names: &Names, classes: &[&ClassFacts], add: &mut impl FnMut(Name, Name, Link)) {
    let known =
        |list: &[&str]| -> Vec<Name> { list.iter().filter_map(|name| names.find(name)).collect() };
    let (starts, component) = (known(&STARTS_CONTAINER), known(&COMPONENT));
    let has = |class: &ClassFacts, list: &[Name]| {
        class.annotations.iter().any(|name| list.contains(name))
    };
    let components: Vec<Name> = classes
        .iter()
        .filter(|class| has(class, &component))
        .map(|class| class.name)
        .collect();
    if classes.iter().any(|class| !class.injected.is_empty()) {
        let mut subtypes: HashMap<Name, Vec<Name>> = HashMap::new();
        for class in classes {
            for supertype in &class.supertypes {
                subtypes.entry(*supertype).or_default().push(class.name);
            }
        }
        for class in classes {
            let mut pending = class.injected.clone();
            let mut seen = pending.clone();
            while let Some(wanted) = pending.pop() {
                for subtype in subtypes.get(&wanted).into_iter().flatten() {
                    add(class.name, *subtype, Link::Injects);
                    if !seen.contains(subtype) {
                        seen.push(*subtype);
                        pending.push(*subtype);
                    }
                }
            }
        }
    }
    for class in classes.iter().filter(|class| has(class, &starts)) {
        for component in &components {
            add(class.name, *component, Link::Injects);
        }
    }
}
