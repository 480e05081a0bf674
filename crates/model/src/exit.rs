/// What `jury` tells its caller when it ends. Part of the public contract: numbers never change
/// their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exit {
    /// Nothing to complain about.
    Clean = 0,
    /// Findings, or tests failed.
    Findings = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// The baseline is not green, so there is no verdict.
    NotGreen = 3,
    /// The build or the environment is broken.
    Broken = 4,
    /// A defect in Jury.
    Defect = 70,
    /// Stopped by the user; what was learnt is kept.
    Interrupted = 130,
}

impl Exit {
    pub fn code(self) -> u8 {
        self as u8
    }
}
