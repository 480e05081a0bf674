//! Finds out, test by test, whom an order-dependent test depends on.

use jury_flaky::{Verdict, find_culprits};
use jury_jvm::JvmError;
use jury_model::Flakiness;

use super::lineup::Lineup;
use super::showings::Showings;
use super::stand::Stand;

/// How often each side of a finding has to be seen.
const SIGHTINGS: usize = 2;
/// So many JVMs are started at most to find whom one test depends on.
const ATTEMPTS: usize = 60;

pub(super) struct Search<'a, 's> {
    pub stand: &'a Stand<'s>,
    pub showings: &'a mut Showings,
}

impl Search<'_, '_> {
    /// Looks closer at a test whose outcomes differ between orders. Whatever comes to light is among
    /// the showings afterwards. False if the search had to be ended before it was known that none
    /// of the culprits can be left out.
    pub fn settle(&mut self, test: usize, class: usize) -> Result<bool, JvmError> {
        self.see_alone(test, class)?;
        let Some((suspects, wanted)) = self.difference(test) else {
            return Ok(true);
        };
        // An order that does not make the difference again is none.
        self.run(&suspects, class)?;
        if self.difference(test).is_none() {
            return Ok(true);
        }
        let mut trouble = None;
        let culprits = find_culprits(&suspects, ATTEMPTS, |some| {
            let makes_it = self.makes_it(test, class, some, wanted);
            makes_it.unwrap_or_else(|error| {
                trouble = Some(error);
                None
            })
        });
        if let Some(error) = trouble {
            return Err(error);
        }
        if culprits.fewest {
            self.confirm(test, class, &culprits.classes)?;
        }
        Ok(culprits.fewest)
    }

    /// Sees a class after certain others, and alone, once more.
    pub fn confirm(
        &mut self,
        test: usize,
        class: usize,
        culprits: &[usize],
    ) -> Result<(), JvmError> {
        for _ in 0..SIGHTINGS {
            self.run(culprits, class)?;
        }
        self.see_alone(test, class)
    }

    fn see_alone(&mut self, test: usize, class: usize) -> Result<(), JvmError> {
        for _ in self.showings.in_order(test, &[]).count()..SIGHTINGS {
            self.run(&[], class)?;
        }
        Ok(())
    }

    /// Those after which the test ends otherwise than alone, and whether it is red after them.
    fn difference(&self, test: usize) -> Option<(Vec<usize>, bool)> {
        let judgement = self.showings.judge(test);
        match judgement.verdict {
            Verdict::Flaky(Flakiness::Victim) => Some((judgement.culprits, true)),
            Verdict::Flaky(Flakiness::Brittle) => Some((judgement.culprits, false)),
            _ => None,
        }
    }

    /// Whether the test is red, if that is wanted, or passes, if not, after some classes. What was
    /// seen before is not run again. None ends the search.
    fn makes_it(
        &mut self,
        test: usize,
        class: usize,
        some: &[usize],
        wanted: bool,
    ) -> Result<Option<bool>, JvmError> {
        if self.stand.is_cancelled() {
            return Ok(None);
        }
        if self.showings.in_order(test, some).next().is_none() {
            self.run(some, class)?;
        }
        let outcome = self.showings.in_order(test, some).next();
        // A JVM that was lost on the way makes no difference that could be repeated.
        Ok(Some(
            outcome.is_some_and(|outcome| outcome.is_red() == wanted),
        ))
    }

    fn run(&mut self, before: &[usize], class: usize) -> Result<(), JvmError> {
        let sequence = [before, &[class]].concat();
        let heard = self.stand.run(&sequence, || ())?;
        self.showings.add(heard);
        Ok(())
    }
}

/// The classes of these names that share JVMs with `class`; none if one of them is gone.
pub(super) fn numbers(lineup: &Lineup<'_>, class: usize, names: &[String]) -> Option<Vec<usize>> {
    let numbers = names.iter().map(|name| lineup.beside(class, name));
    numbers
        .collect::<Option<Vec<usize>>>()
        .filter(|all| !all.is_empty())
}
