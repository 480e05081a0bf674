//! The instruction set, with the names that only this crate needs (JVMS §6.5).

pub(crate) use jury_classfile::opcode::*;

pub(crate) const POP: u8 = 87;
pub(crate) const POP2: u8 = 88;
pub(crate) const PUTSTATIC: u8 = 179;
pub(crate) const GETFIELD: u8 = 180;
