//! A toy Java: just enough to go wrong in every way that selection must notice.

mod edit;
mod jvm;

use std::borrow::Cow;
use std::collections::BTreeMap;

use jury_select::{
    ClassFingerprint, ClassKey, FoundClass, Hash128, MemberFingerprint, Parts, State, Subject,
    World,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

pub use jvm::Jvm;

/// Classes are numbered and refer only downwards, so that initialisers never wait for each
/// other. The last class holds the tests. A missing class has no file.
#[derive(Debug, Clone)]
pub struct Program {
    pub classes: Vec<Option<Class>>,
    pub files: BTreeMap<u8, u8>,
}

#[derive(Debug, Clone)]
pub struct Class {
    pub parent: Option<usize>,
    pub constant: u8,
    pub initializer: Vec<Op>,
    /// In the order of declaration.
    pub methods: Vec<(u8, Vec<Op>)>,
}

/// One statement. Everything it finds becomes part of the outcome.
#[derive(Debug, Clone, Copy)]
pub enum Op {
    Say(u8),
    /// Reads a constant field: a reference that does not initialise.
    ReadConstant(usize),
    /// Reads what the static initialiser left behind.
    ReadStatic(usize),
    /// Calls a method found in the class or above it.
    CallStatic(usize, u8),
    /// Constructs an object of the first class and calls a method through the second.
    CallVirtual(usize, usize, u8),
    /// Is the first class a kind of the second?
    IsKindOf(usize, usize),
    /// Names the methods that the class declares.
    ListMethods(usize),
    ReadFile(u8),
}

const CLASSES: usize = 5;
const METHODS: u8 = 4;
const FILES: u8 = 3;

/// Statements of a class that may refer to classes `0..below`.
fn op(below: usize) -> BoxedStrategy<Op> {
    let say = any::<u8>().prop_map(Op::Say);
    let file = (0..FILES).prop_map(Op::ReadFile);
    if below == 0 {
        return prop_oneof![say, file].boxed();
    }
    let class = 0..below;
    let method = 0..METHODS;
    prop_oneof![
        2 => say,
        1 => file,
        1 => class.clone().prop_map(Op::ReadConstant),
        2 => class.clone().prop_map(Op::ReadStatic),
        3 => (class.clone(), method.clone()).prop_map(|(class, name)| Op::CallStatic(class, name)),
        4 => (class.clone(), class.clone(), method)
            .prop_map(|(made, through, name)| Op::CallVirtual(made, through, name)),
        1 => (class.clone(), class.clone()).prop_map(|(class, kind)| Op::IsKindOf(class, kind)),
        1 => class.prop_map(Op::ListMethods),
    ]
    .boxed()
}

fn body(below: usize) -> impl Strategy<Value = Vec<Op>> {
    vec(op(below), 0..4)
}

fn parent(number: usize) -> BoxedStrategy<Option<usize>> {
    if number == 0 {
        Just(None).boxed()
    } else {
        option::weighted(0.7, 0..number).boxed()
    }
}

fn class(number: usize) -> impl Strategy<Value = Class> {
    let methods = prop::collection::btree_map(0..METHODS, body(number + 1), 0..4)
        .prop_map(|methods| methods.into_iter().collect::<Vec<_>>())
        .prop_shuffle();
    (parent(number), any::<u8>(), body(number), methods).prop_map(
        |(parent, constant, initializer, methods)| Class {
            parent,
            constant,
            initializer,
            methods,
        },
    )
}

fn program() -> impl Strategy<Value = Program> {
    let classes: Vec<_> = (0..CLASSES)
        .map(|number| option::weighted(0.9, class(number)))
        .collect();
    let tests = vec(vec(op(CLASSES), 1..4), 1..4).prop_map(|bodies| {
        let methods = (0..).zip(bodies).collect();
        Some(Class {
            parent: None,
            constant: 0,
            initializer: Vec::new(),
            methods,
        })
    });
    let files = prop::collection::btree_map(0..FILES, any::<u8>(), 0..3);
    (classes, tests, files).prop_map(|(mut classes, tests, files)| {
        classes.push(tests);
        Program { classes, files }
    })
}

/// A program, and what became of it after a few edits.
pub fn programs() -> impl Strategy<Value = (Program, Program)> {
    (program(), vec(edit::edit(), 1..4)).prop_map(|(before, edits)| {
        let mut after = before.clone();
        edits.iter().for_each(|edit| edit.apply(&mut after));
        (before, after)
    })
}

impl Program {
    /// The class, if it and everything above it can be loaded.
    pub fn class(&self, number: usize) -> Option<&Class> {
        self.classes[number].as_ref()
    }

    /// The class and everything above it, as far as there is one.
    pub fn with_parents(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(number), |number| self.class(*number)?.parent)
    }
}

impl Class {
    pub fn method(&self, name: u8) -> Option<&[Op]> {
        let found = self.methods.iter().find(|(own, _)| *own == name);
        found.map(|(_, body)| body.as_slice())
    }

    pub fn fingerprint(&self) -> ClassFingerprint {
        let hash = |text: String| Hash128::of(text.as_bytes());
        let names: Vec<u8> = self.methods.iter().map(|(name, _)| *name).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        let members = self.methods.iter().map(|(name, body)| MemberFingerprint {
            name: name.to_string().into(),
            descriptor: "".into(),
            lambda: None,
            body: hash(format!("{body:?}")),
        });
        ClassFingerprint::from_parts(Parts::new(
            hash(format!("{:?} {} {sorted:?}", self.parent, self.constant)),
            hash(format!("{names:?}")),
            hash(format!("{:?}", self.initializer)),
            members.collect(),
        ))
    }
}

pub fn key(number: usize) -> ClassKey {
    ClassKey {
        origin: "classes".into(),
        name: number.to_string().into(),
    }
}

impl World for Program {
    fn class(&self, key: &ClassKey) -> Option<FoundClass<'_>> {
        let class = self.class(key.name.parse().ok()?)?;
        let fingerprint = Cow::Owned(class.fingerprint());
        Some(FoundClass {
            origin: key.origin.clone(),
            fingerprint,
        })
    }

    fn state(&self, subject: &Subject) -> State {
        let number = subject.name();
        match subject {
            Subject::File(_) => match self.files.get(&number.parse().unwrap()) {
                Some(content) => State::Present(Hash128::of(&[*content])),
                None => State::Absent,
            },
            Subject::MissingClass(_) => match self.class(number.parse().unwrap()) {
                Some(_) => State::Present(Hash128::of(&[])),
                None => State::Absent,
            },
            _ => unreachable!("the toy has no {subject}"),
        }
    }
}
