//! In which order to run what was selected: the sooner a failure shows, the better.

use std::cmp::Reverse;

/// What is known of a selected test before it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Prospect {
    /// How many runs ago it was last red; none if it never was, or nothing is known.
    pub runs_since_red: Option<u32>,
    /// How many changed things it reached: the number of reasons to run it.
    pub changes_reached: usize,
    /// How long it took; none for a new test.
    pub micros: Option<u64>,
}

/// Recently red tests first, then those that reach most of the change, then quick ones; tests
/// alike in all of this keep their order. A test without a time counts as quick: it is new, and
/// new tests fail more often.
pub fn order<T>(tests: &mut [T], prospect: impl Fn(&T) -> Prospect) {
    tests.sort_by_cached_key(|test| {
        let Prospect {
            runs_since_red,
            changes_reached,
            micros,
        } = prospect(test);
        (
            runs_since_red.unwrap_or(u32::MAX),
            Reverse(changes_reached),
            micros.unwrap_or(0),
        )
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(mut tests: Vec<(&str, Prospect)>) -> Vec<&str> {
        order(&mut tests, |(_, prospect)| *prospect);
        tests.into_iter().map(|(name, _)| name).collect()
    }

    fn prospect(runs_since_red: Option<u32>, changes_reached: usize, micros: u64) -> Prospect {
        Prospect {
            runs_since_red,
            changes_reached,
            micros: Some(micros),
        }
    }

    #[test]
    fn the_latest_failure_comes_first_however_slow() {
        let tests = vec![
            ("green", prospect(None, 9, 1)),
            ("red long ago", prospect(Some(7), 1, 1)),
            ("red last time", prospect(Some(0), 1, 9_000_000)),
        ];
        assert_eq!(ordered(tests), ["red last time", "red long ago", "green"]);
    }

    #[test]
    fn tests_that_reach_more_of_the_change_come_before_quicker_ones() {
        let tests = vec![
            ("quick", prospect(None, 1, 10)),
            ("wide", prospect(None, 3, 5000)),
        ];
        assert_eq!(ordered(tests), ["wide", "quick"]);
    }

    #[test]
    fn among_equals_the_quick_ones_lead_and_ties_keep_their_order() {
        let tests = vec![
            ("slow", prospect(None, 1, 900)),
            ("b", prospect(None, 1, 10)),
            ("a", prospect(None, 1, 10)),
            (
                "new",
                Prospect {
                    changes_reached: 1,
                    ..Prospect::default()
                },
            ),
        ];
        assert_eq!(ordered(tests), ["new", "b", "a", "slow"]);
    }
}
