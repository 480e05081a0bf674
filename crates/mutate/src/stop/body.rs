//! Categories that the code gives away: methods so short that their opcodes tell all.
//!
//! Code is first told as a sequence of steps, then compared with the sequences that javac emits
//! for each category. Anything else on the way, even a cast, makes the method a different one.

use jury_classfile::{Constant, Instruction, JavaStr, Operand};

use crate::method::MethodInHand;
use crate::opcode::*;

/// What the recognisers distinguish about an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Loads a local variable.
    Load(u16),
    Zero,
    /// Pushes any other literal.
    Literal,
    GetField,
    PutField,
    GetStatic,
    PutStatic,
    /// A call on an object.
    Call,
    StaticCall,
    InvokeDynamic,
    NewArray,
    CheckCast,
    Pop,
    Return,
    Other,
}

use Step::*;

impl Step {
    fn of(instruction: &Instruction<'_>) -> Self {
        match (instruction.opcode, instruction.operand) {
            (ILOAD..=ALOAD, Operand::Local(slot)) => Load(slot),
            (opcode @ ILOAD_0..=ALOAD_3, _) => Load(u16::from(opcode - ILOAD_0) % 4),
            (ICONST_0, _) => Zero,
            (ACONST_NULL..=LDC2_W, _) => Literal,
            (GETSTATIC, _) => GetStatic,
            (PUTSTATIC, _) => PutStatic,
            (GETFIELD, _) => GetField,
            (PUTFIELD, _) => PutField,
            (INVOKEVIRTUAL | INVOKESPECIAL | INVOKEINTERFACE, _) => Call,
            (INVOKESTATIC, _) => StaticCall,
            (INVOKEDYNAMIC, _) => InvokeDynamic,
            (NEWARRAY | ANEWARRAY, _) => NewArray,
            (CHECKCAST, _) => CheckCast,
            (POP | POP2, _) => Pop,
            (opcode, _) if is_return(opcode) => Return,
            _ => Other,
        }
    }
}

/// 255 parameters (JVMS §4.11), a receiver, a call, a cast and a return: no category is longer.
const LONGEST: usize = 260;

/// Empty for methods too long to be in any category. What Kotlin's compiler puts before a method's
/// own code is left out.
fn steps(method: &MethodInHand<'_, '_>) -> Vec<Step> {
    let own = &method.instructions[kotlin_checks(method) * CHECK..];
    if own.len() > LONGEST {
        return Vec::new();
    }
    own.iter().map(Step::of).collect()
}

/// Instructions of a check: `checkNotNullParameter(value, "name")`.
const CHECK: usize = 3;

/// How many parameters are checked for null before anything else happens, as in every Kotlin method
/// that others can call.
fn kotlin_checks(method: &MethodInHand<'_, '_>) -> usize {
    let (checks, _) = method.instructions.as_chunks::<CHECK>();
    let is_check = |check: &&[Instruction<'_>; CHECK]| {
        let steps = check.each_ref().map(Step::of);
        matches!(steps, [Load(_), Literal, StaticCall])
            && calls_kotlin_null_check(method, &check[2])
    };
    checks.iter().take_while(is_check).count()
}

fn takes_one_parameter(method: &MethodInHand<'_, '_>) -> bool {
    method.descriptor.parameters().count() == 1
}

fn is_instance(method: &MethodInHand<'_, '_>) -> bool {
    !method.access().is_static()
}

pub(super) fn is_empty(method: &MethodInHand<'_, '_>) -> bool {
    steps(method) == [Return]
}

pub(super) fn is_getter(method: &MethodInHand<'_, '_>) -> bool {
    match steps(method).as_slice() {
        [Load(0), GetField, Return] => is_instance(method),
        [GetStatic, Return] => true,
        _ => false,
    }
}

pub(super) fn is_setter(method: &MethodInHand<'_, '_>) -> bool {
    let stores_parameter = match steps(method).as_slice() {
        [Load(0), Load(1), PutField, Return] => is_instance(method),
        [Load(0), Load(1), PutField, Load(0), Return] => is_instance(method),
        [Load(0), PutStatic, Return] => !is_instance(method),
        [Load(1), PutStatic, Return] => is_instance(method),
        [Load(1), PutStatic, Load(0), Return] => is_instance(method),
        _ => false,
    };
    stores_parameter && takes_one_parameter(method) && kotlin_checks(method) == 0
}

/// `checkNotNullParameter(value, "<set-?>"); this.field = value`, the check under either of the
/// names it has had.
pub(super) fn is_kotlin_setter(method: &MethodInHand<'_, '_>) -> bool {
    steps(method) == [Load(0), Load(1), PutField, Return]
        && kotlin_checks(method) == 1
        && is_instance(method)
        && takes_one_parameter(method)
}

fn calls_kotlin_null_check(method: &MethodInHand<'_, '_>, call: &Instruction<'_>) -> bool {
    let Operand::Constant(index) = call.operand else {
        return false;
    };
    let Ok(Constant::Method(called)) = method.class.file.pool.get(index) else {
        return false;
    };
    called.owner == "kotlin/jvm/internal/Intrinsics"
        && (called.name == "checkNotNullParameter" || called.name == "checkParameterIsNotNull")
}

pub(super) fn is_constant(method: &MethodInHand<'_, '_>) -> bool {
    matches!(steps(method).as_slice(), [Zero | Literal, Return])
}

pub(super) fn is_empty_array(method: &MethodInHand<'_, '_>) -> bool {
    steps(method) == [Zero, NewArray, Return]
}

pub(super) fn is_return_this(method: &MethodInHand<'_, '_>) -> bool {
    steps(method) == [Load(0), Return] && is_instance(method)
}

pub(super) fn is_return_param(method: &MethodInHand<'_, '_>) -> bool {
    match steps(method).as_slice() {
        [Load(slot), Return] => method.parameter_slots().any(|parameter| parameter == *slot),
        _ => false,
    }
}

/// An optional receiver, every parameter once and in order, one call, and its result if any. A
/// field handed to a static method is no receiver: something is computed from it.
pub(super) fn is_delegate(method: &MethodInHand<'_, '_>) -> bool {
    let steps = steps(method);
    let Some(call) = steps
        .iter()
        .position(|step| matches!(step, Call | StaticCall))
    else {
        return false;
    };
    let (before, after) = steps.split_at(call);
    let arguments = match before {
        [Load(0), GetField, arguments @ ..] | [GetStatic, arguments @ ..] if after[0] == Call => {
            arguments
        }
        [Load(0), arguments @ ..] if is_instance(method) => arguments,
        arguments => arguments,
    };
    matches!(after, [_, Return] | [_, CheckCast | Pop, Return])
        && arguments
            .iter()
            .copied()
            .eq(method.parameter_slots().map(Load))
}

/// What javac writes into a record: accessors, which read the field of their own name, and
/// `equals`, `hashCode` and `toString`, which ask the runtime.
pub(super) fn is_record_member(method: &MethodInHand<'_, '_>) -> bool {
    if !method.class.is_record() || !is_instance(method) {
        return false;
    }
    match steps(method).as_slice() {
        [Load(0), GetField, Return] => read_field(method) == Some(method.name),
        [Load(0), Load(1), InvokeDynamic, Return] => method.is("equals", "(Ljava/lang/Object;)Z"),
        [Load(0), InvokeDynamic, Return] => {
            method.is("hashCode", "()I") || method.is("toString", "()Ljava/lang/String;")
        }
        _ => false,
    }
}

/// The field that the second instruction reads.
fn read_field<'a>(method: &MethodInHand<'_, 'a>) -> Option<JavaStr<'a>> {
    let Operand::Constant(index) = method.instructions.get(1)?.operand else {
        return None;
    };
    method
        .class
        .file
        .pool
        .member_ref(index)
        .ok()
        .map(|field| field.name)
}
