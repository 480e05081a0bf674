//! The answer of an impact analysis, in names for people.

use jury_model::Notice;

use crate::changes::Change;
use crate::graph::Link;

#[derive(Debug, Clone, Default)]
pub struct ImpactRun {
    /// What the present was compared with.
    pub since: String,
    /// In order of their names, as all lists here.
    pub changed: Vec<ChangedType>,
    /// Changed types and all that lead to them.
    pub impacted: Vec<ImpactedType>,
    /// Test classes among those, or whose nested classes are.
    pub tests: Vec<ImpactedType>,
    /// All types and their edges, as (from, to, why); empty unless the graph was asked for.
    pub types: Vec<String>,
    pub edges: Vec<(String, String, Link)>,
    pub type_count: usize,
    pub edge_count: usize,
    pub test_count: usize,
    pub notices: Vec<Notice>,
    pub read_micros: u64,
    pub analysis_micros: u64,
    /// The same by methods, if that was asked for.
    pub methods: Option<MethodRun>,
}

/// What a closer look shows, and what it takes besides.
#[derive(Debug, Clone, Default)]
pub struct MethodRun {
    /// Methods and other parts of classes that differ.
    pub changed: Vec<String>,
    /// Methods that changed or lead to what did.
    pub impacted: Vec<ImpactedType>,
    /// Test classes that lead to a change, over methods or because they are judged by classes.
    pub tests: Vec<ImpactedType>,
    /// How many of those are judged by classes: they reach code that may call any method of what
    /// it gets.
    pub by_class: usize,
    /// As (from, to, why); empty unless the graph was asked for.
    pub edges: Vec<(String, String, Link)>,
    pub method_count: usize,
    pub edge_count: usize,
    pub read_micros: u64,
    pub analysis_micros: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedType {
    pub name: String,
    pub module: String,
    pub change: Change,
}

/// A type, or a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImpactedType {
    pub name: String,
    pub module: String,
    /// From this type to a changed one; empty if it changed itself.
    pub way: Vec<Step>,
}

/// One step on the way to a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub link: Link,
    pub to: String,
}
