//! How long the selected tests will take, from how long they took.

/// What a selection will cost. Test time only: starting JVMs and building is not in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Prediction {
    pub tests: usize,
    pub micros: u64,
    /// Tests that were never timed and count with the median of the others.
    pub guessed: usize,
}

/// Sums up the selected tests. `known` are the times of all tests on record, selected or not,
/// from which a test without a time is guessed.
pub fn predict(
    selected: impl IntoIterator<Item = Option<u64>>,
    known: impl IntoIterator<Item = u64>,
) -> Prediction {
    let mut known: Vec<u64> = known.into_iter().collect();
    let middle = known.len() / 2;
    let median = match known.is_empty() {
        true => 0,
        false => *known.select_nth_unstable(middle).1,
    };
    let mut prediction = Prediction::default();
    for micros in selected {
        prediction.tests += 1;
        prediction.guessed += usize::from(micros.is_none());
        prediction.micros = prediction.micros.saturating_add(micros.unwrap_or(median));
    }
    prediction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_times_are_added_up() {
        let prediction = predict([Some(30), Some(12)], [30, 12, 500]);
        assert_eq!(
            prediction,
            Prediction {
                tests: 2,
                micros: 42,
                guessed: 0
            }
        );
    }

    #[test]
    fn a_new_test_counts_with_the_median_which_one_slow_test_does_not_move() {
        let prediction = predict([Some(10), None], [10, 20, 1_000_000]);
        assert_eq!(
            prediction,
            Prediction {
                tests: 2,
                micros: 30,
                guessed: 1
            }
        );
    }

    #[test]
    fn without_any_record_there_is_only_a_count() {
        let prediction = predict([None, None], []);
        assert_eq!(
            prediction,
            Prediction {
                tests: 2,
                micros: 0,
                guessed: 2
            }
        );
    }
}
