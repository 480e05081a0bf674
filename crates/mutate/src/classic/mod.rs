//! Classic operators: one small change to one instruction.
//!
//! Each operator has its file, whose header is the operator's page in the manual. An operator
//! says where in a method it applies and what is to happen there; it changes nothing itself and
//! knows nothing of stack maps. Constructors, static initialisers and code that nobody wrote
//! are left alone.

mod conditionals_boundary;
mod constructor_calls;
mod increments;
mod inline_constants;
mod invert_negatives;
mod math;
mod member_variables;
mod naked_receiver;
mod negate_conditionals;
mod non_void_calls;
mod remove_conditionals;
mod remove_increments;
mod remove_switch;
mod returns;
mod site;
mod switch;
mod void_calls;

use std::fmt;

use jury_classfile::{Access, ClassFile, Malformed};

use crate::id::{MethodId, MutantId};
use crate::manual;
use crate::method::{ClassInHand, MethodInHand};
use crate::replacement::Replacement;
use crate::stop::{Forbidden, StopReason, StopRules};
use site::Site;

/// What happens in place of an instruction. Stack operands are given as the slots they take, the
/// top of the stack first.
#[derive(Debug, Clone, PartialEq)]
pub enum Mutation {
    /// Another instruction with the same operands.
    Opcode(u8),
    /// `iinc` adds this much.
    Increment(i16),
    /// The instruction is left out: its operands are dropped and a value may take their place.
    Omit {
        operands: Vec<u16>,
        instead: Option<Replacement>,
    },
    /// The branch is taken whatever its operands are.
    AlwaysBranch { operands: Vec<u16> },
    /// The value about to be returned is replaced; the instruction stays.
    Return(Replacement),
    /// The switch has other targets.
    Switch {
        default: u16,
        cases: Vec<(i32, u16)>,
    },
}

/// A mutation with its description in words.
struct Change {
    mutation: Mutation,
    description: String,
}

impl Change {
    fn new(mutation: Mutation, description: impl Into<String>) -> Self {
        Change {
            mutation,
            description: description.into(),
        }
    }
}

/// The smallest preset that an operator belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Few equivalent mutants, each worth a look.
    Default,
    /// Finds more, at the price of more noise.
    Stronger,
    /// Everything there is.
    All,
}

/// An operator on single instructions.
pub struct ClassicOperator {
    pub name: &'static str,
    pub group: Group,
    source: &'static str,
    /// What the operator makes of one instruction; most make nothing or one thing.
    changes: fn(&Site<'_, '_, '_>) -> Vec<Change>,
}

/// Every classic operator.
pub static CLASSIC: [ClassicOperator; 23] = [
    conditionals_boundary::OPERATOR,
    negate_conditionals::OPERATOR,
    increments::OPERATOR,
    invert_negatives::OPERATOR,
    math::OPERATOR,
    void_calls::OPERATOR,
    returns::EMPTY,
    returns::NULL,
    returns::PRIMITIVE,
    returns::TRUE,
    returns::FALSE,
    remove_conditionals::EQUAL_IF,
    remove_conditionals::EQUAL_ELSE,
    remove_conditionals::ORDER_IF,
    remove_conditionals::ORDER_ELSE,
    switch::OPERATOR,
    remove_switch::OPERATOR,
    constructor_calls::OPERATOR,
    non_void_calls::OPERATOR,
    inline_constants::OPERATOR,
    remove_increments::OPERATOR,
    naked_receiver::OPERATOR,
    member_variables::OPERATOR,
];

impl ClassicOperator {
    pub fn find(name: &str) -> Option<&'static Self> {
        CLASSIC.iter().find(|operator| operator.name == name)
    }

    pub fn group(group: Group) -> Vec<&'static Self> {
        CLASSIC
            .iter()
            .filter(|operator| operator.group <= group)
            .collect()
    }

    /// The operator's page in the manual.
    pub fn manual(&self) -> String {
        manual::header(self.source)
    }
}

impl fmt::Debug for ClassicOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ClassicMethod {
    pub id: MethodId,
    pub access: Access,
    pub points: Vec<ClassicPoint>,
    pub stop: Option<StopReason>,
}

/// One instruction and what is to happen in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassicPoint {
    pub id: MutantId,
    pub pc: u16,
    /// Where its block begins: a stretch of code that runs from beginning to end unless something
    /// is thrown.
    pub block: u16,
    pub opcode: u8,
    pub line: Option<u16>,
    /// In words: "`+` became `-`".
    pub description: String,
    pub mutation: Mutation,
}

/// Finds where the operators apply, method by method, in order of pc and then of operators.
pub fn find_points(
    file: &ClassFile<'_>,
    operators: &[&ClassicOperator],
    rules: &StopRules,
) -> Result<Vec<ClassicMethod>, Malformed> {
    let class = ClassInHand::read(file)?;
    let methods = file.methods.iter().map(|member| {
        let method = MethodInHand::read(&class, member)?;
        let stop = rules.stop(&method);
        let points = if stop.is_none() {
            points_of(&method, operators, rules)
        } else {
            Vec::new()
        };
        Ok(ClassicMethod {
            id: method.id(),
            access: member.access,
            points,
            stop,
        })
    });
    methods.collect()
}

fn points_of(
    method: &MethodInHand<'_, '_>,
    operators: &[&ClassicOperator],
    rules: &StopRules,
) -> Vec<ClassicPoint> {
    let forbidden = Forbidden::under(rules, method);
    let allowed = operators
        .iter()
        .filter(|operator| !forbidden.forbids(operator.name));
    // An ordinal counts the points of one operator, so that other operators cannot shift it.
    let mut counted: Vec<_> = allowed.map(|operator| (operator, 0..)).collect();
    let mut points = Vec::new();
    let branched_to = site::branch_targets(method);
    for site in Site::all(method, &branched_to) {
        for (operator, ordinals) in &mut counted {
            for (change, ordinal) in (operator.changes)(&site).into_iter().zip(ordinals) {
                points.push(ClassicPoint {
                    id: MutantId {
                        method: method.id(),
                        operator: operator.name.to_owned(),
                        ordinal: Some(ordinal),
                    },
                    pc: site.instruction.pc,
                    block: site.block,
                    opcode: site.instruction.opcode,
                    line: method.line_at(site.instruction.pc),
                    description: change.description,
                    mutation: change.mutation,
                });
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_operator_has_a_name_and_a_page_of_its_own() {
        let names: BTreeSet<_> = CLASSIC.iter().map(|operator| operator.name).collect();
        assert_eq!(names.len(), CLASSIC.len());
        for operator in &CLASSIC {
            for heading in ["# What it does", "# Why", "# Example"] {
                let page = operator.manual();
                assert!(
                    page.contains(heading),
                    "`{}` has no `{heading}`",
                    operator.name
                );
            }
        }
    }

    #[test]
    fn groups_contain_one_another() {
        let names = |group| {
            ClassicOperator::group(group)
                .iter()
                .map(|o| o.name)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(
            names(Group::Default),
            "conditionals_boundary negate_conditionals increments invert_negatives math void_calls \
             empty_returns null_returns primitive_returns true_returns false_returns"
        );
        assert!(names(Group::Stronger).starts_with(&names(Group::Default)));
        assert_eq!(ClassicOperator::group(Group::All).len(), CLASSIC.len());
    }
}
