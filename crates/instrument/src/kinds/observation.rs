//! The helper that observed code calls, and the form in which it takes values.

use jury_classfile::Type;
use jury_classfile::splice::MethodRef;

pub(super) const OBSERVATIONS: &str = "jury/boot/Observations";

/// A method of the helper, which has one for each kind of value.
pub(super) struct Overloaded {
    pub name: &'static str,
    /// The descriptors for boolean, byte, char, short, int, long, float, double and references.
    pub descriptors: [&'static str; 9],
}

impl Overloaded {
    pub fn taking(&self, of: Type<'_>) -> MethodRef<'static> {
        let place = b"ZBCSIJFD".iter().position(|kind| *kind == of.first());
        MethodRef {
            class: OBSERVATIONS,
            name: self.name,
            descriptor: self.descriptors[place.unwrap_or(8)],
        }
    }
}
