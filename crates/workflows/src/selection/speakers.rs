//! After the build: what shows how the tests of each unit end in the present state.

use std::collections::BTreeSet;

use jury_model::UnitName;
use jury_store::{Speaker, Speakers};

use super::evidence::VersionSource;
use super::recording::Conclusion;
use super::{Advice, Selection};

impl Selection {
    /// `whole` are units all of whose tests ran, `vanished` those that were forgotten because they are
    /// gone. Of other units that ran or should have, nothing is said.
    pub(super) fn speakers(
        &self,
        whole: &BTreeSet<UnitName>,
        vanished: &[UnitName],
        conclusion: &Conclusion,
    ) -> Speakers {
        let key = |name: &UnitName| (name.module.clone(), name.unit());
        let mut speakers = Speakers::new();
        speakers.extend(whole.iter().map(|name| (key(name), Speaker::ThisRun)));
        // Class files alone know of no runs.
        if self.statics.is_some() {
            return speakers;
        }
        speakers.extend(vanished.iter().map(|name| (key(name), Speaker::Nobody)));
        for (module, advice) in &self.advice {
            for (unit, advice) in advice {
                let is_left_out = (conclusion.left_out).contains_key(&UnitName::new(module, unit));
                if let Some(speaker) = speaker(advice).filter(|_| is_left_out) {
                    speakers.insert((module.clone(), unit.clone()), speaker);
                }
            }
            let known = self.modules.get(module);
            for unit in known.into_iter().flat_map(|known| known.units.keys()) {
                let ran = conclusion.run.contains_key(&UnitName::new(module, unit));
                // No advice is given on what is not there.
                if !ran && !advice.contains_key(unit) {
                    speakers.insert((module.clone(), unit.clone()), Speaker::Nobody);
                }
            }
        }
        speakers
    }
}

/// Who speaks for a unit that was left out.
fn speaker(advice: &Advice) -> Option<Speaker> {
    if advice.counts.red() > 0 {
        return None;
    }
    match advice.source.as_ref()? {
        VersionSource::Stored(run, recipe) => Some(Speaker::Earlier {
            run: *run,
            recipe: recipe.clone(),
        }),
        VersionSource::Shared => Some(Speaker::Elsewhere),
        VersionSource::ThisRun(_) => None,
    }
}
