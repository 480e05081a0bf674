//! What a method does once its body has been thrown away.

use jury_classfile::Type;

use crate::literal::Literal;

#[derive(Debug, Clone, PartialEq)]
pub enum Replacement {
    /// Returns without a value.
    Void,
    Null,
    /// For int and everything the JVM computes as one: boolean, byte, char, short.
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Str(String),
    /// A primitive constant in its wrapper, by the wrapper's `valueOf`.
    Boxed(Literal),
    /// An array without elements.
    EmptyArray {
        /// The descriptor of what the array holds, one dimension down.
        component: String,
    },
    /// A fresh object from the constructor without parameters.
    New {
        /// In VM form.
        class: String,
    },
    /// What a static method without parameters gives.
    StaticCall {
        /// In VM form.
        owner: String,
        name: String,
        descriptor: String,
        /// Whether the owner is an interface, which the constant pool has to say (JVMS §4.4.2).
        interface: bool,
    },
    /// The argument in the given local variable.
    Argument {
        slot: u16,
    },
    /// The receiver.
    This,
}

impl Replacement {
    /// The value that fields of this type begin with; none for void.
    pub(crate) fn default_of(result: Type<'_>) -> Option<Self> {
        match result.first() {
            b'V' => None,
            b'J' => Some(Replacement::Long(0)),
            b'F' => Some(Replacement::Float(0.0)),
            b'D' => Some(Replacement::Double(0.0)),
            b'L' | b'[' => Some(Replacement::Null),
            _ => Some(Replacement::Int(0)),
        }
    }

    pub(crate) fn static_call(owner: &str, name: &str, result: &str, interface: bool) -> Self {
        Replacement::StaticCall {
            owner: owner.to_owned(),
            name: name.to_owned(),
            descriptor: format!("()L{result};"),
            interface,
        }
    }

    /// Whether a method with this return type can end so. For objects only the kind of type is
    /// compared: whether one class extends another cannot be seen from here.
    pub fn fits(&self, result: Type<'_>) -> bool {
        match self {
            Replacement::Void => result.is_void(),
            Replacement::Null => result.is_reference(),
            Replacement::Int(_) => matches!(result.first(), b'Z' | b'B' | b'C' | b'S' | b'I'),
            Replacement::Long(_) => result.first() == b'J',
            Replacement::Float(_) => result.first() == b'F',
            Replacement::Double(_) => result.first() == b'D',
            Replacement::Str(_) => result.as_str() == "Ljava/lang/String;",
            Replacement::Boxed(literal) => result
                .class_name()
                .is_some_and(|class| literal.wrapper().is_some_and(|own| class == own)),
            Replacement::EmptyArray { component } => result
                .element()
                .is_some_and(|element| element.as_str() == component.as_str()),
            Replacement::New { .. } | Replacement::StaticCall { .. } | Replacement::This => {
                result.first() == b'L'
            }
            Replacement::Argument { .. } => !result.is_void(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_classfile::{JavaStr, MethodDescriptor};

    #[test]
    fn a_replacement_fits_only_its_own_return_types() {
        let array = Replacement::EmptyArray {
            component: "[I".into(),
        };
        let table: [(Replacement, &str); 8] = [
            (Replacement::Void, "V"),
            (Replacement::Null, "L[["),
            (Replacement::Int(1), "ZBCSI"),
            (Replacement::Long(1), "J"),
            (Replacement::Float(1.0), "F"),
            (Replacement::Double(1.0), "D"),
            (array, "[["),
            (Replacement::This, "L"),
        ];
        let results =
            ["V", "Z", "B", "C", "S", "I", "J", "F", "D", "La/B;", "[[I"].map(|r| format!("(){r}"));
        for (replacement, kinds) in &table {
            for descriptor in &results {
                let descriptor = MethodDescriptor::read(JavaStr::new(descriptor.as_bytes()));
                let result = descriptor.unwrap().result;
                let expected = kinds.as_bytes().contains(&result.first());
                assert_eq!(
                    replacement.fits(result),
                    expected,
                    "{replacement:?} {result:?}"
                );
            }
        }
    }

    #[test]
    fn boxed_constants_fit_their_own_wrapper_only() {
        let result = |text: &'static str| Type::field(JavaStr::new(text.as_bytes())).unwrap();
        let zero = Replacement::Boxed(Literal::Int(0));
        assert!(zero.fits(result("Ljava/lang/Integer;")));
        assert!(!zero.fits(result("Ljava/lang/Long;")));
        assert!(
            !Replacement::Boxed(Literal::Str(String::new())).fits(result("Ljava/lang/String;"))
        );
    }

    #[test]
    fn text_fits_strings_only() {
        let result = |text: &'static str| Type::field(JavaStr::new(text.as_bytes())).unwrap();
        assert!(Replacement::Str("A".into()).fits(result("Ljava/lang/String;")));
        assert!(!Replacement::Str("A".into()).fits(result("Ljava/lang/Object;")));
    }
}
