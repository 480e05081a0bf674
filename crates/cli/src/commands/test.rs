use jury_model::Exit;
use jury_report::{human, json};
use jury_workflows::{
    CacheSettings, Collection, SelectionSettings, Statically, WatchRequest, note_classes, watch,
};

use crate::args::{AuditArgs, TestArgs};
use crate::commands::why;
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
    explain: bool,
    fail_fast: bool,
}

pub fn run(args: &TestArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let selection = SelectionSettings {
        all: args.all,
        statically: args.statically.then(|| Statically {
            since: args.since.clone(),
            unread: [&place.file.test.unread[..], &args.unread[..]].concat(),
        }),
        ..place.selection(&args.selection)
    };
    if args.dry_run {
        let since = args.since.as_deref();
        return why::foretell(&[], &args.command, &selection, since, place, printer);
    }
    let asked = Asked {
        module: args.module.as_deref(),
        command: &args.command,
        selection,
        collection: place.collection(args),
        // With `--static` it says where tests have passed, not what is to run beside the rest.
        since: args.since.as_deref().filter(|_| !args.statically),
        cache: place.cache(&args.cache)?,
        explain: args.explain,
        fail_fast: args.fail_fast || place.file.test.fail_fast,
    };
    watch_and_answer(&asked, place, printer)
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
        explain: false,
        fail_fast: false,
    };
    watch_and_answer(&asked, place, printer)
}

fn watch_and_answer(asked: &Asked<'_>, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let request = WatchRequest {
        root: &place.directory,
        state_dir: &place.state_dir(),
        command: place.test_command(asked.command),
        module: asked.module,
        colored: printer.wants_colored_build(),
        selection: &asked.selection,
        collection: asked.collection,
        fail_fast: asked.fail_fast,
        since: asked.since,
        cache: asked.cache.as_ref(),
        cancelled: watch_for_signals()?,
    };
    let run = watch(&request, |stream, bytes| printer.pass_on(stream, bytes))?;
    if run.selected.build_started {
        // A cache: what it cannot keep is found out again.
        let _ = note_classes(&place.directory, &place.state_dir());
    }
    let explained = match asked.explain {
        true => human::reasons_to_run(&run),
        false => String::new(),
    };
    printer.answer(|| explained + &human::watched(&run), || json::watched(&run))?;
    if run.exit == Exit::Interrupted {
        printer.say("interrupted; what had finished is kept, `jury test` starts over");
    }
    Ok(run.exit)
}
