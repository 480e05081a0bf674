//! Shows an observer the values that the expressions of chosen classes have.
//!
//! Inserted behind every instruction that leaves the value of an expression on the stack:
//! `Observations.seen(value, place)`, where the place is the class's number, the method's index
//! and the instruction's pc. Constants, `this` and what only the compiler wrote (casts, boxes) are
//! left out, as are branches: a comparison differs only if one of its operands does. Exceptions
//! that leave a method are seen at [`ESCAPED`]. Constructors, and with them the initialisers of
//! fields, are left as they are. Of a method without room for all of that, what calls give is shown.

use std::collections::HashMap;

use jury_classfile::opcode::*;
use jury_classfile::splice::{CodeEdit, PoolExtension, Snippet};
use jury_classfile::{
    Constant, Instruction, JavaStr, Malformed, MemberRef, MethodDescriptor, Operand, Type,
};

use super::observation::Overloaded;
use super::{ClassInHand, Classes, Extent, Kind, MethodInHand, MethodRewriter};
use crate::rewrite::SkipReason;

const SEEN: Overloaded = Overloaded {
    name: "seen",
    descriptors: [
        "(ZJ)V",
        "(BJ)V",
        "(CJ)V",
        "(SJ)V",
        "(IJ)V",
        "(JJ)V",
        "(FJ)V",
        "(DJ)V",
        "(Ljava/lang/Object;J)V",
    ],
};

/// The pc that stands for an exception leaving the method; no instruction can be there.
const ESCAPED: u16 = u16::MAX;

/// Classes whose expressions are watched, each with its number.
#[derive(Debug, Clone, Default)]
pub struct ValueWatch {
    classes: HashMap<String, u32>,
}

impl ValueWatch {
    pub fn new() -> Self {
        Self::default()
    }

    /// Watches a class, named in VM form. Its number must fit 31 bits.
    pub fn class(mut self, number: u32, class: &str) -> Self {
        self.classes.insert(class.to_owned(), number);
        self
    }
}

impl Kind for ValueWatch {
    fn classes(&self) -> Classes<'_> {
        Classes::Named(self.classes.keys().map(String::as_str).collect())
    }

    fn only_looks(&self) -> bool {
        true
    }

    fn open<'p>(&'p self, class: &ClassInHand<'_, '_>) -> Option<Box<dyn MethodRewriter<'p> + 'p>> {
        let number = *self.classes.get(class.name)?;
        Some(Box::new(WatchedClass { number }))
    }
}

struct WatchedClass {
    number: u32,
}

impl<'p> MethodRewriter<'p> for WatchedClass {
    fn rewrite(
        &mut self,
        method: &MethodInHand<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        // Until its superclass is initialised, a constructor's values are not to be looked at.
        if method.is_constructor() || method.watched == Extent::Nothing {
            return Ok(());
        }
        let place =
            |pc: u16| i64::from(self.number) << 32 | i64::from(method.index) << 16 | i64::from(pc);
        let mut creations = Creations::default();
        for instruction in method.code()?.instructions() {
            let instruction = instruction?;
            let created = creations.pass(&instruction, method)?;
            let value = match created {
                Some(()) => Some(OBJECT),
                None if method.watched == Extent::Calls && !is_call(&instruction) => None,
                None => value_of(&instruction, method)?,
            };
            if let Some(descriptor) = value {
                let of = Type::field(JavaStr::new(descriptor))?;
                let mut seeing = Snippet::default();
                seeing.dup_value(of);
                seeing.push_long(place(instruction.pc), pool)?;
                seeing.invoke_static(SEEN.taking(of), pool)?;
                edit.patch.insert_after(&instruction, seeing);
            }
        }
        let escaping = edit.on_throw();
        escaping.dup();
        escaping.push_long(place(ESCAPED), pool)?;
        escaping.invoke_static(SEEN.taking(Type::field(JavaStr::new(OBJECT))?), pool)?;
        Ok(())
    }
}

fn is_call(instruction: &Instruction<'_>) -> bool {
    matches!(instruction.opcode, INVOKEVIRTUAL..=INVOKEINTERFACE)
}

const OBJECT: &[u8] = b"Ljava/lang/Object;";

/// Objects under construction. `new` leaves what the verifier lets no one see; once its
/// constructor has run, the copy that `dup` made is a value like any other.
#[derive(Default)]
struct Creations<'a> {
    begun: Vec<JavaStr<'a>>,
    last: Option<JavaStr<'a>>,
}

impl<'a> Creations<'a> {
    /// Some if the instruction completes an object that stays on the stack.
    fn pass(
        &mut self,
        instruction: &Instruction<'a>,
        method: &MethodInHand<'_, 'a>,
    ) -> Result<Option<()>, Malformed> {
        let last = self.last.take();
        match (instruction.opcode, instruction.operand) {
            (NEW, Operand::Constant(class)) => {
                self.last = Some(method.file.pool.class_name(class)?);
            }
            (DUP, _) => self.begun.extend(last),
            (INVOKESPECIAL, Operand::Constant(index)) => {
                let called = method.file.pool.member_ref(index)?;
                if called.name == "<init>" && self.begun.last() == Some(&called.owner) {
                    self.begun.pop();
                    return Ok(Some(()));
                }
            }
            _ => {}
        }
        Ok(None)
    }
}

/// The descriptor of the value that an expression of this instruction has; none if it has none.
fn value_of<'a>(
    instruction: &Instruction<'a>,
    method: &MethodInHand<'_, 'a>,
) -> Result<Option<&'a [u8]>, Malformed> {
    let pool = &method.file.pool;
    let by_four =
        |opcode: u8, first: u8| [&b"I"[..], b"J", b"F", b"D"][usize::from(opcode - first) % 4];
    Ok(match (instruction.opcode, instruction.operand) {
        (ALOAD_0, _) if !method.member.access.is_static() => None,
        (ALOAD, Operand::Local(0)) if !method.member.access.is_static() => None,
        (ALOAD, _) | (ALOAD_0..=ALOAD_3, _) => Some(OBJECT),
        (opcode @ ILOAD..=DLOAD, _) => Some(by_four(opcode, ILOAD)),
        // Four forms of each of the four kinds.
        (opcode @ ILOAD_0..ALOAD_0, _) => Some(by_four((opcode - ILOAD_0) / 4, 0)),
        (opcode @ IALOAD..=SALOAD, _) => Some(
            [&b"I"[..], b"J", b"F", b"D", OBJECT, b"I", b"I", b"I"][usize::from(opcode - IALOAD)],
        ),
        // From shifts on there are only ints and longs.
        (opcode @ IADD..=DNEG, _) => Some(by_four(opcode, IADD)),
        (opcode @ ISHL..=LXOR, _) => Some([&b"I"[..], b"J"][usize::from(opcode - ISHL) % 2]),
        (opcode @ I2L..=I2S, _) => Some(
            [
                &b"J"[..],
                b"F",
                b"D",
                b"I",
                b"F",
                b"D",
                b"I",
                b"J",
                b"D",
                b"I",
                b"J",
                b"F",
                b"I",
                b"I",
                b"I",
            ][usize::from(opcode - I2L)],
        ),
        (ARRAYLENGTH | INSTANCEOF, _) => Some(b"I"),
        (GETSTATIC | GETFIELD, Operand::Constant(index)) => {
            Some(pool.member_ref(index)?.descriptor.as_bytes())
        }
        (INVOKEVIRTUAL..=INVOKEINTERFACE, Operand::Constant(index)) => {
            let called = pool.member_ref(index)?;
            returned(called.descriptor)?.filter(|_| !boxes(&called))
        }
        // Text put together; what else is made so are functions, which have no state to speak of.
        (INVOKEDYNAMIC, Operand::Constant(index)) => match pool.get(index)? {
            Constant::InvokeDynamic { name_and_type, .. } => returned(name_and_type.descriptor)?
                .filter(|result| *result == b"Ljava/lang/String;"),
            _ => None,
        },
        _ => None,
    })
}

/// Whether a call is what the compiler writes where a primitive is wanted as an object. Made from
/// anything else, or into a text, a value is what somebody wrote.
fn boxes(called: &MemberRef<'_>) -> bool {
    let boxed: &[u8] = match called.descriptor.as_bytes().get(..3) {
        Some(b"(Z)") => b"java/lang/Boolean",
        Some(b"(B)") => b"java/lang/Byte",
        Some(b"(C)") => b"java/lang/Character",
        Some(b"(S)") => b"java/lang/Short",
        Some(b"(I)") => b"java/lang/Integer",
        Some(b"(J)") => b"java/lang/Long",
        Some(b"(F)") => b"java/lang/Float",
        Some(b"(D)") => b"java/lang/Double",
        _ => return false,
    };
    called.name == "valueOf" && called.owner.as_bytes() == boxed
}

fn returned(descriptor: JavaStr<'_>) -> Result<Option<&[u8]>, Malformed> {
    let result = MethodDescriptor::read(descriptor)?.result;
    Ok((!result.is_void()).then_some(result.as_str().as_bytes()))
}
