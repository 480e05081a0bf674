//! Edges that can be followed backwards.

use crate::graph::Link;
use crate::names::Name;

/// A node known by its place among all nodes.
pub trait Place: Copy + Ord {
    fn at(place: usize) -> Self;
    fn place(self) -> usize;
}

impl Place for Name {
    fn at(place: usize) -> Self {
        Name::at(place)
    }

    fn place(self) -> usize {
        Name::place(self)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge<N = Name> {
    pub from: N,
    pub to: N,
    pub link: Link,
}

#[derive(Debug)]
pub struct Web<N = Name> {
    edges: Vec<Edge<N>>,
    /// Indices of edges, in the order of their ends.
    backward: Vec<u32>,
    /// Where the edges that end at a node begin in `backward`.
    starts: Vec<u32>,
}

impl<N: Place> Web<N> {
    /// `size` is the number of nodes.
    pub(crate) fn new(size: usize, mut edges: Vec<Edge<N>>) -> Self {
        // Of several reasons the first in this order is the plainest.
        edges.sort_unstable();
        edges.dedup_by_key(|edge| (edge.from, edge.to));
        // Sorted by counting: how many edges end at each node says where those of the next begin.
        let mut starts = vec![0_u32; size + 1];
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
        Web {
            edges,
            backward,
            starts,
        }
    }

    /// The number of nodes.
    pub(crate) fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// In the order of their beginnings.
    pub fn edges(&self) -> &[Edge<N>] {
        &self.edges
    }

    /// Edges that end at a node.
    pub fn dependents(&self, of: N) -> impl Iterator<Item = Edge<N>> + '_ {
        let range = self.starts.get(of.place()..=of.place() + 1);
        let range = range.map_or(0..0, |ends| ends[0] as usize..ends[1] as usize);
        self.backward[range]
            .iter()
            .map(|edge| self.edges[*edge as usize])
    }
}
