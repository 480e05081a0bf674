//! Two calls around a whole method. It must not be a constructor: no handler may cover code that has
//! yet to initialize `this`.

use jury_classfile::opcode::is_return;
use jury_classfile::splice::{CodeEdit, MethodRef, PoolExtension, Snippet};

use super::MethodInHand;
use crate::rewrite::SkipReason;

/// Calls `begin(number)` before anything else and `end(number)` however the method ends. What is
/// inserted at its entry later lies within.
pub(super) fn bracket<'p>(
    method: &MethodInHand<'_, '_>,
    number: i32,
    begin: MethodRef<'p>,
    end: MethodRef<'p>,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension<'p>,
) -> Result<(), SkipReason> {
    insert_call(edit.prologue.code(), begin, number, pool)?;
    for instruction in method.code()?.instructions() {
        let instruction = instruction?;
        if is_return(instruction.opcode) {
            let mut leaving = Snippet::default();
            insert_call(&mut leaving, end, number, pool)?;
            edit.patch.insert_before(&instruction, leaving);
        }
    }
    insert_call(edit.on_throw(), end, number, pool)
}

fn insert_call<'p>(
    code: &mut Snippet,
    method: MethodRef<'p>,
    number: i32,
    pool: &mut PoolExtension<'p>,
) -> Result<(), SkipReason> {
    code.push_int(number, pool)?;
    code.invoke_static(method, pool)?;
    Ok(())
}
