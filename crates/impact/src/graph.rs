//! Who speaks of whom.

use std::collections::HashMap;

use crate::class_facts::ClassFacts;
use crate::names::{Name, Names};
use crate::web::{Edge, Web};

/// Why one class, or method, depends on another. The last four are between methods only.
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
    /// Code calls a method, or hands it on to be called.
    Calls,
    /// A call may end up in a method of a subtype.
    Overrides,
    /// Whoever uses a class sees what its static initialiser left behind.
    Initialises,
    /// An object that exists may be asked by code outside the project.
    Answers,
}

impl Link {
    pub fn word(self) -> &'static str {
        match self {
            Link::Inherits => "inherits",
            Link::Mentions => "mentions",
            Link::Names => "names",
            Link::Service => "service",
            Link::Injects => "injects",
            Link::Calls => "calls",
            Link::Overrides => "overrides",
            Link::Initialises => "initialises",
            Link::Answers => "answers",
        }
    }
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
    web: Web,
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
        let is_node = |name: Name| nodes[name.place()];
        let spoken_of =
            |class: &&ClassFacts| class.supertypes.len() + class.mentions.len() + class.texts.len();
        let mut edges = Vec::with_capacity(classes.iter().map(spoken_of).sum());
        // Whole lists of edges are sorted in no time if they come sorted, and a class has few.
        let mut in_order = classes.to_vec();
        in_order.sort_unstable_by_key(|class| class.name);
        for class in in_order {
            let from = class.name;
            let first = edges.len();
            for (targets, link) in [
                (&class.supertypes, Link::Inherits),
                (&class.mentions, Link::Mentions),
                (&class.texts, Link::Names),
            ] {
                let targets = targets.iter().copied();
                let targets = targets.filter(|to| *to != from && is_node(*to));
                edges.extend(targets.map(|to| Edge { from, to, link }));
            }
            edges[first..].sort_unstable();
        }
        let mut add = |from: Name, to: Name, link: Link| {
            if from != to && is_node(from) && is_node(to) {
                edges.push(Edge { from, to, link });
            }
        };
        for (service, provider) in services {
            add(*service, *provider, Link::Service);
        }
        inject(names, classes, &mut add);
        let web = Web::new(nodes.len(), edges);
        Graph { nodes, web }
    }

    pub fn contains(&self, name: Name) -> bool {
        self.nodes.get(name.place()).copied().unwrap_or(false)
    }

    pub fn web(&self) -> &Web {
        &self.web
    }

    /// In the order of their beginnings.
    pub fn edges(&self) -> &[Edge] {
        self.web.edges()
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
