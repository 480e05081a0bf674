//! Whether to select whole test classes or single test methods.

/// The unit that is recorded and selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Granularity {
    #[default]
    Class,
    Method,
}

/// What selection at one granularity costs per run, measured or estimated over recent runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// Reading and comparing rows.
    pub analysis_micros: u64,
    /// Running the tests that were selected.
    pub test_micros: u64,
    /// What recording added to those tests, and writing their rows.
    pub collection_micros: u64,
}

impl Cost {
    pub fn total(&self) -> u64 {
        self.analysis_micros
            .saturating_add(self.test_micros)
            .saturating_add(self.collection_micros)
    }
}

/// Methods must save at least this share of what classes cost. Under it the difference is noise,
/// and classes are the safer choice: order between methods cannot matter to them.
const WORTHWHILE_PERCENT: u64 = 10;

/// Chooses by cost. Without figures for methods it stays with classes.
pub fn choose_granularity(class: &Cost, method: Option<&Cost>) -> Granularity {
    let worthwhile = |method: &Cost| {
        let bound = u128::from(class.total()) * u128::from(100 - WORTHWHILE_PERCENT);
        u128::from(method.total()) * 100 < bound
    };
    if method.is_some_and(worthwhile) {
        Granularity::Method
    } else {
        Granularity::Class
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(analysis_micros: u64, test_micros: u64, collection_micros: u64) -> Cost {
        Cost {
            analysis_micros,
            test_micros,
            collection_micros,
        }
    }

    #[test]
    fn methods_are_chosen_when_they_save_enough_in_the_end() {
        let class = cost(10, 1000, 50);
        assert_eq!(
            choose_granularity(&class, Some(&cost(60, 400, 90))),
            Granularity::Method
        );
    }

    #[test]
    fn fewer_tests_do_not_pay_for_dearer_recording() {
        let class = cost(10, 1000, 50);
        assert_eq!(
            choose_granularity(&class, Some(&cost(300, 400, 500))),
            Granularity::Class
        );
    }

    #[test]
    fn small_savings_and_missing_figures_leave_classes() {
        let class = cost(0, 1000, 0);
        assert_eq!(
            choose_granularity(&class, Some(&cost(0, 900, 0))),
            Granularity::Class
        );
        assert_eq!(choose_granularity(&class, None), Granularity::Class);
        assert_eq!(
            choose_granularity(&cost(0, 0, 0), Some(&cost(0, 0, 0))),
            Granularity::Class
        );
    }
}
