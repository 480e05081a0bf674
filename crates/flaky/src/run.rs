//! What a whole run of `jury flaky` came to.

use jury_model::{Exit, Failure, Flakiness, Notice, Outcome};

use crate::verdict::Verdict;

/// What a run showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlakyRun {
    pub exit: Exit,
    pub tally: Tally,
    /// All tests that are not steady and were seen, by module and label.
    pub suspects: Vec<Suspect>,
    /// Modules and labels of tests that were known as flaky, and are steady now.
    pub taken_back: Vec<(String, String)>,
    pub seed: u64,
    /// How often the recorded order was run, and how many shuffled ones were.
    pub rounds: usize,
    /// Whether every class ran alone, too.
    pub isolated: bool,
    /// How many JVMs were started.
    pub workers: u32,
    pub notices: Vec<Notice>,
    pub wall_millis: u64,
}

/// A test that was red at least once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspect {
    pub module: String,
    pub label: String,
    pub verdict: Verdict,
    /// Names of classes; see [`Judgement`](crate::Judgement).
    pub culprits: Vec<String>,
    pub confirmed: bool,
    /// How it ended in the build.
    pub recorded: Outcome,
    /// How often it ran, and how often it was red.
    pub ran: usize,
    pub red: usize,
    /// The first red outcome, and what came with it.
    pub outcome: Outcome,
    pub failure: Option<Failure>,
    /// A command that shows it again.
    pub reproduce: String,
}

/// How many tests got which verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    pub steady: usize,
    pub broken: usize,
    pub unsteady: usize,
    pub victims: usize,
    pub brittle: usize,
    pub unseen: usize,
}

impl Tally {
    pub fn add(&mut self, verdict: Verdict) {
        *match verdict {
            Verdict::Steady => &mut self.steady,
            Verdict::Broken => &mut self.broken,
            Verdict::Flaky(Flakiness::Unsteady) => &mut self.unsteady,
            Verdict::Flaky(Flakiness::Victim) => &mut self.victims,
            Verdict::Flaky(Flakiness::Brittle) => &mut self.brittle,
            Verdict::Unseen => &mut self.unseen,
        } += 1;
    }

    pub fn flaky(&self) -> usize {
        self.unsteady + self.victims + self.brittle
    }

    pub fn total(&self) -> usize {
        self.steady + self.broken + self.flaky() + self.unseen
    }
}
