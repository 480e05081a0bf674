//! What attributes say of a declaration beyond its descriptor: generic signature, constant
//! value, declared exceptions, parameter names.

use crate::access::Access;
use crate::attribute::Attributes;
use crate::cursor::u2;
use crate::error::Result;
use crate::java_str::JavaStr;
use crate::pool::{Constant, ConstantPool};

/// A row of MethodParameters; parameters may be nameless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodParameter<'a> {
    pub name: Option<JavaStr<'a>>,
    pub access: Access,
}

impl<'a> Attributes<'a> {
    pub fn signature(&self, pool: &ConstantPool<'a>) -> Result<Option<JavaStr<'a>>> {
        self.text(pool, "Signature")
    }

    /// The initial value of a static field.
    pub fn constant_value(&self, pool: &ConstantPool<'a>) -> Result<Option<Constant<'a>>> {
        let cursor = self.cursor(pool, "ConstantValue");
        cursor.map(|mut cursor| pool.get(cursor.u2()?)).transpose()
    }

    /// The exceptions that a method declares to throw.
    pub fn exceptions(&self, pool: &ConstantPool<'a>) -> Result<Vec<JavaStr<'a>>> {
        self.class_names(pool, "Exceptions")
    }

    pub fn method_parameters(&self, pool: &ConstantPool<'a>) -> Result<Vec<MethodParameter<'a>>> {
        let Some(mut cursor) = self.cursor(pool, "MethodParameters") else {
            return Ok(Vec::new());
        };
        let count = usize::from(cursor.u1()?);
        let parameter = |row: &[u8]| {
            let name = pool.optional_utf8(u2(row, 0))?;
            Ok(MethodParameter {
                name,
                access: Access(u2(row, 2)),
            })
        };
        cursor
            .take(4 * count)?
            .chunks_exact(4)
            .map(parameter)
            .collect()
    }

    pub fn is_deprecated(&self, pool: &ConstantPool<'a>) -> bool {
        self.has(pool, "Deprecated")
    }

    /// Marked synthetic by attribute, as compilers before Java 5 did.
    pub fn is_synthetic(&self, pool: &ConstantPool<'a>) -> bool {
        self.has(pool, "Synthetic")
    }

    /// An attribute that holds nothing but one text.
    pub(crate) fn text(
        &self,
        pool: &ConstantPool<'a>,
        name: &'static str,
    ) -> Result<Option<JavaStr<'a>>> {
        let cursor = self.cursor(pool, name);
        cursor.map(|mut cursor| pool.utf8(cursor.u2()?)).transpose()
    }

    /// An attribute that holds nothing but a list of classes.
    pub(crate) fn class_names(
        &self,
        pool: &ConstantPool<'a>,
        name: &'static str,
    ) -> Result<Vec<JavaStr<'a>>> {
        let Some(mut cursor) = self.cursor(pool, name) else {
            return Ok(Vec::new());
        };
        cursor
            .table(2)?
            .chunks_exact(2)
            .map(|index| pool.class_name(u2(index, 0)))
            .collect()
    }
}
