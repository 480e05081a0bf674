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
