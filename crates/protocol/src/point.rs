//! Single instructions that are changed while their numbers are switched on.

use crate::plan::Body;
use crate::wire::{DecodeError, Decoder, Encoder};

/// A class with points. They are places in code, so they hold only for the very same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointedClass {
    /// In VM form, `a/b/C`.
    pub class: String,
    /// Of the class file that was analysed.
    pub digest: u64,
    pub methods: Vec<PointedMethod>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointedMethod {
    /// The method's place in the class file.
    pub index: u16,
    /// Blocks that report when they run: where each begins, and its number.
    pub blocks: Vec<(u16, u32)>,
    pub points: Vec<Point>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    pub number: u32,
    pub pc: u16,
    pub change: Change,
}

/// What happens in place of an instruction. Stack operands are given as the slots they take, the
/// top of the stack first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Another instruction with the same operands.
    Opcode(u8),
    /// `iinc` adds this much.
    Increment(i16),
    /// The instruction is left out: its operands are dropped and a constant may take their place.
    Omit {
        operands: Vec<u16>,
        instead: Option<Body>,
    },
    /// The branch is taken whatever its operands are.
    AlwaysBranch { operands: Vec<u16> },
    /// The value about to be returned is replaced.
    Return(Body),
    /// A switch gets other targets, in the order of its keys.
    Retarget { default: u16, targets: Vec<u16> },
}

const OPCODE: u8 = 1;
const INCREMENT: u8 = 2;
const DROP: u8 = 3;
const REPLACE: u8 = 4;
const ALWAYS_BRANCH: u8 = 5;
const RETURN: u8 = 6;
const RETARGET: u8 = 7;

impl PointedClass {
    pub(crate) fn put(&self, out: &mut Encoder) {
        out.text(&self.class).u64(self.digest);
        out.u32(self.methods.len() as u32);
        for method in &self.methods {
            out.u32(method.index.into());
            out.u32(method.blocks.len() as u32);
            for (pc, number) in &method.blocks {
                out.u32((*pc).into()).u32(*number);
            }
            out.u32(method.points.len() as u32);
            for point in &method.points {
                out.u32(point.number).u32(point.pc.into());
                point.change.put(out);
            }
        }
    }

    pub(crate) fn take(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        let class = input.text()?;
        let digest = input.u64()?;
        let methods = (0..input.u32()?)
            .map(|_| {
                Ok(PointedMethod {
                    index: input.u32()? as u16,
                    blocks: (0..input.u32()?)
                        .map(|_| Ok((input.u32()? as u16, input.u32()?)))
                        .collect::<Result<_, DecodeError>>()?,
                    points: (0..input.u32()?)
                        .map(|_| Point::take(input))
                        .collect::<Result<_, DecodeError>>()?,
                })
            })
            .collect::<Result<_, DecodeError>>()?;
        Ok(Self {
            class,
            digest,
            methods,
        })
    }
}

impl Point {
    fn take(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            number: input.u32()?,
            pc: input.u32()? as u16,
            change: Change::take(input)?,
        })
    }
}

impl Change {
    fn put(&self, out: &mut Encoder) {
        match self {
            Change::Opcode(opcode) => {
                out.u8(OPCODE).u8(*opcode);
            }
            Change::Increment(by) => {
                out.u8(INCREMENT).u32(i32::from(*by) as u32);
            }
            Change::Omit {
                operands,
                instead: None,
            } => {
                out.u8(DROP).numbers(&widened(operands));
            }
            Change::Omit {
                operands,
                instead: Some(value),
            } => {
                out.u8(REPLACE).numbers(&widened(operands));
                value.put(out);
            }
            Change::AlwaysBranch { operands } => {
                out.u8(ALWAYS_BRANCH).numbers(&widened(operands));
            }
            Change::Return(value) => {
                out.u8(RETURN);
                value.put(out);
            }
            Change::Retarget { default, targets } => {
                out.u8(RETARGET)
                    .u32((*default).into())
                    .numbers(&widened(targets));
            }
        }
    }

    fn take(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(match input.u8()? {
            OPCODE => Change::Opcode(input.u8()?),
            INCREMENT => Change::Increment(input.u32()? as i16),
            DROP => Change::Omit {
                operands: narrowed(input)?,
                instead: None,
            },
            REPLACE => Change::Omit {
                operands: narrowed(input)?,
                instead: Some(Body::take(input)?),
            },
            ALWAYS_BRANCH => Change::AlwaysBranch {
                operands: narrowed(input)?,
            },
            RETURN => Change::Return(Body::take(input)?),
            RETARGET => Change::Retarget {
                default: input.u32()? as u16,
                targets: narrowed(input)?,
            },
            tag => {
                return Err(DecodeError::Unknown {
                    what: "change",
                    tag: tag.to_string(),
                });
            }
        })
    }
}

fn widened(numbers: &[u16]) -> Vec<u32> {
    numbers.iter().copied().map(u32::from).collect()
}

fn narrowed(input: &mut Decoder<'_>) -> Result<Vec<u16>, DecodeError> {
    let numbers = input.numbers()?;
    Ok(numbers.into_iter().map(|number| number as u16).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_back_as_they_were() {
        let changes = [
            Change::Opcode(100),
            Change::Increment(-3),
            Change::Omit {
                operands: vec![2, 1],
                instead: None,
            },
            Change::Omit {
                operands: Vec::new(),
                instead: Some(Body::Long(-1)),
            },
            Change::AlwaysBranch {
                operands: vec![1, 1],
            },
            Change::Return(Body::Null),
            Change::Retarget {
                default: 9,
                targets: vec![40_000, 7],
            },
        ];
        let points = (3..).zip(changes).map(|(number, change)| Point {
            number,
            pc: 65_534,
            change,
        });
        let class = PointedClass {
            class: "a/B".into(),
            digest: u64::MAX,
            methods: vec![PointedMethod {
                index: 2,
                blocks: vec![(0, 70), (9, 71)],
                points: points.collect(),
            }],
        };
        let mut out = Encoder::default();
        class.put(&mut out);
        let bytes = out.into_bytes();
        assert_eq!(PointedClass::take(&mut Decoder::new(&bytes)), Ok(class));
    }
}
