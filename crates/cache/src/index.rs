//! Which entries there are under the names of one index, newest first.
//!
//! Two machines that write an index at once may lose each other's lines: then somebody finds
//! less, never something wrong.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::EntryId;

const MAGIC: &[u8; 5] = b"JyIx\x01";

/// So many states of one name are kept.
const LINES_KEPT: usize = 8;

/// The hash of all that has to be the same for an index to be of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IndexKey(pub [u8; 16]);

impl IndexKey {
    pub(crate) fn path(self) -> String {
        let hex: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("indexes/{hex}")
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index(BTreeMap<String, Vec<Line>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    pub entry: EntryId,
    /// Entries of one state say the same; the newest of them is enough.
    pub state: [u8; 16],
    /// Seconds since 1970.
    written_at: u64,
}

impl Line {
    pub fn new(entry: EntryId, state: [u8; 16], now: SystemTime) -> Self {
        Line {
            entry,
            state,
            written_at: seconds(now),
        }
    }
}

impl Index {
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Newest first.
    pub fn lines(&self, name: &str) -> &[Line] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    pub fn add(&mut self, name: &str, line: Line) {
        let lines = self.0.entry(name.to_owned()).or_default();
        lines.retain(|known| known.state != line.state);
        lines.insert(0, line);
        lines.truncate(LINES_KEPT);
    }

    /// Drops what was written too long ago.
    pub(crate) fn expire(&mut self, now: SystemTime, age: Duration) {
        let limit = seconds(now).saturating_sub(age.as_secs());
        for lines in self.0.values_mut() {
            lines.truncate(LINES_KEPT);
            lines.retain(|line| line.written_at >= limit);
        }
        self.0.retain(|_, lines| !lines.is_empty());
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        // ok: maps of texts and numbers can always be written.
        let content = postcard::to_allocvec(self).unwrap_or_default();
        let checksum = blake3::hash(&content);
        [MAGIC, &checksum.as_bytes()[..], &content].concat()
    }

    /// None if it was damaged, or made by another version.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let (checksum, content) = bytes.strip_prefix(MAGIC)?.split_at_checked(32)?;
        let sound = blake3::hash(content).as_bytes() == checksum;
        sound.then(|| postcard::from_bytes(content).ok()).flatten()
    }
}

fn seconds(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |duration| duration.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    fn line(state: u8, written_at: u64) -> Line {
        Line::new(EntryId::of(&[state]), [state; 16], at(written_at))
    }

    #[test]
    fn the_newest_states_are_kept_each_once() {
        let mut index = Index::default();
        for state in 0..20 {
            index.add("a.BTest", line(state, u64::from(state)));
        }
        index.add("a.BTest", line(15, 100));
        let states: Vec<u8> = index
            .lines("a.BTest")
            .iter()
            .map(|line| line.state[0])
            .collect();
        assert_eq!(states, [15, 19, 18, 17, 16, 14, 13, 12]);
    }

    #[test]
    fn an_index_is_read_back_unless_a_byte_of_it_changed_or_is_missing() {
        let mut index = Index::default();
        index.add("a.BTest", line(1, 10));
        let bytes = index.encode();
        assert_eq!(Index::decode(&bytes).as_ref(), Some(&index));
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            assert_eq!(Index::decode(&changed), None, "byte {place}");
            assert_eq!(Index::decode(&bytes[..place]), None, "{place} bytes");
        }
    }

    #[test]
    fn old_lines_expire_and_names_without_lines_go() {
        let mut index = Index::default();
        index.add("old", line(1, 10));
        index.add("new", line(2, 100));
        index.expire(at(110), Duration::from_secs(20));
        assert_eq!(index.names().collect::<Vec<_>>(), ["new"]);
    }
}
