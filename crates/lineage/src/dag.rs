//! Revisions and their parents.
//!
//! Real repositories have several roots, and shallow clones lack the parents of some revisions. All
//! of these begin at one virtual root, which is never given out as an answer. Whoever comes from
//! history that is not there enters by a revision whose parents are missing, so what dominates a
//! revision in the part that is known does so in the whole.

use std::collections::{BTreeSet, HashMap};

use petgraph::Direction;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};

/// A revision within one [`Dag`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(NodeIndex);

#[derive(Debug)]
pub struct Dag {
    /// Edges lead from parents to children.
    edges: DiGraph<String, ()>,
    by_name: HashMap<String, Revision>,
    parents: HashMap<Revision, Vec<Revision>>,
    cut: BTreeSet<Revision>,
    root: NodeIndex,
    dominators: Dominators<NodeIndex>,
}

impl Dag {
    /// Names of revisions with those of their parents, in any order. A name that comes again, and
    /// an edge that would close a circle, are left out.
    pub fn new<'n>(revisions: impl IntoIterator<Item = (&'n str, Vec<&'n str>)>) -> Self {
        let mut edges = DiGraph::new();
        let root = edges.add_node(String::new());
        let mut by_name = HashMap::new();
        let mut listed = Vec::new();
        for (name, parents) in revisions {
            if !by_name.contains_key(name) {
                let revision = Revision(edges.add_node(name.to_owned()));
                by_name.insert(name.to_owned(), revision);
                listed.push((revision, parents));
            }
        }
        let mut cut = BTreeSet::new();
        let mut parents = HashMap::new();
        for (revision, names) in listed {
            let mut own: Vec<Revision> = Vec::new();
            for name in &names {
                match by_name.get(*name) {
                    Some(parent) if !own.contains(parent) => own.push(*parent),
                    Some(_) => {}
                    None => _ = cut.insert(revision),
                }
            }
            if own.len() < names.len().max(1) {
                edges.add_edge(root, revision.0, ());
            }
            for parent in &own {
                edges.add_edge(parent.0, revision.0, ());
            }
            parents.insert(revision, own);
        }
        let dominators = simple_fast(&edges, root);
        Dag {
            edges,
            by_name,
            parents,
            cut,
            root,
            dominators,
        }
    }

    pub fn find(&self, name: &str) -> Option<Revision> {
        self.by_name.get(name).copied()
    }

    pub fn name(&self, revision: Revision) -> &str {
        &self.edges[revision.0]
    }

    pub fn revisions(&self) -> impl Iterator<Item = Revision> + '_ {
        self.edges
            .node_indices()
            .filter(|node| *node != self.root)
            .map(Revision)
    }

    /// In the order in which they were given; without those that are not there.
    pub fn parents(&self, of: Revision) -> &[Revision] {
        self.parents.get(&of).map_or(&[], Vec::as_slice)
    }

    /// Whether a parent is missing.
    pub fn is_cut(&self, revision: Revision) -> bool {
        self.cut.contains(&revision)
    }

    /// All revisions that lead to this one, and itself.
    pub fn ancestors(&self, of: Revision) -> BTreeSet<Revision> {
        self.reached(of, Direction::Incoming)
    }

    /// All revisions on a way from one to another, both included; none if there is no way.
    pub fn between(&self, from: Revision, to: Revision) -> BTreeSet<Revision> {
        let after = self.reached(from, Direction::Outgoing);
        let before = self.ancestors(to);
        after.intersection(&before).copied().collect()
    }

    /// Common ancestors that no other common ancestor comes after: what git calls merge bases.
    pub fn lowest_common_ancestors(&self, one: Revision, other: Revision) -> BTreeSet<Revision> {
        let (mine, others) = (self.ancestors(one), self.ancestors(other));
        let common: BTreeSet<Revision> = mine.intersection(&others).copied().collect();
        let surpassed: BTreeSet<Revision> = (common.iter())
            .flat_map(|revision| self.parents(*revision))
            .flat_map(|parent| self.ancestors(*parent))
            .collect();
        common.difference(&surpassed).copied().collect()
    }

    /// The last revision that all of history had to pass on its way to this one. None if there is
    /// no such revision, or it is not there.
    pub fn immediate_dominator(&self, of: Revision) -> Option<Revision> {
        self.real(self.dominators.immediate_dominator(of.0)?)
    }

    /// What would be the immediate dominator of a merge of the two.
    pub fn lowest_common_dominator(&self, one: Revision, other: Revision) -> Option<Revision> {
        let mine: Vec<NodeIndex> = self.dominators.dominators(one.0)?.collect();
        let mut others = self.dominators.dominators(other.0)?;
        self.real(others.find(|node| mine.contains(node))?)
    }

    fn real(&self, node: NodeIndex) -> Option<Revision> {
        (node != self.root).then_some(Revision(node))
    }

    fn reached(&self, from: Revision, direction: Direction) -> BTreeSet<Revision> {
        let mut reached = BTreeSet::from([from]);
        let mut pending = vec![from.0];
        while let Some(node) = pending.pop() {
            for next in self.edges.neighbors_directed(node, direction) {
                if next != self.root && reached.insert(Revision(next)) {
                    pending.push(next);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `h<p,q` is a revision with two parents.
    fn dag(text: &str) -> Dag {
        let revision = |word: &'static str| {
            let (name, parents) = word.split_once('<').unwrap_or((word, ""));
            let parents = parents.split(',').filter(|parent| !parent.is_empty());
            (name, parents.collect())
        };
        Dag::new(text.to_owned().leak().split_whitespace().map(revision))
    }

    fn names(dag: &Dag, revisions: impl IntoIterator<Item = Revision>) -> String {
        let mut names: Vec<&str> = revisions.into_iter().map(|one| dag.name(one)).collect();
        names.sort_unstable();
        names.join(" ")
    }

    fn check_pair(text: &str, bases: &str, dominator: &str) {
        let dag = dag(text);
        let [one, other] = ["p", "q"].map(|name| dag.find(name).unwrap());
        assert_eq!(names(&dag, dag.lowest_common_ancestors(one, other)), bases);
        let found = dag.lowest_common_dominator(one, other);
        assert_eq!(names(&dag, found), dominator);
    }

    #[test]
    fn branches_of_one_commit_have_it_as_base_and_dominator() {
        check_pair("r a<r p<a b<a q<b", "a", "a");
    }

    #[test]
    fn branches_that_merged_each_other_have_two_bases_and_an_older_dominator() {
        check_pair("r a<r b<r p<a,b q<b,a", "a b", "r");
    }

    #[test]
    fn a_branch_that_took_in_a_part_of_another_is_dominated_by_where_both_began() {
        let seven = "n1 n2<n1 n3<n1 n4<n1 p<n3,n2 q<n4,n2";
        check_pair(seven, "n2", "n1");
    }

    #[test]
    fn an_ancestor_of_the_other_is_base_and_dominator_itself() {
        check_pair("r p<r q<p", "p", "p");
    }

    #[test]
    fn histories_without_a_common_root_have_neither() {
        check_pair("p q", "", "");
    }

    #[test]
    fn a_shallow_clone_gives_no_dominator_that_it_cannot_know() {
        check_pair("a<missing p<a b<gone q<b", "", "");
        check_pair("a<missing p<a q<a", "a", "a");
        let dag = dag("a<missing p<a");
        assert!(dag.is_cut(dag.find("a").unwrap()));
        assert!(!dag.is_cut(dag.find("p").unwrap()));
    }

    #[test]
    fn an_octopus_is_dominated_by_what_all_its_parents_share() {
        let dag = dag("r a<r b<r c<a h<a,b,c");
        let merge = dag.find("h").unwrap();
        assert_eq!(names(&dag, dag.immediate_dominator(merge)), "r");
        assert_eq!(dag.parents(merge).len(), 3);
        let within = dag.between(dag.find("a").unwrap(), merge);
        assert_eq!(names(&dag, within), "a c h");
    }

    #[test]
    fn a_merge_of_two_roots_has_no_dominator() {
        let dag = dag("p q h<p,q i<h");
        assert_eq!(dag.immediate_dominator(dag.find("h").unwrap()), None);
        let after = dag.immediate_dominator(dag.find("i").unwrap());
        assert_eq!(names(&dag, after), "h");
        assert_eq!(dag.revisions().count(), 4);
    }
}
