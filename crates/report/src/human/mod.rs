//! Text for a terminal: the answer first, details below, one hint per line that can be acted on.

mod explanation;
mod flakiness;
mod history;
mod impact;
mod look_back;
mod mutation;

use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use jury_model::{
    Checkup, Counts, Exit, Failure, Foresight, Health, KnownTest, Notice, RedTest, ReplayedRun,
    RunUnit, Selected, WatchedRun,
};

pub use explanation::{explained, verified};
pub use flakiness::{about_to_rerun, reran};
pub use history::{history, noted};
pub use impact::{ImpactPart, impact};
pub use look_back::looked_back;
pub use mutation::mutated;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const ODD: Style = AnsiColor::Yellow.on_default().bold();
const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const HINT: Style = AnsiColor::Cyan.on_default();

/// How many reasons to run a test class are shown before the list is cut.
const REASONS_SHOWN: usize = 5;
/// How many red tests are shown with their failure before the list is cut.
const RED_SHOWN: usize = 20;
/// How many differing tests are shown before the list is cut.
const DIFFERENCES_SHOWN: usize = 50;
/// Lines of a failure message that help on a terminal.
const MESSAGE_LINES: usize = 4;

pub fn watched(run: &WatchedRun) -> String {
    if !run.selected.build_started {
        return nothing_changed(run);
    }
    let mut out = String::new();
    red_tests(&mut out, &run.red);
    flaky_tests(&mut out, &run.flaky);
    notices(&mut out, &run.notices);
    let verdict = match run.exit {
        Exit::Interrupted => styled(ODD, "interrupted"),
        _ if run.counts.red() > 0 => styled(BAD, "tests failed"),
        Exit::Clean => styled(GOOD, "ok"),
        // What an audit shows need not be red.
        Exit::Findings => styled(BAD, "tests ended otherwise"),
        _ => styled(BAD, "build broken"),
    };
    let _ = writeln!(
        out,
        "{STRONG}jury{STRONG:#} {verdict}: {}",
        counts(&run.counts)
    );
    if run.modules.len() > 1 {
        for (module, module_counts) in &run.modules {
            let _ = writeln!(out, "  {module}: {}", counts(module_counts));
        }
    }
    if run.attempts > 1 {
        let _ = writeln!(
            out,
            "  red tests were run {} times: {} flaky, {} still red",
            run.attempts,
            run.flaky.len(),
            run.red.len(),
        );
    }
    left_out(&mut out, &run.selected);
    chosen(&mut out, &run.selected);
    deselected(&mut out, &run.selected);
    audited(&mut out, &run.selected);
    let jvms: Vec<String> = run
        .jvms
        .iter()
        .map(|(by, count)| format!("{count} {by}"))
        .collect();
    let watched = match jvms.is_empty() {
        true => String::new(),
        false => format!(
            "watched {} ({}), ",
            plural(run.jvms.values().sum(), "test JVM"),
            jvms.join(", ")
        ),
    };
    let _ = writeln!(
        out,
        "  {FAINT}{watched}build {}, analysis {}, {}; {} in all{FAINT:#}",
        millis(run.build_millis),
        millis(run.selected.analysis_millis),
        match run.selected.collected {
            true => format!("collection {}", millis(run.selected.collection_millis)),
            false => "nothing collected".to_owned(),
        },
        millis(run.total_millis),
    );
    out
}

/// What a run showed whose only purpose was to find out what tests use.
pub fn collected(run: &WatchedRun) -> String {
    let mut out = String::new();
    notices(&mut out, &run.notices);
    let selected = &run.selected;
    let verdict = match run.exit {
        Exit::Clean => styled(GOOD, "collected"),
        _ => styled(BAD, "build broken"),
    };
    let _ = writeln!(
        out,
        "{STRONG}jury{STRONG:#} {verdict}: what {} now; {} up to date",
        match selected.run.len() {
            1 => "1 test class uses".to_owned(),
            count => format!("{count} test classes use"),
        },
        selected.left_out_classes,
    );
    if run.counts.red() > 0 {
        let _ = writeln!(out, "  {ODD}not counted{ODD:#}: {}", counts(&run.counts));
    }
    out
}

/// The answer when no build was needed to find it.
fn nothing_changed(run: &WatchedRun) -> String {
    let mut out = String::new();
    notices(&mut out, &run.notices);
    let selected = &run.selected;
    let _ = writeln!(
        out,
        "{STRONG}jury{STRONG:#} {GOOD}nothing has changed{GOOD:#}: {} in {}, as they were",
        counts(&selected.left_out_tests),
        classes(selected.left_out_classes),
    );
    let _ = writeln!(
        out,
        "  {FAINT}looked for {}; the build was not started{FAINT:#}",
        millis(selected.analysis_millis),
    );
    out
}

fn left_out(out: &mut String, selected: &Selected) {
    if selected.left_out_classes + selected.left_out_methods > 0 {
        let _ = writeln!(
            out,
            "  left out, as no change can affect them: {}, {}",
            units(selected.left_out_classes, selected.left_out_methods),
            counts(&selected.left_out_tests),
        );
    }
}

fn chosen(out: &mut String, selected: &Selected) {
    if let Some(chosen) = &selected.chosen {
        let (what, than) = match chosen.methods {
            true => ("test methods", "whole classes"),
            false => ("whole classes", "methods, which would save too little"),
        };
        let (took, classes) = (micros(chosen.chosen_micros), micros(chosen.class_micros));
        let _ = match chosen.methods {
            true => writeln!(
                out,
                "  selected {what}: about {took} of tests, {classes} for {than}"
            ),
            false => writeln!(
                out,
                "  selected {what}, about {took} of tests, and not {than}"
            ),
        };
    }
}

fn deselected(out: &mut String, selected: &Selected) {
    if !selected.deselected.is_empty() {
        let _ = writeln!(
            out,
            "  {ODD}not run{ODD:#}, as you asked: {}",
            classes(selected.deselected.len()),
        );
    }
}

fn audited(out: &mut String, selected: &Selected) {
    for miss in &selected.misses {
        let place = place(&miss.unit.module, &miss.unit.unit());
        let (known, shown) = (counts(&miss.known), counts(&miss.shown));
        let _ = writeln!(
            out,
            "  {BAD}missed{BAD:#} {place}: was {known}; now {shown}"
        );
        for test in miss.otherwise.iter().take(REASONS_SHOWN) {
            let _ = writeln!(out, "    {test}");
        }
        if miss.otherwise.len() > REASONS_SHOWN {
            let more = miss.otherwise.len() - REASONS_SHOWN;
            let _ = writeln!(out, "    and {more} more");
        }
        let newly_used = &miss.newly_used;
        if newly_used.is_empty() {
            let test = miss.unit.outermost_class();
            let _ = writeln!(
                out,
                "    it used nothing that it was not known to use; `jury flaky {test}` says whether it is flaky"
            );
        }
        for used in newly_used.iter().take(REASONS_SHOWN) {
            let _ = writeln!(out, "    it was not known to use {used}");
        }
        if newly_used.len() > REASONS_SHOWN {
            let more = newly_used.len() - REASONS_SHOWN;
            let _ = writeln!(out, "    and {more} more");
        }
    }
    if selected.audited_classes + selected.audited_methods > 0 {
        let _ = writeln!(
            out,
            "  audit: {} would have been left out; {} ended otherwise",
            units(selected.audited_classes, selected.audited_methods),
            selected.misses.len(),
        );
    }
}

/// What running the tests now would mean.
pub fn foreseen(foresight: &Foresight, with_all_reasons: bool) -> String {
    let shown = if with_all_reasons {
        usize::MAX
    } else {
        REASONS_SHOWN
    };
    let mut out = String::new();
    notices(&mut out, &foresight.notices);
    let mut running = 0;
    for one in &foresight.units {
        let place = place(&one.unit.module, &one.unit.unit());
        if one.reasons.is_empty() {
            let _ = writeln!(
                out,
                "{FAINT}{place} would be left out: nothing it uses has changed{FAINT:#}"
            );
        } else {
            running += 1;
            let _ = writeln!(out, "{STRONG}{place}{STRONG:#} would run");
        }
        if let Some(tangle) = one.tangle.as_ref().filter(|_| with_all_reasons) {
            let _ = writeln!(out, "    as a whole: {tangle}");
        }
        for reason in one.reasons.iter().take(shown) {
            let _ = writeln!(out, "    {reason}");
        }
        cut(&mut out, one.reasons.len(), shown);
    }
    let methods = foresight
        .units
        .iter()
        .filter(|one| one.unit.method.is_some())
        .count();
    let _ = writeln!(
        out,
        "{STRONG}jury{STRONG:#} {running} of {} would run: {}, about {} in all",
        units(foresight.units.len() - methods, methods),
        tests_to_run(foresight),
        micros(foresight.predicted_micros),
    );
    let _ = writeln!(
        out,
        "  {FAINT}analysis {}{FAINT:#}",
        millis(foresight.analysis_millis)
    );
    out
}

fn tests_to_run(foresight: &Foresight) -> String {
    let known = plural(foresight.predicted_tests, "test");
    match foresight.new_classes {
        0 => known,
        1 => format!("{known} and those of 1 new test class"),
        new => format!("{known} and those of {new} new test classes"),
    }
}

/// Why each test class ran.
pub fn reasons_to_run(run: &WatchedRun) -> String {
    let mut out = String::new();
    for RunUnit { unit, reasons } in &run.selected.run {
        let place = place(&unit.module, &unit.unit());
        let _ = writeln!(out, "{STRONG}{place}{STRONG:#} ran");
        for reason in reasons.iter().take(REASONS_SHOWN) {
            let _ = writeln!(out, "    {reason}");
        }
        cut(&mut out, reasons.len(), REASONS_SHOWN);
    }
    for unit in &run.selected.left_out {
        let place = place(&unit.module, &unit.unit());
        let _ = writeln!(out, "{FAINT}{place} left out{FAINT:#}");
    }
    out
}

fn units(class_count: usize, method_count: usize) -> String {
    match (class_count, method_count) {
        (_, 0) => classes(class_count),
        (0, _) => plural(method_count, "test method"),
        _ => format!(
            "{}, {}",
            classes(class_count),
            plural(method_count, "test method")
        ),
    }
}

fn classes(count: usize) -> String {
    match count {
        1 => "1 test class".to_owned(),
        _ => format!("{count} test classes"),
    }
}

pub fn replayed(run: &ReplayedRun) -> String {
    let mut out = String::new();
    red_tests(&mut out, &run.red);
    if !run.differences.is_empty() {
        let _ = writeln!(out, "{BAD}not as in the build{BAD:#}:");
        for difference in run.differences.iter().take(DIFFERENCES_SHOWN) {
            let now = difference
                .replayed
                .map_or("not found", |outcome| outcome.word());
            let place = place(&difference.module, &difference.label);
            let _ = writeln!(out, "  {place}: was {}, now {now}", difference.recorded);
            if let Some(failure) = &difference.failure {
                cause(&mut out, failure);
            }
        }
        cut(&mut out, run.differences.len(), DIFFERENCES_SHOWN);
    }
    notices(&mut out, &run.notices);
    let verdict = if run.differences.is_empty() {
        styled(GOOD, "same outcomes as in the build")
    } else {
        styled(
            BAD,
            &match run.differences.len() {
                1 => "1 test differs from the build".to_owned(),
                count => format!("{count} tests differ from the build"),
            },
        )
    };
    let _ = writeln!(
        out,
        "{STRONG}jury{STRONG:#} {verdict}: {}",
        counts(&run.counts)
    );
    let rounds = if run.rounds > 1 {
        format!("{} rounds, ", run.rounds)
    } else {
        String::new()
    };
    let _ = writeln!(
        out,
        "  {FAINT}{rounds}{}, {} wall, {} in tests{FAINT:#}",
        plural(run.workers as usize, "worker JVM"),
        millis(run.wall_millis),
        millis(run.test_micros / 1000),
    );
    out
}

pub fn known_tests(tests: &[KnownTest]) -> String {
    let mut out = String::new();
    for known in tests {
        let style = if known.outcome.is_red() { BAD } else { FAINT };
        let _ = writeln!(
            out,
            "{} {style}{}{style:#} {FAINT}{}{FAINT:#}",
            place(&known.module, &known.test.label()),
            known.outcome,
            micros(known.micros),
        );
        if let Some(flaky) = &known.flaky {
            let _ = writeln!(out, "    {ODD}{}{ODD:#}", flaky.kind.word());
        }
    }
    let _ = writeln!(out, "{}", plural(tests.len(), "test"));
    out
}

pub fn checkups(checkups: &[Checkup]) -> String {
    let mut out = String::new();
    for checkup in checkups {
        let (style, mark) = match checkup.health {
            Health::Good => (GOOD, "ok "),
            Health::Odd => (ODD, "odd"),
            Health::Bad => (BAD, "bad"),
        };
        let _ = writeln!(
            out,
            "{style}{mark}{style:#} {STRONG}{}{STRONG:#}: {}",
            checkup.subject, checkup.finding
        );
        if let Some(hint) = &checkup.hint {
            let _ = writeln!(out, "    {HINT}hint{HINT:#}: {hint}");
        }
    }
    out
}

/// A message with its hint, as used for errors and notices alike.
pub fn notice(label: &str, is_error: bool, notice: &Notice) -> String {
    let style = if is_error { BAD } else { ODD };
    let mut out = format!("{style}{label}{style:#}: {}\n", notice.message);
    if let Some(hint) = &notice.hint {
        let _ = writeln!(out, "  {HINT}hint{HINT:#}: {hint}");
    }
    out
}

pub fn duration(duration: Duration) -> String {
    micros(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX))
}

fn notices(out: &mut String, notices: &[Notice]) {
    for one in notices {
        out.push_str(&notice("note", false, one));
    }
}

fn red_tests(out: &mut String, red: &[RedTest]) {
    for test in red.iter().take(RED_SHOWN) {
        let place = place(&test.module, &test.label);
        let _ = writeln!(out, "{BAD}{}{BAD:#} {place}", test.outcome);
        if let Some(failure) = &test.failure {
            cause(out, failure);
        }
    }
    cut(out, red.len(), RED_SHOWN);
}

fn flaky_tests(out: &mut String, flaky: &[RedTest]) {
    for test in flaky {
        let place = place(&test.module, &test.label);
        let _ = writeln!(
            out,
            "{ODD}flaky{ODD:#} {place}: {}, then passed",
            test.outcome
        );
        if let Some(failure) = &test.failure {
            cause(out, failure);
        }
    }
}

fn cause(out: &mut String, failure: &Failure) {
    let text = match (failure.exception.as_str(), failure.message.as_str()) {
        ("", message) => message.to_owned(),
        (exception, "") => exception.to_owned(),
        (exception, message) => format!("{exception}: {message}"),
    };
    for line in text.lines().take(MESSAGE_LINES) {
        let _ = writeln!(out, "    {line}");
    }
}

fn cut(out: &mut String, total: usize, shown: usize) {
    if total > shown {
        let _ = writeln!(
            out,
            "  … and {} more (all of them with --format json)",
            total - shown
        );
    }
}

fn counts(counts: &Counts) -> String {
    let mut parts = vec![plural(counts.total(), "test")];
    for (count, word) in [
        (counts.passed, "passed"),
        (counts.failed, "failed"),
        (counts.timed_out, "timed out"),
        (counts.crashed, "crashed"),
        (counts.aborted, "aborted"),
        (counts.skipped, "skipped"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    parts.join(", ")
}

fn place(module: &str, label: &str) -> String {
    if module == "." {
        label.to_owned()
    } else {
        format!("{module}: {label}")
    }
}

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

fn plural(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

fn millis(millis: u64) -> String {
    micros(millis * 1000)
}

fn micros(micros: u64) -> String {
    match micros {
        0..10_000 => format!("{:.1} ms", micros as f64 / 1e3),
        10_000..1_000_000 => format!("{} ms", micros / 1000),
        1_000_000..100_000_000 => format!("{:.1} s", micros as f64 / 1e6),
        _ => format!(
            "{} min {:02} s",
            micros / 60_000_000,
            micros / 1_000_000 % 60
        ),
    }
}

#[cfg(test)]
mod tests {
    use jury_model::{Exit, Foreseen, LaunchedBy, Miss, Outcome, UnitName};

    use super::*;

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    fn unit(module: &str, class: &str) -> UnitName {
        UnitName::new(module, class)
    }

    fn run() -> WatchedRun {
        let counts: Counts = [
            Outcome::Passed,
            Outcome::Passed,
            Outcome::Failed,
            Outcome::Skipped,
        ]
        .into_iter()
        .collect();
        WatchedRun {
            exit: Exit::Findings,
            build_status: "exit status: 1".into(),
            counts,
            modules: [(".".to_string(), counts)].into(),
            jvms: [(LaunchedBy::Surefire, 1)].into(),
            red: vec![RedTest {
                module: "core".into(),
                label: "a.BTest#adds".into(),
                outcome: Outcome::Failed,
                failure: Some(Failure {
                    exception: "java.lang.AssertionError".into(),
                    message: "expected 3\nbut was 4".into(),
                    trace: String::new(),
                }),
            }],
            flaky: Vec::new(),
            attempts: 1,
            selected: Selected {
                build_started: true,
                collected: true,
                run: vec![RunUnit {
                    unit: unit("core", "a.BTest"),
                    reasons: vec!["method `a.B.add(int)` changed; the test executes it".into()],
                }],
                left_out: vec![unit(".", "a.CTest")],
                left_out_classes: 1,
                left_out_methods: 0,
                left_out_tests: [Outcome::Passed, Outcome::Passed].into_iter().collect(),
                deselected: Vec::new(),
                audited_classes: 0,
                audited_methods: 0,
                chosen: None,
                misses: Vec::new(),
                analysis_millis: 7,
                collection_millis: 9,
            },
            notices: vec![Notice::with_hint("one class is odd", "look at it")],
            build_millis: 4200,
            own_millis: 12,
            total_millis: 4300,
        }
    }

    #[test]
    fn a_red_run_names_test_cause_and_hint() {
        insta::assert_snapshot!(plain(&watched(&run())), @r"
        failed core: a.BTest#adds
            java.lang.AssertionError: expected 3
            but was 4
        note: one class is odd
          hint: look at it
        jury tests failed: 4 tests, 2 passed, 1 failed, 1 skipped
          left out, as no change can affect them: 1 test class, 2 tests, 2 passed
          watched 1 test JVM (1 surefire), build 4.2 s, analysis 7.0 ms, collection 9.0 ms; 4.3 s in all
        ");
    }

    #[test]
    fn what_was_not_wanted_is_counted_and_what_was_only_collected_is_no_verdict() {
        let mut run = run();
        run.selected.deselected = vec!["a.SlowTest".into()];
        let text = plain(&watched(&run));
        assert!(
            text.contains("\n  not run, as you asked: 1 test class\n"),
            "{text}"
        );
        run.exit = Exit::Clean;
        insta::assert_snapshot!(plain(&collected(&run)), @r"
        note: one class is odd
          hint: look at it
        jury collected: what 1 test class uses now; 1 up to date
          not counted: 4 tests, 2 passed, 1 failed, 1 skipped
        ");
    }

    #[test]
    fn a_flaky_test_is_named_with_what_it_failed_by() {
        let mut run = run();
        run.exit = Exit::Clean;
        run.counts = [Outcome::Passed].into_iter().collect();
        run.flaky = std::mem::take(&mut run.red);
        run.notices.clear();
        run.attempts = 2;
        insta::assert_snapshot!(plain(&watched(&run)), @r"
        flaky core: a.BTest#adds: failed, then passed
            java.lang.AssertionError: expected 3
            but was 4
        jury ok: 1 test, 1 passed
          red tests were run 2 times: 1 flaky, 0 still red
          left out, as no change can affect them: 1 test class, 2 tests, 2 passed
          watched 1 test JVM (1 surefire), build 4.2 s, analysis 7.0 ms, collection 9.0 ms; 4.3 s in all
        ");
    }

    #[test]
    fn an_audit_names_what_it_would_have_missed() {
        let mut run = run();
        run.red.clear();
        run.notices.clear();
        run.selected.audited_classes = 3;
        run.selected.misses.push(Miss {
            unit: unit(".", "a.DTest"),
            known: [Outcome::Skipped].into_iter().collect(),
            shown: [Outcome::Failed].into_iter().collect(),
            newly_used: vec!["file `fares.txt`".to_owned()],
            otherwise: vec!["`a.DTest#adds`: was skipped; now failed".to_owned()],
        });
        insta::assert_snapshot!(plain(&watched(&run)), @r"
        jury tests failed: 4 tests, 2 passed, 1 failed, 1 skipped
          left out, as no change can affect them: 1 test class, 2 tests, 2 passed
          missed a.DTest: was 1 test, 1 skipped; now 1 test, 1 failed
            `a.DTest#adds`: was skipped; now failed
            it was not known to use file `fares.txt`
          audit: 3 test classes would have been left out; 1 ended otherwise
          watched 1 test JVM (1 surefire), build 4.2 s, analysis 7.0 ms, collection 9.0 ms; 4.3 s in all
        ");
    }

    #[test]
    fn what_would_run_is_foreseen_with_its_reasons() {
        let foreseen_unit = |class: &str, reasons: &[&str]| Foreseen {
            unit: unit(".", class),
            reasons: reasons.iter().map(ToString::to_string).collect(),
            tests: Counts::default(),
            micros: Some(1500),
            tangle: None,
        };
        let foresight = Foresight {
            units: vec![
                foreseen_unit("a.BTest", &["file `x` changed; the test saw it"]),
                foreseen_unit("a.CTest", &[]),
                Foreseen {
                    micros: None,
                    ..foreseen_unit("a.DTest", &["new: it was never seen to run"])
                },
            ],
            predicted_tests: 3,
            new_classes: 1,
            predicted_micros: 3000,
            notices: Vec::new(),
            analysis_millis: 3,
        };
        insta::assert_snapshot!(plain(&foreseen(&foresight, false)), @r"
        a.BTest would run
            file `x` changed; the test saw it
        a.CTest would be left out: nothing it uses has changed
        a.DTest would run
            new: it was never seen to run
        jury 2 of 3 test classes would run: 3 tests and those of 1 new test class, about 3.0 ms in all
          analysis 3.0 ms
        ");
    }

    #[test]
    fn each_class_is_explained() {
        insta::assert_snapshot!(plain(&reasons_to_run(&run())), @r"
        core: a.BTest ran
            method `a.B.add(int)` changed; the test executes it
        a.CTest left out
        ");
    }

    #[test]
    fn where_nothing_has_changed_the_known_outcomes_are_the_answer() {
        let mut run = run();
        run.notices.clear();
        run.selected.build_started = false;
        insta::assert_snapshot!(plain(&watched(&run)), @r"
        jury nothing has changed: 2 tests, 2 passed in 1 test class, as they were
          looked for 7.0 ms; the build was not started
        ");
    }

    #[test]
    fn durations_are_short_and_have_a_unit() {
        let shown: Vec<_> = [0, 1_500, 12_345, 2_500_000, 125_000_000]
            .map(micros)
            .into();
        assert_eq!(shown, ["0.0 ms", "1.5 ms", "12 ms", "2.5 s", "2 min 05 s"]);
    }
}
