//! Has a method remember what it found for the same arguments.
//!
//! Inserted at the entry: `if (!Helper.isNew(a, b, c)) return Helper.recall(a, b, c);`, and before
//! every return: `Helper.keep(result, a, b, c)`. Whether the same arguments have the same result is for
//! whoever names the method to know.

use jury_classfile::opcode::{ARETURN, IASTORE, ISTORE};
use jury_classfile::splice::{CodeEdit, MethodRef, PoolExtension, Snippet};

use super::{InOneClass, MethodInHand, MethodRewriter};
use crate::rewrite::SkipReason;

const PARAMETERS: u16 = 3;
const RESULT: &str = "Ljava/util/List;";

/// Rewrites the static methods of the class that have this name, take three references and return a
/// list. Names are in VM form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recall {
    pub class: &'static str,
    pub method: &'static str,
    /// The class that remembers.
    pub helper: &'static str,
}

impl Recall {
    fn ask<'p>(
        &'p self,
        code: &mut Snippet,
        name: &'static str,
        descriptor: &'static str,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        (0..PARAMETERS).for_each(|slot| code.load_reference(slot));
        let method = MethodRef {
            class: self.helper,
            name,
            descriptor,
        };
        code.invoke_static(method, pool)?;
        Ok(())
    }
}

impl InOneClass for Recall {
    fn class(&self) -> &'static str {
        self.class
    }
}

impl<'p> MethodRewriter<'p> for &'p Recall {
    fn rewrite(
        &mut self,
        method: &MethodInHand<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        let mut parameters = method.descriptor.parameters();
        let result = method.descriptor.result;
        let fits = method.name == self.method
            && method.member.access.is_static()
            && parameters.all(|parameter| parameter.is_reference())
            && method.descriptor.parameters().count() == usize::from(PARAMETERS)
            && result.as_str() == RESULT;
        if !fits {
            return Ok(());
        }
        let mut returns = Vec::new();
        for instruction in method.code()?.instructions() {
            let instruction = instruction?;
            match instruction.opcode {
                // The arguments may be gone in the end.
                ISTORE..IASTORE => return Ok(()),
                ARETURN => returns.push(instruction),
                _ => {}
            }
        }
        let asked = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Z";
        self.ask(edit.prologue.code(), "isNew", asked, pool)?;
        let new = edit.prologue.branch_if_not_zero();
        let known = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/List;";
        self.ask(edit.prologue.code(), "recall", known, pool)?;
        edit.prologue.return_value(result);
        edit.prologue.land(new)?;
        for instruction in returns {
            let mut leaving = Snippet::default();
            leaving.dup();
            let kept = "(Ljava/util/List;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)V";
            self.ask(&mut leaving, "keep", kept, pool)?;
            edit.patch.insert_before(&instruction, leaving);
        }
        Ok(())
    }
}
