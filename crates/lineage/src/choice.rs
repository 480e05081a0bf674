//! Which of the published options to take at a merge.

use crate::options::Plan;

/// What the choice hangs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Merge {
    pub is_automatic: bool,
    /// Something was selected at every revision since the branches parted.
    pub is_covered: bool,
    /// Tests that some parent has not got, and all tests.
    pub new_tests: usize,
    pub tests: usize,
    /// Revisions on the longest merged branch.
    pub length: usize,
}

/// What counts as many and as short. The publication leaves both open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thresholds {
    /// So many of a hundred tests.
    pub many_new_percent: usize,
    pub short_branch: usize,
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds {
            many_new_percent: 10,
            short_branch: 2,
        }
    }
}

/// The published heuristic. It may name S⁰, which is unsafe; Jury itself goes by evidence.
pub fn choose(merge: &Merge, thresholds: &Thresholds) -> Plan {
    if merge.is_automatic && merge.is_covered {
        let many = merge.new_tests * 100 > merge.tests * thresholds.many_new_percent;
        return if many { Plan::Each } else { Plan::Zero };
    }
    match merge.length <= thresholds.short_branch {
        true => Plan::One,
        false => Plan::Each,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Merge = Merge {
        is_automatic: true,
        is_covered: true,
        new_tests: 10,
        tests: 100,
        length: 3,
    };

    fn check(merge: Merge, plan: Plan) {
        assert_eq!(choose(&merge, &Thresholds::default()), plan);
    }

    #[test]
    fn an_automatic_merge_is_compared_only_if_it_brings_many_tests() {
        check(PLAIN, Plan::Zero);
        let new_tests = 11;
        check(Merge { new_tests, ..PLAIN }, Plan::Each);
    }

    #[test]
    fn other_merges_go_by_the_length_of_their_branches() {
        let edited = Merge {
            is_automatic: false,
            ..PLAIN
        };
        check(edited, Plan::Each);
        check(
            Merge {
                length: 2,
                ..edited
            },
            Plan::One,
        );
        let is_covered = false;
        check(
            Merge {
                is_covered,
                ..PLAIN
            },
            Plan::Each,
        );
    }
}
