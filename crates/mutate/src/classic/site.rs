//! One instruction in its method, with the questions that several operators ask about it.

use std::collections::HashSet;

use jury_classfile::{Constant, Instruction, JavaStr, MemberRef, MethodDescriptor, Operand};

use crate::method::MethodInHand;
use crate::opcode::*;
use crate::replacement::Replacement;

pub(super) struct Site<'s, 'f, 'a> {
    pub method: &'s MethodInHand<'f, 'a>,
    pub instruction: &'s Instruction<'a>,
    /// The instruction that lies before this one and always leads to it.
    pub previous: Option<&'s Instruction<'a>>,
    /// For a constructor call, whether it completes a `new` followed by `dup`.
    pub completes_new: bool,
}

impl<'s, 'f, 'a> Site<'s, 'f, 'a> {
    /// Every instruction of a method.
    pub fn all(method: &'s MethodInHand<'f, 'a>) -> Vec<Self> {
        let branched = branch_targets(method);
        let instructions = &method.instructions;
        // Uninitialised objects, innermost last: constructor calls nest like parentheses.
        let mut news = Vec::new();
        let sites = instructions.iter().enumerate().map(|(index, instruction)| {
            let previous = index
                .checked_sub(1)
                .and_then(|index| instructions.get(index));
            let mut site = Site {
                method,
                instruction,
                previous: previous.filter(|_| !branched.contains(&instruction.pc)),
                completes_new: false,
            };
            if instruction.opcode == NEW {
                let next = instructions.get(index + 1);
                news.push(next.is_some_and(|next| next.opcode == DUP));
            } else if site
                .called()
                .is_some_and(|(called, _)| called.name == "<init>")
            {
                site.completes_new = news.pop().unwrap_or(false);
            }
            site
        });
        sites.collect()
    }

    pub fn opcode(&self) -> u8 {
        self.instruction.opcode
    }

    /// The method called, with its descriptor; none for `invokedynamic`.
    pub fn called(&self) -> Option<(MemberRef<'a>, MethodDescriptor<'a>)> {
        if !(INVOKEVIRTUAL..=INVOKEINTERFACE).contains(&self.opcode()) {
            return None;
        }
        let called = self.member()?;
        Some((called, MethodDescriptor::read(called.descriptor).ok()?))
    }

    /// The field or method that the instruction refers to.
    pub fn member(&self) -> Option<MemberRef<'a>> {
        match self.instruction.operand {
            Operand::Constant(index) => self.method.class.file.pool.member_ref(index).ok(),
            _ => None,
        }
    }

    /// The slots of a call's arguments, the last argument first as it lies on top.
    pub fn arguments(descriptor: &MethodDescriptor<'a>) -> Vec<u16> {
        let mut slots: Vec<u16> = descriptor.parameters().map(|each| each.slots()).collect();
        slots.reverse();
        slots
    }

    /// Whether the value on the stack is this constant anyway.
    pub fn already_has(&self, replacement: &Replacement) -> bool {
        let pushed = self
            .previous
            .and_then(|previous| pushed_constant(self.method, previous));
        pushed.as_ref() == Some(replacement)
    }
}

/// The constant that an instruction pushes, if that is all it does.
pub(super) fn pushed_constant(
    method: &MethodInHand<'_, '_>,
    instruction: &Instruction<'_>,
) -> Option<Replacement> {
    Some(match (instruction.opcode, instruction.operand) {
        (ACONST_NULL, _) => Replacement::Null,
        (opcode @ ICONST_M1..=ICONST_5, _) => {
            Replacement::Int(i32::from(opcode) - i32::from(ICONST_0))
        }
        (opcode @ LCONST_0..=LCONST_1, _) => Replacement::Long(i64::from(opcode - LCONST_0)),
        (opcode @ FCONST_0..=FCONST_2, _) => Replacement::Float(f32::from(opcode - FCONST_0)),
        (opcode @ DCONST_0..=DCONST_1, _) => Replacement::Double(f64::from(opcode - DCONST_0)),
        (BIPUSH | SIPUSH, Operand::Immediate(value)) => Replacement::Int(i32::from(value)),
        (LDC | LDC_W | LDC2_W, Operand::Constant(index)) => {
            match method.class.file.pool.get(index).ok()? {
                Constant::Integer(value) => Replacement::Int(value),
                Constant::Long(value) => Replacement::Long(value),
                Constant::Float(value) => Replacement::Float(value),
                Constant::Double(value) => Replacement::Double(value),
                Constant::String(text) => Replacement::Str(text.to_string()),
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// The default target of a switch and its cases; none for other instructions.
pub(super) fn targets(instruction: &Instruction<'_>) -> Option<(u16, Vec<(i32, u16)>)> {
    match instruction.operand {
        Operand::TableSwitch(switch) => Some((switch.default, switch.cases().collect())),
        Operand::LookupSwitch(switch) => Some((switch.default, switch.cases().collect())),
        _ => None,
    }
}

fn branch_targets(method: &MethodInHand<'_, '_>) -> HashSet<u16> {
    let mut branched = HashSet::new();
    for instruction in &method.instructions {
        if let Operand::Branch(target) = instruction.operand {
            branched.insert(target);
        }
        if let Some((default, cases)) = targets(instruction) {
            branched.insert(default);
            branched.extend(cases.into_iter().map(|(_, target)| target));
        }
    }
    branched.extend(
        method
            .code
            .iter()
            .flat_map(|code| code.handlers())
            .map(|row| row.target),
    );
    branched
}

/// `a.b.C.method`, as people write it.
pub(super) fn readable(member: &MemberRef<'_>) -> String {
    format!("{}.{}", simple_name(member.owner), member.name)
}

fn simple_name(class: JavaStr<'_>) -> String {
    let class = class.to_str();
    class.rsplit('/').next().unwrap_or(&class).replace('$', ".")
}
