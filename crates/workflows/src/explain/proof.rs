//! Proves assertions: they must compile, pass on the original and fail on the mutant.
//!
//! All mutants are served at once, in rounds. A round takes the next proposal for each mutant that
//! has none, writes them into copies of the tests' sources, compiles these in one go and puts the result
//! in front of the class path of a fresh worker. There, the tests of the classes in question must pass, and
//! each mutant must fail at the very line of its own assertion.
//!
//! What has come so far is put together once more, without all that failed. Now all tests must pass that
//! may run the changed sources, those of other classes included (`affected`). What holds only here and
//! today is refuted in one more worker (`elsewhere`).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use jury_explain::{Assertion, Exposure, Proposal, compatible, diff};
use jury_jvm::JvmError;
use jury_model::{Outcome, Recipe};

use super::bench::{Room, TestJvms, is_whole};
use super::drafts::{Compiled, Compiler, Draft, Lines, TestSource, compile_drafts};
use super::elsewhere::elsewhere;
use super::here::Here;
use super::runner::{Answer, Runner};

/// Proposals are tried in at most so many rounds, and so many of each mutant.
const MOST_ROUNDS: usize = 24;
const MOST_TRIED: usize = 12;

/// A mutant that waits for an assertion.
pub(super) struct Wanted {
    /// Its place among the explanations.
    pub explanation: usize,
    pub switch: u32,
    /// Only fresh JVMs show it.
    pub is_hidden: bool,
    /// The likeliest first.
    pub candidates: Vec<Candidate>,
}

#[derive(Clone)]
pub(super) struct Candidate {
    pub test: usize,
    /// The source of the test, as it is.
    pub source: Arc<TestSource>,
    pub proposal: Proposal,
    /// What the assertion was made from; it may stand for it by a length or a hash.
    pub value: String,
    pub exposure: Exposure,
}

/// An assertion that holds what it promises.
pub(super) struct Proven {
    pub explanation: usize,
    pub candidate: Candidate,
}

impl Candidate {
    /// The same where nothing that it asks is null.
    fn where_present(self) -> Option<Self> {
        let proposal = self.proposal.where_present()?;
        Some(Candidate { proposal, ..self })
    }

    /// Whether both are one statement at one place.
    pub fn is_same(&self, other: &Candidate) -> bool {
        self.source.file == other.source.file && self.proposal == other.proposal
    }

    /// Whether both can be written into one copy of the sources.
    pub fn goes_with(&self, other: &Candidate) -> bool {
        self.source.file != other.source.file
            || self.is_same(other)
            || compatible(&self.proposal, &other.proposal)
    }

    fn draft(&self) -> Draft<'_> {
        Draft {
            source: &self.source,
            proposal: &self.proposal,
        }
    }
}

impl Proven {
    /// As it is shown.
    pub fn exposure(&self) -> Exposure {
        let Candidate {
            source, proposal, ..
        } = &self.candidate;
        let assertion = Assertion {
            text: proposal.statement.clone(),
            diff: diff(&source.path, &source.java.text, proposal),
        };
        Exposure {
            assertion: Some(assertion),
            ..self.candidate.exposure.clone()
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Something else got in the way; it may be tried again.
    Open,
    Refuted,
    /// It asks something of what is null in the original.
    Absent,
    /// It holds here and today only.
    Local,
    Proven,
}

/// The tests that statements in each file affect.
type Affected<'c> = BTreeMap<&'c Path, BTreeSet<usize>>;

/// What proofs are made with.
pub(super) struct Prover<'a> {
    room: &'a Room<'a>,
    /// Start JVMs that carry the mutants.
    jvms: &'a dyn TestJvms,
    jvms_elsewhere: &'a dyn TestJvms,
    compile: &'a Compiler<'a>,
    /// The tests that may run the code of a source.
    affected: &'a (dyn Fn(&Path) -> Vec<usize> + 'a),
    here: &'a Here<'a>,
    /// Tests that fail in a JVM of ours even where nothing was changed.
    failing: RefCell<BTreeSet<usize>>,
}

impl<'a> Prover<'a> {
    pub fn new(
        room: &'a Room<'a>,
        (jvms, jvms_elsewhere): (&'a dyn TestJvms, &'a dyn TestJvms),
        compile: &'a Compiler<'a>,
        affected: &'a (dyn Fn(&Path) -> Vec<usize> + 'a),
        here: &'a Here<'a>,
    ) -> Self {
        Prover {
            room,
            jvms,
            jvms_elsewhere,
            compile,
            affected,
            here,
            failing: RefCell::default(),
        }
    }

    /// Adds to what has been proven, and to `local` explanations of which an assertion was found to hold here and
    /// today only.
    pub fn prove(
        &self,
        mut wanted: Vec<Wanted>,
        proven: &mut Vec<Proven>,
        local: &mut BTreeSet<usize>,
    ) -> Result<(), JvmError> {
        for one in &mut wanted {
            let all = one.candidates.len();
            one.candidates.retain(|each| !self.is_of_here(each));
            if one.candidates.len() < all {
                local.insert(one.explanation);
            }
            one.candidates.truncate(MOST_TRIED);
        }
        let mut rounds = MOST_ROUNDS;
        while rounds > 0 && !wanted.is_empty() {
            let likely = self.in_rounds(&mut rounds, &mut wanted)?;
            let candidates: Vec<&Candidate> = likely.iter().map(|(_, each)| each).collect();
            let verdicts = self.settle(&candidates)?;
            if self.room.is_cancelled() {
                break;
            }
            let is_over = verdicts.iter().all(|each| *each == Verdict::Proven);
            for ((mut one, candidate), verdict) in likely.into_iter().zip(verdicts) {
                if verdict == Verdict::Proven {
                    proven.push(Proven {
                        explanation: one.explanation,
                        candidate,
                    });
                    continue;
                }
                one.leave(candidate, verdict, local);
                wanted.push(one);
            }
            if is_over {
                break;
            }
        }
        Ok(())
    }

    pub fn is_cancelled(&self) -> bool {
        self.room.is_cancelled()
    }

    fn is_of_here(&self, candidate: &Candidate) -> bool {
        let recipe = self.room.tests[candidate.test].recipe;
        let source = &candidate.source.java.text;
        let owns = |text: &str| self.here.owns(text, source, recipe);
        owns(&candidate.proposal.statement) || owns(&candidate.value)
    }

    /// Takes those out of the wanted that have an assertion which their own tests bear out.
    fn in_rounds(
        &self,
        rounds: &mut usize,
        wanted: &mut Vec<Wanted>,
    ) -> Result<Vec<(Wanted, Candidate)>, JvmError> {
        let mut likely = Vec::new();
        while *rounds > 0 {
            wanted.retain(|one| !one.candidates.is_empty());
            if wanted.is_empty() || self.room.is_cancelled() {
                break;
            }
            *rounds -= 1;
            let mut done = BTreeMap::new();
            for recipe in recipes(self.room, wanted) {
                let round = self.round(recipe, wanted)?;
                done.extend(round.into_iter().filter(|(_, each)| *each != Verdict::Open));
            }
            if done.is_empty() || self.room.is_cancelled() {
                break;
            }
            // Proposals may exclude each other; whoever had to stand back comes first the next time.
            let mut waiting = Vec::new();
            let mut refuted = Vec::new();
            for (index, mut one) in wanted.drain(..).enumerate() {
                let Some(verdict) = done.get(&index) else {
                    waiting.push(one);
                    continue;
                };
                let candidate = one.candidates.remove(0);
                if *verdict == Verdict::Proven {
                    likely.push((one, candidate));
                } else {
                    one.leave(candidate, *verdict, &mut BTreeSet::new());
                    refuted.push(one);
                }
            }
            wanted.append(&mut waiting);
            wanted.append(&mut refuted);
        }
        Ok(likely)
    }

    /// Tries the first proposal of each mutant whose test has this recipe: what its own test class says, and
    /// what the mutant does.
    fn round(&self, recipe: &Recipe, wanted: &[Wanted]) -> Result<Vec<(usize, Verdict)>, JvmError> {
        let chosen = choose(self.room, recipe, wanted);
        let first = |index: &usize| &wanted[*index].candidates[0];
        let candidates: Vec<&Candidate> = chosen.iter().map(first).collect();
        let (compiled, mut verdicts) = self.compile(recipe, &candidates)?;
        if !compiled.is_empty() {
            let change = |recipe: &Recipe| compiled.recipe(recipe);
            let mut runner = Runner::new(self.room, self.jvms, &change);
            let affected = self.affected_by(&candidates, |_| Vec::new());
            let said = self.ask(&mut runner, &candidates, &affected, &verdicts)?;
            self.judge(&said, &candidates, &affected, &compiled, &mut verdicts)?;
            for (number, index) in chosen.iter().enumerate() {
                if verdicts[number] != Verdict::Open || self.room.is_cancelled() {
                    continue;
                }
                let one = candidates[number];
                let Wanted {
                    switch, is_hidden, ..
                } = wanted[*index];
                let try_in = |runner: &mut Runner<'_>| -> Result<Verdict, JvmError> {
                    let said = runner.run_one(one.test, Some(switch))?;
                    Ok(match said.outcome {
                        Some(Outcome::Failed) => {
                            let at = failed_at(&said.trace, &candidates, &compiled.lines);
                            of_mutant(number, &at)
                        }
                        _ => Verdict::Refuted,
                    })
                };
                let fresh = || Runner::new(self.room, self.jvms, &change);
                let verdict = try_in(&mut runner)?;
                // What a mutant left behind, this one or another, proves nothing, and keeps no other from its
                // proof.
                let is_clean = match verdict {
                    // It fails in any case.
                    Verdict::Open if !said[&one.test].passed() => true,
                    _ => runner.run_one(one.test, None)?.passed(),
                };
                if !is_clean {
                    runner = fresh();
                }
                verdicts[number] = match verdict {
                    // What the original left behind, such as a cache, may hide the mutant.
                    Verdict::Refuted if is_hidden => try_in(&mut fresh())?,
                    Verdict::Proven if !is_clean => try_in(&mut fresh())?,
                    verdict => verdict,
                };
            }
        }
        Ok(chosen.into_iter().zip(verdicts).collect())
    }

    /// Puts assertions together, as far as they can be made together, and keeps those with which all tests
    /// pass that they affect. None of them stays open.
    pub fn settle(&self, candidates: &[&Candidate]) -> Result<Vec<Verdict>, JvmError> {
        let mut verdicts = vec![Verdict::Open; candidates.len()];
        loop {
            let open = (0..candidates.len()).filter(|number| verdicts[*number] == Verdict::Open);
            let mut group: Vec<usize> = Vec::new();
            for number in open {
                let one = candidates[number];
                let recipe = |number: usize| self.room.tests[candidates[number].test].recipe;
                let fits = |other: &usize| {
                    std::ptr::eq(recipe(*other), recipe(number))
                        && candidates[*other].goes_with(one)
                };
                if group.iter().all(fits) {
                    group.push(number);
                }
            }
            if group.is_empty() || self.room.is_cancelled() {
                return Ok(verdicts);
            }
            let together: Vec<&Candidate> =
                group.iter().map(|number| candidates[*number]).collect();
            for (number, verdict) in group.iter().zip(self.settle_together(&together)?) {
                verdicts[*number] = verdict;
            }
        }
    }

    /// Takes out what fails, until nothing does.
    fn settle_together(&self, candidates: &[&Candidate]) -> Result<Vec<Verdict>, JvmError> {
        let recipe = self.room.tests[candidates[0].test].recipe;
        let affected = self.affected_by(candidates, self.affected);
        let mut standing: Vec<usize> = (0..candidates.len()).collect();
        let mut verdicts = vec![Verdict::Open; candidates.len()];
        while !standing.is_empty() {
            let now: Vec<&Candidate> = standing.iter().map(|number| candidates[*number]).collect();
            let (compiled, mut found) = self.compile(recipe, &now)?;
            let change = |recipe: &Recipe| compiled.recipe(recipe);
            if !compiled.is_empty() {
                let mut runner = Runner::new(self.room, self.jvms, &change);
                let said = self.ask(&mut runner, &now, &affected, &found)?;
                self.judge(&said, &now, &affected, &compiled, &mut found)?;
            }
            if self.room.is_cancelled() {
                return Ok(verdicts);
            }
            if found.iter().all(|each| *each == Verdict::Open) {
                self.look_elsewhere(&now, &compiled, &mut found);
                // What fails there hides what stands behind it.
                if found.iter().all(|each| *each == Verdict::Open) {
                    found.fill(Verdict::Proven);
                }
            }
            for (number, verdict) in standing.iter().zip(&found) {
                verdicts[*number] = *verdict;
            }
            standing.retain(|number| verdicts[*number] == Verdict::Open);
        }
        Ok(verdicts)
    }

    /// An assertion that fails at its own line there holds here only; a test that does not get so far says
    /// nothing.
    fn look_elsewhere(
        &self,
        candidates: &[&Candidate],
        compiled: &Compiled,
        verdicts: &mut [Verdict],
    ) {
        let now = SystemTime::now();
        let change = |recipe: &Recipe| elsewhere(&compiled.recipe(recipe), now);
        let mut runner = Runner::new(self.room, self.jvms_elsewhere, &change);
        let tests: BTreeSet<usize> = candidates.iter().map(|each| each.test).collect();
        let tests: Vec<usize> = tests.into_iter().collect();
        // A JVM that cannot be had like that refutes nothing.
        let said = runner.run(&tests, None).unwrap_or_default();
        for answer in said.values() {
            for number in failed_at(&answer.trace, candidates, &compiled.lines) {
                verdicts[number] = Verdict::Local;
            }
        }
    }

    /// Those that do not compile are refuted, and those whose test fails anyway.
    fn compile(
        &self,
        recipe: &Recipe,
        candidates: &[&Candidate],
    ) -> Result<(Compiled, Vec<Verdict>), JvmError> {
        // One statement may serve several mutants; it is written once.
        let mut written: Vec<&Candidate> = Vec::new();
        let mut numbers = Vec::new();
        for one in candidates {
            let known = written.iter().position(|known| known.is_same(one));
            numbers.push(known.unwrap_or(written.len()));
            if known.is_none() {
                written.push(one);
            }
        }
        let drafts: Vec<Draft<'_>> = written.iter().map(|each| each.draft()).collect();
        let mut compiled = compile_drafts(self.compile, recipe, &drafts)?;
        compiled.lines = numbers
            .iter()
            .map(|number| compiled.lines[*number].clone())
            .collect();
        let failing = self.failing.borrow();
        let verdicts = candidates.iter().zip(&compiled.lines);
        let verdicts = verdicts.map(|(one, line)| match line {
            Some(_) if !failing.contains(&one.test) => Verdict::Open,
            _ => Verdict::Refuted,
        });
        let verdicts = verdicts.collect();
        Ok((compiled, verdicts))
    }

    /// The tests of one test's class.
    fn own_class(&self, test: usize) -> Vec<usize> {
        let all = self.room.tests;
        let own = &all[test];
        let is_own = |other: &usize| {
            all[*other].class == own.class && std::ptr::eq(all[*other].recipe, own.recipe)
        };
        (0..all.len()).filter(is_own).collect()
    }

    /// The users of each file that is changed, and the tests that statements in it are for.
    fn affected_by<'c>(
        &self,
        candidates: &[&'c Candidate],
        users: impl Fn(&Path) -> Vec<usize>,
    ) -> Affected<'c> {
        let mut affected = Affected::new();
        for one in candidates {
            let file = one.source.file.as_path();
            let own = affected.entry(file);
            let own = own.or_insert_with(|| users(file).into_iter().collect());
            own.extend(self.own_class(one.test));
        }
        affected
    }

    /// How all tests end that open statements affect.
    fn ask(
        &self,
        runner: &mut Runner<'_>,
        candidates: &[&Candidate],
        affected: &Affected<'_>,
        verdicts: &[Verdict],
    ) -> Result<BTreeMap<usize, Answer>, JvmError> {
        let open = candidates.iter().zip(verdicts);
        let open = open.filter(|(_, verdict)| **verdict == Verdict::Open);
        let files: BTreeSet<&Path> = open.map(|(one, _)| one.source.file.as_path()).collect();
        let tests = files.iter().flat_map(|file| &affected[file]).copied();
        let tests: BTreeSet<usize> = tests.collect();
        let failing = self.failing.borrow();
        let tests: Vec<usize> = tests.difference(&failing).copied().collect();
        runner.run(&tests, None)
    }

    /// All tests must pass. A statement at which one fails is refuted, and what stands behind it in the same
    /// test is left open. A test that fails elsewhere, and does so again, refutes all that affect it, unless it
    /// fails in the same company without them, too.
    fn judge(
        &self,
        said: &BTreeMap<usize, Answer>,
        candidates: &[&Candidate],
        affected: &Affected<'_>,
        compiled: &Compiled,
        verdicts: &mut [Verdict],
    ) -> Result<(), JvmError> {
        let mut unnamed = Vec::new();
        for (test, answer) in said.iter().filter(|(_, answer)| !answer.passed()) {
            let at = failed_at(&answer.trace, candidates, &compiled.lines);
            if at.is_empty() {
                unnamed.push(*test);
            }
            for number in at {
                verdicts[number] = match answer.trace.starts_with(NULL_POINTER) {
                    true if verdicts[number] != Verdict::Refuted => Verdict::Absent,
                    _ => Verdict::Refuted,
                };
            }
        }
        // What has come to no end has done so twice already.
        let whole = said.iter().filter(|(_, answer)| is_whole(answer.outcome));
        let whole: Vec<usize> = whole.map(|(test, _)| *test).collect();
        if unnamed.iter().any(|test| whole.contains(test)) && !self.room.is_cancelled() {
            let again = self.run_afresh(&whole, &|recipe| compiled.recipe(recipe))?;
            unnamed.retain(|test| !again.get(test).is_some_and(Answer::passed));
        }
        if unnamed.is_empty() || self.room.is_cancelled() {
            return Ok(());
        }
        let company: Vec<usize> = said.keys().copied().collect();
        let without = self.run_afresh(&company, &Recipe::clone)?;
        for test in unnamed {
            let fails_anyway = !without[&test].passed();
            if fails_anyway {
                self.failing.borrow_mut().insert(test);
            }
            for (one, verdict) in candidates.iter().zip(verdicts.iter_mut()) {
                let is_affected = affected[one.source.file.as_path()].contains(&test);
                if one.test == test || (!fails_anyway && is_affected) {
                    *verdict = Verdict::Refuted;
                }
            }
        }
        Ok(())
    }

    fn run_afresh(
        &self,
        tests: &[usize],
        change: &dyn Fn(&Recipe) -> Recipe,
    ) -> Result<BTreeMap<usize, Answer>, JvmError> {
        Runner::new(self.room, self.jvms, change).run(tests, None)
    }
}

const NULL_POINTER: &str = "java.lang.NullPointerException";

impl Wanted {
    /// Goes on to the next candidate.
    fn leave(&mut self, candidate: Candidate, verdict: Verdict, local: &mut BTreeSet<usize>) {
        match verdict {
            Verdict::Absent => {
                self.candidates.splice(..0, candidate.where_present());
            }
            Verdict::Local => _ = local.insert(self.explanation),
            Verdict::Open | Verdict::Refuted | Verdict::Proven => {}
        }
    }
}

fn recipes<'a>(room: &Room<'a>, wanted: &[Wanted]) -> Vec<&'a Recipe> {
    let mut recipes: Vec<&Recipe> = Vec::new();
    for candidate in wanted.iter().filter_map(|one| one.candidates.first()) {
        let recipe = room.tests[candidate.test].recipe;
        if !recipes.iter().any(|known| std::ptr::eq(*known, recipe)) {
            recipes.push(recipe);
        }
    }
    recipes
}

/// Those wanted of whom the first proposal has a test with this recipe, as far as these can be made together.
fn choose(room: &Room<'_>, recipe: &Recipe, wanted: &[Wanted]) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    for (index, one) in wanted.iter().enumerate() {
        let Some(candidate) = one.candidates.first() else {
            continue;
        };
        let goes_with = |other: &usize| candidate.goes_with(&wanted[*other].candidates[0]);
        let is_of = std::ptr::eq(room.tests[candidate.test].recipe, recipe);
        if is_of && chosen.iter().all(goes_with) {
            chosen.push(index);
        }
    }
    chosen
}

/// What it means for an assertion that its test failed with the mutant on.
fn of_mutant(number: usize, failed_at: &[usize]) -> Verdict {
    match failed_at {
        // Somebody keeps it from being heard of.
        [] => Verdict::Refuted,
        at if at.contains(&number) => Verdict::Proven,
        // The assertion of another mutant came first.
        _ => Verdict::Open,
    }
}

/// The statements on the innermost line of a failure that has any; those that are the same stand on one. Causes are
/// further in than what they cause.
fn failed_at(trace: &str, candidates: &[&Candidate], lines: &[Option<Lines>]) -> Vec<usize> {
    let causes = trace.rsplit("\nCaused by: ");
    let mut frames = causes.flat_map(str::lines).filter_map(place);
    let statements_at = |(file, line): (PathBuf, usize)| {
        let stands = |number: &usize| {
            let lines = lines[*number].as_ref();
            lines.is_some_and(|lines| lines.contains(&line))
                && candidates[*number].source.file.ends_with(&file)
        };
        let there: Vec<usize> = (0..candidates.len()).filter(stands).collect();
        (!there.is_empty()).then_some(there)
    };
    frames.find_map(statements_at).unwrap_or_default()
}

/// `a/T.java` and 7 of `at app//a.T.test(T.java:7)`.
fn place(frame: &str) -> Option<(PathBuf, usize)> {
    let (method, place) = frame.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let (file, line) = place.rsplit_once(':')?;
    let (class, _) = method.rsplit_once('.')?;
    let class = class.rsplit(['/', ' ', '\t']).next()?;
    let package = class.rsplit_once('.').map_or("", |(package, _)| package);
    let directory = PathBuf::from(package.replace('.', "/"));
    Some((directory.join(file), line.parse().ok()?))
}

#[cfg(test)]
mod tests;
