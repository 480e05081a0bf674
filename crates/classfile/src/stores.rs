//! Which fields a method's code may leave something in for those who come later.

use crate::code::Code;
use crate::opcode::{
    AASTORE, BASTORE, CASTORE, DASTORE, DUP, FASTORE, GETFIELD, GETSTATIC, IASTORE, ICONST_M1,
    IFEQ, IFNE, IFNONNULL, IFNULL, ILOAD, LASTORE, PUTFIELD, PUTSTATIC, SASTORE, SIPUSH,
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

/// Beginnings of names of methods that ask a container for what it may hold already.
const ASKING: &[&str] = &[
    "compute",
    "contains",
    "get",
    "isEmpty",
    "peek",
    "putIfAbsent",
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

    /// Fields of objects that the code fills if it finds them empty, as in
    /// `if (name == null) name = compute();`: it branches on what is in the field, or in an array
    /// there, and stores into it; or it asks a container and puts something into one of that type.
    pub fn memo_stores(&self, pool: &ConstantPool<'a>) -> Result<Vec<MemberRef<'a>>, Malformed> {
        let mut stores = Vec::new();
        let mut read = Vec::new();
        // What a branch depends on; between the field and the branch, its value may be kept in a
        // variable, or be an element's.
        let mut in_hand: Option<MemberRef<'a>> = None;
        let mut branched_on: Vec<MemberRef<'a>> = Vec::new();
        let (mut asked, mut filled): (Vec<JavaStr<'a>>, Vec<JavaStr<'a>>) = Default::default();
        for instruction in self.instructions() {
            let instruction = instruction?;
            let opcode = instruction.opcode;
            match opcode {
                IFEQ | IFNE | IFNULL | IFNONNULL => branched_on.extend(in_hand.take()),
                IASTORE..=SASTORE => {
                    let fits = |field: &&MemberRef<'a>| is_array_of(field.descriptor, opcode);
                    stores.extend(branched_on.iter().filter(fits));
                }
                // Variables, elements and the numbers of elements.
                DUP | ICONST_M1..=SIPUSH | ILOAD..IASTORE => continue,
                _ => in_hand = None,
            }
            let Operand::Constant(index) = instruction.operand else {
                continue;
            };
            match (opcode, pool.get(index)?) {
                (GETFIELD, Constant::Field(field)) => {
                    in_hand = Some(field);
                    read.push(field);
                }
                (PUTFIELD, Constant::Field(field)) if branched_on.contains(&field) => {
                    stores.push(field);
                }
                (_, Constant::Method(called) | Constant::InterfaceMethod(called)) => {
                    let asks = is_container(called.owner) && begins(called.name, ASKING);
                    asked.extend(asks.then_some(called.owner));
                    filled.extend(puts_something(called).then_some(called.owner));
                }
                _ => {}
            }
        }
        stores.extend(read.into_iter().filter(|field| {
            let holds = |owner: &JavaStr<'_>| is_of_class(field.descriptor, *owner);
            asked.iter().any(holds) && filled.iter().any(holds)
        }));
        Ok(stores)
    }
}

fn puts_something(called: MemberRef<'_>) -> bool {
    is_container(called.owner) && begins(called.name, PUTTING)
}

fn is_container(class: JavaStr<'_>) -> bool {
    let class = class.as_bytes();
    class.starts_with(b"java/util/") || class == b"java/lang/ThreadLocal"
}

fn begins(name: JavaStr<'_>, beginnings: &[&str]) -> bool {
    let name = name.as_bytes();
    (beginnings.iter()).any(|beginning| name.starts_with(beginning.as_bytes()))
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
