//! Reports which methods of chosen classes run, and counts the work they do.
//!
//! Inserted: `Probes.hit(number)` at the entry of every method and `Probes.tick()` before every
//! jump backwards. Whatever runs for long does one of the two, so a limit on their number stops an
//! endless loop after the same amount of work on every machine. Static initialisers are bracketed by
//! `Probes.initialising(number)` and `Probes.initialised(number)`.

use std::collections::HashMap;

use jury_classfile::splice::{CodeEdit, MethodRef, PoolExtension, Snippet};
use jury_classfile::{Instruction, Operand};

use super::bracket::bracket;
use super::{ClassInHand, Classes, Kind, MethodInHand, MethodRewriter};
use crate::rewrite::SkipReason;

const PROBES: &str = "jury/boot/Probes";
const HIT: MethodRef<'static> = with_number("hit");
const INITIALISING: MethodRef<'static> = with_number("initialising");
const INITIALISED: MethodRef<'static> = with_number("initialised");
const TICK: MethodRef<'static> = MethodRef {
    class: PROBES,
    name: "tick",
    descriptor: "()V",
};

const fn with_number(name: &'static str) -> MethodRef<'static> {
    MethodRef {
        class: PROBES,
        name,
        descriptor: "(I)V",
    }
}

/// Classes to probe, in VM form.
#[derive(Debug, Clone, Default)]
pub struct WorkProbe {
    classes: HashMap<String, Numbers>,
}

#[derive(Debug, Clone, Copy)]
struct Numbers {
    /// The number of the class's first method; the others follow in the order of the class file.
    first: u32,
    methods: u16,
}

impl WorkProbe {
    pub fn new() -> Self {
        Self::default()
    }

    /// Probes a class. One that turns out to have another number of methods when it loads has
    /// been changed by somebody else; its numbers would lie, so it is left alone.
    pub fn class(mut self, class: &str, methods: u16, first: u32) -> Self {
        self.classes
            .insert(class.to_owned(), Numbers { first, methods });
        self
    }
}

impl Kind for WorkProbe {
    fn classes(&self) -> Classes<'_> {
        Classes::Named(self.classes.keys().map(String::as_str).collect())
    }

    fn open<'p>(&'p self, class: &ClassInHand<'_, '_>) -> Option<Box<dyn MethodRewriter<'p> + 'p>> {
        let numbers = self.classes.get(class.name)?;
        (class.file.methods.len() == usize::from(numbers.methods)).then(|| {
            Box::new(ProbedClass {
                first: numbers.first,
            }) as _
        })
    }
}

struct ProbedClass {
    first: u32,
}

impl<'p> MethodRewriter<'p> for ProbedClass {
    fn rewrite(
        &mut self,
        method: &MethodInHand<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        let number = self.first.wrapping_add(method.index.into()) as i32;
        if method.name == "<clinit>" {
            bracket(method, number, INITIALISING, INITIALISED, edit, pool)?;
        }
        let code = edit.prologue.code();
        code.push_int(number, pool)?;
        code.invoke_static(HIT, pool)?;
        for instruction in method.code()?.instructions() {
            let instruction = instruction?;
            if jumps_backwards(&instruction) {
                let mut tick = Snippet::default();
                tick.invoke_static(TICK, pool)?;
                edit.patch.insert_before(&instruction, tick);
            }
        }
        Ok(())
    }
}

fn jumps_backwards(instruction: &Instruction<'_>) -> bool {
    let back = |target: u16| target <= instruction.pc;
    match &instruction.operand {
        Operand::Branch(target) => back(*target),
        Operand::TableSwitch(switch) => {
            back(switch.default) || switch.cases().any(|(_, target)| back(target))
        }
        Operand::LookupSwitch(switch) => {
            back(switch.default) || switch.cases().any(|(_, target)| back(target))
        }
        _ => false,
    }
}
