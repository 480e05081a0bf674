//! Helpers for tests that run real programs: copies of samples and what they should do, the JDKs to
//! test with, a place to run the `jury` binary in. Never shipped.

mod browser;
mod expected;
mod jdk;
mod pipe;
mod program;
mod ran;
mod sample;

use std::path::{Path, PathBuf};

pub use browser::browse;
pub use expected::{Build, Case, ClassOutcomes, Suspect, Tantrum, cases};
pub use jdk::{Jdk, jdks};
pub use pipe::Pipe;
pub use program::{is_installed, provide};
pub use ran::{Ran, announce, run, succeed};
pub use sample::Sample;

/// The root of this repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
