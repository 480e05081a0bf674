//! What a class file says, as hashes that differ when a program could behave differently.
//!
//! A smart fingerprint hashes resolved constants, never pool indices, and leaves out what a
//! program cannot see: debug information, annotations that the JVM drops, the order of
//! annotations and of the pool. It is split into parts, so that a reader can tell *which* use
//! of the class is affected. Classes it does not understand to the last attribute are hashed
//! byte by byte instead. Whether a difference matters to a test is not decided here.
//!
//! Tests that observe debug information (line numbers in stack traces, `SourceFile`) need plain
//! fingerprints.

mod annotation;
mod body;
mod constant;
mod declaration;
mod lambda;
mod reader;

use std::sync::Arc;

use jury_classfile::{ClassFile, Malformed};

use crate::hash::{Digest, Hash128};
use body::body;
use constant::Constants;
use declaration::{declaration, listing, structure};
use lambda::Lambdas;

/// How class files are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hashing {
    /// Every byte counts.
    Plain,
    /// What a program can see counts, part by part.
    Smart {
        /// Whether a new class-file version alone is a change. The JVM treats old versions
        /// differently in places, so it is by default.
        version_counts: bool,
    },
}

impl Default for Hashing {
    fn default() -> Self {
        Hashing::Smart {
            version_counts: true,
        }
    }
}

/// One version of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassFingerprint {
    /// Equal only if nothing that counts differs.
    pub whole: Hash128,
    /// None for a plain fingerprint, which knows only the whole.
    pub parts: Option<Parts>,
}

/// The parts of a class that tests depend on separately.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// What any reference to the class can see: hierarchy, flags, fields with their constants,
    /// declarations of methods, signatures, annotations visible at run time, nesting, record
    /// components, permitted subclasses. Everything but code.
    pub structure: Hash128,
    /// What only code that lists the class's contents can see besides: the order of members,
    /// lambda bodies, nest members.
    pub listing: Hash128,
    /// The body of the static initialiser.
    pub initializer: Hash128,
    /// Methods by name and descriptor; the static initialiser is not among them.
    members: Vec<MemberFingerprint>,
}

/// One method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberFingerprint {
    pub name: Arc<str>,
    pub descriptor: Arc<str>,
    /// For the body of a lambda: its rank among those of the same method. Compilers number
    /// lambdas through the class, so a new one renames all that follow; ranks stay.
    pub lambda: Option<u32>,
    pub body: Hash128,
}

/// What pairs a method with itself in another version of its class.
pub(crate) type MemberIdentity<'a> = (&'a str, Option<u32>, &'a str);

impl MemberFingerprint {
    /// The same for a method in every version of its class, and different for every two methods.
    pub fn identity_hash(&self) -> Hash128 {
        let (name, lambda, descriptor) = self.identity();
        let mut digest = Digest::new("jury method identity 1");
        digest.bytes(name.as_bytes());
        digest.bytes(descriptor.as_bytes());
        digest.number(lambda.map_or(0, |rank| u64::from(rank) + 1));
        digest.finish()
    }

    pub(crate) fn identity(&self) -> MemberIdentity<'_> {
        let name = match self.lambda {
            Some(_) => lambda::stem(&self.name),
            None => &self.name,
        };
        (name, self.lambda, &self.descriptor)
    }
}

impl Parts {
    pub fn new(
        structure: Hash128,
        listing: Hash128,
        initializer: Hash128,
        mut members: Vec<MemberFingerprint>,
    ) -> Self {
        members.sort_unstable_by(|a, b| (&a.name, &a.descriptor).cmp(&(&b.name, &b.descriptor)));
        Parts {
            structure,
            listing,
            initializer,
            members,
        }
    }

    pub fn members(&self) -> &[MemberFingerprint] {
        &self.members
    }

    /// Where a method stands in [`members`](Self::members).
    pub fn position(&self, name: &str, descriptor: &str) -> Option<usize> {
        self.members
            .binary_search_by(|own| (&*own.name, &*own.descriptor).cmp(&(name, descriptor)))
            .ok()
    }

    fn whole(&self) -> Hash128 {
        let mut digest = Digest::new("jury smart class 1");
        digest.hash(self.structure);
        digest.hash(self.listing);
        digest.hash(self.initializer);
        for member in &self.members {
            digest.bytes(member.name.as_bytes());
            digest.bytes(member.descriptor.as_bytes());
            digest.hash(member.body);
        }
        digest.finish()
    }
}

impl ClassFingerprint {
    /// Never fails: bytes that are no class file, or hold an attribute that Jury does not
    /// know, get a plain fingerprint, which can only select more.
    pub fn of(bytes: &[u8], hashing: Hashing) -> Self {
        match hashing {
            Hashing::Plain => Self::plain(bytes),
            Hashing::Smart { version_counts } => match smart(bytes, version_counts) {
                Ok(parts) => Self::from_parts(parts),
                Err(Opaque) => Self::plain(bytes),
            },
        }
    }

    pub fn from_parts(parts: Parts) -> Self {
        ClassFingerprint {
            whole: parts.whole(),
            parts: Some(parts),
        }
    }

    fn plain(bytes: &[u8]) -> Self {
        let mut digest = Digest::new("jury plain class 1");
        digest.bytes(bytes);
        ClassFingerprint {
            whole: digest.finish(),
            parts: None,
        }
    }
}

/// The class cannot be taken apart with certainty.
#[derive(Debug)]
struct Opaque;

impl From<Malformed> for Opaque {
    fn from(_: Malformed) -> Self {
        Opaque
    }
}

type Result<T, E = Opaque> = std::result::Result<T, E>;

/// Names of methods may repeat one long constant; no honest class comes near this.
const MAX_NAMES: usize = 1 << 24;

fn smart(bytes: &[u8], version_counts: bool) -> Result<Parts> {
    let class = ClassFile::read(bytes)?;
    let lambdas = Lambdas::of(&class)?;
    let mut constants = Constants::new(&class, &lambdas)?;
    let mut initializer = Digest::new("initializer").finish();
    let mut declarations = Vec::new();
    let mut members = Vec::with_capacity(class.methods.len());
    let mut names = 0;
    for method in &class.methods {
        let (name, descriptor) = (method.name(&class.pool)?, method.descriptor(&class.pool)?);
        let body = body(method, &mut constants)?;
        if name == "<clinit>" {
            initializer = body;
            continue;
        }
        let lambda = lambdas.rank(name, descriptor);
        if lambda.is_none() {
            declarations.push(declaration("method", method, &mut constants)?);
        }
        names += name.as_bytes().len() + descriptor.as_bytes().len();
        if names > MAX_NAMES {
            return Err(Opaque);
        }
        members.push(MemberFingerprint {
            name: name.to_str().into(),
            descriptor: descriptor.to_str().into(),
            lambda,
            body,
        });
    }
    let structure = structure(&class, version_counts, declarations, &mut constants)?;
    let parts = Parts::new(
        structure,
        listing(&class, &mut constants)?,
        initializer,
        members,
    );
    // Names that are no text can fall together once decoded; two methods must not.
    let same = |pair: &[MemberFingerprint]| pair[0].identity() == pair[1].identity();
    if parts.members.windows(2).any(same) {
        Err(Opaque)
    } else {
        Ok(parts)
    }
}
