//! Reports a number at the entry of every method.
//!
//! Inserted: `helper(number)`. Numbers are dense: a class is given a run of them, one per
//! entry of its method table, so that a number leads back to its method by subtraction.

use jury_classfile::splice::{CodeEdit, MethodRef, PoolExtension};

use super::{ClassInHand, Classes, Kind, MethodInHand, MethodRewriter};
use crate::rewrite::SkipReason;
use crate::scope::Scope;

/// Reserves numbers for a class of this name with this many methods (abstract ones included)
/// and returns the first; none leaves the class alone.
pub type Numbering = dyn Fn(&str, u16) -> Option<u32> + Send + Sync;

/// Probes every method with code of the classes in scope.
pub struct EntryProbe {
    scope: Scope,
    helper_class: String,
    helper_method: String,
    numbering: Box<Numbering>,
}

impl EntryProbe {
    /// The helper is a static method taking an int, its class in VM form.
    pub fn new(
        scope: Scope,
        helper_class: impl Into<String>,
        helper_method: impl Into<String>,
        numbering: impl Fn(&str, u16) -> Option<u32> + Send + Sync + 'static,
    ) -> Self {
        EntryProbe {
            scope,
            helper_class: helper_class.into(),
            helper_method: helper_method.into(),
            numbering: Box::new(numbering),
        }
    }
}

impl Kind for EntryProbe {
    fn classes(&self) -> Classes<'_> {
        Classes::Within(&self.scope)
    }

    fn open<'p>(&'p self, class: &ClassInHand<'_, '_>) -> Option<Box<dyn MethodRewriter<'p> + 'p>> {
        if !self.scope.contains(class.name) {
            return None;
        }
        let first = (self.numbering)(class.name, class.file.methods.len() as u16)?;
        let helper = MethodRef {
            class: &self.helper_class,
            name: &self.helper_method,
            descriptor: "(I)V",
        };
        Some(Box::new(NumberedClass { helper, first }))
    }
}

struct NumberedClass<'p> {
    helper: MethodRef<'p>,
    first: u32,
}

impl<'p> MethodRewriter<'p> for NumberedClass<'p> {
    fn rewrite(
        &mut self,
        method: &MethodInHand<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        // Java has no unsigned int: the helper sees numbers from 2^31 on as negative.
        let number = self.first.wrapping_add(method.index.into()) as i32;
        let code = edit.prologue.code();
        code.push_int(number, pool)?;
        code.invoke_static(self.helper, pool)?;
        Ok(())
    }
}
