//! What a build draws on outside its root, as far as its build files say: modules and included
//! builds beside it, parent POMs above it, directories that are named with `..`.
//!
//! Build files are programs, so what is read here is a lower bound: whoever finds classes of a
//! build elsewhere has to take that place for unknown.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::build_tool::BuildTool;
use crate::maven::{POM, without_dots};
use crate::project::Project;
use crate::{gradle, xml};

/// What belongs to a build although it lies outside the project's root.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outside {
    /// Directories of modules, included builds and sources.
    pub trees: BTreeSet<PathBuf>,
    /// Single files, such as parent POMs.
    pub files: BTreeSet<PathBuf>,
    /// A build file names a directory around the root. How much of it counts cannot be told.
    pub boundless: bool,
}

impl Project {
    pub fn outside(&self) -> Outside {
        let mut outside = Outside::default();
        let mut build_files = BTreeSet::new();
        let mut pending = Vec::new();
        for module in self.modules() {
            outside.add(&module.directory, self.root());
            pending.extend(build_files_in(&module.directory));
        }
        while let Some(build_file) = pending.pop() {
            if !build_files.insert(build_file.clone()) {
                continue;
            }
            let Ok(text) = xml::read_build_file(&build_file) else {
                continue;
            };
            let directory = build_file.parent().unwrap_or(Path::new("/"));
            let place = |name: &String| without_dots(&directory.join(name));
            let parents = parents(&text);
            for parent in parents.iter().map(place) {
                let pom = match parent.is_dir() {
                    true => parent.join(POM),
                    false => parent,
                };
                if outside.add(&pom, self.root()) {
                    pending.push(pom);
                }
            }
            for name in named(&text).filter(|name| !parents.contains(name)) {
                let place = place(&name);
                if outside.add(&place, self.root()) {
                    pending.extend(build_files_in(&place));
                }
            }
        }
        outside
    }
}

impl Outside {
    /// True if the place is there and outside the root.
    fn add(&mut self, place: &Path, root: &Path) -> bool {
        if place.starts_with(root) || !place.exists() {
            return false;
        }
        if root.starts_with(place) {
            self.boundless = true;
        } else if place.is_dir() {
            self.trees.insert(place.to_owned());
        } else {
            self.files.insert(place.to_owned());
        }
        true
    }

    /// Whether a place belongs to what was found.
    pub fn holds(&self, place: &Path) -> bool {
        self.files.contains(place) || self.trees.iter().any(|tree| place.starts_with(tree))
    }
}

/// Whether something was made by a build that lies around it, and may be made anew by it.
pub fn is_of_a_build(place: &Path) -> bool {
    let mut around = place.ancestors().skip(1);
    around.any(|directory| BuildTool::ALL.iter().any(|tool| tool.builds(directory)))
}

fn build_files_in(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let names = gradle::SETTINGS.into_iter().chain(gradle::BUILD_FILES);
    (names.chain([POM]).map(|name| directory.join(name))).filter(|path| path.is_file())
}

/// Where a POM looks for its parent: above it, unless it says otherwise.
fn parents(pom: &str) -> Vec<String> {
    if !pom.contains("<parent>") {
        return Vec::new();
    }
    let named = xml::texts(pom, &["relativePath"], |around| {
        around == ["project", "parent"]
    });
    match named.is_empty() {
        true => vec!["../pom.xml".to_owned()],
        false => named,
    }
}

/// Paths that lead upwards: `../lib`, `${project.basedir}/../shared`, `$rootDir/../tool`, and the
/// neighbours that Gradle includes by name.
fn named(text: &str) -> impl Iterator<Item = String> {
    let ends = |letter: char| letter.is_whitespace() || "\"'<>(),;:=`".contains(letter);
    let upwards = text.split(ends).filter_map(|word| {
        let at = word.split('/').position(|part| part == "..")?;
        let before: Vec<&str> = word.split('/').take(at).collect();
        let skipped = match before.iter().any(|part| part.contains('$')) {
            true => at,
            false => 0,
        };
        let parts: Vec<&str> = word.split('/').skip(skipped).collect();
        Some(parts.join("/"))
    });
    let neighbours = gradle::literals(text, "includeFlat").into_iter();
    upwards.chain(neighbours.map(|name| format!("../{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Tree;

    /// What lies outside of `root/`, by paths beside it.
    fn check(files: &[(&str, &str)], trees: &[&str], single: &[&str], boundless: bool) {
        let tree = Tree::new(files);
        let outside = Project::discover(&tree.path("root")).unwrap().outside();
        let paths = |names: &[&str]| names.iter().map(|name| tree.path(name)).collect();
        let expected = Outside {
            trees: paths(trees),
            files: paths(single),
            boundless,
        };
        assert_eq!(outside, expected);
    }

    #[test]
    fn modules_beside_the_root_and_what_these_draw_on_are_found() {
        let root = "<project><modules><module>../a</module><module>in</module></modules></project>";
        let a = "<project><source>${project.basedir}/../shared/src</source>
                 <other>${project.basedir}/../gone</other></project>";
        check(
            &[
                ("root/pom.xml", root),
                ("root/in/pom.xml", "<project><x>../README</x></project>"),
                ("root/README", ""),
                ("a/pom.xml", a),
                ("shared/src/", ""),
            ],
            &["a", "shared/src"],
            &[],
            false,
        );
    }

    #[test]
    fn parent_poms_are_files_wherever_they_are() {
        let child = "<project><parent><artifactId>p</artifactId></parent></project>";
        let top = "<project><parent><relativePath>base</relativePath></parent></project>";
        check(
            &[
                ("root/pom.xml", child),
                ("pom.xml", top),
                ("base/pom.xml", "<project/>"),
            ],
            &[],
            &["pom.xml", "base/pom.xml"],
            false,
        );
    }

    #[test]
    fn builds_that_gradle_includes_are_found() {
        let settings = "includeBuild '../lib'\nincludeFlat('next')\nincludeBuild(\"tool\")";
        check(
            &[
                ("root/settings.gradle", settings),
                ("root/tool/settings.gradle", ""),
                ("lib/settings.gradle.kts", "includeBuild(\"../deep\")"),
                ("deep/build.gradle", ""),
                ("next/build.gradle", ""),
            ],
            &["lib", "deep", "next"],
            &[],
            false,
        );
    }

    #[test]
    fn a_directory_around_the_root_has_no_bounds() {
        let files = [("root/settings.gradle", "includeBuild('..')")];
        check(&files, &[], &[], true);
    }
}
