//! How a class is related to others beside inheritance: nesting, nest mates, permitted
//! subclasses, record components (JVMS §4.7.6–7, §4.7.28–31).

use crate::access::Access;
use crate::attribute::Attributes;
use crate::cursor::{Cursor, u2};
use crate::error::Result;
use crate::java_str::JavaStr;
use crate::pool::{ConstantPool, NameAndType};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InnerClass<'a> {
    pub name: JavaStr<'a>,
    /// None for local and anonymous classes.
    pub outer: Option<JavaStr<'a>>,
    /// None for anonymous classes.
    pub simple_name: Option<JavaStr<'a>>,
    pub access: Access,
}

/// Where a local or anonymous class was declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnclosingMethod<'a> {
    pub class: JavaStr<'a>,
    /// None in an initializer.
    pub method: Option<NameAndType<'a>>,
}

#[derive(Debug, Clone, Copy)]
pub struct RecordComponent<'a> {
    pub name: JavaStr<'a>,
    pub descriptor: JavaStr<'a>,
    pub attributes: Attributes<'a>,
}

impl<'a> Attributes<'a> {
    pub fn inner_classes(&self, pool: &ConstantPool<'a>) -> Result<Vec<InnerClass<'a>>> {
        let Some(mut cursor) = self.cursor(pool, "InnerClasses") else {
            return Ok(Vec::new());
        };
        let inner_class = |row: &[u8]| {
            Ok(InnerClass {
                name: pool.class_name(u2(row, 0))?,
                outer: pool.optional_class_name(u2(row, 2))?,
                simple_name: pool.optional_utf8(u2(row, 4))?,
                access: Access(u2(row, 6)),
            })
        };
        cursor.table(8)?.chunks_exact(8).map(inner_class).collect()
    }

    pub fn enclosing_method(&self, pool: &ConstantPool<'a>) -> Result<Option<EnclosingMethod<'a>>> {
        let Some(mut cursor) = self.cursor(pool, "EnclosingMethod") else {
            return Ok(None);
        };
        let class = pool.class_name(cursor.u2()?)?;
        let method = match cursor.u2()? {
            0 => None,
            index => Some(pool.name_and_type(index)?),
        };
        Ok(Some(EnclosingMethod { class, method }))
    }

    pub fn nest_host(&self, pool: &ConstantPool<'a>) -> Result<Option<JavaStr<'a>>> {
        let cursor = self.cursor(pool, "NestHost");
        cursor
            .map(|mut cursor| pool.class_name(cursor.u2()?))
            .transpose()
    }

    pub fn nest_members(&self, pool: &ConstantPool<'a>) -> Result<Vec<JavaStr<'a>>> {
        self.class_names(pool, "NestMembers")
    }

    /// Empty for a class that is not sealed.
    pub fn permitted_subclasses(&self, pool: &ConstantPool<'a>) -> Result<Vec<JavaStr<'a>>> {
        self.class_names(pool, "PermittedSubclasses")
    }

    /// None for a class that is no record; records may have no components.
    pub fn record(&self, pool: &ConstantPool<'a>) -> Result<Option<Vec<RecordComponent<'a>>>> {
        let Some(attribute) = self.find(pool, "Record") else {
            return Ok(None);
        };
        let mut cursor = Cursor::new(attribute.bytes, "Record");
        let mut components = Vec::new();
        for _ in 0..cursor.u2()? {
            components.push(RecordComponent {
                name: pool.utf8(cursor.u2()?)?,
                descriptor: pool.utf8(cursor.u2()?)?,
                attributes: Attributes::read(&mut cursor, attribute.contents_at())?,
            });
        }
        Ok(Some(components))
    }
}
