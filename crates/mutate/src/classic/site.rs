//! One instruction in its method, with the questions that several operators ask about it.

use std::collections::HashSet;

use jury_classfile::{Constant, Instruction, JavaStr, MemberRef, MethodDescriptor, Operand};

use crate::method::MethodInHand;
use crate::opcode::*;
use crate::replacement::Replacement;

pub(super) struct Site<'s, 'f, 'a> {
    pub method: &'s MethodInHand<'f, 'a>,
    pub instruction: &'s Instruction<'a>,
    index: usize,
    branched_to: &'s HashSet<u16>,
    /// For a constructor call, whether it completes a `new` followed by `dup`.
    pub completes_new: bool,
    /// Where the block begins that the instruction is in.
    pub block: u16,
}

impl<'s, 'f, 'a> Site<'s, 'f, 'a> {
    /// Every instruction of a method, given the method's `branch_targets`.
    pub fn all(method: &'s MethodInHand<'f, 'a>, branched_to: &'s HashSet<u16>) -> Vec<Self> {
        // Uninitialised objects, innermost last: constructor calls nest like parentheses.
        let mut news = Vec::new();
        let mut block = 0;
        let mut goes_on = false;
        let sites = method
            .instructions
            .iter()
            .enumerate()
            .map(|(index, instruction)| {
                if !goes_on || branched_to.contains(&instruction.pc) {
                    block = instruction.pc;
                }
                goes_on = !ends_block(instruction);
                let mut site = Site {
                    method,
                    instruction,
                    index,
                    branched_to,
                    completes_new: false,
                    block,
                };
                if instruction.opcode == NEW {
                    let next = method.instructions.get(index + 1);
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

    /// The instruction so many places before this one, if it always leads here.
    fn before(&self, places: usize) -> Option<&'s Instruction<'a>> {
        let from = self.index.checked_sub(places)?;
        let between = &self.method.instructions[from + 1..=self.index];
        let straight = between
            .iter()
            .all(|each| !self.branched_to.contains(&each.pc));
        straight.then_some(&self.method.instructions[from])
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
        self.member_of(self.instruction)
    }

    fn member_of(&self, instruction: &Instruction<'a>) -> Option<MemberRef<'a>> {
        match instruction.operand {
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

    /// Whether the value on the stack is this one anyway.
    pub fn already_has(&self, value: &Replacement) -> bool {
        let Some(last) = self.before(1) else {
            return false;
        };
        let names = |opcode: u8, owner: &str, name: &str| {
            let member = self.member_of(last).filter(|_| last.opcode == opcode);
            member.is_some_and(|member| member.owner == owner && member.name == name)
        };
        match value {
            Replacement::StaticCall { owner, name, .. } => names(INVOKESTATIC, owner, name),
            Replacement::Boxed(literal) => {
                let wrapper = literal.wrapper().unwrap_or_default();
                let pushed = self
                    .before(2)
                    .and_then(|first| pushed_constant(self.method, first));
                let constant = literal.to_string().to_ascii_uppercase();
                pushed == Some(literal.replacement()) && names(INVOKESTATIC, wrapper, "valueOf")
                    || names(GETSTATIC, wrapper, &constant)
            }
            constant => pushed_constant(self.method, last).as_ref() == Some(constant),
        }
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

/// Whether what follows need not run when this instruction has.
fn ends_block(instruction: &Instruction<'_>) -> bool {
    let branches = matches!(
        instruction.operand,
        Operand::Branch(_) | Operand::TableSwitch(_) | Operand::LookupSwitch(_)
    );
    branches || is_return(instruction.opcode) || matches!(instruction.opcode, ATHROW | RET)
}

/// Where control can arrive other than from the instruction before.
pub(super) fn branch_targets(method: &MethodInHand<'_, '_>) -> HashSet<u16> {
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
