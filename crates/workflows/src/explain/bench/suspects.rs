//! Which tests deserve a closer look: one run of each with the mutant on, and one without for those that
//! did not show what they once showed.
//!
//! A test that shows a digest which the original has shown is not run again: more runs only take
//! differences away. What a suspect shows instead is not asked here.

use jury_jvm::{Attention, JvmError};

use super::Bench;

/// A test that does not show with a mutant on what it once showed without.
pub(super) struct Suspect {
    pub test: usize,
    /// What it does show; none if it did not pass, or was not asked.
    digest: Option<u64>,
}

impl Bench<'_> {
    /// Runs tests once with the mutant on, and tells which do not show what they once showed without, in
    /// rounds that grow: often enough a few of them tell all.
    pub(super) fn ask(
        &mut self,
        tests: &[usize],
        switch: u32,
        attention: Attention,
        caveats: &mut Vec<String>,
    ) -> Result<Vec<Vec<Suspect>>, JvmError> {
        self.learn(tests)?;
        let suspects = self.suspects(tests, switch, attention, caveats)?;
        let order: Vec<usize> = suspects.iter().map(|one| one.test).collect();
        let mut suspects = suspects.into_iter();
        let rounds = self.rounds(&order).into_iter();
        Ok(rounds
            .map(|round| suspects.by_ref().take(round.len()).collect())
            .collect())
    }

    /// The tests among suspects that show something else even if they are run once more without the mutant.
    pub(super) fn found_guilty(
        &mut self,
        mut suspects: Vec<Suspect>,
        attention: Attention,
    ) -> Result<Vec<usize>, JvmError> {
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
            if !digest.is_some_and(|digest| self.survey.showed(test, attention, digest)) {
                suspects.push(Suspect { test, digest });
            } else if let Some(one) = one {
                self.compared.insert(test);
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
        let news = self.new_digests(&tests, attention)?;
        let mutants = self.worker.as_ref().map(|warm| warm.has_seen_mutants);
        if mutants == Some(true) {
            let is_let_go = |(test, digest): &(usize, u64)| {
                let of = |one: &Suspect| one.test == *test && one.digest == Some(*digest);
                suspects.iter().any(of)
            };
            let news: Vec<(usize, u64)> = news.into_iter().filter(is_let_go).collect();
            self.doubt(&news, attention)?;
        } else {
            for (test, digest) in news {
                self.survey.add(test, attention, digest);
            }
        }
        suspects.retain(|one| {
            let showed = |digest| self.survey.showed(one.test, attention, digest);
            !one.digest.is_some_and(showed)
        });
        Ok(())
    }

    /// What tests that pass without a mutant show here, and have not shown before.
    fn new_digests(
        &mut self,
        tests: &[usize],
        attention: Attention,
    ) -> Result<Vec<(usize, u64)>, JvmError> {
        let mut news = Vec::new();
        for (test, shown) in self.run(tests, None, digest_of(attention))? {
            let digest = shown.digest(attention);
            if shown.passed() && !self.survey.showed(test, attention, digest) {
                news.push((test, digest));
            }
        }
        news.sort_unstable();
        Ok(news)
    }

    /// What would let suspects go was shown for the first time in a JVM where a mutant has been on, and may be
    /// its doing. It counts if a JVM without shows it as well. Otherwise the test is better compared in
    /// another JVM, and value by value from now on.
    fn doubt(&mut self, news: &[(usize, u64)], attention: Attention) -> Result<(), JvmError> {
        // Many tests show something else the second time in any JVM.
        for _ in 0..2 {
            let open = news.iter().copied();
            let open = open.filter(|(test, digest)| !self.survey.showed(*test, attention, *digest));
            let tests: Vec<usize> = open.map(|(test, _)| test).collect();
            let shown = self.without_mutants(|bench| bench.new_digests(&tests, attention));
            for (test, digest) in shown? {
                self.survey.add(test, attention, digest);
            }
        }
        let spoilt = news.iter().copied();
        let spoilt = spoilt.filter(|(test, digest)| !self.survey.showed(*test, attention, *digest));
        let spoilt: Vec<usize> = spoilt.map(|(test, _)| test).collect();
        if !spoilt.is_empty() {
            self.worker = None;
            self.survey.give_up(spoilt, attention);
        }
        Ok(())
    }
}

fn digest_of(attention: Attention) -> Attention {
    Attention {
        digest_only: true,
        ..attention
    }
}
