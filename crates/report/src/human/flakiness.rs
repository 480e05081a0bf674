//! What `jury flaky` tells on a terminal: each test that is not steady, what is wrong with it, and
//! how to see that again.

use std::fmt::Write;
use std::time::Duration;

use jury_flaky::{FlakyRun, Suspect, Verdict};
use jury_model::{Exit, Flakiness};

use super::{
    BAD, FAINT, GOOD, HINT, ODD, STRONG, cause, cut, duration, millis, notices, place, plural,
    styled,
};

/// Findings shown before the list is cut.
const SUSPECTS_SHOWN: usize = 50;
/// Classes named for a finding.
const CULPRITS_SHOWN: usize = 3;

/// What lies ahead.
pub fn about_to_rerun(runs: usize, jvms: usize, estimate: Duration) -> String {
    format!(
        "{} in {}, about {}",
        plural(runs, "run") + " of tests",
        plural(jvms, "JVM"),
        duration(estimate)
    )
}

pub fn reran(run: &FlakyRun) -> String {
    let mut out = String::new();
    for suspect in run.suspects.iter().take(SUSPECTS_SHOWN) {
        finding(&mut out, suspect);
    }
    cut(&mut out, run.suspects.len(), SUSPECTS_SHOWN);
    for (module, label) in &run.taken_back {
        let place = place(module, label);
        let _ = writeln!(out, "{GOOD}flaky no more{GOOD:#} {place}");
    }
    notices(&mut out, &run.notices);
    let tally = &run.tally;
    let mut words = vec![plural(tally.total(), "test")];
    for (count, word) in [
        (tally.steady, "steady"),
        (tally.unsteady, "unsteady"),
        (tally.victims + tally.brittle, "order-dependent"),
        (tally.broken, "broken"),
        (tally.unseen, "not found"),
    ] {
        if count > 0 {
            words.push(format!("{count} {word}"));
        }
    }
    let verdict = match (run.exit, tally.flaky(), tally.broken) {
        (Exit::Interrupted, 0, _) => styled(ODD, "nothing flaky so far"),
        (_, 0, 0) => styled(GOOD, "nothing flaky"),
        (_, 0, _) => styled(BAD, "nothing flaky, but red"),
        (_, count, _) => styled(BAD, &format!("{count} flaky")),
    };
    let _ = writeln!(
        out,
        "{STRONG}jury{STRONG:#} {verdict}: {}",
        words.join(", ")
    );
    let _ = writeln!(
        out,
        "  {FAINT}{} of each kind{}, seed {}, {}, {} wall{FAINT:#}",
        plural(run.rounds, "round"),
        if run.isolated {
            " and every class alone"
        } else {
            ""
        },
        run.seed,
        plural(run.workers as usize, "worker JVM"),
        millis(run.wall_millis),
    );
    out
}

fn finding(out: &mut String, suspect: &Suspect) {
    let (style, word) = match suspect.verdict {
        Verdict::Flaky(Flakiness::Unsteady) => (ODD, "unsteady"),
        Verdict::Flaky(Flakiness::Victim | Flakiness::Brittle) => (ODD, "order-dependent"),
        Verdict::Broken => (BAD, "broken"),
        Verdict::Steady => (GOOD, "steady"),
        Verdict::Unseen => (ODD, "not found"),
    };
    let place = place(&suspect.module, &suspect.label);
    let _ = writeln!(out, "{style}{word}{style:#} {place}: {}", story(suspect));
    if let Some(failure) = &suspect.failure {
        cause(out, failure);
    }
    let _ = writeln!(out, "    {HINT}see it again{HINT:#}: {}", suspect.reproduce);
}

fn story(suspect: &Suspect) -> String {
    let Suspect {
        outcome, ran, red, ..
    } = suspect;
    let mut text = match suspect.verdict {
        Verdict::Flaky(Flakiness::Victim) => {
            format!("passes alone, {outcome} after {}", named(&suspect.culprits))
        }
        Verdict::Flaky(Flakiness::Brittle) => {
            format!("{outcome} alone, passes after {}", named(&suspect.culprits))
        }
        Verdict::Broken => format!("{outcome} every time ({ran})"),
        Verdict::Flaky(Flakiness::Unsteady) | Verdict::Steady | Verdict::Unseen => {
            format!("{outcome} {red} of {ran} times, and not because of the order")
        }
    };
    if !suspect.confirmed {
        text.push_str(" (not confirmed)");
    }
    if suspect.verdict == Verdict::Broken && !suspect.recorded.is_red() {
        let _ = write!(text, ", {} in the build", suspect.recorded);
    }
    text
}

fn named(classes: &[String]) -> String {
    let shown = classes.iter().take(CULPRITS_SHOWN);
    let shown: Vec<String> = shown.map(|class| format!("`{class}`")).collect();
    match classes.len().saturating_sub(CULPRITS_SHOWN) {
        0 if classes.is_empty() => "others".to_owned(),
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use jury_flaky::Tally;
    use jury_model::{Failure, Notice, Outcome};

    use super::*;

    fn suspect(label: &str, verdict: Verdict, culprits: &[&str]) -> Suspect {
        Suspect {
            module: ".".into(),
            label: label.into(),
            verdict,
            culprits: culprits.iter().map(ToString::to_string).collect(),
            confirmed: true,
            recorded: Outcome::Passed,
            ran: 11,
            red: 4,
            outcome: Outcome::Failed,
            failure: Some(Failure {
                exception: "java.lang.AssertionError".into(),
                message: "no luck".into(),
                trace: String::new(),
            }),
            reproduce: "jury replay --in-order a.CTest a.BTest".into(),
        }
    }

    fn run(suspects: Vec<Suspect>) -> FlakyRun {
        let mut tally = Tally {
            steady: 40,
            ..Tally::default()
        };
        suspects.iter().for_each(|one| tally.add(one.verdict));
        FlakyRun {
            exit: Exit::Findings,
            tally,
            suspects,
            taken_back: Vec::new(),
            seed: 7,
            rounds: 5,
            isolated: false,
            workers: 14,
            notices: Vec::new(),
            wall_millis: 12_300,
        }
    }

    fn plain(run: &FlakyRun) -> String {
        anstream::adapter::strip_str(&reran(run)).to_string()
    }

    #[test]
    fn each_kind_is_told_with_whom_it_depends_on_and_how_to_see_it() {
        let mut unconfirmed = suspect(
            "a.DTest#four",
            Verdict::Flaky(Flakiness::Brittle),
            &["a.A", "a.B", "a.C", "a.D", "a.E"],
        );
        unconfirmed.confirmed = false;
        let mut run = run(vec![
            suspect(
                "a.BTest#one",
                Verdict::Flaky(Flakiness::Victim),
                &["a.CTest"],
            ),
            suspect("a.BTest#two", Verdict::Flaky(Flakiness::Unsteady), &[]),
            suspect("a.BTest#three", Verdict::Broken, &[]),
            unconfirmed,
        ]);
        run.taken_back.push(("core".into(), "a.ETest#five".into()));
        run.notices
            .push(Notice::with_hint("one is odd", "look at it"));
        insta::assert_snapshot!(plain(&run), @r"
        order-dependent a.BTest#one: passes alone, failed after `a.CTest`
            java.lang.AssertionError: no luck
            see it again: jury replay --in-order a.CTest a.BTest
        unsteady a.BTest#two: failed 4 of 11 times, and not because of the order
            java.lang.AssertionError: no luck
            see it again: jury replay --in-order a.CTest a.BTest
        broken a.BTest#three: failed every time (11), passed in the build
            java.lang.AssertionError: no luck
            see it again: jury replay --in-order a.CTest a.BTest
        order-dependent a.DTest#four: failed alone, passes after `a.A`, `a.B`, `a.C` and 2 more (not confirmed)
            java.lang.AssertionError: no luck
            see it again: jury replay --in-order a.CTest a.BTest
        flaky no more core: a.ETest#five
        note: one is odd
          hint: look at it
        jury 3 flaky: 44 tests, 40 steady, 1 unsteady, 2 order-dependent, 1 broken
          5 rounds of each kind, seed 7, 14 worker JVMs, 12.3 s wall
        ");
    }

    #[test]
    fn nothing_flaky_is_said_in_two_lines() {
        let mut run = run(Vec::new());
        run.exit = Exit::Clean;
        insta::assert_snapshot!(plain(&run), @r"
        jury nothing flaky: 40 tests, 40 steady
          5 rounds of each kind, seed 7, 14 worker JVMs, 12.3 s wall
        ");
    }
}
