//! `jury explain --verify`: which of the mutants that were explained before does a test notice now?

use std::collections::HashMap;

use jury_explain::{Standing, Symptom, Verified, VerifyRun};
use jury_model::Exit;
use jury_mutate::{
    ClassicOperator, MutantId, MutantVerdict, MutateSettings, MutationRun, Operator,
};

use crate::WorkflowError;
use crate::mutate::{MutateProgress, MutateRequest, mutate};

/// Tries the given mutants again, as far as what is remembered does not hold any more. The engines are those
/// that made them, whatever is asked for.
pub fn verify(
    request: &MutateRequest<'_>,
    explained: Vec<(String, Symptom)>,
    progress: impl FnMut(MutateProgress),
) -> Result<VerifyRun, WorkflowError> {
    let mutants: Vec<MutantId> = explained
        .iter()
        .filter_map(|(mutant, _)| mutant.parse().ok())
        .collect();
    let engines = Engines::of(&mutants);
    let settings = MutateSettings {
        operators: engines.extreme,
        ..request.settings.clone()
    };
    let request = MutateRequest {
        classes: &classes(&mutants),
        settings: &settings,
        classic: &engines.classic,
        ..*request
    };
    let run = match mutants.is_empty() {
        true => None,
        false => tried(mutate(&request, progress))?,
    };
    Ok(compare(explained, run.as_ref()))
}

/// Nothing where all classes are gone.
fn tried(run: Result<MutationRun, WorkflowError>) -> Result<Option<MutationRun>, WorkflowError> {
    match run {
        Err(WorkflowError::NoSuchClass(_)) => Ok(None),
        run => run.map(Some),
    }
}

/// What makes some mutants.
#[derive(Debug, Default)]
struct Engines {
    extreme: Vec<Operator>,
    classic: Vec<&'static ClassicOperator>,
}

impl Engines {
    /// An operator that does not exist any more makes none.
    fn of(mutants: &[MutantId]) -> Self {
        let mut engines = Engines::default();
        for mutant in mutants {
            if mutant.ordinal.is_none() {
                let operator = Operator::parse(&mutant.operator).ok();
                let known = |operator: &Operator| engines.extreme.contains(operator);
                let operator = operator.filter(|operator| !known(operator));
                engines.extreme.extend(operator);
            } else {
                let operator = ClassicOperator::find(&mutant.operator);
                let known = engines.classic.iter().map(|each| each.name);
                let is_new = !known.into_iter().any(|name| name == mutant.operator);
                engines.classic.extend(operator.filter(|_| is_new));
            }
        }
        engines
    }
}

/// Patterns for their classes, which match few others.
fn classes(mutants: &[MutantId]) -> Vec<String> {
    let classes = mutants.iter().map(|mutant| &mutant.method.class);
    let classes = classes.map(|class| format!("*{}", class.replace('/', ".")));
    let mut classes: Vec<String> = classes.collect();
    classes.sort();
    classes.dedup();
    classes
}

fn compare(explained: Vec<(String, Symptom)>, run: Option<&MutationRun>) -> VerifyRun {
    let Some(run) = run else {
        let gone = explained.into_iter().map(|(mutant, symptom)| Verified {
            mutant,
            symptom,
            standing: Standing::Gone,
        });
        return VerifyRun {
            exit: Exit::Clean,
            verified: gone.collect(),
            notices: Vec::new(),
        };
    };
    let results = run.results();
    let results = results.flat_map(|method| method.extreme.iter().chain(&method.classic));
    let verdicts: HashMap<String, &MutantVerdict> = results
        .map(|result| (result.id.to_string(), &result.verdict))
        .collect();
    let verified: Vec<Verified> = explained
        .into_iter()
        .map(|(mutant, symptom)| {
            let standing = match verdicts.get(&mutant) {
                Some(
                    MutantVerdict::Killed { by, .. }
                    | MutantVerdict::TimedOut { during: by }
                    | MutantVerdict::OutOfMemory { during: by }
                    | MutantVerdict::Crashed { during: by },
                ) => Standing::Solved {
                    by: run.label(by).to_owned(),
                },
                Some(MutantVerdict::Survived | MutantVerdict::NotCovered) => Standing::Open,
                Some(MutantVerdict::Skipped { .. }) | None => Standing::Gone,
            };
            Verified {
                mutant,
                symptom,
                standing,
            }
        })
        .collect();
    let open = verified.iter().any(|each| each.standing == Standing::Open);
    VerifyRun {
        exit: match (run.exit, open) {
            (Exit::Interrupted, _) => Exit::Interrupted,
            (_, true) => Exit::Findings,
            (_, false) => Exit::Clean,
        },
        verified,
        notices: run.notices.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    use super::*;

    fn mutants(ids: &[&str]) -> Vec<MutantId> {
        ids.iter().map(|id| id.parse().unwrap()).collect()
    }

    #[test]
    fn the_engines_are_those_that_made_the_mutants() {
        let engines = Engines::of(&mutants(&[
            "a/B#c()V#void",
            "a/B#d()V#void",
            "a/B#e()I#math#1",
            "a/B#f()I#math#2",
            "a/B#g()Ljava/lang/String;#\"A\"",
            "a/B#h()I#forgotten#2",
        ]));
        let extreme: Vec<String> = engines.extreme.iter().map(ToString::to_string).collect();
        let classic: Vec<&str> = engines.classic.iter().map(|each| each.name).collect();
        assert_eq!(
            (extreme, classic),
            (vec!["void".to_owned(), "\"A\"".to_owned()], vec!["math"])
        );
    }

    #[test]
    fn where_nothing_was_explained_nothing_is_tried() {
        let request = MutateRequest {
            root: Path::new("/no/such/project"),
            state_dir: Path::new("/no/such/project/.jury"),
            classes: &[],
            settings: &MutateSettings::default(),
            classic: &[],
            since: None,
            shard: None,
            merge: &[],
            fresh: false,
            confirm: false,
            matrix: false,
            jobs: 1,
            cancelled: &AtomicBool::new(false),
        };
        let run = verify(&request, Vec::new(), |_| ()).unwrap();
        assert_eq!(run.exit, Exit::Clean);
    }

    #[test]
    fn mutants_of_classes_that_are_gone_are_gone() {
        let gone = tried(Err(WorkflowError::NoSuchClass(vec!["*a.B".into()]))).unwrap();
        let explained = vec![("a/B#c()V#void".to_owned(), Symptom::WeakOracle)];
        let run = compare(explained, gone.as_ref());
        assert_eq!(run.exit, Exit::Clean);
        assert_eq!(run.verified[0].standing, Standing::Gone);
    }
}
