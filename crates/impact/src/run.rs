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
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedType {
    pub name: String,
    pub module: String,
    pub change: Change,
}

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
