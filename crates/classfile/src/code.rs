//! The Code attribute (JVMS §4.7.3): instructions, handlers and the tables about them.

use crate::attribute::{Attribute, Attributes};
use crate::cursor::{Cursor, u2};
use crate::error::{Malformed, Result};
use crate::instruction::Instructions;

#[derive(Debug, Clone, Copy)]
pub struct Code<'a> {
    pub max_stack: u16,
    pub max_locals: u16,
    pub bytes: &'a [u8],
    pub attributes: Attributes<'a>,
    pub(crate) exception_table: &'a [u8],
}

/// One row of the exception table; `catch_type` 0 catches everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handler {
    pub start: u16,
    /// Exclusive.
    pub end: u16,
    pub target: u16,
    pub catch_type: u16,
}

impl<'a> Code<'a> {
    pub(crate) fn read(attribute: Attribute<'a>) -> Result<Self> {
        let mut cursor = Cursor::new(attribute.bytes, "Code");
        let max_stack = cursor.u2()?;
        let max_locals = cursor.u2()?;
        let length = cursor.u4()? as usize;
        // JVMS §4.7.3: program counters are u2, so longer code could not be described.
        if length > usize::from(u16::MAX) {
            return Err(Malformed::CodeLength(length));
        }
        let bytes = cursor.take(length)?;
        let exception_table = cursor.table(8)?;
        let attributes = Attributes::read(&mut cursor, attribute.contents_at())?;
        Ok(Code {
            max_stack,
            max_locals,
            bytes,
            attributes,
            exception_table,
        })
    }

    pub fn instructions(&self) -> Instructions<'a> {
        Instructions::new(self.bytes)
    }

    pub fn handlers(&self) -> impl Iterator<Item = Handler> + use<'a> {
        self.exception_table.chunks_exact(8).map(|row| Handler {
            start: u2(row, 0),
            end: u2(row, 2),
            target: u2(row, 4),
            catch_type: u2(row, 6),
        })
    }
}
