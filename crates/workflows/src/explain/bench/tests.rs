//! What a bench makes of JVMs that crash, forget and remember, played by a script.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use jury_explain::Subject;
use jury_jvm::{
    Attention, BatchEnd, BatchEvent, Calls, JvmError, Replayed, Runs, SeenCalls, Sighting,
    Sightings, Worked,
};
use jury_model::{Engine, LaunchedBy, Outcome, Recipe, TestId};
use jury_mutate::{MethodId, MutantId};

use super::jvms::{Batch, TestJvm, TestJvms};
use super::*;
use crate::explain::survivors::Survivor;

/// The probe of the one method that is asked about.
const PROBE: u32 = 7;

/// A run of one test.
struct Run<'r> {
    test: &'r str,
    mutant: Option<u32>,
    /// Whether calls are looked at, not code.
    calls: bool,
    digest_only: bool,
    /// Mutants that have been on in this JVM.
    before: &'r [u32],
    /// How often the test ran in this JVM before.
    times: usize,
}

enum Comes {
    /// A call returns this value, which an expression of the test then has. The method runs so often.
    Value(&'static str, u32),
    /// The JVM ends.
    Crash,
}

type Script = dyn Fn(&Run<'_>) -> Comes + Sync;

/// Scripts outlive the JVMs that play them.
struct Players(&'static Script);

struct Player {
    script: &'static Script,
    before: Vec<u32>,
    ran: Vec<TestId>,
}

impl TestJvms for Players {
    fn start(&self, _: &Recipe, _: &Engine) -> Result<Box<dyn TestJvm>, JvmError> {
        Ok(Box::new(Player {
            script: self.0,
            before: Vec::new(),
            ran: Vec::new(),
        }))
    }
}

impl TestJvm for Player {
    fn warm_up(&mut self, _: &Engine, _: &AtomicBool) {}

    fn run(&mut self, batch: Batch<'_>, report: &mut dyn FnMut(BatchEvent)) -> BatchEnd {
        self.before.extend(batch.mutant);
        let mut tests = batch.tests.into_iter();
        while let Some((id, _)) = tests.next() {
            let comes = (self.script)(&Run {
                test: id.as_str(),
                mutant: batch.mutant,
                calls: matches!(batch.attention.calls, Calls::Of(_)),
                digest_only: batch.attention.digest_only,
                before: &self.before,
                times: self.ran.iter().filter(|known| **known == id).count(),
            });
            self.ran.push(id.clone());
            let finished = |outcome| {
                BatchEvent::Finished(Replayed {
                    id: id.clone(),
                    outcome: Some(outcome),
                    micros: 0,
                    failure: None,
                })
            };
            let Comes::Value(value, times) = comes else {
                report(finished(Outcome::Crashed));
                return BatchEnd::Lost {
                    how: Outcome::Crashed,
                    rest: tests.collect(),
                    culprits_known: true,
                };
            };
            report(BatchEvent::Seen {
                id: id.clone(),
                sightings: seen(value, batch.attention),
            });
            report(BatchEvent::Worked(Worked {
                id: id.clone(),
                runs: Runs::of([(PROBE, times)]),
                initialising: Vec::new(),
                work: 0,
                overran: false,
            }));
            report(finished(Outcome::Passed));
        }
        BatchEnd::Done
    }
}

/// A call that returns a value, which an expression of the test then has.
fn seen(value: &str, attention: Attention) -> Sightings {
    let digest = value.bytes().map(u64::from).sum();
    let called = attention.calls != Calls::None;
    let places = [(0, 0, called), (1 << 32, 1, attention.values)];
    let sighting = |(place, property, _)| Sighting {
        place,
        ordinal: 0,
        property,
        value: 2,
    };
    let places = places.into_iter();
    let sightings = places.filter(|(.., attended)| *attended && !attention.digest_only);
    Sightings {
        texts: vec!["result#value".into(), "#value".into(), value.into()],
        sightings: sightings.map(sighting).collect(),
        digest,
        calls: called
            .then_some(SeenCalls {
                number: 0,
                count: 1,
                digest,
                distance: 1,
            })
            .into_iter()
            .collect(),
        ..Sightings::default()
    }
}

pub(in crate::explain) fn recipe() -> Recipe {
    Recipe {
        launched_by: LaunchedBy::Surefire,
        java_home: String::new(),
        java_version: String::new(),
        working_directory: String::new(),
        class_path: Vec::new(),
        module_path: Vec::new(),
        module_flags: Vec::new(),
        jvm_flags: Vec::new(),
        properties: BTreeMap::new(),
        environment: BTreeMap::new(),
        launcher_parameters: BTreeMap::new(),
        jvm_per_class: false,
    }
}

/// What was found about one mutant after another, each with the tests that reach it. The tests are `a` to
/// `d`, of which the last is slow.
fn check(
    script: impl Fn(&Run<'_>) -> Comes + Sync + 'static,
    mutants: &[(u32, &[usize])],
) -> Vec<String> {
    check_until(&AtomicBool::new(false), script, mutants)
}

fn check_until(
    cancelled: &AtomicBool,
    script: impl Fn(&Run<'_>) -> Comes + Sync + 'static,
    mutants: &[(u32, &[usize])],
) -> Vec<String> {
    let recipe = recipe();
    let tests = ["a", "b", "c", "d"].map(|name| LabTest {
        id: TestId::new(name),
        engine: Engine::new("e"),
        class: name.to_owned(),
        method: name.to_owned(),
        recipe: &recipe,
        group: 0,
        micros: 1,
    });
    let room = Room {
        jvms: &Players(Box::leak(Box::new(script))),
        tests: &tests,
        slow: &HashSet::from([3]),
        runs: 3,
        depth: 1,
        stage: Stage::Hints,
        every_place: false,
        cancelled,
    };
    let method: MethodId = "x/Y#z()I".parse().unwrap();
    let id: MutantId = "x/Y#z()I#0".parse().unwrap();
    let explained = Subject {
        id: id.to_string(),
        class: "x.Y".into(),
        method: "z".into(),
        descriptor: "()I".into(),
        description: "returns `0`".into(),
        operator: "0".into(),
        file: None,
        line: None,
    };
    let unit = |(switch, tests): &(u32, &[usize])| Unit {
        number: 0,
        method: &method,
        tests: tests.to_vec(),
        mutants: vec![Survivor {
            switch: *switch,
            probe: PROBE,
            tests: tests.to_vec(),
            id: &id,
            explained: explained.clone(),
        }],
    };
    let units: Vec<Unit<'_>> = mutants.iter().map(unit).collect();
    let mut bench = Bench::new(&room);
    bench.survey(&units.iter().collect::<Vec<_>>()).unwrap();
    let named = |all: &[Differing]| {
        let names = all.iter().map(|one| tests[one.test].id.as_str());
        names.collect::<Vec<_>>().join(" ")
    };
    let told = units.iter().flat_map(|unit| bench.examine(unit).unwrap());
    told.map(|evidence| {
        let seen = [&evidence.infected, &evidence.exposed].map(|all| named(all));
        let caveats = evidence.caveats.iter().map(|each| format!("; {each}"));
        format!(
            "calls of {}, code of {}{}",
            seen[0],
            seen[1],
            caveats.collect::<String>()
        )
    })
    .collect()
}

const SAME: Comes = Comes::Value("I1", 1);
const OTHER: Comes = Comes::Value("I2", 1);

#[test]
fn a_mutant_differs_in_the_tests_that_show_another_value() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "b") => OTHER,
        _ => SAME,
    };
    let told = check(script, &[(1, &[0, 1, 2, 3]), (2, &[0, 1])]);
    assert_eq!(told, ["calls of b, code of b", "calls of , code of "]);
}

#[test]
fn what_a_mutant_left_behind_does_not_pass_for_the_original() {
    // The slow test is surveyed late. Where mutant 1 has been on, it shows what mutant 2 makes it show.
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(2), _) => OTHER,
        (None, "d") if run.before.contains(&1) => OTHER,
        _ => SAME,
    };
    let told = check(script, &[(1, &[0]), (2, &[3])]);
    assert_eq!(told, ["calls of , code of ", "calls of d, code of d"]);
}

#[test]
fn what_any_jvm_shows_the_second_time_is_no_difference() {
    let script = |run: &Run<'_>| match run.times {
        0 => SAME,
        _ => OTHER,
    };
    let told = check(script, &[(1, &[0]), (2, &[3])]);
    assert_eq!(told, ["calls of , code of "; 2]);
}

#[test]
fn a_test_that_never_shows_the_same_takes_no_further_jvm() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    static JVMS: AtomicUsize = AtomicUsize::new(0);
    let script = |run: &Run<'_>| {
        if run.times == 0 {
            JVMS.fetch_add(1, Ordering::Relaxed);
        }
        let runs = RUNS.fetch_add(1, Ordering::Relaxed);
        Comes::Value("I".repeat(runs + 1).leak(), 1)
    };
    let told = check(script, &[(1, &[0]), (2, &[0])]);
    assert_eq!(told, ["calls of , code of "; 2]);
    assert_eq!(JVMS.load(Ordering::Relaxed), 1);
}

#[test]
fn what_both_versions_show_by_now_is_no_difference() {
    // What the original shows is known from the first mutant. The second changes it for good.
    let script = |run: &Run<'_>| match run.mutant {
        Some(_) if run.calls => OTHER,
        Some(1) => Comes::Value("I3", 1),
        _ if !run.calls && run.before.contains(&2) => OTHER,
        _ => SAME,
    };
    let told = check(script, &[(1, &[0]), (2, &[0])]);
    assert_eq!(told, ["calls of a, code of a", "calls of a, code of "]);
}

#[test]
fn a_crash_in_a_fresh_jvm_is_no_run_that_showed_nothing() {
    // The original keeps what it has computed, so that the mutant shows in fresh JVMs only.
    let crashed = AtomicBool::new(false);
    let script = move |run: &Run<'_>| match run.mutant {
        _ if run.times > 0 => Comes::Value("I1", 0),
        Some(1) if !run.digest_only && !crashed.swap(true, Ordering::Relaxed) => Comes::Crash,
        Some(1) => OTHER,
        _ => SAME,
    };
    assert_eq!(check(script, &[(1, &[0])]), ["calls of a, code of "]);
}

#[test]
fn a_test_is_asked_though_another_takes_its_jvm_down() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") if !run.digest_only => SAME,
        (Some(1), "b") if !run.digest_only => Comes::Crash,
        (Some(1), _) => OTHER,
        _ => SAME,
    };
    // All are suspects; after the first, two are compared together.
    let told = check(script, &[(1, &[0, 1, 2])]);
    let lost =
        "`b` does not come to an end while it is watched with the mutant on, and was left out";
    assert_eq!(told, [format!("calls of c, code of c; {lost}")]);
}

#[test]
fn nothing_is_told_of_a_mutant_that_was_cut_short() {
    static CANCELLED: AtomicBool = AtomicBool::new(false);
    let script = |run: &Run<'_>| {
        CANCELLED.fetch_or(run.mutant == Some(2), Ordering::Relaxed);
        match run.mutant {
            Some(_) => OTHER,
            None => SAME,
        }
    };
    let told = check_until(&CANCELLED, script, &[(1, &[0]), (2, &[0]), (3, &[0])]);
    assert_eq!(told, ["calls of a, code of a"]);
}
