//! Marks: what a test did that Jury cannot see through.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    ChildProcess,
    Network,
    NativeLibrary,
    /// Other tests ran in the same JVM at the same time, so this row may hold their uses too,
    /// or lack uses that were booked to them.
    Overlap,
    /// Threads of the test went on after it had ended.
    BackgroundWork,
    /// The row was cut short: a crash, a time-out, a lost record. No policy trusts it.
    Incomplete,
    /// The test was red and passed when it ran again, with nothing changed.
    Flaky,
}

impl Mark {
    pub const ALL: [Mark; 7] = [
        Mark::ChildProcess,
        Mark::Network,
        Mark::NativeLibrary,
        Mark::Overlap,
        Mark::BackgroundWork,
        Mark::Incomplete,
        Mark::Flaky,
    ];
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mark::ChildProcess => "the test starts another process",
            Mark::Network => "the test uses the network",
            Mark::NativeLibrary => "the test loads a native library",
            Mark::Overlap => "other tests ran in the same JVM at the same time",
            Mark::BackgroundWork => "threads of the test go on after it ends",
            Mark::Incomplete => "what the test used was not fully recorded",
            Mark::Flaky => "flaky last time: it failed, and passed when it was run again",
        })
    }
}

/// A set of marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks(u8);

impl Marks {
    pub fn insert(&mut self, mark: Mark) {
        self.0 |= 1 << mark as u8;
    }

    pub fn contains(self, mark: Mark) -> bool {
        self.0 & 1 << mark as u8 != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Mark> {
        Mark::ALL
            .into_iter()
            .filter(move |mark| self.contains(*mark))
    }

    pub(crate) fn absorb(&mut self, other: Marks) {
        self.0 |= other.0;
    }

    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    /// None if there is a mark that this version does not know.
    pub(crate) fn from_bits(bits: u64) -> Option<Self> {
        let bits = u8::try_from(bits).ok()?;
        (bits >> Mark::ALL.len() == 0).then_some(Marks(bits))
    }
}

impl FromIterator<Mark> for Marks {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Self {
        let mut set = Marks::default();
        marks.into_iter().for_each(|mark| set.insert(mark));
        set
    }
}
