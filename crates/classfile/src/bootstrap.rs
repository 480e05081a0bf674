//! BootstrapMethods (JVMS §4.7.23): how `invokedynamic` and dynamic constants come to be.

use crate::attribute::Attributes;
use crate::cursor::u2;
use crate::error::Result;
use crate::pool::ConstantPool;

/// A bootstrap method and its static arguments, all as pool indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BootstrapMethod<'a> {
    /// A method handle.
    pub method: u16,
    arguments: &'a [u8],
}

impl<'a> BootstrapMethod<'a> {
    pub fn arguments(&self) -> impl Iterator<Item = u16> + use<'a> {
        self.arguments.chunks_exact(2).map(|index| u2(index, 0))
    }
}

impl<'a> Attributes<'a> {
    /// In the order by which dynamic constants refer to them.
    pub fn bootstrap_methods(&self, pool: &ConstantPool<'a>) -> Result<Vec<BootstrapMethod<'a>>> {
        let Some(mut cursor) = self.cursor(pool, "BootstrapMethods") else {
            return Ok(Vec::new());
        };
        let count = cursor.u2()?;
        let method = |_| {
            Ok(BootstrapMethod {
                method: cursor.u2()?,
                arguments: cursor.table(2)?,
            })
        };
        (0..count).map(method).collect()
    }
}
