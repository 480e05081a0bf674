//! Lets a hook call off what chosen methods do.
//!
//! Inserted at the entry: `if (!Hooks.admits(gate, this, first argument)) return;`. Only methods of
//! objects that return nothing can be called off without anybody noticing.

use jury_classfile::splice::{CodeEdit, MethodRef, PoolExtension};

use super::{InOneClass, MethodInHand, MethodRewriter};
use crate::rewrite::SkipReason;

const ADMITS: MethodRef<'static> = MethodRef {
    class: "jury/boot/Hooks",
    name: "admits",
    descriptor: "(ILjava/lang/Object;Ljava/lang/Object;)Z",
};

/// Gates every method of the class that has this name and returns nothing, whatever its
/// parameters. Names are in VM form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gate {
    /// Passed to the hook, to tell one from another.
    pub gate: u16,
    pub class: &'static str,
    pub method: &'static str,
}

impl InOneClass for Gate {
    fn class(&self) -> &'static str {
        self.class
    }
}

impl<'p> MethodRewriter<'p> for &'p Gate {
    fn rewrite(
        &mut self,
        method: &MethodInHand<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        let result = method.descriptor.result;
        if method.name != self.method
            || method.member.access.is_static()
            || method.is_constructor()
            || result.first() != b'V'
        {
            return Ok(());
        }
        let code = edit.prologue.code();
        code.push_int(self.gate.into(), pool)?;
        code.load_reference(0);
        match method.descriptor.parameters().next() {
            Some(parameter) if parameter.is_reference() => code.load_reference(1),
            _ => code.push_null(),
        }
        code.invoke_static(ADMITS, pool)?;
        let admitted = edit.prologue.branch_if_not_zero();
        edit.prologue.return_value(result);
        edit.prologue.land(admitted)?;
        Ok(())
    }
}
