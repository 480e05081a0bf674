//! Gives methods other bodies that can be switched on while the program runs.
//!
//! Inserted at the entry, for each body: `if (Switches.active == id) return constant;`. The
//! field is a plain static int, so a method with every switch off runs at full speed.

use jury_classfile::splice::{CodeEdit, FieldRef, MethodRef, PoolExtension, Snippet};
use jury_classfile::{JavaStr, MethodDescriptor, Type};

use super::chosen_methods::{ChosenMethod, ChosenMethods, choice_for};
use super::{ClassInHand, Classes, Kind, MethodInHand, MethodRewriter};
use crate::rewrite::SkipReason;

pub(super) const ACTIVE: FieldRef<'static> = FieldRef {
    class: "jury/boot/Switches",
    name: "active",
    descriptor: "I",
};

/// What a switched method does instead.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Returns without a value.
    Void,
    Null,
    /// For int and everything the JVM computes as one: boolean, byte, char, short.
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    String(String),
    /// An array without elements, of the type that the method returns.
    EmptyArray,
    /// A new object of this class, made by its constructor without parameters.
    New(String),
    /// The result of a static method, given constants.
    Call {
        class: String,
        method: String,
        descriptor: String,
        /// Whether the class is an interface, which the pool has to say (JVMS §4.4.2).
        is_interface: bool,
        arguments: Vec<Body>,
    },
    /// The argument in this slot, or the receiver in slot 0.
    Argument(u16),
}

/// Switched bodies, by class and method.
#[derive(Debug, Clone, Default)]
pub struct Switch {
    methods: ChosenMethods<Vec<(i32, Body)>>,
}

impl Switch {
    pub fn new() -> Self {
        Self::default()
    }

    /// Has the method, named in VM form, run `body` while `Switches.active` is `id`.
    pub fn body(mut self, id: i32, class: &str, name: &str, descriptor: &str, body: Body) -> Self {
        let bodies = self.methods.choose(class, name, descriptor);
        bodies.push((id, body));
        self
    }
}

impl Kind for Switch {
    fn classes(&self) -> Classes<'_> {
        self.methods.classes()
    }

    fn open<'p>(&'p self, class: &ClassInHand<'_, '_>) -> Option<Box<dyn MethodRewriter<'p> + 'p>> {
        let methods = self.methods.of_class(class.name)?;
        Some(Box::new(SwitchedClass { methods }))
    }
}

struct SwitchedClass<'p> {
    methods: &'p [ChosenMethod<Vec<(i32, Body)>>],
}

impl<'p> MethodRewriter<'p> for SwitchedClass<'p> {
    fn rewrite(
        &mut self,
        method: &MethodInHand<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        let Some(switched) = choice_for(self.methods, method)? else {
            return Ok(());
        };
        // Read from the plan's own text, which outlives the class in hand.
        let result = MethodDescriptor::read(JavaStr::new(switched.descriptor.as_bytes()))?.result;
        for (id, body) in &switched.task {
            edit.prologue.code().get_static(ACTIVE, pool)?;
            edit.prologue.code().push_int(*id, pool)?;
            let off = edit.prologue.branch_if_ints_differ();
            body.write(result, edit.prologue.code(), pool)?;
            edit.prologue.return_value(result);
            edit.prologue.land(off)?;
        }
        Ok(())
    }
}

impl Body {
    /// Pushes what the body returns, if the method returns such a thing.
    fn write<'p>(
        &'p self,
        result: Type<'p>,
        code: &mut Snippet,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        match (self, result.first()) {
            (Body::Void, b'V') => Ok(()),
            (Body::EmptyArray, b'[') => write_empty_array(result, code, pool),
            (Body::Argument(slot), first) if first != b'V' => {
                code.load(*slot, result);
                Ok(())
            }
            _ => self.push(result, code, pool),
        }
    }

    /// Pushes a value that can be had anywhere in a method, if it is of this type.
    pub(super) fn push<'p>(
        &'p self,
        of: Type<'_>,
        code: &mut Snippet,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        match (self, of.first()) {
            (Body::Null, b'L' | b'[')
            | (Body::Int(_), b'I' | b'Z' | b'B' | b'C' | b'S')
            | (Body::Long(_), b'J')
            | (Body::Float(_), b'F')
            | (Body::Double(_), b'D') => self.push_constant(code, pool)?,
            (Body::String(text), b'L') if takes_a_string(of) => code.push_string(text, pool)?,
            (Body::New(class), b'L') => code.new_object(class, pool)?,
            (
                Body::Call {
                    class,
                    method,
                    descriptor,
                    is_interface,
                    arguments,
                },
                b'L',
            ) => {
                let taken = MethodDescriptor::read(JavaStr::new(descriptor.as_bytes()))?;
                if taken.parameters().count() != arguments.len() {
                    return Err(SkipReason::BodyMismatch);
                }
                for (parameter, argument) in taken.parameters().zip(arguments) {
                    argument.push(parameter, code, pool)?;
                }
                let method = MethodRef {
                    class,
                    name: method,
                    descriptor,
                };
                if *is_interface {
                    code.invoke_interface_static(method, pool)?;
                } else {
                    code.invoke_static(method, pool)?;
                }
            }
            _ => return Err(SkipReason::BodyMismatch),
        }
        Ok(())
    }

    /// Pushes null or a number, of whatever type is wanted there.
    pub(super) fn push_constant(
        &self,
        code: &mut Snippet,
        pool: &mut PoolExtension<'_>,
    ) -> Result<(), SkipReason> {
        match self {
            Body::Null => code.push_null(),
            Body::Int(value) => code.push_int(*value, pool)?,
            Body::Long(value) => code.push_long(*value, pool)?,
            Body::Float(value) => code.push_float(*value, pool)?,
            Body::Double(value) => code.push_double(*value, pool)?,
            _ => return Err(SkipReason::BodyMismatch),
        }
        Ok(())
    }
}

/// Types that can hold a string, as far as a name tells.
fn takes_a_string(result: Type<'_>) -> bool {
    result.class_name().is_some_and(|name| {
        [
            "java/lang/String",
            "java/lang/Object",
            "java/lang/CharSequence",
            "java/lang/Comparable",
        ]
        .iter()
        .any(|holder| name == *holder)
    })
}

fn write_empty_array<'p>(
    array: Type<'p>,
    code: &mut Snippet,
    pool: &mut PoolExtension<'p>,
) -> Result<(), SkipReason> {
    let element = array.element().ok_or(SkipReason::BodyMismatch)?;
    code.push_int(0, pool)?;
    // The type codes of `newarray` (JVMS table 6.5.newarray-A).
    let primitive = match element.first() {
        b'Z' => 4,
        b'C' => 5,
        b'F' => 6,
        b'D' => 7,
        b'B' => 8,
        b'S' => 9,
        b'I' => 10,
        b'J' => 11,
        _ => {
            // A class is named bare, an array by its descriptor (JVMS §4.4.1).
            let name = if element.is_array() {
                Some(element.as_str())
            } else {
                element.class_name()
            };
            let name = name.and_then(|name| std::str::from_utf8(name.as_bytes()).ok());
            code.new_array(name.ok_or(SkipReason::BodyMismatch)?, pool)?;
            return Ok(());
        }
    };
    code.new_primitive_array(primitive);
    Ok(())
}
