//! A catalogue as bytes. Names repeat without end, so each is spelled out where it first
//! occurs and is a number from then on.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Catalogue, ClassKey, ClassVersion};
use crate::codec::{DecodeError, Kind, Reader, Writer};
use crate::fact::{Fact, State, Subject};
use crate::fingerprint::{ClassFingerprint, MemberFingerprint, Parts};
use crate::hash::Hash128;

const KIND: Kind = Kind {
    what: "catalogue",
    magic: b"JyCt",
};

/// A catalogue refers to nothing outside itself.
const NOTHING: Hash128 = Hash128([0; 16]);

impl Catalogue {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = NameWriter {
            writer: Writer::new(KIND),
            numbers: HashMap::new(),
        };
        out.writer.number(self.classes.len() as u64);
        for ClassVersion { key, fingerprint } in &self.classes {
            out.name(&key.origin);
            out.name(&key.name);
            out.fingerprint(fingerprint);
        }
        out.writer.number(self.facts.len() as u64);
        for Fact { subject, state } in &self.facts {
            out.writer.number(subject.kind());
            out.name(subject.name());
            match state {
                State::Absent => out.writer.number(0),
                State::Unreadable => out.writer.number(1),
                State::Present(hash) => {
                    out.writer.number(2);
                    out.writer.hash(*hash);
                }
            }
        }
        out.writer.finish(NOTHING)
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = NameReader {
            reader: Reader::new(KIND, bytes)?,
            names: Vec::new(),
        };
        let mut catalogue = Catalogue::new();
        for number in 0..input.reader.count(16)? {
            let key = ClassKey {
                origin: input.name()?,
                name: input.name()?,
            };
            let fingerprint = input.fingerprint()?;
            let id = catalogue.class(ClassVersion { key, fingerprint });
            if id.0 as usize != number {
                return Err(input.reader.damaged());
            }
        }
        for number in 0..input.reader.count(3)? {
            let kind = input.reader.number()?;
            let name = (*input.name()?).to_owned();
            let subject = Subject::of_kind(kind, name).ok_or(input.reader.damaged())?;
            let state = match input.reader.number()? {
                0 => State::Absent,
                1 => State::Unreadable,
                2 => State::Present(input.reader.hash()?),
                _ => return Err(input.reader.damaged()),
            };
            if catalogue.fact(Fact { subject, state }).0 as usize != number {
                return Err(input.reader.damaged());
            }
        }
        input.reader.finish(NOTHING)?;
        Ok(catalogue)
    }
}

struct NameWriter<'a> {
    writer: Writer,
    numbers: HashMap<&'a str, u64>,
}

impl<'a> NameWriter<'a> {
    /// Numbers count from 1; 0 says that a new name follows.
    fn name(&mut self, name: &'a str) {
        let next = self.numbers.len() as u64 + 1;
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.writer.number(0);
            self.writer.text(name);
        } else {
            self.writer.number(number);
        }
    }

    fn fingerprint(&mut self, fingerprint: &'a ClassFingerprint) {
        self.writer.hash(fingerprint.whole);
        let Some(parts) = &fingerprint.parts else {
            self.writer.number(0);
            return;
        };
        self.writer.number(parts.members().len() as u64 + 1);
        for hash in [parts.structure, parts.listing, parts.initializer] {
            self.writer.hash(hash);
        }
        for member in parts.members() {
            self.name(&member.name);
            self.name(&member.descriptor);
            self.writer
                .number(member.lambda.map_or(0, |rank| u64::from(rank) + 1));
            self.writer.hash(member.body);
        }
    }
}

struct NameReader<'a> {
    reader: Reader<'a>,
    names: Vec<Arc<str>>,
}

impl NameReader<'_> {
    fn name(&mut self) -> Result<Arc<str>, DecodeError> {
        match self.reader.index()? {
            0 => {
                let name: Arc<str> = self.reader.text()?.into();
                self.names.push(name.clone());
                Ok(name)
            }
            number => {
                let name = self.names.get(number as usize - 1);
                name.cloned().ok_or(self.reader.damaged())
            }
        }
    }

    fn fingerprint(&mut self) -> Result<ClassFingerprint, DecodeError> {
        let whole = self.reader.hash()?;
        let Some(count) = self.reader.count(1)?.checked_sub(1) else {
            return Ok(ClassFingerprint { whole, parts: None });
        };
        let structure = self.reader.hash()?;
        let listing = self.reader.hash()?;
        let initializer = self.reader.hash()?;
        let mut members = Vec::with_capacity(count);
        for _ in 0..count {
            members.push(MemberFingerprint {
                name: self.name()?,
                descriptor: self.name()?,
                lambda: self.reader.index()?.checked_sub(1),
                body: self.reader.hash()?,
            });
        }
        let parts = Parts::new(structure, listing, initializer, members);
        Ok(ClassFingerprint {
            whole,
            parts: Some(parts),
        })
    }
}
