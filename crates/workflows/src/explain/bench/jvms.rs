//! The JVMs that tests are run in, as far as a bench has to know them.
//!
//! What is made of their answers does not depend on how they are started, so that tests of it need none.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver};
use std::thread::Scope;
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
pub(in crate::explain) trait TestJvm: Send {
    /// Does what need not wait for the first tests.
    fn warm_up(&mut self, engine: &Engine, cancelled: &AtomicBool);

    fn run(&mut self, batch: Batch<'_>, report: &mut dyn FnMut(BatchEvent)) -> BatchEnd;

    /// Whether threads that were left behind keep processors busy, if somebody has looked.
    fn is_restless(&mut self) -> Option<bool> {
        None
    }
}

/// Starts JVMs.
pub(in crate::explain) trait TestJvms: Sync {
    fn start(&self, recipe: &Recipe, engine: &Engine) -> Result<Box<dyn TestJvm>, JvmError>;
}

/// Workers, whose classes are rewritten as a plan says.
#[derive(Clone, Copy)]
pub(in crate::explain) struct Workers<'a> {
    pub installation: &'a Installation,
    pub plan: &'a WorkPlan,
}

impl TestJvms for Workers<'_> {
    fn start(&self, recipe: &Recipe, _: &Engine) -> Result<Box<dyn TestJvm>, JvmError> {
        let worker = WorkerJvm::start(recipe, self.installation, self.plan)?;
        Ok(Box::new(worker))
    }
}

/// The same, with temporary files in another place: deeper, and with a longer name.
pub(in crate::explain) struct WorkersElsewhere<'a>(pub Workers<'a>);

const ELSEWHERE: &str = "another/place/for/temporary/files";

impl TestJvms for WorkersElsewhere<'_> {
    fn start(&self, recipe: &Recipe, _: &Engine) -> Result<Box<dyn TestJvm>, JvmError> {
        let Workers { installation, plan } = self.0;
        let temporary = Path::new(ELSEWHERE);
        let worker = WorkerJvm::start_with(recipe, installation, plan, temporary)?;
        Ok(Box::new(worker))
    }
}

impl TestJvm for WorkerJvm {
    fn is_restless(&mut self) -> Option<bool> {
        WorkerJvm::is_restless(self)
    }

    fn warm_up(&mut self, engine: &Engine, cancelled: &AtomicBool) {
        // One that is lost says so when tests are to be run.
        WorkerJvm::warm_up(self, engine, cancelled);
    }

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

/// Has the next JVM get ready while the last one is at work. A bench that needs a second one will need more:
/// some mutants show in fresh JVMs only.
pub(in crate::explain) struct Spares<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    jvms: &'scope dyn TestJvms,
    cancelled: &'scope AtomicBool,
    stock: Mutex<Stock>,
}

#[derive(Default)]
struct Stock {
    is_opened: bool,
    spare: Option<(Recipe, Receiver<Started>)>,
}

type Started = Result<Box<dyn TestJvm>, JvmError>;

impl<'scope, 'env> Spares<'scope, 'env> {
    pub fn new(
        scope: &'scope Scope<'scope, 'env>,
        jvms: &'scope dyn TestJvms,
        cancelled: &'scope AtomicBool,
    ) -> Self {
        Spares {
            scope,
            jvms,
            cancelled,
            stock: Mutex::default(),
        }
    }

    fn prepare(&self, recipe: &Recipe, engine: &Engine) -> Receiver<Started> {
        let (sender, ready) = mpsc::channel();
        let (recipe, engine) = (recipe.clone(), engine.clone());
        let (jvms, cancelled) = (self.jvms, self.cancelled);
        self.scope.spawn(move || {
            let mut started = jvms.start(&recipe, &engine);
            if let Ok(jvm) = &mut started {
                jvm.warm_up(&engine, cancelled);
            }
            // If nobody wants it any more, it ends here.
            let _ = sender.send(started);
        });
        ready
    }
}

impl TestJvms for Spares<'_, '_> {
    fn start(&self, recipe: &Recipe, engine: &Engine) -> Started {
        let mut stock = self.stock.lock().unwrap_or_else(|dead| dead.into_inner());
        let spare = stock.spare.take().filter(|(of, _)| of == recipe);
        let ready = spare.and_then(|(_, ready)| ready.recv().ok());
        let jvm = match ready {
            Some(Ok(jvm)) => jvm,
            _ => self.jvms.start(recipe, engine)?,
        };
        if stock.is_opened {
            stock.spare = Some((recipe.clone(), self.prepare(recipe, engine)));
        }
        stock.is_opened = true;
        Ok(jvm)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::tests::recipe;
    use super::*;

    static WARM: AtomicUsize = AtomicUsize::new(0);

    struct Counted(AtomicUsize);

    struct Idle;

    impl TestJvms for Counted {
        fn start(&self, _: &Recipe, _: &Engine) -> Started {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(Box::new(Idle))
        }
    }

    impl TestJvm for Idle {
        fn warm_up(&mut self, _: &Engine, _: &AtomicBool) {
            WARM.fetch_add(1, Ordering::Relaxed);
        }

        fn run(&mut self, _: Batch<'_>, _: &mut dyn FnMut(BatchEvent)) -> BatchEnd {
            BatchEnd::Done
        }
    }

    #[test]
    fn who_needs_a_second_jvm_finds_the_third_one_ready() {
        let (jvms, cancelled) = (Counted(AtomicUsize::new(0)), AtomicBool::new(false));
        let (recipe, engine) = (recipe(), Engine::new("e"));
        std::thread::scope(|scope| {
            let spares = Spares::new(scope, &jvms, &cancelled);
            spares.start(&recipe, &engine).unwrap();
        });
        assert_eq!(
            jvms.0.load(Ordering::Relaxed),
            1,
            "no spare for a bench that needs one"
        );
        std::thread::scope(|scope| {
            let spares = Spares::new(scope, &jvms, &cancelled);
            for _ in 0..3 {
                spares.start(&recipe, &engine).unwrap();
            }
            assert!(WARM.load(Ordering::Relaxed) > 0);
        });
        assert_eq!(jvms.0.load(Ordering::Relaxed), 1 + 4);
    }
}
