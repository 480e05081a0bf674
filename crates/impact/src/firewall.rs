//! Everything that leads to a change.

use std::collections::VecDeque;

use crate::names::Name;
use crate::web::{Edge, Place, Web};

/// What a change can affect, each with the next step on a shortest way to the change.
#[derive(Debug)]
pub struct Firewall<N = Name> {
    /// By place; none for what is outside.
    steps: Vec<Option<Step<N>>>,
    is_empty: bool,
}

#[derive(Debug, Clone, Copy)]
enum Step<N> {
    Changed,
    Over(Edge<N>),
}

impl<N: Place> Firewall<N> {
    /// Changed classes are affected themselves. Their supertypes are not: whoever knows only
    /// those does not get to the change.
    pub fn around(changed: impl IntoIterator<Item = N>, web: &Web<N>) -> Self {
        let mut steps: Vec<Option<Step<N>>> = vec![None; web.size()];
        let mut is_empty = true;
        let mut enter = |name: N, step: Step<N>| {
            is_empty = false;
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
            for edge in web.dependents(reached) {
                if enter(edge.from, Step::Over(edge)) {
                    pending.push_back(edge.from);
                }
            }
        }
        Firewall { steps, is_empty }
    }

    pub fn contains(&self, name: N) -> bool {
        self.step(name).is_some()
    }

    pub fn names(&self) -> impl Iterator<Item = N> + '_ {
        let all = self.steps.iter().enumerate();
        all.filter_map(|(place, step)| step.map(|_| N::at(place)))
    }

    /// True if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// How a class gets to a change: no steps for a changed one, none at all for one outside.
    pub fn way(&self, from: N) -> Option<Vec<Edge<N>>> {
        let mut way = Vec::new();
        let mut step = self.step(from)?;
        while let Step::Over(edge) = step {
            way.push(edge);
            step = self.step(edge.to)?;
        }
        Some(way)
    }

    fn step(&self, name: N) -> Option<Step<N>> {
        self.steps.get(name.place()).copied().flatten()
    }
}
