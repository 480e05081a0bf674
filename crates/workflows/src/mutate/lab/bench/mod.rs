//! One thread's place of work: a worker JVM, and what may be concluded from what happens in it.
//!
//! What benches share, and in which order all this is done, is the lab's business.

mod alone;
mod attempt;
mod covering;
pub(crate) mod matrix;
mod settling;
mod warm;

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

use jury_jvm::Patience;

use self::warm::Warm;
use super::{Fate, Lab, LabEvent, Tell, Trial};

/// About what it takes to start a JVM until the first test has run. Tests that took no longer in the
/// build are asked rather than saved.
const FRESH_JVM: Duration = Duration::from_secs(2);

pub(super) struct Bench<'a> {
    lab: &'a Lab<'a>,
    /// What is to be tried alone, by whichever bench has time for it in the end.
    solitary: &'a Mutex<Vec<Trial>>,
    worker: Option<Warm<'a>>,
    patience: Patience,
    /// Tests that pass but once in a JVM. No warm worker can ask them.
    unrepeatable: HashSet<usize>,
    /// Tests that pass twice.
    repeatable: HashSet<usize>,
    /// Whether tests pass as the first one of a JVM.
    passes_first: HashMap<usize, bool>,
    /// Whether the class of a test fails in the end without any mutant, if only this one is run.
    falls_by_itself: HashMap<usize, bool>,
    /// Tests that all passed, one after the other, in a fresh JVM without any mutant.
    controls: HashSet<Vec<usize>>,
}

impl<'a> Bench<'a> {
    pub fn new(lab: &'a Lab<'a>, solitary: &'a Mutex<Vec<Trial>>) -> Self {
        Bench {
            lab,
            solitary,
            worker: None,
            patience: Patience::default(),
            unrepeatable: HashSet::new(),
            repeatable: HashSet::new(),
            passes_first: HashMap::new(),
            falls_by_itself: HashMap::new(),
            controls: HashSet::new(),
        }
    }

    fn cancelled(&self) -> bool {
        self.lab.cancelled.load(Ordering::Relaxed)
    }
}

/// Makes a verdict final.
fn conclude(trial: &Trial, fate: Fate, tell: &Tell) {
    // The receiver lives as long as the scope that all benches run in.
    let _ = tell.send(LabEvent::Tried {
        mutant: trial.mutant,
        fate,
    });
}

fn unreliable() -> Fate {
    Fate::SetAside("a covering test does not pass reliably without it".to_owned())
}
