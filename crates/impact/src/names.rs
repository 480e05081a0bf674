//! Names of classes as numbers: each is kept once, however many classes speak of it.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A name in VM form, `a/b/C`, within one [`Names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Name(u32);

/// Kept in one text, because there are tens of thousands of them, to be read back each time.
#[derive(Debug, Clone, Default)]
pub struct Names {
    text: String,
    /// Where each name ends in the text, which is where the next one begins.
    ends: Vec<u32>,
    places: HashTable<u32>,
}

impl Names {
    pub fn intern(&mut self, text: &str) -> Name {
        self.find(text).unwrap_or_else(|| {
            self.text.push_str(text);
            self.ends.push(self.text.len() as u32);
            self.add_place(self.ends.len() - 1)
        })
    }

    pub fn find(&self, text: &str) -> Option<Name> {
        let is_same = |place: &u32| self.text(Name(*place)) == text;
        self.places.find(hash(text), is_same).copied().map(Name)
    }

    /// Empty for a name of another collection.
    pub fn text(&self, name: Name) -> &str {
        text_at(&self.text, &self.ends, name.place())
    }

    /// In the order of their numbers.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|place| self.text(Name::at(place)))
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn add_place(&mut self, place: usize) -> Name {
        let text = |place: &u32| text_at(&self.text, &self.ends, *place as usize);
        let name = Name::at(place);
        (self.places).insert_unique(hash(text(&name.0)), name.0, |place| hash(text(place)));
        name
    }
}

/// What is known of names, found by their numbers alone.
#[derive(Debug, Clone)]
pub struct ByName<V> {
    values: Vec<Option<V>>,
}

impl<V: Clone> ByName<V> {
    /// Room for all names there are.
    pub fn new(names: &Names) -> Self {
        ByName {
            values: vec![None; names.len()],
        }
    }

    /// A name that came later has no place here.
    pub fn insert(&mut self, name: Name, value: V) {
        if let Some(place) = self.values.get_mut(name.place()) {
            *place = Some(value);
        }
    }

    pub fn get(&self, name: Name) -> Option<&V> {
        self.values.get(name.place())?.as_ref()
    }
}

fn hash(text: &str) -> u64 {
    FixedState::default().hash_one(text)
}

fn text_at<'t>(text: &'t str, ends: &[u32], place: usize) -> &'t str {
    let end = |place: usize| ends.get(place).map(|end| *end as usize);
    let start = place.checked_sub(1).map_or(Some(0), end);
    let range = start.zip(end(place)).map(|(start, end)| start..end);
    // Nothing, too, for what a damaged cache says.
    range.and_then(|range| text.get(range)).unwrap_or_default()
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, &self.ends) == (&other.text, &other.ends)
    }
}

impl Eq for Names {}

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.text, &self.ends).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (text, ends) = <(String, Vec<u32>)>::deserialize(deserializer)?;
        let mut names = Names {
            places: HashTable::with_capacity(ends.len()),
            text,
            ends,
        };
        for place in 0..names.ends.len() {
            names.add_place(place);
        }
        Ok(names)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_one_name() {
        let mut names = Names::default();
        let (one, two) = (names.intern("a/B"), names.intern("a/BC"));
        assert_eq!(names.intern("a/B"), one);
        assert_eq!((names.text(one), names.text(two)), ("a/B", "a/BC"));
        assert_eq!((names.find("a/BC"), names.find("a")), (Some(two), None));
        assert_eq!(names.texts().collect::<Vec<_>>(), ["a/B", "a/BC"]);
    }

    #[test]
    fn a_name_of_another_collection_is_empty() {
        let mut large = Names::default();
        let names = ["a", "b", "c"].map(|name| large.intern(name));
        let mut small = Names::default();
        small.intern("a");
        assert_eq!(names.map(|name| small.text(name)), ["a", "", ""]);
    }
}
