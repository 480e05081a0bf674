//! Names of classes as numbers: each is kept once, however many classes speak of it.

use foldhash::fast::FixedState;
use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

/// A name in VM form, `a/b/C`, within one [`Names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Name(u32);

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names(IndexSet<String, FixedState>);

impl Names {
    pub fn intern(&mut self, text: &str) -> Name {
        let place = match self.0.get_index_of(text) {
            Some(place) => place,
            None => self.0.insert_full(text.to_owned()).0,
        };
        Name(place as u32)
    }

    pub fn find(&self, text: &str) -> Option<Name> {
        self.0.get_index_of(text).map(|place| Name(place as u32))
    }

    /// Empty for a name of another collection.
    pub fn text(&self, name: Name) -> &str {
        self.0.get_index(name.place()).map_or("", String::as_str)
    }

    /// In the order of their numbers.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Name {
    pub(crate) fn at(place: usize) -> Self {
        Name(place as u32)
    }

    pub(crate) fn place(self) -> usize {
        self.0 as usize
    }
}
