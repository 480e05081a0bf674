//! Where mutants are looked at: a warm worker that runs tests with and without one, and records
//! what is shown to the observer.
//!
//! One run of a test without a mutant surveys it, for all mutants of all methods (`survey`). Tests that show
//! something else with a mutant on are suspects (`suspects`), and are compared with the original, run
//! after run (`comparison`). Where a warm JVM may hide the mutant, fresh ones are asked (`afresh`). A few
//! tests in whose code something differs are run as often as was asked for. Why it went unnoticed is left
//! to `findings`.

mod afresh;
mod comparison;
mod evidence;
mod jvms;
mod shown;
mod survey;
mod suspects;
mod warm;

use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use jury_jvm::{JvmError, Patience};
use jury_model::Notice;
use jury_mutate::MethodId;

pub(super) use self::comparison::{Comparison, Differing, Originals};
pub(super) use self::evidence::Evidence;
use self::evidence::Known;
pub(super) use self::jvms::{Batch, Spares, TestJvm, TestJvms, Workers, WorkersElsewhere};
pub(super) use self::shown::is_whole;
use self::survey::Survey;
use self::warm::Warm;
use super::Stage;
use super::findings::TESTS_TRIED;
use super::survivors::Unit;
use crate::mutate::lab::{LabTest, rounds};

/// What all benches share.
pub(super) struct Room<'a> {
    pub jvms: &'a dyn TestJvms,
    pub tests: &'a [LabTest<'a>],
    /// Those that are asked last.
    pub slow: &'a HashSet<usize>,
    /// How often each version is run at most.
    pub runs: usize,
    /// How many fields deep objects are looked at.
    pub depth: u32,
    /// The last stage that is run.
    pub stage: Stage,
    /// Whether all tests are asked, however many show a difference.
    pub every_place: bool,
    pub cancelled: &'a AtomicBool,
}

impl Room<'_> {
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

pub(super) struct Bench<'a> {
    room: &'a Room<'a>,
    /// In which mutants are tried.
    worker: Option<Warm<'a>>,
    patience: Patience,
    /// In which no mutant has ever been on.
    pristine: Option<Warm<'a>>,
    survey: Survey,
    /// What the code of tests showed of the original, value by value, where it was compared.
    values: Originals,
    /// What could not be rewritten as it was to be, and why.
    left_out: BTreeSet<LeftOut>,
    /// Tests that several threads called a method in.
    crowded: HashSet<(usize, u32)>,
    /// Tests that were seen to call a method.
    calling: HashSet<(usize, u32)>,
    /// Tests in which the mutant in question was compared with its original.
    compared: HashSet<usize>,
}

/// A method, or a whole class if no method is named, that could not be rewritten in full.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LeftOut {
    /// In VM form, as the method is, its descriptor included.
    pub class: String,
    pub method: String,
    pub reason: String,
}

impl LeftOut {
    pub fn concerns(&self, method: &MethodId) -> bool {
        let of = |name: &str| self.method.strip_prefix(name) == Some(&method.descriptor);
        self.class == method.class && (self.method.is_empty() || of(&method.name))
    }
}

impl<'a> Bench<'a> {
    pub fn new(room: &'a Room<'a>) -> Self {
        Bench {
            room,
            worker: None,
            patience: Patience::default(),
            pristine: None,
            survey: Survey::default(),
            values: Originals::new(),
            left_out: BTreeSet::new(),
            crowded: HashSet::new(),
            calling: HashSet::new(),
            compared: HashSet::new(),
        }
    }

    /// Looks at every mutant of a method.
    pub fn examine<'u>(&mut self, unit: &'u Unit<'u>) -> Result<Vec<Evidence<'u>>, JvmError> {
        let mut known = Known::default();
        let mut found = Vec::new();
        for survivor in &unit.mutants {
            if self.room.is_cancelled() {
                break;
            }
            let evidence = self.look_at(unit, survivor, &mut known)?;
            // What was cut short says nothing of what was still to come.
            if self.room.is_cancelled() {
                break;
            }
            found.push(evidence);
            self.leave_restless();
        }
        Ok(found)
    }

    /// Splits tests into rounds that grow, each of which can be run together.
    fn rounds(&self, tests: &[usize]) -> Vec<Vec<usize>> {
        rounds(self.room.tests, tests)
    }

    /// Whether more tests need not be asked.
    fn is_enough(&self, exposed: &[Differing]) -> bool {
        let enough = self.methods(exposed) >= TESTS_TRIED && !self.room.every_place;
        enough || self.room.is_cancelled()
    }

    /// How many test methods there are among these.
    fn methods(&self, tests: &[Differing]) -> usize {
        let methods = tests.iter().map(|each| &self.room.tests[each.test].method);
        methods.collect::<HashSet<_>>().len()
    }

    /// What could not be watched.
    pub fn notices(&self) -> Vec<Notice> {
        let left_out = self.left_out.iter();
        left_out
            .map(|one| {
                let place = format!("{} {}", one.class, one.method);
                let reason = &one.reason;
                Notice::new(format!(
                    "`{}` is not watched in full: {reason}",
                    place.trim()
                ))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use self::tests::recipe as sample_recipe;
