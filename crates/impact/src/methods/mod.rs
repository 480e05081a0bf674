//! Who leads to whom among methods.
//!
//! Each class stands for four nodes besides its methods: its *declaration*, which everybody sees who
//! names it; its *state*, which its static initialiser has made; an *object* of it; and the *whole*,
//! for whoever gets hold of the class itself. The rules:
//!
//! | from | to |
//! |---|---|
//! | a method | what it calls, the state of classes whose fields it uses, the whole of those it has as values, the declarations of all that it names; its own class's declaration and state |
//! | a call by object | the method itself, and what each subtype has in its place |
//! | a constructor | an object of the class |
//! | an object | its methods that code outside the project may call |
//! | the state | the static initialiser, and the state of supertypes |
//! | a declaration | declarations of supertypes, annotations, and all that no code shows: names in texts, services, injection |
//! | the whole | everything of the class, the whole of supertypes and of classes within it; of a test, also of the types of its parameters, which frameworks make up |
//!
//! So every method that can run is reached, under the same assumptions as in the graph of classes, but
//! for reflection: an object's method may be called by whoever looks at members of classes that only
//! the run can tell. Nodes that do, and those that hand on to a library of which it is not known, are
//! *open*, and whoever leads there has to be judged class by class.

mod facts;
mod label;
mod outside;
mod parts;

use std::collections::{BTreeMap, HashMap, HashSet};

use foldhash::fast::FixedState;
use jury_classfile::{JavaStr, class_names_in};

use self::outside::{Asked, is_plain};
use crate::class_facts::ClassFacts;
use crate::graph::{Graph, Link};
use crate::names::{Name, Names};
use crate::suite::Suite;
use crate::web::{Edge, Place, Web};

pub use self::facts::{Call, MemberFacts, MethodFacts, Role};
pub use self::parts::{ClassParts, Difference, MethodVersion};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);

impl Place for Node {
    fn at(place: usize) -> Self {
        Node(place as u32)
    }

    fn place(self) -> usize {
        self.0 as usize
    }
}

/// What a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Meaning {
    Declaration(Name),
    State(Name),
    Object(Name),
    Whole(Name),
    Method(Name, Name),
    /// A call by object.
    Call(Name, Name),
}

type Map<K, V> = HashMap<K, V, FixedState>;

#[derive(Debug)]
pub struct MethodGraph {
    meanings: Vec<Meaning>,
    nodes: Map<Meaning, Node>,
    /// By class.
    methods: Map<Name, Vec<Name>>,
    open: Vec<Node>,
    web: Web<Node>,
}

impl MethodGraph {
    /// `classes` are those of `graph`; without facts of its members, a class is one whole.
    pub fn new(
        names: &Names,
        classes: &[(&ClassFacts, Option<&MemberFacts>)],
        graph: &Graph,
        suite: &Suite,
    ) -> Self {
        let mut builder = Builder::new(names, classes, graph);
        for (class, members) in classes {
            builder.class(class, *members);
        }
        builder.hidden_links();
        builder.nested_classes();
        let tests = suite.tests().flat_map(|(_, classes)| classes);
        tests.for_each(|test| builder.arguments(*test));
        while let Some(call) = builder.pending.pop() {
            builder.dispatch(call);
        }
        builder.finish()
    }

    pub fn web(&self) -> &Web<Node> {
        &self.web
    }

    pub fn meaning(&self, node: Node) -> Meaning {
        self.meanings[node.place()]
    }

    /// None for what is not in the graph.
    pub fn node(&self, meaning: Meaning) -> Option<Node> {
        self.nodes.get(&meaning).copied()
    }

    pub fn method_count(&self) -> usize {
        self.methods.values().map(Vec::len).sum()
    }

    /// Nodes from which anything within reach of the class graph may be called.
    pub fn open(&self) -> impl Iterator<Item = Node> + '_ {
        self.open.iter().copied()
    }

    /// Where a change begins.
    pub fn changed(&self, class: Name, difference: &Difference) -> Vec<Node> {
        let mut changed = vec![Meaning::Whole(class)];
        match difference {
            Difference::Whole => {
                let all = [Meaning::Declaration, Meaning::State, Meaning::Object];
                changed.extend(all.map(|meaning| meaning(class)));
                let methods = self.methods.get(&class).into_iter().flatten();
                changed.extend(methods.map(|method| Meaning::Method(class, *method)));
            }
            Difference::Parts {
                declaration,
                initialiser,
                methods,
            } => {
                changed.extend(declaration.then_some(Meaning::Declaration(class)));
                changed.extend(initialiser.then_some(Meaning::State(class)));
                changed.extend(methods.iter().map(|method| Meaning::Method(class, *method)));
            }
        }
        let nodes = changed.into_iter();
        nodes.filter_map(|meaning| self.node(meaning)).collect()
    }
}

struct Builder<'a> {
    names: &'a Names,
    graph: &'a Graph,
    supertypes: Map<Name, Vec<Name>>,
    superclasses: Map<Name, Vec<Name>>,
    jdk_supertypes: Map<Name, Vec<Name>>,
    /// Classes of whose members nothing is known.
    opaque: HashSet<Name, FixedState>,
    subtypes: Map<Name, Vec<Name>>,
    roles: Map<(Name, Name), Role>,
    methods: Map<Name, Vec<Name>>,
    meanings: Vec<Meaning>,
    nodes: Map<Meaning, Node>,
    edges: Vec<Edge<Node>>,
    open: Vec<Node>,
    /// Calls whose targets have not been looked for.
    pending: Vec<(Name, Name)>,
}

impl<'a> Builder<'a> {
    fn new(
        names: &'a Names,
        classes: &[(&'a ClassFacts, Option<&'a MemberFacts>)],
        graph: &'a Graph,
    ) -> Self {
        let mut builder = Builder {
            names,
            graph,
            supertypes: Map::default(),
            superclasses: Map::default(),
            jdk_supertypes: Map::default(),
            opaque: HashSet::default(),
            subtypes: Map::default(),
            roles: Map::default(),
            methods: Map::default(),
            meanings: Vec::new(),
            nodes: Map::default(),
            edges: Vec::new(),
            open: Vec::new(),
            pending: Vec::new(),
        };
        // Modules may have classes of one name: they count as one that says what both say.
        for (class, members) in classes {
            let known = builder.supertypes.entry(class.name).or_default();
            known.extend(&class.supertypes);
            for supertype in &class.supertypes {
                let subtypes = builder.subtypes.entry(*supertype).or_default();
                subtypes.push(class.name);
            }
            let Some(members) = members else {
                builder.opaque.insert(class.name);
                continue;
            };
            let known = builder.superclasses.entry(class.name).or_default();
            known.extend(members.superclass);
            let known = builder.jdk_supertypes.entry(class.name).or_default();
            known.extend(&members.jdk_supertypes);
            for method in &members.methods {
                let key = (class.name, method.signature);
                if builder.roles.insert(key, method.role).is_none() {
                    let methods = builder.methods.entry(class.name).or_default();
                    methods.push(method.signature);
                }
            }
        }
        builder
    }

    fn node(&mut self, meaning: Meaning) -> Node {
        let meanings = &mut self.meanings;
        *self.nodes.entry(meaning).or_insert_with(|| {
            meanings.push(meaning);
            Node::at(meanings.len() - 1)
        })
    }

    /// Classes that are not in the graph have no nodes.
    fn add(&mut self, from: Node, to: Meaning, link: Link) {
        let (Meaning::Declaration(class)
        | Meaning::State(class)
        | Meaning::Object(class)
        | Meaning::Whole(class)
        | Meaning::Method(class, _)
        | Meaning::Call(class, _)) = to;
        if self.graph.contains(class) {
            let to = self.node(to);
            if from != to {
                self.edges.push(Edge { from, to, link });
            }
        }
    }

    fn class(&mut self, class: &ClassFacts, members: Option<&MemberFacts>) {
        let name = class.name;
        let declaration = self.node(Meaning::Declaration(name));
        let state = self.node(Meaning::State(name));
        let object = self.node(Meaning::Object(name));
        let whole = self.node(Meaning::Whole(name));
        for supertype in &class.supertypes {
            self.add(
                declaration,
                Meaning::Declaration(*supertype),
                Link::Inherits,
            );
            self.add(state, Meaning::State(*supertype), Link::Inherits);
            self.add(whole, Meaning::Whole(*supertype), Link::Inherits);
        }
        for part in [Meaning::State(name), Meaning::Object(name)] {
            self.add(whole, part, Link::Mentions);
        }
        for node in [state, object, whole] {
            self.add(node, Meaning::Declaration(name), Link::Mentions);
        }
        // Whoever has the class may go on to whatever its members are declared with.
        for mentioned in &class.mentions {
            self.add(whole, Meaning::Declaration(*mentioned), Link::Mentions);
        }
        let Some(members) = members else {
            for mentioned in class.mentions.iter().chain(&class.supertypes) {
                self.add(declaration, Meaning::Whole(*mentioned), Link::Mentions);
            }
            self.open.push(declaration);
            return;
        };
        for annotation in &members.annotations {
            self.add(declaration, Meaning::Whole(*annotation), Link::Mentions);
            self.hand_to(declaration, *annotation);
        }
        for method in self.answers(name) {
            self.add(object, method, Link::Answers);
        }
        for method in &members.methods {
            let own = Meaning::Method(name, method.signature);
            self.add(whole, own, Link::Calls);
            if method.role == Role::StaticInitialiser {
                self.add(state, own, Link::Initialises);
            }
            let node = self.node(own);
            self.add(node, Meaning::Declaration(name), Link::Mentions);
            self.add(node, Meaning::State(name), Link::Initialises);
            if method.role == Role::Constructor {
                self.add(node, Meaning::Object(name), Link::Mentions);
            }
            self.code(node, method);
        }
    }

    fn code(&mut self, node: Node, method: &MethodFacts) {
        for mentioned in &method.mentions {
            self.add(node, Meaning::Declaration(*mentioned), Link::Mentions);
        }
        for state in &method.states {
            self.add(node, Meaning::Declaration(*state), Link::Mentions);
            self.add(node, Meaning::State(*state), Link::Initialises);
        }
        for literal in &method.literals {
            self.add(node, Meaning::Whole(*literal), Link::Mentions);
        }
        for made in &method.made {
            self.add(node, Meaning::Object(*made), Link::Mentions);
        }
        if method.looks_at_members {
            self.open.push(node);
        }
        for call in &method.calls {
            self.call(node, call);
        }
    }

    fn call(&mut self, node: Node, call: &Call) {
        let Call {
            owner,
            signature,
            is_virtual,
        } = *call;
        if !self.graph.contains(owner) {
            self.hand_to(node, owner);
            return;
        }
        self.add(node, Meaning::Declaration(owner), Link::Mentions);
        if is_virtual {
            if !self.nodes.contains_key(&Meaning::Call(owner, signature)) {
                self.pending.push((owner, signature));
            }
            self.add(node, Meaning::Call(owner, signature), Link::Calls);
        } else {
            // A static method initialises the class it is called through.
            self.add(node, Meaning::State(owner), Link::Initialises);
            self.resolve(node, owner, signature);
        }
    }

    /// Leads to the method that a name stands for in a class. One that no class in the project has
    /// is inherited from outside.
    fn resolve(&mut self, node: Node, owner: Name, signature: Name) {
        let found = self.find(owner, signature, |_| true);
        if found.is_empty() {
            for supertype in self.ancestry(owner) {
                self.hand_to(node, supertype);
                if self.opaque.contains(&supertype) {
                    self.add(node, Meaning::Whole(supertype), Link::Calls);
                }
            }
        }
        for method in found {
            self.add(node, method, Link::Calls);
        }
    }

    /// Leads from a call by object to all methods that may run.
    fn dispatch(&mut self, (owner, signature): (Name, Name)) {
        let call = self.node(Meaning::Call(owner, signature));
        self.resolve(call, owner, signature);
        let mut seen: HashSet<Name, FixedState> = HashSet::default();
        let mut pending = vec![owner];
        while let Some(class) = pending.pop() {
            for subtype in self.subtypes.get(&class).into_iter().flatten() {
                if seen.insert(*subtype) {
                    pending.push(*subtype);
                }
            }
        }
        let mut subtypes: Vec<Name> = seen.into_iter().collect();
        subtypes.sort_unstable();
        for subtype in subtypes {
            for method in self.find(subtype, signature, |role| role == Role::Virtual) {
                self.add(call, method, Link::Overrides);
            }
        }
    }

    /// The method of that name in a class or its superclasses; if they have none, all of that name
    /// in interfaces.
    fn find(&self, class: Name, signature: Name, suits: fn(Role) -> bool) -> Vec<Meaning> {
        let declares = |class: Name| {
            let role = self.roles.get(&(class, signature)).copied();
            role.is_some_and(suits)
        };
        let mut found = Vec::new();
        let (mut chain, mut next) = (vec![class], 0);
        while let Some(own) = chain.get(next).copied() {
            next += 1;
            if declares(own) {
                found.push(Meaning::Method(own, signature));
                continue;
            }
            for superclass in self.superclasses.get(&own).into_iter().flatten() {
                // A circle of superclasses comes from hostile files only.
                if !chain.contains(superclass) {
                    chain.push(*superclass);
                }
            }
        }
        if found.is_empty() {
            let inherited = self.ancestry(class).into_iter();
            let inherited = inherited.filter(|own| declares(*own));
            found.extend(inherited.map(|own| Meaning::Method(own, signature)));
        }
        found
    }

    /// A class and all its supertypes, inside the project and out.
    fn ancestry(&self, class: Name) -> Vec<Name> {
        let mut all = vec![class];
        let mut next = 0;
        while let Some(own) = all.get(next) {
            for supertype in self.supertypes.get(own).into_iter().flatten() {
                if !all.contains(supertype) {
                    all.push(*supertype);
                }
            }
            next += 1;
        }
        all
    }

    /// Methods of an object that code outside the project may call.
    fn answers(&self, class: Name) -> Vec<Meaning> {
        let ancestry = self.ancestry(class);
        let outside = ancestry.iter().filter(|one| !self.graph.contains(**one));
        let jdk = ancestry
            .iter()
            .filter_map(|own| self.jdk_supertypes.get(own))
            .flatten();
        let asked = Asked::of(outside.chain(jdk).map(|name| self.names.text(*name)));
        let mut signatures = Vec::new();
        for own in &ancestry {
            let methods = self.methods.get(own).into_iter().flatten();
            signatures.extend(methods.filter(|method| {
                let is_virtual = self.roles.get(&(*own, **method)) == Some(&Role::Virtual);
                is_virtual && asked.contains(self.names.text(**method))
            }));
        }
        signatures.sort_unstable();
        signatures.dedup();
        let is_virtual = |role| role == Role::Virtual;
        let methods = signatures.into_iter();
        methods
            .flat_map(|signature| self.find(class, signature, is_virtual))
            .collect()
    }

    /// Code of a class outside the graph gets to see objects of the project.
    fn hand_to(&mut self, node: Node, class: Name) {
        if !self.graph.contains(class) && !is_plain(self.names.text(class)) {
            self.open.push(node);
        }
    }

    /// What no code shows is as between classes.
    fn hidden_links(&mut self) {
        let graph = self.graph;
        for edge in graph.edges() {
            if matches!(edge.link, Link::Names | Link::Service | Link::Injects) {
                let declaration = self.node(Meaning::Declaration(edge.from));
                self.add(declaration, Meaning::Whole(edge.to), edge.link);
            }
        }
    }

    /// Whoever has a class may ask it for those declared in it.
    fn nested_classes(&mut self) {
        let nested: BTreeMap<Name, Name> = (self.supertypes.keys())
            .filter_map(|class| {
                let (outer, _) = self.names.text(*class).rsplit_once('$')?;
                Some((*class, self.names.find(outer)?))
            })
            .collect();
        for (class, outer) in nested {
            if self.graph.contains(outer) {
                let whole = self.node(Meaning::Whole(outer));
                self.add(whole, Meaning::Whole(class), Link::Mentions);
            }
        }
    }

    /// Frameworks make up what the methods of a test take.
    fn arguments(&mut self, test: Name) {
        let whole = self.node(Meaning::Whole(test));
        for class in self.ancestry(test) {
            for method in self.methods.get(&class).cloned().unwrap_or_default() {
                let text = self.names.text(method);
                let descriptor = &text[text.find('(').unwrap_or(text.len())..];
                let types = class_names_in(JavaStr::new(descriptor.as_bytes()));
                let types: Vec<Name> = types
                    .filter_map(|name| self.names.find(&name.to_str()))
                    .collect();
                for class in types {
                    self.add(whole, Meaning::Whole(class), Link::Mentions);
                }
            }
        }
    }

    fn finish(mut self) -> MethodGraph {
        self.open.sort_unstable();
        self.open.dedup();
        MethodGraph {
            web: Web::new(self.meanings.len(), self.edges),
            meanings: self.meanings,
            nodes: self.nodes,
            methods: self.methods,
            open: self.open,
        }
    }
}
