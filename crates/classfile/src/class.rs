//! The class file itself (JVMS §4.1): header, pool, members, and where the attributes lie.

use crate::access::Access;
use crate::attribute::Attributes;
use crate::code::Code;
use crate::cursor::{Cursor, u2};
use crate::error::{Malformed, Result};
use crate::java_str::JavaStr;
use crate::pool::ConstantPool;

const MAGIC: u32 = 0xcafe_babe;

/// A class read from bytes. Nothing is copied but the pool's index and the member tables.
#[derive(Debug, Clone)]
pub struct ClassFile<'a> {
    pub minor_version: u16,
    pub major_version: u16,
    pub pool: ConstantPool<'a>,
    pub access: Access,
    pub fields: Vec<Member<'a>>,
    pub methods: Vec<Member<'a>>,
    pub attributes: Attributes<'a>,
    pub(crate) this_class: u16,
    super_class: u16,
    interfaces: &'a [u8],
    pub(crate) bytes: &'a [u8],
    /// Where the pool ends and the access flags begin.
    pub(crate) pool_end: usize,
    /// Where the number of methods stands.
    pub(crate) methods_at: usize,
    /// Where the last method ends and the class's attributes begin.
    pub(crate) methods_end: usize,
}

/// A field or a method.
#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    pub access: Access,
    pub name_index: u16,
    pub descriptor_index: u16,
    pub attributes: Attributes<'a>,
}

impl<'a> ClassFile<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, "class header");
        let magic = cursor.u4()?;
        if magic != MAGIC {
            return Err(Malformed::Magic(magic));
        }
        let minor_version = cursor.u2()?;
        let major_version = cursor.u2()?;
        let pool = ConstantPool::read(bytes, cursor.reading("constant pool"))?;
        let pool_end = cursor.reading("class declaration").at();
        let access = Access(cursor.u2()?);
        let this_class = cursor.u2()?;
        let super_class = cursor.u2()?;
        let interfaces = cursor.table(2)?;
        let fields = Member::read_all(cursor.reading("fields"))?;
        let methods_at = cursor.at();
        let methods = Member::read_all(cursor.reading("methods"))?;
        let methods_end = cursor.at();
        let attributes = Attributes::read(cursor.reading("class attributes"), 0)?;
        if cursor.remaining() != 0 {
            return Err(Malformed::TrailingBytes(cursor.remaining()));
        }
        Ok(ClassFile {
            minor_version,
            major_version,
            pool,
            access,
            fields,
            methods,
            attributes,
            this_class,
            super_class,
            interfaces,
            bytes,
            pool_end,
            methods_at,
            methods_end,
        })
    }

    pub fn name(&self) -> Result<JavaStr<'a>> {
        self.pool.class_name(self.this_class)
    }

    /// None for `java/lang/Object` and for module descriptors.
    pub fn super_name(&self) -> Result<Option<JavaStr<'a>>> {
        self.pool.optional_class_name(self.super_class)
    }

    /// Tells whether two readings were of the same bytes (FNV-1a). It guards against mistakes, not
    /// against malice.
    pub fn digest(&self) -> u64 {
        const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x100_0000_01b3;
        let mix = |digest: u64, byte: &u8| (digest ^ u64::from(*byte)).wrapping_mul(PRIME);
        self.bytes.iter().fold(BASIS, mix)
    }

    pub fn interfaces(&self) -> impl Iterator<Item = Result<JavaStr<'a>>> + '_ {
        self.interfaces
            .chunks_exact(2)
            .map(|index| self.pool.class_name(u2(index, 0)))
    }
}

impl<'a> Member<'a> {
    fn read_all(cursor: &mut Cursor<'a>) -> Result<Vec<Self>> {
        let count = cursor.u2()? as usize;
        // A member takes at least eight bytes; a count beyond that will run out of input.
        let mut members = Vec::with_capacity(count.min(cursor.remaining() / 8));
        for _ in 0..count {
            members.push(Member {
                access: Access(cursor.u2()?),
                name_index: cursor.u2()?,
                descriptor_index: cursor.u2()?,
                attributes: Attributes::read(cursor, 0)?,
            });
        }
        Ok(members)
    }

    pub fn name(&self, pool: &ConstantPool<'a>) -> Result<JavaStr<'a>> {
        pool.utf8(self.name_index)
    }

    pub fn descriptor(&self, pool: &ConstantPool<'a>) -> Result<JavaStr<'a>> {
        pool.utf8(self.descriptor_index)
    }

    /// The method's code; none for abstract and native methods and for fields.
    pub fn code(&self, pool: &ConstantPool<'a>) -> Result<Option<Code<'a>>> {
        self.attributes
            .find(pool, "Code")
            .map(Code::read)
            .transpose()
    }
}
