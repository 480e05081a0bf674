//! What earlier runs have learnt, and what this one adds to it.
//!
//! Facts are looked up by keys (see `keys`) and hold as long as anyone computes the same ones.
//! News are written while the lab works, so that a run that was killed goes on where it ended. A
//! store that cannot be written costs the news, never the run.

mod contents;
mod inputs;
mod keys;
mod landscape;
mod launch;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use jury_model::{Notice, Recipe};
use jury_mutate::{MethodId, MutantId};
use jury_select::{Digest, Hash128};
use jury_store::{
    CoveredTest, LeftOut, MemoryKey, News, Store, StoreError, StoredAnswer, StoredAnswers,
    StoredVerdict, Used,
};

use self::contents::{Contents, data_beside_sources};
pub(super) use self::inputs::Inputs;
use self::landscape::Landscape;
use self::launch::{Files, launch};
use super::lab::{Baseline, Fate, LabTest, Limit, NOT_FOUND, Replies, Trial};
use super::subject::{Probe, Subject, SubjectClass, class_directories};

/// News are written when there are so many of them, or after so long.
const MOST_UNWRITTEN: usize = 300;
const LONGEST_UNWRITTEN: Duration = Duration::from_secs(1);

pub(super) struct Memory<'a> {
    store: &'a mut Store,
    subject: &'a Subject,
    tests: &'a [LabTest<'a>],
    contents: Contents,
    launches: HashMap<*const Recipe, Launch>,
    /// What each test uses beside code.
    data: Vec<Hash128>,
    probed: String,
    probes: Vec<Probe<'a>>,
    mutants: Vec<&'a MutantId>,
    /// The store's number of each probe.
    stored_numbers: Vec<u32>,
    fresh: bool,
    /// The key of each test whose coverage is known.
    keys: Vec<Option<MemoryKey>>,
    verdicts: HashMap<MemoryKey, StoredVerdict>,
    answers: HashMap<MemoryKey, StoredAnswers>,
    news: News,
    used: Used,
    written: Instant,
    trouble: Option<StoreError>,
}

/// What all tests of one recipe have in common.
struct Launch {
    hash: Hash128,
    landscape: Landscape,
    /// What lies beside the module's sources.
    data: Hash128,
}

/// Verdicts that another run would give again.
const KILLED: &str = "killed";
const SURVIVED: &str = "survived";
const TIMED_OUT: &str = "timed-out";
/// And what a test may say besides.
const VANISHED: &str = "not-found";

/// What a run asks of the memory.
pub(in crate::mutate) struct Reliance {
    /// What is probed beside methods.
    pub probed: String,
    /// Nothing that earlier runs have learnt is relied on.
    pub fresh: bool,
    /// What every test said to a mutant is of use, too.
    pub matrix: bool,
}

impl<'a> Memory<'a> {
    pub fn open(
        store: &'a mut Store,
        subject: &'a Subject,
        tests: &'a [LabTest<'a>],
        inputs: &Inputs,
        root: &Path,
        reliance: Reliance,
    ) -> Result<Self, StoreError> {
        let Reliance {
            probed,
            fresh,
            matrix,
        } = reliance;
        let probes = subject.probes();
        let names: Vec<String> = probes.iter().map(name).collect();
        let names: Vec<(&str, &str)> = probes
            .iter()
            .zip(&names)
            .map(|(probe, name)| (probe.method.class.as_str(), name.as_str()))
            .collect();
        let stored_numbers = store.number_methods(&names)?;
        let verdicts = if fresh { Vec::new() } else { store.verdicts()? };
        let answers = match matrix && !fresh {
            true => store.answers()?,
            false => Vec::new(),
        };
        let (contents, launches) = read_launches(tests, root);
        let data = data_of(tests, &launches, inputs, root);
        Ok(Memory {
            subject,
            tests,
            contents,
            launches,
            data,
            probed,
            probes,
            mutants: subject.mutant_ids(),
            stored_numbers,
            keys: vec![None; tests.len()],
            fresh,
            verdicts: verdicts.into_iter().map(|one| (one.key, one)).collect(),
            answers: answers.into_iter().map(|one| (one.key, one)).collect(),
            news: News::default(),
            used: Used::default(),
            written: Instant::now(),
            trouble: None,
            store,
        })
    }

    /// What is known of each test. Tests that share fixtures are known together or not at all:
    /// which of them a fixture's work is attributed to depends on all of them.
    pub fn recall_tests(&mut self) -> Result<Vec<Option<Baseline>>, StoreError> {
        if self.fresh {
            return Ok(vec![None; self.tests.len()]);
        }
        let mut versions: HashMap<MemoryKey, Vec<CoveredTest>> = HashMap::new();
        for covered in self.store.covered_tests()? {
            versions.entry(covered.test).or_default().push(covered);
        }
        let numbers: HashMap<u32, u32> = (0..).zip(&self.stored_numbers).map(swap).collect();
        let mut recalled = Vec::with_capacity(self.tests.len());
        let mut incomplete = HashSet::new();
        for (test, lab_test) in self.tests.iter().enumerate() {
            let found = self.test_key(test).and_then(|key| {
                let candidates = versions.get(&key)?;
                candidates
                    .iter()
                    .find_map(|covered| self.holds(test, covered, &numbers))
            });
            if found.is_none() {
                incomplete.insert(lab_test.group);
            }
            recalled.push(found);
        }
        let known = recalled.into_iter().zip(self.tests).enumerate();
        Ok(known
            .map(|(test, (found, lab_test))| {
                let (key, baseline) = found.filter(|_| !incomplete.contains(&lab_test.group))?;
                self.keys[test] = Some(key);
                self.used.covered.push(key);
                Some(baseline)
            })
            .collect())
    }

    /// What a test did then, if everything it could reach is now as it was.
    fn holds(
        &self,
        test: usize,
        covered: &CoveredTest,
        numbers: &HashMap<u32, u32>,
    ) -> Option<(MemoryKey, Baseline)> {
        let probes = |stored: &[u32]| -> Option<BTreeSet<u32>> {
            let probes = stored.iter().map(|number| numbers.get(number).copied());
            probes.collect()
        };
        let hits = probes(&covered.methods)?;
        let initialising = probes(&covered.initialising)?;
        let key = self.covered_key(test, &hits)?;
        (key == covered.key).then(|| {
            let baseline = Baseline {
                outcome: Some(covered.outcome),
                again: Some(covered.outcome),
                failure: None,
                hits,
                initialising,
                work: covered.work,
                micros: covered.micros,
            };
            (key, baseline)
        })
    }

    pub fn learn_test(&mut self, test: usize, baseline: &Baseline) {
        let Some(outcome) = baseline.outcome.filter(|_| baseline.is_reproducible()) else {
            return;
        };
        let (Some(test_key), Some(key)) =
            (self.test_key(test), self.covered_key(test, &baseline.hits))
        else {
            return;
        };
        let stored = |probes: &BTreeSet<u32>| {
            let numbers = (probes.iter()).map(|probe| self.stored_numbers[*probe as usize]);
            numbers.collect()
        };
        self.keys[test] = Some(key);
        self.news.covered.push(CoveredTest {
            key,
            test: test_key,
            id: self.tests[test].id.clone(),
            outcome,
            micros: baseline.micros,
            work: baseline.work,
            methods: stored(&baseline.hits),
            initialising: stored(&baseline.initialising),
        });
        self.keep_up();
    }

    /// What became of a mutant when its tests were as they are now.
    pub fn recall(&mut self, trial: &Trial) -> Option<Fate> {
        let whole = self.verdict_key(trial.mutant, &trial.tests)?;
        let by = |verdict: &StoredVerdict| {
            let id = verdict.noticed_by.as_ref()?;
            let test = trial.tests.iter().find(|test| self.tests[**test].id == *id);
            test.copied()
        };
        let recalled = self.verdicts.get(&whole).and_then(|verdict| {
            let fate = match verdict.verdict.as_str() {
                SURVIVED => Fate::Survived,
                TIMED_OUT => Fate::TimedOut {
                    by: by(verdict)?,
                    limit: Limit::Work,
                },
                _ => return None,
            };
            Some((whole, fate))
        });
        // One test that noticed the mutant is enough, whatever became of the others.
        let (key, fate) = recalled.or_else(|| {
            trial.tests.iter().find_map(|&by| {
                let key = self.verdict_key(trial.mutant, &[by])?;
                let verdict = self.verdicts.get(&key)?;
                let failure = verdict.failure.clone();
                (verdict.verdict == KILLED).then_some((key, Fate::Killed { by, failure }))
            })
        })?;
        self.used.verdicts.push(key);
        Some(fate)
    }

    /// Keeps a verdict if another run would give it again: crashes, exhausted memory and the clock
    /// depend on more than can be seen.
    pub fn learn(&mut self, trial: &Trial, fate: &Fate) {
        let (verdict, tests, noticed_by, failure) = match fate {
            Fate::Killed { by, failure } => (KILLED, &[*by][..], Some(*by), failure.clone()),
            Fate::Survived => (SURVIVED, &trial.tests[..], None, None),
            Fate::TimedOut {
                by,
                limit: Limit::Work,
            } => (TIMED_OUT, &trial.tests[..], Some(*by), None),
            Fate::TimedOut { .. }
            | Fate::OutOfMemory { .. }
            | Fate::Crashed { .. }
            | Fate::SetAside(_) => return,
        };
        let Some(key) = self.verdict_key(trial.mutant, tests) else {
            return;
        };
        self.news.verdicts.push(StoredVerdict {
            key,
            mutant: self.mutants[trial.mutant as usize].to_string(),
            verdict: verdict.to_owned(),
            noticed_by: noticed_by.map(|test| self.tests[test].id.clone()),
            failure,
        });
        self.keep_up();
    }

    /// What every test said to a mutant when all of them were as they are now.
    pub fn recall_replies(&mut self, trial: &Trial) -> Option<Replies> {
        let key = self.verdict_key(trial.mutant, &trial.tests)?;
        let stored = self.answers.get(&key)?;
        let tests = self.in_order_of_ids(trial);
        let mut replies: Replies = tests.iter().map(|test| (*test, Fate::Survived)).collect();
        for answer in &stored.answers {
            let by = *tests.get(answer.place as usize)?;
            let fate = match answer.verdict.as_str() {
                KILLED => Fate::Killed {
                    by,
                    failure: answer.failure.clone(),
                },
                TIMED_OUT => Fate::TimedOut {
                    by,
                    limit: Limit::Work,
                },
                VANISHED => Fate::SetAside(NOT_FOUND.to_owned()),
                _ => return None,
            };
            replies.insert(by, fate);
        }
        self.used.answers.push(key);
        Some(replies)
    }

    /// Keeps what all tests said if another run would hear it again, from the first to the last.
    pub fn learn_replies(&mut self, trial: &Trial, replies: &Replies) {
        let mut answers = Vec::new();
        for (place, test) in (0..).zip(self.in_order_of_ids(trial)) {
            let (verdict, failure) = match replies.get(&test) {
                Some(Fate::Survived) => continue,
                Some(Fate::Killed { failure, .. }) => (KILLED, failure.clone()),
                Some(Fate::TimedOut {
                    limit: Limit::Work, ..
                }) => (TIMED_OUT, None),
                Some(Fate::SetAside(reason)) if reason == NOT_FOUND => (VANISHED, None),
                _ => return,
            };
            answers.push(StoredAnswer {
                place,
                verdict: verdict.to_owned(),
                failure,
            });
        }
        if let Some(key) = self.verdict_key(trial.mutant, &trial.tests) {
            self.news.answers.push(StoredAnswers {
                key,
                mutant: self.mutants[trial.mutant as usize].to_string(),
                answers,
            });
            self.keep_up();
        }
    }

    fn in_order_of_ids(&self, trial: &Trial) -> Vec<usize> {
        let mut tests = trial.tests.clone();
        tests.sort_by_key(|test| (&self.tests[*test].id, *test));
        tests
    }

    /// Methods, or whole classes if the method is empty, that workers could not rewrite.
    pub fn recall_left_out(&mut self) -> Result<Vec<LeftOut>, StoreError> {
        if self.fresh {
            return Ok(Vec::new());
        }
        let mut left_out = self.store.left_out()?;
        let present: HashSet<MemoryKey> = self
            .subject
            .classes
            .iter()
            .filter_map(|class| self.left_out_key(class))
            .collect();
        left_out.retain(|one| present.contains(&one.key));
        let keys = left_out.iter().map(|one| one.key);
        self.used.left_out.extend(keys);
        Ok(left_out)
    }

    pub fn learn_left_out(&mut self, class: &str, method: &str, reason: &str) {
        let subject = self
            .subject
            .classes
            .iter()
            .find(|one| one.facts.name == class);
        if let Some(key) = subject.and_then(|subject| self.left_out_key(subject)) {
            self.news.left_out.push(LeftOut {
                key,
                class: class.to_owned(),
                method: method.to_owned(),
                reason: reason.to_owned(),
            });
        }
    }

    /// A hash of the code, its tests and how their JVMs are started.
    pub fn code(&self) -> Hash128 {
        let tests = (0..self.tests.len()).filter_map(|test| {
            let launch = self.launch(test);
            let mut digest = Digest::new("jury code of a test 1");
            digest.hash(Hash128(self.test_key(test)?.0));
            digest.hash(launch?.landscape.everything());
            digest.hash(self.data[test]);
            Some(digest.finish())
        });
        let mut digest = Digest::new("jury code 1");
        digest.unordered(tests.collect());
        digest.finish()
    }

    /// Writes what is left, and forgets what has been of no use for long. Says if news were lost.
    pub fn close(mut self) -> Option<Notice> {
        self.write();
        if self.trouble.is_none() {
            self.trouble = self.store.tidy_memory(&self.used, SystemTime::now()).err();
        }
        let error = self.trouble?;
        Some(Notice {
            message: format!("what was learnt could not all be kept: {error}"),
            hint: error.hint().map(str::to_owned),
        })
    }

    fn keep_up(&mut self) {
        let News {
            covered,
            verdicts,
            answers,
            ..
        } = &self.news;
        let unwritten = covered.len() + verdicts.len() + answers.len();
        if unwritten >= MOST_UNWRITTEN || self.written.elapsed() > LONGEST_UNWRITTEN {
            self.write();
        }
    }

    pub fn write(&mut self) {
        let news = std::mem::take(&mut self.news);
        self.written = Instant::now();
        if self.trouble.is_none() && news != News::default() {
            self.trouble = self.store.remember(&news, SystemTime::now()).err();
        }
    }

    fn launch(&self, test: usize) -> Option<&Launch> {
        self.launches
            .get(&std::ptr::from_ref(self.tests[test].recipe))
    }

    fn test_key(&self, test: usize) -> Option<MemoryKey> {
        let LabTest { engine, id, .. } = &self.tests[test];
        Some(keys::test(
            self.launch(test)?.hash,
            &self.probed,
            engine,
            id,
        ))
    }

    fn covered_key(&self, test: usize, hits: &BTreeSet<u32>) -> Option<MemoryKey> {
        let launch = self.launch(test)?;
        let own = self.tests[test].class.replace('.', "/");
        let mut classes: Vec<&str> = hits
            .iter()
            .map(|probe| self.probes[*probe as usize].method.class.as_str())
            .collect();
        // Probes of one class have neighbouring numbers.
        classes.dedup();
        classes.push(&own);
        let reachable = launch.landscape.content(classes);
        let data = self.data[test];
        Some(keys::covered(self.test_key(test)?, reachable, data))
    }

    fn verdict_key(&self, mutant: u32, tests: &[usize]) -> Option<MemoryKey> {
        let tests: Option<Vec<MemoryKey>> = tests.iter().map(|test| self.keys[*test]).collect();
        Some(keys::verdict(self.mutants[mutant as usize], tests?))
    }

    fn left_out_key(&self, class: &SubjectClass) -> Option<MemoryKey> {
        let name = &class.facts.name;
        let content = self.contents.class(&class.directory, name)?;
        Some(keys::left_out(&self.probed, name, content))
    }
}

/// The name of a probe within its class: `add(I)V`, or `add(I)V@12` for a block.
fn name(probe: &Probe<'_>) -> String {
    let MethodId {
        name, descriptor, ..
    } = probe.method;
    match probe.block {
        Some(block) => format!("{name}{descriptor}@{block}"),
        None => format!("{name}{descriptor}"),
    }
}

fn swap((number, stored): (u32, &u32)) -> (u32, u32) {
    (*stored, number)
}

/// Reads what the recipes of all tests lead to, each thing once.
fn read_launches(tests: &[LabTest<'_>], root: &Path) -> (Contents, HashMap<*const Recipe, Launch>) {
    let mut recipes: Vec<&Recipe> = Vec::new();
    for test in tests {
        if !recipes
            .iter()
            .any(|known| std::ptr::eq(*known, test.recipe))
        {
            recipes.push(test.recipe);
        }
    }
    let directories: Vec<Vec<PathBuf>> = recipes
        .iter()
        .map(|recipe| class_directories(recipe))
        .collect();
    let contents = Contents::read(directories.iter().flatten().map(PathBuf::as_path));
    let mut files = Files::default();
    let launches = recipes
        .iter()
        .zip(&directories)
        .map(|(recipe, directories)| {
            let launch = Launch {
                hash: launch(recipe, root, &mut files),
                landscape: Landscape::of(directories, &contents),
                data: data_beside_sources(Path::new(&recipe.working_directory)),
            };
            (std::ptr::from_ref(*recipe), launch)
        });
    let launches = launches.collect();
    (contents, launches)
}

/// What each test uses beside code; the tests of a group use the same.
fn data_of(
    tests: &[LabTest<'_>],
    launches: &HashMap<*const Recipe, Launch>,
    inputs: &Inputs,
    root: &Path,
) -> Vec<Hash128> {
    let mut groups: HashMap<usize, Hash128> = HashMap::new();
    let data = tests.iter().map(|test| {
        *groups.entry(test.group).or_insert_with(|| {
            let beside = launches[&std::ptr::from_ref(test.recipe)].data;
            let directory = Path::new(&test.recipe.working_directory);
            match inputs.digest(&test.class, directory, root) {
                Some(inputs) => {
                    let mut digest = Digest::new("jury data of a test 1");
                    digest.hash(beside);
                    digest.hash(inputs);
                    digest.finish()
                }
                None => beside,
            }
        })
    });
    data.collect()
}
