//! How well a project was tested at each revision, as a text file: a header that names the format,
//! then one state of the code per line, the latest last.

use super::standings_text::BadStandings;
use crate::metrics::{Metrics, rate};
use crate::run::Extent;

const HEADER: &str = "jury milestones 1";
/// More than anybody looks back.
const KEPT: usize = 500;

/// The figures of a run over everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Milestone {
    /// Hash of the code and its tests.
    pub code: String,
    pub commit: Option<String>,
    /// What the user chose; figures compare only if it is the same.
    pub settings: String,
    pub mutants_covered: u64,
    pub mutants_undetected: u64,
    pub methods_under_analysis: u64,
    pub pseudo_tested: u64,
    pub partially_tested: u64,
}

impl Milestone {
    pub fn of(extent: &Extent, metrics: &Metrics) -> Self {
        let (extreme, classic) = (&metrics.extreme, &metrics.classic);
        Milestone {
            code: extent.code.clone(),
            commit: extent.commit.clone(),
            settings: extent.settings.clone(),
            mutants_covered: extreme.covered + classic.covered,
            mutants_undetected: extreme.undetected() + classic.undetected(),
            methods_under_analysis: metrics.under_analysis,
            pseudo_tested: metrics.pseudo_tested,
            partially_tested: metrics.partially_tested,
        }
    }

    /// Mutants that nobody noticed among those that tests run.
    pub fn undetected_rate(&self) -> Option<f64> {
        rate(self.mutants_undetected, self.mutants_covered)
    }

    fn is_of(&self, other: &Milestone) -> bool {
        (&self.code, &self.settings) == (&other.code, &other.settings)
    }
}

/// Adds the latest one; an earlier one of the same state and choices gives way.
pub fn add_milestone(mut milestones: Vec<Milestone>, latest: Milestone) -> Vec<Milestone> {
    milestones.retain(|one| !one.is_of(&latest));
    milestones.push(latest);
    let surplus = milestones.len().saturating_sub(KEPT);
    milestones.split_off(surplus)
}

pub fn format_milestones(milestones: &[Milestone]) -> String {
    let mut text = format!("{HEADER}\n");
    for one in milestones {
        let commit = one.commit.as_deref().unwrap_or("-");
        text.push_str(&format!(
            "{} {commit} {} {} {} {} {} {}\n",
            one.code,
            one.settings,
            one.mutants_covered,
            one.mutants_undetected,
            one.methods_under_analysis,
            one.pseudo_tested,
            one.partially_tested,
        ));
    }
    text
}

pub fn parse_milestones(text: &str) -> Result<Vec<Milestone>, BadStandings> {
    let mut lines = (1..).zip(text.lines());
    if lines.next().is_none_or(|(_, header)| header != HEADER) {
        return Err(BadStandings { line: 1 });
    }
    let entry = |text: &str| {
        let words: Vec<&str> = text.split(' ').collect();
        let [code, commit, settings, figures @ ..] = &words[..] else {
            return None;
        };
        let figures: Option<Vec<u64>> = figures.iter().map(|word| word.parse().ok()).collect();
        let [covered, undetected, analysed, pseudo, partially] = figures?[..] else {
            return None;
        };
        Some(Milestone {
            code: (*code).to_owned(),
            commit: (*commit != "-").then(|| (*commit).to_owned()),
            settings: (*settings).to_owned(),
            mutants_covered: covered,
            mutants_undetected: undetected,
            methods_under_analysis: analysed,
            pseudo_tested: pseudo,
            partially_tested: partially,
        })
    };
    lines
        .map(|(line, text)| entry(text).ok_or(BadStandings { line }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milestone(code: &str, pseudo_tested: u64) -> Milestone {
        Milestone {
            code: code.into(),
            commit: (code != "c").then(|| format!("{code}0ffee")),
            settings: "s".into(),
            mutants_covered: 8,
            mutants_undetected: 2,
            methods_under_analysis: 4,
            pseudo_tested,
            partially_tested: 1,
        }
    }

    #[test]
    fn milestones_come_back_as_they_were_written() {
        let milestones = [milestone("a", 1), milestone("c", 0)];
        let text = format_milestones(&milestones);
        assert_eq!(parse_milestones(&text).unwrap(), milestones);
        let broken = text.replace(" 8 ", " eight ");
        assert_eq!(parse_milestones(&broken), Err(BadStandings { line: 2 }));
        assert_eq!(parse_milestones("x"), Err(BadStandings { line: 1 }));
    }

    #[test]
    fn a_state_has_one_milestone_and_the_oldest_are_forgotten() {
        let first = add_milestone(Vec::new(), milestone("a", 3));
        let second = add_milestone(first, milestone("b", 2));
        let third = add_milestone(second, milestone("a", 1));
        assert_eq!(third, [milestone("b", 2), milestone("a", 1)]);
        let many = (0..KEPT + 7).fold(Vec::new(), |all, number| {
            add_milestone(all, milestone(&number.to_string(), 0))
        });
        assert_eq!((many.len(), many[0].code.as_str()), (KEPT, "7"));
    }

    #[test]
    fn the_rate_is_of_what_tests_run() {
        assert_eq!(milestone("a", 0).undetected_rate(), Some(0.25));
    }
}
