//! Attributes as they lie in the file (JVMS §4.7): a name and some bytes. What the bytes of a
//! known attribute mean is the business of the module named for it.

use crate::cursor::{Cursor, u2};
use crate::error::Result;
use crate::java_str::JavaStr;
use crate::pool::ConstantPool;

/// An attribute table whose lengths have been checked.
#[derive(Debug, Clone, Copy)]
pub struct Attributes<'a> {
    bytes: &'a [u8],
    /// Where `bytes` begins in the class file.
    at: usize,
}

/// One attribute, not yet interpreted.
#[derive(Debug, Clone, Copy)]
pub struct Attribute<'a> {
    pub name_index: u16,
    pub bytes: &'a [u8],
    /// Where the attribute, its name index first, begins in the class file.
    pub(crate) at: usize,
}

impl<'a> Attributes<'a> {
    /// Walks the table once; `base` is where the cursor's own bytes begin in the class file.
    #[inline]
    pub(crate) fn read(cursor: &mut Cursor<'a>, base: usize) -> Result<Self> {
        let count = cursor.u2()?;
        let mut table = *cursor;
        for _ in 0..count {
            cursor.u2()?;
            let length = cursor.u4()? as usize;
            cursor.take(length)?;
        }
        let at = base + table.at();
        let bytes = table.take(cursor.at() - table.at())?;
        Ok(Attributes { bytes, at })
    }

    pub fn iter(&self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        let Attributes { mut bytes, mut at } = *self;
        std::iter::from_fn(move || {
            let header = bytes.first_chunk::<6>()?;
            let name_index = u2(header, 0);
            let length = u32::from_be_bytes([header[2], header[3], header[4], header[5]]) as usize;
            let attribute = Attribute {
                name_index,
                bytes: bytes.get(6..6 + length)?,
                at,
            };
            bytes = &bytes[6 + length..];
            at += 6 + length;
            Some(attribute)
        })
    }

    /// The first attribute of that name.
    pub fn find(&self, pool: &ConstantPool<'a>, name: &str) -> Option<Attribute<'a>> {
        self.iter().find(|attribute| attribute.is(pool, name))
    }

    /// The contents of the first attribute of that name, for a decoder to read.
    pub(crate) fn cursor(&self, pool: &ConstantPool<'a>, name: &'static str) -> Option<Cursor<'a>> {
        self.find(pool, name)
            .map(|attribute| attribute.cursor(name))
    }

    pub fn has(&self, pool: &ConstantPool<'a>, name: &str) -> bool {
        self.find(pool, name).is_some()
    }
}

impl<'a> Attribute<'a> {
    pub fn name(&self, pool: &ConstantPool<'a>) -> Result<JavaStr<'a>> {
        pool.utf8(self.name_index)
    }

    pub fn is(&self, pool: &ConstantPool<'a>, name: &str) -> bool {
        self.name(pool).is_ok_and(|own| own == name)
    }

    pub(crate) fn cursor(&self, name: &'static str) -> Cursor<'a> {
        Cursor::new(self.bytes, name)
    }

    /// Where `bytes` begins in the class file.
    pub(crate) fn contents_at(&self) -> usize {
        self.at + 6
    }

    pub(crate) fn end(&self) -> usize {
        self.contents_at() + self.bytes.len()
    }
}
