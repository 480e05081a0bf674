//! The constant pool (JVMS §4.4): an index of where each entry stands, decoded on demand.

use crate::cursor::{Cursor, u2};
use crate::error::{Malformed, Result};
use crate::java_str::JavaStr;

pub(crate) mod tag {
    pub const UTF8: u8 = 1;
    pub const INTEGER: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const LONG: u8 = 5;
    pub const DOUBLE: u8 = 6;
    pub const CLASS: u8 = 7;
    pub const STRING: u8 = 8;
    pub const FIELD_REF: u8 = 9;
    pub const METHOD_REF: u8 = 10;
    pub const INTERFACE_METHOD_REF: u8 = 11;
    pub const NAME_AND_TYPE: u8 = 12;
    pub const METHOD_HANDLE: u8 = 15;
    pub const METHOD_TYPE: u8 = 16;
    pub const DYNAMIC: u8 = 17;
    pub const INVOKE_DYNAMIC: u8 = 18;
    pub const MODULE: u8 = 19;
    pub const PACKAGE: u8 = 20;
}

/// One decoded entry. Names are resolved one level down; method handles and bootstrap
/// methods stay indices, because following them is the caller's choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant<'a> {
    Utf8(JavaStr<'a>),
    Integer(i32),
    Float(f32),
    Long(i64),
    Double(f64),
    Class(JavaStr<'a>),
    String(JavaStr<'a>),
    Field(MemberRef<'a>),
    Method(MemberRef<'a>),
    InterfaceMethod(MemberRef<'a>),
    NameAndType(NameAndType<'a>),
    MethodHandle {
        kind: u8,
        reference: u16,
    },
    MethodType(JavaStr<'a>),
    Dynamic {
        bootstrap: u16,
        name_and_type: NameAndType<'a>,
    },
    InvokeDynamic {
        bootstrap: u16,
        name_and_type: NameAndType<'a>,
    },
    Module(JavaStr<'a>),
    Package(JavaStr<'a>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NameAndType<'a> {
    pub name: JavaStr<'a>,
    pub descriptor: JavaStr<'a>,
}

/// A field or method as code refers to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemberRef<'a> {
    pub owner: JavaStr<'a>,
    pub name: JavaStr<'a>,
    pub descriptor: JavaStr<'a>,
}

#[derive(Debug, Clone)]
pub struct ConstantPool<'a> {
    /// The class file from its first byte, so that offsets are absolute.
    bytes: &'a [u8],
    /// Where each entry's tag stands; 0 for entry 0 and the upper half of long and double.
    offsets: Vec<u32>,
}

impl<'a> ConstantPool<'a> {
    /// Reads `constant_pool_count` and the pool; `cursor` must run from the class's first byte.
    pub(crate) fn read(bytes: &'a [u8], cursor: &mut Cursor<'a>) -> Result<Self> {
        let count = cursor.u2()? as usize;
        // The smallest entry takes three bytes, so a count beyond this cannot be honest.
        if count == 0 || count - 1 > cursor.remaining() / 3 {
            return Err(cursor.truncated());
        }
        let mut offsets = Vec::with_capacity(count);
        offsets.push(0);
        let mut at = cursor.at();
        while offsets.len() < count {
            let Some(&entry) = bytes.get(at) else {
                return Err(cursor.truncated());
            };
            let size = match entry {
                tag::UTF8 => {
                    let length = bytes
                        .get(at + 1..at + 3)
                        .ok_or_else(|| cursor.truncated())?;
                    3 + u2(length, 0) as usize
                }
                tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => 3,
                tag::METHOD_HANDLE => 4,
                tag::INTEGER
                | tag::FLOAT
                | tag::FIELD_REF
                | tag::METHOD_REF
                | tag::INTERFACE_METHOD_REF
                | tag::NAME_AND_TYPE
                | tag::DYNAMIC
                | tag::INVOKE_DYNAMIC => 5,
                tag::LONG | tag::DOUBLE => 9,
                unknown => return Err(Malformed::ConstantTag(unknown)),
            };
            offsets.push(at as u32);
            if matches!(entry, tag::LONG | tag::DOUBLE) {
                offsets.push(0);
            }
            at += size;
        }
        // A long in the last slot would claim one entry more than the pool has.
        if offsets.len() > count {
            return Err(cursor.truncated());
        }
        cursor.take(at - cursor.at())?;
        Ok(ConstantPool { bytes, offsets })
    }

    /// `constant_pool_count`: one more than the highest index.
    pub fn count(&self) -> u16 {
        self.offsets.len() as u16
    }

    /// Every valid index, in order.
    pub fn indices(&self) -> impl Iterator<Item = u16> + '_ {
        (1..self.count()).filter(|index| self.offsets[*index as usize] != 0)
    }

    /// Every text that code can load, in order. Nothing else is decoded.
    pub fn strings(&self) -> impl Iterator<Item = Result<JavaStr<'a>>> + '_ {
        let strings = self
            .indices()
            .filter(|index| self.tag(*index) == tag::STRING);
        strings.map(|index| {
            let entry = self.tagged(index, tag::STRING, "a string")?;
            self.utf8(u2(entry, 1))
        })
    }

    /// Of an entry that [`indices`](Self::indices) gave.
    pub(crate) fn tag(&self, index: u16) -> u8 {
        self.bytes[self.offsets[index as usize] as usize]
    }

    pub fn get(&self, index: u16) -> Result<Constant<'a>> {
        let entry = self.entry(index)?;
        let word = |at| u2(entry, at);
        Ok(match entry[0] {
            tag::UTF8 => Constant::Utf8(self.utf8(index)?),
            tag::INTEGER => Constant::Integer(self.four(entry) as i32),
            tag::FLOAT => Constant::Float(f32::from_bits(self.four(entry))),
            tag::LONG => Constant::Long(self.eight(entry) as i64),
            tag::DOUBLE => Constant::Double(f64::from_bits(self.eight(entry))),
            tag::CLASS => Constant::Class(self.utf8(word(1))?),
            tag::STRING => Constant::String(self.utf8(word(1))?),
            tag::FIELD_REF => Constant::Field(self.member_ref(index)?),
            tag::METHOD_REF => Constant::Method(self.member_ref(index)?),
            tag::INTERFACE_METHOD_REF => Constant::InterfaceMethod(self.member_ref(index)?),
            tag::NAME_AND_TYPE => Constant::NameAndType(self.name_and_type(index)?),
            tag::METHOD_HANDLE => Constant::MethodHandle {
                kind: entry[1],
                reference: word(2),
            },
            tag::METHOD_TYPE => Constant::MethodType(self.utf8(word(1))?),
            tag::DYNAMIC => Constant::Dynamic {
                bootstrap: word(1),
                name_and_type: self.name_and_type(word(3))?,
            },
            tag::INVOKE_DYNAMIC => Constant::InvokeDynamic {
                bootstrap: word(1),
                name_and_type: self.name_and_type(word(3))?,
            },
            tag::MODULE => Constant::Module(self.utf8(word(1))?),
            tag::PACKAGE => Constant::Package(self.utf8(word(1))?),
            unknown => return Err(Malformed::ConstantTag(unknown)),
        })
    }

    pub fn utf8(&self, index: u16) -> Result<JavaStr<'a>> {
        let entry = self.tagged(index, tag::UTF8, "text")?;
        Ok(JavaStr::new(&entry[3..3 + u2(entry, 1) as usize]))
    }

    pub fn class_name(&self, index: u16) -> Result<JavaStr<'a>> {
        let entry = self.tagged(index, tag::CLASS, "a class")?;
        self.utf8(u2(entry, 1))
    }

    /// The class at `index`, or none for index 0 where the format allows it.
    pub fn optional_class_name(&self, index: u16) -> Result<Option<JavaStr<'a>>> {
        if index == 0 {
            Ok(None)
        } else {
            self.class_name(index).map(Some)
        }
    }

    pub fn optional_utf8(&self, index: u16) -> Result<Option<JavaStr<'a>>> {
        if index == 0 {
            Ok(None)
        } else {
            self.utf8(index).map(Some)
        }
    }

    pub fn module_name(&self, index: u16) -> Result<JavaStr<'a>> {
        let entry = self.tagged(index, tag::MODULE, "a module")?;
        self.utf8(u2(entry, 1))
    }

    pub fn package_name(&self, index: u16) -> Result<JavaStr<'a>> {
        let entry = self.tagged(index, tag::PACKAGE, "a package")?;
        self.utf8(u2(entry, 1))
    }

    pub fn name_and_type(&self, index: u16) -> Result<NameAndType<'a>> {
        let entry = self.tagged(index, tag::NAME_AND_TYPE, "a name and type")?;
        Ok(NameAndType {
            name: self.utf8(u2(entry, 1))?,
            descriptor: self.utf8(u2(entry, 3))?,
        })
    }

    /// Where the descriptor of the name and type at `index` stands.
    pub(crate) fn descriptor_index(&self, index: u16) -> Result<u16> {
        let entry = self.tagged(index, tag::NAME_AND_TYPE, "a name and type")?;
        Ok(u2(entry, 3))
    }

    /// The field, method or interface method at `index`.
    pub fn member_ref(&self, index: u16) -> Result<MemberRef<'a>> {
        let entry = self.entry(index)?;
        if !matches!(
            entry[0],
            tag::FIELD_REF | tag::METHOD_REF | tag::INTERFACE_METHOD_REF
        ) {
            return Err(Malformed::Constant {
                index,
                expected: "a member",
            });
        }
        let NameAndType { name, descriptor } = self.name_and_type(u2(entry, 3))?;
        Ok(MemberRef {
            owner: self.class_name(u2(entry, 1))?,
            name,
            descriptor,
        })
    }

    fn tagged(&self, index: u16, tag: u8, expected: &'static str) -> Result<&'a [u8]> {
        match self.offsets.get(index as usize) {
            Some(&offset) if offset != 0 && self.bytes[offset as usize] == tag => {
                Ok(&self.bytes[offset as usize..])
            }
            _ => Err(Malformed::Constant { index, expected }),
        }
    }

    fn entry(&self, index: u16) -> Result<&'a [u8]> {
        match self.offsets.get(index as usize) {
            Some(&offset) if offset != 0 => Ok(&self.bytes[offset as usize..]),
            _ => Err(Malformed::Constant {
                index,
                expected: "an entry",
            }),
        }
    }

    // The pool was read to its end, so an entry's own bytes are always there.
    fn four(&self, entry: &[u8]) -> u32 {
        u32::from(u2(entry, 1)) << 16 | u32::from(u2(entry, 3))
    }

    fn eight(&self, entry: &[u8]) -> u64 {
        u64::from(self.four(entry)) << 32 | u64::from(self.four(&entry[4..]))
    }
}
