//! The catalogue: every class version and every fact that rows speak of, each kept once.
//!
//! Rows of one run share nearly all they mention, so they hold numbers and the catalogue holds
//! contents. It only grows; versions that no row needs any more are left behind by moving the
//! rows to a fresh catalogue ([`Row::moved`](crate::Row::moved)).

mod encoding;

use std::collections::HashMap;
use std::sync::Arc;

use jury_classfile::readable_signature;

use crate::fact::{Fact, State};
use crate::fingerprint::{ClassFingerprint, MemberFingerprint, Parts};
use crate::hash::{Digest, Hash128};

/// A class and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassKey {
    /// The class path entry: a directory, or a jar, whose entry is then `origin!name.class`.
    pub origin: Arc<str>,
    /// Binary name in the VM's form: `a/B$C`.
    pub name: Arc<str>,
}

/// A class as a test saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassVersion {
    pub key: ClassKey,
    pub fingerprint: ClassFingerprint,
}

impl ClassVersion {
    /// None in a class that is known as a whole only.
    pub(crate) fn members(&self) -> &[MemberFingerprint] {
        let parts = self.fingerprint.parts.as_ref();
        parts.map_or(&[], Parts::members)
    }

    /// A method by its position, as a source file writes it.
    pub(crate) fn method_in_words(&self, position: usize) -> String {
        let name = self.key.name.replace('/', ".");
        let member = self.members().get(position);
        let signature = member.map_or(String::new(), |member| {
            readable_signature(&format!("{}{}", member.name, member.descriptor))
        });
        match signature.strip_prefix("<init>") {
            Some(parameters) => format!("constructor `{name}{parameters}`"),
            None => format!("method `{name}.{signature}`"),
        }
    }
}

/// The number of a class version in its catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub(crate) u32);

/// The number of a fact in its catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(pub(crate) u32);

#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    classes: Vec<ClassVersion>,
    facts: Vec<Fact>,
    class_numbers: HashMap<Hash128, u32>,
    fact_numbers: HashMap<Hash128, u32>,
    /// By number, and kept close together: rows are checked against them one by one.
    class_stamps: Vec<ClassStamp>,
    fact_stamps: Vec<Hash128>,
}

/// What a row relies on in a class version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClassStamp {
    /// Tells the version from all others.
    pub hash: Hash128,
    /// How many methods its fingerprint lists.
    pub members: usize,
}

impl Catalogue {
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of a class version, entered if it is new.
    pub fn class(&mut self, version: ClassVersion) -> ClassId {
        let stamp = class_stamp(&version);
        let next = self.classes.len() as u32;
        let number = *self.class_numbers.entry(stamp).or_insert(next);
        if number == next {
            let parts = version.fingerprint.parts.as_ref();
            let members = parts.map_or(0, |parts| parts.members().len());
            self.class_stamps.push(ClassStamp {
                hash: stamp,
                members,
            });
            self.classes.push(version);
        }
        ClassId(number)
    }

    /// The number of a fact, entered if it is new.
    pub fn fact(&mut self, fact: Fact) -> FactId {
        let stamp = fact_stamp(&fact);
        let next = self.facts.len() as u32;
        let number = *self.fact_numbers.entry(stamp).or_insert(next);
        if number == next {
            self.facts.push(fact);
            self.fact_stamps.push(stamp);
        }
        FactId(number)
    }

    /// A version entered earlier.
    ///
    /// # Panics
    /// If `id` comes from another catalogue and is beyond this one. Rows decoded against this
    /// catalogue hold no such number.
    pub fn class_version(&self, id: ClassId) -> &ClassVersion {
        &self.classes[id.0 as usize]
    }

    /// A fact entered earlier; panics like [`class_version`](Self::class_version).
    pub fn fact_seen(&self, id: FactId) -> &Fact {
        &self.facts[id.0 as usize]
    }

    pub fn classes(&self) -> &[ClassVersion] {
        &self.classes
    }

    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    pub(crate) fn class_stamp(&self, id: ClassId) -> Option<ClassStamp> {
        self.class_stamps.get(id.0 as usize).copied()
    }

    pub(crate) fn fact_stamp(&self, id: FactId) -> Option<Hash128> {
        self.fact_stamps.get(id.0 as usize).copied()
    }
}

fn class_stamp(ClassVersion { key, fingerprint }: &ClassVersion) -> Hash128 {
    let mut digest = Digest::new("class version");
    digest.bytes(key.origin.as_bytes());
    digest.bytes(key.name.as_bytes());
    digest.hash(fingerprint.whole);
    digest.finish()
}

fn fact_stamp(Fact { subject, state }: &Fact) -> Hash128 {
    let mut digest = Digest::new("fact");
    digest.number(subject.kind());
    digest.bytes(subject.name().as_bytes());
    match state {
        State::Absent => digest.byte(0),
        State::Unreadable => digest.byte(1),
        State::Present(hash) => {
            digest.byte(2);
            digest.hash(*hash);
        }
    }
    digest.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::Subject;
    use crate::fingerprint::Hashing;

    fn version(origin: &str, content: &[u8]) -> ClassVersion {
        ClassVersion {
            key: ClassKey {
                origin: origin.into(),
                name: "a/B".into(),
            },
            fingerprint: ClassFingerprint::of(content, Hashing::Plain),
        }
    }

    #[test]
    fn equal_versions_share_a_number_and_different_ones_do_not() {
        let mut catalogue = Catalogue::new();
        let first = catalogue.class(version("classes", b"1"));
        assert_eq!(catalogue.class(version("classes", b"1")), first);
        assert_ne!(catalogue.class(version("classes", b"2")), first);
        assert_ne!(catalogue.class(version("other", b"1")), first);
        assert_eq!(catalogue.classes().len(), 3);
    }

    #[test]
    fn a_file_and_a_directory_of_one_name_are_two_facts() {
        let mut catalogue = Catalogue::new();
        let mut fact = |subject| {
            catalogue.fact(Fact {
                subject,
                state: State::Absent,
            })
        };
        assert_ne!(
            fact(Subject::File("x".into())),
            fact(Subject::Directory("x".into()))
        );
    }
}
