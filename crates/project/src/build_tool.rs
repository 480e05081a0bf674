use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::ProjectError;
use crate::{ant, gradle, maven, program};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BuildTool {
    Maven,
    Gradle,
    Ant,
}

/// A build tool that is there, and what it says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolVersion {
    pub tool: BuildTool,
    pub program: String,
    /// One line, such as `Apache Maven 3.9.9 (…)`.
    pub version: String,
}

impl BuildTool {
    /// In the order in which they are tried where several have build files.
    pub const ALL: [BuildTool; 3] = [BuildTool::Maven, BuildTool::Gradle, BuildTool::Ant];

    /// True if `directory` holds a build file of this tool.
    pub fn builds(self, directory: &Path) -> bool {
        let has = |name: &str| directory.join(name).is_file();
        match self {
            BuildTool::Maven => has(maven::POM),
            BuildTool::Gradle => gradle::BUILD_FILES
                .into_iter()
                .chain(gradle::SETTINGS)
                .any(has),
            BuildTool::Ant => has(ant::BUILD_FILE),
        }
    }

    /// Asks the tool that would build a project at `root` for its version.
    pub fn version(self, root: &Path) -> Result<ToolVersion, ProjectError> {
        let program = self.program(root, std::env::var_os("PATH").as_deref())?;
        let answer = Command::new(&program)
            .arg(self.version_flag())
            .current_dir(root)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .map_err(|error| ProjectError::Start {
                program: program.clone(),
                cause: error.kind(),
            })?;
        match self.version_line(&String::from_utf8_lossy(&answer.stdout)) {
            Some(version) => Ok(ToolVersion {
                tool: self,
                program,
                version,
            }),
            None => Err(ProjectError::NoVersion {
                tool: self,
                program,
            }),
        }
    }

    /// The project's own wrapper if it can be executed, else the tool's name if `path` has it.
    /// The wrapper is given by its whole path, because a relative one would depend on the
    /// directory that Jury was started in.
    pub(crate) fn program(self, root: &Path, path: Option<&OsStr>) -> Result<String, ProjectError> {
        let wrapper = self.wrapper().map(|name| root.join(name));
        if let Some(wrapper) = wrapper.filter(|wrapper| program::is_executable(wrapper)) {
            return Ok(wrapper.to_string_lossy().into_owned());
        }
        match program::on_path(self.command(), path) {
            Some(_) => Ok(self.command().to_owned()),
            None => Err(ProjectError::ToolMissing {
                tool: self,
                program: self.command(),
            }),
        }
    }

    fn command(self) -> &'static str {
        match self {
            BuildTool::Maven => "mvn",
            BuildTool::Gradle => "gradle",
            BuildTool::Ant => "ant",
        }
    }

    fn wrapper(self) -> Option<&'static str> {
        match self {
            BuildTool::Maven => Some("mvnw"),
            BuildTool::Gradle => Some("gradlew"),
            BuildTool::Ant => None,
        }
    }

    fn version_flag(self) -> &'static str {
        match self {
            BuildTool::Maven | BuildTool::Gradle => "--version",
            BuildTool::Ant => "-version",
        }
    }

    /// The line that names the tool; wrappers may print others before it.
    fn version_line(self, answer: &str) -> Option<String> {
        let start = match self {
            BuildTool::Maven => "Apache Maven ",
            BuildTool::Gradle => "Gradle ",
            BuildTool::Ant => "Apache Ant",
        };
        // Maven may colour its name even where nobody sees colours.
        let line = answer.lines().find(|line| line.contains(start))?;
        Some(
            without_escapes(&line[line.find(start)?..])
                .trim_end()
                .to_owned(),
        )
    }
}

fn without_escapes(line: &str) -> String {
    let mut pieces = line.split('\x1b');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| {
        text + piece.split_once('m').map_or("", |(_, rest)| rest)
    })
}

/// `Apache Maven 3.9.9 (`mvn`)`.
impl fmt::Display for ToolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (`{}`)", self.version, self.program)
    }
}

impl fmt::Display for BuildTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BuildTool::Maven => "Maven",
            BuildTool::Gradle => "Gradle",
            BuildTool::Ant => "Ant",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Tree;

    #[test]
    fn the_version_is_the_line_that_names_the_tool() {
        let check = |tool: BuildTool, answer: &str, expected: Option<&str>| {
            assert_eq!(tool.version_line(answer).as_deref(), expected);
        };
        let maven = "Apache Maven 3.8.7\nMaven home: /m\nJava version: 17";
        check(BuildTool::Maven, maven, Some("Apache Maven 3.8.7"));
        let coloured = "\x1b[1mApache Maven 3.8.7\x1b[m\nMaven home: /m";
        check(BuildTool::Maven, coloured, Some("Apache Maven 3.8.7"));
        let gradle = "Downloading…\n\n------\nGradle 8.14\n------\n\nBuild time: now";
        check(BuildTool::Gradle, gradle, Some("Gradle 8.14"));
        let ant = "Apache Ant(TM) version 1.10.15 compiled on May 1";
        check(BuildTool::Ant, ant, Some(ant));
        check(BuildTool::Ant, "command not found", None);
    }

    #[test]
    fn the_wrapper_is_asked_where_there_is_one() {
        let tree = Tree::new(&[("gradlew", "#!/bin/sh\necho Gradle 9.1\n")]);
        tree.make_executable("gradlew");
        let version = BuildTool::Gradle.version(&tree.root()).unwrap();
        let wrapper = tree.path("gradlew").display().to_string();
        assert_eq!(version.to_string(), format!("Gradle 9.1 (`{wrapper}`)"));
        tree.write("gradlew", "#!/bin/sh\necho broken\n");
        let error = BuildTool::Gradle.version(&tree.root()).unwrap_err();
        assert!(matches!(error, ProjectError::NoVersion { .. }), "{error}");
    }
}
