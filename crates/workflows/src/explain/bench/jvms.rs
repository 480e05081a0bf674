//! The JVMs that tests are run in, as far as a bench has to know them.
//!
//! What is made of their answers does not depend on how they are started, so that tests of it need none.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use jury_jvm::{
    Attention, BatchEnd, BatchEvent, Installation, JvmError, WorkPlan, Worker as WorkerJvm,
};
use jury_model::{Engine, Outcome, Recipe, TestId};

/// Tests to be run together, and what is wanted of them.
pub(in crate::explain) struct Batch<'b> {
    pub engine: &'b Engine,
    /// With their time limits.
    pub tests: Vec<(TestId, Duration)>,
    pub mutant: Option<u32>,
    pub attention: Attention,
    pub cancelled: &'b AtomicBool,
}

/// A JVM that runs tests with one mutant on or none.
pub(in crate::explain) trait TestJvm {
    fn run(&mut self, batch: Batch<'_>, report: &mut dyn FnMut(BatchEvent)) -> BatchEnd;
}

/// Starts JVMs.
pub(in crate::explain) trait TestJvms: Sync {
    fn start(&self, recipe: &Recipe) -> Result<Box<dyn TestJvm>, JvmError>;
}

/// Workers, whose classes are rewritten as a plan says.
pub(in crate::explain) struct Workers<'a> {
    pub installation: &'a Installation,
    pub plan: &'a WorkPlan,
}

impl TestJvms for Workers<'_> {
    fn start(&self, recipe: &Recipe) -> Result<Box<dyn TestJvm>, JvmError> {
        let worker = WorkerJvm::start(recipe, self.installation, self.plan)?;
        Ok(Box::new(worker))
    }
}

impl TestJvm for WorkerJvm {
    fn run(&mut self, batch: Batch<'_>, report: &mut dyn FnMut(BatchEvent)) -> BatchEnd {
        let ready = self
            .switch(batch.mutant)
            .and_then(|()| self.attend(batch.attention));
        if ready.is_err() {
            return BatchEnd::Lost {
                how: Outcome::Crashed,
                rest: batch.tests,
                culprits_known: false,
            };
        }
        WorkerJvm::run(self, batch.engine, batch.tests, batch.cancelled, report)
    }
}
