//! Decoding of bytecode into instructions with absolute branch targets.
//!
//! It checks form only (lengths, opcodes, targets inside the code); whether the program makes
//! sense is for the JVM's verifier to say.

use crate::cursor::{Cursor, i4, u2};
use crate::error::{Malformed, Result};
use crate::opcode::{self, LENGTHS};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instruction<'a> {
    pub pc: u16,
    pub opcode: u8,
    pub operand: Operand<'a>,
    /// In bytes, a `wide` prefix and switch padding included.
    pub length: u16,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operand<'a> {
    None,
    /// `bipush`, `sipush`.
    Immediate(i16),
    /// The element type code of `newarray`.
    PrimitiveArray(u8),
    /// A local variable named by an operand; forms such as `aload_0` have none.
    Local(u16),
    Increment {
        local: u16,
        by: i16,
    },
    /// A constant pool index: loads, fields, calls, types.
    Constant(u16),
    MultiArray {
        class: u16,
        dimensions: u8,
    },
    /// The absolute target.
    Branch(u16),
    TableSwitch(TableSwitch<'a>),
    LookupSwitch(LookupSwitch<'a>),
}

/// The operands of `tableswitch`; every target has been checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableSwitch<'a> {
    pub default: u16,
    pub low: i32,
    pc: u16,
    offsets: &'a [u8],
}

/// The operands of `lookupswitch`; every target has been checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LookupSwitch<'a> {
    pub default: u16,
    pc: u16,
    pairs: &'a [u8],
}

impl<'a> TableSwitch<'a> {
    /// Keys with their absolute targets.
    pub fn cases(&self) -> impl Iterator<Item = (i32, u16)> + use<'a> {
        let TableSwitch {
            low, pc, offsets, ..
        } = *self;
        let targets = offsets
            .chunks_exact(4)
            .map(move |offset| absolute(pc, i4(offset, 0)));
        (low..=i32::MAX).zip(targets)
    }
}

impl<'a> LookupSwitch<'a> {
    /// Keys with their absolute targets.
    pub fn cases(&self) -> impl Iterator<Item = (i32, u16)> + use<'a> {
        let LookupSwitch { pc, pairs, .. } = *self;
        pairs
            .chunks_exact(8)
            .map(move |pair| (i4(pair, 0), absolute(pc, i4(pair, 4))))
    }
}

/// A target already known to lie inside the code.
fn absolute(pc: u16, offset: i32) -> u16 {
    (i32::from(pc) + offset) as u16
}

/// The instructions of one method; ends after the first malformed one.
#[derive(Debug, Clone)]
pub struct Instructions<'a> {
    code: &'a [u8],
    at: usize,
}

impl<'a> Instructions<'a> {
    pub(crate) fn new(code: &'a [u8]) -> Self {
        Instructions { code, at: 0 }
    }

    fn decode(&self) -> Result<Instruction<'a>> {
        let pc = self.at as u16;
        let length = instruction_length(self.code, self.at)?;
        let bytes = &self.code[self.at..self.at + length];
        let (opcode, operand) = match bytes[0] {
            opcode::WIDE if bytes[1] == opcode::IINC => (
                bytes[1],
                Operand::Increment {
                    local: u2(bytes, 2),
                    by: u2(bytes, 4) as i16,
                },
            ),
            opcode::WIDE => (bytes[1], Operand::Local(u2(bytes, 2))),
            opcode => (opcode, self.operand(pc, opcode, bytes)?),
        };
        Ok(Instruction {
            pc,
            opcode,
            operand,
            length: length as u16,
        })
    }

    fn operand(&self, pc: u16, opcode: u8, bytes: &'a [u8]) -> Result<Operand<'a>> {
        use opcode::*;
        Ok(match opcode {
            BIPUSH => Operand::Immediate(i16::from(bytes[1] as i8)),
            SIPUSH => Operand::Immediate(u2(bytes, 1) as i16),
            LDC => Operand::Constant(u16::from(bytes[1])),
            NEWARRAY => Operand::PrimitiveArray(bytes[1]),
            ILOAD..=ALOAD | ISTORE..=ASTORE | RET => Operand::Local(u16::from(bytes[1])),
            IINC => Operand::Increment {
                local: u16::from(bytes[1]),
                by: i16::from(bytes[2] as i8),
            },
            LDC_W | LDC2_W | GETSTATIC..=NEW | ANEWARRAY | CHECKCAST | INSTANCEOF => {
                Operand::Constant(u2(bytes, 1))
            }
            MULTIANEWARRAY => Operand::MultiArray {
                class: u2(bytes, 1),
                dimensions: bytes[3],
            },
            IFEQ..=JSR | IFNULL | IFNONNULL => {
                Operand::Branch(self.target(pc, i32::from(u2(bytes, 1) as i16))?)
            }
            GOTO_W | JSR_W => Operand::Branch(self.target(pc, i4(bytes, 1))?),
            TABLESWITCH => {
                let body = &bytes[1 + switch_padding(pc.into())..];
                let offsets = &body[12..];
                for offset in offsets.chunks_exact(4) {
                    self.target(pc, i4(offset, 0))?;
                }
                let default = self.target(pc, i4(body, 0))?;
                Operand::TableSwitch(TableSwitch {
                    default,
                    low: i4(body, 4),
                    pc,
                    offsets,
                })
            }
            LOOKUPSWITCH => {
                let body = &bytes[1 + switch_padding(pc.into())..];
                let pairs = &body[8..];
                for pair in pairs.chunks_exact(8) {
                    self.target(pc, i4(pair, 4))?;
                }
                let default = self.target(pc, i4(body, 0))?;
                Operand::LookupSwitch(LookupSwitch { default, pc, pairs })
            }
            _ => Operand::None,
        })
    }

    fn target(&self, pc: u16, offset: i32) -> Result<u16> {
        let target = i64::from(pc) + i64::from(offset);
        if (0..self.code.len() as i64).contains(&target) {
            Ok(target as u16)
        } else {
            Err(Malformed::BranchTarget(target))
        }
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<Instruction<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.code.len() {
            return None;
        }
        let instruction = self.decode();
        match &instruction {
            Ok(decoded) => self.at += usize::from(decoded.length),
            Err(_) => self.at = self.code.len(),
        }
        Some(instruction)
    }
}

/// How many bytes lie between a switch's opcode at `pc` and its aligned operands.
pub(crate) fn switch_padding(pc: usize) -> usize {
    3 - pc % 4
}

/// The length of the instruction at `pc`, all of which is then known to lie inside the code.
#[inline]
pub(crate) fn instruction_length(code: &[u8], pc: usize) -> Result<usize> {
    let opcode = code[pc];
    let length = match LENGTHS.get(usize::from(opcode)) {
        Some(0) => operand_dependent_length(code, pc)?,
        Some(&fixed) => usize::from(fixed),
        None => {
            return Err(Malformed::Unknown {
                what: "opcode",
                value: opcode,
            });
        }
    };
    if length > code.len() - pc {
        return Err(Malformed::Truncated("instruction"));
    }
    Ok(length)
}

fn operand_dependent_length(code: &[u8], pc: usize) -> Result<usize> {
    let mut operands = Cursor::new(&code[pc + 1..], "instruction");
    if code[pc] == opcode::WIDE {
        return match operands.u1()? {
            opcode::IINC => Ok(6),
            opcode::ILOAD..=opcode::ALOAD | opcode::ISTORE..=opcode::ASTORE | opcode::RET => Ok(4),
            value => Err(Malformed::Unknown {
                what: "wide opcode",
                value,
            }),
        };
    }
    operands.take(switch_padding(pc))?;
    operands.i4()?;
    let first = i64::from(operands.i4()?);
    let table = if code[pc] == opcode::TABLESWITCH {
        let cases = i64::from(operands.i4()?) - first + 1;
        4 * cases
    } else {
        8 * first
    };
    // A negative count is as impossible as one beyond the code.
    let table = usize::try_from(table).map_err(|_| operands.truncated())?;
    if table > code.len() {
        return Err(operands.truncated());
    }
    Ok(1 + operands.at() + table)
}
