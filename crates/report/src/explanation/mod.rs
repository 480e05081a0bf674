//! What `jury explain` found out, in the words and formats that people and other tools read.
//!
//! The words are the same everywhere: `prose` has them, the formats only set them.

pub(crate) mod html;
mod markdown;
pub(crate) mod prose;
#[cfg(test)]
pub(crate) mod sample;
mod sarif;

pub use markdown::markdown;
pub use sarif::sarif;
