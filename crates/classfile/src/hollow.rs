//! Static fields that can never hold anything: constants such as `EMPTY_NAMES = new String[0]`.
//!
//! Code that reads one and stores into some array of its type stores into another array.

use std::collections::HashMap;

use crate::access::Access;
use crate::class::ClassFile;
use crate::error::Result;
use crate::instruction::{Instruction, Operand};
use crate::java_str::JavaStr;
use crate::opcode::{ANEWARRAY, ICONST_0, INVOKESTATIC, NEWARRAY, PUTSTATIC};
use crate::pool::{Constant, ConstantPool};

/// Classes and beginnings of names of their methods that give what nothing can be put into.
const FIXED: &[(&str, &str)] = &[
    ("java/util/Collections", "empty"),
    ("java/util/Collections", "unmodifiable"),
    ("java/util/List", "copyOf"),
    ("java/util/List", "of"),
    ("java/util/Map", "copyOf"),
    ("java/util/Map", "entry"),
    ("java/util/Map", "of"),
    ("java/util/Set", "copyOf"),
    ("java/util/Set", "of"),
];

impl<'a> ClassFile<'a> {
    /// Names of final static fields that the static initialiser fills with an array of length zero, or
    /// with a collection of the JDK that takes nothing in. What `unmodifiable…` shows may still change
    /// behind it, but not through the field.
    pub fn hollow_fields(&self) -> Result<Vec<JavaStr<'a>>> {
        let mut finals = HashMap::new();
        for field in &self.fields {
            if field.access.is_static() && field.access.has(Access::FINAL) {
                finals.insert(field.name(&self.pool)?, Stores::default());
            }
        }
        for method in &self.methods {
            if method.name(&self.pool)? == "<clinit>"
                && let Some(code) = method.code(&self.pool)?
            {
                let instructions = code.instructions().collect::<Result<Vec<_>>>()?;
                self.count_stores(&instructions, &mut finals)?;
            }
        }
        let hollow = finals.into_iter().filter(|(_, stores)| stores.are_hollow());
        let mut hollow: Vec<JavaStr<'a>> = hollow.map(|(name, _)| name).collect();
        hollow.sort_unstable_by_key(|name| name.as_bytes());
        Ok(hollow)
    }

    fn count_stores(
        &self,
        instructions: &[Instruction<'a>],
        finals: &mut HashMap<JavaStr<'a>, Stores>,
    ) -> Result<()> {
        let class = self.name()?;
        for (place, instruction) in instructions.iter().enumerate() {
            let (PUTSTATIC, Operand::Constant(index)) = (instruction.opcode, instruction.operand)
            else {
                continue;
            };
            let Constant::Field(field) = self.pool.get(index)? else {
                continue;
            };
            if field.owner != class {
                continue;
            }
            if let Some(stores) = finals.get_mut(&field.name) {
                stores.all += 1;
                let made = made_hollow(&instructions[..place], &self.pool)?;
                let is_sure = made.is_some_and(|from| !is_entered(instructions, from, instruction));
                stores.hollow += usize::from(is_sure);
            }
        }
        Ok(())
    }
}

/// Assignments to a field.
#[derive(Default)]
struct Stores {
    all: usize,
    hollow: usize,
}

impl Stores {
    fn are_hollow(&self) -> bool {
        self.all > 0 && self.all == self.hollow
    }
}

/// Where the instructions begin that make something hollow, if that is the last thing they do.
fn made_hollow(before: &[Instruction<'_>], pool: &ConstantPool<'_>) -> Result<Option<u16>> {
    Ok(match before {
        [.., length, array]
            if length.opcode == ICONST_0 && matches!(array.opcode, NEWARRAY | ANEWARRAY) =>
        {
            Some(length.pc)
        }
        [.., call] if call.opcode == INVOKESTATIC => {
            let Operand::Constant(index) = call.operand else {
                return Ok(None);
            };
            let (Constant::Method(called) | Constant::InterfaceMethod(called)) = pool.get(index)?
            else {
                return Ok(None);
            };
            let gives = |(class, beginning): &&(&str, &str)| {
                called.owner == *class && called.name.as_bytes().starts_with(beginning.as_bytes())
            };
            FIXED.iter().find(gives).map(|_| call.pc)
        }
        _ => None,
    })
}

/// Whether some jump leads behind `from`, up to `last`: another way may bring another value.
fn is_entered(instructions: &[Instruction<'_>], from: u16, last: &Instruction<'_>) -> bool {
    let within = |target: u16| from < target && target <= last.pc;
    (instructions.iter()).any(|instruction| match instruction.operand {
        Operand::Branch(target) => within(target),
        Operand::TableSwitch(switch) => {
            within(switch.default) || switch.cases().any(|(_, target)| within(target))
        }
        Operand::LookupSwitch(switch) => {
            within(switch.default) || switch.cases().any(|(_, target)| within(target))
        }
        _ => false,
    })
}
