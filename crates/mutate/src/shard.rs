//! Parts of the work that several machines can share.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::id::MutantId;

/// One of several parts, counted from 1: `2/4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    index: u32,
    count: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no shard; the second of four is `2/4`")]
pub struct BadShard(String);

impl Shard {
    pub fn new(index: u32, count: u32) -> Option<Self> {
        (1..=count)
            .contains(&index)
            .then_some(Shard { index, count })
    }

    pub fn index(self) -> u32 {
        self.index
    }

    pub fn count(self) -> u32 {
        self.count
    }

    /// Whether a mutant belongs here. Only its id counts, so that all machines agree and a mutant
    /// stays in its shard when others come and go.
    pub fn holds(self, mutant: &MutantId) -> bool {
        fnv1a(mutant.to_string().as_bytes()) % u64::from(self.count) == u64::from(self.index - 1)
    }
}

/// The 64-bit FNV-1a hash; std's hashes may change with the compiler, and spreading ids evenly
/// needs no better one.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = BadShard;

    fn from_str(text: &str) -> Result<Self, BadShard> {
        text.split_once('/')
            .and_then(|(index, count)| Shard::new(index.parse().ok()?, count.parse().ok()?))
            .ok_or_else(|| BadShard(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutant_is_in_exactly_one_shard() {
        for number in 0..200 {
            let mutant: MutantId = format!("a/B#run()V#math#{number}").parse().unwrap();
            let holding = (1..=3)
                .filter(|index| Shard::new(*index, 3).unwrap().holds(&mutant))
                .count();
            assert_eq!(holding, 1);
        }
    }

    #[test]
    fn shards_are_of_similar_size() {
        let shard: Shard = "2/4".parse().unwrap();
        let held = (0..1000)
            .map(|number| format!("a/B#run{number}()V#void").parse().unwrap())
            .filter(|mutant: &MutantId| shard.holds(mutant))
            .count();
        assert!((200..300).contains(&held), "{held}");
    }

    #[test]
    fn a_mutant_keeps_its_shard_from_release_to_release() {
        let mutant = "a/B#run()V#void".parse().unwrap();
        let shard = (1..=100).find(|index| Shard::new(*index, 100).unwrap().holds(&mutant));
        assert_eq!(shard, Some(2));
    }

    #[test]
    fn only_parts_of_the_whole_are_shards() {
        assert_eq!("2/4".parse::<Shard>().unwrap().to_string(), "2/4");
        for text in ["", "2", "0/4", "5/4", "2/", "-1/4", "1/0"] {
            assert_eq!(text.parse::<Shard>(), Err(BadShard(text.into())));
        }
    }
}
