use std::path::Path;

use jury_model::Exit;
use jury_report::{human, json};
use jury_workflows::{
    CacheSettings, Collection, ForeseeRequest, SelectionSettings, Statically, Wanted, WatchRequest,
    bypass, note_classes, watch,
};

use crate::args::{AuditArgs, TestArgs};
use crate::commands::why;
use crate::failure::Failure;
use crate::interrupt::watch_for_signals;
use crate::printer::Printer;
use crate::settings::Place;

/// What is asked for, beside the place.
struct Asked<'a> {
    module: Option<&'a str>,
    command: &'a [String],
    selection: SelectionSettings,
    collection: Collection,
    since: Option<&'a str>,
    cache: Option<CacheSettings>,
    retries: u32,
    explain: bool,
    fail_fast: bool,
}

pub fn run(args: &TestArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    if let Some((one, other)) = args.contradiction() {
        let failure = Failure::usage(format!("`{one}` cannot be used with `{other}`"));
        return Err(failure
            .hint("give one of them; variables such as JURY_FAILING count as options, too")
            .into());
    }
    let selection = SelectionSettings {
        statically: args.statically.then(|| Statically {
            since: args.since.clone(),
            unread: [&place.file.test.unread[..], &args.unread[..]].concat(),
        }),
        ..place.selection_of_tests(args)
    };
    if args.dry_run {
        let command = place.test_command(&args.command);
        let request = ForeseeRequest {
            root: &place.directory,
            state_dir: &place.state_dir(),
            command: command.as_deref(),
            module: args.module.as_deref(),
            patterns: &[],
            selection: &selection,
            since: args.since.as_deref(),
        };
        return why::foretell(&request, printer);
    }
    let asked = Asked {
        module: args.module.as_deref(),
        command: &args.command,
        selection,
        collection: place.collection(args),
        // With `--static` it says where tests have passed, not what is to run beside the rest.
        since: args.since.as_deref().filter(|_| !args.statically),
        cache: place.cache(&args.cache)?,
        retries: place.retries(args),
        explain: args.explain,
        fail_fast: args.fail_fast || place.file.test.fail_fast,
    };
    match args.bypass {
        true => {
            let state_dir = place.state_dir();
            Ok(bypass(&request(&asked, place, &state_dir, printer)?)?)
        }
        false => watch_and_answer(&asked, place, printer),
    }
}

/// `jury audit`: the same run, with nothing left out.
pub fn audit(args: &AuditArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let asked = Asked {
        module: args.module.as_deref(),
        command: &args.command,
        selection: SelectionSettings {
            audit: true,
            ..place.selection(&args.selection)
        },
        collection: Collection::Always,
        since: None,
        cache: place.cache(&args.cache)?,
        retries: 0,
        explain: false,
        fail_fast: false,
    };
    watch_and_answer(&asked, place, printer)
}

fn request<'a>(
    asked: &'a Asked<'_>,
    place: &'a Place,
    state_dir: &'a Path,
    printer: &Printer,
) -> anyhow::Result<WatchRequest<'a>> {
    Ok(WatchRequest {
        root: &place.directory,
        state_dir,
        command: place.test_command(asked.command),
        module: asked.module,
        colored: printer.wants_colored_build(),
        selection: &asked.selection,
        collection: asked.collection,
        fail_fast: asked.fail_fast,
        since: asked.since,
        cache: asked.cache.as_ref(),
        retries: asked.retries,
        cancelled: watch_for_signals()?,
    })
}

fn watch_and_answer(asked: &Asked<'_>, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let state_dir = place.state_dir();
    let request = request(asked, place, &state_dir, printer)?;
    let run = watch(&request, |stream, bytes| printer.pass_on(stream, bytes))?;
    if run.selected.build_started {
        // A cache: what it cannot keep is found out again.
        let _ = note_classes(&place.directory, &state_dir);
    }
    let explained = match asked.explain {
        true => human::reasons_to_run(&run),
        false => String::new(),
    };
    let answer = match asked.selection.wanted {
        Wanted::Outdated => human::collected,
        _ => human::watched,
    };
    printer.answer(|| explained + &answer(&run), || json::watched(&run))?;
    if run.exit == Exit::Interrupted {
        printer.say("interrupted; what had finished is kept, `jury test` starts over");
    } else if asked.collection == Collection::Later && !run.selected.run.is_empty() {
        collect_after(request, printer)?;
    }
    Ok(run.exit)
}

/// The second run of two: finds out what the tests of the first one use. Its build is that of the
/// first, so nobody wants to see it again, and nothing that it shows changes the answer.
fn collect_after(first: WatchRequest<'_>, printer: &Printer) -> anyhow::Result<()> {
    printer.say("collecting what these tests use; the answer stands, and Ctrl-C does no harm");
    let selection = SelectionSettings {
        wanted: Wanted::Outdated,
        ..first.selection.clone()
    };
    let second = WatchRequest {
        selection: &selection,
        collection: Collection::Always,
        retries: 0,
        since: None,
        ..first
    };
    let run = watch(&second, |_, _| {})?;
    match run.exit {
        Exit::Interrupted => printer.say("interrupted; the next run collects instead"),
        _ => printer.say(human::collected(&run).trim_end()),
    }
    Ok(())
}
