//! Which fields the code of a class may leave something in for those who come later.

use std::collections::HashMap;

use crate::code::Code;
use crate::opcode::{
    AASTORE, ACONST_NULL, BASTORE, CASTORE, DASTORE, DCMPG, DUP, FASTORE, GETFIELD, GETSTATIC,
    IASTORE, IF_ACMPEQ, IF_ACMPNE, IF_ICMPEQ, IF_ICMPNE, IFEQ, IFGE, IFLT, IFNE, IFNONNULL, IFNULL,
    ILOAD, LASTORE, LCMP, LDC2_W, PUTFIELD, PUTSTATIC, SASTORE,
};
use crate::{ClassFile, Constant, ConstantPool, JavaStr, Malformed, MemberRef, Operand};

/// What one method may leave behind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stores<'a> {
    /// Static fields that the code assigns to, and those that it reads and whose kind of collection,
    /// reference or array it puts something into. Whether it is that very one is not looked at.
    pub statics: Vec<MemberRef<'a>>,
    /// Fields of objects that the code fills if it finds them empty, as in
    /// `if (name == null) name = compute();`: it branches on what is in the field, or in an array
    /// there, and stores into it; or it asks a container and puts something into one of that type.
    /// What methods of the same class do for it counts as well.
    pub memos: Vec<MemberRef<'a>>,
}

/// Beginnings of names of methods that put something into a collection, a reference or a variable
/// of the JDK, or into a container of the project's.
const PUTTING: &[&str] = &[
    "accumulateAnd",
    "add",
    "compareAnd",
    "complete",
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
    "weakCompareAnd",
];

/// Methods that compute what they are asked for if nobody has asked before.
const COMPUTING: &[(&str, &str)] = &[
    ("java/lang/ClassValue", "get"),
    ("java/lang/ThreadLocal", "get"),
    ("java/util/concurrent/FutureTask", "run"),
];

/// Beginnings of names of methods that ask a container for what it may hold already.
const ASKING: &[&str] = &[
    "compute",
    "contains",
    "get",
    "has",
    "is",
    "peek",
    "putIfAbsent",
];

/// A method of a class calls others of it, and these yet others; so far that is followed.
const MOST_CALLS: usize = 3;

impl<'a> ClassFile<'a> {
    /// What each method may leave behind, in the order of the class file.
    pub fn stores(&self) -> Result<Vec<Stores<'a>>, Malformed> {
        let mut places = HashMap::new();
        for (place, method) in self.methods.iter().enumerate() {
            let name = method.name(&self.pool)?;
            if name != "<init>" {
                places.insert((name, method.descriptor(&self.pool)?), place);
            }
        }
        let own = OwnMethods {
            class: self.name()?,
            places,
        };
        let mut effects = Vec::with_capacity(self.methods.len());
        for method in &self.methods {
            effects.push(match method.code(&self.pool)? {
                Some(code) => Effects::of(&code, &own, &self.pool)?,
                None => Effects::default(),
            });
        }
        Ok(effects.iter().map(|one| one.stores(&effects)).collect())
    }
}

/// Methods of the class itself, constructors aside.
struct OwnMethods<'a> {
    class: JavaStr<'a>,
    places: HashMap<(JavaStr<'a>, JavaStr<'a>), usize>,
}

impl<'a> OwnMethods<'a> {
    fn find(&self, called: MemberRef<'a>) -> Option<usize> {
        let named = (called.owner == self.class).then_some((called.name, called.descriptor))?;
        self.places.get(&named).copied()
    }
}

/// What decides which way the code goes.
#[derive(Clone, Copy)]
enum Held<'a> {
    Field(MemberRef<'a>),
    /// What a method of its own class returns.
    Answer(usize),
}

/// What one method's code does to fields.
#[derive(Default)]
struct Effects<'a> {
    stores: Stores<'a>,
    read: Vec<MemberRef<'a>>,
    /// Fields that it assigns to or, if they hold containers, puts something into.
    filled_statics: Vec<MemberRef<'a>>,
    filled_objects: Vec<MemberRef<'a>>,
    /// Fields that decide which way it goes, and its own methods whose answers do.
    branched_on: Vec<MemberRef<'a>>,
    questions: Vec<usize>,
    calls: Vec<usize>,
}

impl<'a> Effects<'a> {
    fn of(
        code: &Code<'a>,
        own: &OwnMethods<'a>,
        pool: &ConstantPool<'a>,
    ) -> Result<Self, Malformed> {
        let mut effects = Effects::default();
        let (mut statics_read, mut objects_read) = (Vec::new(), Vec::new());
        let mut calls = Calls::default();
        let mut arrays = Vec::new();
        // Between what a branch depends on and the branch, a value may be kept in a variable, be an
        // element's, or be compared with a constant.
        let mut in_hand: Option<Held<'a>> = None;
        let mut previous = 0;
        for instruction in code.instructions() {
            let instruction = instruction?;
            let opcode = instruction.opcode;
            let behind_constant = is_constant(previous) || previous == GETSTATIC;
            // What is set to null is emptied, not filled.
            let is_emptied = previous == ACONST_NULL;
            previous = opcode;
            match opcode {
                IFEQ | IFNE | IFLT | IFGE | IFNULL | IFNONNULL => effects.branch_on(in_hand.take()),
                IF_ICMPEQ | IF_ICMPNE | IF_ACMPEQ | IF_ACMPNE if behind_constant => {
                    effects.branch_on(in_hand.take());
                }
                IASTORE..=SASTORE => {
                    arrays.push(opcode);
                    let fits = |field: &&MemberRef<'a>| is_array_of(field.descriptor, opcode);
                    let branched_on = effects.branched_on.iter().filter(fits);
                    effects.stores.memos.extend(branched_on);
                }
                LCMP..=DCMPG if behind_constant => continue,
                // Variables, elements and the numbers of elements.
                DUP | ACONST_NULL..=LDC2_W | ILOAD..IASTORE => continue,
                _ => {}
            }
            let held = in_hand.take();
            let Operand::Constant(index) = instruction.operand else {
                continue;
            };
            match (opcode, pool.get(index)?) {
                (GETFIELD, Constant::Field(field)) => {
                    in_hand = Some(Held::Field(field));
                    objects_read.push(field);
                }
                (GETSTATIC, Constant::Field(field)) => {
                    // A field may be compared with a constant of an enum.
                    in_hand = match held {
                        Some(Held::Field(held)) if held.descriptor == field.descriptor => {
                            Some(Held::Field(held))
                        }
                        _ => Some(Held::Field(field)),
                    };
                    statics_read.push(field);
                }
                (PUTFIELD, Constant::Field(field)) if !is_emptied => {
                    if effects.branched_on.contains(&field) {
                        effects.stores.memos.push(field);
                    }
                    effects.filled_objects.push(field);
                }
                (PUTSTATIC, Constant::Field(field)) => {
                    effects.stores.statics.push(field);
                    effects.filled_statics.push(field);
                }
                (_, Constant::Method(called) | Constant::InterfaceMethod(called)) => {
                    let place = own.find(called);
                    effects.calls.extend(place);
                    let is_question = called.descriptor.as_bytes().starts_with(b"()");
                    in_hand = match place {
                        Some(place) if is_question => Some(Held::Answer(place)),
                        _ => held.filter(|_| asks_for_null(called)),
                    };
                    calls.add(called);
                }
                _ => {}
            }
        }
        for field in &statics_read {
            let is_filled_array = |opcode: &u8| is_array_of(field.descriptor, *opcode);
            if calls.fill(*field) || arrays.iter().any(is_filled_array) {
                effects.stores.statics.push(*field);
                effects.filled_statics.push(*field);
            }
        }
        for field in &objects_read {
            if is_container_type(field.descriptor) && calls.put_into(*field) {
                effects.filled_objects.push(*field);
                let is_asked = calls.ask(*field);
                effects.stores.memos.extend(is_asked.then_some(*field));
            }
        }
        effects.read = statics_read;
        effects.read.extend(objects_read);
        let containers = (effects.read.iter())
            .filter(|field| is_container_type(field.descriptor) && calls.ask(**field));
        effects.branched_on.extend(containers);
        Ok(effects)
    }

    fn branch_on(&mut self, held: Option<Held<'a>>) {
        match held {
            Some(Held::Field(field)) => self.branched_on.push(field),
            Some(Held::Answer(method)) => self.questions.push(method),
            None => {}
        }
    }

    /// Whoever asks such a method learns what is in the fields it reads; one that fills some is looked
    /// at for itself.
    fn only_answers(&self) -> bool {
        self.filled_statics.is_empty() && self.filled_objects.is_empty()
    }

    /// With what other methods of the class do that it calls.
    fn stores(&self, all: &[Effects<'a>]) -> Stores<'a> {
        let mut stores = self.stores.clone();
        let questions = self.questions.iter().map(|method| &all[*method]);
        let answers = (questions.filter(|method| method.only_answers())).flat_map(|one| &one.read);
        // Numbers are moved on all the time, by whoever counts or reads.
        let asked: Vec<&MemberRef<'a>> = (self.branched_on.iter().chain(answers))
            .filter(|field| matches!(field.descriptor.as_bytes()[..], [b'L' | b'[' | b'Z', ..]))
            .collect();
        if asked.is_empty() {
            return stores;
        }
        for method in self.reached(all) {
            let is_asked = |field: &&MemberRef<'a>| asked.contains(field);
            let (statics, objects) = (&all[method].filled_statics, &all[method].filled_objects);
            stores.statics.extend(statics.iter().filter(is_asked));
            stores.memos.extend(objects.iter().filter(is_asked));
        }
        stores
    }

    fn reached(&self, all: &[Effects<'a>]) -> Vec<usize> {
        let mut is_known = vec![false; all.len()];
        let mut reached = Vec::new();
        let mut callers = vec![self];
        for _ in 0..MOST_CALLS {
            let from = reached.len();
            for method in callers.iter().flat_map(|caller| &caller.calls) {
                if !std::mem::replace(&mut is_known[*method], true) {
                    reached.push(*method);
                }
            }
            callers = reached[from..].iter().map(|method| &all[*method]).collect();
        }
        reached
    }
}

/// Methods that some code calls, by what they do to an object of the class that declares them.
#[derive(Default)]
struct Calls<'a> {
    asking: Vec<JavaStr<'a>>,
    putting: Vec<JavaStr<'a>>,
    /// Descriptors of methods that may put something into what they are handed.
    handing_on: Vec<JavaStr<'a>>,
}

impl<'a> Calls<'a> {
    fn add(&mut self, called: MemberRef<'a>) {
        let is_of_jdk = called.owner.as_bytes().starts_with(b"java/");
        if begins(called.name, ASKING) {
            self.asking.push(called.owner);
        }
        if puts_something(called) || !is_of_jdk && begins(called.name, PUTTING) {
            self.putting.push(called.owner);
        }
        if !is_of_jdk {
            self.handing_on.push(called.descriptor);
        }
    }

    fn ask(&self, field: MemberRef<'a>) -> bool {
        let mut asking = self.asking.iter();
        asking.any(|class| is_of_class(field.descriptor, *class))
    }

    fn put_into(&self, field: MemberRef<'a>) -> bool {
        let mut putting = self.putting.iter();
        putting.any(|class| is_of_class(field.descriptor, *class))
    }

    /// Containers of the JDK's are known by what their methods do. Of others, and where a container
    /// is handed on, only asking first tells.
    fn fill(&self, field: MemberRef<'a>) -> bool {
        let is_container = is_container_type(field.descriptor);
        let mut handing_on = self.handing_on.iter();
        self.put_into(field) && (is_container || self.ask(field))
            || is_container
                && self.ask(field)
                && handing_on.any(|method| takes(*method, field.descriptor))
    }
}

/// `Objects.isNull` and its opposite.
fn asks_for_null(called: MemberRef<'_>) -> bool {
    called.owner == "java/util/Objects" && (called.name == "isNull" || called.name == "nonNull")
}

fn is_constant(opcode: u8) -> bool {
    (ACONST_NULL..=LDC2_W).contains(&opcode)
}

fn puts_something(called: MemberRef<'_>) -> bool {
    let computes = |(owner, name): &(&str, &str)| called.owner == *owner && called.name == *name;
    is_container(called.owner) && begins(called.name, PUTTING) || COMPUTING.iter().any(computes)
}

fn is_container(class: JavaStr<'_>) -> bool {
    let class = class.as_bytes();
    let others: [&[u8]; 3] = [
        b"java/lang/ClassValue",
        b"java/lang/ThreadLocal",
        b"java/lang/invoke/VarHandle",
    ];
    class.starts_with(b"java/util/") || others.contains(&class)
}

fn is_container_type(descriptor: JavaStr<'_>) -> bool {
    let inner = descriptor.as_bytes().strip_prefix(b"L");
    let inner = inner.and_then(|inner| inner.strip_suffix(b";"));
    inner.is_some_and(|class| is_container(JavaStr::new(class)))
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

/// Whether a method of this descriptor takes a reference of exactly that type.
fn takes(method: JavaStr<'_>, parameter: JavaStr<'_>) -> bool {
    let (method, parameter) = (method.as_bytes(), parameter.as_bytes());
    let end = method.iter().position(|byte| *byte == b')').unwrap_or(0);
    parameter.starts_with(b"L")
        && (method[..end].windows(parameter.len())).any(|window| window == parameter)
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
