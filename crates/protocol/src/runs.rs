//! How often methods and blocks ran, as probes tell.

use crate::wire::{DecodeError, Decoder, Encoder};

/// Numbers of probes, ascending, each with how often it was hit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Runs(Vec<(u32, u32)>);

impl Runs {
    pub fn of(runs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut runs: Vec<_> = runs.into_iter().collect();
        runs.sort_unstable();
        Self(runs)
    }

    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|(number, _)| *number)
    }

    /// 0 for what never ran.
    pub fn times(&self, number: u32) -> u32 {
        let found = self.0.binary_search_by_key(&number, |(number, _)| *number);
        found.map_or(0, |place| self.0[place].1)
    }

    pub(crate) fn put(&self, out: &mut Encoder) {
        out.u32(self.0.len() as u32);
        for (number, times) in &self.0 {
            out.u32(*number).u32(*times);
        }
    }

    pub(crate) fn take(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        let runs = (0..input.u32()?).map(|_| Ok((input.u32()?, input.u32()?)));
        // A worker's JVM runs code of the user, which may write what it likes.
        runs.collect::<Result<Vec<_>, _>>().map(Self::of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ran_ran_no_times() {
        let runs = Runs::of([(7, 2), (3, 1)]);
        assert_eq!([3, 5, 7].map(|number| runs.times(number)), [1, 0, 2]);
        assert_eq!(runs.numbers().collect::<Vec<_>>(), [3, 7]);
    }
}
