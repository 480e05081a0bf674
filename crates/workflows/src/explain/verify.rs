//! `jury explain --verify`: which of the mutants that were explained before does a test notice now?

use std::collections::HashMap;

use jury_explain::{Standing, Symptom, Verified, VerifyRun};
use jury_model::Exit;
use jury_mutate::{MutantId, MutantVerdict};

use crate::WorkflowError;
use crate::mutate::{MutateProgress, MutateRequest, mutate};

/// Tries the given mutants again, as far as what is remembered does not hold any more.
pub fn verify(
    request: &MutateRequest<'_>,
    explained: Vec<(String, Symptom)>,
    progress: impl FnMut(MutateProgress),
) -> Result<VerifyRun, WorkflowError> {
    let mut classes: Vec<String> = explained
        .iter()
        .filter_map(|(mutant, _)| mutant.parse::<MutantId>().ok())
        .map(|mutant| mutant.method.class.replace('/', "."))
        .collect();
    classes.sort();
    classes.dedup();
    let run = mutate(
        &MutateRequest {
            classes: &classes,
            ..*request
        },
        progress,
    )?;
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
    Ok(VerifyRun {
        exit: match (run.exit, open) {
            (Exit::Interrupted, _) => Exit::Interrupted,
            (_, true) => Exit::Findings,
            (_, false) => Exit::Clean,
        },
        verified,
        notices: run.notices,
    })
}
