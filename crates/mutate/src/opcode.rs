//! The instruction set, with the names that only this crate needs (JVMS §6.5).

pub(crate) use jury_classfile::opcode::*;

pub(crate) const IADD: u8 = 96;
pub(crate) const ISUB: u8 = 100;
pub(crate) const IMUL: u8 = 104;
pub(crate) const IDIV: u8 = 108;
pub(crate) const IREM: u8 = 112;
pub(crate) const INEG: u8 = 116;
pub(crate) const DNEG: u8 = 119;
pub(crate) const ISHL: u8 = 120;
pub(crate) const ISHR: u8 = 122;
pub(crate) const IUSHR: u8 = 124;
pub(crate) const IAND: u8 = 126;
pub(crate) const IOR: u8 = 128;
pub(crate) const IXOR: u8 = 130;
pub(crate) const IFNE: u8 = 154;
pub(crate) const IFLT: u8 = 155;
pub(crate) const IFGE: u8 = 156;
pub(crate) const IFGT: u8 = 157;
pub(crate) const IFLE: u8 = 158;
pub(crate) const IF_ICMPEQ: u8 = 159;
pub(crate) const IF_ICMPGE: u8 = 162;
pub(crate) const IF_ICMPLE: u8 = 164;
pub(crate) const IF_ACMPEQ: u8 = 165;
pub(crate) const PUTSTATIC: u8 = 179;
pub(crate) const GETFIELD: u8 = 180;
