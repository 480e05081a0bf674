//! `jury flaky`: runs known tests again, in other orders and alone, each time in fresh JVMs, and
//! remembers those that do not always end in the same way.
//!
//! One JVM runs at a time unless more are asked for: tests may share ports, files or databases, and
//! one that is only red beside others is flaky in a way that its build never sees.

mod lineup;
mod memory;
mod search;
mod showings;
mod stand;

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime};

use jury_flaky::{FlakyRun, Judgement, Suspect, Tally, Verdict};
use jury_jvm::{Installation, JvmError, cache_directory};
use jury_model::{Exit, Flakiness, Notice, TestId};
use jury_store::StoredFlaky;

use self::lineup::{Lineup, Rounds};
pub(crate) use self::memory::known_flaky;
use self::memory::{News, remember};
use self::search::{Search, numbers};
use self::showings::Showings;
use self::stand::{Heard, Stand};
use crate::WorkflowError;
use crate::recipes::{join_recipes, recipes_of};
use crate::tests::{TestQuery, find, open_known};

/// What to look for, and how.
#[derive(Debug)]
pub struct FlakyRequest<'a> {
    pub root: &'a Path,
    pub state_dir: &'a Path,
    /// Which tests are judged. Others run before them where they share a JVM.
    pub query: TestQuery<'a>,
    /// How often the recorded order is run, and how many shuffled ones are.
    pub rounds: usize,
    pub seed: u64,
    /// Run every class alone, too, not only those of suspects.
    pub isolate: bool,
    pub jobs: usize,
    /// The same limit for every test; without it, a multiple of each one's recorded time.
    pub test_timeout: Option<Duration>,
    pub cancelled: &'a AtomicBool,
}

/// What happens meanwhile.
#[derive(Debug)]
pub enum FlakyProgress {
    /// So many runs of tests in so many JVMs lie ahead, which take about so long.
    Planned {
        runs: usize,
        jvms: usize,
        estimate: Duration,
    },
    Ran,
    /// So many suspects are looked at more closely.
    Suspecting(usize),
    Settled,
}

pub fn flaky(
    request: &FlakyRequest<'_>,
    mut progress: impl FnMut(FlakyProgress),
) -> Result<FlakyRun, WorkflowError> {
    let clock = Instant::now();
    let mut store = open_known(request.state_dir)?;
    let judged: HashSet<(String, TestId)> = (find(&store, request.query)?.into_iter())
        .map(|test| (test.module, test.test.id))
        .collect();
    let everything = TestQuery {
        patterns: &[],
        ..request.query
    };
    let mut known = find(&store, everything)?;
    let recipes = recipes_of(&store, request.root, &known)?;
    join_recipes(&mut known, &recipes);
    let lineup = Lineup::new(known, &judged, &recipes);
    let installation = Installation::prepare(&cache_directory()?)?;
    let stand = Stand {
        lineup: &lineup,
        installation: &installation,
        test_timeout: request.test_timeout,
        cancelled: request.cancelled,
        workers: AtomicU32::new(0),
    };
    let cast: Vec<(usize, usize)> = (lineup.classes.iter().enumerate())
        .flat_map(|(class, tested)| tested.tests.iter().map(move |test| (*test, class)))
        .filter(|(test, _)| {
            let test = &lineup.tests[*test];
            judged.contains(&(test.module.clone(), test.test.id.clone()))
        })
        .collect();

    let mut notices = Vec::new();
    let without_recipe = judged.len() - cast.len();
    if without_recipe > 0 {
        notices.push(Notice::with_hint(
            format!("{without_recipe} tests have no recipe to start their JVM"),
            "run `jury test` to record one",
        ));
    }
    let mut showings = Showings::of(lineup.tests.len());
    notices.extend(run_rounds(request, &stand, &mut showings, &mut progress)?);
    let remembered = store.flaky_tests()?;
    let retried = retry(&stand, &cast, &remembered, &mut showings)?;
    notices.extend(settle_suspects(
        &stand,
        &cast,
        &mut showings,
        &mut progress,
    )?);

    let interrupted = stand.is_cancelled();
    let news = News {
        request,
        lineup: &lineup,
        cast: &cast,
        showings: &showings,
        remembered: &remembered,
        retried: &retried,
        interrupted,
    };
    let outcome = remember(&mut store, &news, SystemTime::now())?;
    notices.extend(outcome.notices);
    let mut tally = Tally::default();
    let mut suspects = Vec::new();
    for (test, class) in cast {
        let judgement = showings.judge(test);
        // What an interruption kept from running is not gone.
        if judgement.verdict != Verdict::Unseen || !interrupted {
            tally.add(judgement.verdict);
        }
        suspects.extend(suspect(
            request,
            &lineup,
            &showings,
            (test, class),
            &judgement,
        ));
    }
    suspects.sort_by(|one, other| (&one.module, &one.label).cmp(&(&other.module, &other.label)));
    if tally.unseen > 0 {
        notices.push(Notice::with_hint(
            format!("{} tests were not found any more", tally.unseen),
            "run `jury test`, which learns what there is",
        ));
    }
    let exit = match (interrupted, suspects.is_empty()) {
        (true, _) => Exit::Interrupted,
        (false, false) => Exit::Findings,
        (false, true) => Exit::Clean,
    };
    Ok(FlakyRun {
        exit,
        tally,
        suspects,
        taken_back: outcome.taken_back,
        seed: request.seed,
        rounds: request.rounds,
        isolated: request.isolate,
        workers: stand.workers.load(Ordering::Relaxed),
        notices,
        wall_millis: u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

/// The recorded order, shuffled ones, and classes alone.
fn run_rounds(
    request: &FlakyRequest<'_>,
    stand: &Stand<'_>,
    showings: &mut Showings,
    progress: &mut impl FnMut(FlakyProgress),
) -> Result<Option<Notice>, JvmError> {
    let lineup = stand.lineup;
    let sequences = lineup.sequences(Rounds {
        each: request.rounds.max(1),
        seed: request.seed,
        isolate: request.isolate,
    });
    let classes = sequences.iter().flatten();
    let jobs = request.jobs.max(1);
    progress(FlakyProgress::Planned {
        runs: classes
            .map(|class| lineup.classes[*class].tests.len())
            .sum(),
        jvms: sequences.len(),
        estimate: lineup.estimate(&sequences) / u32::try_from(jobs).unwrap_or(1),
    });
    let mut all = stand.run_all(&sequences, jobs, || progress(FlakyProgress::Ran))?;
    let mut company = HashSet::new();
    if jobs > 1 {
        for (sequence, heard) in sequences.iter().zip(&mut all) {
            let red = red_of(heard);
            if red.is_empty() || stand.is_cancelled() {
                continue;
            }
            // In peace once more: only that counts.
            *heard = stand.run(sequence, || ())?;
            let still = red_of(heard);
            company.extend(red.difference(&still).copied());
        }
    }
    all.into_iter().for_each(|heard| showings.add(heard));
    company.retain(|test| showings.times(*test).1 == 0);
    let mut labels: Vec<String> = (company.into_iter())
        .map(|test| format!("`{}`", lineup.tests[test].test.label()))
        .collect();
    labels.sort();
    Ok((!labels.is_empty()).then(|| {
        Notice::with_hint(
            format!(
                "red only while other JVMs ran, which does not count: {}",
                labels.join(", ")
            ),
            "tests that share a port, a file or a database across JVMs do that; leave out `-j`",
        )
    }))
}

fn red_of(heard: &[Heard]) -> HashSet<usize> {
    let ended = heard.iter().flat_map(|one| &one.ended);
    let red = ended.filter(|one| one.outcome.is_red());
    red.map(|one| one.test).collect()
}

/// Steady tests that were known to depend on others are tried with those. Says which ones were.
fn retry(
    stand: &Stand<'_>,
    cast: &[(usize, usize)],
    remembered: &[StoredFlaky],
    showings: &mut Showings,
) -> Result<HashSet<usize>, JvmError> {
    let mut retried = HashSet::new();
    for (test, class) in cast {
        let known = memory::finding(remembered, &stand.lineup.tests[*test]);
        let Some(known) = known.filter(|one| one.flaky.kind != Flakiness::Unsteady) else {
            continue;
        };
        let culprits = numbers(stand.lineup, *class, &known.flaky.culprits);
        let is_steady = showings.judge(*test).verdict == Verdict::Steady;
        if let Some(culprits) = culprits.filter(|_| is_steady && !stand.is_cancelled()) {
            Search { stand, showings }.confirm(*test, *class, &culprits)?;
            retried.insert(*test);
        }
    }
    Ok(retried)
}

/// Looks closer at tests that depend on the order.
fn settle_suspects(
    stand: &Stand<'_>,
    cast: &[(usize, usize)],
    showings: &mut Showings,
    progress: &mut impl FnMut(FlakyProgress),
) -> Result<Vec<Notice>, JvmError> {
    let depends = |showings: &Showings, test: usize| {
        let verdict = showings.judge(test).verdict;
        matches!(
            verdict,
            Verdict::Flaky(Flakiness::Victim | Flakiness::Brittle)
        )
    };
    let suspects: Vec<_> = cast
        .iter()
        .filter(|(test, _)| depends(showings, *test))
        .collect();
    let mut notices = Vec::new();
    progress(FlakyProgress::Suspecting(suspects.len()));
    for (test, class) in suspects {
        if stand.is_cancelled() {
            break;
        }
        let settled = Search { stand, showings }.settle(*test, *class)?;
        if !settled && !stand.is_cancelled() {
            notices.push(Notice::new(format!(
                "gave up finding the fewest classes that `{}` depends on",
                stand.lineup.tests[*test].test.label()
            )));
        }
        progress(FlakyProgress::Settled);
    }
    Ok(notices)
}

/// None if the test is steady, or was not seen.
fn suspect(
    request: &FlakyRequest<'_>,
    lineup: &Lineup<'_>,
    showings: &Showings,
    (number, class): (usize, usize),
    judgement: &Judgement,
) -> Option<Suspect> {
    let (outcome, failure) = showings.first_red(number)?.clone();
    let test = &lineup.tests[number];
    // Red in a torn order only.
    if judgement.verdict == Verdict::Steady {
        return None;
    }
    let name = |class: &usize| lineup.classes[*class].name.clone();
    let culprits: Vec<String> = judgement.culprits.iter().map(name).collect();
    let (ran, red) = showings.times(number);
    let module = match test.module.as_str() {
        "." => String::new(),
        module => format!(" --module {module}"),
    };
    let label = test.test.label();
    let reproduce = match judgement.verdict {
        Verdict::Broken => format!("jury replay{module} '{label}'"),
        Verdict::Flaky(Flakiness::Victim) if judgement.confirmed => {
            let classes = [culprits.join(" "), name(&class)].join(" ");
            format!("jury replay{module} --in-order {classes}")
        }
        Verdict::Flaky(Flakiness::Brittle) if judgement.confirmed => {
            format!("jury replay{module} --in-order {}", name(&class))
        }
        _ => format!(
            "jury flaky{module} '{label}' --rounds {} --seed {}",
            request.rounds, request.seed
        ),
    };
    Some(Suspect {
        module: test.module.clone(),
        label,
        verdict: judgement.verdict,
        culprits,
        confirmed: judgement.confirmed,
        recorded: test.last_outcome,
        ran,
        red,
        outcome,
        failure,
        reproduce,
    })
}
