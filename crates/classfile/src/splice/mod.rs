//! Rewriting methods inside a class, byte ranges copied wherever nothing changes.
//!
//! Every method is offered to an `edit` function, which may fill a [`CodeEdit`]. A method whose
//! edit cannot be carried out within the format's limits stays as it was and is reported; the
//! class that comes out is always whole. Types are not inferred: inserted code must leave the
//! operand stack and the locals as it found them.

mod code;
mod edit;
mod patch;
mod pool_extension;
mod relocation;
mod snippet;
mod tables;

use thiserror::Error;

pub use edit::{CodeEdit, Mark};
pub use patch::Patch;
pub use pool_extension::{FieldRef, MethodRef, PoolExtension};
pub use snippet::{Label, Prologue, Snippet};

use crate::access::Access;
use crate::attribute::Attribute;
use crate::class::{ClassFile, Member};
use crate::error::Malformed;

/// Why one method was left as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SkipReason {
    #[error("the constant pool is full")]
    PoolFull,
    #[error("a text constant would exceed 65535 bytes")]
    TextTooLong,
    #[error("the code would exceed 65535 bytes")]
    CodeTooLong,
    #[error("a branch would span more than 32767 bytes")]
    BranchTooFar,
    #[error("the operand stack would exceed 65535 slots")]
    StackTooDeep,
    #[error("the class would have more than 65535 methods")]
    TooManyMethods,
    #[error(transparent)]
    Malformed(#[from] Malformed),
}

/// The outcome of rewriting a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spliced {
    /// The new class; none if no method changed.
    pub bytes: Option<Vec<u8>>,
    /// Methods left as they were, by their place in the method table, and why.
    pub skipped: Vec<(u16, SkipReason)>,
}

/// Offers every method that has code, with its place in the method table, to `edit` and carries
/// out what it asks for.
pub fn splice_methods<'a, 'n>(
    class: &ClassFile<'a>,
    mut edit: impl FnMut(u16, &Member<'a>, &mut CodeEdit, &mut PoolExtension<'n>),
) -> Spliced {
    let mut pool = PoolExtension::new(class);
    let mut code_edit = CodeEdit::default();
    let mut out = Vec::new();
    let mut added = AddedMethods::new(class.methods.len());
    let mut skipped = Vec::new();
    let mut copied = 0;
    for (index, method) in (0..).zip(&class.methods) {
        let Some(attribute) = method.attributes.find(&class.pool, "Code") else {
            continue;
        };
        code_edit.clear();
        edit(index, method, &mut code_edit, &mut pool);
        if code_edit.is_empty() {
            continue;
        }
        if out.capacity() == 0 {
            // Room for a prologue in every method without growing, in the common case.
            out.reserve(class.bytes.len() + 512 + 64 * class.methods.len());
        }
        let mark = out.len();
        out.extend_from_slice(&class.bytes[copied..attribute.at]);
        let written = code::write(class, attribute, &code_edit, &mut pool, &mut out)
            .and_then(|()| added.write(class, method, attribute, &code_edit, &mut pool));
        match written {
            Ok(()) => copied = attribute.end(),
            Err(reason) => {
                out.truncate(mark);
                skipped.push((index, reason));
            }
        }
    }
    if copied == 0 {
        return Spliced {
            bytes: None,
            skipped,
        };
    }
    out.extend_from_slice(&class.bytes[copied..class.methods_end]);
    added.splice_into(&mut out, class.methods_at);
    out.extend_from_slice(&class.bytes[class.methods_end..]);
    pool.splice_into(&mut out, class.pool_end);
    Spliced {
        bytes: Some(out),
        skipped,
    }
}

/// Methods that come after the class's own.
struct AddedMethods {
    /// How many methods the class has so far.
    count: u16,
    bytes: Vec<u8>,
}

impl AddedMethods {
    fn new(methods: usize) -> Self {
        AddedMethods {
            // ok: the count was read from two bytes.
            count: methods as u16,
            bytes: Vec::new(),
        }
    }

    /// Writes what an edit adds, all of it or nothing.
    fn write(
        &mut self,
        class: &ClassFile<'_>,
        method: &Member<'_>,
        attribute: Attribute<'_>,
        edit: &CodeEdit,
        pool: &mut PoolExtension<'_>,
    ) -> Result<(), SkipReason> {
        let mark = self.bytes.len();
        let count = u16::try_from(edit.added.len())
            .ok()
            .and_then(|added| self.count.checked_add(added))
            .ok_or(SkipReason::TooManyMethods)?;
        // Callers hold a lock of the original; what else it has flags for is of no use to a copy.
        let access = method.access.0 & (Access::STATIC | Access::STRICT);
        for added in &edit.added {
            let out = &mut self.bytes;
            code::put_u2(out, access | Access::PRIVATE | Access::SYNTHETIC);
            code::put_u2(out, added.name);
            code::put_u2(out, method.descriptor_index);
            // One attribute, the code.
            code::put_u2(out, 1);
            code::write_added(class, attribute, edit, &added.code, pool, out)
                .inspect_err(|_| out.truncate(mark))?;
        }
        self.count = count;
        Ok(())
    }

    /// Appends the methods to a class written up to its last method and corrects its count.
    fn splice_into(self, class: &mut Vec<u8>, methods_at: usize) {
        class.extend_from_slice(&self.bytes);
        class[methods_at..methods_at + 2].copy_from_slice(&self.count.to_be_bytes());
    }
}
