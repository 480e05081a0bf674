//! Where each pc of the original code lies in the new code.

use super::SkipReason;
use super::patch::{Insertion, Place};
use crate::error::Malformed;
use crate::instruction::{instruction_length, switch_padding};
use crate::opcode::{LOOKUPSWITCH, TABLESWITCH};

/// Three questions have three answers where something was inserted at a pc: where the stretch
/// beginning there starts, where a branch to it must go, and where the instruction itself lies.
#[derive(Debug)]
pub(super) struct Relocation {
    steps: Vec<Step>,
    pub new_length: usize,
    /// Whether the original code lies in one piece behind the prologue, alignment kept.
    pub uniform: bool,
}

/// Shifts at `pc`; beyond it, `instruction` applies until the next step.
#[derive(Debug, Clone, Copy)]
struct Step {
    pc: usize,
    start: isize,
    target: isize,
    instruction: isize,
}

impl Relocation {
    /// `prologue` is its padded length; `insertions` must be sorted by pc and place.
    pub fn new(
        code: &[u8],
        prologue: usize,
        insertions: &[&Insertion],
        handler: usize,
    ) -> Result<Self, SkipReason> {
        let shift = prologue as isize;
        let steps = vec![Step {
            pc: 0,
            start: 0,
            target: shift,
            instruction: shift,
        }];
        let mut relocation = Relocation {
            steps,
            new_length: 0,
            uniform: insertions.is_empty(),
        };
        let mut shift = shift;
        if !relocation.uniform {
            shift = relocation.walk(code, insertions, shift)?;
        }
        let new_length = code.len() as isize + shift + handler as isize;
        relocation.new_length = new_length as usize;
        if new_length > u16::MAX as isize {
            return Err(SkipReason::CodeTooLong);
        }
        Ok(relocation)
    }

    /// Adds a step at every insertion and every switch whose padding changes.
    fn walk(
        &mut self,
        code: &[u8],
        mut insertions: &[&Insertion],
        mut shift: isize,
    ) -> Result<isize, SkipReason> {
        let mut pc = 0;
        while pc < code.len() {
            let here = insertions
                .iter()
                .take_while(|each| usize::from(each.pc) == pc)
                .count();
            if here > 0 {
                let length = |place| -> isize {
                    let placed = insertions[..here].iter().filter(|each| each.place == place);
                    placed.map(|each| each.snippet.code.len() as isize).sum()
                };
                // At pc 0 the prologue's step is there already and gains the insertions.
                let start = if pc == 0 { 0 } else { shift };
                let target = shift + length(Place::AfterPrevious);
                shift = target + length(Place::Before);
                self.push(Step {
                    pc,
                    start,
                    target,
                    instruction: shift,
                });
                insertions = &insertions[here..];
            }
            let next = pc + instruction_length(code, pc)?;
            if matches!(code[pc], TABLESWITCH | LOOKUPSWITCH) {
                let new_pc = (pc as isize + shift) as usize;
                let growth = switch_padding(new_pc) as isize - switch_padding(pc) as isize;
                if growth != 0 {
                    shift += growth;
                    // Nothing speaks of a pc inside an instruction, so this step only counts
                    // for what follows the switch.
                    self.push(Step {
                        pc: pc + 1,
                        start: shift,
                        target: shift,
                        instruction: shift,
                    });
                }
            }
            pc = next;
        }
        // What is left asks for a pc that is no instruction's.
        match insertions.first() {
            Some(stray) => Err(Malformed::BranchTarget(stray.pc.into()).into()),
            None => Ok(shift),
        }
    }

    fn push(&mut self, step: Step) {
        if self.steps.last().is_some_and(|last| last.pc == step.pc) {
            self.steps.pop();
        }
        self.steps.push(step);
    }

    #[inline]
    fn shifted(&self, pc: u16, at_step: impl Fn(&Step) -> isize) -> Result<u16, SkipReason> {
        let pc = usize::from(pc);
        let shift = match self.steps.as_slice() {
            [only] if only.pc == pc => at_step(only),
            [only] => only.instruction,
            steps => {
                // ok: the first step is at pc 0, so there is always one at or before.
                let step = &steps[steps.partition_point(|step| step.pc <= pc) - 1];
                if step.pc == pc {
                    at_step(step)
                } else {
                    step.instruction
                }
            }
        };
        u16::try_from(pc as isize + shift).map_err(|_| SkipReason::CodeTooLong)
    }

    /// Where a stretch of code beginning or ending at `pc` now does so: before all insertions.
    pub fn start(&self, pc: u16) -> Result<u16, SkipReason> {
        self.shifted(pc, |step| step.start)
    }

    /// Where a branch to `pc`, and the frame that belongs to it, must go.
    pub fn target(&self, pc: u16) -> Result<u16, SkipReason> {
        self.shifted(pc, |step| step.target)
    }

    /// Where the instruction at `pc` now lies.
    pub fn instruction(&self, pc: u16) -> Result<u16, SkipReason> {
        self.shifted(pc, |step| step.instruction)
    }
}
