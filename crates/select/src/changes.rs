//! What differs between the evidence and the present. Each class and each fact is compared once,
//! however many rows speak of it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::catalogue::{Catalogue, ClassId, FactId};
use crate::fact::StateChange;
use crate::fingerprint::{ClassFingerprint, MemberIdentity, Parts};
use crate::hash::Hash128;
use crate::member_set::MemberSet;
use crate::world::World;

/// How a class differs from one recorded version of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClassChange {
    /// There is no such class any more.
    Vanished,
    /// The name now means a class from elsewhere.
    Moved {
        to: Arc<str>,
    },
    /// It differs, and at least one side was compared as a whole only.
    Changed,
    Parts(PartsChange),
}

/// Which parts of a class differ.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PartsChange {
    pub structure: bool,
    pub listing: bool,
    pub initializer: bool,
    /// Methods with another body, by position in the recorded version.
    pub changed: MemberSet,
    /// Methods that are gone, by position in the recorded version.
    pub removed: MemberSet,
}

/// All differences between a catalogue and the present.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    classes: Vec<Option<ClassChange>>,
    facts: Vec<Option<StateChange>>,
}

impl Changes {
    pub fn between(catalogue: &Catalogue, world: &impl World) -> Self {
        let classes = catalogue
            .classes()
            .iter()
            .map(|seen| match world.class(&seen.key) {
                None => Some(ClassChange::Vanished),
                Some(found) if found.origin != seen.key.origin => {
                    Some(ClassChange::Moved { to: found.origin })
                }
                Some(found) => class_change(&seen.fingerprint, &found.fingerprint),
            });
        let facts = (catalogue.facts().iter())
            .map(|fact| StateChange::between(fact.state, world.state(&fact.subject)));
        Changes {
            classes: classes.collect(),
            facts: facts.collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.classes.iter().all(Option::is_none) && self.facts.iter().all(Option::is_none)
    }

    /// None if the class is as it was.
    pub fn class(&self, id: ClassId) -> Option<&ClassChange> {
        self.classes.get(id.0 as usize)?.as_ref()
    }

    /// None if the subject is as it was.
    pub fn fact(&self, id: FactId) -> Option<StateChange> {
        *self.facts.get(id.0 as usize)?
    }
}

fn class_change(seen: &ClassFingerprint, now: &ClassFingerprint) -> Option<ClassChange> {
    if seen.whole == now.whole {
        return None;
    }
    Some(match (&seen.parts, &now.parts) {
        (Some(seen), Some(now)) => ClassChange::Parts(parts_change(seen, now)),
        _ => ClassChange::Changed,
    })
}

fn parts_change(seen: &Parts, now: &Parts) -> PartsChange {
    let bodies: HashMap<MemberIdentity<'_>, Hash128> = now
        .members()
        .iter()
        .map(|member| (member.identity(), member.body))
        .collect();
    let mut change = PartsChange {
        structure: seen.structure != now.structure,
        listing: seen.listing != now.listing,
        initializer: seen.initializer != now.initializer,
        ..PartsChange::default()
    };
    for (position, member) in seen.members().iter().enumerate() {
        match bodies.get(&member.identity()) {
            None => change.removed.insert(position),
            Some(body) if *body != member.body => change.changed.insert(position),
            Some(_) => {}
        }
    }
    change
}
