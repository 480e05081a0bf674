//! What a test showed in one run, as far as it was attended to.
//!
//! One run proves nothing: what it means that something was shown, others say.

use std::collections::BTreeSet;
use std::sync::Arc;

use jury_explain::{CALL_COUNT, Observed, Place, Property};
use jury_jvm::{Attention, Calls, Runs, SeenCalls, Sightings};
use jury_model::Outcome;

/// What the code of tests shows.
pub(super) const VALUES: Attention = Attention {
    calls: Calls::None,
    values: true,
    stack_of: None,
    depth: 0,
    digest_only: false,
};

/// What is attended to: the calls of a method, or the code of tests.
pub(super) fn aspect(attention: Attention) -> Option<u32> {
    match attention.calls {
        Calls::Of(number) => Some(number),
        Calls::None | Calls::All => None,
    }
}

/// Whether a test came to its end.
pub(in crate::explain) fn is_whole(outcome: Option<Outcome>) -> bool {
    match outcome {
        Some(Outcome::Passed | Outcome::Failed | Outcome::Aborted | Outcome::Skipped) => true,
        Some(Outcome::TimedOut | Outcome::Crashed) | None => false,
    }
}

#[derive(Default)]
pub(super) struct Shown {
    pub outcome: Option<Outcome>,
    pub observed: Observed,
    /// Of all that its code would have shown, if only that was asked for.
    pub code: u64,
    /// Of each watched method that was called.
    pub calls: Vec<SeenCalls>,
    /// What it made run.
    pub runs: Runs,
    cut: bool,
    /// What several threads passed.
    crowds: BTreeSet<Place>,
    unreadable: Vec<String>,
    pub stack: Option<String>,
}

impl Shown {
    pub fn read(sightings: Sightings, attention: Attention) -> Self {
        let texts: Vec<Arc<str>> = sightings.texts.into_iter().map(Arc::from).collect();
        let text = |index: u32| texts.get(index as usize).cloned().unwrap_or_default();
        let mut shown = Shown {
            code: sightings.digest,
            calls: sightings.calls,
            cut: sightings.cut,
            unreadable: sightings.unreadable,
            ..Shown::default()
        };
        for sighting in sightings.sightings {
            let name = text(sighting.property);
            if &*name == "stack#frames" {
                shown.stack = Some(text(sighting.value).to_string());
                continue;
            }
            let place = Place::from(sighting.place);
            let value = text(sighting.value);
            shown.observed.add(place, sighting.ordinal, name, value);
        }
        shown.crowds = shown.observed.crowds();
        shown.observed.leave_crowds_out();
        if let Calls::Of(number) = attention.calls {
            let count = Property {
                place: Place::Call(number),
                ordinal: 0,
                name: CALL_COUNT.into(),
            };
            let calls = shown.calls_of(number).count.to_string().into();
            shown.observed.values.insert(count, calls);
        }
        shown
    }

    pub fn passed(&self) -> bool {
        self.outcome == Some(Outcome::Passed)
    }

    /// Whether the test came to its end, so that what it did not show was not there.
    pub fn is_whole(&self) -> bool {
        is_whole(self.outcome)
    }

    fn calls_of(&self, number: u32) -> SeenCalls {
        let of = |each: &&SeenCalls| each.number == number;
        self.calls.iter().find(of).copied().unwrap_or_default()
    }

    /// Methods that several threads called.
    pub fn crowded_calls(&self) -> impl Iterator<Item = u32> {
        self.crowds.iter().filter_map(|place| match place {
            Place::Call(number) => Some(*number),
            Place::Value { .. } => None,
        })
    }

    /// How often the one method was called that is attended to.
    pub fn count(&self, attention: Attention) -> u32 {
        match attention.calls {
            Calls::Of(number) => self.calls_of(number).count,
            Calls::None | Calls::All => 0,
        }
    }

    /// Of what is attended to.
    pub fn digest(&self, attention: Attention) -> u64 {
        match attention.calls {
            Calls::Of(number) => digest(self.calls_of(number)),
            Calls::None | Calls::All => self.code,
        }
    }

    /// Adds what keeps this from being all there was to see.
    pub fn note(&self, caveats: &mut Vec<String>) {
        if self.cut {
            caveats.push("there was more to see than is recorded of one test".to_owned());
        }
        if self
            .crowds
            .iter()
            .any(|place| matches!(place, Place::Value { .. }))
        {
            caveats.push("what several threads of a test evaluate is not compared".to_owned());
        }
        if self.crowded_calls().next().is_some() {
            caveats.push(
                "calls that several threads of a test make are counted, but not compared"
                    .to_owned(),
            );
        }
        for field in self.unreadable.iter().take(3) {
            caveats.push(format!("`{field}` could not be read"));
        }
    }
}

/// Calls that are not recorded count, too.
pub(super) fn digest(calls: SeenCalls) -> u64 {
    calls.digest.wrapping_add(calls.count.into())
}

#[cfg(test)]
mod tests {
    use jury_jvm::Sighting;

    use super::*;

    fn noted(sightings: Sightings) -> Vec<String> {
        let mut caveats = Vec::new();
        Shown::read(sightings, VALUES).note(&mut caveats);
        caveats
    }

    #[test]
    fn what_was_cut_crowded_or_hidden_is_noted() {
        assert!(noted(Sightings::default()).is_empty());
        let cut = Sightings {
            cut: true,
            unreadable: vec!["a.B.c".into()],
            ..Sightings::default()
        };
        let expected = [
            "there was more to see than is recorded of one test",
            "`a.B.c` could not be read",
        ];
        assert_eq!(noted(cut), expected);
        let crowd = |place| Sightings {
            texts: vec!["#threads".into(), "several".into()],
            sightings: vec![Sighting {
                place,
                ordinal: 0,
                property: 0,
                value: 1,
            }],
            ..Sightings::default()
        };
        let [calls, code] = [7, 1 << 32].map(|place| noted(crowd(place)));
        assert!(
            calls[0].starts_with("calls that several threads"),
            "{calls:?}"
        );
        assert!(code[0].ends_with("evaluate is not compared"), "{code:?}");
    }
}
