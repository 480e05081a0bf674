//! Tells a hook who was called with what, at the entry of chosen methods.
//!
//! Inserted: `Hooks.entered(hook, this, first argument, second argument)`. What is not there
//! or not a reference is passed as null, so is a receiver still under construction: the
//! verifier lets no one see it (JVMS §4.10.1.9).

use jury_classfile::splice::{CodeEdit, MethodRef, PoolExtension};

use super::{InOneClass, MethodInHand, MethodRewriter};
use crate::rewrite::SkipReason;

const ENTERED: MethodRef<'static> = MethodRef {
    class: "jury/boot/Hooks",
    name: "entered",
    descriptor: "(ILjava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)V",
};

/// Hooks every method of the class that has this name, whatever its parameters. Names are in
/// VM form; abstract and native methods have no entry to hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArgumentHook {
    /// Passed to the hook, to tell one from another.
    pub hook: u16,
    pub class: &'static str,
    pub method: &'static str,
}

impl InOneClass for ArgumentHook {
    fn class(&self) -> &'static str {
        self.class
    }
}

impl<'p> MethodRewriter<'p> for &'p ArgumentHook {
    fn rewrite(
        &mut self,
        method: &MethodInHand<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        if method.name != self.method {
            return Ok(());
        }
        let is_static = method.member.access.is_static();
        let code = edit.prologue.code();
        code.push_int(self.hook.into(), pool)?;
        if is_static || method.is_constructor() {
            code.push_null();
        } else {
            code.load_reference(0);
        }
        let mut slot = u16::from(!is_static);
        let mut parameters = method.descriptor.parameters();
        for _ in 0..2 {
            match parameters.next() {
                Some(parameter) if parameter.is_reference() => {
                    code.load_reference(slot);
                    slot += 1;
                }
                other => {
                    code.push_null();
                    slot += other.map_or(0, |primitive| primitive.slots());
                }
            }
        }
        code.invoke_static(ENTERED, pool)?;
        Ok(())
    }
}
