//! Everything that leads to a change.

use std::collections::VecDeque;

use crate::graph::{Edge, Graph};
use crate::names::Name;

/// Classes that a change can affect, each with the next step on a shortest way to the change.
#[derive(Debug)]
pub struct Firewall {
    /// By name; none for a class outside.
    steps: Vec<Option<Step>>,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Changed,
    Over(Edge),
}

impl Firewall {
    /// Changed classes are affected themselves. Their supertypes are not: whoever knows only
    /// those does not get to the change.
    pub fn around(changed: impl IntoIterator<Item = Name>, graph: &Graph) -> Self {
        let mut steps: Vec<Option<Step>> = Vec::new();
        let mut enter = |name: Name, step: Step| {
            if steps.len() <= name.place() {
                steps.resize(name.place() + 1, None);
            }
            let own = &mut steps[name.place()];
            let is_new = own.is_none();
            own.get_or_insert(step);
            is_new
        };
        let mut pending = VecDeque::new();
        for name in changed {
            if enter(name, Step::Changed) {
                pending.push_back(name);
            }
        }
        while let Some(reached) = pending.pop_front() {
            for edge in graph.dependents(reached) {
                if enter(edge.from, Step::Over(edge)) {
                    pending.push_back(edge.from);
                }
            }
        }
        Firewall { steps }
    }

    pub fn contains(&self, name: Name) -> bool {
        self.step(name).is_some()
    }

    pub fn names(&self) -> impl Iterator<Item = Name> + '_ {
        let all = self.steps.iter().enumerate();
        all.filter_map(|(place, step)| step.map(|_| Name::at(place)))
    }

    /// True if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// How a class gets to a change: no steps for a changed one, none at all for one outside.
    pub fn way(&self, from: Name) -> Option<Vec<Edge>> {
        let mut way = Vec::new();
        let mut step = self.step(from)?;
        while let Step::Over(edge) = step {
            way.push(edge);
            step = self.step(edge.to)?;
        }
        Some(way)
    }

    fn step(&self, name: Name) -> Option<Step> {
        self.steps.get(name.place()).copied().flatten()
    }
}
