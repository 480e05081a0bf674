//! Sends chosen calls to a helper instead.
//!
//! The call becomes `invokestatic` in place, the receiver the helper's first parameter, so
//! nothing in the method moves. `invokespecial` stays: sent through a helper, a call of
//! `super.m()` would come back to the caller for ever.

use std::collections::HashMap;

use jury_classfile::opcode::{INVOKEINTERFACE, INVOKESTATIC, INVOKEVIRTUAL};
use jury_classfile::splice::{CodeEdit, MethodRef, PoolExtension};
use jury_classfile::{Constant, MemberRef, Operand};

use super::{ClassInHand, Classes, Kind, MethodInHand, MethodRewriter};
use crate::rewrite::SkipReason;
use crate::scope::Scope;

/// A method as calls name it, and the static method to call in its place. The helper's
/// descriptor is the method's, with the owner's type put first unless the method is static.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub owner: String,
    pub name: String,
    pub descriptor: String,
    pub is_static: bool,
    pub helper_class: String,
    pub helper_method: String,
}

/// Replaces the listed calls in the classes in scope.
#[derive(Debug, Clone)]
pub struct CallSite {
    scope: Scope,
    /// By the called method's name.
    calls: HashMap<String, Vec<RedirectedCall>>,
}

#[derive(Debug, Clone)]
struct RedirectedCall {
    call: Call,
    helper_descriptor: String,
}

impl CallSite {
    pub fn new(scope: Scope, calls: impl IntoIterator<Item = Call>) -> Self {
        let mut by_name: HashMap<String, Vec<RedirectedCall>> = HashMap::new();
        for call in calls {
            let helper_descriptor = match call.descriptor.strip_prefix('(') {
                Some(rest) if !call.is_static => format!("(L{};{rest}", call.owner),
                _ => call.descriptor.clone(),
            };
            let redirected = RedirectedCall {
                helper_descriptor,
                call,
            };
            by_name
                .entry(redirected.call.name.clone())
                .or_default()
                .push(redirected);
        }
        CallSite {
            scope,
            calls: by_name,
        }
    }

    fn find(&self, method: MemberRef<'_>) -> Option<&RedirectedCall> {
        self.calls
            .get(&*method.name.to_str())?
            .iter()
            .find(|RedirectedCall { call, .. }| {
                method.owner == *call.owner && method.descriptor == *call.descriptor
            })
    }
}

impl Kind for CallSite {
    fn classes(&self) -> Classes<'_> {
        Classes::Within(&self.scope)
    }

    fn open<'p>(&'p self, class: &ClassInHand<'_, '_>) -> Option<Box<dyn MethodRewriter<'p> + 'p>> {
        if !self.scope.contains(class.name) {
            return None;
        }
        let pool = &class.file.pool;
        let redirected: HashMap<u16, _> = pool
            .indices()
            .filter_map(|index| match pool.get(index) {
                Ok(Constant::Method(method) | Constant::InterfaceMethod(method)) => {
                    Some((index, self.find(method)?))
                }
                _ => None,
            })
            .collect();
        if redirected.is_empty() {
            None
        } else {
            Some(Box::new(CallingClass { redirected }))
        }
    }
}

/// A class that names some of the methods in its pool, under these indices.
struct CallingClass<'p> {
    redirected: HashMap<u16, &'p RedirectedCall>,
}

impl<'p> MethodRewriter<'p> for CallingClass<'p> {
    fn rewrite(
        &mut self,
        method: &MethodInHand<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        for instruction in method.code()?.instructions() {
            let instruction = instruction?;
            let is_static = match instruction.opcode {
                INVOKESTATIC => true,
                INVOKEVIRTUAL | INVOKEINTERFACE => false,
                _ => continue,
            };
            let Operand::Constant(index) = instruction.operand else {
                continue;
            };
            let Some(RedirectedCall {
                call,
                helper_descriptor,
            }) = self.redirected.get(&index)
            else {
                continue;
            };
            if call.is_static == is_static {
                let helper = pool.method(MethodRef {
                    class: &call.helper_class,
                    name: &call.helper_method,
                    descriptor: helper_descriptor,
                })?;
                edit.patch.replace_call(&instruction, helper);
            }
        }
        Ok(())
    }
}
