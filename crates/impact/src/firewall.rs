//! Everything that leads to a change.

use std::collections::{BTreeMap, VecDeque};

use crate::graph::{Edge, Graph};
use crate::names::Name;

/// Classes that a change can affect, each with the next step on a shortest way to the change.
#[derive(Debug)]
pub struct Firewall {
    steps: BTreeMap<Name, Option<Edge>>,
}

impl Firewall {
    /// Changed classes are affected themselves. Their supertypes are not: whoever knows only
    /// those does not get to the change.
    pub fn around(changed: impl IntoIterator<Item = Name>, graph: &Graph) -> Self {
        let mut steps = BTreeMap::new();
        let mut pending = VecDeque::new();
        for name in changed {
            if steps.insert(name, None).is_none() {
                pending.push_back(name);
            }
        }
        while let Some(reached) = pending.pop_front() {
            for edge in graph.dependents(reached) {
                steps.entry(edge.from).or_insert_with(|| {
                    pending.push_back(edge.from);
                    Some(edge)
                });
            }
        }
        Firewall { steps }
    }

    pub fn contains(&self, name: Name) -> bool {
        self.steps.contains_key(&name)
    }

    pub fn names(&self) -> impl Iterator<Item = Name> + '_ {
        self.steps.keys().copied()
    }

    /// How a class gets to a change: no steps for a changed one, none at all for one outside.
    pub fn way(&self, from: Name) -> Option<Vec<Edge>> {
        let mut way = Vec::new();
        let mut step = self.steps.get(&from)?;
        while let Some(edge) = step {
            way.push(*edge);
            step = self.steps.get(&edge.to)?;
        }
        Some(way)
    }
}
