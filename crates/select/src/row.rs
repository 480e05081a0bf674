//! A row: everything one test used, by the numbers of a catalogue.

use std::collections::{BTreeMap, BTreeSet};

use crate::catalogue::{Catalogue, ClassId, ClassVersion, FactId};
use crate::codec::{DecodeError, Kind, Reader, Writer};
use crate::fact::Subject;
use crate::fingerprint::{ClassFingerprint, MemberFingerprint, MemberIdentity};
use crate::hash::{Digest, Hash128};
use crate::mark::{Mark, Marks};
use crate::member_set::MemberSet;

/// How a test used a class.
///
/// A collector books every supertype of a used class as used too: an added override or default
/// method shows there. What it cannot see exactly, it books as [`Whole`](Use::Whole): classes
/// without probes, and classes with a method too large for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Use {
    /// Everything in the class counts.
    Whole,
    /// Structure and static initialiser count, and these parts besides.
    Parts {
        /// Methods that ran, by their position in the class's fingerprint.
        executed: MemberSet,
        /// Code listed the class's contents (`getDeclaredMethods` and its kin), or looked for a
        /// member that is not there.
        listed: bool,
    },
}

impl Use {
    /// Mentioned only: a literal, type check, cast, catch clause, field access, supertype.
    pub fn referenced() -> Self {
        Use::Parts {
            executed: MemberSet::default(),
            listed: false,
        }
    }

    pub fn executed(members: impl IntoIterator<Item = usize>) -> Self {
        Use::Parts {
            executed: members.into_iter().collect(),
            listed: false,
        }
    }

    /// The methods of `fingerprint` that ran, by name and descriptor. One that the fingerprint
    /// does not list (a class rewritten since, a plain fingerprint) makes it the whole class.
    pub fn of_methods<'m>(
        fingerprint: &ClassFingerprint,
        methods: impl IntoIterator<Item = (&'m str, &'m str)>,
    ) -> Self {
        let mut executed = MemberSet::default();
        for (name, descriptor) in methods {
            let parts = fingerprint.parts.as_ref();
            match parts.and_then(|parts| parts.position(name, descriptor)) {
                Some(position) => executed.insert(position),
                // The initialiser counts for every use of the class.
                None if name == "<clinit>" => {}
                None => return Use::Whole,
            }
        }
        Use::Parts {
            executed,
            listed: false,
        }
    }

    pub fn listed() -> Self {
        Use::Parts {
            executed: MemberSet::default(),
            listed: true,
        }
    }

    /// Whether a method of `fingerprint` may have run; false only if it certainly did not.
    pub fn may_run(&self, fingerprint: &ClassFingerprint, name: &str, descriptor: &str) -> bool {
        let (Use::Parts { executed, .. }, Some(parts)) = (self, &fingerprint.parts) else {
            return true;
        };
        let position = parts.position(name, descriptor);
        position.is_some_and(|position| executed.contains(position))
    }

    /// What of a class is used here and in none of the known ways, in words.
    fn beyond(&self, version: &ClassVersion, known: &[(&ClassVersion, &Use)]) -> Vec<String> {
        if known.iter().any(|(_, usage)| **usage == Use::Whole) {
            return Vec::new();
        }
        let name = version.key.name.replace('/', ".");
        let Use::Parts { executed, listed } = self else {
            return vec![format!("all of class `{name}`")];
        };
        let was_run = |member: &MemberFingerprint| {
            let mut known = known.iter();
            known.any(|(version, usage)| usage.runs(&version.fingerprint, member.identity()))
        };
        let was_listed =
            (known.iter()).any(|(_, usage)| matches!(usage, Use::Parts { listed: true, .. }));
        let listing =
            (*listed && !was_listed).then(|| format!("the list of members of class `{name}`"));
        let members = version.members();
        let new_methods = executed
            .iter()
            .filter(|position| !members.get(*position).is_some_and(was_run))
            .map(|position| version.method_in_words(position));
        listing.into_iter().chain(new_methods).collect()
    }

    /// Whether a method is known to have run that may stand elsewhere in another version of its class.
    fn runs(&self, fingerprint: &ClassFingerprint, method: MemberIdentity<'_>) -> bool {
        let (Use::Parts { executed, .. }, Some(parts)) = (self, &fingerprint.parts) else {
            return true;
        };
        let mut members = parts.members().iter().enumerate();
        members.any(|(position, own)| own.identity() == method && executed.contains(position))
    }

    fn absorb(&mut self, other: &Use) {
        match (&mut *self, other) {
            (
                Use::Parts { executed, listed },
                Use::Parts {
                    executed: more,
                    listed: also,
                },
            ) => {
                executed.absorb(more);
                *listed |= also;
            }
            _ => *self = Use::Whole,
        }
    }
}

/// What one test used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// In ascending order of class.
    uses: Vec<(ClassId, Use)>,
    /// Classes of these that the test did not use itself, in ascending order.
    lent: Vec<ClassId>,
    /// In ascending order.
    facts: Vec<FactId>,
    marks: Marks,
}

const KIND: Kind = Kind {
    what: "row",
    magic: b"JyRw",
};

impl Row {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn uses(&self) -> &[(ClassId, Use)] {
        &self.uses
    }

    pub fn facts(&self) -> &[FactId] {
        &self.facts
    }

    pub fn marks(&self) -> Marks {
        self.marks
    }

    /// Whether others alone used the class, and the test found ready what they made of it. It counts
    /// as much as what the test used itself.
    pub fn is_lent(&self, class: ClassId) -> bool {
        self.lent.binary_search(&class).is_ok()
    }

    /// Books a use, on top of what is booked already.
    pub fn add_use(&mut self, class: ClassId, usage: Use) {
        self.book(class, usage, false);
    }

    /// Books a use by others: static initialisers, or tests that left something behind.
    pub fn lend(&mut self, class: ClassId, usage: Use) {
        self.book(class, usage, true);
    }

    fn book(&mut self, class: ClassId, usage: Use, is_lent: bool) {
        let place = self.uses.binary_search_by_key(&class, |(own, _)| *own);
        let is_new = match place {
            Ok(place) => {
                self.uses[place].1.absorb(&usage);
                false
            }
            Err(place) => {
                self.uses.insert(place, (class, usage));
                true
            }
        };
        match self.lent.binary_search(&class) {
            Ok(place) if !is_lent => _ = self.lent.remove(place),
            Err(place) if is_lent && is_new => self.lent.insert(place, class),
            _ => {}
        }
    }

    /// What this row speaks of and another does not, in words: a class, what lies outside the classes, a
    /// method of a class that both speak of. Versions of a class count as one, because the rows may be of
    /// different times.
    pub fn beyond(&self, other: &Row, catalogue: &Catalogue) -> Vec<String> {
        let class = |id: ClassId| &*catalogue.class_version(id).key.name;
        let mut known: BTreeMap<&str, Vec<(&ClassVersion, &Use)>> = BTreeMap::new();
        for (id, usage) in &other.uses {
            let version = catalogue.class_version(*id);
            let uses = known.entry(&version.key.name).or_default();
            uses.push((version, usage));
        }
        let subject = |fact: &FactId| &catalogue.fact_seen(*fact).subject;
        let subjects: BTreeSet<&Subject> = other.facts.iter().map(subject).collect();
        let new_classes = (self.uses.iter())
            .map(|(id, _)| class(*id))
            .filter(|name| !known.contains_key(name))
            .map(|name| format!("class `{}`", name.replace('/', ".")));
        let new_subjects = (self.facts.iter())
            .map(subject)
            .filter(|subject| !subjects.contains(subject))
            .map(ToString::to_string);
        let new_parts = self.uses.iter().flat_map(|(id, usage)| {
            let known = known.get(class(*id));
            known.map_or_else(Vec::new, |known| {
                usage.beyond(catalogue.class_version(*id), known)
            })
        });
        // Methods come last: there may be many, and what is wholly new says more.
        new_classes.chain(new_subjects).chain(new_parts).collect()
    }

    pub fn add_fact(&mut self, fact: FactId) {
        if let Err(place) = self.facts.binary_search(&fact) {
            self.facts.insert(place, fact);
        }
    }

    /// Has the row speak of another fact instead of one of its own.
    pub fn replace_fact(&mut self, own: FactId, other: FactId) {
        if let Ok(place) = self.facts.binary_search(&own) {
            self.facts.remove(place);
            self.add_fact(other);
        }
    }

    pub fn add_mark(&mut self, mark: Mark) {
        self.marks.insert(mark);
    }

    /// Books all that `other` holds: what a static initialiser used, to every test that uses its
    /// class; what fixtures used, to each test method; one invocation's uses, to the test.
    pub fn absorb(&mut self, other: &Row) {
        for (class, usage) in &other.uses {
            self.book(*class, usage.clone(), other.is_lent(*class));
        }
        self.absorb_surroundings(other);
    }

    /// Books all that the row of another test holds, because this one uses what that one made.
    pub fn absorb_lent(&mut self, other: &Row) {
        for (class, usage) in &other.uses {
            self.lend(*class, usage.clone());
        }
        self.absorb_surroundings(other);
    }

    fn absorb_surroundings(&mut self, other: &Row) {
        other.facts.iter().for_each(|fact| self.add_fact(*fact));
        self.marks.absorb(other.marks);
    }

    /// The same row by the numbers of another catalogue, which takes up what it lacks. Joins
    /// the evidence of several JVMs, and leaves behind what no row needs.
    pub fn moved(&self, from: &Catalogue, to: &mut Catalogue) -> Row {
        let mut row = Row {
            marks: self.marks,
            ..Row::default()
        };
        for (class, usage) in &self.uses {
            let moved = to.class(from.class_version(*class).clone());
            row.book(moved, usage.clone(), self.is_lent(*class));
        }
        for fact in &self.facts {
            row.add_fact(to.fact(from.fact_seen(*fact).clone()));
        }
        row
    }

    /// `catalogue` must be the one whose numbers the row holds; bytes made against another are
    /// refused when they are decoded.
    pub fn encode(&self, catalogue: &Catalogue) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        writer.number(self.marks.bits().into());
        writer.number(self.uses.len() as u64);
        let mut next = 0;
        for (class, usage) in &self.uses {
            writer.number((class.0 - next).into());
            next = class.0 + 1;
            match usage {
                Use::Whole => writer.number(0),
                Use::Parts { executed, listed } => {
                    let bytes = executed.to_bytes();
                    writer.number(1 + u64::from(*listed) + 2 * bytes.len() as u64);
                    writer.bytes(&bytes);
                }
            }
        }
        write_ascending(self.facts.iter().map(|fact| fact.0), &mut writer);
        write_ascending(self.lent.iter().map(|class| class.0), &mut writer);
        let referred = self.referred(catalogue).unwrap_or(Hash128([0; 16]));
        writer.finish(referred)
    }

    /// Refuses bytes that were damaged, or written against another catalogue.
    pub fn decode(bytes: &[u8], catalogue: &Catalogue) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(KIND, bytes)?;
        let marks = Marks::from_bits(reader.number()?).ok_or(reader.damaged())?;
        let count = reader.count(2)?;
        let mut uses = Vec::with_capacity(count);
        let mut next = 0;
        for _ in 0..count {
            let class = following(&mut next, &mut reader)?;
            let usage = match reader.index()?.checked_sub(1) {
                None => Use::Whole,
                Some(head) => Use::Parts {
                    executed: MemberSet::from_bytes(reader.take(head as usize / 2)?),
                    listed: head % 2 == 1,
                },
            };
            uses.push((ClassId(class), usage));
        }
        let facts = read_ascending(&mut reader)?.into_iter().map(FactId);
        let facts = facts.collect();
        let lent = read_ascending(&mut reader)?.into_iter().map(ClassId);
        let row = Row {
            uses,
            lent: lent.collect(),
            facts,
            marks,
        };
        let referred = row.referred(catalogue).ok_or(reader.damaged())?;
        reader.finish(referred)?;
        Ok(row)
    }

    /// What the row's numbers stand for; none if the catalogue has no such numbers.
    fn referred(&self, catalogue: &Catalogue) -> Option<Hash128> {
        let mut digest = Digest::new("referred");
        for (class, usage) in &self.uses {
            let stamp = catalogue.class_stamp(*class)?;
            digest.hash(stamp.hash);
            let last = match usage {
                Use::Parts { executed, .. } => executed.last(),
                Use::Whole => None,
            };
            if last.is_some_and(|last| last >= stamp.members) {
                return None;
            }
        }
        for fact in &self.facts {
            digest.hash(catalogue.fact_stamp(*fact)?);
        }
        Some(digest.finish())
    }
}

/// How many, and how far each lies beyond the one before.
fn write_ascending(numbers: impl ExactSizeIterator<Item = u32>, writer: &mut Writer) {
    writer.number(numbers.len() as u64);
    let mut next = 0;
    for number in numbers {
        writer.number((number - next).into());
        next = number + 1;
    }
}

fn read_ascending(reader: &mut Reader<'_>) -> Result<Vec<u32>, DecodeError> {
    let count = reader.count(1)?;
    let mut next = 0;
    (0..count).map(|_| following(&mut next, reader)).collect()
}

/// Reads how far the next number lies beyond the one before.
fn following(next: &mut u32, reader: &mut Reader<'_>) -> Result<u32, DecodeError> {
    let number = next.checked_add(reader.index()?).ok_or(reader.damaged())?;
    *next = number.checked_add(1).ok_or(reader.damaged())?;
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::ClassKey;
    use crate::fact::{Fact, State};
    use crate::fingerprint::Parts;
    use crate::hash::Hash128;

    /// A version of a class by its methods; what they do is the same in all versions.
    fn class(name: &str, methods: &[&str]) -> ClassVersion {
        let hash = Hash128::of(b"");
        let method = |signature: &&str| {
            let (name, descriptor) = signature.split_at(signature.find('(').unwrap());
            MemberFingerprint {
                name: name.into(),
                descriptor: descriptor.into(),
                lambda: None,
                body: hash,
            }
        };
        let members = methods.iter().map(method).collect();
        ClassVersion {
            key: ClassKey {
                origin: "classes".into(),
                name: name.into(),
            },
            fingerprint: ClassFingerprint::from_parts(Parts::new(hash, hash, hash, members)),
        }
    }

    /// Uses of a class in a version with these methods.
    fn row(catalogue: &mut Catalogue, methods: &[&str], usage: Use) -> Row {
        let mut row = Row::new();
        row.add_use(catalogue.class(class("shop/Tax", methods)), usage);
        row
    }

    const METHODS: [&str; 3] = ["<init>(I)V", "rate(Ljava/lang/String;)I", "round()V"];

    #[test]
    fn a_method_that_ran_for_the_first_time_is_named_as_its_source_does() {
        let mut catalogue = Catalogue::new();
        let known = row(&mut catalogue, &METHODS, Use::executed([2]));
        let now = row(&mut catalogue, &METHODS, Use::executed([0, 1, 2]));
        assert_eq!(
            now.beyond(&known, &catalogue),
            [
                "constructor `shop.Tax(int)`",
                "method `shop.Tax.rate(String)`"
            ]
        );
        assert_eq!(known.beyond(&now, &catalogue), [""; 0]);
    }

    #[test]
    fn a_method_is_known_in_another_version_of_its_class() {
        let mut catalogue = Catalogue::new();
        let known = row(&mut catalogue, &METHODS[2..], Use::executed([0]));
        let now = row(&mut catalogue, &METHODS, Use::executed([1, 2]));
        let rate = ["method `shop.Tax.rate(String)`"];
        assert_eq!(now.beyond(&known, &catalogue), rate);
    }

    #[test]
    fn of_a_class_that_was_used_as_a_whole_nothing_is_new() {
        let mut catalogue = Catalogue::new();
        let whole = row(&mut catalogue, &METHODS, Use::Whole);
        let parts = row(&mut catalogue, &METHODS, Use::executed([1]));
        let listed = row(&mut catalogue, &METHODS, Use::listed());
        assert_eq!(parts.beyond(&whole, &catalogue), [""; 0]);
        assert_eq!(
            whole.beyond(&parts, &catalogue),
            ["all of class `shop.Tax`"]
        );
        assert_eq!(
            listed.beyond(&parts, &catalogue),
            ["the list of members of class `shop.Tax`"]
        );
        assert_eq!(listed.beyond(&listed, &catalogue), [""; 0]);
    }

    #[test]
    fn a_new_class_and_a_new_file_are_named_before_methods() {
        let mut catalogue = Catalogue::new();
        let known = row(&mut catalogue, &METHODS, Use::referenced());
        let mut now = row(&mut catalogue, &METHODS, Use::executed([2]));
        let fee = catalogue.class(class("shop/Fee", &METHODS));
        now.add_use(fee, Use::executed([0]));
        now.add_fact(catalogue.fact(Fact {
            subject: Subject::File("fares.txt".into()),
            state: State::Absent,
        }));
        assert_eq!(
            now.beyond(&known, &catalogue),
            [
                "class `shop.Fee`",
                "file `fares.txt`",
                "method `shop.Tax.round()`"
            ]
        );
    }
}
