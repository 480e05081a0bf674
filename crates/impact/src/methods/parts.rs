//! How a class differs between two versions, part by part.

use serde::{Deserialize, Serialize};

use crate::names::Name;

/// One version of a class as hashes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassParts {
    /// Everything but code.
    pub declaration: [u8; 16],
    pub initialiser: [u8; 16],
    /// Without the static initialiser.
    pub methods: Vec<MethodVersion>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodVersion {
    /// Name and descriptor.
    pub signature: Name,
    /// The same in all versions of the class, also if the compiler has numbered lambdas anew.
    pub identity: [u8; 16],
    pub body: [u8; 16],
}

/// What is not the same any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The class is new, or gone, or nothing more is known.
    Whole,
    Parts {
        declaration: bool,
        initialiser: bool,
        /// Changed and new ones. One that is gone shows in the declaration, or, if it was a
        /// lambda, in the method that it stood in.
        methods: Vec<Name>,
    },
}

impl ClassParts {
    /// The same in another collection of names; `moved` has the name there of each one here.
    pub fn moved(&mut self, moved: &[Name]) {
        for method in &mut self.methods {
            method.signature = moved[method.signature.place()];
        }
    }
}

impl Difference {
    pub fn between(old: &ClassParts, new: &ClassParts) -> Self {
        let same = |method: &&MethodVersion| {
            let same =
                |own: &MethodVersion| own.identity == method.identity && own.body == method.body;
            old.methods.iter().any(same)
        };
        let methods = new.methods.iter().filter(|method| !same(method));
        Difference::Parts {
            declaration: old.declaration != new.declaration,
            initialiser: old.initialiser != new.initialiser,
            methods: methods.map(|method| method.signature).collect(),
        }
    }
}
