//! What compilers leave for debuggers: lines, local variables, source files
//! (JVMS §4.7.10–14).

use crate::attribute::Attributes;
use crate::code::Code;
use crate::cursor::u2;
use crate::error::Result;
use crate::java_str::JavaStr;
use crate::pool::ConstantPool;

/// From `pc` on, code belongs to this line of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineNumber {
    pub pc: u16,
    pub line: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalVariable<'a> {
    pub start: u16,
    pub length: u16,
    pub name: JavaStr<'a>,
    /// A descriptor, or a signature in the table of variables with generic types.
    pub type_text: JavaStr<'a>,
    pub slot: u16,
}

impl<'a> Code<'a> {
    /// In the order of the file, which need not be that of the code. A method may have several
    /// tables; they are read as one.
    pub fn line_numbers(&self, pool: &ConstantPool<'a>) -> Result<Vec<LineNumber>> {
        let rows = self.tables(pool, "LineNumberTable", 4)?;
        Ok(rows
            .iter()
            .map(|row| LineNumber {
                pc: u2(row, 0),
                line: u2(row, 2),
            })
            .collect())
    }

    pub fn local_variables(&self, pool: &ConstantPool<'a>) -> Result<Vec<LocalVariable<'a>>> {
        self.variables(pool, "LocalVariableTable")
    }

    /// Variables whose type is generic, with its signature.
    pub fn local_variable_types(&self, pool: &ConstantPool<'a>) -> Result<Vec<LocalVariable<'a>>> {
        self.variables(pool, "LocalVariableTypeTable")
    }

    fn variables(
        &self,
        pool: &ConstantPool<'a>,
        name: &'static str,
    ) -> Result<Vec<LocalVariable<'a>>> {
        let variable = |row: &&[u8]| {
            Ok(LocalVariable {
                start: u2(row, 0),
                length: u2(row, 2),
                name: pool.utf8(u2(row, 4))?,
                type_text: pool.utf8(u2(row, 6))?,
                slot: u2(row, 8),
            })
        };
        self.tables(pool, name, 10)?.iter().map(variable).collect()
    }

    fn tables(
        &self,
        pool: &ConstantPool<'a>,
        name: &'static str,
        width: usize,
    ) -> Result<Vec<&'a [u8]>> {
        let mut rows = Vec::new();
        for attribute in self
            .attributes
            .iter()
            .filter(|attribute| attribute.is(pool, name))
        {
            rows.extend(attribute.cursor(name).table(width)?.chunks_exact(width));
        }
        Ok(rows)
    }
}

impl<'a> Attributes<'a> {
    pub fn source_file(&self, pool: &ConstantPool<'a>) -> Result<Option<JavaStr<'a>>> {
        self.text(pool, "SourceFile")
    }

    /// The mapping to another source language (JSR 45), as stored.
    pub fn source_debug_extension(&self, pool: &ConstantPool<'a>) -> Option<JavaStr<'a>> {
        self.find(pool, "SourceDebugExtension")
            .map(|attribute| JavaStr::new(attribute.bytes))
    }
}
