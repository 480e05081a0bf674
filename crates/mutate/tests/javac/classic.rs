//! Where classic operators apply in what javac really emits. The fixture carries the truth in
//! comments.

use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;

use crate::support::{self, Compiled};
use jury_mutate::{
    ClassicMethod, ClassicOperator, ClassicPoint, Group, Literal, Mutation, Replacement,
    StopReason, StopRules, find_points,
};

static COMPILED: LazyLock<Compiled> = LazyLock::new(|| Compiled::fixtures(&["Classic.java"]));

fn methods(operators: &[&ClassicOperator]) -> Vec<ClassicMethod> {
    let rules = StopRules::unwritten_code();
    COMPILED.class("Classic", |file| {
        find_points(file, operators, &rules).expect("points")
    })
}

/// The points of one operator in one method.
fn points(method: &str, operator: &str) -> Vec<ClassicPoint> {
    let operator = ClassicOperator::find(operator).expect("an operator");
    let methods = methods(&[operator]);
    methods
        .into_iter()
        .find(|each| each.id.name == method)
        .expect("a method")
        .points
}

fn mutation(method: &str, operator: &str) -> Mutation {
    points(method, operator).remove(0).mutation
}

#[test]
fn operators_apply_to_exactly_their_instructions() {
    let text = fs::read_to_string(support::source_path("Classic.java")).unwrap();
    let marked = (1..).zip(text.lines()).filter_map(|(line, text)| {
        let (_, names) = text
            .rsplit_once("; // ")
            .or_else(|| text.rsplit_once(") // "))
            .or_else(|| text.rsplit_once("{ // "))?;
        let mut names: Vec<&str> = names.split(' ').filter(|name| *name != "nothing").collect();
        names.sort_unstable();
        Some((line, names.join(" "))).filter(|(_, names)| !names.is_empty())
    });
    let promised: BTreeMap<u16, String> = marked.collect();
    let mut found: BTreeMap<u16, Vec<String>> = BTreeMap::new();
    for point in methods(&ClassicOperator::group(Group::All))
        .into_iter()
        .flat_map(|m| m.points)
    {
        found
            .entry(point.line.unwrap())
            .or_default()
            .push(point.id.operator);
    }
    let found: BTreeMap<u16, String> = found
        .into_iter()
        .map(|(line, mut names)| {
            names.sort_unstable();
            (line, names.join(" "))
        })
        .collect();
    assert_eq!(found, promised);
}

#[test]
fn mutations_say_what_happens_instead() {
    let omit = |operands: &[u16], instead| Mutation::Omit {
        operands: operands.to_vec(),
        instead,
    };
    let table = [
        ("boundary", "conditionals_boundary", Mutation::Opcode(163)),
        ("boundary", "negate_conditionals", Mutation::Opcode(161)),
        ("equality", "negate_conditionals", Mutation::Opcode(198)),
        (
            "boundary",
            "remove_conditionals_order_if",
            omit(&[1, 1], None),
        ),
        (
            "equality",
            "remove_conditionals_equal_else",
            Mutation::AlwaysBranch { operands: vec![1] },
        ),
        ("boundary", "invert_negatives", Mutation::Opcode(0)),
        ("loop", "increments", Mutation::Increment(-1)),
        ("loop", "remove_increments", Mutation::Increment(0)),
        ("math", "math", Mutation::Opcode(109)),
        ("calls", "void_calls", omit(&[1, 2, 1], None)),
        (
            "calls",
            "non_void_calls",
            omit(&[1], Some(Replacement::Null)),
        ),
        ("calls", "naked_receiver", omit(&[], None)),
        (
            "calls",
            "constructor_calls",
            omit(&[1, 1, 1], Some(Replacement::Null)),
        ),
        ("fill", "member_variables", omit(&[2, 1], None)),
        (
            "boundary",
            "inline_constants",
            omit(&[], Some(Replacement::Int(4))),
        ),
        (
            "math",
            "primitive_returns",
            Mutation::Return(Replacement::Long(0)),
        ),
        (
            "flag",
            "true_returns",
            Mutation::Return(Replacement::Int(1)),
        ),
        (
            "boxed",
            "false_returns",
            Mutation::Return(Replacement::Boxed(Literal::Boolean(false))),
        ),
        (
            "text",
            "empty_returns",
            Mutation::Return(Replacement::Str(String::new())),
        ),
        (
            "number",
            "empty_returns",
            Mutation::Return(Replacement::Boxed(Literal::Long(0))),
        ),
        ("array", "null_returns", Mutation::Return(Replacement::Null)),
    ];
    for (method, operator, expected) in table {
        assert_eq!(
            mutation(method, operator),
            expected,
            "{operator} in {method}"
        );
    }
}

#[test]
fn switches_go_elsewhere() {
    let removed = points("sparse", "remove_switch");
    let [
        Mutation::Switch {
            default,
            cases: first,
        },
        Mutation::Switch { cases: second, .. },
    ] = [&removed[0].mutation, &removed[1].mutation]
    else {
        panic!("{removed:?}");
    };
    assert_eq!(first[0], (1, *default));
    assert_eq!(second[1], (1000, *default));
    assert_ne!(first[1].1, *default);
    let Mutation::Switch {
        default: swapped,
        cases,
    } = mutation("sparse", "switch")
    else {
        panic!("no switch");
    };
    assert_eq!(swapped, second[0].1);
    assert_eq!(cases, [(1, *default), (1000, *default)]);
}

#[test]
fn ordinals_count_the_points_of_one_operator() {
    let ids: Vec<String> = points("chained", "math")
        .iter()
        .map(|p| p.id.to_string())
        .collect();
    assert_eq!(
        ids,
        [
            "Classic#chained(DI)D#math#0",
            "Classic#chained(DI)D#math#1",
            "Classic#chained(DI)D#math#2"
        ]
    );
    for point in methods(&ClassicOperator::group(Group::All))
        .into_iter()
        .flat_map(|m| m.points)
    {
        assert_eq!(point.id.to_string().parse(), Ok(point.id));
    }
}

#[test]
fn a_point_knows_where_its_block_begins() {
    // a == n ? 1 : 0, returned where both ways meet.
    let blocks = |operator| -> Vec<u16> {
        let points = points("flag", operator).into_iter();
        points.map(|point| point.block).collect()
    };
    let [yes, no] = points("flag", "inline_constants").try_into().unwrap();
    let returned = points("flag", "true_returns").remove(0);
    assert_eq!(blocks("negate_conditionals"), [0]);
    assert_eq!(blocks("inline_constants"), [yes.pc, no.pc]);
    assert_eq!(returned.block, returned.pc);
}

#[test]
fn changes_are_described_in_words() {
    let described = |method, operator| points(method, operator).remove(0).description;
    assert_eq!(described("math", "math"), "`*` became `/`");
    assert_eq!(
        described("calls", "void_calls"),
        "call of `Classic.fill` removed"
    );
    assert_eq!(
        described("calls", "constructor_calls"),
        "`new StringBuilder` replaced by `null`"
    );
    assert_eq!(
        described("loop", "increments"),
        "increment by `1` became `-1`"
    );
    assert_eq!(described("yes", "false_returns"), "`false` returned");
}

#[test]
fn constructors_and_code_that_nobody_wrote_are_left_alone() {
    let methods = methods(&ClassicOperator::group(Group::All));
    let constructor = methods
        .iter()
        .find(|method| method.id.name == "<init>")
        .unwrap();
    assert_eq!(constructor.stop, Some(StopReason::Constructor));
    let to_string = methods
        .iter()
        .find(|method| method.id.name == "toString")
        .unwrap();
    assert_eq!(to_string.stop, None);
}
