//! What a worker's classes are rewritten to do beside their job: report which methods run, count
//! work, and carry other method bodies and other instructions that can be switched on.

use crate::point::PointedClass;
use crate::watch::{WatchedClass, WatchedMethod};
use crate::wire::{DecodeError, Decoder, Encoder};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    pub probes: Vec<ProbedClass>,
    pub switches: Vec<SwitchedBody>,
    pub points: Vec<PointedClass>,
    /// Methods whose calls are shown to an observer.
    pub calls: Vec<WatchedMethod>,
    /// Classes whose expressions are.
    pub values: Vec<WatchedClass>,
}

/// A class whose methods report when they run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbedClass {
    /// In VM form, `a/b/C`.
    pub class: String,
    pub methods: u16,
    /// The number of its first method; the others follow in the order of the class file.
    pub first: u32,
}

/// A method body that replaces the original while its number is switched on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchedBody {
    pub number: u32,
    pub class: String,
    pub method: String,
    pub descriptor: String,
    pub body: Body,
}

/// What a switched body returns. Floating-point values travel as their bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    Void,
    Null,
    /// For int, boolean, byte, char and short.
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
    Text(String),
    /// An array without elements, of the type the method returns.
    EmptyArray,
    /// A new object of this class, made by its constructor without parameters.
    New(String),
    /// The result of a static method, given constants.
    Call {
        class: String,
        method: String,
        descriptor: String,
        is_interface: bool,
        arguments: Vec<Body>,
    },
    /// The argument in this slot.
    Argument(u16),
}

const VOID: u8 = 1;
const NULL: u8 = 2;
const INT: u8 = 3;
const LONG: u8 = 4;
const FLOAT: u8 = 5;
const DOUBLE: u8 = 6;
const TEXT: u8 = 7;
const EMPTY_ARRAY: u8 = 8;
const NEW: u8 = 9;
const CALL: u8 = 10;
const ARGUMENT: u8 = 11;

impl Plan {
    pub fn is_empty(&self) -> bool {
        self.probes.is_empty()
            && self.switches.is_empty()
            && self.points.is_empty()
            && self.calls.is_empty()
            && self.values.is_empty()
    }

    /// One more than the highest number a probe of a method or a block has.
    pub fn numbers(&self) -> u32 {
        let methods = self.probes.iter();
        let methods = methods.map(|probed| probed.first + u32::from(probed.methods));
        let pointed = self.points.iter().flat_map(|class| &class.methods);
        let blocks = pointed.flat_map(|method| &method.blocks);
        methods
            .chain(blocks.map(|(_, number)| number + 1))
            .max()
            .unwrap_or(0)
    }

    pub(crate) fn put(&self, out: &mut Encoder) {
        out.u32(self.probes.len() as u32);
        for probed in &self.probes {
            out.text(&probed.class)
                .u32(probed.methods.into())
                .u32(probed.first);
        }
        out.u32(self.switches.len() as u32);
        for switched in &self.switches {
            out.u32(switched.number)
                .text(&switched.class)
                .text(&switched.method)
                .text(&switched.descriptor);
            switched.body.put(out);
        }
        out.u32(self.points.len() as u32);
        for class in &self.points {
            class.put(out);
        }
        out.u32(self.calls.len() as u32);
        self.calls.iter().for_each(|method| method.put(out));
        out.u32(self.values.len() as u32);
        self.values.iter().for_each(|class| class.put(out));
    }

    pub(crate) fn take(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        let probes = (0..input.u32()?)
            .map(|_| {
                Ok(ProbedClass {
                    class: input.text()?,
                    methods: input.u32()? as u16,
                    first: input.u32()?,
                })
            })
            .collect::<Result<_, DecodeError>>()?;
        let switches = (0..input.u32()?)
            .map(|_| {
                Ok(SwitchedBody {
                    number: input.u32()?,
                    class: input.text()?,
                    method: input.text()?,
                    descriptor: input.text()?,
                    body: Body::take(input)?,
                })
            })
            .collect::<Result<_, DecodeError>>()?;
        let points = (0..input.u32()?)
            .map(|_| PointedClass::take(input))
            .collect::<Result<_, DecodeError>>()?;
        let calls = (0..input.u32()?)
            .map(|_| WatchedMethod::take(input))
            .collect::<Result<_, DecodeError>>()?;
        let values = (0..input.u32()?)
            .map(|_| WatchedClass::take(input))
            .collect::<Result<_, DecodeError>>()?;
        Ok(Self {
            probes,
            switches,
            points,
            calls,
            values,
        })
    }
}

impl Body {
    pub(crate) fn put(&self, out: &mut Encoder) {
        match self {
            Body::Void => out.u8(VOID),
            Body::Null => out.u8(NULL),
            Body::Int(value) => out.u8(INT).u32(*value as u32),
            Body::Long(value) => out.u8(LONG).u64(*value as u64),
            Body::Float(bits) => out.u8(FLOAT).u32(*bits),
            Body::Double(bits) => out.u8(DOUBLE).u64(*bits),
            Body::Text(text) => out.u8(TEXT).text(text),
            Body::EmptyArray => out.u8(EMPTY_ARRAY),
            Body::New(class) => out.u8(NEW).text(class),
            Body::Call {
                class,
                method,
                descriptor,
                is_interface,
                arguments,
            } => {
                out.u8(CALL).text(class).text(method).text(descriptor);
                out.u8((*is_interface).into()).u32(arguments.len() as u32);
                arguments.iter().for_each(|argument| argument.put(out));
                out
            }
            Body::Argument(slot) => out.u8(ARGUMENT).u32((*slot).into()),
        };
    }

    pub(crate) fn take(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(match input.u8()? {
            VOID => Body::Void,
            NULL => Body::Null,
            INT => Body::Int(input.u32()? as i32),
            LONG => Body::Long(input.u64()? as i64),
            FLOAT => Body::Float(input.u32()?),
            DOUBLE => Body::Double(input.u64()?),
            TEXT => Body::Text(input.text()?),
            EMPTY_ARRAY => Body::EmptyArray,
            NEW => Body::New(input.text()?),
            CALL => Body::Call {
                class: input.text()?,
                method: input.text()?,
                descriptor: input.text()?,
                is_interface: input.u8()? != 0,
                arguments: (0..input.u32()?)
                    .map(|_| Body::take(input))
                    .collect::<Result<_, DecodeError>>()?,
            },
            ARGUMENT => Body::Argument(input.u32()? as u16),
            tag => {
                return Err(DecodeError::Unknown {
                    what: "body",
                    tag: tag.to_string(),
                });
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::PointedMethod;

    #[test]
    fn a_plan_comes_back_as_it_was() {
        let bodies = [
            Body::Void,
            Body::Null,
            Body::Int(-1),
            Body::Long(i64::MIN),
            Body::Float(1.5_f32.to_bits()),
            Body::Double((-0.0_f64).to_bits()),
            Body::Text("A".into()),
            Body::EmptyArray,
            Body::New("java/util/ArrayList".into()),
            Body::Call {
                class: "java/util/stream/Stream".into(),
                method: "of".into(),
                descriptor: "(Ljava/lang/Object;)Ljava/util/stream/Stream;".into(),
                is_interface: true,
                arguments: vec![Body::Null],
            },
            Body::Argument(2),
        ];
        let plan = Plan {
            probes: vec![ProbedClass {
                class: "a/B".into(),
                methods: 3,
                first: 7,
            }],
            switches: (0..)
                .zip(bodies)
                .map(|(number, body)| SwitchedBody {
                    number,
                    class: "a/B".into(),
                    method: "m".into(),
                    descriptor: "()V".into(),
                    body,
                })
                .collect(),
            points: vec![PointedClass {
                class: "a/B".into(),
                digest: 1,
                methods: Vec::new(),
            }],
            calls: vec![WatchedMethod {
                number: 1,
                class: "a/B".into(),
                method: "m".into(),
                descriptor: "()V".into(),
            }],
            values: vec![WatchedClass {
                number: 2,
                class: "a/BTest".into(),
            }],
        };
        let mut out = Encoder::default();
        plan.put(&mut out);
        let bytes = out.into_bytes();
        assert_eq!(Plan::take(&mut Decoder::new(&bytes)), Ok(plan));
    }

    #[test]
    fn blocks_have_numbers_like_methods() {
        let mut plan = Plan::default();
        assert_eq!(plan.numbers(), 0);
        plan.probes.push(ProbedClass {
            class: "a/B".into(),
            methods: 3,
            first: 7,
        });
        assert_eq!(plan.numbers(), 10);
        plan.points.push(PointedClass {
            class: "a/B".into(),
            digest: 1,
            methods: vec![PointedMethod {
                index: 0,
                blocks: vec![(0, 11), (3, 12)],
                points: Vec::new(),
            }],
        });
        assert_eq!(plan.numbers(), 13);
    }
}
