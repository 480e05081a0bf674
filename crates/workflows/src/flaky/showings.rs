//! All that has been seen of each test.

use std::rc::Rc;

use jury_flaky::{Judgement, Showing, judge};
use jury_model::{Failure, Outcome};

use super::stand::Heard;

#[derive(Debug, Default)]
pub(super) struct Showings {
    tests: Vec<Seen>,
}

#[derive(Debug, Clone, Default)]
struct Seen {
    /// In the order in which they came.
    showings: Vec<Showing>,
    first_red: Option<(Outcome, Option<Failure>)>,
}

impl Showings {
    /// None yet, of so many tests.
    pub fn of(tests: usize) -> Self {
        Showings {
            tests: vec![Seen::default(); tests],
        }
    }

    pub fn add(&mut self, heard: Vec<Heard>) {
        for Heard { order, ended } in heard {
            let order = Rc::new(order);
            for one in ended {
                let seen = &mut self.tests[one.test];
                seen.showings.push(Showing {
                    order: Rc::clone(&order),
                    outcome: one.outcome,
                });
                if one.outcome.is_red() {
                    seen.first_red.get_or_insert((one.outcome, one.failure));
                }
            }
        }
    }

    pub fn judge(&self, test: usize) -> Judgement {
        judge(&self.tests[test].showings)
    }

    /// How it ended in this order in fresh JVMs, the earliest first.
    pub fn in_order<'s>(
        &'s self,
        test: usize,
        before: &'s [usize],
    ) -> impl Iterator<Item = Outcome> + 's {
        let showings = self.tests[test].showings.iter();
        showings
            .filter(move |one| !one.order.torn && one.order.before == before)
            .map(|one| one.outcome)
    }

    /// How often it ran, and how often it was red.
    pub fn times(&self, test: usize) -> (usize, usize) {
        let showings = &self.tests[test].showings;
        let red = showings.iter().filter(|one| one.outcome.is_red());
        (showings.len(), red.count())
    }

    pub fn first_red(&self, test: usize) -> Option<&(Outcome, Option<Failure>)> {
        self.tests[test].first_red.as_ref()
    }
}
