//! Flaky tests: what is known of them is never relied on.
//!
//! A finding holds for as long as the classes are as they were that the test's class used when it
//! was found, and again when they are so again. That files or settings are others ends none: those
//! are what flaky tests depend on.

use std::collections::{BTreeMap, BTreeSet};

use jury_model::{Flakiness, Outcome};
use jury_select::{Catalogue, Changes, Policy, Reason, Recorded, Row, decide};
use jury_store::StoredFlaky;

use super::class_path::Listings;
use super::evidence::judge;
use super::grouping::class_of;
use super::world::fingerprints;
use super::{Advice, Selection, Wanted};

/// What the tests of a class used: a catalogue and a row, encoded.
pub(crate) type UsesOfClass = (Vec<u8>, Vec<u8>);

impl Selection {
    /// Findings that speak of the present.
    pub fn known_flaky(&self) -> Vec<StoredFlaky> {
        let all = self.flaky.iter();
        all.filter(|one| self.still_holds(one)).cloned().collect()
    }

    /// Has flaky tests of a module run, and whatever those need that are red on their own.
    pub(super) fn doubt_flaky(&self, module: &str, advice: &mut BTreeMap<String, Advice>) {
        // Finding out what tests use is no verdict.
        if self.settings.wanted == Wanted::Outdated {
            return;
        }
        for one in self.held_in(module) {
            let is_needed = |class: &str| {
                one.flaky.kind == Flakiness::Brittle
                    && one.flaky.culprits.iter().any(|culprit| culprit == class)
            };
            let concerned = advice.iter_mut().filter(|(unit, advice)| {
                let is_its = **unit == one.class || **unit == one.method_unit;
                advice.wanted && (is_its || is_needed(class_of(unit)))
            });
            for (_, advice) in concerned {
                advice.reasons.push(one.flaky.to_string());
            }
        }
    }

    /// Whether nothing that is known of a class's tests may be relied on.
    pub(super) fn is_flaky(&self, module: &str, class: &str) -> bool {
        let is_its = |one: &&StoredFlaky| one.module == module && one.class == class;
        let mut all = self.flaky.iter().filter(is_its);
        all.any(|one| self.still_holds(one))
    }

    pub(super) fn has_flaky(&self, module: &str) -> bool {
        self.held_in(module).next().is_some()
    }

    fn held_in<'s>(&'s self, module: &'s str) -> impl Iterator<Item = &'s StoredFlaky> {
        let all = self.flaky.iter().filter(move |one| one.module == module);
        all.filter(|one| self.still_holds(one))
    }

    /// What cannot be compared with the present holds until it is taken back.
    fn still_holds(&self, one: &StoredFlaky) -> bool {
        let recipe = one.recipe.as_ref().and_then(|id| self.recipes.known(id));
        let catalogue = Catalogue::decode(&one.catalogue).ok();
        let Some((recipe, catalogue)) = recipe.zip(catalogue) else {
            return true;
        };
        let Ok(row) = Row::decode(&one.row, &catalogue) else {
            return true;
        };
        let (listings, known) = (Listings::default(), fingerprints(&catalogue));
        let changes = Changes::between(&catalogue, &self.world(recipe, &listings, &known));
        let outcome = Outcome::Passed;
        let decision = decide(
            Some(&Recorded { row, outcome }),
            &changes,
            &Policy::default(),
        );
        !has_changed_class(decision.reasons())
    }

    /// What test classes use, as it was seen last; not of those of which a class has changed since.
    pub fn uses_of(&self, module: &str, classes: &BTreeSet<&str>) -> BTreeMap<String, UsesOfClass> {
        let Some(evidence) = self.modules.get(module) else {
            return BTreeMap::new();
        };
        let changes = self.changes(evidence);
        let mut rows: BTreeMap<&str, Option<(Catalogue, Row)>> = BTreeMap::new();
        for (unit, versions) in &evidence.units {
            let class = class_of(unit);
            if !classes.contains(class) {
                continue;
            }
            let verdict = judge(versions, &changes, &Policy::default());
            let version = verdict.version;
            let version = version.filter(|_| !has_changed_class(verdict.decision.reasons()));
            let joined = rows
                .entry(class)
                .or_insert_with(|| Some(Default::default()));
            match (version, &mut *joined) {
                (Some(version), Some((catalogue, row))) => {
                    let used = &version.recorded.row;
                    row.absorb(&used.moved(&evidence.catalogue, catalogue));
                }
                _ => *joined = None,
            }
        }
        (rows.into_iter())
            .filter_map(|(class, uses)| {
                let (catalogue, row) = uses?;
                Some((
                    class.to_owned(),
                    (catalogue.encode(), row.encode(&catalogue)),
                ))
            })
            .collect()
    }
}

fn has_changed_class(reasons: &[Reason]) -> bool {
    let mut reasons = reasons.iter();
    reasons.any(|reason| matches!(reason, Reason::Class { .. }))
}
