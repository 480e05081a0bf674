//! Random histories: what is called safe misses nothing in any of them, and what is called unsafe
//! misses something.

mod toy;

use jury_lineage::{Deed, Plan, Test};
use toy::{History, Line, Program, Story};

const METHODS: u64 = 5;
const HISTORIES: u64 = 3_000;

/// A sequence that is the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        // The multiplier and increment of Knuth's MMIX.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn edit(&mut self, calls_change: bool) -> (u32, Line) {
        let method = self.below(METHODS) as u32;
        let line = match calls_change && self.below(3) == 0 {
            true => Line::Call(self.below(METHODS) as u32),
            false => Line::Act(self.below(1 << 30) as u32),
        };
        (method, line)
    }
}

/// Two branches of one to three commits each, and what comes of them.
fn story(dice: &mut Dice, calls_change: bool) -> (Story, [String; 2]) {
    let mut base = Program::default();
    for method in 0..METHODS as u32 {
        let call = Line::Call(dice.below(METHODS) as u32);
        let body = base.methods.entry(method).or_default();
        body.extend((dice.below(2) == 0).then_some(call));
        base.tests.insert(Test(method), vec![method]);
    }
    let mut story = Story::default();
    story.add("base", &[], base);
    let tips = ["a", "b"].map(|branch| {
        let mut tip = "base".to_owned();
        for number in 0..=dice.below(3) {
            let name = format!("{branch}{number}");
            let (method, line) = dice.edit(calls_change);
            story.commit(&name, &tip, method, &[line]);
            tip = name;
        }
        tip
    });
    (story, tips)
}

fn merge(dice: &mut Dice, calls_change: bool) -> (History, Deed) {
    let (mut story, [one, other]) = story(dice, calls_change);
    story.merge("h", "base", &[&one, &other]);
    (story.end(), Deed::Merge)
}

fn rebase(dice: &mut Dice, calls_change: bool) -> (History, Deed) {
    let (mut story, [from, onto]) = story(dice, calls_change);
    let program = story.merged("base", &[&from, &onto]);
    story.add("h", &[&onto], program);
    let history = story.end();
    let (from, onto) = (history.find(&from), history.find(&onto));
    (history, Deed::Rebase { from, onto })
}

fn cherry_pick(dice: &mut Dice, calls_change: bool) -> (History, Deed) {
    let (mut story, [one, other]) = story(dice, calls_change);
    let before = match other.as_str() {
        "b0" => "base",
        "b1" => "b0",
        _ => "b1",
    };
    story.apply("h", &one, before, &other);
    let history = story.end();
    let picked = history.find(&other);
    (history, Deed::CherryPick { picked })
}

fn revert(dice: &mut Dice, calls_change: bool) -> (History, Deed) {
    let (mut story, [tip, _]) = story(dice, calls_change);
    story.apply("h", &tip, "a0", "base");
    let history = story.end();
    let reverted = history.find("a0");
    (history, Deed::Revert { reverted })
}

/// Makes a history and says how it ended.
type Maker = fn(&mut Dice, bool) -> (History, Deed);

/// How many histories there are in which an option misses a test.
fn misses(make: Maker, calls_change: bool, plan: Plan) -> u64 {
    let mut dice = Dice(1);
    let mut misses = 0;
    for _ in 0..HISTORIES {
        let (history, deed) = make(&mut dice, calls_change);
        if let Ok(selected) = history.select("h", deed, plan) {
            misses += u64::from(!history.missed("h", &selected).is_empty());
        }
    }
    misses
}

const MAKERS: [(&str, Maker); 4] = [
    ("merge", merge),
    ("rebase", rebase),
    ("cherry-pick", cherry_pick),
    ("revert", revert),
];

#[test]
fn whatever_is_called_safe_misses_no_test() {
    for (name, make) in MAKERS {
        for plan in Plan::ALL.into_iter().filter(|plan| plan.is_safe()) {
            assert_eq!(misses(make, true, plan), 0, "{plan} at a {name}");
        }
    }
}

#[test]
fn zero_comparisons_miss_tests_only_where_calls_change() {
    for (name, make) in MAKERS {
        assert_eq!(misses(make, false, Plan::Zero), 0, "{name}");
        assert!(misses(make, true, Plan::Zero) > 0, "{name}");
    }
}

#[test]
fn evidence_selects_no_more_than_any_safe_option() {
    let mut dice = Dice(7);
    for _ in 0..HISTORIES {
        let (history, deed) = merge(&mut dice, true);
        let select = |plan| history.select("h", deed.clone(), plan).unwrap();
        let evidence = select(Plan::Evidence);
        assert!(evidence.is_subset(&select(Plan::Each)));
        assert!(evidence.is_subset(&select(Plan::One)));
    }
}
