//! Worker JVMs that are started before it is settled what they are for. Starting a JVM and a test
//! framework takes longer than most runs of tests, and Jury has enough to read meanwhile.

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver};
use std::thread::Scope;

use jury_jvm::{Installation, JvmError, WorkPlan, Worker};
use jury_model::Recipe;

use super::{LabTest, lock};

/// Workers that are up or will be soon. Whoever is not asked for ends with this value.
#[derive(Default)]
pub(crate) struct EarlyWorkers<'a> {
    recipe: Option<&'a Recipe>,
    starting: Mutex<Option<Starting>>,
}

struct Starting {
    /// How many have not been asked for.
    left: usize,
    started: Receiver<Result<Worker, JvmError>>,
}

impl<'a> EarlyWorkers<'a> {
    /// Starts workers for the recipe that most of the tests have, not more than these tests can
    /// keep busy.
    pub fn start<'s>(
        scope: &'s Scope<'s, '_>,
        jobs: usize,
        tests: &[LabTest<'a>],
        installation: &'s Installation,
        plan: &'s WorkPlan,
        cancelled: &'s AtomicBool,
    ) -> Self
    where
        'a: 's,
    {
        let mut sizes: HashMap<*const Recipe, usize> = HashMap::new();
        for test in tests {
            *sizes.entry(test.recipe).or_default() += 1;
        }
        let size = |test: &&LabTest<'a>| sizes[&std::ptr::from_ref(test.recipe)];
        let Some(usual) = tests.iter().max_by_key(size) else {
            return EarlyWorkers::default();
        };
        let alike = |test: &&LabTest<'a>| std::ptr::eq(test.recipe, usual.recipe);
        let groups: BTreeSet<usize> = tests.iter().filter(alike).map(|test| test.group).collect();
        let left = jobs.min(groups.len());
        let (sender, started) = mpsc::channel();
        for _ in 0..left {
            let (recipe, engine, sender) = (usual.recipe, usual.engine.clone(), sender.clone());
            scope.spawn(move || {
                let mut worker = Worker::start(recipe, installation, plan);
                let is_lost = |worker: &mut Worker| !worker.warm_up(&engine, cancelled);
                if worker.as_mut().is_ok_and(is_lost) {
                    return;
                }
                // If nobody wants it any more, it ends here.
                let _ = sender.send(worker);
            });
        }
        EarlyWorkers {
            recipe: Some(usual.recipe),
            starting: Mutex::new(Some(Starting { left, started })),
        }
    }

    /// One of them, as soon as it is up, if any is left of this recipe and was not lost again.
    pub fn take(&self, recipe: &Recipe) -> Option<Result<Worker, JvmError>> {
        self.recipe.filter(|usual| std::ptr::eq(*usual, recipe))?;
        let mut starting = lock(&self.starting);
        let starting = starting.as_mut()?;
        starting.left = starting.left.checked_sub(1)?;
        starting.started.recv().ok()
    }

    /// Ends all that are left.
    pub fn dismiss(&self) {
        *lock(&self.starting) = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_model::LaunchedBy;
    use std::io;

    fn recipe(java_home: &str) -> Recipe {
        Recipe {
            launched_by: LaunchedBy::Surefire,
            java_home: java_home.to_owned(),
            java_version: String::new(),
            working_directory: String::new(),
            class_path: Vec::new(),
            module_path: Vec::new(),
            module_flags: Vec::new(),
            jvm_flags: Vec::new(),
            properties: Default::default(),
            environment: Default::default(),
            launcher_parameters: Default::default(),
            jvm_per_class: false,
        }
    }

    /// Early workers of which none has come up.
    fn early(recipe: &Recipe, left: usize) -> EarlyWorkers<'_> {
        let (sender, started) = mpsc::channel();
        for _ in 0..left {
            let failed = JvmError::Worker(io::Error::other("no such JVM"));
            sender.send(Err(failed)).unwrap();
        }
        EarlyWorkers {
            recipe: Some(recipe),
            starting: Mutex::new(Some(Starting { left, started })),
        }
    }

    #[test]
    fn an_early_worker_is_given_once_and_only_for_its_own_recipe() {
        let (usual, other) = (recipe("/jdk"), recipe("/jdk"));
        let early = early(&usual, 2);
        assert!(early.take(&other).is_none());
        assert!(early.take(&usual).is_some_and(|worker| worker.is_err()));
        assert!(early.take(&usual).is_some());
        assert!(early.take(&usual).is_none());
    }

    #[test]
    fn nobody_gets_a_worker_that_was_dismissed() {
        let usual = recipe("/jdk");
        let early = early(&usual, 1);
        early.dismiss();
        assert!(early.take(&usual).is_none());
        assert!(EarlyWorkers::default().take(&usual).is_none());
    }
}
