//! Code, with every place in it named by its instruction's number, so that a longer or shorter
//! encoding of a constant's index moves nothing.

use jury_classfile::stack_map::{FrameChange, Frames, VerificationType, VerificationTypes};
use jury_classfile::{Code, Instruction, Member, Operand, opcode};

use super::constant::Constants;
use super::{Opaque, Result};
use crate::hash::{Digest, Hash128};

/// The flags and code of a method. Line numbers, variable names and annotations inside code are
/// left out: a program cannot see them but by reading its own class file.
pub(super) fn body(method: &Member<'_>, constants: &mut Constants<'_, '_>) -> Result<Hash128> {
    let mut digest = Digest::new("body");
    digest.number(method.access.0.into());
    if let Some(code) = method.code(constants.pool)? {
        add_code(&code, constants, &mut digest)?;
    }
    Ok(digest.finish())
}

fn add_code(code: &Code<'_>, constants: &mut Constants<'_, '_>, digest: &mut Digest) -> Result<()> {
    digest.number(code.max_stack.into());
    digest.number(code.max_locals.into());
    let instructions = code.instructions().collect::<Result<Vec<_>, _>>()?;
    let places = Places::new(code.bytes.len(), &instructions);
    digest.number(instructions.len() as u64);
    for instruction in &instructions {
        add_instruction(instruction, &places, constants, digest)?;
    }
    for handler in code.handlers() {
        digest.number(places.number(handler.start)?);
        digest.number(places.number(handler.end)?);
        digest.number(places.number(handler.target)?);
        constants.add_optional(handler.catch_type, digest)?;
    }
    for attribute in code.attributes.iter() {
        match &*attribute.name(constants.pool)?.to_str() {
            "LineNumberTable"
            | "LocalVariableTable"
            | "LocalVariableTypeTable"
            | "CharacterRangeTable"
            | "RuntimeVisibleTypeAnnotations"
            | "RuntimeInvisibleTypeAnnotations" => {}
            "StackMapTable" => add_frames(attribute.bytes, &places, constants, digest)?,
            _ => return Err(Opaque),
        }
    }
    Ok(())
}

fn add_instruction(
    instruction: &Instruction<'_>,
    places: &Places,
    constants: &mut Constants<'_, '_>,
    digest: &mut Digest,
) -> Result<()> {
    digest.byte(match instruction.opcode {
        opcode::LDC_W => opcode::LDC,
        opcode::GOTO_W => opcode::GOTO,
        opcode::JSR_W => opcode::JSR,
        other => other,
    });
    match instruction.operand {
        Operand::None => {}
        Operand::Immediate(value) => digest.number(value as u64),
        Operand::PrimitiveArray(element) => digest.byte(element),
        Operand::Local(local) => digest.number(local.into()),
        Operand::Increment { local, by } => {
            digest.number(local.into());
            digest.number(by as u64);
        }
        Operand::Constant(index) => constants.add(index, digest)?,
        Operand::MultiArray { class, dimensions } => {
            constants.add(class, digest)?;
            digest.byte(dimensions);
        }
        Operand::Branch(target) => digest.number(places.number(target)?),
        Operand::TableSwitch(switch) => {
            add_cases(switch.default, switch.cases(), places, digest)?;
        }
        Operand::LookupSwitch(switch) => {
            add_cases(switch.default, switch.cases(), places, digest)?;
        }
    }
    Ok(())
}

fn add_cases(
    default: u16,
    cases: impl Iterator<Item = (i32, u16)>,
    places: &Places,
    digest: &mut Digest,
) -> Result<()> {
    digest.number(places.number(default)?);
    for (key, target) in cases {
        digest.byte(1);
        digest.number(key as u64);
        digest.number(places.number(target)?);
    }
    digest.byte(0);
    Ok(())
}

/// Frames decide nothing that valid code does, but whether code is valid at all.
fn add_frames(
    bytes: &[u8],
    places: &Places,
    constants: &mut Constants<'_, '_>,
    digest: &mut Digest,
) -> Result<()> {
    for frame in Frames::read(bytes)? {
        let frame = frame?;
        digest.number(places.number(frame.pc)?);
        let mut add = |kind, types: &[VerificationTypes<'_>]| -> Result<()> {
            digest.byte(kind);
            for types in types {
                digest.number(types.len() as u64);
                for each in types.iter() {
                    add_verification_type(each, places, constants, digest)?;
                }
            }
            Ok(())
        };
        match frame.change {
            FrameChange::Same => add(0, &[])?,
            FrameChange::SameWithStack(stack) => add(1, &[stack])?,
            FrameChange::Append(locals) => add(2, &[locals])?,
            FrameChange::Full { locals, stack } => add(3, &[locals, stack])?,
            FrameChange::Chop(count) => add(4 + count, &[])?,
        }
    }
    Ok(())
}

fn add_verification_type(
    each: VerificationType,
    places: &Places,
    constants: &mut Constants<'_, '_>,
    digest: &mut Digest,
) -> Result<()> {
    match each {
        VerificationType::Top => digest.byte(0),
        VerificationType::Integer => digest.byte(1),
        VerificationType::Float => digest.byte(2),
        VerificationType::Double => digest.byte(3),
        VerificationType::Long => digest.byte(4),
        VerificationType::Null => digest.byte(5),
        VerificationType::UninitializedThis => digest.byte(6),
        VerificationType::Object(class) => {
            digest.byte(7);
            constants.add(class, digest)?;
        }
        VerificationType::Uninitialized(pc) => {
            digest.byte(8);
            digest.number(places.number(pc)?);
        }
    }
    Ok(())
}

/// The number of the instruction at each pc; the code's end counts as one more.
struct Places(Vec<Option<u32>>);

impl Places {
    fn new(length: usize, instructions: &[Instruction<'_>]) -> Self {
        let mut numbers = vec![None; length + 1];
        for (number, instruction) in (0..).zip(instructions) {
            numbers[usize::from(instruction.pc)] = Some(number);
        }
        numbers[length] = Some(instructions.len() as u32);
        Places(numbers)
    }

    fn number(&self, pc: u16) -> Result<u64> {
        let number = self.0.get(usize::from(pc)).copied().flatten();
        number.map(u64::from).ok_or(Opaque)
    }
}
