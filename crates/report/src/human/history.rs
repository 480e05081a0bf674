//! How a history came about and what options would select in it, for a terminal.

use std::fmt::Write;

use jury_lineage::{Event, HistoryRun, Plan, Selections, Tested};

use super::{BAD, FAINT, ODD, STRONG, notices, plural, styled};

/// How much of a commit's name is shown.
const NAME: usize = 10;
/// How many tests are named where S⁰ misses some.
const MISSED_SHOWN: usize = 3;

pub fn history(run: &HistoryRun) -> String {
    let mut out = String::new();
    for event in &run.events {
        if event.selections.is_some() || event.tested.is_some() {
            shown(&mut out, event);
        }
    }
    notices(&mut out, &run.notices);
    for deed in ["merge", "cherry-pick", "revert"] {
        totals(&mut out, run, deed);
    }
    counts(&mut out, run);
    out
}

pub fn noted(commit: &str, tests: usize) -> String {
    let name = commit.get(..NAME).unwrap_or(commit);
    format!(
        "{STRONG}jury{STRONG:#} noted {} at {name}\n",
        test_classes(tests)
    )
}

fn shown(out: &mut String, event: &Event) {
    let name = event.commit.get(..NAME).unwrap_or(&event.commit);
    let edited = match event.is_automatic {
        Some(true) => String::new(),
        Some(false) => styled(ODD, " edited"),
        None => " perhaps edited".to_owned(),
    };
    let _ = write!(out, "{STRONG}{name}{STRONG:#} {}{edited}", event.deed);
    if let Some(selections) = &event.selections {
        plans(out, selections);
    }
    let _ = writeln!(out, "  {FAINT}{}{FAINT:#}", event.subject);
    if let Some(selections) = &event.selections {
        missed(out, &selections.missed_by_zero);
    }
    if let Some(tested) = &event.tested {
        tested_there(out, tested);
    }
}

fn plans(out: &mut String, selections: &Selections) {
    out.push(':');
    for (plan, outcome) in &selections.plans {
        match outcome {
            Ok(count) => _ = write!(out, " {plan} {},", count.tests),
            Err(_) => _ = write!(out, " {plan} –,"),
        }
    }
    out.pop();
    let _ = write!(out, " of {}", test_classes(selections.tests));
}

fn missed(out: &mut String, missed: &[String]) {
    if !missed.is_empty() {
        let named: Vec<&str> = missed
            .iter()
            .take(MISSED_SHOWN)
            .map(String::as_str)
            .collect();
        let more = if missed.len() > named.len() {
            ", …"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "  {} {}{more}",
            styled(BAD, "S0 misses"),
            named.join(", ")
        );
    }
}

fn tested_there(out: &mut String, tested: &Tested) {
    let red = match tested.red {
        0 => "none red".to_owned(),
        red => styled(BAD, &format!("{red} red")),
    };
    let _ = writeln!(
        out,
        "  `jury test` ran {} of {} there, {red}",
        tested.selected,
        test_classes(tested.available),
    );
}

fn totals(out: &mut String, run: &HistoryRun, deed: &str) {
    let totals = run.totals(deed);
    if totals.events == 0 {
        return;
    }
    let sums: Vec<String> = (totals.selected.iter())
        .filter(|(plan, _)| deed == "merge" || *plan != Plan::Each)
        .map(|(plan, sum)| format!("{plan} {sum}"))
        .collect();
    let _ = writeln!(
        out,
        "{STRONG}jury{STRONG:#} in {}: {} of {}; S0 is unsafe at {}",
        plural(totals.events, deed),
        sums.join(", "),
        test_classes(totals.tests),
        totals.unsafe_events,
    );
}

fn counts(out: &mut String, run: &HistoryRun) {
    let counts = &run.counts;
    let share = |part: usize, whole: usize| match whole {
        0 => String::new(),
        _ => format!(" ({:.1} %)", 100.0 * part as f64 / whole as f64),
    };
    let of_all = |part: usize| share(part, counts.commits);
    let _ = writeln!(
        out,
        "{STRONG}jury{STRONG:#} {}: {}, {}{}, {}{}, {}{}, {}{}, {} by others{}",
        run.range,
        plural(counts.commits, "commit"),
        plural(counts.merges, "merge"),
        of_all(counts.merges),
        plural(counts.rebases, "rebase"),
        of_all(counts.rebases),
        plural(counts.cherry_picks, "cherry-pick"),
        of_all(counts.cherry_picks),
        plural(counts.reverts, "revert"),
        of_all(counts.reverts),
        counts.foreign,
        of_all(counts.foreign),
    );
    if counts.merges > 0 {
        let _ = writeln!(
            out,
            "  {FAINT}merges: {} as git makes them{}, {} edited, {} of more than two branches{FAINT:#}",
            counts.automatic,
            share(counts.automatic, counts.automatic + counts.edited),
            counts.edited,
            counts.octopuses,
        );
    }
}

fn test_classes(count: usize) -> String {
    match count {
        1 => "1 test class".to_owned(),
        _ => format!("{count} test classes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_lineage::{Count, DeedCounts, Refusal, Tested};

    #[test]
    fn a_merge_shows_what_each_option_selects_and_misses() {
        let count = |tests| {
            Ok(Count {
                tests,
                comparisons: 1,
            })
        };
        let event = |zero| Event {
            commit: "0123456789abcdef".into(),
            subject: "Merge branch 'tea'".into(),
            deed: "merge",
            parents: 2,
            is_automatic: Some(true),
            selections: Some(Selections {
                tests: 9,
                plans: vec![
                    (Plan::One, count(7)),
                    (Plan::Each, count(3)),
                    (Plan::Zero, zero),
                    (Plan::Evidence, count(3)),
                ],
                chosen: Plan::Zero,
                missed_by_zero: vec!["shop.TaxTests".into()],
            }),
            tested: None,
        };
        let only_tested = Event {
            selections: None,
            tested: Some(Tested {
                available: 9,
                selected: 3,
                red: 1,
            }),
            ..event(count(2))
        };
        let run = HistoryRun {
            range: "main".into(),
            counts: DeedCounts {
                commits: 8,
                merges: 2,
                automatic: 1,
                edited: 1,
                ..DeedCounts::default()
            },
            events: vec![
                event(count(2)),
                event(Err(Refusal::BranchNotKnown)),
                only_tested,
            ],
            ..HistoryRun::default()
        };
        let text = anstream::adapter::strip_str(&history(&run)).to_string();
        assert_eq!(
            text,
            "0123456789 merge: S1 7, Sk 3, S0 2, evidence 3 of 9 test classes  Merge branch 'tea'\n  \
             S0 misses shop.TaxTests\n\
             0123456789 merge: S1 7, Sk 3, S0 –, evidence 3 of 9 test classes  Merge branch 'tea'\n  \
             S0 misses shop.TaxTests\n\
             0123456789 merge  Merge branch 'tea'\n  \
             `jury test` ran 3 of 9 test classes there, 1 red\n\
             jury in 1 merge: S1 7, Sk 3, S0 2, evidence 3 of 9 test classes; S0 is unsafe at 1\n\
             jury main: 8 commits, 2 merges (25.0 %), 0 rebases (0.0 %), 0 cherry-picks (0.0 %), \
             0 reverts (0.0 %), 0 by others (0.0 %)\n  \
             merges: 1 as git makes them (50.0 %), 1 edited, 0 of more than two branches\n"
        );
    }
}
