//! Which tests deserve a closer look: one run of each with the mutant on, and one without for those that
//! did not show what they once showed.
//!
//! A test that shows a digest which the original has shown is not run again: more runs only take
//! differences away. What a suspect shows instead is not asked here.

use jury_jvm::{Attention, JvmError};

use super::Bench;
use super::shown::aspect;

/// A test that does not show with a mutant on what it once showed without.
pub(super) struct Suspect {
    pub test: usize,
    /// What it does show; none if it did not pass, or was not asked.
    digest: Option<u64>,
}

impl Bench<'_> {
    /// Runs tests once with the mutant on, and tells which do not show what they once showed without.
    pub(super) fn ask(
        &mut self,
        tests: &[usize],
        switch: u32,
        attention: Attention,
        caveats: &mut Vec<String>,
    ) -> Result<Vec<usize>, JvmError> {
        self.learn(tests)?;
        let mut suspects = self.suspects(tests, switch, attention, caveats)?;
        self.still_suspicious(&mut suspects, attention)?;
        Ok(suspects.into_iter().map(|one| one.test).collect())
    }

    /// The tests that do not show with the mutant on what they once showed without.
    pub(super) fn suspects(
        &mut self,
        tests: &[usize],
        switch: u32,
        attention: Attention,
        caveats: &mut Vec<String>,
    ) -> Result<Vec<Suspect>, JvmError> {
        let tells = |test: &usize| self.survey.has(*test) && !self.survey.varies(*test, attention);
        let asked: Vec<usize> = tests.iter().copied().filter(tells).collect();
        let shown = self.run(&asked, Some(switch), digest_of(attention))?;
        let mut suspects = Vec::new();
        for &test in tests {
            let one = shown.get(&test).filter(|one| one.passed());
            let digest = one.map(|one| one.digest(attention));
            if !digest.is_some_and(|digest| self.showed(test, attention, digest)) {
                suspects.push(Suspect { test, digest });
            } else if let Some(one) = one {
                one.note(caveats);
            }
        }
        Ok(suspects)
    }

    /// Runs suspects once more without the mutant, and keeps those that still show something else.
    pub(super) fn still_suspicious(
        &mut self,
        suspects: &mut Vec<Suspect>,
        attention: Attention,
    ) -> Result<(), JvmError> {
        let told = suspects.iter().filter(|one| one.digest.is_some());
        let tests: Vec<usize> = told.map(|one| one.test).collect();
        for (test, shown) in self.run(&tests, None, digest_of(attention))? {
            let digest = shown.digest(attention);
            if !shown.passed() || self.showed(test, attention, digest) {
                continue;
            }
            match &mut self.worker {
                Some(warm) if warm.has_seen_mutants => {
                    let place = (test, aspect(attention));
                    warm.shown.entry(place).or_default().push(digest);
                }
                _ => self.survey.add(test, attention, digest),
            }
        }
        suspects.retain(|one| {
            let showed = |digest| self.showed(one.test, attention, digest);
            !one.digest.is_some_and(showed)
        });
        Ok(())
    }

    /// Whether a test once showed this without a mutant.
    fn showed(&mut self, test: usize, attention: Attention, digest: u64) -> bool {
        let place = (test, aspect(attention));
        let here = (self.worker.as_ref()).and_then(|warm| warm.shown.get(&place));
        here.is_some_and(|digests| digests.contains(&digest))
            || self.survey.showed(test, attention, digest)
    }
}

fn digest_of(attention: Attention) -> Attention {
    Attention {
        digest_only: true,
        ..attention
    }
}
