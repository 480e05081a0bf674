//! The bytes in which catalogues and rows are stored: magic, version, varints, and a checksum
//! over everything, so that damaged bytes are refused rather than read as a smaller row.

use thiserror::Error;

use crate::hash::{Digest, Hash128};

const VERSION: u8 = 2;

/// Why stored evidence cannot be used. The tests it spoke of run again.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DecodeError {
    #[error("not a stored {0}")]
    Magic(&'static str),
    #[error("format `{found}` of a stored {what} is not format `{VERSION}`")]
    Version { what: &'static str, found: u8 },
    #[error("truncated {0}")]
    Truncated(&'static str),
    #[error("damaged {0}, or one that belongs to other evidence")]
    Damaged(&'static str),
}

/// What is stored, and the four bytes that say so.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    pub what: &'static str,
    pub magic: &'static [u8; 4],
}

const CHECKSUM: usize = 8;

pub(crate) struct Writer {
    kind: Kind,
    bytes: Vec<u8>,
}

impl Writer {
    pub fn new(kind: Kind) -> Self {
        let mut bytes = kind.magic.to_vec();
        bytes.push(VERSION);
        Writer { kind, bytes }
    }

    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    pub fn hash(&mut self, hash: Hash128) {
        self.bytes(&hash.0);
    }

    /// Ends with a checksum that also covers what the bytes refer to.
    pub fn finish(mut self, referred: Hash128) -> Vec<u8> {
        let checksum = checksum(self.kind, &self.bytes, referred);
        self.bytes.extend_from_slice(&checksum);
        self.bytes
    }
}

#[derive(Debug)]
pub(crate) struct Reader<'a> {
    kind: Kind,
    /// All but the checksum.
    content: &'a [u8],
    checksum: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(kind: Kind, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let body = bytes
            .strip_prefix(kind.magic)
            .ok_or(DecodeError::Magic(kind.what))?;
        match body.first() {
            Some(&VERSION) => {}
            Some(&found) => {
                return Err(DecodeError::Version {
                    what: kind.what,
                    found,
                });
            }
            None => return Err(DecodeError::Truncated(kind.what)),
        }
        let end = (bytes.len().checked_sub(CHECKSUM))
            .filter(|end| *end > kind.magic.len())
            .ok_or(DecodeError::Truncated(kind.what))?;
        let (content, checksum) = bytes.split_at(end);
        Ok(Reader {
            kind,
            content,
            checksum,
            rest: &content[kind.magic.len() + 1..],
        })
    }

    pub fn damaged(&self) -> DecodeError {
        DecodeError::Damaged(self.kind.what)
    }

    pub fn number(&mut self) -> Result<u64, DecodeError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(self.damaged());
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(self.damaged())
    }

    pub fn index(&mut self) -> Result<u32, DecodeError> {
        u32::try_from(self.number()?).map_err(|_| self.damaged())
    }

    /// The number of items that follow, each of at least `size` bytes.
    pub fn count(&mut self, size: usize) -> Result<usize, DecodeError> {
        let count = usize::try_from(self.number()?).map_err(|_| self.damaged())?;
        if count > self.rest.len() / size {
            Err(self.truncated())
        } else {
            Ok(count)
        }
    }

    pub fn take(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(self.truncated())?;
        self.rest = rest;
        Ok(taken)
    }

    pub fn text(&mut self) -> Result<&'a str, DecodeError> {
        let length = self.count(1)?;
        let bytes = self.take(length)?;
        std::str::from_utf8(bytes).map_err(|_| self.damaged())
    }

    pub fn hash(&mut self) -> Result<Hash128, DecodeError> {
        let mut hash = [0; 16];
        hash.copy_from_slice(self.take(16)?);
        Ok(Hash128(hash))
    }

    /// Checks that all was read, and the checksum.
    pub fn finish(self, referred: Hash128) -> Result<(), DecodeError> {
        let sound = checksum(self.kind, self.content, referred) == self.checksum;
        if self.rest.is_empty() && sound {
            Ok(())
        } else {
            Err(self.damaged())
        }
    }

    fn truncated(&self) -> DecodeError {
        DecodeError::Truncated(self.kind.what)
    }
}

fn checksum(kind: Kind, content: &[u8], referred: Hash128) -> [u8; CHECKSUM] {
    let mut digest = Digest::new(kind.what);
    digest.bytes(content);
    digest.hash(referred);
    let mut checksum = [0; CHECKSUM];
    checksum.copy_from_slice(&digest.finish().0[..CHECKSUM]);
    checksum
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind {
        what: "note",
        magic: b"note",
    };
    const NOTHING: Hash128 = Hash128([0; 16]);

    #[test]
    fn numbers_of_every_size_survive() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut writer = Writer::new(KIND);
        numbers.iter().for_each(|number| writer.number(*number));
        let bytes = writer.finish(NOTHING);
        let mut reader = Reader::new(KIND, &bytes).unwrap();
        for number in numbers {
            assert_eq!(reader.number(), Ok(number));
        }
        assert_eq!(reader.finish(NOTHING), Ok(()));
    }

    #[test]
    fn a_count_beyond_the_input_is_refused_before_anything_is_allocated() {
        let mut writer = Writer::new(KIND);
        writer.number(u64::MAX / 2);
        let bytes = writer.finish(NOTHING);
        let mut reader = Reader::new(KIND, &bytes).unwrap();
        assert_eq!(reader.count(1), Err(DecodeError::Truncated("note")));
    }

    #[test]
    fn strangers_are_refused_by_name() {
        let refuse = |bytes: &[u8]| Reader::new(KIND, bytes).unwrap_err().to_string();
        assert_eq!(refuse(b"what is this"), "not a stored note");
        assert_eq!(
            refuse(b"note\x09........."),
            "format `9` of a stored note is not format `2`"
        );
        assert_eq!(refuse(b"note"), "truncated note");
    }
}
