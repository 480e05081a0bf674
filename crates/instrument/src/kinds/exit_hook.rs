//! Tells a hook how chosen methods were left.
//!
//! Inserted before every return, and in a handler around the whole body:
//! `Hooks.exited(hook, result, exception)`. The result is null if it is not a reference. The
//! handler comes last in the exception table and throws on what it caught.

use jury_classfile::opcode::{ARETURN, is_return};
use jury_classfile::splice::{CodeEdit, MethodRef, PoolExtension, Snippet};

use super::{InOneClass, MethodInHand, MethodRewriter};
use crate::rewrite::SkipReason;

const EXITED: MethodRef<'static> = MethodRef {
    class: "jury/boot/Hooks",
    name: "exited",
    descriptor: "(ILjava/lang/Object;Ljava/lang/Throwable;)V",
};

/// Hooks every method of the class that has this name, whatever its parameters. Constructors
/// are skipped: no handler may cover code that has yet to initialize `this`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExitHook {
    /// Passed to the hook, to tell one from another.
    pub hook: u16,
    pub class: &'static str,
    pub method: &'static str,
}

impl InOneClass for ExitHook {
    fn class(&self) -> &'static str {
        self.class
    }
}

impl<'p> MethodRewriter<'p> for &'p ExitHook {
    fn rewrite(
        &mut self,
        method: &MethodInHand<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        if method.name != self.method {
            return Ok(());
        }
        if method.is_constructor() {
            return Err(SkipReason::Constructor);
        }
        let hook = i32::from(self.hook);
        for instruction in method.code()?.instructions() {
            let instruction = instruction?;
            if !is_return(instruction.opcode) {
                continue;
            }
            let mut leaving = Snippet::default();
            if instruction.opcode == ARETURN {
                leaving.dup();
                leaving.push_int(hook, pool)?;
                leaving.swap();
            } else {
                leaving.push_int(hook, pool)?;
                leaving.push_null();
            }
            leaving.push_null();
            leaving.invoke_static(EXITED, pool)?;
            edit.patch.insert_before(&instruction, leaving);
        }
        let throwing = edit.on_throw();
        throwing.dup();
        throwing.push_int(hook, pool)?;
        throwing.swap();
        throwing.push_null();
        throwing.swap();
        throwing.invoke_static(EXITED, pool)?;
        Ok(())
    }
}
