//! Module descriptors (JVMS §4.7.25–27): what `module-info.class` declares.

use crate::access::Access;
use crate::attribute::Attributes;
use crate::cursor::{Cursor, u2};
use crate::error::Result;
use crate::java_str::JavaStr;
use crate::pool::ConstantPool;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module<'a> {
    pub name: JavaStr<'a>,
    pub access: Access,
    pub version: Option<JavaStr<'a>>,
    pub requires: Vec<Requires<'a>>,
    pub exports: Vec<Opening<'a>>,
    pub opens: Vec<Opening<'a>>,
    /// Service interfaces.
    pub uses: Vec<JavaStr<'a>>,
    pub provides: Vec<Provides<'a>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requires<'a> {
    pub module: JavaStr<'a>,
    pub access: Access,
    pub version: Option<JavaStr<'a>>,
}

/// A package exported or opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening<'a> {
    pub package: JavaStr<'a>,
    pub access: Access,
    /// The modules it is open to; empty means all.
    pub to: Vec<JavaStr<'a>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provides<'a> {
    pub service: JavaStr<'a>,
    pub with: Vec<JavaStr<'a>>,
}

impl<'a> Attributes<'a> {
    pub fn module(&self, pool: &ConstantPool<'a>) -> Result<Option<Module<'a>>> {
        let Some(mut cursor) = self.cursor(pool, "Module") else {
            return Ok(None);
        };
        let cursor = &mut cursor;
        Ok(Some(Module {
            name: pool.module_name(cursor.u2()?)?,
            access: Access(cursor.u2()?),
            version: pool.optional_utf8(cursor.u2()?)?,
            requires: list(cursor, |cursor| {
                Ok(Requires {
                    module: pool.module_name(cursor.u2()?)?,
                    access: Access(cursor.u2()?),
                    version: pool.optional_utf8(cursor.u2()?)?,
                })
            })?,
            exports: list(cursor, |cursor| opening(cursor, pool))?,
            opens: list(cursor, |cursor| opening(cursor, pool))?,
            uses: list(cursor, |cursor| pool.class_name(cursor.u2()?))?,
            provides: list(cursor, |cursor| {
                Ok(Provides {
                    service: pool.class_name(cursor.u2()?)?,
                    with: list(cursor, |cursor| pool.class_name(cursor.u2()?))?,
                })
            })?,
        }))
    }

    /// Every package of the module, exported or not.
    pub fn module_packages(&self, pool: &ConstantPool<'a>) -> Result<Vec<JavaStr<'a>>> {
        let Some(mut cursor) = self.cursor(pool, "ModulePackages") else {
            return Ok(Vec::new());
        };
        cursor
            .table(2)?
            .chunks_exact(2)
            .map(|index| pool.package_name(u2(index, 0)))
            .collect()
    }

    pub fn module_main_class(&self, pool: &ConstantPool<'a>) -> Result<Option<JavaStr<'a>>> {
        let cursor = self.cursor(pool, "ModuleMainClass");
        cursor
            .map(|mut cursor| pool.class_name(cursor.u2()?))
            .transpose()
    }
}

fn opening<'a>(cursor: &mut Cursor<'a>, pool: &ConstantPool<'a>) -> Result<Opening<'a>> {
    Ok(Opening {
        package: pool.package_name(cursor.u2()?)?,
        access: Access(cursor.u2()?),
        to: list(cursor, |cursor| pool.module_name(cursor.u2()?))?,
    })
}

/// A count, then so many of what `read` reads; memory grows only with what was really there.
fn list<'a, T>(
    cursor: &mut Cursor<'a>,
    mut read: impl FnMut(&mut Cursor<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    (0..cursor.u2()?).map(|_| read(cursor)).collect()
}
