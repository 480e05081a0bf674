//! What was seen of a program, run after run, and how two versions of it differ.
//!
//! Only what a version shows in every one of its runs counts: a property that is missing in one, or
//! has another value, is dropped. More runs can therefore only take differences away, so that two
//! versions without a difference need no further run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::place::Place;
use crate::property::{PropertyName, literal};

/// One thing to compare: the k-th passing of a place, and what was looked at there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Property {
    pub place: Place,
    /// The k, from 0; for calls that a thread makes beside the one that runs the test, from
    /// [`SECOND_THREAD`].
    pub ordinal: u32,
    /// `receiver.field#kind`; the role is empty for expressions.
    pub name: Arc<str>,
}

impl Property {
    /// The how-manieth call of its thread, from 1.
    pub fn call(&self) -> u32 {
        self.ordinal % SECOND_THREAD + 1
    }
}

/// More than the calls of one thread that are recorded.
const SECOND_THREAD: u32 = 1_000;

/// How often the watched method was called.
pub const CALL_COUNT: &str = "calls#count";
/// What the observer says of an expression that several threads evaluated, or a method that they called.
const CROWDED: &str = "#threads";

/// What one run of a test showed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Observed {
    pub values: BTreeMap<Property, Arc<str>>,
}

impl Observed {
    /// What several threads passed.
    pub fn crowds(&self) -> BTreeSet<Place> {
        let crowded = self.values.keys().filter(|one| &*one.name == CROWDED);
        crowded.map(|one| one.place).collect()
    }

    /// Takes out what several threads passed, in an order that is chance. Says whether there was any.
    pub fn leave_crowds_out(&mut self) -> bool {
        let crowded = self.crowds();
        self.values.retain(|one, _| !crowded.contains(&one.place));
        !crowded.is_empty()
    }

    pub fn add(&mut self, place: Place, ordinal: u32, name: Arc<str>, value: Arc<str>) {
        let property = Property {
            place,
            ordinal,
            name,
        };
        self.values.insert(property, value);
    }
}

/// What all runs of one version of a test had in common.
#[derive(Debug, Clone, Default)]
pub struct Stable {
    runs: usize,
    common: BTreeMap<Property, Arc<str>>,
    varied: bool,
}

impl Stable {
    pub fn add(&mut self, run: Observed) {
        if self.runs == 0 {
            self.common = run.values;
        } else if self.common != run.values {
            self.varied = true;
            self.common
                .retain(|property, value| run.values.get(property) == Some(value));
        }
        self.runs += 1;
    }

    pub fn runs(&self) -> usize {
        self.runs
    }

    /// How many properties there are.
    pub fn properties(&self) -> usize {
        self.common.len()
    }

    /// Whether a run shows exactly what all of these had in common.
    pub fn is_shown_by(&self, run: &Observed) -> bool {
        self.common == run.values
    }

    /// Whether some run showed something that another did not.
    pub fn varied(&self) -> bool {
        self.varied
    }

    pub fn get(&self, property: &Property) -> Option<&str> {
        self.common.get(property).map(AsRef::as_ref)
    }

    /// The distinct values of one property over all passings of a place.
    pub fn values_of<'a>(&'a self, place: Place, name: &'a str) -> Vec<&'a str> {
        let own = self.common.iter();
        let own = own.filter(|(property, _)| property.place == place && &*property.name == name);
        let mut values: Vec<&str> = own.map(|(_, value)| &**value).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// What each expression was, where it was the same whenever it was evaluated.
    pub fn steady_values(&self) -> BTreeMap<Place, Arc<str>> {
        let mut steady: BTreeMap<Place, Option<&Arc<str>>> = BTreeMap::new();
        for (property, value) in &self.common {
            if matches!(property.place, Place::Value { .. }) && &*property.name == "#value" {
                let known = steady.entry(property.place).or_insert(Some(value));
                *known = known.filter(|known| *known == value);
            }
        }
        let steady = steady.into_iter();
        steady
            .filter_map(|(place, value)| Some((place, Arc::clone(value?))))
            .collect()
    }

    /// The arguments of a call, of which this is a property, that have a literal. Others, such as a
    /// `StringBuilder`, may have been something else before the call.
    pub fn given(&self, of: &Property) -> Vec<(PropertyName, Arc<str>)> {
        let all = self.common.iter();
        let own = all.filter(|(each, _)| each.place == of.place && each.ordinal == of.ordinal);
        own.map(|(each, value)| (PropertyName::read(&each.name), Arc::clone(value)))
            .filter(|(name, _)| name.argument().is_some() && name.field.is_none())
            .filter(|(name, value)| name.aspect == "value" && literal(value).is_some())
            .collect()
    }

    /// How often a place was passed, as far as anything is known of that.
    pub fn passings(&self, place: Place) -> usize {
        let own = self.common.keys();
        let own = own.filter(|each| each.place == place && &*each.name != CALL_COUNT);
        own.map(|each| each.ordinal)
            .collect::<BTreeSet<u32>>()
            .len()
    }

    /// The names of what was looked at in a place.
    pub fn names(&self, place: Place) -> Vec<&str> {
        let own = self.common.keys();
        let own = own.filter(|property| property.place == place);
        let mut names: Vec<&str> = own.map(|property| &*property.name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub property: Property,
    pub original: Arc<str>,
    pub mutant: Arc<str>,
}

impl Difference {
    /// Whether these runs of both versions show it, too.
    pub fn is_between(&self, original: &Stable, mutant: &Stable) -> bool {
        original.get(&self.property) == Some(&*self.original)
            && mutant.get(&self.property) == Some(&*self.mutant)
    }
}

/// Properties that both versions have and that differ, in the order of places and passings.
pub fn differences(original: &Stable, mutant: &Stable) -> Vec<Difference> {
    let both = original.common.iter().filter_map(|(property, value)| {
        let other = mutant.common.get(property)?;
        (value != other).then(|| Difference {
            property: property.clone(),
            original: Arc::clone(value),
            mutant: Arc::clone(other),
        })
    });
    both.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(values: &[(u32, &str, &str)]) -> Observed {
        let mut run = Observed::default();
        for (ordinal, name, value) in values {
            run.add(Place::Call(1), *ordinal, (*name).into(), (*value).into());
        }
        run
    }

    fn stable(runs: &[&[(u32, &str, &str)]]) -> Stable {
        let mut stable = Stable::default();
        runs.iter().for_each(|values| stable.add(run(values)));
        stable
    }

    fn check(original: &Stable, mutant: &Stable) -> Vec<String> {
        let found = differences(original, mutant).into_iter();
        found
            .map(|one| {
                let Property { ordinal, name, .. } = one.property;
                format!("{ordinal} {name} {} {}", one.original, one.mutant)
            })
            .collect()
    }

    #[test]
    fn the_kth_call_is_compared_with_the_kth() {
        let original = stable(&[&[(0, "result#value", "I1"), (1, "result#value", "I2")]]);
        let mutant = stable(&[&[(0, "result#value", "I1"), (1, "result#value", "I0")]]);
        assert_eq!(check(&original, &mutant), ["1 result#value I2 I0"]);
    }

    #[test]
    fn a_call_was_given_its_arguments_that_have_a_value() {
        let original = stable(&[&[
            (0, "argument 1#value", "I7"),
            (1, "argument 1#value", "I8"),
            (1, "argument 2#null", "false"),
            (1, "argument 3.size#value", "I1"),
            (1, "argument 4#value", "Otext by now"),
            (1, "result#value", "I2"),
        ]]);
        let of = Property {
            place: Place::Call(1),
            ordinal: 1,
            name: "result#value".into(),
        };
        let given = original.given(&of).into_iter();
        let given: Vec<_> = given
            .map(|(name, value)| format!("{} {value}", name.role))
            .collect();
        assert_eq!(given, ["argument 1 I8"]);
    }

    #[test]
    fn a_difference_is_shown_by_runs_that_show_both_values_always() {
        let one = |value| stable(&[&[(0, "a#value", value)]]);
        let differs = &differences(&one("I1"), &one("I2"))[0];
        assert!(differs.is_between(&one("I1"), &one("I2")));
        assert!(!differs.is_between(&one("I1"), &one("I1")));
        let sometimes = stable(&[&[(0, "a#value", "I1")], &[(0, "a#value", "I2")]]);
        assert!(!differs.is_between(&sometimes, &one("I2")));
    }

    #[test]
    fn what_varies_within_a_version_is_dropped() {
        let original = stable(&[
            &[(0, "a#value", "I1"), (0, "b#value", "I1")],
            &[(0, "a#value", "I9"), (0, "b#value", "I1")],
        ]);
        let mutant = stable(&[&[(0, "a#value", "I5"), (0, "b#value", "I2")]]);
        assert!(original.varied() && !mutant.varied());
        assert_eq!(check(&original, &mutant), ["0 b#value I1 I2"]);
    }

    #[test]
    fn what_one_run_lacks_is_dropped_whichever_it_is() {
        let both: &[(u32, &str, &str)] = &[(0, "a#value", "I1")];
        for runs in [[both, &[]], [&[], both]] {
            let original = stable(&runs);
            assert!(original.varied());
            assert!(check(&original, &stable(&[&[(0, "a#value", "I2")]])).is_empty());
        }
    }

    fn place(pc: u16) -> Place {
        Place::Value {
            class: 1,
            method: 0,
            pc,
        }
    }

    #[test]
    fn an_expression_is_steady_if_it_had_one_value_in_all_turns() {
        let mut run = Observed::default();
        for (pc, ordinal, value) in [(4, 0, "I1"), (4, 1, "I1"), (6, 0, "I1"), (6, 1, "I2")] {
            run.add(place(pc), ordinal, "#value".into(), value.into());
        }
        run.add(place(8), 0, ".field#value".into(), "I1".into());
        let mut stable = Stable::default();
        stable.add(run);
        let steady = stable.steady_values();
        assert_eq!(steady, [(place(4), "I1".into())].into());
    }

    #[test]
    fn calls_are_counted_within_their_thread() {
        for (ordinal, call) in [(0, 1), (499, 500), (1_000, 1), (1_002, 3)] {
            let property = Property {
                place: Place::Call(1),
                ordinal,
                name: CALL_COUNT.into(),
            };
            assert_eq!(property.call(), call);
        }
    }

    #[test]
    fn a_place_was_passed_as_often_as_something_was_seen_there() {
        let stable = stable(&[&[
            (0, CALL_COUNT, "7"),
            (0, "result#value", "I1"),
            (0, "result#null", "false"),
            (3, "result#value", "I1"),
        ]]);
        assert_eq!(stable.passings(Place::Call(1)), 2);
        assert_eq!(stable.passings(Place::Call(2)), 0);
    }

    #[test]
    fn what_several_threads_evaluate_is_not_compared() {
        let mut run = Observed::default();
        run.add(place(4), 0, "#value".into(), "I1".into());
        run.add(place(6), 0, "#value".into(), "I1".into());
        assert!(!run.leave_crowds_out());
        run.add(place(4), 0, CROWDED.into(), "several".into());
        assert!(run.leave_crowds_out());
        let left: Vec<Place> = run.values.keys().map(|one| one.place).collect();
        assert_eq!(left, [place(6)]);
    }
}
