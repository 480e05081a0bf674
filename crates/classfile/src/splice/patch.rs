//! What is done to single instructions: code put around them, other bytes put in their place.

use std::borrow::Cow;

use super::{SkipReason, Snippet};
use crate::error::Malformed;
use crate::instruction::{Instruction, Operand, switch_padding};
use crate::opcode::{INVOKESTATIC, NOP};

/// All pcs are those of the original code.
#[derive(Debug, Default)]
pub struct Patch {
    pub(super) insertions: Vec<Insertion>,
    overwrites: Vec<Overwrite>,
}

#[derive(Debug)]
pub(super) struct Insertion {
    pub pc: u16,
    /// Whether a branch to `pc` runs the snippet, too.
    pub place: Place,
    pub snippet: Snippet,
}

/// At one pc, what follows the instruction before comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    AfterPrevious,
    Before,
}

/// An instruction's new bytes, as many as it had, with offsets as they would be in the original
/// code: what is overwritten is relocated like everything else.
#[derive(Debug)]
struct Overwrite {
    pc: u16,
    bytes: Vec<u8>,
}

/// A state of a patch to return to.
#[derive(Debug)]
pub(super) struct PatchMark {
    insertions: usize,
    overwrites: usize,
}

impl Patch {
    pub fn is_empty(&self) -> bool {
        self.insertions.is_empty() && self.overwrites.is_empty()
    }

    /// Runs `snippet` whenever the instruction is about to run, however it is reached.
    pub fn insert_before(&mut self, instruction: &Instruction<'_>, snippet: Snippet) {
        self.insertions.push(Insertion {
            pc: instruction.pc,
            place: Place::Before,
            snippet,
        });
    }

    /// Runs `snippet` when the instruction has completed and the next one follows.
    pub fn insert_after(&mut self, instruction: &Instruction<'_>, snippet: Snippet) {
        let pc = instruction.pc + instruction.length;
        self.insertions.push(Insertion {
            pc,
            place: Place::AfterPrevious,
            snippet,
        });
    }

    /// Calls the static `method` (a pool index) in place of another call; a receiver becomes
    /// its first argument. Nothing moves.
    pub fn replace_call(&mut self, call: &Instruction<'_>, method: u16) {
        let [high, low] = method.to_be_bytes();
        self.overwrite(call, vec![INVOKESTATIC, high, low]);
    }

    /// Puts another opcode before the same operands.
    pub fn replace_opcode(&mut self, instruction: &Instruction<'_>, opcode: u8) {
        let mut bytes = vec![opcode];
        if let Operand::Branch(target) = instruction.operand {
            let offset = i32::from(target) - i32::from(instruction.pc);
            // The long forms of `goto` and `jsr` are the only branches of five bytes.
            match instruction.length {
                5 => bytes.extend(offset.to_be_bytes()),
                _ => bytes.extend((offset as i16).to_be_bytes()),
            }
        }
        self.overwrite(instruction, bytes);
    }

    /// Leaves the instruction out. What it would have popped stays on the stack.
    pub fn blank(&mut self, instruction: &Instruction<'_>) {
        self.overwrite(instruction, Vec::new());
    }

    /// Gives a switch other targets, in the order of its keys, which stay.
    pub fn retarget(
        &mut self,
        switch: &Instruction<'_>,
        default: u16,
        targets: &[u16],
    ) -> Result<(), SkipReason> {
        let offset = |target: u16| (i32::from(target) - i32::from(switch.pc)).to_be_bytes();
        let mut bytes = vec![switch.opcode];
        bytes.resize(1 + switch_padding(switch.pc.into()), 0);
        bytes.extend(offset(default));
        let cases = match switch.operand {
            Operand::TableSwitch(table) => {
                let cases = table.cases().count();
                // ok: the table lies inside the code, so its highest key is within range.
                let high = table.low.wrapping_add(cases as i32 - 1);
                bytes.extend([table.low.to_be_bytes(), high.to_be_bytes()].concat());
                bytes.extend(targets.iter().copied().flat_map(offset));
                cases
            }
            Operand::LookupSwitch(lookup) => {
                let cases = lookup.cases().count();
                bytes.extend((cases as u32).to_be_bytes());
                for ((key, _), target) in lookup.cases().zip(targets) {
                    bytes.extend(key.to_be_bytes());
                    bytes.extend(offset(*target));
                }
                cases
            }
            _ => return Err(Malformed::BranchTarget(switch.pc.into()).into()),
        };
        if cases != targets.len() {
            return Err(Malformed::BranchTarget(switch.pc.into()).into());
        }
        self.overwrite(switch, bytes);
        Ok(())
    }

    fn overwrite(&mut self, instruction: &Instruction<'_>, mut bytes: Vec<u8>) {
        bytes.resize(instruction.length.into(), NOP);
        self.overwrites.push(Overwrite {
            pc: instruction.pc,
            bytes,
        });
    }

    /// The code with instructions overwritten; nothing has moved yet.
    pub(super) fn overwritten<'c>(
        code: &'c [u8],
        patches: &[&Self],
    ) -> Result<Cow<'c, [u8]>, Malformed> {
        let mut code = Cow::Borrowed(code);
        for Overwrite { pc, bytes } in patches.iter().flat_map(|patch| &patch.overwrites) {
            let begin = usize::from(*pc);
            let place = code.to_mut().get_mut(begin..begin + bytes.len());
            place
                .ok_or(Malformed::BranchTarget((*pc).into()))?
                .copy_from_slice(bytes);
        }
        Ok(code)
    }

    pub(super) fn clear(&mut self) {
        self.insertions.clear();
        self.overwrites.clear();
    }

    pub(super) fn mark(&self) -> PatchMark {
        PatchMark {
            insertions: self.insertions.len(),
            overwrites: self.overwrites.len(),
        }
    }

    pub(super) fn rewind(&mut self, mark: &PatchMark) {
        self.insertions.truncate(mark.insertions);
        self.overwrites.truncate(mark.overwrites);
    }
}
