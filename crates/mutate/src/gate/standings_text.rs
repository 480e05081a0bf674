//! Standings as a text file: a header that names the format, then one mutant per line.

use thiserror::Error;

use super::comparison::Standings;
use crate::verdict::Standing;

const HEADER: &str = "jury standings 1";

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line} is not what Jury writes")]
pub struct BadStandings {
    pub line: usize,
}

pub fn format_standings(standings: &Standings) -> String {
    let mut text = format!("{HEADER}\n");
    for (id, standing) in standings {
        let word = match standing {
            Standing::Detected => "detected",
            Standing::Undetected => "undetected",
            Standing::NotCovered => "not-covered",
            Standing::Skipped => "skipped",
        };
        text.push_str(&format!("{word} {id}\n"));
    }
    text
}

pub fn parse_standings(text: &str) -> Result<Standings, BadStandings> {
    let mut lines = (1..).zip(text.lines());
    if lines.next().is_none_or(|(_, header)| header != HEADER) {
        return Err(BadStandings { line: 1 });
    }
    let entry = |text: &str| {
        let (word, id) = text.split_once(' ')?;
        let standing = match word {
            "detected" => Standing::Detected,
            "undetected" => Standing::Undetected,
            "not-covered" => Standing::NotCovered,
            "skipped" => Standing::Skipped,
            _ => return None,
        };
        Some((id.parse().ok()?, standing))
    };
    lines
        .map(|(line, text)| entry(text).ok_or(BadStandings { line }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standings_read_as_they_are_written() {
        let entries = [
            ("A#a()V#void", Standing::Detected),
            ("A#b()V#void", Standing::Undetected),
            ("A#c()V#void", Standing::NotCovered),
            ("A#d()I#math#3", Standing::Skipped),
        ];
        let standings: Standings = entries
            .into_iter()
            .map(|(id, standing)| (id.parse().unwrap(), standing))
            .collect();
        let text = format_standings(&standings);
        assert!(
            text.ends_with("not-covered A#c()V#void\nskipped A#d()I#math#3\n"),
            "{text}"
        );
        assert_eq!(parse_standings(&text), Ok(standings));
    }

    #[test]
    fn another_format_is_refused() {
        for (text, line) in [
            ("", 1),
            ("jury standings 2\n", 1),
            (
                "jury standings 1\ndetected A#a()V#void\nlost A#b()V#void\n",
                3,
            ),
            ("jury standings 1\ndetected A#a\n", 2),
        ] {
            assert_eq!(parse_standings(text), Err(BadStandings { line }), "{text}");
        }
    }
}
