//! Limits on a module's figures, and the ratchet that tightens them.

use std::fmt;

use crate::metrics::Metrics;

/// A figure that can be limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    ExtremeScore,
    ClassicScore,
    PseudoTested,
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Measure::ExtremeScore => "extreme mutation score",
            Measure::ClassicScore => "classic mutation score",
            Measure::PseudoTested => "number of pseudo-tested methods",
        })
    }
}

/// The limits of one module. Scores are in percent, as people write them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Thresholds {
    pub extreme_score: Option<f64>,
    pub classic_score: Option<f64>,
    /// The most pseudo-tested methods allowed.
    pub pseudo_tested: Option<u64>,
}

/// A limit that does not hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Breach {
    pub measure: Measure,
    pub limit: f64,
    pub found: f64,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.measure {
            Measure::PseudoTested => {
                write!(
                    f,
                    "{} is {}, at most {} allowed",
                    self.measure, self.found, self.limit
                )
            }
            _ => {
                write!(
                    f,
                    "{} is {:.1} %, below {:.1} %",
                    self.measure, self.found, self.limit
                )
            }
        }
    }
}

impl Thresholds {
    /// The limits that these figures breach. A score over no mutants breaches nothing.
    pub fn check(&self, metrics: &Metrics) -> Vec<Breach> {
        let below = |measure, limit: Option<f64>, score: Option<f64>| {
            let (limit, found) = (limit?, percent(score?));
            (found < limit).then_some(Breach {
                measure,
                limit,
                found,
            })
        };
        let above = |limit: Option<u64>| {
            let (limit, found) = (limit?, metrics.pseudo_tested);
            (found > limit).then_some(Breach {
                measure: Measure::PseudoTested,
                limit: limit as f64,
                found: found as f64,
            })
        };
        let breaches = [
            below(
                Measure::ExtremeScore,
                self.extreme_score,
                metrics.extreme_score(),
            ),
            below(
                Measure::ClassicScore,
                self.classic_score,
                metrics.classic_score(),
            ),
            above(self.pseudo_tested),
        ];
        breaches.into_iter().flatten().collect()
    }

    /// The same limits, tightened to what has been reached; never loosened. Limits that were not
    /// set stay so.
    pub fn ratcheted(&self, metrics: &Metrics) -> Self {
        let raised = |limit: Option<f64>, score: Option<f64>| {
            limit.map(|limit| score.map_or(limit, |score| limit.max(percent(score))))
        };
        Thresholds {
            extreme_score: raised(self.extreme_score, metrics.extreme_score()),
            classic_score: raised(self.classic_score, metrics.classic_score()),
            pseudo_tested: self
                .pseudo_tested
                .map(|limit| limit.min(metrics.pseudo_tested)),
        }
    }
}

/// Cut to one decimal, never rounded up: a ratchet must not ask for more than was reached.
fn percent(score: f64) -> f64 {
    (score * 1000.0).floor() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Tally;

    /// Two of three extreme mutants detected, five methods pseudo-tested.
    fn metrics() -> Metrics {
        let extreme = Tally {
            created: 3,
            covered: 3,
            detected: 2,
            ..Tally::default()
        };
        Metrics {
            extreme,
            pseudo_tested: 5,
            ..Metrics::default()
        }
    }

    fn thresholds(extreme_score: f64, pseudo_tested: u64) -> Thresholds {
        Thresholds {
            extreme_score: Some(extreme_score),
            classic_score: Some(99.0),
            pseudo_tested: Some(pseudo_tested),
        }
    }

    #[test]
    fn breaches_name_figure_and_limit() {
        let breaches = thresholds(70.0, 4).check(&metrics());
        let messages: Vec<_> = breaches.iter().map(Breach::to_string).collect();
        assert_eq!(
            messages,
            [
                "extreme mutation score is 66.6 %, below 70.0 %",
                "number of pseudo-tested methods is 5, at most 4 allowed"
            ]
        );
        assert_eq!(thresholds(66.6, 5).check(&metrics()), []);
    }

    #[test]
    fn the_ratchet_tightens_only() {
        assert_eq!(
            thresholds(50.0, 9).ratcheted(&metrics()),
            thresholds(66.6, 5)
        );
        assert_eq!(
            thresholds(90.0, 1).ratcheted(&metrics()),
            thresholds(90.0, 1)
        );
        assert_eq!(
            Thresholds::default().ratcheted(&metrics()),
            Thresholds::default()
        );
    }

    #[test]
    fn what_the_ratchet_sets_is_not_breached() {
        let tightened = thresholds(0.0, 9).ratcheted(&metrics());
        assert_eq!(tightened.check(&metrics()), []);
    }
}
