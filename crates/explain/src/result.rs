//! All that a run of `jury explain` found out, ready to be reported.

use std::collections::BTreeMap;

use jury_model::{Exit, Notice};

use crate::accessibility::{Effect, Member};
use crate::symptom::Symptom;

#[derive(Debug, Clone)]
pub struct ExplainRun {
    pub exit: Exit,
    /// Those most worth a look first.
    pub explanations: Vec<Explanation>,
    pub notices: Vec<Notice>,
    /// Sources of tests into which assertions were written.
    pub applied: Vec<String>,
    /// How often each version was run at most, and at least where all runs agreed.
    pub runs: usize,
    pub explain_millis: u64,
}

#[derive(Debug, Clone)]
pub struct Explanation {
    pub subject: Subject,
    pub symptom: Symptom,
    /// What the source calls the parameters of the method; none where that is not known.
    pub parameters: Vec<String>,
    /// Labels of the tests that run the method and pass, the nearest first.
    pub tests: Vec<String>,
    /// The first difference after a call; none where nothing was infected.
    pub infection: Option<Infection>,
    /// The test whose code is nearest to the method; none where no call was seen to begin in a test.
    pub closest: Option<Closest>,
    /// Differences in the code of tests, one for each test unless all were asked for, those fit for an
    /// assertion first.
    pub exposures: Vec<Exposure>,
    /// What never varied over all calls: an input that should.
    pub unvaried: Vec<Unvaried>,
    /// The nearest methods that a test can call and that lead to the method, for people.
    pub entry_points: Vec<String>,
    pub gaps: Gaps,
    pub caveats: Vec<String>,
    /// What could be asserted holds on this machine or on this day only.
    pub is_local: bool,
    pub millis: u64,
}

/// What nobody looked at, so that the symptom does not speak of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gaps {
    /// Why no call could be compared in any test; none if calls were compared.
    pub calls: Option<String>,
    /// Methods of test code, for people, of which not every expression could be watched.
    pub code: Vec<String>,
    /// What the method does, itself or through what it calls, that is not looked at.
    pub effects: Vec<Effect>,
}

/// A test, and how near its code comes to a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closest {
    pub test: String,
    /// The least number of calls from the code of the test to the method: 1 if it makes the call itself.
    pub distance: u32,
}

/// The mutant that nobody noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// Stable text.
    pub id: String,
    /// Source name.
    pub class: String,
    pub method: String,
    pub descriptor: String,
    /// In words: "body removed", "returns `0`".
    pub description: String,
    pub operator: String,
    /// Where the source lies, or at least its name.
    pub file: Option<String>,
    pub line: Option<u16>,
}

impl Subject {
    /// As entry points are written.
    pub fn signature(&self) -> String {
        let member = Member {
            class: self.class.clone(),
            name: self.method.clone(),
            descriptor: self.descriptor.clone(),
        };
        member.to_string()
    }
}

/// A difference right after a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Infection {
    pub test: String,
    /// Which call of the test, from 1.
    pub call: u32,
    /// Where it shows: `result`, `receiver`, `argument 1`, `exit` or `calls`.
    pub role: String,
    /// The field of it; none for the thing itself.
    pub field: Option<String>,
    /// What of it: `value`, `null`, `length`, `size`, …
    pub aspect: String,
    pub original: String,
    pub mutant: String,
    /// What the call was given: each argument that has a value of its own, by its number from 1.
    pub given: Vec<(usize, String)>,
    /// How many differences there are in all.
    pub differences: usize,
    /// After how many calls of the test something differs.
    pub differing_calls: usize,
    /// How many calls of the test were compared.
    pub compared_calls: usize,
    /// From the method to the test, as `class.method:line`.
    pub stack: Vec<String>,
    /// What in the test led to the call; none where its source is not known.
    pub trigger: Option<Trigger>,
    /// What a test can call to see the field, for people.
    pub readers: Vec<String>,
}

/// A statement of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trigger {
    /// Relative to the project.
    pub file: String,
    pub line: u16,
    /// In one line, and shortened.
    pub statement: String,
}

/// A difference in the code of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exposure {
    pub test: String,
    /// The source of the test, relative to the project where it lies in it.
    pub file: Option<String>,
    pub line: Option<u16>,
    /// First and last column, from 1.
    pub columns: Option<(usize, usize)>,
    /// As the source has it, or what the compiler left of it.
    pub expression: String,
    pub type_name: String,
    pub field: Option<String>,
    pub aspect: String,
    pub original: String,
    pub mutant: String,
    /// What a test can call to see an inaccessible field, for people.
    pub readers: Vec<String>,
    pub assertion: Option<Assertion>,
}

/// An assertion that compiles, passes on the original and fails on the mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion {
    pub text: String,
    /// A unified diff of the test's source.
    pub diff: String,
}

/// An input or result that had one value in all calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unvaried {
    /// `result`, `receiver`, `argument 1`.
    pub role: String,
    pub field: Option<String>,
    pub aspect: String,
    pub value: String,
    /// Another value that could be tried, for an input.
    pub variant: Option<String>,
}

impl ExplainRun {
    pub fn count(&self, symptom: Symptom) -> usize {
        let with = self.explanations.iter();
        with.filter(|each| each.symptom == symptom).count()
    }

    /// Where differences after a call show, and in how many mutants: `result`, `receiver`, `argument`,
    /// `exit`, `calls`.
    pub fn infections(&self) -> BTreeMap<&str, usize> {
        let mut shown = BTreeMap::new();
        for infection in self
            .explanations
            .iter()
            .filter_map(|each| each.infection.as_ref())
        {
            let role = infection.role.split(' ').next().unwrap_or_default();
            *shown.entry(role).or_default() += 1;
        }
        shown
    }

    /// Weak oracles for which no assertion can be written: findings about testability.
    pub fn without_observer(&self) -> usize {
        let all = self.explanations.iter();
        all.filter(|each| each.lacks_observer()).count()
    }

    /// Weak oracles, and those of them with a proven assertion.
    pub fn proven(&self) -> (usize, usize) {
        let weak = self.explanations.iter();
        let weak = weak.filter(|each| each.symptom == Symptom::WeakOracle);
        let proven = weak.clone().filter(|each| each.assertion().is_some());
        (weak.count(), proven.count())
    }
}

impl Explanation {
    /// Whether a test holds what differs, but no method that it could call shows it: code has to change
    /// before anything can be asserted.
    pub fn lacks_observer(&self) -> bool {
        let hidden = |each: &Exposure| each.field.is_some() && each.readers.is_empty();
        self.symptom == Symptom::WeakOracle
            && self.assertion().is_none()
            && self.exposures.iter().all(hidden)
    }

    pub fn assertion(&self) -> Option<(&Exposure, &Assertion)> {
        let exposures = self.exposures.iter();
        exposures
            .filter_map(|exposure| Some((exposure, exposure.assertion.as_ref()?)))
            .next()
    }
}
