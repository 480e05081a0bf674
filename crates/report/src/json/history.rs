//! How a history came about and what options would select in it, for machines.

use jury_lineage::{Count, Event, HistoryRun, Plan, Refusal, Totals};
use serde::Serialize;

use super::{NoticeJson, document};

pub fn history(run: &HistoryRun) -> String {
    let counts = &run.counts;
    document(
        "history",
        HistoryJson {
            range: &run.range,
            counts: CountsJson {
                commits: counts.commits,
                merges: counts.merges,
                octopus_merges: counts.octopuses,
                automatic_merges: counts.automatic,
                edited_merges: counts.edited,
                rebases: counts.rebases,
                by_others: counts.foreign,
                cherry_picks: counts.cherry_picks,
                reverts: counts.reverts,
            },
            known_revisions: run.known_revisions,
            events: run.events.iter().map(EventJson::from).collect(),
            totals: ["merge", "cherry-pick", "revert"]
                .into_iter()
                .map(|deed| TotalsJson::of(deed, &run.totals(deed)))
                .collect(),
            notices: run.notices.iter().map(NoticeJson::from).collect(),
        },
    )
}

/// A revision whose classes were noted.
pub fn noted(commit: &str, tests: usize) -> String {
    document("history-note", NotedJson { commit, tests })
}

#[derive(Serialize)]
struct NotedJson<'a> {
    commit: &'a str,
    tests: usize,
}

#[derive(Serialize)]
struct HistoryJson<'a> {
    range: &'a str,
    counts: CountsJson,
    known_revisions: usize,
    events: Vec<EventJson<'a>>,
    totals: Vec<TotalsJson>,
    notices: Vec<NoticeJson<'a>>,
}

#[derive(Serialize)]
struct CountsJson {
    commits: usize,
    merges: usize,
    octopus_merges: usize,
    automatic_merges: usize,
    edited_merges: usize,
    rebases: usize,
    by_others: usize,
    cherry_picks: usize,
    reverts: usize,
}

#[derive(Serialize)]
struct EventJson<'a> {
    commit: &'a str,
    subject: &'a str,
    deed: &'static str,
    parents: usize,
    automatic: Option<bool>,
    tests: Option<usize>,
    options: Vec<OptionJson>,
    chosen: Option<String>,
    missed_by_s0: &'a [String],
    tested: Option<TestedJson>,
}

#[derive(Serialize)]
struct TestedJson {
    available: usize,
    selected: usize,
    red: usize,
}

#[derive(Serialize)]
struct OptionJson {
    option: String,
    safe: bool,
    selected: Option<usize>,
    comparisons: Option<usize>,
    refused: Option<String>,
}

#[derive(Serialize)]
struct TotalsJson {
    deed: &'static str,
    events: usize,
    tests: usize,
    selected: Vec<SelectedJson>,
    unsafe_events: usize,
}

#[derive(Serialize)]
struct SelectedJson {
    option: String,
    tests: usize,
}

impl OptionJson {
    fn of(plan: Plan, outcome: &Result<Count, Refusal>) -> Self {
        OptionJson {
            option: plan.to_string(),
            safe: plan.is_safe(),
            selected: outcome.ok().map(|count| count.tests),
            comparisons: outcome.ok().map(|count| count.comparisons),
            refused: outcome.err().map(|refusal| refusal.to_string()),
        }
    }
}

impl TotalsJson {
    fn of(deed: &'static str, totals: &Totals) -> Self {
        TotalsJson {
            deed,
            events: totals.events,
            tests: totals.tests,
            selected: (totals.selected.iter())
                .map(|(plan, tests)| SelectedJson {
                    option: plan.to_string(),
                    tests: *tests,
                })
                .collect(),
            unsafe_events: totals.unsafe_events,
        }
    }
}

impl<'a> From<&'a Event> for EventJson<'a> {
    fn from(event: &'a Event) -> Self {
        let selections = event.selections.as_ref();
        EventJson {
            commit: &event.commit,
            subject: &event.subject,
            deed: event.deed,
            parents: event.parents,
            automatic: event.is_automatic,
            tests: selections.map(|own| own.tests),
            options: (selections.iter())
                .flat_map(|own| &own.plans)
                .map(|(plan, outcome)| OptionJson::of(*plan, outcome))
                .collect(),
            chosen: selections.map(|own| own.chosen.to_string()),
            missed_by_s0: selections.map_or(&[], |own| &own.missed_by_zero),
            tested: event.tested.map(|tested| TestedJson {
                available: tested.available,
                selected: tested.selected,
                red: tested.red,
            }),
        }
    }
}
