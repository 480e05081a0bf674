//! In which runs it is found out what tests use.
//!
//! Not to know is safe: a test class that ran uncollected is still compared with what it used when
//! that was last collected, and runs while that differs from the present.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Collection {
    #[default]
    Always,
    /// In every n-th run, and while nothing is known.
    Every(u32),
    /// In a run of its own, after the answer.
    Later,
    /// Tests are only watched, which costs next to nothing.
    Never,
}

impl Collection {
    /// Whether the run of this number is to collect.
    pub(crate) fn is_due(self, run: i64, something_known: bool) -> bool {
        match self {
            Collection::Always => true,
            Collection::Every(n) => !something_known || run % i64::from(n.max(1)) == 0,
            Collection::Later | Collection::Never => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_collection_begins_with_the_first_run_and_comes_round() {
        let sparse = Collection::Every(3);
        assert!(sparse.is_due(1, false));
        let due: Vec<i64> = (2..8).filter(|run| sparse.is_due(*run, true)).collect();
        assert_eq!(due, [3, 6]);
        assert!(Collection::Every(0).is_due(1, true), "a limit that is none");
        assert!(!Collection::Never.is_due(1, false));
    }
}
