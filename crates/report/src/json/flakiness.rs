//! What `jury flaky` tells machines.

use jury_flaky::{FlakyRun, Suspect, Tally, Verdict};
use serde::Serialize;

use super::{FailureJson, NoticeJson, document};

pub fn reran(run: &FlakyRun) -> String {
    document(
        "flaky",
        FlakyJson {
            exit_code: run.exit.code(),
            counts: (&run.tally).into(),
            tests: run.suspects.iter().map(SuspectJson::from).collect(),
            taken_back: (run.taken_back.iter())
                .map(|(module, label)| TestJson { module, label })
                .collect(),
            rounds: run.rounds,
            seed: run.seed,
            isolated: run.isolated,
            workers: run.workers,
            notices: run.notices.iter().map(NoticeJson::from).collect(),
            wall_millis: run.wall_millis,
        },
    )
}

#[derive(Serialize)]
struct FlakyJson<'a> {
    exit_code: u8,
    counts: TallyJson,
    tests: Vec<SuspectJson<'a>>,
    taken_back: Vec<TestJson<'a>>,
    rounds: usize,
    seed: u64,
    isolated: bool,
    workers: u32,
    notices: Vec<NoticeJson<'a>>,
    wall_millis: u64,
}

#[derive(Serialize)]
struct TestJson<'a> {
    module: &'a str,
    label: &'a str,
}

#[derive(Serialize)]
struct TallyJson {
    total: usize,
    steady: usize,
    broken: usize,
    unsteady: usize,
    victim: usize,
    brittle: usize,
    unseen: usize,
}

impl From<&Tally> for TallyJson {
    fn from(tally: &Tally) -> Self {
        Self {
            total: tally.total(),
            steady: tally.steady,
            broken: tally.broken,
            unsteady: tally.unsteady,
            victim: tally.victims,
            brittle: tally.brittle,
            unseen: tally.unseen,
        }
    }
}

#[derive(Serialize)]
struct SuspectJson<'a> {
    module: &'a str,
    label: &'a str,
    verdict: &'static str,
    culprits: &'a [String],
    confirmed: bool,
    recorded: &'static str,
    ran: usize,
    red: usize,
    outcome: &'static str,
    failure: Option<FailureJson<'a>>,
    reproduce: &'a str,
}

impl<'a> From<&'a Suspect> for SuspectJson<'a> {
    fn from(suspect: &'a Suspect) -> Self {
        Self {
            module: &suspect.module,
            label: &suspect.label,
            verdict: match suspect.verdict {
                Verdict::Steady => "steady",
                Verdict::Broken => "broken",
                Verdict::Flaky(kind) => kind.word(),
                Verdict::Unseen => "unseen",
            },
            culprits: &suspect.culprits,
            confirmed: suspect.confirmed,
            recorded: suspect.recorded.word(),
            ran: suspect.ran,
            red: suspect.red,
            outcome: suspect.outcome.word(),
            failure: suspect.failure.as_ref().map(FailureJson::from),
            reproduce: &suspect.reproduce,
        }
    }
}
