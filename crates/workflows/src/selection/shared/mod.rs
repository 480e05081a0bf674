//! Evidence that other machines have published, and what this one has for them.
//!
//! Taken is only what lets a unit be left out now, and only where nothing here speaks for the
//! present state: a test that is red here stays red. Only whole test classes are shared: to know some
//! methods of a class says nothing of the others. Without the cache everything works as before.

mod entry;
mod landmarks;

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use jury_cache::{Cache, EntryId, Index, IndexKey};
use jury_model::Notice;
use jury_select::{Changes, Decision, Digest, Recorded, decide};
use jury_store::VERSIONS_KEPT;

use self::entry::{Entry, in_order};
use self::landmarks::Landmarks;
use super::class_path::Listings;
use super::evidence::{UnitVersion, VersionSource, judge};
use super::grouping::is_method;
use super::world::{RecipeWorld, fingerprints};
use super::{Advice, Granularity, Selection, Wanted};

#[derive(Debug)]
pub(super) struct Shared {
    cache: Cache,
    landmarks: Landmarks,
    /// As they were when they were first asked for, by module.
    indexes: BTreeMap<String, Index>,
    /// Units are asked for once: several JVMs of a build ask about each.
    asked: BTreeSet<(String, String)>,
}

impl Selection {
    /// Relies on what others have published from now on.
    pub fn share(&mut self, cache: Cache) {
        self.shared = Some(Shared {
            cache,
            landmarks: Landmarks::new(
                &self.root,
                self.surroundings.usual_java_home().as_deref(),
                self.surroundings.home(),
            ),
            indexes: BTreeMap::new(),
            asked: BTreeSet::new(),
        });
    }

    /// Takes evidence for units that nothing here speaks for. True if there was any.
    pub(super) fn take_shared(
        &mut self,
        module: &str,
        units: &[String],
        advice: &BTreeMap<String, Advice>,
    ) -> bool {
        let forced =
            matches!(self.settings.wanted, Wanted::All | Wanted::Failing) || self.tests_named;
        if forced || self.granularity == Granularity::Method {
            return false;
        }
        let Some(key) = self.index_key(module) else {
            return false;
        };
        let Some(mut shared) = self.shared.take() else {
            return false;
        };
        let now = SystemTime::now();
        let index = shared.indexes.entry(module.to_owned());
        let index = index.or_insert_with(|| shared.cache.index(key, now));
        // A JVM that does not know its tests yet may have any.
        let named: Vec<&str> = match units.is_empty() {
            true => index.names().collect(),
            false => units.iter().map(String::as_str).collect(),
        };
        let mut wanted: Vec<&str> = (named.into_iter())
            .filter(|unit| !is_method(unit))
            .filter(|unit| advice.get(*unit).is_none_or(|advice| !advice.speaks))
            .filter(|unit| (shared.asked).insert((module.to_owned(), (*unit).to_owned())))
            .collect();
        let mut taken = Vec::new();
        let listings = Listings::default();
        for age in 0.. {
            let candidates: Vec<(&str, EntryId)> = (wanted.iter())
                .filter_map(|unit| Some((*unit, index.lines(unit).get(age)?.entry)))
                .collect();
            if candidates.is_empty() {
                break;
            }
            let ids: Vec<EntryId> = candidates.iter().map(|(_, id)| *id).collect();
            let found = shared.cache.entries(&ids);
            for ((unit, _), bytes) in candidates.iter().zip(found) {
                let Some(bytes) = bytes else { continue };
                match Entry::decode(&bytes, &shared.landmarks) {
                    Some(entry) if entry.module == module && entry.unit == *unit => {
                        if self.holds(&entry, &listings) {
                            wanted.retain(|wanted| wanted != unit);
                            taken.push(entry);
                        }
                    }
                    _ => shared.cache.add_damaged(),
                }
            }
        }
        let any = !taken.is_empty();
        taken.into_iter().for_each(|entry| self.take_in(entry));
        self.shared = Some(shared);
        any
    }

    /// Publishes what this run showed, and what nobody has published yet.
    pub fn publish(&mut self) {
        let Some(mut shared) = self.shared.take() else {
            return;
        };
        if !shared.cache.is_read_only() && self.granularity == Granularity::Class {
            let now = SystemTime::now();
            for module in self.modules.keys() {
                if let Some(key) = self.index_key(module) {
                    let news = self.news(module, &shared);
                    shared.cache.publish(key, news, now);
                }
            }
        }
        self.shared = Some(shared);
    }

    /// What the user should hear about the cache.
    pub fn shared_notices(&self) -> Vec<Notice> {
        let Some(Shared { cache, .. }) = &self.shared else {
            return Vec::new();
        };
        let location = cache.location();
        let lost = cache.lost().map(|trouble| {
            Notice::with_hint(
                format!("went on without the shared cache `{location}`: {trouble}"),
                "nothing is lost but time; check that it can be reached, or unset JURY_CACHE",
            )
        });
        let damaged = (cache.damaged() > 0).then(|| {
            let what = match cache.damaged() {
                1 => "1 damaged entry".to_owned(),
                count => format!("{count} damaged entries"),
            };
            Notice::with_hint(
                format!("ignored {what} in the shared cache `{location}`"),
                "if this happens again, find out who else writes to it",
            )
        });
        lost.into_iter().chain(damaged).collect()
    }

    /// What must be the same for evidence of a module to be of any use here; none if that is
    /// not known.
    fn index_key(&self, module: &str) -> Option<IndexKey> {
        let mut digest = Digest::new("jury shared index 2");
        digest.bytes(module.as_bytes());
        digest.bytes(format!("{:?}", self.settings.hashing).as_bytes());
        self.surroundings.add_common(&mut digest)?;
        Some(IndexKey(digest.finish().0))
    }

    fn holds(&self, entry: &Entry, listings: &Listings) -> bool {
        let known = fingerprints(&entry.catalogue);
        let world = RecipeWorld::new(
            &entry.recipe,
            &self.root,
            &self.surroundings,
            &self.files,
            listings,
            self.settings.hashing,
            &known,
        );
        let changes = Changes::between(&entry.catalogue, &world);
        let last = Some(entry.recorded.outcome);
        let Some(policy) = self.policy(&entry.unit, last) else {
            return false;
        };
        decide(Some(&entry.recorded), &changes, &policy) == Decision::Skip
    }

    fn take_in(&mut self, entry: Entry) {
        let evidence = self.modules.entry(entry.module).or_default();
        let mut recorded = entry.recorded;
        recorded.row = recorded
            .row
            .moved(&entry.catalogue, &mut evidence.catalogue);
        let versions = evidence.units.entry(entry.unit).or_default();
        versions.truncate(VERSIONS_KEPT as usize - 1);
        versions.push(UnitVersion {
            recipe: self.recipes.key(&entry.recipe),
            source: VersionSource::Shared,
            recorded,
            counts: entry.counts,
            micros: entry.micros,
            tangle: String::new(),
            launches: Vec::new(),
        });
    }

    fn news(&self, module: &str, shared: &Shared) -> Vec<(String, [u8; 16], Vec<u8>)> {
        let Some(evidence) = self.modules.get(module) else {
            return Vec::new();
        };
        let index = shared.indexes.get(module);
        let is_new = |unit: &str, version: &UnitVersion| match version.source {
            VersionSource::ThisRun(_) => true,
            VersionSource::Stored(..) => index.is_some_and(|index| index.lines(unit).is_empty()),
            VersionSource::Shared => false,
        };
        let changes = self.changes(evidence);
        let mut news = Vec::new();
        let is_shared = |unit: &String| !is_method(unit) && !self.is_flaky(module, unit);
        for (unit, versions) in evidence.units.iter().filter(|(unit, _)| is_shared(unit)) {
            let verdict = judge(versions, &changes, &self.settings.policy);
            let version = verdict.version.filter(|version| is_new(unit, version));
            let Some(version) = version.filter(|_| verdict.decision == Decision::Skip) else {
                continue;
            };
            let Recorded { row, outcome } = &version.recorded;
            let (catalogue, row) = in_order(&evidence.catalogue, row);
            let entry = Entry {
                module: module.to_owned(),
                unit: unit.clone(),
                recipe: self.recipes.all[version.recipe].clone(),
                recorded: Recorded {
                    row,
                    outcome: *outcome,
                },
                catalogue,
                counts: version.counts,
                micros: version.micros,
            };
            let encoded = entry.encode(&shared.landmarks);
            news.extend(encoded.map(|(state, bytes)| (unit.clone(), state, bytes)));
        }
        news
    }
}
