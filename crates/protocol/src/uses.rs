//! What code used while it ran, as probes and hooks tell: methods by their numbers, and what lies
//! outside the classes. Nothing here says whose use it was.

use crate::wire::{DecodeError, Decoder, Encoder};

/// What ran and was touched in one stretch of time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Uses {
    /// Numbers of the methods that ran, ascending.
    pub methods: Vec<u32>,
    pub facts: Vec<Touch>,
    /// Bits of [`Uses::CHILD_PROCESS`] and its kin.
    pub marks: u8,
}

/// Something outside the classes that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Touch {
    pub kind: TouchKind,
    /// A path, or the name of a resource, class, variable or property; empty where all were read.
    pub name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TouchKind {
    /// A file or directory was there, and its attributes were looked at.
    FileLookedAt,
    FileRead,
    /// A file that was there before was written to.
    FileWritten,
    /// A file was looked for and was not there.
    FileAbsent,
    DirectoryListed,
    /// Looked up on the class path, found or not.
    ResourceLookedUp,
    /// Looked up by its binary name, found or not.
    ClassLookedUp,
    /// The members or annotations of a class, by binary name, were asked for.
    MembersListed,
    VariableRead,
    AllVariablesRead,
    /// Loaded by its binary name, found or not, for code that asks for it or mentions it.
    ClassLoaded,
}

impl TouchKind {
    /// In the order of their bytes, which start at 0. `jury.boot.Touches` lists the same.
    pub const ALL: [TouchKind; 11] = [
        TouchKind::FileLookedAt,
        TouchKind::FileRead,
        TouchKind::FileWritten,
        TouchKind::FileAbsent,
        TouchKind::DirectoryListed,
        TouchKind::ResourceLookedUp,
        TouchKind::ClassLookedUp,
        TouchKind::MembersListed,
        TouchKind::VariableRead,
        TouchKind::AllVariablesRead,
        TouchKind::ClassLoaded,
    ];
}

impl Uses {
    pub const CHILD_PROCESS: u8 = 1;
    pub const NETWORK: u8 = 2;
    pub const NATIVE_LIBRARY: u8 = 4;

    pub(crate) fn put(&self, out: &mut Encoder) {
        out.numbers(&self.methods).u32(self.facts.len() as u32);
        for touch in &self.facts {
            out.u8(touch.kind as u8).text(&touch.name);
        }
        out.u8(self.marks);
    }

    pub(crate) fn take(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            methods: input.numbers()?,
            facts: (0..input.u32()?)
                .map(|_| take_touch(input))
                .collect::<Result<_, _>>()?,
            marks: input.u8()?,
        })
    }
}

fn take_touch(input: &mut Decoder<'_>) -> Result<Touch, DecodeError> {
    let kind = input.u8()?;
    Ok(Touch {
        kind: *TouchKind::ALL
            .get(usize::from(kind))
            .ok_or_else(|| DecodeError::Unknown {
                what: "touch",
                tag: kind.to_string(),
            })?,
        name: input.text()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_listed_in_the_order_of_their_bytes() {
        for (place, kind) in TouchKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, place);
        }
    }
}
