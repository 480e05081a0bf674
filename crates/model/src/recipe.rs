use std::collections::BTreeMap;
use std::fmt;

/// Everything needed to start the same test JVM again on this machine.
///
/// Class path entries are absolute and lasting: jars that hold nothing but a manifest, and
/// argument files, are already expanded, because build tools delete both after the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    pub launched_by: LaunchedBy,
    pub java_home: String,
    pub java_version: String,
    pub working_directory: String,
    pub class_path: Vec<String>,
    pub module_path: Vec<String>,
    /// `--add-modules`, `--patch-module`, `--add-opens` and their kin, one `--flag=value` each.
    pub module_flags: Vec<String>,
    /// All other JVM flags in the order given, `-D` included.
    pub jvm_flags: Vec<String>,
    /// Properties that were set inside the JVM before the first test, by the build tool's booter.
    /// They are not on the command line, so they are set again from inside.
    pub properties: BTreeMap<String, String>,
    pub environment: BTreeMap<String, String>,
    /// JUnit Platform configuration parameters that the build passed to the launcher.
    pub launcher_parameters: BTreeMap<String, String>,
    /// The build gave each test class a JVM of its own, so its tests may rely on that.
    pub jvm_per_class: bool,
}

/// What started the test JVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LaunchedBy {
    /// Maven Surefire or Failsafe.
    Surefire,
    Gradle,
    Ant,
    /// JUnit's console launcher.
    JUnitConsole,
    /// `org.junit.runner.JUnitCore` or `junit.textui.TestRunner`.
    JUnitCore,
    TestNg,
    /// A main class that Jury does not know, in a JVM that then ran tests.
    Other,
    /// Jury itself, replaying.
    Jury,
}

impl LaunchedBy {
    pub const ALL: [LaunchedBy; 8] = [
        LaunchedBy::Surefire,
        LaunchedBy::Gradle,
        LaunchedBy::Ant,
        LaunchedBy::JUnitConsole,
        LaunchedBy::JUnitCore,
        LaunchedBy::TestNg,
        LaunchedBy::Other,
        LaunchedBy::Jury,
    ];

    /// The word used in output and in stored data.
    pub fn word(self) -> &'static str {
        match self {
            LaunchedBy::Surefire => "surefire",
            LaunchedBy::Gradle => "gradle",
            LaunchedBy::Ant => "ant",
            LaunchedBy::JUnitConsole => "junit-console",
            LaunchedBy::JUnitCore => "junit-core",
            LaunchedBy::TestNg => "testng",
            LaunchedBy::Other => "other",
            LaunchedBy::Jury => "jury",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.word() == word)
    }
}

impl fmt::Display for LaunchedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
