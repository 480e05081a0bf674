//! The byte format: big-endian integers, UTF-8 strings behind a 32-bit length, lists behind a
//! 32-bit count. `java.io.DataOutputStream` writes the same integers, which keeps the Java mirror
//! small.

use std::collections::BTreeMap;

use thiserror::Error;

/// Why bytes could not be understood.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum DecodeError {
    #[error("truncated message")]
    Truncated,
    #[error("text that is not UTF-8")]
    NotUtf8,
    #[error("unknown {what} `{tag}`")]
    Unknown { what: &'static str, tag: String },
    #[error("{0} bytes after the end of the message")]
    Trailing(usize),
}

#[derive(Debug, Default)]
pub(crate) struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(crate) fn u8(&mut self, value: u8) -> &mut Self {
        self.bytes.push(value);
        self
    }

    pub(crate) fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes.extend_from_slice(&value.to_be_bytes());
        self
    }

    pub(crate) fn u64(&mut self, value: u64) -> &mut Self {
        self.bytes.extend_from_slice(&value.to_be_bytes());
        self
    }

    pub(crate) fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(value);
        self
    }

    pub(crate) fn text(&mut self, value: &str) -> &mut Self {
        self.u32(value.len() as u32);
        self.bytes.extend_from_slice(value.as_bytes());
        self
    }

    pub(crate) fn texts<S: AsRef<str>>(&mut self, values: &[S]) -> &mut Self {
        self.u32(values.len() as u32);
        for value in values {
            self.text(value.as_ref());
        }
        self
    }

    pub(crate) fn numbers(&mut self, values: &[u32]) -> &mut Self {
        self.u32(values.len() as u32);
        for value in values {
            self.u32(*value);
        }
        self
    }

    pub(crate) fn map(&mut self, map: &BTreeMap<String, String>) -> &mut Self {
        self.u32(map.len() as u32);
        for (key, value) in map {
            self.text(key).text(value);
        }
        self
    }
}

#[derive(Debug)]
pub(crate) struct Decoder<'a> {
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) = self
            .bytes
            .split_at_checked(count)
            .ok_or(DecodeError::Truncated)?;
        self.bytes = rest;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (taken, rest) = self
            .bytes
            .split_first_chunk()
            .ok_or(DecodeError::Truncated)?;
        self.bytes = rest;
        Ok(*taken)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, DecodeError> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, DecodeError> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, DecodeError> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    pub(crate) fn text(&mut self) -> Result<String, DecodeError> {
        let length = self.u32()? as usize;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| DecodeError::NotUtf8)
    }

    pub(crate) fn texts(&mut self) -> Result<Vec<String>, DecodeError> {
        // The count is not trusted for an allocation: each element is read before the next.
        (0..self.u32()?).map(|_| self.text()).collect()
    }

    pub(crate) fn numbers(&mut self) -> Result<Vec<u32>, DecodeError> {
        (0..self.u32()?).map(|_| self.u32()).collect()
    }

    pub(crate) fn map(&mut self) -> Result<BTreeMap<String, String>, DecodeError> {
        (0..self.u32()?)
            .map(|_| Ok((self.text()?, self.text()?)))
            .collect()
    }

    pub(crate) fn finish(self) -> Result<(), DecodeError> {
        if self.bytes.is_empty() {
            Ok(())
        } else {
            Err(DecodeError::Trailing(self.bytes.len()))
        }
    }
}
