//! A set of methods of one class, by position. Most classes have fewer than 64 methods, so most
//! sets are one word and need no allocation.

use smallvec::SmallVec;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemberSet {
    /// Bit `n` of word `w` stands for member `64 * w + n`; the last word is never zero.
    words: SmallVec<[u64; 1]>,
}

impl MemberSet {
    pub fn insert(&mut self, member: usize) {
        let word = member / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (member % 64);
    }

    pub fn contains(&self, member: usize) -> bool {
        self.words
            .get(member / 64)
            .is_some_and(|word| word & 1 << (member % 64) != 0)
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// In ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(index, word)| bits(*word, index))
    }

    /// Members of both sets, in ascending order.
    pub fn common(&self, other: &MemberSet) -> impl Iterator<Item = usize> {
        let pairs = self.words.iter().zip(&other.words).enumerate();
        pairs.flat_map(|(index, (own, other))| bits(own & other, index))
    }

    pub(crate) fn absorb(&mut self, other: &MemberSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (own, other) in self.words.iter_mut().zip(&other.words) {
            *own |= other;
        }
    }

    /// Eight members a byte, without trailing zero bytes.
    pub(crate) fn to_bytes(&self) -> SmallVec<[u8; 8]> {
        let mut bytes: SmallVec<[u8; 8]> = self
            .words
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let mut words: SmallVec<[u64; 1]> = bytes
            .chunks(8)
            .map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            })
            .collect();
        while words.last() == Some(&0) {
            words.pop();
        }
        MemberSet { words }
    }

    pub(crate) fn last(&self) -> Option<usize> {
        let word = self.words.last()?;
        Some(64 * self.words.len() - 1 - word.leading_zeros() as usize)
    }
}

fn bits(mut word: u64, index: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(64 * index + bit)
    })
}

impl FromIterator<usize> for MemberSet {
    fn from_iter<I: IntoIterator<Item = usize>>(members: I) -> Self {
        let mut set = MemberSet::default();
        members.into_iter().for_each(|member| set.insert(member));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_beyond_the_first_word_are_kept() {
        let set: MemberSet = [3, 64, 200].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 200]);
        assert_eq!(set.last(), Some(200));
        assert!(set.contains(64) && !set.contains(65) && !set.contains(9000));
        assert_eq!(MemberSet::from_bytes(&set.to_bytes()), set);
    }

    #[test]
    fn common_members_are_those_of_both() {
        let set = |members: &[usize]| members.iter().copied().collect::<MemberSet>();
        let common = set(&[1, 2, 70])
            .common(&set(&[2, 70, 300]))
            .collect::<Vec<_>>();
        assert_eq!(common, [2, 70]);
    }
}
