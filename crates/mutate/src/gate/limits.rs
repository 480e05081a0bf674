//! Which limits hold for which module.

use std::collections::BTreeMap;
use std::fmt;

use super::thresholds::{Breach, Thresholds};
use crate::metrics::Metrics;

/// The limits of a project. Each holds for every module by itself, not for their sum: a good
/// module must not hide a bad one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Limits {
    pub general: Thresholds,
    /// What modules ask for instead, figure by figure.
    pub modules: BTreeMap<String, Thresholds>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ModuleBreach {
    pub module: String,
    pub breach: Breach,
}

impl fmt::Display for ModuleBreach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.module.as_str() {
            "." => write!(f, "{}", self.breach),
            module => write!(f, "{module}: {}", self.breach),
        }
    }
}

impl Limits {
    pub fn are_set(&self) -> bool {
        self.general != Thresholds::default()
            || self
                .modules
                .values()
                .any(|own| *own != Thresholds::default())
    }

    pub fn of(&self, module: &str) -> Thresholds {
        let own = self.modules.get(module).copied().unwrap_or_default();
        Thresholds {
            extreme_score: own.extreme_score.or(self.general.extreme_score),
            classic_score: own.classic_score.or(self.general.classic_score),
            pseudo_tested: own.pseudo_tested.or(self.general.pseudo_tested),
        }
    }

    pub fn check(&self, modules: &BTreeMap<String, Metrics>) -> Vec<ModuleBreach> {
        let breaches = modules.iter().flat_map(|(module, metrics)| {
            self.of(module)
                .check(metrics)
                .into_iter()
                .map(|breach| ModuleBreach {
                    module: module.clone(),
                    breach,
                })
        });
        breaches.collect()
    }

    /// The same limits, tightened to what each module has reached. Where there are several, each
    /// that has reached more than it must gets limits of its own.
    pub fn ratcheted(&self, modules: &BTreeMap<String, Metrics>) -> Self {
        let mut tightened = self.clone();
        for (module, metrics) in modules {
            let limits = self.of(module);
            let reached = limits.ratcheted(metrics);
            if reached == limits {
                continue;
            }
            if modules.len() == 1 && !self.modules.contains_key(module) {
                tightened.general = reached;
            } else {
                tightened.modules.insert(module.clone(), reached);
            }
        }
        tightened
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Tally;

    fn score(percent: f64) -> Thresholds {
        Thresholds {
            extreme_score: Some(percent),
            ..Thresholds::default()
        }
    }

    /// Modules that detect so many of ten mutants.
    fn reached(modules: &[(&str, u64)]) -> BTreeMap<String, Metrics> {
        let metrics = |detected| Metrics {
            extreme: Tally {
                created: 10,
                covered: 10,
                detected,
                ..Tally::default()
            },
            ..Metrics::default()
        };
        modules
            .iter()
            .map(|(module, detected)| ((*module).to_owned(), metrics(*detected)))
            .collect()
    }

    #[test]
    fn a_module_may_ask_for_more_than_the_others() {
        let limits = Limits {
            general: score(50.0),
            modules: [("core".to_owned(), score(90.0))].into(),
        };
        let breaches = limits.check(&reached(&[("app", 6), ("core", 8)]));
        let messages: Vec<_> = breaches.iter().map(ToString::to_string).collect();
        assert_eq!(
            messages,
            ["core: extreme mutation score is 80.0 %, below 90.0 %"]
        );
    }

    #[test]
    fn the_only_module_ratchets_the_general_limit() {
        let limits = Limits {
            general: score(50.0),
            ..Limits::default()
        };
        let tightened = limits.ratcheted(&reached(&[(".", 7)]));
        assert_eq!(
            (tightened.general, tightened.modules.len()),
            (score(70.0), 0)
        );
    }

    #[test]
    fn several_modules_ratchet_each_for_itself() {
        let limits = Limits {
            general: score(50.0),
            ..Limits::default()
        };
        let tightened = limits.ratcheted(&reached(&[("app", 5), ("core", 9)]));
        assert_eq!(tightened.general, score(50.0));
        assert_eq!(tightened.modules, [("core".to_owned(), score(90.0))].into());
    }
}
