//! The user's project as its build tool sees it: root, modules, the command that tests it, the
//! reports that command leaves, and the JDKs on this machine.
//!
//! This crate reads build files and starts build tools. It knows nothing of analyses, agents or
//! the terminal, it edits no build file, and it hands nothing to a shell.

mod ant;
mod build_tool;
mod error;
mod gradle;
mod jdk;
mod maven;
mod outside;
mod program;
mod project;
mod report_file;
mod reports;
mod test_command;
#[cfg(test)]
mod tree;
mod xml;

pub use build_tool::{BuildTool, ToolVersion};
pub use error::ProjectError;
pub use jdk::{JavaHomeFault, Jdk, JdkSource, find_jdks, java_home_fault};
pub use outside::{Outside, is_of_a_build};
pub use project::{Module, Project};
pub use report_file::{ReportedOutcome, ReportedTest};
pub use reports::ReportSummary;
pub use test_command::TestCommand;
