//! What one unit used and how it ended, as bytes that mean the same on every machine.
//!
//! Nothing in an entry is believed without a look: paths lead to comparisons of contents only, and
//! bytes that make no sense are refused.

use jury_model::{Counts, LaunchedBy, Outcome, Recipe};
use jury_select::{Catalogue, Hash128, Recorded, Row};
use serde::{Deserialize, Serialize};

use super::landmarks::Landmarks;

const MAGIC: &[u8; 5] = b"JyEv\x01";

/// Evidence of one unit, with a catalogue of its own, [in order](in_order).
#[derive(Debug)]
pub(super) struct Entry {
    pub module: String,
    pub unit: String,
    /// Only as much of it as it takes to compare with the present.
    pub recipe: Recipe,
    pub recorded: Recorded,
    pub catalogue: Catalogue,
    pub counts: Counts,
    pub micros: u64,
}

#[derive(Serialize, Deserialize)]
struct Wire {
    state: WireState,
    outcome: String,
    counts: [usize; 6],
    micros: u64,
}

/// What tells states apart.
#[derive(Serialize, Deserialize)]
struct WireState {
    module: String,
    unit: String,
    launched_by: String,
    java_home: String,
    java_version: String,
    working_directory: String,
    class_path: Vec<String>,
    module_path: Vec<String>,
    module_flags: Vec<String>,
    catalogue: Vec<u8>,
    row: Vec<u8>,
}

impl Entry {
    /// The bytes, and a hash that is the same wherever the unit ran in the same state.
    pub fn encode(&self, landmarks: &Landmarks) -> Option<([u8; 16], Vec<u8>)> {
        let hide_all = |texts: &[String]| texts.iter().map(|text| landmarks.hide(text)).collect();
        let Recipe {
            java_version,
            module_flags,
            ..
        } = &self.recipe;
        let state = WireState {
            module: self.module.clone(),
            unit: self.unit.clone(),
            launched_by: self.recipe.launched_by.word().to_owned(),
            java_home: landmarks.hide(&self.recipe.java_home),
            java_version: java_version.clone(),
            working_directory: landmarks.hide(&self.recipe.working_directory),
            class_path: hide_all(&self.recipe.class_path),
            module_path: hide_all(&self.recipe.module_path),
            module_flags: hide_all(module_flags),
            row: self.recorded.row.encode(&self.catalogue),
            catalogue: self.catalogue.encode(),
        };
        let hash = Hash128::of(&postcard::to_allocvec(&state).ok()?);
        let counts = &self.counts;
        let wire = Wire {
            state,
            outcome: self.recorded.outcome.word().to_owned(),
            counts: [
                counts.passed,
                counts.skipped,
                counts.aborted,
                counts.failed,
                counts.timed_out,
                counts.crashed,
            ],
            micros: self.micros,
        };
        let content = postcard::to_allocvec(&wire).ok()?;
        Some((hash.0, [MAGIC, &content[..]].concat()))
    }

    /// None if the bytes make no sense to this version.
    pub fn decode(bytes: &[u8], landmarks: &Landmarks) -> Option<Self> {
        let content = bytes.strip_prefix(MAGIC)?;
        let Wire {
            state,
            outcome,
            counts: [passed, skipped, aborted, failed, timed_out, crashed],
            micros,
        } = postcard::from_bytes(content).ok()?;
        let catalogue = Catalogue::decode(&state.catalogue).ok()?;
        let row = Row::decode(&state.row, &catalogue).ok()?;
        let show_all = |texts: &[String]| texts.iter().map(|text| landmarks.show(text)).collect();
        Some(Entry {
            recipe: Recipe {
                launched_by: LaunchedBy::from_word(&state.launched_by)?,
                java_home: landmarks.show(&state.java_home),
                java_version: state.java_version,
                working_directory: landmarks.show(&state.working_directory),
                class_path: show_all(&state.class_path),
                module_path: show_all(&state.module_path),
                module_flags: show_all(&state.module_flags),
                jvm_flags: Vec::new(),
                properties: Default::default(),
                environment: Default::default(),
                launcher_parameters: Default::default(),
                jvm_per_class: false,
            },
            module: state.module,
            unit: state.unit,
            recorded: Recorded {
                row,
                outcome: Outcome::from_word(&outcome)?,
            },
            catalogue,
            counts: Counts {
                passed,
                skipped,
                aborted,
                failed,
                timed_out,
                crashed,
            },
            micros,
        })
    }
}

/// The row with a catalogue of what it speaks of and nothing else, in an order that does not depend
/// on what else was recorded before.
pub(super) fn in_order(catalogue: &Catalogue, row: &Row) -> (Catalogue, Row) {
    let mut classes: Vec<_> = (row.uses().iter())
        .map(|(class, _)| catalogue.class_version(*class))
        .collect();
    classes.sort_by(|one, other| {
        let key = |version: &jury_select::ClassVersion| version.fingerprint.whole;
        (&one.key, key(one)).cmp(&(&other.key, key(other)))
    });
    let mut facts: Vec<_> = (row.facts().iter())
        .map(|fact| catalogue.fact_seen(*fact))
        .collect();
    facts.sort_by_key(|fact| &fact.subject);
    let mut own = Catalogue::new();
    for class in classes {
        own.class(class.clone());
    }
    for fact in facts {
        own.fact(fact.clone());
    }
    let row = row.moved(catalogue, &mut own);
    (own, row)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use jury_select::{
        ClassFingerprint, ClassKey, ClassVersion, Fact, Hashing, State, Subject, Use,
    };

    fn class(name: &str) -> ClassVersion {
        ClassVersion {
            key: ClassKey {
                origin: "target/classes".into(),
                name: name.into(),
            },
            fingerprint: ClassFingerprint::of(name.as_bytes(), Hashing::Plain),
        }
    }

    fn fact(name: &str) -> Fact {
        Fact {
            subject: Subject::File(name.into()),
            state: State::Absent,
        }
    }

    /// Evidence of a project at `root`, in whose catalogue `earlier` classes came first.
    fn entry(root: &str, earlier: &[&str]) -> Entry {
        let mut catalogue = Catalogue::new();
        for name in earlier {
            catalogue.class(class(name));
            catalogue.fact(fact(name));
        }
        let mut row = Row::new();
        for name in ["a/B", "a/C"] {
            row.add_use(catalogue.class(class(name)), Use::Whole);
            row.add_fact(catalogue.fact(fact(name)));
        }
        Entry {
            module: ".".into(),
            unit: "a.BTest".into(),
            recipe: Recipe {
                launched_by: LaunchedBy::Surefire,
                java_home: "/jdk".into(),
                java_version: "17".into(),
                working_directory: root.into(),
                class_path: vec![format!("{root}/target/classes")],
                module_path: vec![],
                module_flags: vec![format!("--patch-module=m={root}/target/classes")],
                jvm_flags: vec![],
                properties: Default::default(),
                environment: Default::default(),
                launcher_parameters: Default::default(),
                jvm_per_class: false,
            },
            recorded: Recorded {
                row: in_order(&catalogue, &row).1,
                outcome: Outcome::Passed,
            },
            catalogue: in_order(&catalogue, &row).0,
            counts: Counts {
                passed: 3,
                ..Counts::default()
            },
            micros: 7,
        }
    }

    fn landmarks(root: &str) -> Landmarks {
        Landmarks::new(Path::new(root), None, None)
    }

    #[test]
    fn an_entry_means_the_same_at_another_place() {
        let here = entry("/here", &[]);
        let (_, bytes) = here.encode(&landmarks("/here")).unwrap();
        let there = Entry::decode(&bytes, &landmarks("/there")).unwrap();
        assert_eq!(there.recipe, entry("/there", &[]).recipe);
        assert_eq!((there.unit.as_str(), there.micros), ("a.BTest", 7));
        assert_eq!(there.counts, here.counts);
        assert_eq!(there.catalogue.classes().len(), 2);
    }

    #[test]
    fn the_same_state_has_the_same_hash_whatever_was_recorded_before() {
        let hash = |root: &str, earlier: &[&str]| {
            let (hash, _) = entry(root, earlier).encode(&landmarks(root)).unwrap();
            hash
        };
        assert_eq!(hash("/here", &[]), hash("/there", &["a/C", "a/X"]));
    }

    #[test]
    fn bytes_that_were_cut_or_changed_are_refused_or_say_the_same_of_the_row() {
        let whole = entry("/p", &[]);
        let (_, bytes) = whole.encode(&landmarks("/p")).unwrap();
        for end in 0..bytes.len() {
            assert!(Entry::decode(&bytes[..end], &landmarks("/p")).is_none());
        }
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 0x40;
            if let Some(entry) = Entry::decode(&changed, &landmarks("/p")) {
                assert_eq!(entry.recorded.row.uses().len(), 2, "byte {place}");
            }
        }
    }
}
