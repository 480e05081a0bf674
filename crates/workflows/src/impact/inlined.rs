//! Constants that compilers copy from one class into another, where no mention of it is left.
//!
//! Only the sources show who has a copy, and only by a name: that of the class which declares the
//! constant, or of a subtype through which it is meant. A source with such a word counts as changed
//! when the constants may be; what the word means there is not looked at.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use jury_impact::Change;

use super::census::Census;
use super::since::is_source;
use crate::selection::Inputs;

/// Classes that may hold a constant of a changed one, in VM form; without the changed ones.
pub(super) fn copies_of(
    changes: &BTreeMap<String, Change>,
    root: &Path,
    census: &Census,
) -> BTreeSet<String> {
    let mut declaring: HashSet<&str> = (census.own())
        .filter(|class| class.facts.has_constants)
        .map(|class| census.names.text(class.facts.name))
        .filter(|name| changes.contains_key(*name))
        .collect();
    if declaring.is_empty() {
        return BTreeSet::new();
    }
    let inputs = Inputs::of([root], &[]);
    let sources = inputs.paths().filter(|path| is_source(path));
    let mut sources: Vec<(String, String)> = sources
        .map(|path| {
            let text = fs::read(path).unwrap_or_default();
            let path = path.to_string_lossy().into_owned();
            (path, String::from_utf8_lossy(&text).into_owned())
        })
        .collect();
    let mut copies = BTreeSet::new();
    // A constant made of a copied one is a constant that others may have copied.
    while !declaring.is_empty() {
        add_heirs(&mut declaring, census);
        let words: HashSet<&str> = declaring.drain().map(simple_name).collect();
        let (holding, others) = sources
            .into_iter()
            .partition(|(_, text)| has_word(text, &words));
        sources = others;
        for (path, _) in &holding as &Vec<(String, String)> {
            for class in census.compiled_from(path) {
                let name = census.names.text(class.facts.name);
                if !changes.contains_key(name) {
                    copies.insert(name.to_owned());
                    declaring.extend(class.facts.has_constants.then_some(name));
                }
            }
        }
    }
    copies
}

/// Constants are inherited: as long as a subtype joins, another may.
fn add_heirs<'c>(declaring: &mut HashSet<&'c str>, census: &'c Census) {
    loop {
        let heirs: Vec<&str> = (census.own())
            .filter(|class| {
                let mut supertypes = class.facts.supertypes.iter();
                supertypes.any(|name| declaring.contains(census.names.text(*name)))
            })
            .map(|class| census.names.text(class.facts.name))
            .filter(|name| !declaring.contains(name))
            .collect();
        if heirs.is_empty() {
            return;
        }
        declaring.extend(heirs);
    }
}

/// `Inner` of `shop/Outer$Inner`.
fn simple_name(name: &str) -> &str {
    name.rsplit(['/', '$']).next().unwrap_or(name)
}

fn has_word(text: &str, words: &HashSet<&str>) -> bool {
    let mut all = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    all.any(|word| words.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_counts_only_as_a_whole_word() {
        let words = HashSet::from(["Limits"]);
        assert!(has_word("import static shop.Limits.*;", &words));
        assert!(has_word("x = Limits.MAX;", &words));
        assert!(!has_word("x = MyLimits.MAX + LimitsOfOld.MIN;", &words));
    }

    #[test]
    fn a_nested_class_goes_by_its_own_name() {
        assert_eq!(simple_name("shop/Outer$Inner"), "Inner");
        assert_eq!(simple_name("Limits"), "Limits");
    }
}
