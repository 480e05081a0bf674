//! Gives methods copies with one instruction changed, which can be switched on while the program
//! runs.
//!
//! Inserted at the entry: `if (first <= Switches.active && Switches.active <= last) return
//! jury$points$first(…);`, and that method calls the copy that is on. Blocks in which something is
//! changed report `Probes.reach(number)`. Otherwise the original code stays as it is: with every
//! switch off a program does what it did, and a copy differs from it in one instruction only. Calls
//! to helpers around each instruction would take less room, but would cost time in every run and
//! change what caller-sensitive methods see.

use std::collections::HashMap;

use jury_classfile::opcode::{IFEQ, is_return};
use jury_classfile::splice::{CodeEdit, MethodRef, Patch, PoolExtension, Prologue, Snippet};
use jury_classfile::{Instruction, Operand};

use super::switch::{ACTIVE, Body};
use super::{ClassInHand, Classes, Kind, MethodInHand, MethodRewriter};
use crate::rewrite::SkipReason;

const REACH: MethodRef<'static> = MethodRef {
    class: "jury/boot/Probes",
    name: "reach",
    descriptor: "(I)V",
};

/// Every point costs a copy of its method; beyond this many bytes of code a method is left alone.
const MOST_COPIED: usize = 16 << 20;

/// Points, by class and method.
#[derive(Debug, Clone, Default)]
pub struct PointSwitch {
    classes: HashMap<String, PointedClass>,
}

#[derive(Debug, Clone)]
struct PointedClass {
    digest: u64,
    methods: Vec<PointedMethod>,
}

/// A method that gets copies.
#[derive(Debug, Clone, PartialEq)]
pub struct PointedMethod {
    /// The method's place in the class file's table.
    pub index: u16,
    /// Where blocks begin that report when they run, each with its number.
    pub blocks: Vec<(u16, u32)>,
    pub points: Vec<Point>,
}

/// An instruction to be changed while `Switches.active` is the point's number.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub number: i32,
    pub pc: u16,
    pub change: Change,
}

/// What happens in place of an instruction. Stack operands are given as the slots they take, the
/// top of the stack first.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Another instruction with the same operands.
    Opcode(u8),
    /// `iinc` adds this much.
    Increment(i16),
    /// The instruction is left out: its operands are dropped and a constant may take their place.
    Omit {
        operands: Vec<u16>,
        instead: Option<Body>,
    },
    /// The branch is taken whatever its operands are.
    AlwaysBranch { operands: Vec<u16> },
    /// The value about to be returned is replaced.
    Return(Body),
    /// A switch gets other targets, in the order of its keys.
    Retarget { default: u16, targets: Vec<u16> },
}

impl PointSwitch {
    pub fn new() -> Self {
        Self::default()
    }

    /// Switches points of a class, named in VM form. Points are places in code, so a class that
    /// does not have this digest when it loads is left alone.
    pub fn class(mut self, class: &str, digest: u64, methods: Vec<PointedMethod>) -> Self {
        self.classes
            .insert(class.to_owned(), PointedClass { digest, methods });
        self
    }
}

impl Kind for PointSwitch {
    fn classes(&self) -> Classes<'_> {
        Classes::Named(self.classes.keys().map(String::as_str).collect())
    }

    fn open<'p>(&'p self, class: &ClassInHand<'_, '_>) -> Option<Box<dyn MethodRewriter<'p> + 'p>> {
        let planned = self.classes.get(class.name)?;
        if planned.digest == class.file.digest() {
            Some(Box::new(planned))
        } else {
            Some(Box::new(OtherClass))
        }
    }
}

/// Refuses every method, since it is not known which one was meant.
struct OtherClass;

impl MethodRewriter<'_> for OtherClass {
    fn rewrite(
        &mut self,
        _: &MethodInHand<'_, '_>,
        _: &mut CodeEdit,
        _: &mut PoolExtension<'_>,
    ) -> Result<(), SkipReason> {
        Err(SkipReason::OtherClass)
    }
}

impl<'p> MethodRewriter<'p> for &'p PointedClass {
    fn rewrite(
        &mut self,
        method: &MethodInHand<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        let planned = self
            .methods
            .iter()
            .find(|planned| planned.index == method.index);
        match planned {
            Some(planned) if !planned.points.is_empty() => planned.rewrite(method, edit, pool),
            _ => Ok(()),
        }
    }
}

impl PointedMethod {
    fn rewrite<'p>(
        &'p self,
        method: &MethodInHand<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        if method.is_constructor() {
            return Err(SkipReason::Constructor);
        }
        let code = method.code()?;
        if self.points.len().saturating_mul(code.bytes.len()) > MOST_COPIED {
            return Err(SkipReason::TooManyCopies);
        }
        let instructions = code.instructions().collect::<Result<Vec<_>, _>>()?;
        let at = |pc: u16| {
            let index = instructions.binary_search_by_key(&pc, |instruction| instruction.pc);
            index
                .map(|index| &instructions[index])
                .map_err(|_| SkipReason::ChangeMismatch)
        };
        for (pc, number) in &self.blocks {
            let mut report = Snippet::default();
            report.push_int(*number as i32, pool)?;
            report.invoke_static(REACH, pool)?;
            edit.patch.insert_before(at(*pc)?, report);
        }
        let mut copies = Vec::with_capacity(self.points.len());
        for point in &self.points {
            let patch = point.change.patch(method, at(point.pc)?, pool)?;
            let name = pool.new_utf8(&format!("jury$point${}", point.number))?;
            edit.add_copy(name, patch);
            copies.push((point.number, method.own(name, pool)?));
        }
        self.dispatch(method, &copies, edit, pool)
    }

    /// Leads from the method's entry to the copy that is on.
    fn dispatch<'p>(
        &'p self,
        method: &MethodInHand<'_, '_>,
        copies: &[(i32, u16)],
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        let numbers = copies.iter().map(|(number, _)| *number);
        let (Some(first), Some(last)) = (numbers.clone().min(), numbers.max()) else {
            return Ok(());
        };
        let mut dispatcher = Prologue::default();
        if let Some(((_, only_one_left), others)) = copies.split_last() {
            for (number, copy) in others {
                dispatcher.code().get_static(ACTIVE, pool)?;
                dispatcher.code().push_int(*number, pool)?;
                let other = dispatcher.branch_if_ints_differ();
                method.forward(*copy, &mut dispatcher);
                dispatcher.land(other)?;
            }
            method.forward(*only_one_left, &mut dispatcher);
        }
        let name = pool.new_utf8(&format!("jury$points${first}"))?;
        edit.add_method(name, dispatcher);

        edit.prologue.code().get_static(ACTIVE, pool)?;
        edit.prologue.code().push_int(first, pool)?;
        let below = edit.prologue.branch_if_less();
        edit.prologue.code().get_static(ACTIVE, pool)?;
        edit.prologue.code().push_int(last, pool)?;
        let above = edit.prologue.branch_if_greater();
        method.forward(method.own(name, pool)?, &mut edit.prologue);
        edit.prologue.land(below)?;
        edit.prologue.land(above)?;
        Ok(())
    }
}

impl MethodInHand<'_, '_> {
    /// A method of this class with this method's descriptor.
    fn own(&self, name: u16, pool: &mut PoolExtension<'_>) -> Result<u16, SkipReason> {
        Ok(pool.own_method(name, self.member.descriptor_index)?)
    }

    /// Returns what a private method, added with this one's descriptor, makes of the arguments.
    fn forward(&self, to: u16, prologue: &mut Prologue) {
        let code = prologue.code();
        let mut slot = 0;
        if !self.member.access.is_static() {
            code.load_reference(0);
            slot = 1;
        }
        for parameter in self.descriptor.parameters() {
            code.load(slot, parameter);
            slot += parameter.slots();
        }
        code.invoke_private(to, self.member.access, &self.descriptor);
        prologue.return_value(self.descriptor.result);
    }
}

impl Change {
    fn patch<'p>(
        &'p self,
        method: &MethodInHand<'_, '_>,
        instruction: &Instruction<'_>,
        pool: &mut PoolExtension<'p>,
    ) -> Result<Patch, SkipReason> {
        let mut patch = Patch::default();
        let mut code = Snippet::default();
        match self {
            Change::Opcode(opcode) => {
                if !matches!(instruction.operand, Operand::None | Operand::Branch(_)) {
                    return Err(SkipReason::ChangeMismatch);
                }
                patch.replace_opcode(instruction, *opcode);
            }
            Change::Increment(by) => {
                let Operand::Increment { local, .. } = instruction.operand else {
                    return Err(SkipReason::ChangeMismatch);
                };
                code.increment(local, *by);
                patch.insert_before(instruction, code);
                patch.blank(instruction);
            }
            Change::Omit { operands, instead } => {
                operands.iter().for_each(|slots| code.pop(*slots));
                if let Some(constant) = instead {
                    constant.push_constant(&mut code, pool)?;
                }
                patch.insert_before(instruction, code);
                patch.blank(instruction);
            }
            Change::AlwaysBranch { operands } => {
                operands.iter().for_each(|slots| code.pop(*slots));
                // A `goto` would cut off what follows, which then would need a frame of its own.
                code.push_int(0, pool)?;
                patch.insert_before(instruction, code);
                patch.replace_opcode(instruction, IFEQ);
            }
            Change::Return(value) => {
                let result = method.descriptor.result;
                if !is_return(instruction.opcode) || result.is_void() {
                    return Err(SkipReason::ChangeMismatch);
                }
                code.pop(result.slots());
                value.push(result, &mut code, pool)?;
                patch.insert_before(instruction, code);
            }
            Change::Retarget { default, targets } => {
                patch.retarget(instruction, *default, targets)?;
            }
        }
        Ok(patch)
    }
}
