//! One hash for all that a class leads to.
//!
//! Classes that lead to each other share a fate, so each such group is hashed once, after all
//! groups that it leads to. Two versions of a class with the same hash can differ in nothing that
//! any class within their reach says.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::graph::Graph;
use crate::names::{Name, Names};

/// Hashes of what is within reach, by name.
#[derive(Debug)]
pub struct Reach(Vec<Option<[u8; 16]>>);

impl Reach {
    /// `content` is the hash of one class alone; a class that has none is unlike every other.
    pub fn of(names: &Names, graph: &Graph, content: impl Fn(Name) -> Option<[u8; 16]>) -> Self {
        let mut edges = DiGraph::<(), (), u32>::default();
        let nodes: Vec<Option<NodeIndex>> = (0..names.len())
            .map(|place| {
                let is_node = graph.contains(Name::at(place));
                is_node.then(|| edges.add_node(()))
            })
            .collect();
        let all = (0..names.len()).map(Name::at);
        let by_node: Vec<Name> = all.filter(|name| graph.contains(*name)).collect();
        for edge in graph.edges() {
            if let (Some(from), Some(to)) = (nodes[edge.from.place()], nodes[edge.to.place()]) {
                edges.add_edge(from, to, ());
            }
        }
        let mut reach: Vec<Option<[u8; 16]>> = vec![None; names.len()];
        // Groups come in an order in which each follows all that it leads to.
        let groups = kosaraju_scc(&edges);
        let mut group_of = vec![0; edges.node_count()];
        for (number, group) in groups.iter().enumerate() {
            group
                .iter()
                .for_each(|node| group_of[node.index()] = number);
        }
        for (number, group) in groups.iter().enumerate() {
            let members: Vec<Name> = group.iter().map(|node| by_node[node.index()]).collect();
            let mut parts: Vec<Vec<u8>> = Vec::new();
            for member in &members {
                let Some(hash) = content(*member) else {
                    parts.clear();
                    break;
                };
                parts.push([&hash[..], names.text(*member).as_bytes()].concat());
            }
            if parts.is_empty() {
                continue;
            }
            let beyond = (group.iter())
                .flat_map(|node| edges.neighbors(*node))
                .filter(|node| group_of[node.index()] != number)
                .map(|node| reach[by_node[node.index()].place()].map(|hash| hash.to_vec()));
            let Some(beyond) = beyond.collect::<Option<Vec<_>>>() else {
                continue;
            };
            let hash = digest(parts, beyond);
            for member in members {
                reach[member.place()] = Some(hash);
            }
        }
        Reach(reach)
    }

    /// None if the content of some class within reach is not known.
    pub fn hash(&self, name: Name) -> Option<[u8; 16]> {
        self.0.get(name.place()).copied().flatten()
    }
}

fn digest(mut members: Vec<Vec<u8>>, mut beyond: Vec<Vec<u8>>) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new_derive_key("jury reach 1");
    members.sort_unstable();
    beyond.sort_unstable();
    beyond.dedup();
    for list in [members, beyond] {
        hasher.update(&(list.len() as u64).to_le_bytes());
        for part in list {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(&part);
        }
    }
    let mut hash = [0; 16];
    hasher.finalize_xof().fill(&mut hash);
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class_facts::ClassFacts;

    /// `A>B,C` is a class that mentions two others; `known` are the contents of classes.
    fn check(classes: &[&str], known: &[(&str, u8)], of: &str) -> Option<[u8; 16]> {
        let mut names = Names::default();
        let facts: Vec<ClassFacts> = (classes.iter())
            .map(|class| {
                let (own, others) = class.split_once('>').unwrap();
                let mut facts = ClassFacts::opaque(names.intern(own));
                let others = others.split(',').filter(|name| !name.is_empty());
                facts.mentions = others.map(|name| names.intern(name)).collect();
                facts
            })
            .collect();
        let facts: Vec<&ClassFacts> = facts.iter().collect();
        let graph = Graph::new(&names, &facts, &[], &[]);
        let content = |name: Name| {
            let known = known.iter().find(|(text, _)| *text == names.text(name));
            known.map(|(_, byte)| [*byte; 16])
        };
        Reach::of(&names, &graph, content).hash(names.find(of).unwrap())
    }

    const SHOP: [&str; 4] = ["Test>Shop", "Shop>Tax", "Tax>Shop", "Other>"];

    #[test]
    fn what_is_within_reach_decides_and_nothing_else() {
        let known = [("Test", 1), ("Shop", 1), ("Tax", 1), ("Other", 1)];
        let before = check(&SHOP, &known, "Test");
        assert!(before.is_some());
        let other = [("Test", 1), ("Shop", 1), ("Tax", 1), ("Other", 2)];
        assert_eq!(check(&SHOP, &other, "Test"), before);
        let tax = [("Test", 1), ("Shop", 1), ("Tax", 2), ("Other", 1)];
        assert_ne!(check(&SHOP, &tax, "Test"), before);
        let swapped = [("Test", 1), ("Shop", 2), ("Tax", 1), ("Other", 1)];
        assert_ne!(check(&SHOP, &swapped, "Test"), check(&SHOP, &tax, "Test"));
    }

    #[test]
    fn the_order_in_which_classes_were_met_does_not_matter() {
        let known = [("Test", 1), ("Shop", 1), ("Tax", 1), ("Other", 1)];
        let mut turned = SHOP;
        turned.reverse();
        assert_eq!(check(&turned, &known, "Test"), check(&SHOP, &known, "Test"));
    }

    #[test]
    fn a_class_of_unknown_content_makes_all_that_lead_to_it_unknown() {
        let known = [("Test", 1), ("Shop", 1), ("Other", 1)];
        assert_eq!(check(&SHOP, &known, "Test"), None);
        assert!(check(&SHOP, &known, "Other").is_some());
    }
}
