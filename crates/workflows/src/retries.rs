//! Runs red tests again, to tell flaky ones from broken ones.
//!
//! Through the build, not by replay: a red test may have stopped the build before other modules and
//! phases, and only the build can say that all of it went well. A test that failed and then passed
//! is flaky; its class is not relied on until a run passes without a retry.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use jury_jvm::Stream;
use jury_model::{Exit, RedTest, UnitName, WatchedRun};

use crate::WorkflowError;
use crate::selection::{SelectionSettings, Wanted};
use crate::watch::{Attempt, WatchRequest, millis_since, watch_once};

/// Tests that were red in an earlier attempt of the same command, by module and label.
#[derive(Debug, Default)]
pub(crate) struct Suspects {
    red: BTreeMap<(String, String), RedTest>,
    /// Those that have not been red since they were seen again.
    cleared: BTreeSet<(String, String)>,
}

impl Suspects {
    pub fn contains(&self, module: &str, label: &str) -> bool {
        (self.red).contains_key(&(module.to_owned(), label.to_owned()))
    }

    /// Their classes.
    pub fn units(&self) -> BTreeSet<UnitName> {
        self.red.values().map(unit).collect()
    }

    /// Takes in what one more attempt has shown. In one that was broken off, or behind a crash, a test may
    /// not have had its turn. What failed outside of tests is seen again where its class runs to its end,
    /// and so is a test that has another name each time, in a build that went well.
    fn learn(&mut self, attempt: &Attempt) {
        let Attempt {
            run,
            cleared,
            broken_off,
        } = attempt;
        let ran_again = |test: &RedTest| {
            !broken_off
                && run.selected.run.iter().any(|one| {
                    one.unit.module == test.module
                        && one.unit.outermost_class() == test.top_level_class()
                })
        };
        let is_well = run.exit == Exit::Clean;
        for (name, test) in &self.red {
            let is_steady =
                cleared.contains(name) || ran_again(test) && (is_well || test.is_container());
            if is_steady {
                self.cleared.insert(name.clone());
            }
        }
        for test in &run.red {
            let name = (test.module.clone(), test.label.clone());
            self.cleared.remove(&name);
            self.red.insert(name, test.clone());
        }
    }

    /// All that were red before the last attempt, and are not known to be red by it.
    fn settle(self, last: &[RedTest]) -> Settled {
        let Suspects { mut red, cleared } = self;
        for test in last {
            red.remove(&(test.module.clone(), test.label.clone()));
        }
        let (flaky, still_red): (BTreeMap<_, _>, BTreeMap<_, _>) =
            (red.into_iter()).partition(|(name, _)| cleared.contains(name));
        Settled {
            flaky: flaky.into_values().collect(),
            still_red: still_red.into_values().collect(),
        }
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
        let run = &last.run;
        if run.exit != Exit::Findings || run.red.is_empty() || !run.selected.misses.is_empty() {
            break;
        }
        suspects.learn(&last);
        last = watch_once(&again, &suspects, &mut show)?;
        last.run.attempts += retry;
    }
    suspects.learn(&last);
    let mut run = last.run;
    let settled = suspects.settle(&run.red);
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
        run.exit = match red {
            [] => Exit::Clean,
            _ => Exit::Findings,
        };
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

    /// What is flaky, and what still red, after tests were red and one more attempt was made.
    fn settle(labels: &[&str], last: &Attempt) -> (Vec<String>, Vec<String>) {
        let red: Vec<RedTest> = labels.iter().map(|label| red(label)).collect();
        settle_all(&[&attempt(&red, &[]), last])
    }

    fn settle_all(attempts: &[&Attempt]) -> (Vec<String>, Vec<String>) {
        let mut suspects = Suspects::default();
        attempts.iter().for_each(|attempt| suspects.learn(attempt));
        let last = attempts.last().map_or(&[][..], |last| &last.run.red);
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

    #[test]
    fn what_passed_in_one_retry_need_not_run_in_the_next() {
        let both = attempt(&[red("a.BTest#adds"), red("a.CTest#waits")], &[]);
        let one = attempt(&[red("a.CTest#waits")], &["a.BTest#adds"]);
        let none = attempt(&[], &["a.CTest#waits"]);
        let (flaky, still_red) = settle_all(&[&both, &one, &none]);
        assert_eq!(flaky, ["a.BTest#adds", "a.CTest#waits"]);
        assert_eq!(still_red, [""; 0]);
        assert_eq!(settle_all(&[&both, &one, &both]).0, [""; 0]);
    }

    #[test]
    fn a_test_with_another_name_each_time_is_flaky_where_the_build_went_well() {
        let suspects = ["a.BTest#adds[0: shop.Tax@1b2c3d]"];
        assert_eq!(settle(&suspects, &attempt(&[], &[])).0, suspects);
        let (flaky, still_red) = settle(
            &suspects,
            &attempt(&[red("a.BTest#adds[0: shop.Tax@77aa01]")], &[]),
        );
        assert_eq!(
            (flaky, still_red),
            (vec![], suspects.map(String::from).to_vec())
        );
    }
}
