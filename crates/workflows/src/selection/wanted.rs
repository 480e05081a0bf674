//! Which tests a user asks for, before anything is compared.

use jury_model::Outcome;
use jury_select::{Mark, Policy};
use jury_store::LabelPattern;

use super::SelectionSettings;
use super::grouping::class_of;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wanted {
    /// Those that a change can affect.
    #[default]
    Affected,
    All,
    /// Those that were red when they last ran, and no others.
    Failing,
    /// Those of which it is not known what they use in the present state, to find that out. How they
    /// end is no verdict.
    Outdated,
}

impl SelectionSettings {
    /// How to judge a unit that last ended in this way; none if it is not wanted at all.
    pub(super) fn policy_for(&self, unit: &str, last: Option<Outcome>) -> Option<Policy> {
        if is_named(unit, &self.exclude) {
            return None;
        }
        let forced = Policy {
            force: true,
            ..self.policy
        };
        match self.wanted {
            Wanted::All => Some(forced),
            Wanted::Failing => last.is_some_and(Outcome::is_red).then_some(forced),
            Wanted::Affected if is_named(unit, &self.always_run) => Some(forced),
            Wanted::Affected => Some(self.policy),
            Wanted::Outdated => Some(Policy {
                force: false,
                rerun_red: false,
                trusted: Mark::ALL.into_iter().collect(),
            }),
        }
    }

    /// True if some tests do not run although a change may have affected them.
    pub(super) fn narrows(&self) -> bool {
        self.wanted == Wanted::Failing || !self.exclude.is_empty()
    }

    /// The same without what holds for a single run only.
    pub(super) fn lasting(&self) -> Self {
        SelectionSettings {
            wanted: Wanted::default(),
            audit: false,
            audit_every: None,
            ..self.clone()
        }
    }
}

fn is_named(unit: &str, patterns: &[String]) -> bool {
    let mut patterns = patterns.iter().map(|pattern| LabelPattern::new(pattern));
    patterns.any(|pattern| pattern.matches(unit) || pattern.matches(class_of(unit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(wanted: Wanted, last: Option<Outcome>) -> Option<bool> {
        let settings = SelectionSettings {
            wanted,
            exclude: vec!["Slow".into()],
            always_run: vec!["shop.Smoke*".into()],
            ..SelectionSettings::default()
        };
        assert_eq!(settings.policy_for("shop.SlowTests", last), None);
        let policy = settings.policy_for("shop.TaxTests", last)?;
        Some(policy.force)
    }

    #[test]
    fn only_what_failed_is_run_if_that_is_asked_for() {
        assert_eq!(wanted(Wanted::Failing, Some(Outcome::Crashed)), Some(true));
        assert_eq!(wanted(Wanted::Failing, Some(Outcome::Passed)), None);
        assert_eq!(wanted(Wanted::Failing, None), None);
    }

    #[test]
    fn nothing_is_forced_unless_it_is_asked_for() {
        assert_eq!(wanted(Wanted::Affected, Some(Outcome::Failed)), Some(false));
        assert_eq!(wanted(Wanted::Outdated, None), Some(false));
        assert_eq!(wanted(Wanted::All, None), Some(true));
    }

    #[test]
    fn what_is_always_to_run_is_forced_by_its_class_and_in_each_of_its_methods() {
        let settings = SelectionSettings {
            always_run: vec!["shop.Smoke*".into(), "Rain".into()],
            ..SelectionSettings::default()
        };
        for (unit, forced) in [
            ("shop.SmokeTests", true),
            ("shop.SmokeTests#rises", true),
            ("shop.SmokeTests$Inside#rises", true),
            ("weather.RainTests", true),
            ("old.shop.SmokeTests", false),
            ("shop.TaxTests", false),
        ] {
            let policy = settings.policy_for(unit, Some(Outcome::Passed));
            assert_eq!(policy.map(|policy| policy.force), Some(forced), "{unit}");
        }
    }

    #[test]
    fn settings_that_hold_for_one_run_do_not_last() {
        let once = SelectionSettings {
            wanted: Wanted::All,
            audit: true,
            audit_every: Some(3),
            ..SelectionSettings::default()
        };
        let lasting = format!("{:?}", once.lasting());
        assert_eq!(lasting, format!("{:?}", SelectionSettings::default()));
    }
}
