//! Made-up results for the tests of this crate, written as short text.

use jury_model::{Failure, TestId};

use crate::id::{MethodId, MutantId};
use crate::metrics::MethodResult;
use crate::verdict::{MutantResult, MutantVerdict};

/// A covered method without mutants.
pub(crate) fn method(id: &str) -> MethodResult {
    MethodResult {
        id: id.parse().expect("an id"),
        module: ".".into(),
        stop: None,
        covered: true,
        extreme: Vec::new(),
        classic: Vec::new(),
    }
}

/// One mutant per letter: `k` is killed, `s` survives, `t` times out, `n` is not covered, `-` is
/// skipped.
pub(crate) fn results(method: &MethodId, verdicts: &str) -> Vec<MutantResult> {
    let mutants = verdicts
        .chars()
        .zip(0..)
        .map(|(letter, operator)| MutantResult {
            id: MutantId {
                method: method.clone(),
                operator: format!("{operator}"),
                ordinal: None,
            },
            verdict: verdict(letter),
            covering: vec![TestId::new("t")],
            answers: None,
        });
    mutants.collect()
}

fn verdict(letter: char) -> MutantVerdict {
    let test = TestId::new("t");
    match letter {
        'k' => MutantVerdict::Killed {
            by: test,
            failure: Failure::default(),
        },
        's' => MutantVerdict::Survived,
        't' => MutantVerdict::TimedOut { during: test },
        'n' => MutantVerdict::NotCovered,
        '-' => MutantVerdict::Skipped {
            reason: "flaky".into(),
        },
        other => panic!("no verdict `{other}`"),
    }
}
