//! What a build draws on outside its root, or outside all conventions, as far as its build files say:
//! modules and included builds beside it, parent POMs above it, directories that are named with `..`,
//! builds that make its plugins, files that switch its profiles.
//!
//! Build files are programs, so what is read here is a lower bound: whoever finds classes of a
//! build elsewhere has to take that place for unknown.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::build_tool::BuildTool;
use crate::maven::{POM, without_dots};
use crate::project::Project;
use crate::{gradle, xml};

/// What belongs to a build although neither its place nor its name says so.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outside {
    /// Directories of modules, included builds and sources.
    pub trees: BTreeSet<PathBuf>,
    /// Single build files, there or not: parent POMs, files that switch profiles.
    pub files: BTreeSet<PathBuf>,
    /// Directories of builds that make plugins for this one.
    pub build_logic: BTreeSet<PathBuf>,
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
            outside.files.extend(switches(&text).iter().map(place));
            for build in gradle::literals(&text, "includeBuild").iter().map(place) {
                pending.extend(build_files_in(&build));
                if makes_plugins(&build) {
                    outside.build_logic.insert(build);
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

/// Files that a POM's profiles look for, from where it lies.
fn switches(pom: &str) -> Vec<String> {
    let around_switch = ["project", "profiles", "profile", "activation", "file"];
    let files = xml::texts(pom, &["exists", "missing"], |around| {
        around == around_switch
    });
    (files.iter())
        .map(|file| {
            let inside = ["${basedir}/", "${project.basedir}/"];
            let inside = inside.iter().find_map(|start| file.strip_prefix(start));
            inside.unwrap_or(file).to_owned()
        })
        .filter(|file| !file.contains('$'))
        .collect()
}

/// Whether a build, or a project in it, applies the plugins by which Gradle's plugins are made.
fn makes_plugins(build: &Path) -> bool {
    let entries = std::fs::read_dir(build).into_iter().flatten().flatten();
    let projects = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir());
    let mut build_files = projects
        .chain([build.to_owned()])
        .flat_map(|directory| build_files_in(&directory).collect::<Vec<_>>());
    build_files.any(|path| {
        let text = xml::read_build_file(&path).unwrap_or_default();
        text.contains("gradle-plugin") || text.contains("kotlin-dsl")
    })
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
            ..Outside::default()
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
    fn builds_that_make_plugins_are_build_logic_wherever_they_are() {
        let settings = "includeBuild('rules')\nincludeBuild('lib')\nincludeBuild('../more')";
        let tree = Tree::new(&[
            ("root/settings.gradle", settings),
            ("root/rules/settings.gradle", "include 'java'"),
            (
                "root/rules/java/build.gradle.kts",
                "plugins { `kotlin-dsl` }",
            ),
            ("root/lib/build.gradle", "plugins { id 'java' }"),
            ("more/build.gradle", "plugins { id 'java-gradle-plugin' }"),
        ]);
        let outside = Project::discover(&tree.path("root")).unwrap().outside();
        let logic = ["root/rules", "more"].map(|name| tree.path(name));
        assert_eq!(outside.build_logic, logic.into());
    }

    #[test]
    fn files_that_switch_profiles_are_build_files_there_or_not() {
        let profile =
            |file: &str| format!("<profile><activation><file>{file}</file></activation></profile>");
        let pom = format!(
            "<project><profiles>{}{}{}</profiles></project>",
            profile("<exists>${project.basedir}/ci.flag</exists>"),
            profile("<missing>sub/../local</missing>"),
            profile("<exists>${user.home}/x</exists>"),
        );
        let files = [("root/pom.xml", pom.as_str())];
        check(&files, &[], &["root/ci.flag", "root/local"], false);
    }

    #[test]
    fn a_directory_around_the_root_has_no_bounds() {
        let files = [("root/settings.gradle", "includeBuild('..')")];
        check(&files, &[], &[], true);
    }
}
