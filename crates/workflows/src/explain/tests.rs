//! What is told where proofs do not get far.

use jury_explain::{Gaps, Side, Subject as Mutant};

use super::*;
use crate::explain::scripted::{Ends, Run, SOURCE, candidate, source, with_prover};

fn explained(switch: u32, statement: &str) -> Explained {
    let source = source(Path::new("/p/T.java"), SOURCE);
    let explanation = Explanation {
        subject: Mutant {
            id: switch.to_string(),
            class: "A".into(),
            method: "m".into(),
            descriptor: "()V".into(),
            description: String::new(),
            operator: String::new(),
            file: None,
            line: None,
        },
        symptom: Symptom::WeakOracle,
        parameters: Vec::new(),
        tests: Vec::new(),
        infection: None,
        closest: None,
        exposures: Vec::new(),
        unvaried: Vec::new(),
        entry_points: Vec::new(),
        gaps: Gaps::default(),
        caveats: Vec::new(),
        is_local: false,
        millis: 0,
    };
    Explained {
        explanation,
        switch,
        is_hidden: false,
        candidates: vec![candidate(&source, statement, Side::Before)],
        planned: Vec::new(),
    }
}

#[test]
fn a_jvm_that_does_not_start_takes_no_explanation_and_no_proof_along() {
    let script = |run: &Run<'_>| match (run.mutant, run.test) {
        (Some(1), "a") => run.at(&["x();"]),
        _ => Ends::Passes,
    };
    let mut notices = Vec::new();
    let (explanations, proven) = with_prover(script, |prover| {
        with_assertions(
            prover,
            vec![explained(1, "x();"), explained(2, "y();")],
            (true, false),
            |_| {
                Err(JvmError::WorkerStart {
                    reason: "it ended".into(),
                    output: String::new(),
                })
            },
            &mut notices,
            &mut |_| {},
        )
    });
    assert_eq!((explanations.len(), proven.len()), (2, 1));
    assert!(explanations[0].exposures[0].assertion.is_some());
    let told: Vec<&str> = notices.iter().map(|each| each.message.as_str()).collect();
    let message = "no other assertion could be proven: a worker JVM did not start: it ended";
    assert_eq!(told, [message]);
}
