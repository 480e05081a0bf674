//! One run as it goes: what the lab tells is noted, learnt and passed on as progress.

use std::collections::{BTreeMap, HashMap};

use jury_model::Notice;
use jury_mutate::{Effort, MethodId, MutantId};

use super::MutateProgress;
use super::lab::{Baseline, Fate, LabEvent, Replies, Trial};
use super::memory::Memory;
use super::subject::Subject;
use crate::WorkflowError;

/// What is known of mutants, from the lab or from memory.
#[derive(Default)]
pub(super) struct Log {
    pub fates: HashMap<u32, Fate>,
    /// What every test says to a mutant, where all were asked.
    pub replies: HashMap<u32, Replies>,
    /// Why a method, or a class if the method is empty, is not rewritten.
    left_out: HashMap<(String, String), String>,
    pub notices: Vec<Notice>,
}

impl Log {
    pub fn reason_left_out(&self, method: &MethodId) -> Option<&str> {
        let own = format!("{}{}", method.name, method.descriptor);
        [own, String::new()].into_iter().find_map(|place| {
            let reason = self.left_out.get(&(method.class.clone(), place));
            reason.map(String::as_str)
        })
    }
}

pub(super) struct Session<'a, P> {
    mutants: Vec<&'a MutantId>,
    memory: Memory<'a>,
    progress: P,
    /// What is being tried, by mutant.
    trials: HashMap<u32, Trial>,
    /// About which mutants all tests are asked; none unless that was wanted.
    polls: BTreeMap<u32, Trial>,
    log: Log,
    effort: Effort,
}

impl<'a, P: FnMut(MutateProgress)> Session<'a, P> {
    pub fn begin(
        subject: &'a Subject,
        mut memory: Memory<'a>,
        progress: P,
    ) -> Result<Self, WorkflowError> {
        let mut log = Log::default();
        for one in memory.recall_left_out()? {
            log.left_out.insert((one.class, one.method), one.reason);
        }
        Ok(Session {
            mutants: subject.mutant_ids(),
            memory,
            progress,
            trials: HashMap::new(),
            polls: BTreeMap::new(),
            log,
            effort: Effort::default(),
        })
    }

    /// What is remembered of each test.
    pub fn recall_tests(&mut self) -> Result<Vec<Option<Baseline>>, WorkflowError> {
        let recalled = self.memory.recall_tests()?;
        let remembered = recalled.iter().flatten().count();
        self.effort.tests_remembered = remembered;
        self.effort.tests_covered = recalled.len() - remembered;
        (self.progress)(MutateProgress::Covering(self.effort.tests_covered));
        Ok(recalled)
    }

    /// Takes the mutants out whose fate is remembered; the rest is to be tried. Survivors that are to
    /// be confirmed are forgotten, since nobody knows how they survived.
    pub fn plan(&mut self, trials: Vec<Trial>, confirm: bool, matrix: bool) -> Vec<Trial> {
        if matrix {
            let all = trials.iter().map(|trial| (trial.mutant, trial.clone()));
            self.polls = all.collect();
        }
        // Whoever is killed from now on has not run the tests in vain.
        self.memory.write();
        let mut unknown = Vec::new();
        for trial in trials {
            let recalled = self.memory.recall(&trial);
            match recalled.filter(|fate| !confirm || *fate != Fate::Survived) {
                Some(fate) => {
                    self.log.fates.insert(trial.mutant, fate);
                    self.effort.mutants_remembered += 1;
                }
                None => unknown.push(trial),
            }
        }
        self.trials = unknown
            .iter()
            .map(|trial| (trial.mutant, trial.clone()))
            .collect();
        (self.progress)(MutateProgress::Trying(unknown.len()));
        unknown
    }

    /// About what everybody is to be asked who has not been yet: mutants that one test has noticed. Of
    /// those that nobody has noticed, everybody was asked; of those without a verdict, nobody can be.
    pub fn plan_polls(&mut self) -> Vec<Trial> {
        let mut polls = Vec::new();
        for trial in self.polls.values() {
            let method = &self.mutants[trial.mutant as usize].method;
            let Some(fate) = self.log.fates.get(&trial.mutant) else {
                continue;
            };
            if self.log.reason_left_out(method).is_some() || matches!(fate, Fate::SetAside(_)) {
                continue;
            }
            let Some(by) = fate.noticed_by() else {
                let survived = trial.tests.iter().map(|test| (*test, Fate::Survived));
                self.log.replies.insert(trial.mutant, survived.collect());
                continue;
            };
            let recalled = self.memory.recall_replies(trial);
            let first = Replies::from([(by, fate.clone())]);
            let mut others = trial.clone();
            // What initialises classes is shown to all in one go, and the same go serves its
            // neighbours.
            (others.tests).retain(|test| *test != by || trial.initialises && trial.tests.len() > 1);
            match recalled {
                Some(replies) => {
                    self.effort.polls_remembered += 1;
                    self.log.replies.insert(trial.mutant, replies);
                }
                None if others.tests.is_empty() => _ = self.log.replies.insert(trial.mutant, first),
                None => polls.push(others),
            }
        }
        if !self.polls.is_empty() {
            (self.progress)(MutateProgress::Polling(polls.len()));
        }
        polls
    }

    pub fn hear(&mut self, event: LabEvent) {
        match event {
            LabEvent::Covered => (self.progress)(MutateProgress::Covered),
            LabEvent::Learnt { test, baseline } => self.memory.learn_test(test, &baseline),
            LabEvent::Tried { mutant, fate } => {
                self.learn(mutant, &fate);
                self.log.fates.insert(mutant, fate);
                self.effort.mutants_tried += 1;
                (self.progress)(MutateProgress::Tried);
            }
            LabEvent::Polled {
                mutant,
                mut replies,
            } => {
                if let Some(fate) = self.log.fates.get(&mutant)
                    && let Some(by) = fate.noticed_by()
                {
                    replies.insert(by, fate.clone());
                }
                if let Some(trial) = self.polls.get(&mutant) {
                    self.memory.learn_replies(trial, &replies);
                }
                self.log.replies.insert(mutant, replies);
                self.effort.mutants_polled += 1;
                (self.progress)(MutateProgress::Polled);
            }
            LabEvent::LeftOut {
                class,
                method,
                reason,
            } => {
                self.memory.learn_left_out(&class, &method, &reason);
                self.log.left_out.insert((class, method), reason);
            }
            LabEvent::Trouble(message) => self.log.notices.push(Notice::new(message)),
        }
    }

    /// A mutant that workers do not carry was never on, whatever its tests said.
    fn learn(&mut self, mutant: u32, fate: &Fate) {
        let method = &self.mutants[mutant as usize].method;
        let carried = self.log.reason_left_out(method).is_none();
        if let Some(trial) = self.trials.remove(&mutant)
            && carried
        {
            self.memory.learn(&trial, fate);
        }
    }

    /// Keeps what is left to keep.
    pub fn end(mut self) -> (Log, Effort) {
        self.log.notices.extend(self.memory.close());
        (self.log, self.effort)
    }
}
