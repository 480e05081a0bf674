//! Runs red tests again, to tell flaky ones from broken ones.
//!
//! Through the build, not by replay: a red test may have stopped the build before other modules and
//! phases, and only the build can say that all of it went well. A test that failed and then passed
//! is flaky; its class is not relied on until a run passes without a retry.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::time::Instant;

use jury_jvm::Stream;
use jury_model::{Exit, RedTest, UnitName, WatchedRun};

use crate::WorkflowError;
use crate::selection::{SelectionSettings, Wanted};
use crate::watch::{Attempt, WatchRequest, millis_since, watch_once};

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

    /// Those that were seen to be red no more, and those that nobody saw again: in a run that was broken
    /// off, or behind a crash, a test may not have had its turn. What failed outside of tests is seen again
    /// where its class runs to its end.
    fn settle(self, last: &Attempt) -> Settled {
        let mut suspects = self.0;
        for red in &last.run.red {
            suspects.remove(&(red.module.clone(), red.label.clone()));
        }
        let ran_again = |test: &RedTest| {
            let ran = &last.run.selected.run;
            !last.broken_off
                && ran.iter().any(|one| {
                    one.unit.module == test.module
                        && one.unit.outermost_class() == test.top_level_class()
                })
        };
        let is_steady = |test: &RedTest| {
            let name = (test.module.clone(), test.label.clone());
            match test.is_container() {
                true => ran_again(test),
                false => last.cleared.contains(&name),
            }
        };
        let (flaky, still_red) = suspects.into_values().partition(is_steady);
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
    let mut last = watch_once(request, &suspects, &mut show)?;
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
        let run = &mut last.run;
        if run.exit != Exit::Findings || run.red.is_empty() || !run.selected.misses.is_empty() {
            break;
        }
        suspects.add(mem::take(&mut run.red));
        last = watch_once(&again, &suspects, &mut show)?;
        last.run.attempts += retry;
    }
    let settled = suspects.settle(&last);
    let mut run = last.run;
    run.flaky = settled.flaky;
    if !settled.still_red.is_empty() && run.exit == Exit::Clean {
        run.exit = Exit::Findings;
    }
    run.red.extend(settled.still_red);
    run.total_millis = millis_since(clock);
    Ok(run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::summarise;
    use jury_model::{Outcome, RunUnit};

    fn red(label: &str) -> RedTest {
        RedTest {
            module: ".".into(),
            label: label.into(),
            outcome: Outcome::Failed,
            failure: None,
        }
    }

    /// How the last run of `a.BTest` went, as far as a test does not say otherwise.
    fn attempt(red: &[RedTest], cleared: &[&str]) -> Attempt {
        let mut run = summarise(&[], &[]);
        run.red = red.to_vec();
        run.selected.run = vec![RunUnit {
            unit: UnitName::new(".", "a.BTest"),
            reasons: Vec::new(),
        }];
        Attempt {
            cleared: (cleared.iter())
                .map(|label| (".".to_owned(), (*label).to_owned()))
                .collect(),
            ..run.into()
        }
    }

    fn settle(labels: &[&str], last: &Attempt) -> (Vec<String>, Vec<String>) {
        let mut suspects = Suspects::default();
        suspects.add(labels.iter().map(|label| red(label)).collect());
        let Settled { flaky, still_red } = suspects.settle(last);
        let labels = |tests: Vec<RedTest>| tests.into_iter().map(|test| test.label).collect();
        (labels(flaky), labels(still_red))
    }

    #[test]
    fn only_what_was_seen_to_pass_is_flaky() {
        let suspects = ["a.BTest#adds", "a.BTest$In#subtracts", "a.CTest#waits"];
        let last = attempt(&[red("a.BTest#adds")], &["a.BTest$In#subtracts"]);
        let (flaky, still_red) = settle(&suspects, &last);
        assert_eq!(flaky, ["a.BTest$In#subtracts"]);
        assert_eq!(still_red, ["a.CTest#waits"]);
    }

    #[test]
    fn a_test_that_had_no_turn_behind_another_red_one_is_not_flaky() {
        let last = attempt(&[red("a.BTest#divides")], &[]);
        let (flaky, still_red) = settle(&["a.BTest#adds"], &last);
        assert_eq!(flaky, [""; 0]);
        assert_eq!(still_red, ["a.BTest#adds"]);
    }

    #[test]
    fn fixtures_that_failed_are_flaky_where_their_class_ran_to_its_end() {
        let (flaky, still_red) = settle(&["a.BTest", "a.CTest"], &attempt(&[], &[]));
        assert_eq!(flaky, ["a.BTest"]);
        assert_eq!(still_red, ["a.CTest"]);
        let stopped = Attempt {
            broken_off: true,
            ..attempt(&[], &[])
        };
        assert_eq!(settle(&["a.BTest"], &stopped).0, [""; 0]);
    }
}
