//! The tour: each step says what it does, shows the command a user would type, and runs it.

use std::path::Path;

use anyhow::Context;
use jury_model::Exit;
use jury_mutate::MutateSettings;
use jury_report::human;
use jury_workflows::{
    ExplainProgress, ExplainRequest, MutateProgress, MutateRequest, ReplayProgress, ReplayRequest,
    SelectionSettings, TestQuery, WatchRequest, examine, explain, known_tests, mutate, replay,
    unpack_demo, verdict, watch,
};

use crate::args::{DemoArgs, GlobalArgs};
use crate::interrupt::watch_for_signals;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::settings::Place;

/// Runs of each version where something varies.
const MOST_RUNS: usize = 10;
/// Rounds that make the difference between a cold and a warm JVM visible.
const ROUNDS: usize = 20;

pub fn run(args: &DemoArgs, global: &GlobalArgs, printer: &Printer) -> anyhow::Result<Exit> {
    let temporary;
    let project: &Path = match &args.keep {
        Some(directory) => directory,
        None => {
            temporary = tempfile::Builder::new()
                .prefix("jury-demo-")
                .tempdir()
                .context("failed to make a directory for the sample project")?;
            temporary.path()
        }
    };
    unpack_demo(project)?;
    let project = fs_err::canonicalize(project)?;
    let place = Place::settle(global, &project)?;
    let state_dir = project.join(".jury");
    let cancelled = watch_for_signals()?;
    let show = |text: String| printer.out(text.as_bytes());
    let step = |title: &str, command: &str| {
        show(format!(
            "\n\x1b[1m{title}\x1b[0m\n\x1b[2m$ {command}\x1b[0m\n"
        ));
    };

    step("1. Is everything here that Jury needs?", "jury doctor");
    let checkups = examine(&place.directory, &state_dir);
    show(human::checkups(&checkups));
    if verdict(&checkups) != Exit::Clean {
        return Ok(Exit::Broken);
    }

    step(
        "2. Watch the project's own build once; no build file is edited.",
        "jury test",
    );
    let request = WatchRequest {
        root: &place.directory,
        state_dir: &state_dir,
        command: None,
        module: None,
        colored: printer.wants_colored_build(),
        selection: &SelectionSettings::default(),
        cancelled,
    };
    let watched = watch(&request, |stream, bytes| printer.pass_on(stream, bytes))?;
    show(human::watched(&watched));
    if watched.exit != Exit::Clean {
        return Ok(watched.exit);
    }

    step("3. Every test is a fact now.", "jury tests");
    let tests = known_tests(
        &state_dir,
        TestQuery {
            module: None,
            patterns: &[],
        },
    )?;
    show(human::known_tests(&tests));

    let command = format!("jury replay --repeat {ROUNDS}");
    step(
        "4. Run them again and again without the build tool, in warm JVMs.",
        &command,
    );
    let mut progress = Progress::new(printer, "replay");
    let replayed = replay(
        &ReplayRequest {
            state_dir: &state_dir,
            query: TestQuery {
                module: None,
                patterns: &[],
            },
            jobs: place.jobs(None),
            rounds: ROUNDS,
            test_timeout: None,
            environment: &[],
            cancelled,
        },
        |event| match event {
            ReplayProgress::Planned(total) => progress.plan(total),
            ReplayProgress::Finished(_) => progress.advance(),
        },
    );
    progress.finish();
    let replayed = replayed?;
    show(human::replayed(&replayed));
    let executions = tests.len() * ROUNDS;
    show(format!(
        "  {executions} test executions in {} ms; the build took {} ms for {}.\n",
        replayed.wall_millis,
        watched.build_millis,
        tests.len()
    ));

    if replayed.exit != Exit::Clean {
        return Ok(replayed.exit);
    }

    step(
        "5. What do the tests execute but not check? Throw method bodies away and see.",
        "jury mutate",
    );
    let request = MutateRequest {
        root: &place.directory,
        state_dir: &state_dir,
        classes: &[],
        settings: &MutateSettings::default(),
        classic: &[],
        since: None,
        shard: None,
        merge: &[],
        fresh: false,
        jobs: place.jobs(None),
        cancelled,
    };
    let mut progress = Progress::new(printer, "cover");
    let mutated = mutate(&request, |event| match event {
        MutateProgress::Covering(total) => progress.plan(total),
        MutateProgress::Trying(total) => progress.turn_to("mutate", total),
        MutateProgress::Covered | MutateProgress::Tried => progress.advance(),
    });
    progress.finish();
    let mutated = mutated?;
    show(human::mutated(&mutated));
    if mutated.exit == Exit::Interrupted {
        return Ok(mutated.exit);
    }

    step(
        "6. Why did nobody notice? And what should have been asserted?",
        "jury explain",
    );
    let mut progress = Progress::new(printer, "explain");
    let explained = explain(
        &ExplainRequest {
            mutate: request,
            mutants: &[],
            symptoms: &[],
            runs: MOST_RUNS,
            apply: false,
        },
        |event| match event {
            ExplainProgress::Mutate(_) => {}
            ExplainProgress::Explaining(total) => progress.plan(total),
            ExplainProgress::Explained => progress.advance(),
            ExplainProgress::Proving(total) => progress.turn_to("prove", total),
        },
    );
    progress.finish();
    let explained = explained?;
    show(human::explained(&explained));
    if explained.exit == Exit::Interrupted {
        return Ok(explained.exit);
    }

    show(
        "\nNow in your own project: `jury test`, then `jury mutate` and `jury explain`.\n"
            .to_owned(),
    );
    if args.keep.is_some() {
        show(format!("The sample stays in `{}`.\n", project.display()));
    }
    // The sample has gaps on purpose; the tour went well if it could show them.
    Ok(Exit::Clean)
}
