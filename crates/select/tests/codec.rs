//! Stored evidence: what goes in comes out, and what was damaged is refused.

use std::sync::Arc;

use jury_select::*;
use proptest::collection::vec;
use proptest::prelude::*;

fn hash() -> impl Strategy<Value = Hash128> {
    any::<[u8; 16]>().prop_map(Hash128)
}

fn name() -> impl Strategy<Value = Arc<str>> {
    prop_oneof!["[a-c]", "[a-z/$]{0,12}", "\\PC{0,6}"].prop_map(Arc::from)
}

fn member() -> impl Strategy<Value = MemberFingerprint> {
    // One rank is left out, because ranks are stored with one added.
    let lambda = prop::option::of(0..u32::MAX);
    (name(), name(), lambda, hash()).prop_map(|(name, descriptor, lambda, body)| {
        MemberFingerprint {
            name,
            descriptor,
            lambda,
            body,
        }
    })
}

fn fingerprint() -> impl Strategy<Value = ClassFingerprint> {
    // Mostly few, sometimes more than a word of the set holds.
    let members = prop_oneof![9 => vec(member(), 0..5), 1 => vec(member(), 66..70)];
    let parts = (hash(), hash(), hash(), members)
        .prop_map(|(a, b, c, members)| ClassFingerprint::from_parts(Parts::new(a, b, c, members)));
    let plain = hash().prop_map(|whole| ClassFingerprint { whole, parts: None });
    prop_oneof![4 => parts, 1 => plain]
}

fn fact() -> impl Strategy<Value = Fact> {
    let kinds = [
        Subject::File,
        Subject::Directory,
        Subject::Resource,
        Subject::MissingClass,
        Subject::Variable,
        Subject::Launch,
    ];
    let subject = (prop::sample::select(kinds.to_vec()), name())
        .prop_map(|(subject, name)| subject(name.to_string()));
    let state = prop_oneof![
        Just(State::Absent),
        Just(State::Unreadable),
        hash().prop_map(State::Present),
    ];
    (subject, state).prop_map(|(subject, state)| Fact { subject, state })
}

fn catalogue() -> impl Strategy<Value = (Catalogue, Vec<ClassId>, Vec<FactId>)> {
    let version =
        (name(), name(), fingerprint()).prop_map(|(origin, name, fingerprint)| ClassVersion {
            key: ClassKey { origin, name },
            fingerprint,
        });
    (vec(version, 1..12), vec(fact(), 1..12)).prop_map(|(versions, facts)| {
        let mut catalogue = Catalogue::new();
        let classes = versions
            .into_iter()
            .map(|version| catalogue.class(version))
            .collect();
        let facts = facts.into_iter().map(|fact| catalogue.fact(fact)).collect();
        (catalogue, classes, facts)
    })
}

/// A catalogue with a row that speaks of it.
fn evidence() -> impl Strategy<Value = (Catalogue, Row)> {
    let uses = vec(
        (
            any::<prop::sample::Index>(),
            any::<[u16; 4]>(),
            0..3,
            any::<bool>(),
        ),
        0..20,
    );
    let seen = vec(any::<prop::sample::Index>(), 0..8);
    let marks = vec(prop::sample::select(Mark::ALL.to_vec()), 0..3);
    (catalogue(), uses, seen, marks).prop_map(|((catalogue, classes, facts), uses, seen, marks)| {
        let mut row = Row::new();
        for (class, executed, kind, is_lent) in uses {
            let class = *class.get(&classes);
            let parts = catalogue.class_version(class).fingerprint.parts.as_ref();
            let members = parts.map_or(0, |parts| parts.members().len());
            let usage = match kind {
                0 => Use::Whole,
                1 => Use::listed(),
                _ if members == 0 => Use::referenced(),
                _ => Use::executed(executed.map(|member| usize::from(member) % members)),
            };
            match is_lent {
                true => row.lend(class, usage),
                false => row.add_use(class, usage),
            }
        }
        seen.iter().for_each(|fact| row.add_fact(*fact.get(&facts)));
        marks.into_iter().for_each(|mark| row.add_mark(mark));
        (catalogue, row)
    })
}

proptest! {
    #[test]
    fn catalogues_and_rows_survive_storage((catalogue, row) in evidence()) {
        let stored = Catalogue::decode(&catalogue.encode()).unwrap();
        prop_assert_eq!(stored.classes(), catalogue.classes());
        prop_assert_eq!(stored.facts(), catalogue.facts());
        prop_assert_eq!(Row::decode(&row.encode(&catalogue), &stored), Ok(row));
    }

    #[test]
    fn damage_anywhere_is_noticed(
        (catalogue, row) in evidence(),
        place in any::<prop::sample::Index>(),
        flip in 1u8..,
    ) {
        let damaged = |mut bytes: Vec<u8>| {
            let place = place.index(bytes.len());
            bytes[place] ^= flip;
            bytes
        };
        prop_assert!(Row::decode(&damaged(row.encode(&catalogue)), &catalogue).is_err());
        prop_assert!(Catalogue::decode(&damaged(catalogue.encode())).is_err());
    }

    #[test]
    fn half_written_evidence_is_refused(
        (catalogue, row) in evidence(),
        place in any::<prop::sample::Index>(),
    ) {
        let bytes = row.encode(&catalogue);
        prop_assert!(Row::decode(&bytes[..place.index(bytes.len())], &catalogue).is_err());
        let bytes = catalogue.encode();
        prop_assert!(Catalogue::decode(&bytes[..place.index(bytes.len())]).is_err());
    }

    #[test]
    fn hostile_bytes_are_refused_without_panic(mut bytes in vec(any::<u8>(), 0..400)) {
        prop_assert!(Row::decode(&bytes, &Catalogue::new()).is_err());
        for magic in [b"JyRw\x01", b"JyCt\x01"] {
            let length = bytes.len().min(5);
            bytes[..length].copy_from_slice(&magic[..length]);
            prop_assert!(Row::decode(&bytes, &Catalogue::new()).is_err());
            prop_assert!(Catalogue::decode(&bytes).is_err());
        }
    }

    #[test]
    fn a_moved_row_speaks_of_the_same_things((catalogue, row) in evidence()) {
        let mut other = Catalogue::new();
        other.fact(Fact { subject: Subject::File("first".into()), state: State::Absent });
        let moved = row.moved(&catalogue, &mut other);
        let spelled = |row: &Row, catalogue: &Catalogue| {
            let mut uses: Vec<_> = (row.uses().iter())
                .map(|(class, usage)| format!("{:?} {usage:?}", catalogue.class_version(*class)))
                .collect();
            let facts = row.facts().iter().map(|fact| format!("{:?}", catalogue.fact_seen(*fact)));
            uses.extend(facts);
            uses.sort();
            (uses, row.marks())
        };
        prop_assert_eq!(spelled(&moved, &other), spelled(&row, &catalogue));
    }
}

#[test]
fn a_row_is_refused_by_a_catalogue_that_means_other_things() {
    let fact = |name: &str| Fact {
        subject: Subject::File(name.into()),
        state: State::Absent,
    };
    let (mut own, mut other) = (Catalogue::new(), Catalogue::new());
    let mut row = Row::new();
    row.add_fact(own.fact(fact("a")));
    other.fact(fact("b"));
    let bytes = row.encode(&own);
    assert_eq!(
        Row::decode(&bytes, &other).unwrap_err().to_string(),
        "damaged row, or one that belongs to other evidence"
    );
    own.fact(fact("later"));
    assert_eq!(Row::decode(&bytes, &own), Ok(row));
}

#[test]
fn an_unknown_method_makes_the_use_one_of_the_whole_class() {
    let hash = Hash128::of(b"");
    let member = MemberFingerprint {
        name: "m".into(),
        descriptor: "()V".into(),
        lambda: None,
        body: hash,
    };
    let smart = ClassFingerprint::from_parts(Parts::new(hash, hash, hash, vec![member]));
    let plain = ClassFingerprint::of(b"", Hashing::Plain);
    let (m, p, clinit) = (("m", "()V"), ("p", "()V"), ("<clinit>", "()V"));
    assert_eq!(Use::of_methods(&smart, [m, clinit]), Use::executed([0]));
    assert_eq!(Use::of_methods(&smart, [m, p]), Use::Whole);
    assert_eq!(Use::of_methods(&plain, [m]), Use::Whole);
    let ran = Use::executed([0]);
    assert!(ran.may_run(&smart, m.0, m.1) && !ran.may_run(&smart, p.0, p.1));
    assert!(ran.may_run(&plain, p.0, p.1) && Use::Whole.may_run(&smart, p.0, p.1));
}
