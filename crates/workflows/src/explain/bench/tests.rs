//! What a bench makes of JVMs that crash, forget and remember, played by a script.

use std::collections::BTreeMap;
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
    /// The same, but several threads make the call.
    Crowded(&'static str),
    /// The same, but the method could not be rewritten to show its calls.
    Unwatched(&'static str),
    /// An expression has this value, and nothing is called.
    NoCall(&'static str),
    /// The test fails before it shows anything.
    Failure,
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

/// A mutant that leaves a thread behind that never rests.
const RESTLESS: u32 = 66;

impl TestJvm for Player {
    fn is_restless(&mut self) -> Option<bool> {
        Some(self.before.contains(&RESTLESS))
    }

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
            let (sightings, times) = match comes {
                Comes::Value(value, times) => (seen(value, batch.attention), times),
                Comes::Crowded(value) => (crowded(value, batch.attention), 1),
                Comes::NoCall(value) => {
                    let calls = Calls::None;
                    (
                        seen(
                            value,
                            Attention {
                                calls,
                                ..batch.attention
                            },
                        ),
                        1,
                    )
                }
                Comes::Unwatched(value) => {
                    report(BatchEvent::LeftOut {
                        class: "x/Y".into(),
                        method: "z()I".into(),
                        reason: "it is too long".into(),
                    });
                    let calls = Calls::None;
                    (
                        seen(
                            value,
                            Attention {
                                calls,
                                ..batch.attention
                            },
                        ),
                        1,
                    )
                }
                Comes::Failure => {
                    report(finished(Outcome::Failed));
                    continue;
                }
                Comes::Crash => {
                    report(finished(Outcome::Crashed));
                    return BatchEnd::Lost {
                        how: Outcome::Crashed,
                        rest: tests.collect(),
                        culprits_known: true,
                    };
                }
            };
            report(BatchEvent::Seen {
                id: id.clone(),
                sightings,
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

/// The same, where several threads make the call: it is marked, and its value told by chance.
fn crowded(value: &str, attention: Attention) -> Sightings {
    let mut seen = seen(value, attention);
    if let Some(calls) = seen.calls.first_mut() {
        calls.digest = 0;
        seen.texts.extend(["#threads".into(), "several".into()]);
        seen.sightings.push(Sighting {
            place: 0,
            ordinal: 0,
            property: 3,
            value: 4,
        });
    }
    seen
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
    check_among(&["a", "b", "c", "d"], &[3], script, mutants)
}

fn check_until(
    cancelled: &AtomicBool,
    script: impl Fn(&Run<'_>) -> Comes + Sync + 'static,
    mutants: &[(u32, &[usize])],
) -> Vec<String> {
    check_among_until((cancelled, 3), &["a", "b", "c", "d"], &[3], script, mutants)
}

/// The same among tests of these names, some of which are slow.
fn check_among(
    tests: &[&str],
    slow: &[usize],
    script: impl Fn(&Run<'_>) -> Comes + Sync + 'static,
    mutants: &[(u32, &[usize])],
) -> Vec<String> {
    check_among_until((&AtomicBool::new(false), 3), tests, slow, script, mutants)
}

/// The same with so many runs at most.
fn check_among_until(
    (cancelled, runs): (&AtomicBool, usize),
    tests: &[&str],
    slow: &[usize],
    script: impl Fn(&Run<'_>) -> Comes + Sync + 'static,
    mutants: &[(u32, &[usize])],
) -> Vec<String> {
    let recipe = recipe();
    let tests = tests.iter().map(|name| LabTest {
        id: TestId::new(*name),
        engine: Engine::new("e"),
        class: (*name).to_owned(),
        method: (*name).to_owned(),
        recipe: &recipe,
        group: 0,
        micros: 1,
    });
    let tests: Vec<LabTest<'_>> = tests.collect();
    let room = Room {
        jvms: &Players(Box::leak(Box::new(script))),
        tests: &tests,
        slow: &slow.iter().copied().collect(),
        runs,
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
        let nothing = match (evidence.compared, evidence.called) {
            (true, true) => "",
            (true, false) => "; no call was seen",
            (false, _) => "; nothing was compared",
        };
        format!(
            "calls of {}, code of {}{}{nothing}",
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
fn what_never_rests_is_left_behind_with_its_jvm() {
    let script = |run: &Run<'_>| match run.before.contains(&RESTLESS) {
        // Whoever is asked beside it shows something else.
        true if run.mutant == Some(2) => OTHER,
        _ => SAME,
    };
    let told = check(script, &[(RESTLESS, &[0]), (2, &[0])]);
    assert_eq!(told, ["calls of , code of ", "calls of , code of "]);
}

#[test]
fn a_run_more_that_is_asked_for_is_made() {
    static RUNS: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];
    let runs = |most: usize| {
        let count = &RUNS[most % 2];
        let script = move |run: &Run<'_>| match run.mutant {
            Some(1) => {
                let is_code = !run.calls && !run.digest_only;
                count.fetch_add(usize::from(is_code), Ordering::Relaxed);
                OTHER
            }
            _ => SAME,
        };
        let never = AtomicBool::new(false);
        check_among_until((&never, most), &["a"], &[], script, &[(1, &[0])]);
        count.load(Ordering::Relaxed)
    };
    assert_eq!(runs(5), runs(4) + 1);
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

#[test]
fn where_no_test_passes_nothing_is_compared() {
    let told = check(|_| Comes::Failure, &[(1, &[0])]);
    let left_out = "`a` does not pass while it is watched, and was left out";
    let nothing = "nothing was compared";
    assert_eq!(
        told,
        [format!("calls of , code of ; {left_out}; {nothing}")]
    );
    // One that passes is enough.
    let script = |run: &Run<'_>| match run.test {
        "a" => Comes::Failure,
        _ => SAME,
    };
    let told = check(script, &[(1, &[0, 1])]);
    assert_eq!(told, [format!("calls of , code of ; {left_out}")]);
}

#[test]
fn where_no_call_is_seen_that_is_known() {
    let told = check(|_| Comes::NoCall("I1"), &[(1, &[0])]);
    assert_eq!(told, ["calls of , code of ; no call was seen"]);
}

#[test]
fn calls_of_several_threads_are_not_compared_but_the_code_of_tests_is() {
    let note = "calls that several threads of a test make are counted, but not compared";
    // It is chance that the mutant shows another value each time.
    let script = |run: &Run<'_>| match run.mutant {
        Some(1) if run.calls => Comes::Crowded("I2"),
        _ => Comes::Crowded("I1"),
    };
    let told = check(script, &[(1, &[0])]);
    assert_eq!(told, [format!("calls of , code of ; {note}")]);
    let script = |run: &Run<'_>| match run.mutant {
        Some(1) => Comes::Crowded("I2"),
        _ => Comes::Crowded("I1"),
    };
    let told = check(script, &[(1, &[0])]);
    assert_eq!(told, [format!("calls of , code of a; {note}")]);
}

#[test]
fn where_calls_cannot_be_watched_the_code_of_tests_is() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "b") => Comes::Unwatched("I2"),
        _ => Comes::Unwatched("I1"),
    };
    let told = check(script, &[(1, &[0, 1]), (2, &[0, 1])]);
    let nothing = "nothing was compared";
    assert_eq!(
        told,
        [
            format!("calls of , code of b; {nothing}"),
            format!("calls of , code of ; {nothing}")
        ]
    );
}

#[test]
fn which_tests_are_asked_in_fresh_jvms_does_not_depend_on_how_long_they_take() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let all: Vec<usize> = (0..names.len()).collect();
    // The original keeps what it has computed, so that the mutant shows in fresh JVMs only, and in one test.
    let told = |slow: &[usize], shows: &'static str| {
        let script = move |run: &Run<'_>| match run.mutant {
            _ if run.times > 0 => Comes::Value("I1", 0),
            Some(1) if run.test == shows => OTHER,
            _ => SAME,
        };
        check_among(&names, slow, script, &[(1, &all)])
    };
    // The tenth is asked, and the eleventh is not, whether or not the machine was busy.
    let shown = ["calls of j, code of "];
    assert_eq!([told(&[], "j"), told(&[0, 9], "j")], [shown; 2]);
    let hidden = ["calls of , code of "];
    assert_eq!([told(&[], "k"), told(&[0, 9], "k")], [hidden; 2]);
}
