//! What is shown to an observer in a worker: calls of methods, values of expressions, and how they
//! come back.
//!
//! A *place* is a number: that of a watched method, or the number of a watched class, the index
//! of a method and a pc, packed into 64 bits.

use crate::wire::{DecodeError, Decoder, Encoder};

/// A method whose calls are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedMethod {
    pub number: u32,
    /// In VM form, `a/b/C`.
    pub class: String,
    pub method: String,
    pub descriptor: String,
}

/// A class whose expressions are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedClass {
    pub number: u32,
    pub class: String,
}

/// What is recorded from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attention {
    pub calls: Calls,
    /// Values of expressions.
    pub values: bool,
    /// For this call of a test, counted from 0, also the stack.
    pub stack_of: Option<u32>,
    /// How many fields deep an object is looked at.
    pub depth: u32,
    /// A digest of what is seen will do.
    pub digest_only: bool,
}

/// Which watched methods' calls are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Calls {
    #[default]
    None,
    /// Those of the method with this number.
    Of(u32),
    /// Those of all, and how far they are from test code.
    All,
}

/// What was seen while a test ran.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sightings {
    /// Texts that the sightings refer to.
    pub texts: Vec<String>,
    pub sightings: Vec<Sighting>,
    /// Of all that test code showed, if only that was asked for.
    pub digest: u64,
    /// Of each method that was called.
    pub calls: Vec<SeenCalls>,
    /// There was more than is recorded.
    pub cut: bool,
    /// Fields that could not be read, as `class.field`.
    pub unreadable: Vec<String>,
}

/// The calls of one watched method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeenCalls {
    pub number: u32,
    /// How many there were, recorded or not.
    pub count: u32,
    /// Of all that they showed, if only that was asked for.
    pub digest: u64,
    /// The least number of calls from test code to the method: 1 where a test makes it itself, 0 where
    /// that is not known.
    pub distance: u32,
}

/// One property of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sighting {
    pub place: u64,
    /// The how-manieth time the place was passed, from 0.
    pub ordinal: u32,
    /// Index of the property's name.
    pub property: u32,
    /// Index of the property's value.
    pub value: u32,
}

impl WatchedMethod {
    pub(crate) fn put(&self, out: &mut Encoder) {
        out.u32(self.number)
            .text(&self.class)
            .text(&self.method)
            .text(&self.descriptor);
    }

    pub(crate) fn take(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            number: input.u32()?,
            class: input.text()?,
            method: input.text()?,
            descriptor: input.text()?,
        })
    }
}

impl WatchedClass {
    pub(crate) fn put(&self, out: &mut Encoder) {
        out.u32(self.number).text(&self.class);
    }

    pub(crate) fn take(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            number: input.u32()?,
            class: input.text()?,
        })
    }
}

impl Attention {
    // In Java both numbers are plain: -1 is no method and no call, -2 all methods.
    pub(crate) fn put(&self, out: &mut Encoder) {
        let calls = match self.calls {
            Calls::None => u32::MAX,
            Calls::All => u32::MAX - 1,
            Calls::Of(number) => number,
        };
        out.u32(calls)
            .u8(self.values.into())
            .u32(self.stack_of.unwrap_or(u32::MAX))
            .u32(self.depth)
            .u8(self.digest_only.into());
    }

    pub(crate) fn take(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        let number = |number: u32| Some(number).filter(|number| *number != u32::MAX);
        Ok(Self {
            calls: match input.u32()? {
                u32::MAX => Calls::None,
                all if all == u32::MAX - 1 => Calls::All,
                number => Calls::Of(number),
            },
            values: input.u8()? != 0,
            stack_of: number(input.u32()?),
            depth: input.u32()?,
            digest_only: input.u8()? != 0,
        })
    }
}

impl Sightings {
    pub(crate) fn put(&self, out: &mut Encoder) {
        out.texts(&self.texts).u32(self.sightings.len() as u32);
        for sighting in &self.sightings {
            out.u64(sighting.place)
                .u32(sighting.ordinal)
                .u32(sighting.property)
                .u32(sighting.value);
        }
        out.u64(self.digest).u32(self.calls.len() as u32);
        for calls in &self.calls {
            out.u32(calls.number)
                .u32(calls.count)
                .u64(calls.digest)
                .u32(calls.distance);
        }
        out.u8(self.cut.into()).texts(&self.unreadable);
    }

    pub(crate) fn take(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            texts: input.texts()?,
            sightings: (0..input.u32()?)
                .map(|_| {
                    Ok(Sighting {
                        place: input.u64()?,
                        ordinal: input.u32()?,
                        property: input.u32()?,
                        value: input.u32()?,
                    })
                })
                .collect::<Result<_, DecodeError>>()?,
            digest: input.u64()?,
            calls: (0..input.u32()?)
                .map(|_| {
                    Ok(SeenCalls {
                        number: input.u32()?,
                        count: input.u32()?,
                        digest: input.u64()?,
                        distance: input.u32()?,
                    })
                })
                .collect::<Result<_, DecodeError>>()?,
            cut: input.u8()? != 0,
            unreadable: input.texts()?,
        })
    }
}
