use std::path::{Path, PathBuf};

use crate::build_tool::{BuildTool, ToolVersion};
use crate::error::ProjectError;
use crate::{gradle, maven};

/// A project on disk: where it starts, what builds it, what it consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    root: PathBuf,
    build_tool: BuildTool,
    other_build_tools: Vec<BuildTool>,
    modules: Vec<Module>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// The directory relative to the project's root, with `/`; `.` for the root itself. A module
    /// outside the root has its whole path.
    pub name: String,
    pub directory: PathBuf,
}

impl Project {
    /// Finds the project that `start` lies in: the nearest directory upwards with a build file,
    /// and from there the root of its reactor or multi-project build.
    pub fn discover(start: &Path) -> Result<Project, ProjectError> {
        let start = start
            .canonicalize()
            .ok()
            .filter(|start| start.is_dir())
            .ok_or_else(|| ProjectError::NotADirectory {
                start: start.to_path_buf(),
            })?;
        let nowhere = || ProjectError::NoBuildFile {
            start: start.clone(),
        };
        let root = start.ancestors().find_map(root_of).ok_or_else(nowhere)?;
        let mut tools = tools_in(&root).into_iter();
        let build_tool = tools.next().ok_or_else(nowhere)?;
        let directories = match build_tool {
            BuildTool::Maven => maven::module_directories(&root),
            BuildTool::Gradle => gradle::module_directories(&root),
            BuildTool::Ant => vec![root.clone()],
        };
        let modules = directories.into_iter().map(|directory| Module {
            name: name_within(&root, &directory),
            directory,
        });
        Ok(Project {
            build_tool,
            other_build_tools: tools.collect(),
            modules: modules.collect(),
            root,
        })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The tool that builds this project.
    pub fn build_tool(&self) -> BuildTool {
        self.build_tool
    }

    /// Tools that have a build file in the root too, but are not used.
    pub fn other_build_tools(&self) -> &[BuildTool] {
        &self.other_build_tools
    }

    /// Asks the build tool for its version; starts a process.
    pub fn tool_version(&self) -> Result<ToolVersion, ProjectError> {
        self.build_tool.version(&self.root)
    }

    /// The root module first, then the others as the build files list them.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// The module that a test JVM working in `directory` belongs to: the nearest module or
    /// directory with a build file around it. The directory may be gone by now, as those that
    /// forked test JVMs work in often are. One outside the project stands for itself.
    pub fn module_of(&self, directory: &Path) -> String {
        let directory = real_path(directory);
        let module = directory
            .ancestors()
            .take_while(|ancestor| ancestor.starts_with(&self.root))
            .find(|ancestor| self.is_module(ancestor));
        name_within(&self.root, module.unwrap_or(&directory))
    }

    pub(crate) fn is_module(&self, directory: &Path) -> bool {
        self.modules
            .iter()
            .any(|module| module.directory == directory)
            || BuildTool::ALL.iter().any(|tool| tool.builds(directory))
    }
}

/// The root of the project that a build file in `directory` belongs to, if there is one.
fn root_of(directory: &Path) -> Option<PathBuf> {
    Some(match tools_in(directory).first()? {
        BuildTool::Maven => maven::reactor_root(directory),
        BuildTool::Gradle => gradle::root(directory),
        BuildTool::Ant => directory.to_path_buf(),
    })
}

/// Tools with a build file in `directory`, in order of preference.
fn tools_in(directory: &Path) -> Vec<BuildTool> {
    let tools = BuildTool::ALL.into_iter();
    tools.filter(|tool| tool.builds(directory)).collect()
}

fn name_within(root: &Path, directory: &Path) -> String {
    match directory.strip_prefix(root) {
        Ok(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
        Ok(inside) => {
            let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            parts.join("/")
        }
        Err(_) => directory.to_string_lossy().into_owned(),
    }
}

/// `path` with symbolic links resolved in as much of it as exists.
fn real_path(path: &Path) -> PathBuf {
    path.ancestors()
        .find_map(|ancestor| {
            let real = ancestor.canonicalize().ok()?;
            let rest = path.strip_prefix(ancestor).ok()?;
            Some(real.join(rest))
        })
        .unwrap_or_else(|| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Tree;

    fn pom(modules: &[&str]) -> String {
        let modules: String = modules
            .iter()
            .map(|name| format!("<module>{name}</module>"))
            .collect();
        format!("<project><modules>{modules}</modules></project>")
    }

    fn discover(tree: &Tree, start: &str) -> Project {
        Project::discover(&tree.path(start)).unwrap()
    }

    fn names(project: &Project) -> Vec<&str> {
        project
            .modules()
            .iter()
            .map(|module| module.name.as_str())
            .collect()
    }

    #[test]
    fn a_directory_deep_inside_belongs_to_the_nearest_build_file() {
        let tree = Tree::new(&[("pom.xml", "<project/>"), ("src/main/java/", "")]);
        let project = discover(&tree, "src/main/java");
        assert_eq!(project.root(), tree.root());
        assert_eq!(project.build_tool(), BuildTool::Maven);
        assert_eq!(names(&project), ["."]);
    }

    #[test]
    fn the_root_is_the_topmost_reactor_that_lists_the_module() {
        let tree = Tree::new(&[
            ("pom.xml", &pom(&["backend", "tools/gen"])),
            ("backend/pom.xml", &pom(&["core"])),
            ("backend/core/pom.xml", "<project/>"),
            ("tools/gen/pom.xml", "<project/>"),
            ("stranger/pom.xml", "<project/>"),
        ]);
        assert_eq!(discover(&tree, "backend/core").root(), tree.root());
        assert_eq!(discover(&tree, "tools/gen").root(), tree.root());
        assert_eq!(discover(&tree, "stranger").root(), tree.path("stranger"));
        let modules = [".", "backend", "tools/gen", "backend/core"];
        assert_eq!(names(&discover(&tree, ".")), modules);
    }

    #[test]
    fn modules_of_profiles_and_of_maven_4_count_and_missing_ones_do_not() {
        let tree = Tree::new(&[
            (
                "pom.xml",
                "<?xml version='1.0' encoding='ISO-8859-1'?>
                 <project xmlns='http://maven.apache.org/POM/4.1.0'>
                   <!-- <modules><module>commented</module></modules> -->
                   <subprojects><subproject> a&amp;b </subproject></subprojects>
                   <profiles><profile><modules>
                     <module>it</module><module>gone</module><module>${flavour}</module>
                     <module>it/../other/pom.xml</module>
                   </modules></profile></profiles>
                   <build><plugins><plugin><configuration>
                     <modules><module>plugin</module></modules>
                   </configuration></plugin></plugins></build>
                 </project>",
            ),
            ("a&b/pom.xml", "<project/>"),
            ("it/pom.xml", "<project/>"),
            ("other/pom.xml", "<project/>"),
            ("commented/pom.xml", "<project/>"),
            ("plugin/pom.xml", "<project/>"),
        ]);
        assert_eq!(names(&discover(&tree, ".")), [".", "a&b", "it", "other"]);
    }

    #[test]
    fn poms_that_list_each_other_are_visited_once() {
        let tree = Tree::new(&[("pom.xml", &pom(&["a", "."])), ("a/pom.xml", &pom(&[".."]))]);
        assert_eq!(names(&discover(&tree, ".")), [".", "a"]);
    }

    #[test]
    fn a_pom_that_expands_without_end_or_breaks_off_lists_what_it_lists() {
        let bomb = "<!DOCTYPE p [<!ENTITY a 'xxxxxxxxxx'><!ENTITY b '&a;&a;&a;&a;'>]>
            <project><modules><module>&b;</module><module>core</module><mod";
        let tree = Tree::new(&[("pom.xml", bomb), ("core/pom.xml", "<project/>")]);
        assert_eq!(names(&discover(&tree, ".")), [".", "core"]);
    }

    #[test]
    fn a_gradle_subproject_belongs_to_the_settings_above_it() {
        let tree = Tree::new(&[
            (
                "settings.gradle.kts",
                "include(\"core\", \":app:web\", \"missing\")",
            ),
            ("core/build.gradle.kts", ""),
            ("app/web/", ""),
        ]);
        let project = discover(&tree, "core");
        assert_eq!(project.root(), tree.root());
        assert_eq!(project.build_tool(), BuildTool::Gradle);
        assert_eq!(names(&project), [".", "core", "app/web"]);
    }

    #[test]
    fn maven_goes_before_gradle_and_gradle_before_ant() {
        let tree = Tree::new(&[("build.xml", "<project/>"), ("build.gradle", "")]);
        assert_eq!(discover(&tree, ".").build_tool(), BuildTool::Gradle);
        tree.write("pom.xml", "<project/>");
        let project = discover(&tree, ".");
        assert_eq!(project.build_tool(), BuildTool::Maven);
        assert_eq!(
            project.other_build_tools(),
            [BuildTool::Gradle, BuildTool::Ant]
        );
    }

    #[test]
    fn a_directory_without_build_files_is_no_project() {
        let tree = Tree::new(&[("README", "")]);
        let error = Project::discover(&tree.root()).unwrap_err();
        assert!(matches!(error, ProjectError::NoBuildFile { .. }), "{error}");
        assert!(
            error
                .hint()
                .unwrap()
                .starts_with("pass the test command after `--`")
        );
        let error = Project::discover(&tree.path("README")).unwrap_err();
        assert!(
            matches!(error, ProjectError::NotADirectory { .. }),
            "{error}"
        );
    }

    #[test]
    fn a_test_jvm_belongs_to_the_module_around_its_directory() {
        let tree = Tree::new(&[
            ("settings.gradle", "include 'plain', 'app:web'"),
            ("plain/", ""),
            ("app/web/build.gradle", ""),
            ("detached/pom.xml", "<project/>"),
        ]);
        let project = discover(&tree, ".");
        let check = |directory: &str, module: &str| {
            assert_eq!(
                project.module_of(&tree.path(directory)),
                module,
                "{directory}"
            );
        };
        check(".", ".");
        check("src/test", ".");
        check("plain/src", "plain");
        check("app/web", "app/web");
        check("app/web/build/forks/no-longer-there", "app/web");
        check("app", ".");
        check("detached/target", "detached");
        assert_eq!(
            project.module_of(Path::new("/nowhere/near")),
            "/nowhere/near"
        );
    }

    #[test]
    fn a_test_jvm_that_works_behind_a_link_belongs_to_the_module_it_points_to() {
        let tree = Tree::new(&[("pom.xml", &pom(&["core"])), ("core/pom.xml", "<project/>")]);
        let elsewhere = tempfile::tempdir().unwrap();
        let link = elsewhere.path().join("link");
        std::os::unix::fs::symlink(tree.path("core"), &link).unwrap();
        assert_eq!(discover(&tree, ".").module_of(&link.join("target")), "core");
    }
}
