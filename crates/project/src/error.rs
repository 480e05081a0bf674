use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::build_tool::BuildTool;

/// Why a project could not be understood or its build tool not be started.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProjectError {
    #[error("`{start}` is not a directory")]
    NotADirectory { start: PathBuf },
    #[error("found no pom.xml, build.gradle or build.xml in `{start}` or above it")]
    NoBuildFile { start: PathBuf },
    #[error("found no `{program}` on PATH and no wrapper in the project")]
    ToolMissing {
        tool: BuildTool,
        program: &'static str,
    },
    #[error("found no target named `test`, `tests` or `junit` in build.xml")]
    NoTestTarget,
    #[error("the project has no module `{module}`; it has {known}")]
    UnknownModule { module: String, known: String },
    #[error("failed to start `{program}`: {cause}")]
    Start {
        program: String,
        cause: io::ErrorKind,
    },
    #[error("failed to learn the version of `{program}`: it answered nothing that names {tool}")]
    NoVersion { tool: BuildTool, program: String },
}

impl ProjectError {
    /// What the reader can do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            ProjectError::NoBuildFile { .. } | ProjectError::NoTestTarget => {
                "pass the test command after `--`, such as `jury test -- make check`"
            }
            ProjectError::ToolMissing { tool, .. } => match tool {
                BuildTool::Maven => "install Maven, or add its wrapper `mvnw` to the project",
                BuildTool::Gradle => "install Gradle, or add its wrapper `gradlew` to the project",
                BuildTool::Ant => "install Ant, or pass the test command after `--`",
            },
            ProjectError::NotADirectory { .. }
            | ProjectError::UnknownModule { .. }
            | ProjectError::Start { .. }
            | ProjectError::NoVersion { .. } => return None,
        };
        Some(hint.to_owned())
    }
}
