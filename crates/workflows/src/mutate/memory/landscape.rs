//! Which classes a test could reach, and what they hold, on one class path.
//!
//! With a mutant on, a test may run code it never ran before. So it depends not only on the
//! classes it ran but on all that can be reached from them: by references, and by texts that
//! are names of classes, which reflection may use.

use std::collections::HashMap;
use std::path::PathBuf;

use fixedbitset::FixedBitSet;
use jury_select::{Digest, Hash128};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::contents::{ClassContent, Contents, DirectoryContent};

pub(super) struct Landscape {
    /// Places of the classes, by name in VM form.
    places: HashMap<String, usize>,
    hashes: Vec<Hash128>,
    /// For each class those that can be reached from it, itself included.
    reach: Vec<FixedBitSet>,
    /// What is reached from files, whatever a test runs.
    always: FixedBitSet,
    files: Hash128,
}

impl Landscape {
    /// Where a class is in several directories, the first one counts, as for the JVM.
    pub fn of(directories: &[PathBuf], contents: &Contents) -> Self {
        let directories: Vec<&DirectoryContent> = directories
            .iter()
            .filter_map(|path| contents.directory(path))
            .collect();
        let mut places = HashMap::new();
        let mut classes: Vec<&ClassContent> = Vec::new();
        let mut hashes = Vec::new();
        for (name, class) in directories.iter().flat_map(|directory| &directory.classes) {
            places.entry(name.clone()).or_insert_with(|| {
                let mut digest = Digest::new("jury class 1");
                digest.bytes(name.as_bytes());
                digest.hash(class.hash);
                hashes.push(digest.finish());
                classes.push(class);
                classes.len() - 1
            });
        }
        let place = |name: &String| places.get(name).copied();
        let reach = reach(&classes, &place);
        let mut always = FixedBitSet::with_capacity(classes.len());
        let mut files = Digest::new("jury class path 1");
        for directory in &directories {
            files.hash(directory.files);
            for mentioned in directory.mentions.iter().filter_map(place) {
                always.union_with(&reach[mentioned]);
            }
        }
        Landscape {
            hashes,
            places,
            reach,
            always,
            files: files.finish(),
        }
    }

    /// A hash of everything that can be reached from the given classes. Classes that are not here
    /// come from jars, which count with the launch.
    pub fn content<'n>(&self, classes: impl IntoIterator<Item = &'n str>) -> Hash128 {
        let mut reached = self.always.clone();
        for class in classes {
            // Most classes of a test are reached from the first few.
            if let Some(&place) = self.places.get(class)
                && !reached.contains(place)
            {
                reached.union_with(&self.reach[place]);
            }
        }
        let mut digest = Digest::new("jury content 1");
        digest.hash(self.files);
        digest.unordered(reached.ones().map(|place| self.hashes[place]).collect());
        digest.finish()
    }

    /// A hash of all there is.
    pub fn everything(&self) -> Hash128 {
        self.content(self.places.keys().map(String::as_str))
    }
}

/// Classes that refer to each other in a circle reach the same; so circles are found first, and
/// each is computed once from those it leads to.
fn reach(classes: &[&ClassContent], place: &impl Fn(&String) -> Option<usize>) -> Vec<FixedBitSet> {
    let edges = classes.iter().enumerate().flat_map(|(from, class)| {
        let targets = class.mentions.iter().filter_map(place);
        targets.map(move |to| (from as u32, to as u32))
    });
    let mut graph: DiGraph<(), ()> = DiGraph::from_edges(edges);
    while graph.node_count() < classes.len() {
        graph.add_node(());
    }
    let mut reach = vec![FixedBitSet::new(); classes.len()];
    // In this order every circle comes after those it leads to.
    for circle in kosaraju_scc(&graph) {
        let mut reached = FixedBitSet::with_capacity(classes.len());
        reached.extend(circle.iter().map(|node| node.index()));
        for neighbour in circle.iter().flat_map(|node| graph.neighbors(*node)) {
            reached.union_with(&reach[NodeIndex::index(neighbour)]);
        }
        for node in circle {
            reach[node.index()] = reached.clone();
        }
    }
    reach
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Classes as `name: text, mentions…`.
    fn directory(classes: &[(&str, &str, &[&str])], mentions: &[&str]) -> DirectoryContent {
        let content = |text: &str, mentions: &[&str]| ClassContent {
            hash: Hash128::of(text.as_bytes()),
            mentions: mentions.iter().map(ToString::to_string).collect(),
        };
        DirectoryContent {
            classes: classes
                .iter()
                .map(|(name, text, mentions)| (name.to_string(), content(text, mentions)))
                .collect(),
            files: Hash128::of(b""),
            mentions: mentions
                .iter()
                .map(ToString::to_string)
                .collect::<HashSet<_>>(),
        }
    }

    fn landscape(directories: &[DirectoryContent]) -> Landscape {
        let paths: Vec<PathBuf> = (0..directories.len())
            .map(|number| PathBuf::from(number.to_string()))
            .collect();
        let contents = paths.iter().cloned().zip(directories.iter().cloned());
        Landscape::of(&paths, &Contents::from_iter(contents))
    }

    /// `a` refers to `b`, `b` and `c` to each other, `d` to nothing but itself.
    fn four(texts: [&str; 4]) -> DirectoryContent {
        let [a, b, c, d] = texts;
        let classes: [(&str, &str, &[&str]); 4] = [
            ("a", a, &["b", "java/lang/String"]),
            ("b", b, &["c"]),
            ("c", c, &["b", "c"]),
            ("d", d, &["d"]),
        ];
        directory(&classes, &[])
    }

    #[test]
    fn everything_that_can_be_reached_counts_and_nothing_else() {
        let content = |texts, class| landscape(&[four(texts)]).content([class]);
        let before = ["1"; 4];
        for (class, counting) in [
            ("a", "abc"),
            ("b", "bc"),
            ("c", "bc"),
            ("d", "d"),
            ("x", ""),
        ] {
            for (place, changed) in ["a", "b", "c", "d"].into_iter().enumerate() {
                let mut after = before;
                after[place] = "2";
                assert_eq!(
                    content(after, class) != content(before, class),
                    counting.contains(changed),
                    "{changed} for {class}"
                );
            }
        }
    }

    #[test]
    fn what_files_mention_counts_for_every_test() {
        let with = |text| directory(&[("a", "1", &[]), ("plugin", text, &[])], &["plugin"]);
        assert_ne!(
            landscape(&[with("1")]).content(["a"]),
            landscape(&[with("2")]).content(["a"])
        );
    }

    #[test]
    fn of_two_classes_of_one_name_the_first_counts() {
        let one = |text| directory(&[("a", text, &[])], &[]);
        let content = |texts: [&'static str; 2]| landscape(&texts.map(one)).content(["a"]);
        assert_eq!(content(["1", "2"]), content(["1", "3"]));
        assert_ne!(content(["1", "2"]), content(["2", "1"]));
    }

    #[test]
    fn swapped_contents_are_a_change() {
        let two = |a, b| directory(&[("a", a, &["b"]), ("b", b, &[])], &[]);
        assert_ne!(
            landscape(&[two("1", "2")]).content(["a"]),
            landscape(&[two("2", "1")]).content(["a"])
        );
    }
}
