//! A checked big-endian reader. Every length taken from the input passes through here, so
//! hostile bytes end in `Malformed::Truncated`, never in a panic or an oversized allocation.

use crate::error::{Malformed, Result};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// What is being read, for the error message.
    what: &'static str,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8], what: &'static str) -> Self {
        Cursor { bytes, at: 0, what }
    }

    /// Continues at the same place, naming the next structure in errors.
    pub fn reading(&mut self, what: &'static str) -> &mut Self {
        self.what = what;
        self
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub fn truncated(&self) -> Malformed {
        Malformed::Truncated(self.what)
    }

    #[inline]
    pub fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let end = self
            .at
            .checked_add(length)
            .ok_or_else(|| self.truncated())?;
        let taken = self
            .bytes
            .get(self.at..end)
            .ok_or_else(|| self.truncated())?;
        self.at = end;
        Ok(taken)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let array = self.bytes[self.at..]
            .first_chunk::<N>()
            .ok_or_else(|| self.truncated())?;
        self.at += N;
        Ok(*array)
    }

    #[inline]
    pub fn u1(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    #[inline]
    pub fn u2(&mut self) -> Result<u16> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    #[inline]
    pub fn u4(&mut self) -> Result<u32> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    #[inline]
    pub fn i4(&mut self) -> Result<i32> {
        Ok(i32::from_be_bytes(self.array()?))
    }

    /// A table of `u2 count` rows of `width` bytes each.
    pub fn table(&mut self, width: usize) -> Result<&'a [u8]> {
        let count = self.u2()? as usize;
        self.take(count * width)
    }
}

/// The big-endian `u2` at `at` of a slice already known to be long enough.
#[inline]
pub(crate) fn u2(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

/// The big-endian `i4` at `at` of a slice already known to be long enough.
#[inline]
pub(crate) fn i4(bytes: &[u8], at: usize) -> i32 {
    i32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
