//! What is wrong with a test, from how it ended in which order.

use std::collections::HashMap;
use std::rc::Rc;

use jury_model::{Flakiness, Outcome};

/// What a test found when it began in a fresh JVM: the classes that had run there before its own,
/// by number, the first one first.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Order {
    pub before: Vec<usize>,
    /// A JVM had been lost, and this one took over in the middle. Such an order cannot be repeated.
    pub torn: bool,
}

/// How a test ended once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Showing {
    pub order: Rc<Order>,
    pub outcome: Outcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It was never red.
    Steady,
    /// It was always red.
    Broken,
    Flaky(Flakiness),
    /// It was never found.
    Unseen,
}

/// A verdict, and who else is to blame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    pub verdict: Verdict,
    /// Of an order-dependent test, the fewest classes seen to make the difference by running before
    /// it, in their order.
    pub culprits: Vec<usize>,
    /// Both what it does after the culprits and what it does alone were seen more than once.
    pub confirmed: bool,
}

impl Judgement {
    fn of(verdict: Verdict) -> Self {
        Judgement {
            verdict,
            culprits: Vec::new(),
            confirmed: true,
        }
    }
}

/// How a test ended in one order.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    red: usize,
    other: usize,
}

impl Seen {
    fn times(self) -> usize {
        self.red + self.other
    }
}

/// The showings of one test, the earliest first. That of the first order counts as usual where
/// nobody has seen the test alone.
pub fn judge(showings: &[Showing]) -> Judgement {
    let whole = showings.iter().any(|showing| !showing.order.torn);
    let mut places: HashMap<&Order, usize> = HashMap::new();
    let mut orders: Vec<(&Order, Seen)> = Vec::new();
    // What a torn order shows is of use only where there is nothing else.
    for showing in (showings.iter()).filter(|showing| !whole || !showing.order.torn) {
        let place = *places.entry(&*showing.order).or_insert(orders.len());
        if place == orders.len() {
            orders.push((&*showing.order, Seen::default()));
        }
        match showing.outcome.is_red() {
            true => orders[place].1.red += 1,
            false => orders[place].1.other += 1,
        }
    }
    let Some((_, usual)) = orders.first().copied() else {
        return Judgement::of(Verdict::Unseen);
    };
    if orders
        .iter()
        .any(|(_, seen)| seen.red > 0 && seen.other > 0)
    {
        return Judgement::of(Verdict::Flaky(Flakiness::Unsteady));
    }
    if orders.iter().all(|(_, seen)| seen.red == 0) {
        return Judgement::of(Verdict::Steady);
    }
    if orders.iter().all(|(_, seen)| seen.other == 0) {
        return Judgement::of(Verdict::Broken);
    }
    let alone = orders.iter().find(|(order, _)| order.before.is_empty());
    let alone = alone.map(|(_, seen)| *seen);
    let is_brittle = alone.unwrap_or(usual).red > 0;
    let otherwise = orders
        .iter()
        .filter(|(_, seen)| (seen.red > 0) != is_brittle);
    let shortest = otherwise.min_by_key(|(order, _)| order.before.len());
    Judgement {
        verdict: Verdict::Flaky(match is_brittle {
            true => Flakiness::Brittle,
            false => Flakiness::Victim,
        }),
        culprits: shortest.map_or_else(Vec::new, |(order, _)| order.before.clone()),
        confirmed: alone.is_some_and(|seen| seen.times() > 1)
            && shortest.is_some_and(|(_, seen)| seen.times() > 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One showing a word: the classes before it, and how it ended. `ab:red`, `:ok`, `~a:red` for a
    /// torn order.
    fn check(showings: &str, verdict: Verdict, culprits: &str, confirmed: bool) {
        let number = |letter: char| letter as usize - 'a' as usize;
        let showing = |word: &str| {
            let (before, outcome) = word.split_once(':').unwrap();
            let torn = before.starts_with('~');
            let before = before.trim_start_matches('~').chars().map(number).collect();
            Showing {
                order: Rc::new(Order { before, torn }),
                outcome: match outcome {
                    "ok" => Outcome::Passed,
                    "skip" => Outcome::Skipped,
                    "red" => Outcome::Failed,
                    "hang" => Outcome::TimedOut,
                    "crash" => Outcome::Crashed,
                    _ => panic!("{outcome}"),
                },
            }
        };
        let all: Vec<Showing> = showings.split_whitespace().map(showing).collect();
        let judgement = Judgement {
            verdict,
            culprits: culprits.chars().map(number).collect(),
            confirmed,
        };
        assert_eq!(judge(&all), judgement, "{showings}");
    }

    const UNSTEADY: Verdict = Verdict::Flaky(Flakiness::Unsteady);
    const VICTIM: Verdict = Verdict::Flaky(Flakiness::Victim);
    const BRITTLE: Verdict = Verdict::Flaky(Flakiness::Brittle);

    #[test]
    fn never_red_is_steady_and_always_red_is_broken_in_whatever_order() {
        check("a:ok a:ok b:ok :ok", Verdict::Steady, "", true);
        check("a:ok a:skip", Verdict::Steady, "", true);
        check("a:red ba:red :red", Verdict::Broken, "", true);
        check("", Verdict::Unseen, "", true);
    }

    #[test]
    fn two_outcomes_in_one_order_are_unsteady_even_if_orders_differ_too() {
        check("a:ok a:red", UNSTEADY, "", true);
        check("a:ok b:red b:ok :ok", UNSTEADY, "", true);
    }

    #[test]
    fn hangs_and_crashes_are_red() {
        check("a:hang a:crash", Verdict::Broken, "", true);
        check("a:ok a:crash", UNSTEADY, "", true);
    }

    #[test]
    fn a_victim_passes_alone_and_fails_after_the_fewest_that_were_seen() {
        check("a:ok bca:red :ok :ok", VICTIM, "bca", false);
        check("a:ok bca:red :ok :ok c:red c:red", VICTIM, "c", true);
        check("a:ok bca:red :ok :ok c:red", VICTIM, "c", false);
        check("a:ok bca:red :ok c:red c:red", VICTIM, "c", false);
    }

    #[test]
    fn a_brittle_test_fails_alone_and_passes_after_the_fewest_that_were_seen() {
        check("ab:ok c:red :red :red b:ok b:ok", BRITTLE, "b", true);
    }

    #[test]
    fn the_first_order_is_the_usual_one_until_the_test_was_alone() {
        check("a:ok b:red", VICTIM, "b", false);
        check("a:red b:ok", BRITTLE, "b", false);
    }

    #[test]
    fn a_torn_order_says_nothing_against_a_whole_one() {
        check("a:ok a:ok ~a:red", Verdict::Steady, "", true);
        check("~:red ~:red", Verdict::Broken, "", true);
        check("~:red ~:ok", UNSTEADY, "", true);
    }
}
