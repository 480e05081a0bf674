//! Why bytes are not a class file we can read.

use thiserror::Error;

/// A breach of the class-file format, found while reading.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Malformed {
    #[error("not a class file: magic number is `{0:08x}`")]
    Magic(u32),
    #[error("truncated {0}")]
    Truncated(&'static str),
    #[error("unknown constant pool tag `{0}`")]
    ConstantTag(u8),
    #[error("constant pool entry `{index}` is not {expected}")]
    Constant { index: u16, expected: &'static str },
    #[error("unknown {what} `{value}`")]
    Unknown { what: &'static str, value: u8 },
    #[error("code of `{0}` bytes is beyond the limit of 65535")]
    CodeLength(usize),
    #[error("branch target `{0}` lies outside the code")]
    BranchTarget(i64),
    #[error("bad descriptor `{0}`")]
    Descriptor(String),
    #[error("stack map frames are out of order or exceed their method's locals")]
    StackMap,
    #[error("annotations are nested too deeply")]
    Nesting,
    #[error("{0} bytes follow the end of the class")]
    TrailingBytes(usize),
}

pub type Result<T, E = Malformed> = std::result::Result<T, E>;
