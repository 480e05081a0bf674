//! The command that tests a project, as its user would type it.

use std::env::VarError;
use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

use jury_model::{MAVEN_OPTIONS, quick_maven};

use crate::build_tool::BuildTool;
use crate::error::ProjectError;
use crate::project::Project;
use crate::{ant, gradle};

/// A command, to be run in the project's root. No shell takes part, so nothing in it needs quoting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCommand {
    pub program: String,
    pub args: Vec<String>,
    /// What else makes the tool show colours. No part of what a person would type: the same command
    /// with and without a terminal is the same.
    pub colouring: Option<&'static str>,
}

impl TestCommand {
    /// All that the program is to be called with.
    pub fn all_args(&self) -> Vec<String> {
        let colouring = self.colouring.map(str::to_owned);
        self.args.iter().cloned().chain(colouring).collect()
    }

    /// What it is to be started with on top of the user's variables. Maven's JVM, the compiler in it
    /// included, is done before HotSpot's second compiler pays (decision 0022). Scripts may start
    /// Maven, too; the variable means nothing to anybody else.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        // Options that are no text are left as they are.
        let options = match std::env::var(MAVEN_OPTIONS) {
            Ok(options) => quick_maven(&options),
            Err(VarError::NotPresent) => quick_maven(""),
            Err(VarError::NotUnicode(_)) => None,
        };
        options
            .map(|options| (MAVEN_OPTIONS, options))
            .into_iter()
            .collect()
    }

    /// Whether it runs Gradle, through a wrapper or not.
    pub fn is_gradle(&self) -> bool {
        let name = Path::new(&self.program).file_name().unwrap_or_default();
        ["gradle", "gradlew"].iter().any(|gradle| name == *gradle)
    }
}

impl Project {
    /// The build tool's own way to run the tests of the project, or of one module and what it
    /// depends on. Flags are added only where the tool would otherwise not run the tests at all, or
    /// not show colours, which `colour` asks for.
    pub fn test_command(
        &self,
        module: Option<&str>,
        colour: bool,
    ) -> Result<TestCommand, ProjectError> {
        self.test_command_with(module, colour, std::env::var_os("PATH").as_deref())
    }

    fn test_command_with(
        &self,
        module: Option<&str>,
        colour: bool,
        path: Option<&OsStr>,
    ) -> Result<TestCommand, ProjectError> {
        let module = module.map(|name| self.known_module(name)).transpose()?;
        let args = match self.build_tool() {
            BuildTool::Maven => maven_args(module),
            BuildTool::Gradle => gradle_args(self.root(), module),
            BuildTool::Ant => {
                let target = ant::test_target(self.root()).ok_or(ProjectError::NoTestTarget)?;
                vec![target.to_owned()]
            }
        };
        Ok(TestCommand {
            program: self.build_tool().program(self.root(), path)?,
            args,
            colouring: self.colouring().filter(|_| colour),
        })
    }

    fn colouring(&self) -> Option<&'static str> {
        match self.build_tool() {
            BuildTool::Maven => Some("-Dstyle.color=always"),
            BuildTool::Gradle => Some("--console=rich"),
            BuildTool::Ant => None,
        }
    }

    /// Modules that only the build tool can work out, such as those with a property in their
    /// name, are known by their build file.
    fn known_module<'a>(&self, name: &'a str) -> Result<&'a str, ProjectError> {
        let listed = self.modules().iter().any(|module| module.name == name);
        if listed || self.is_module(&self.root().join(name)) {
            return Ok(name);
        }
        let known: Vec<_> = self
            .modules()
            .iter()
            .map(|known| format!("`{}`", known.name))
            .collect();
        Err(ProjectError::UnknownModule {
            module: name.to_owned(),
            known: known.join(", "),
        })
    }
}

fn maven_args(module: Option<&str>) -> Vec<String> {
    let mut args = vec!["test".to_owned()];
    if let Some(module) = module {
        args.extend(["-pl", module, "-am"].map(str::to_owned));
    }
    args
}

/// Gradle skips tests whose inputs have not changed, and the agent is no input. Since 7.6 the task
/// option `--rerun` makes a task run regardless of its state and of the build cache. Older Gradles,
/// and those whose version is not known because there is no wrapper, get what every Gradle since
/// 3.5 understands: the tests' outputs are removed first, and none are taken from the cache.
///
/// By Gradle's documentation the daemon runs each build with the environment of the client that
/// asked for it, and test JVMs inherit that unless the build script says otherwise. So variables
/// set on this command reach the tests even where a daemon was running before. Old Gradles cannot
/// change their environment on a new JDK, so they have to do without.
fn gradle_args(root: &Path, module: Option<&str>) -> Vec<String> {
    let test = module.map_or_else(|| "test".to_owned(), gradle::test_task);
    let version = gradle::wrapper_version(root);
    if version.is_some_and(|version| version >= (7, 6)) {
        return vec![test, "--rerun".to_owned()];
    }
    // `test` becomes `cleanTest`, `:core:test` becomes `:core:cleanTest`.
    let clean = test.strip_suffix("test").unwrap_or(&test).to_owned() + "cleanTest";
    let mut args = vec![clean, test, "--no-build-cache".to_owned()];
    if version.is_none_or(|version| version < (5, 0)) {
        args.push("--no-daemon".to_owned());
    }
    args
}

/// As a person would type it, for reading only.
impl fmt::Display for TestCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quoted(&self.program))?;
        for arg in &self.args {
            write!(f, " {}", quoted(arg))?;
        }
        Ok(())
    }
}

fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_=+:,./@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Tree;

    /// A directory with every build tool in it, to stand for `PATH`.
    fn tools() -> Tree {
        let tools = Tree::new(&[("mvn", ""), ("gradle", ""), ("ant", "")]);
        for tool in ["mvn", "gradle", "ant"] {
            tools.make_executable(tool);
        }
        tools
    }

    fn command(tree: &Tree, module: Option<&str>) -> Result<TestCommand, ProjectError> {
        let project = Project::discover(&tree.root()).unwrap();
        let tools = tools();
        let path = tools.root();
        project.test_command_with(module, true, Some(path.as_os_str()))
    }

    fn check(tree: &Tree, module: Option<&str>, expected: &str) {
        let command = command(tree, module).unwrap();
        assert_eq!(command.to_string(), expected);
    }

    #[test]
    fn colours_are_asked_for_and_do_not_make_it_another_command() {
        for (tree, flag) in [
            (reactor(), "-Dstyle.color=always"),
            (gradle("gradle-8.14-bin.zip"), "--console=rich"),
        ] {
            let command = command(&tree, None).unwrap();
            assert_eq!(command.all_args().last().unwrap(), flag);
            assert!(!command.to_string().contains(flag), "{command}");
        }
    }

    #[test]
    fn gradle_is_known_by_its_name_and_by_that_of_its_wrapper() {
        for (program, expected) in [
            ("./gradlew", true),
            ("/opt/gradle/bin/gradle", true),
            ("mvn", false),
            ("./gradlew-all", false),
        ] {
            let command = TestCommand {
                program: program.to_owned(),
                args: Vec::new(),
                colouring: None,
            };
            assert_eq!(command.is_gradle(), expected, "{program}");
        }
    }

    fn reactor() -> Tree {
        Tree::new(&[
            (
                "pom.xml",
                "<project><modules><module>my core</module></modules></project>",
            ),
            ("my core/pom.xml", "<project/>"),
        ])
    }

    #[test]
    fn maven_is_asked_for_its_test_phase_and_little_else() {
        check(&reactor(), None, "mvn test");
        check(&reactor(), Some("my core"), "mvn test -pl 'my core' -am");
        check(&reactor(), Some("."), "mvn test -pl . -am");
    }

    #[test]
    fn an_unknown_module_is_refused_with_those_there_are() {
        let error = command(&reactor(), Some("cor")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the project has no module `cor`; it has `.`, `my core`"
        );
    }

    #[test]
    fn a_wrapper_is_preferred_if_it_can_be_executed() {
        let tree = reactor();
        tree.write("mvnw", "#!/bin/sh\n");
        check(&tree, None, "mvn test");
        tree.make_executable("mvnw");
        let wrapper = tree.path("mvnw");
        check(&tree, None, &format!("'{}' test", wrapper.display()));
    }

    #[test]
    fn a_missing_build_tool_is_named() {
        let project = Project::discover(&reactor().root()).unwrap();
        for path in [None, Some(OsStr::new("")), Some(OsStr::new("/nowhere"))] {
            let error = project.test_command_with(None, false, path).unwrap_err();
            assert_eq!(
                error.to_string(),
                "found no `mvn` on PATH and no wrapper in the project"
            );
            assert!(error.hint().unwrap().contains("mvnw"));
        }
    }

    fn gradle(distribution: &str) -> Tree {
        Tree::new(&[
            ("settings.gradle", "include 'app:web'"),
            ("app/web/", ""),
            (
                "gradle/wrapper/gradle-wrapper.properties",
                &format!("distributionUrl=https\\://example.org/d/{distribution}\n"),
            ),
        ])
    }

    #[test]
    fn gradle_runs_tests_that_it_holds_for_up_to_date() {
        let modern = gradle("gradle-8.14-bin.zip");
        check(&modern, None, "gradle test --rerun");
        check(&modern, Some("app/web"), "gradle :app:web:test --rerun");
        check(&modern, Some("."), "gradle :test --rerun");
        check(&gradle("gradle-7.6.1-all.zip"), None, "gradle test --rerun");
    }

    #[test]
    fn a_gradle_without_the_rerun_option_removes_outputs_first() {
        let old = gradle("gradle-7.5-bin.zip");
        check(&old, None, "gradle cleanTest test --no-build-cache");
        check(
            &old,
            Some("app/web"),
            "gradle :app:web:cleanTest :app:web:test --no-build-cache",
        );
        let without_daemon = "gradle cleanTest test --no-build-cache --no-daemon";
        check(&gradle("latest.zip"), None, without_daemon);
        check(&gradle("gradle-4.4.1-bin.zip"), None, without_daemon);
    }

    #[test]
    fn ant_is_asked_for_the_target_that_tests() {
        let build = "<project><target name='compile'/><target name='junit' depends='compile'>
            <echo/></target></project>";
        check(&Tree::new(&[("build.xml", build)]), None, "ant junit");
        let without = Tree::new(&[("build.xml", "<project><target name='jar'/></project>")]);
        assert_eq!(command(&without, None), Err(ProjectError::NoTestTarget));
    }

    #[test]
    fn words_are_quoted_for_reading() {
        let command = TestCommand {
            program: "my tool".into(),
            args: ["-Da=b", "it's", "", "ä*"].map(str::to_owned).to_vec(),
            colouring: Some("--colour"),
        };
        assert_eq!(command.to_string(), r"'my tool' -Da=b 'it'\''s' '' 'ä*'");
    }
}
