//! Which static fields a method's code may leave something in.

use crate::code::Code;
use crate::opcode::{
    AASTORE, BASTORE, CASTORE, DASTORE, FASTORE, GETSTATIC, IASTORE, LASTORE, PUTSTATIC, SASTORE,
};
use crate::{Constant, ConstantPool, JavaStr, Malformed, MemberRef, Operand};

/// Beginnings of names of methods that put something into a collection, a reference or a variable
/// of the JDK.
const PUTTING: &[&str] = &[
    "accumulateAnd",
    "add",
    "compareAnd",
    "compute",
    "getAnd",
    "lazySet",
    "load",
    "merge",
    "offer",
    "push",
    "put",
    "replace",
    "set",
    "updateAnd",
];

impl<'a> Code<'a> {
    /// Static fields that the code assigns to, and those that it reads and whose kind of collection,
    /// reference or array it puts something into. Whether it is that very one is not looked at.
    pub fn static_stores(&self, pool: &ConstantPool<'a>) -> Result<Vec<MemberRef<'a>>, Malformed> {
        let mut stores = Vec::new();
        let mut read = Vec::new();
        let mut filled: Vec<JavaStr<'a>> = Vec::new();
        let mut arrays = Vec::new();
        for instruction in self.instructions() {
            let instruction = instruction?;
            if (IASTORE..=SASTORE).contains(&instruction.opcode) {
                arrays.push(instruction.opcode);
            }
            let Operand::Constant(index) = instruction.operand else {
                continue;
            };
            match (instruction.opcode, pool.get(index)?) {
                (PUTSTATIC, Constant::Field(field)) => stores.push(field),
                (GETSTATIC, Constant::Field(field)) => read.push(field),
                (_, Constant::Method(called) | Constant::InterfaceMethod(called))
                    if puts_something(called) =>
                {
                    filled.push(called.owner);
                }
                _ => {}
            }
        }
        stores.extend(read.into_iter().filter(|field| {
            let holds = |owner: &JavaStr<'_>| is_of_class(field.descriptor, *owner);
            let is_filled = |opcode: &u8| is_array_of(field.descriptor, *opcode);
            filled.iter().any(holds) || arrays.iter().any(is_filled)
        }));
        Ok(stores)
    }
}

fn puts_something(called: MemberRef<'_>) -> bool {
    let owner = called.owner.as_bytes();
    let is_container = owner.starts_with(b"java/util/") || owner == b"java/lang/ThreadLocal";
    let name = called.name.as_bytes();
    is_container && (PUTTING.iter()).any(|beginning| name.starts_with(beginning.as_bytes()))
}

/// True for `Ljava/util/Map;` and `java/util/Map`.
fn is_of_class(descriptor: JavaStr<'_>, class: JavaStr<'_>) -> bool {
    let inner = descriptor.as_bytes().strip_prefix(b"L");
    inner.and_then(|inner| inner.strip_suffix(b";")) == Some(class.as_bytes())
}

/// Whether an instruction that stores into an array can store into one of this type.
fn is_array_of(descriptor: JavaStr<'_>, opcode: u8) -> bool {
    let [b'[', element, ..] = descriptor.as_bytes() else {
        return false;
    };
    match opcode {
        IASTORE => *element == b'I',
        LASTORE => *element == b'J',
        FASTORE => *element == b'F',
        DASTORE => *element == b'D',
        AASTORE => matches!(element, b'L' | b'['),
        BASTORE => matches!(element, b'B' | b'Z'),
        CASTORE => *element == b'C',
        SASTORE => *element == b'S',
        _ => false,
    }
}
