//! Runs red tests again, to tell flaky ones from broken ones.
//!
//! Through the build, not by replay: a red test may have stopped the build before other modules and
//! phases, and only the build can say that all of it went well. A test that failed and then passed
//! is flaky; its class is not relied on until a run passes without a retry.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::time::Instant;

use jury_jvm::Stream;
use jury_model::{Exit, RedTest, RunUnit, UnitName, WatchedRun};

use crate::WorkflowError;
use crate::selection::{SelectionSettings, Wanted};
use crate::watch::{WatchRequest, millis_since, watch_once};

/// Tests that were red in an earlier attempt of the same command, by module and label.
#[derive(Debug, Default)]
pub(crate) struct Suspects(BTreeMap<(String, String), RedTest>);

impl Suspects {
    pub fn contains(&self, module: &str, label: &str) -> bool {
        self.0.contains_key(&(module.to_owned(), label.to_owned()))
    }

    /// Their classes.
    pub fn units(&self) -> BTreeSet<UnitName> {
        self.0.values().map(unit).collect()
    }

    fn add(&mut self, red: Vec<RedTest>) {
        for test in red {
            self.0
                .insert((test.module.clone(), test.label.clone()), test);
        }
    }

    /// Those whose classes ran again and that are red no more, and those that nobody saw again. In a run
    /// that was broken off, a test that is not red may not have had its turn.
    fn settle(self, ran: &[RunUnit], red: &[RedTest], interrupted: bool) -> Settled {
        let mut suspects = self.0;
        for red in red {
            suspects.remove(&(red.module.clone(), red.label.clone()));
        }
        let ran_again = |test: &RedTest| {
            let has = |one: &RunUnit| {
                one.unit.module == test.module
                    && one.unit.outermost_class() == test.top_level_class()
            };
            !interrupted && ran.iter().any(has)
        };
        let (flaky, still_red) = suspects.into_values().partition(ran_again);
        Settled { flaky, still_red }
    }
}

/// What has become of suspects.
#[derive(Debug, PartialEq, Eq)]
struct Settled {
    flaky: Vec<RedTest>,
    still_red: Vec<RedTest>,
}

fn unit(test: &RedTest) -> UnitName {
    UnitName::new(&test.module, test.top_level_class())
}

/// Runs the build, and again while tests are red and retries are left. `show` gets the build's
/// output as it comes.
pub fn watch(
    request: &WatchRequest<'_>,
    mut show: impl FnMut(Stream, &[u8]),
) -> Result<WatchedRun, WorkflowError> {
    let clock = Instant::now();
    let mut suspects = Suspects::default();
    let mut run = watch_once(request, &suspects, &mut show)?;
    let selection = SelectionSettings {
        audit_every: None,
        wanted: match request.selection.wanted {
            Wanted::All => Wanted::Affected,
            wanted => wanted,
        },
        ..request.selection.clone()
    };
    let again = WatchRequest {
        selection: &selection,
        command: request.command.clone(),
        since: None,
        ..*request
    };
    for retry in 1..=request.retries {
        if run.exit != Exit::Findings || run.red.is_empty() || !run.selected.misses.is_empty() {
            break;
        }
        suspects.add(mem::take(&mut run.red));
        run = watch_once(&again, &suspects, &mut show)?;
        run.attempts += retry;
    }
    let interrupted = run.exit == Exit::Interrupted;
    let settled = suspects.settle(&run.selected.run, &run.red, interrupted);
    run.flaky = settled.flaky;
    run.red.extend(settled.still_red);
    run.total_millis = millis_since(clock);
    Ok(run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_model::Outcome;

    fn red(label: &str) -> RedTest {
        RedTest {
            module: ".".into(),
            label: label.into(),
            outcome: Outcome::Failed,
            failure: None,
        }
    }

    #[test]
    fn only_what_ran_again_and_passed_is_flaky() {
        let mut suspects = Suspects::default();
        suspects.add(vec![
            red("a.BTest#adds"),
            red("a.BTest$In#subtracts"),
            red("a.CTest"),
        ]);
        let ran = [RunUnit {
            unit: unit(&red("a.BTest#adds")),
            reasons: Vec::new(),
        }];
        let settled = suspects.settle(&ran, &[red("a.BTest#adds")], false);
        assert_eq!(settled.flaky, [red("a.BTest$In#subtracts")]);
        assert_eq!(settled.still_red, [red("a.CTest")]);
    }

    #[test]
    fn a_retry_that_is_broken_off_makes_no_red_test_flaky() {
        let mut suspects = Suspects::default();
        suspects.add(vec![red("a.BTest#adds")]);
        let ran = [RunUnit {
            unit: unit(&red("a.BTest#adds")),
            reasons: Vec::new(),
        }];
        let settled = suspects.settle(&ran, &[], true);
        assert_eq!(settled.flaky, []);
        assert_eq!(settled.still_red, [red("a.BTest#adds")]);
    }
}
