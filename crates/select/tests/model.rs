//! Selection against the truth, on thousands of random programs and edits.
//!
//! Programs are data: classes with a super class, a constant, a static initialiser and methods,
//! run by a small interpreter that records what each test uses the way a JVM's agent would.
//! After random edits every test runs again; one whose outcome changed must have been selected.

mod toy;

use std::cell::Cell;

use jury_select::{Changes, Decision, Policy};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use toy::{Jvm, programs};

const CASES: u32 = 5000;

#[test]
fn no_test_whose_outcome_changes_is_skipped() {
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    };
    // The same programs every time; another seed is one edit away.
    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(config, seed);
    let (stayed, skipped) = (Cell::new(0), Cell::new(0));
    let checked = runner.run(&programs(), |(before, after)| {
        let (evidence, old) = Jvm::new(&before).run_all();
        let (_, new) = Jvm::new(&after).run_all();
        let changes = Changes::between(&evidence.catalogue, &after);
        for (test, outcome) in &old {
            let decision = evidence.check_affected(test, &changes, &Policy::default());
            // A test that is gone is not run, whatever was decided.
            let Some(now) = new.get(test) else { continue };
            if outcome == now {
                stayed.set(stayed.get() + 1);
                skipped.set(skipped.get() + u32::from(decision == Decision::Skip));
            } else {
                assert_ne!(
                    decision,
                    Decision::Skip,
                    "`{test}`: {outcome:?} became {now:?}"
                );
            }
        }
        Ok(())
    });
    checked.unwrap();
    // A selector that always says run would pass so far. Edits rarely reach every test.
    let (stayed, skipped) = (stayed.get(), skipped.get());
    assert!(
        skipped * 2 > stayed,
        "{skipped} of {stayed} tests that stayed as they were"
    );
}
