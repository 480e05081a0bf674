//! Content hashes: 128 bits of BLAKE3, wide enough that a collision is no practical risk. A
//! collision would skip a test that had to run, so no narrower checksum is offered.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash128(pub [u8; 16]);

impl Hash128 {
    pub fn of(bytes: &[u8]) -> Self {
        let mut own = [0; 16];
        own.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
        Hash128(own)
    }
}

impl fmt::Display for Hash128 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash128 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Gathers fields for one hash. Every field of varying size carries its length, so no two
/// different sequences of fields gather to the same bytes.
#[derive(Debug)]
pub struct Digest(Vec<u8>);

impl Digest {
    /// `domain` keeps hashes of different things apart, even where their fields agree.
    pub fn new(domain: &str) -> Self {
        let mut digest = Digest(Vec::with_capacity(256));
        digest.bytes(domain.as_bytes());
        digest
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub fn hash(&mut self, hash: Hash128) {
        self.0.extend_from_slice(&hash.0);
    }

    /// A set: the order in which its elements were found does not count.
    pub fn unordered(&mut self, mut hashes: Vec<Hash128>) {
        hashes.sort_unstable();
        self.number(hashes.len() as u64);
        hashes.into_iter().for_each(|hash| self.hash(hash));
    }

    pub fn finish(self) -> Hash128 {
        Hash128::of(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(fields: &[&str]) -> Hash128 {
        let mut digest = Digest::new("test");
        fields
            .iter()
            .for_each(|field| digest.bytes(field.as_bytes()));
        digest.finish()
    }

    #[test]
    fn fields_never_run_into_each_other() {
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_ne!(digest(&["ab"]), digest(&["ab", ""]));
    }

    #[test]
    fn the_order_of_a_set_does_not_count() {
        let set = |order: [&[u8]; 2]| {
            let mut digest = Digest::new("test");
            digest.unordered(order.map(Hash128::of).to_vec());
            digest.finish()
        };
        assert_eq!(set([b"a", b"b"]), set([b"b", b"a"]));
        assert_ne!(set([b"a", b"b"]), set([b"a", b"a"]));
    }
}
