//! StackMapTable (JVMS §4.7.4): frames as stored, each with its absolute pc.
//!
//! Frames stay in their stored form (a difference from the frame before); `absolute` unfolds
//! them into full locals and stack for a reader who knows the method's entry state.

use crate::access::Access;
use crate::cursor::Cursor;
use crate::descriptor::{MethodDescriptor, Type};
use crate::error::{Malformed, Result};
use crate::java_str::JavaStr;

/// A verification type. Class and pc operands are as stored: a pool index, a bytecode offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerificationType {
    Top,
    Integer,
    Float,
    Double,
    Long,
    Null,
    UninitializedThis,
    Object(u16),
    /// Made by the `new` instruction at this pc, its constructor not yet called.
    Uninitialized(u16),
}

/// A run of stored verification types whose form has been checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerificationTypes<'a> {
    count: u16,
    bytes: &'a [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    pub pc: u16,
    pub change: FrameChange<'a>,
}

/// What a frame says beyond the frame before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameChange<'a> {
    Same,
    SameWithStack(VerificationTypes<'a>),
    Chop(u8),
    Append(VerificationTypes<'a>),
    Full {
        locals: VerificationTypes<'a>,
        stack: VerificationTypes<'a>,
    },
}

const SAME_WITH_STACK: u8 = 64;
const SAME_WITH_STACK_EXTENDED: u8 = 247;
const SAME_EXTENDED: u8 = 251;
const FULL: u8 = 255;

impl VerificationType {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self> {
        Ok(match cursor.u1()? {
            0 => Self::Top,
            1 => Self::Integer,
            2 => Self::Float,
            3 => Self::Double,
            4 => Self::Long,
            5 => Self::Null,
            6 => Self::UninitializedThis,
            7 => Self::Object(cursor.u2()?),
            8 => Self::Uninitialized(cursor.u2()?),
            value => {
                return Err(Malformed::Unknown {
                    what: "verification type",
                    value,
                });
            }
        })
    }

    fn write(self, out: &mut Vec<u8>) {
        let tag = match self {
            Self::Top => 0,
            Self::Integer => 1,
            Self::Float => 2,
            Self::Double => 3,
            Self::Long => 4,
            Self::Null => 5,
            Self::UninitializedThis => 6,
            Self::Object(_) => 7,
            Self::Uninitialized(_) => 8,
        };
        out.push(tag);
        if let Self::Object(operand) | Self::Uninitialized(operand) = self {
            out.extend(operand.to_be_bytes());
        }
    }
}

impl<'a> VerificationTypes<'a> {
    fn read(cursor: &mut Cursor<'a>, count: u16) -> Result<Self> {
        let mut own = *cursor;
        for _ in 0..count {
            VerificationType::read(cursor)?;
        }
        Ok(VerificationTypes {
            count,
            bytes: own.take(cursor.at() - own.at())?,
        })
    }

    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn iter(&self) -> impl Iterator<Item = VerificationType> + use<'a> {
        let mut cursor = Cursor::new(self.bytes, "verification types");
        std::iter::from_fn(move || VerificationType::read(&mut cursor).ok())
    }
}

/// The stored frames; ends after the first malformed one.
#[derive(Debug, Clone)]
pub struct Frames<'a> {
    cursor: Cursor<'a>,
    left: u16,
    previous: Option<u16>,
}

impl<'a> Frames<'a> {
    /// Reads the contents of a StackMapTable attribute.
    pub fn read(bytes: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, "StackMapTable");
        let left = cursor.u2()?;
        Ok(Frames {
            cursor,
            left,
            previous: None,
        })
    }

    /// How many frames are still to come.
    pub fn remaining(&self) -> u16 {
        self.left
    }

    fn decode(&mut self) -> Result<Frame<'a>> {
        let cursor = &mut self.cursor;
        let kind = cursor.u1()?;
        let (delta, change) = match kind {
            0..SAME_WITH_STACK => (u16::from(kind), FrameChange::Same),
            SAME_WITH_STACK..128 => {
                let delta = u16::from(kind - SAME_WITH_STACK);
                (
                    delta,
                    FrameChange::SameWithStack(VerificationTypes::read(cursor, 1)?),
                )
            }
            SAME_WITH_STACK_EXTENDED => {
                let delta = cursor.u2()?;
                (
                    delta,
                    FrameChange::SameWithStack(VerificationTypes::read(cursor, 1)?),
                )
            }
            248..SAME_EXTENDED => (cursor.u2()?, FrameChange::Chop(SAME_EXTENDED - kind)),
            SAME_EXTENDED => (cursor.u2()?, FrameChange::Same),
            252..FULL => {
                let delta = cursor.u2()?;
                let added = VerificationTypes::read(cursor, u16::from(kind - SAME_EXTENDED))?;
                (delta, FrameChange::Append(added))
            }
            FULL => {
                let delta = cursor.u2()?;
                let count = cursor.u2()?;
                let locals = VerificationTypes::read(cursor, count)?;
                let count = cursor.u2()?;
                let stack = VerificationTypes::read(cursor, count)?;
                (delta, FrameChange::Full { locals, stack })
            }
            value => {
                return Err(Malformed::Unknown {
                    what: "stack map frame",
                    value,
                });
            }
        };
        // Offsets are stored less one after the first frame, so that no two frames share a pc.
        let pc = match self.previous {
            None => Some(delta),
            Some(previous) => previous.checked_add(delta).and_then(|pc| pc.checked_add(1)),
        };
        let pc = pc.ok_or(Malformed::StackMap)?;
        self.previous = Some(pc);
        Ok(Frame { pc, change })
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Result<Frame<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let frame = self.decode();
        if frame.is_err() {
            self.left = 0;
        }
        Some(frame)
    }
}

/// A frame unfolded: what every local variable and stack slot holds. As in the format, long
/// and double are one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbsoluteFrame<'a> {
    pub pc: u16,
    pub locals: Vec<FrameType<'a>>,
    pub stack: Vec<FrameType<'a>>,
}

/// A verification type for readers. The classes of the entry state come from a descriptor and
/// need not be in the pool, so they are given by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameType<'a> {
    Stored(VerificationType),
    /// A reference parameter, by its descriptor.
    Parameter(Type<'a>),
    /// The receiver, by the name of its class.
    Receiver(JavaStr<'a>),
}

/// The state a method is entered with (JVMS §4.10.1.6).
pub fn entry_locals<'a>(
    class: JavaStr<'a>,
    access: Access,
    name: JavaStr<'a>,
    descriptor: MethodDescriptor<'a>,
) -> Vec<FrameType<'a>> {
    let receiver = if access.is_static() {
        None
    } else if name == "<init>" && class != "java/lang/Object" {
        Some(FrameType::Stored(VerificationType::UninitializedThis))
    } else {
        Some(FrameType::Receiver(class))
    };
    let parameters = descriptor
        .parameters()
        .map(|parameter| match parameter.first() {
            b'J' => FrameType::Stored(VerificationType::Long),
            b'D' => FrameType::Stored(VerificationType::Double),
            b'F' => FrameType::Stored(VerificationType::Float),
            b'L' | b'[' => FrameType::Parameter(parameter),
            _ => FrameType::Stored(VerificationType::Integer),
        });
    receiver.into_iter().chain(parameters).collect()
}

/// Unfolds stored frames, given the entry state. Memory stays bounded by `limit`, the
/// method's `max_locals`: frames with more locals are malformed.
pub fn absolute<'a>(
    entry: Vec<FrameType<'a>>,
    frames: Frames<'a>,
    limit: u16,
) -> impl Iterator<Item = Result<AbsoluteFrame<'a>>> {
    let mut locals = entry;
    frames.map(move |frame| {
        let Frame { pc, change } = frame?;
        let mut on_stack = None;
        match change {
            FrameChange::Same => {}
            FrameChange::SameWithStack(stack) => on_stack = Some(stack),
            FrameChange::Chop(count) => {
                let left = locals
                    .len()
                    .checked_sub(count.into())
                    .ok_or(Malformed::StackMap)?;
                locals.truncate(left);
            }
            FrameChange::Append(added) => locals.extend(added.iter().map(FrameType::Stored)),
            FrameChange::Full { locals: all, stack } => {
                locals.clear();
                locals.extend(all.iter().map(FrameType::Stored));
                on_stack = Some(stack);
            }
        }
        if locals.len() > usize::from(limit) {
            return Err(Malformed::StackMap);
        }
        let stack = on_stack.iter().flat_map(VerificationTypes::iter);
        Ok(AbsoluteFrame {
            pc,
            locals: locals.clone(),
            stack: stack.map(FrameType::Stored).collect(),
        })
    })
}

/// Writes the contents of a StackMapTable attribute, frame by frame in order of pc.
pub struct FrameWriter<'o> {
    out: &'o mut Vec<u8>,
    count_at: usize,
    count: u16,
    previous: Option<u16>,
}

impl<'o> FrameWriter<'o> {
    pub fn new(out: &'o mut Vec<u8>) -> Self {
        let count_at = out.len();
        out.extend([0, 0]);
        FrameWriter {
            out,
            count_at,
            count: 0,
            previous: None,
        }
    }

    /// Appends a frame; `relocate` maps the pcs of uninitialized types.
    pub fn write<E: From<Malformed>>(
        &mut self,
        frame: Frame<'_>,
        relocate: impl Fn(u16) -> Result<u16, E>,
    ) -> Result<(), E> {
        let delta = match self.previous {
            None => Some(frame.pc),
            Some(previous) => frame
                .pc
                .checked_sub(previous)
                .and_then(|gap| gap.checked_sub(1)),
        };
        let delta = delta.ok_or(Malformed::StackMap)?;
        self.count = self.count.checked_add(1).ok_or(Malformed::StackMap)?;
        self.previous = Some(frame.pc);
        let out = &mut *self.out;
        let types = |out: &mut Vec<u8>, types: VerificationTypes<'_>| {
            for each in types.iter() {
                let relocated = match each {
                    VerificationType::Uninitialized(pc) => {
                        VerificationType::Uninitialized(relocate(pc)?)
                    }
                    other => other,
                };
                relocated.write(out);
            }
            Ok::<(), E>(())
        };
        let long = |out: &mut Vec<u8>, kind: u8| {
            out.push(kind);
            out.extend(delta.to_be_bytes());
        };
        match frame.change {
            FrameChange::Same if delta < 64 => out.push(delta as u8),
            FrameChange::Same => long(out, SAME_EXTENDED),
            FrameChange::SameWithStack(stack) => {
                if delta < 64 {
                    out.push(SAME_WITH_STACK + delta as u8);
                } else {
                    long(out, SAME_WITH_STACK_EXTENDED);
                }
                types(out, stack)?;
            }
            FrameChange::Chop(count) => long(out, SAME_EXTENDED - count),
            FrameChange::Append(added) => {
                long(out, SAME_EXTENDED + added.count as u8);
                types(out, added)?;
            }
            FrameChange::Full { locals, stack } => {
                long(out, FULL);
                out.extend(locals.count.to_be_bytes());
                types(out, locals)?;
                out.extend(stack.count.to_be_bytes());
                types(out, stack)?;
            }
        }
        Ok(())
    }

    /// Appends the frame of a handler that knows nothing of the locals: one object on the stack.
    pub(crate) fn write_handler(&mut self, pc: u16, class: u16) -> Result<()> {
        let mut stack = Vec::with_capacity(3);
        VerificationType::Object(class).write(&mut stack);
        let change = FrameChange::Full {
            locals: VerificationTypes {
                count: 0,
                bytes: &[],
            },
            stack: VerificationTypes {
                count: 1,
                bytes: &stack,
            },
        };
        self.write(Frame { pc, change }, Ok)
    }

    pub fn finish(self) {
        self.out[self.count_at..self.count_at + 2].copy_from_slice(&self.count.to_be_bytes());
    }
}
