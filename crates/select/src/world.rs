//! The present, as the analysis asks about it.

use std::borrow::Cow;
use std::sync::Arc;

use crate::catalogue::ClassKey;
use crate::fact::{State, Subject};
use crate::fingerprint::ClassFingerprint;

/// What a test JVM started now would find. One world stands for one launch recipe: its class
/// path decides which class a name means.
pub trait World {
    /// The class that would be loaded under `key.name`, where `key.origin` says where it came
    /// from when a test used it; none if there is none any more.
    ///
    /// The answer must look along the whole class path: a class that stands in front of the old
    /// one is the answer, with its own origin.
    fn class(&self, key: &ClassKey) -> Option<FoundClass<'_>>;

    fn state(&self, subject: &Subject) -> State;
}

/// A class where it is found now.
#[derive(Debug, Clone)]
pub struct FoundClass<'a> {
    pub origin: Arc<str>,
    pub fingerprint: Cow<'a, ClassFingerprint>,
}
