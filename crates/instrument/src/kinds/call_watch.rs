//! Shows an observer every call of chosen methods: receiver and arguments at the entry, then the
//! result or the exception.
//!
//! Inserted at the entry: `Observations.entered(number)`, `receiver(this, number)` and
//! `argument(value, number)` for each parameter, since the method may assign to its parameters.
//! Inserted before every return, those of switched bodies included: `returned(result, number)`. A
//! handler around all of it reports `threw(exception, number)` and throws on. The observer keeps
//! what it was shown at the entry and looks at it when the call ends.

use jury_classfile::opcode::is_return;
use jury_classfile::splice::{CodeEdit, MethodRef, PoolExtension, Snippet};
use jury_classfile::{JavaStr, MethodDescriptor, Type};

use super::chosen_methods::{ChosenMethod, ChosenMethods, choice_for};
use super::observation::{OBSERVATIONS, Overloaded};
use super::{ClassInHand, Classes, Extent, Kind, MethodInHand, MethodRewriter};
use crate::rewrite::SkipReason;

const ENTERED: MethodRef<'static> = helper("entered", "(I)V");
const RECEIVER: MethodRef<'static> = helper("receiver", "(Ljava/lang/Object;I)V");
const RETURNED_NOTHING: MethodRef<'static> = helper("returned", "(I)V");
const THREW: MethodRef<'static> = helper("threw", "(Ljava/lang/Throwable;I)V");

const BY_KIND: [&str; 9] = [
    "(ZI)V",
    "(BI)V",
    "(CI)V",
    "(SI)V",
    "(II)V",
    "(JI)V",
    "(FI)V",
    "(DI)V",
    "(Ljava/lang/Object;I)V",
];
const ARGUMENT: Overloaded = Overloaded {
    name: "argument",
    descriptors: BY_KIND,
};
const RETURNED: Overloaded = Overloaded {
    name: "returned",
    descriptors: BY_KIND,
};

const fn helper(name: &'static str, descriptor: &'static str) -> MethodRef<'static> {
    MethodRef {
        class: OBSERVATIONS,
        name,
        descriptor,
    }
}

/// Methods to watch, by class. Added to a plan before all kinds that write prologues: whatever
/// they do in a method's stead then lies between its entry and its end.
#[derive(Debug, Clone, Default)]
pub struct CallWatch {
    /// Each with the number it is watched under.
    methods: ChosenMethods<i32>,
}

impl CallWatch {
    pub fn new() -> Self {
        Self::default()
    }

    /// Watches a method, named in VM form, under a number of its own.
    pub fn method(mut self, number: i32, class: &str, name: &str, descriptor: &str) -> Self {
        *self.methods.choose(class, name, descriptor) = number;
        self
    }
}

impl Kind for CallWatch {
    fn classes(&self) -> Classes<'_> {
        self.methods.classes()
    }

    fn only_looks(&self) -> bool {
        true
    }

    fn open<'p>(&'p self, class: &ClassInHand<'_, '_>) -> Option<Box<dyn MethodRewriter<'p> + 'p>> {
        let methods = self.methods.of_class(class.name)?;
        Some(Box::new(WatchedClass { methods }))
    }
}

struct WatchedClass<'p> {
    methods: &'p [ChosenMethod<i32>],
}

impl<'p> MethodRewriter<'p> for WatchedClass<'p> {
    fn rewrite(
        &mut self,
        method: &MethodInHand<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        let Some(watched) = choice_for(self.methods, method)? else {
            return Ok(());
        };
        if method.watched == Extent::Nothing {
            return Ok(());
        }
        enter(method, watched.task, edit, pool)?;
        let result = MethodDescriptor::read(JavaStr::new(watched.descriptor.as_bytes()))?.result;
        let leaving = leave(result, watched.task, pool)?;
        for instruction in method.code()?.instructions() {
            let instruction = instruction?;
            if is_return(instruction.opcode) {
                // What a copy returns is reported where the method hands it on.
                edit.own_patch.insert_before(&instruction, leaving.clone());
            }
        }
        edit.prologue.before_return(leaving);
        let throwing = edit.on_throw();
        throwing.dup();
        throwing.push_int(watched.task, pool)?;
        throwing.invoke_static(THREW, pool)?;
        Ok(())
    }
}

fn enter(
    method: &MethodInHand<'_, '_>,
    number: i32,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension<'_>,
) -> Result<(), SkipReason> {
    let code = edit.prologue.code();
    code.push_int(number, pool)?;
    code.invoke_static(ENTERED, pool)?;
    let mut slot = 0;
    if !method.member.access.is_static() {
        code.load_reference(0);
        code.push_int(number, pool)?;
        code.invoke_static(RECEIVER, pool)?;
        slot = 1;
    }
    for parameter in method.descriptor.parameters() {
        code.load(slot, parameter);
        code.push_int(number, pool)?;
        code.invoke_static(ARGUMENT.taking(parameter), pool)?;
        slot += parameter.slots();
    }
    Ok(())
}

fn leave(
    result: Type<'_>,
    number: i32,
    pool: &mut PoolExtension<'_>,
) -> Result<Snippet, SkipReason> {
    let mut leaving = Snippet::default();
    if result.is_void() {
        leaving.push_int(number, pool)?;
        leaving.invoke_static(RETURNED_NOTHING, pool)?;
    } else {
        leaving.dup_value(result);
        leaving.push_int(number, pool)?;
        leaving.invoke_static(RETURNED.taking(result), pool)?;
    }
    Ok(leaving)
}
