//! Which covering test to run first on a mutant.
//!
//! The best order puts the test with the most chance of failing per second first (Smith's rule:
//! it minimises the expected time until the first failure). Durations are taken in steps of
//! two, so that the noise of a busy machine seldom changes an order.

use std::time::Duration;

use jury_model::TestId;

/// A test that covers the mutated method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoveringTest {
    pub id: TestId,
    pub duration: Duration,
    /// How many calls lie between the test and the method, at the least; none if not known.
    pub distance: Option<u32>,
    /// Mutants of this method that the test has noticed before.
    pub kills: u32,
    /// Mutants of this method that it has been run on before.
    pub tries: u32,
    /// Whether it has noticed this very mutant before.
    pub killed_this: bool,
}

/// Puts likely killers and quick tests first. Equal tests are ordered by id, so the order depends
/// on nothing but the facts given.
pub fn likely_killers_first(tests: &mut [CoveringTest]) {
    tests.sort_by(|a, b| {
        let by_history = b.killed_this.cmp(&a.killed_this);
        by_history
            .then_with(|| b.promise().total_cmp(&a.promise()))
            .then_with(|| a.id.cmp(&b.id))
    });
}

impl CoveringTest {
    /// Chance of noticing the mutant per unit of time.
    fn promise(&self) -> f64 {
        self.chance() / self.cost()
    }

    /// Laplace's rule of succession on the test's record, with a prior that favours tests close
    /// to the method.
    fn chance(&self) -> f64 {
        let prior = match self.distance {
            Some(distance) => 1.0 / (1.0 + f64::from(distance.max(1))),
            None => 0.25,
        };
        (f64::from(self.kills) + 2.0 * prior) / (f64::from(self.tries.max(self.kills)) + 2.0)
    }

    /// Milliseconds, rounded up to a power of two; starting a test costs about one anyway.
    fn cost(&self) -> f64 {
        let milliseconds = self.duration.as_millis().max(1);
        milliseconds
            .checked_next_power_of_two()
            .unwrap_or(u128::MAX) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn test(id: &str, milliseconds: u64) -> CoveringTest {
        CoveringTest {
            id: TestId::new(id),
            duration: Duration::from_millis(milliseconds),
            distance: None,
            kills: 0,
            tries: 0,
            killed_this: false,
        }
    }

    fn order(mut tests: Vec<CoveringTest>) -> String {
        likely_killers_first(&mut tests);
        tests
            .iter()
            .map(|test| test.id.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn quick_tests_come_first() {
        assert_eq!(
            order(vec![
                test("slow", 900),
                test("quick", 3),
                test("middling", 40)
            ]),
            "quick middling slow"
        );
    }

    #[test]
    fn who_killed_this_mutant_comes_before_everyone() {
        let killer = CoveringTest {
            killed_this: true,
            ..test("killer", 5000)
        };
        assert_eq!(order(vec![test("quick", 1), killer]), "killer quick");
    }

    #[test]
    fn who_killed_its_siblings_comes_before_who_never_did() {
        let killer = CoveringTest {
            kills: 3,
            tries: 3,
            ..test("killer", 20)
        };
        let dud = CoveringTest {
            kills: 0,
            tries: 30,
            ..test("dud", 10)
        };
        assert_eq!(order(vec![dud, killer]), "killer dud");
    }

    #[test]
    fn close_tests_come_before_distant_ones() {
        let close = CoveringTest {
            distance: Some(1),
            ..test("close", 10)
        };
        let distant = CoveringTest {
            distance: Some(9),
            ..test("a distant", 10)
        };
        assert_eq!(order(vec![distant, close]), "close a distant");
    }

    #[test]
    fn noise_in_durations_changes_nothing() {
        let expected = order(vec![test("a", 17), test("b", 30)]);
        assert_eq!(order(vec![test("a", 31), test("b", 18)]), expected);
    }

    proptest! {
        #[test]
        fn the_order_does_not_depend_on_the_order_given(
            facts in proptest::collection::vec((any::<u64>(), any::<Option<u32>>(), any::<u32>(), any::<u32>()), 0..9),
            rotation in any::<usize>(),
        ) {
            let tests: Vec<_> = facts.into_iter().enumerate().map(|(index, (time, distance, kills, tries))| {
                CoveringTest { distance, kills, tries, ..test(&index.to_string(), time) }
            }).collect();
            let mut rotated = tests.clone();
            rotated.rotate_left(rotation.checked_rem(tests.len()).unwrap_or(0));
            prop_assert_eq!(order(tests), order(rotated));
        }
    }
}
