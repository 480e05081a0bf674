//! What the tests of each sample do, as `samples/expected.toml` has it.

use std::collections::BTreeMap;
use std::fs;

use serde::Deserialize;

use crate::{Jdk, repository};

/// One way to run the tests of a sample. The file explains the fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    directory: Option<String>,
    #[serde(default)]
    pub prepare: Vec<String>,
    pub command: Vec<String>,
    before_jdk: Option<u32>,
    #[serde(default)]
    pub untried: bool,
    pub build: Build,
    #[serde(default)]
    pub unwatchable: bool,
    #[serde(default)]
    classes: BTreeMap<String, ClassOutcomes>,
    classes_before_jdk_21: Option<BTreeMap<String, ClassOutcomes>>,
    #[serde(default)]
    pub replay: BTreeMap<String, Tantrum>,
    #[serde(default)]
    pub flaky: BTreeMap<String, Suspect>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Build {
    Green,
    Red,
    Broken,
}

/// How many tests of a class end how.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ClassOutcomes {
    pub passed: usize,
    pub skipped: usize,
    pub aborted: usize,
    pub failed: usize,
    /// `failed` if the class failed as a whole.
    pub container: Option<String>,
    /// Tests that get no outcome from their framework.
    pub unreported: usize,
}

impl ClassOutcomes {
    pub fn total(&self) -> usize {
        self.passed + self.skipped + self.aborted + self.failed
    }
}

/// A test that ends otherwise when its sample is asked to misbehave.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tantrum {
    pub test: String,
    pub outcome: String,
}

/// What `jury flaky` says of a test.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suspect {
    pub verdict: String,
    pub culprits: Vec<String>,
}

impl Case {
    /// The sample of the case called `name`.
    pub fn directory<'a>(&'a self, name: &'a str) -> &'a str {
        self.directory.as_deref().unwrap_or(name)
    }

    pub fn runs_on(&self, jdk: &Jdk) -> bool {
        self.before_jdk.is_none_or(|limit| jdk.feature < limit)
    }

    /// Outcomes by class on this JDK.
    pub fn classes(&self, jdk: &Jdk) -> &BTreeMap<String, ClassOutcomes> {
        match &self.classes_before_jdk_21 {
            Some(classes) if jdk.feature < 21 => classes,
            _ => &self.classes,
        }
    }
}

/// All cases by name.
pub fn cases() -> BTreeMap<String, Case> {
    let text = fs::read_to_string(repository().join("samples/expected.toml")).expect("the model");
    toml::from_str(&text).expect("a well-formed model")
}
