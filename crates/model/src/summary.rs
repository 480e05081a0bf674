use std::collections::BTreeMap;

use crate::{Exit, Failure, FlakyTest, LaunchedBy, Outcome, TestCase};

/// How many tests ended how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub passed: usize,
    pub skipped: usize,
    pub aborted: usize,
    pub failed: usize,
    pub timed_out: usize,
    pub crashed: usize,
}

impl Counts {
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Skipped => self.skipped += 1,
            Outcome::Aborted => self.aborted += 1,
            Outcome::Failed => self.failed += 1,
            Outcome::TimedOut => self.timed_out += 1,
            Outcome::Crashed => self.crashed += 1,
        }
    }

    pub fn add_all(&mut self, other: &Counts) {
        self.passed += other.passed;
        self.skipped += other.skipped;
        self.aborted += other.aborted;
        self.failed += other.failed;
        self.timed_out += other.timed_out;
        self.crashed += other.crashed;
    }

    pub fn total(&self) -> usize {
        self.passed + self.skipped + self.aborted + self.red()
    }

    pub fn red(&self) -> usize {
        self.failed + self.timed_out + self.crashed
    }
}

impl FromIterator<Outcome> for Counts {
    fn from_iter<I: IntoIterator<Item = Outcome>>(outcomes: I) -> Self {
        let mut counts = Counts::default();
        outcomes.into_iter().for_each(|outcome| counts.add(outcome));
        counts
    }
}

/// Something the reader should know, with what to do about it where that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub message: String,
    pub hint: Option<String>,
}

impl Notice {
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
        }
    }

    pub fn with_hint(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: Some(hint.into()),
        }
    }
}

/// A test that is red, or a class or suite that failed outside its tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedTest {
    pub module: String,
    pub label: String,
    pub outcome: Outcome,
    pub failure: Option<Failure>,
}

impl RedTest {
    /// The outermost class, with which every label begins.
    pub fn top_level_class(&self) -> &str {
        let end = self.label.find(['$', '#', '[']);
        &self.label[..end.unwrap_or(self.label.len())]
    }

    /// Whether a class failed outside of its tests.
    pub fn is_container(&self) -> bool {
        !self.label.contains(['#', '['])
    }
}

/// What a watched build showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedRun {
    pub exit: Exit,
    /// The build's own words for how it ended, such as `exit status: 1`.
    pub build_status: String,
    pub counts: Counts,
    /// Tests per module, in module order.
    pub modules: BTreeMap<String, Counts>,
    /// How many JVMs ran tests, by what started them.
    pub jvms: BTreeMap<LaunchedBy, usize>,
    pub red: Vec<RedTest>,
    /// Tests that were red, and passed when they were run again without a change.
    pub flaky: Vec<RedTest>,
    /// How often the build was run.
    pub attempts: u32,
    pub selected: Selected,
    pub notices: Vec<Notice>,
    pub build_millis: u64,
    /// What Jury itself added after the build.
    pub own_millis: u64,
    /// From the start to the answer, retries included.
    pub total_millis: u64,
}

/// What runs or is left out as a whole: an outermost test class, or a test method.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitName {
    pub module: String,
    /// Binary name of the class.
    pub class: String,
    /// All invocations of this method; none if the unit is the class.
    pub method: Option<String>,
}

impl UnitName {
    /// Reads `class` or `class#method`.
    pub fn new(module: impl Into<String>, unit: &str) -> Self {
        let (class, method) = match unit.split_once('#') {
            Some((class, method)) => (class, Some(method.to_owned())),
            None => (unit, None),
        };
        Self {
            module: module.into(),
            class: class.to_owned(),
            method,
        }
    }

    /// The unit within its module: `class` or `class#method`.
    pub fn unit(&self) -> String {
        match &self.method {
            Some(method) => format!("{}#{method}", self.class),
            None => self.class.clone(),
        }
    }

    pub fn outermost_class(&self) -> &str {
        self.class.split('$').next().unwrap_or(&self.class)
    }
}

/// Which test classes, or methods, ran, and which were left out because nothing they use has changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selected {
    /// False if it was clear without a build that nothing has changed.
    pub build_started: bool,
    /// Whether it was found out what the tests that ran use.
    pub collected: bool,
    pub run: Vec<RunUnit>,
    /// Not listed if no build was started.
    pub left_out: Vec<UnitName>,
    pub left_out_classes: usize,
    /// Methods that were left out of classes whose other methods ran.
    pub left_out_methods: usize,
    /// How the tests that were left out ended when they last ran.
    pub left_out_tests: Counts,
    /// Test classes that did not run because the user did not want them to.
    pub deselected: Vec<String>,
    /// In an audit, what would have been left out, and ran all the same.
    pub audited_classes: usize,
    pub audited_methods: usize,
    /// Those of them that did not end as they were known to.
    pub misses: Vec<Miss>,
    /// If it was left to Jury whether to select classes or methods.
    pub chosen: Option<ChosenUnits>,
    pub analysis_millis: u64,
    pub collection_millis: u64,
}

/// Whether methods were worth selecting, going by how long tests took when they last ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChosenUnits {
    /// Somewhere they were.
    pub methods: bool,
    /// How long the tests of all affected classes take, and those that were chosen.
    pub class_micros: u64,
    pub chosen_micros: u64,
}

/// A unit that would have been left out, and that ended in another way than before. Either it
/// is flaky, or it depends on something that Jury did not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    pub unit: UnitName,
    pub known: Counts,
    pub shown: Counts,
    /// What it was not known to use, and used this time.
    pub newly_used: Vec<String>,
    /// Tests that did not pass before and ended in another way now, in words.
    pub otherwise: Vec<String>,
}

/// A unit, and what would become of it if the tests were run now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreseen {
    pub unit: UnitName,
    /// Why it would run; empty if it would be left out.
    pub reasons: Vec<String>,
    /// How its tests last ended.
    pub tests: Counts,
    /// How long they took; none if they were never seen to run.
    pub micros: Option<u64>,
    /// Why it is a class although methods were asked for.
    pub tangle: Option<String>,
}

/// What running the tests now would mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foresight {
    /// By module and name.
    pub units: Vec<Foreseen>,
    /// How many tests would run, without those of new test classes.
    pub predicted_tests: usize,
    /// How many test classes would run of which nothing is known.
    pub new_classes: usize,
    /// How long the tests that would run will take, going by how long they took; without building
    /// and starting JVMs. A new test class counts with the median of the known ones.
    pub predicted_micros: u64,
    pub notices: Vec<Notice>,
    pub analysis_millis: u64,
}

/// What the last runs have selected.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SelectionReport {
    /// Oldest first.
    pub runs: Vec<RunFigures>,
    /// What became of each unit in the newest run.
    pub units: Vec<ReportedUnit>,
}

/// One run in figures. Times of units that were left out are those of their last run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFigures {
    pub number: i64,
    /// Since 1970, UTC.
    pub started_millis: u64,
    pub command: String,
    /// The commit whose files were tested; none if they were not all as committed.
    pub revision: Option<String>,
    pub run_classes: usize,
    pub left_out_classes: usize,
    pub red_classes: usize,
    pub run_micros: u64,
    pub left_out_micros: u64,
    /// From the start of the build to its end.
    pub millis: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedUnit {
    pub unit: UnitName,
    pub ran: bool,
    pub reason: String,
    pub tests: usize,
    pub red: usize,
    pub micros: u64,
}

/// A unit that ran, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunUnit {
    pub unit: UnitName,
    pub reasons: Vec<String>,
}

/// A test whose replay did not end as its build did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub module: String,
    pub label: String,
    pub recorded: Outcome,
    /// `None` if the framework did not find the test again.
    pub replayed: Option<Outcome>,
    pub failure: Option<Failure>,
}

/// What a replay showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayedRun {
    pub exit: Exit,
    pub counts: Counts,
    pub rounds: usize,
    pub workers: u32,
    pub differences: Vec<Difference>,
    pub red: Vec<RedTest>,
    pub notices: Vec<Notice>,
    pub wall_millis: u64,
    /// Sum of the tests' own durations in the last round.
    pub test_micros: u64,
}

/// A test that Jury knows, with its latest result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownTest {
    pub module: String,
    pub test: TestCase,
    pub outcome: Outcome,
    pub micros: u64,
    /// If it was found to be flaky, and nobody has edited it since.
    pub flaky: Option<FlakyTest>,
}

/// How one part of the set-up is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Health {
    Good,
    /// Works, but something is odd.
    Odd,
    Bad,
}

/// One thing that `jury doctor` looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkup {
    pub subject: String,
    pub health: Health,
    pub finding: String,
    pub hint: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_and_crashes_are_red_but_skipped_and_aborted_tests_are_not() {
        let counts: Counts = Outcome::ALL.into_iter().collect();
        assert_eq!((counts.total(), counts.red()), (6, 3));
    }
}
