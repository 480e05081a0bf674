use jury_model::Exit;
use jury_mutate::{
    CLASSIC, ClassicOperator, Group, Metrics, MutateSettings, MutationRun, Operator, Scope,
    StopReason, StopRules,
};
use jury_report::{human, json, mutation};
use jury_workflows::{Baseline, GateRequest, MutateProgress, MutateRequest, mutate, pass_gate};

use crate::args::{Engine, Format, MutantArgs, MutateArgs};
use crate::failure::Failure;
use crate::gate::{GateSettings, ratchet};
use crate::interrupt::watch_for_signals;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::settings::Place;

pub fn run(args: &MutateArgs, place: &Place, printer: &Printer) -> anyhow::Result<Exit> {
    let settings = settings(&args.mutants)?;
    let classic = mutators(&args.mutants)?;
    let gate = GateSettings::settle(args, place)?;
    let request = MutateRequest {
        root: &place.directory,
        state_dir: &place.state_dir(),
        classes: &args.classes,
        settings: &settings,
        classic: &classic,
        since: args.diff.as_deref(),
        shard: args.shard,
        merge: &args.merge,
        fresh: args.fresh,
        confirm: args.confirm,
        matrix: args.matrix || place.file.mutate.matrix,
        jobs: place.jobs(args.jobs),
        cancelled: watch_for_signals()?,
    };
    let mut progress = Progress::new(printer, "cover");
    let run = mutate(&request, |event| match event {
        MutateProgress::Covering(total) => progress.plan(total),
        MutateProgress::Trying(total) => progress.turn_to("mutate", total),
        MutateProgress::Polling(total) => progress.turn_to("matrix", total),
        MutateProgress::Covered | MutateProgress::Tried | MutateProgress::Polled => {
            progress.advance();
        }
    });
    progress.finish();
    let mut run = run?;
    // A shard shows too little of most methods to be judged.
    if args.shard.is_none() {
        let request = GateRequest {
            state_dir: &place.state_dir(),
            scope: &scope(args, &run),
            limits: &gate.limits,
            baseline: gate.baseline.map(|(path, accepted)| Baseline {
                path,
                accepted,
                accept: args.accept,
            }),
        };
        pass_gate(&mut run, request)?;
    }
    printer.answer_in(|| human::mutated(&run), |format| written(&run, format))?;
    if args.ratchet && run.gate.passes() == Some(true) {
        for raised in ratchet(place, &Metrics::by_module(run.results()))? {
            printer.say(&format!("raised {raised}"));
        }
    }
    if run.exit == Exit::Interrupted {
        printer.say("interrupted; the mutants tried so far are shown, run again for the rest");
    }
    Ok(run.exit)
}

fn scope(args: &MutateArgs, run: &MutationRun) -> Scope {
    if args.diff.is_some() {
        let results = run.results();
        let mutants = results.flat_map(|method| method.extreme.iter().chain(&method.classic));
        Scope::Mutants(mutants.map(|mutant| mutant.id.clone()).collect())
    } else if args.classes.is_empty() {
        Scope::Everything
    } else {
        let names = run.classes.iter().map(|class| class.name.clone());
        Scope::Classes(names.collect())
    }
}

fn written(run: &MutationRun, format: Format) -> String {
    match format {
        Format::Human => human::mutated(run),
        Format::Json => json::mutated(run),
        Format::Html => mutation::html(run),
        Format::Markdown => mutation::markdown(run),
        Format::Sarif => mutation::sarif(run),
        Format::PitXml => mutation::pit_xml(run),
        Format::MethodsJson => mutation::methods_json(run),
        Format::ElementsJson => mutation::elements_json(run),
        Format::Csv => mutation::csv(run),
        Format::IssueJson => mutation::issue_json(run),
        // Refused before anything was done.
        Format::Dot => String::new(),
    }
}

pub(super) fn settings(args: &MutantArgs) -> anyhow::Result<MutateSettings> {
    let operators = Operator::parse_list(args.operators.iter().map(String::as_str))
        .map_err(|error| Failure::usage(error.to_string()).hint("see `jury mutate --help`"))?;
    let mut settings = MutateSettings {
        operators: match args.engine {
            Engine::Classic => Vec::new(),
            Engine::Extreme | Engine::Both => operators,
        },
        ..MutateSettings::default()
    };
    for kind in &args.include {
        match kind.as_str() {
            "all" => settings.stop_rules = StopRules::none(),
            "study" => settings.stop_rules = StopRules::study(),
            "not_null" => settings.null_policy.despite_not_null = true,
            kind => settings
                .stop_rules
                .readmit(kind_of_method(kind, ", `all`, `study` and `not_null`")?),
        }
    }
    for kind in &args.skip {
        settings.stop_rules.enforce(kind_of_method(kind, "")?);
    }
    Ok(settings)
}

fn kind_of_method(word: &str, others: &str) -> anyhow::Result<StopReason> {
    let switchable = || {
        StopReason::ALL
            .into_iter()
            .filter(|kind| kind.is_switchable())
    };
    let found = switchable().find(|kind| kind.word() == word);
    found.ok_or_else(|| {
        let known: Vec<&str> = switchable().map(StopReason::word).collect();
        Failure::usage(format!("`{word}` is no kind of method that is left out"))
            .hint(format!("known are {}{others}", known.join(", ")))
            .into()
    })
}

/// The operators of the classic engine, each once; none if it is not asked for.
pub(super) fn mutators(args: &MutantArgs) -> anyhow::Result<Vec<&'static ClassicOperator>> {
    let mut chosen: Vec<&ClassicOperator> = Vec::new();
    for name in &args.mutators {
        let named = match name.as_str() {
            "defaults" => ClassicOperator::group(Group::Default),
            "stronger" => ClassicOperator::group(Group::Stronger),
            "all" => ClassicOperator::group(Group::All),
            name => ClassicOperator::find(name).into_iter().collect(),
        };
        if named.is_empty() {
            let known: Vec<&str> = CLASSIC.iter().map(|operator| operator.name).collect();
            return Err(Failure::usage(format!("`{name}` is no operator"))
                .hint(format!(
                    "known are `defaults`, `stronger`, `all` and {}",
                    known.join(", ")
                ))
                .into());
        }
        for operator in named {
            if chosen.iter().all(|known| known.name != operator.name) {
                chosen.push(operator);
            }
        }
    }
    Ok(match args.engine {
        Engine::Extreme => Vec::new(),
        Engine::Classic | Engine::Both => chosen,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;

    fn settled(arguments: &[&str]) -> anyhow::Result<MutateSettings> {
        let line = [&["jury", "mutate"], arguments].concat();
        let Command::Mutate(args) = Cli::try_parse_from(line)?.command else {
            anyhow::bail!("another command");
        };
        settings(&args.mutants)
    }

    #[test]
    fn kinds_of_methods_are_put_on_trial_and_left_out_by_name() {
        let skipping = settled(&["--skip", "short,lambda", "--include", "getter"]).unwrap();
        let rules = &skipping.stop_rules;
        assert!(rules.enforces(StopReason::Short) && rules.enforces(StopReason::Lambda));
        assert!(!rules.enforces(StopReason::Getter));
        let study = settled(&["--include", "study,not_null"]).unwrap();
        assert_eq!(study.stop_rules, StopRules::study());
        assert!(study.null_policy.despite_not_null);
        assert_eq!(settled(&[]).unwrap(), MutateSettings::default());
        let unknown = settled(&["--skip", "shrt"]).unwrap_err();
        assert!(
            unknown.to_string().starts_with("`shrt` is no kind"),
            "{unknown}"
        );
    }
}
