//! This machine and this day, as far as their own things can be told by name: an assertion that names one
//! would not stand in the project for long.
//!
//! What another JVM can be made to see otherwise is left to `elsewhere`. A value that the project itself
//! names is its own, and so is a number of one or two digits: there are too many of these.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jury_model::Recipe;

const DAY: u64 = 24 * 60 * 60;
/// Hours by which places on earth may be ahead of Greenwich, or behind.
const MOST_AHEAD: u64 = 14;
const MOST_BEHIND: u64 = 12;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// From the first day of 1970 on.
const WEEKDAYS: [&str; 7] = [
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
];

pub(super) struct Here<'a> {
    project: &'a Path,
    /// Parts of today's date, and the name of the machine.
    words: BTreeSet<String>,
    /// The sources of the code under test.
    code: Vec<&'a str>,
}

impl<'a> Here<'a> {
    pub fn now(project: &'a Path, code: Vec<&'a str>) -> Self {
        let mut words = words_of(SystemTime::now());
        words.extend(host());
        Here {
            project,
            words,
            code,
        }
    }

    /// Whether a statement that is to be put into a test names what is here or today only.
    pub fn owns(&self, statement: &str, test: &str, recipe: &Recipe) -> bool {
        let version = &recipe.java_version;
        let feature = version.split(['.', '-', '+']).next().unwrap_or_default();
        // Twenty-one of something else is no version.
        let speaks_of_version = statement.contains("ersion");
        let is_named = |word: &str| {
            let is_known = |source: &&str| names_word(source, word);
            names_word(statement, word) && !is_known(&test) && !self.code.iter().any(is_known)
        };
        self.words.iter().any(|word| is_named(word))
            || (version.contains('.') && is_named(version))
            || (speaks_of_version && !feature.is_empty() && is_named(feature))
            || names_place(statement, Path::new(&recipe.working_directory))
            || names_place(statement, self.project)
    }
}

/// Year, date, month and weekday, wherever on earth the tests may think they are.
fn words_of(now: SystemTime) -> BTreeSet<String> {
    let now = now
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let first = now
        .saturating_sub(Duration::from_secs(MOST_BEHIND * 60 * 60))
        .as_secs()
        / DAY;
    let last = (now.as_secs() + MOST_AHEAD * 60 * 60) / DAY;
    let mut words = BTreeSet::new();
    for day in first..=last {
        let (year, month, date) = civil(day);
        words.insert(day.to_string());
        words.insert(year.to_string());
        words.insert(format!("{year}{month:02}{date:02}"));
        for name in [MONTHS[month - 1], WEEKDAYS[(day % 7) as usize]] {
            words.insert(name.to_owned());
            words.insert(name.to_uppercase());
        }
    }
    words
}

/// Year, month and day of the month, of a day counted from the first one of 1970.
fn civil(mut day: u64) -> (u64, usize, u64) {
    let is_leap = |year: u64| {
        year.is_multiple_of(400) || (year.is_multiple_of(4) && !year.is_multiple_of(100))
    };
    let mut year = 1970;
    loop {
        let leap = u64::from(is_leap(year));
        if day >= 365 + leap {
            day -= 365 + leap;
            year += 1;
            continue;
        }
        let lengths = [31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        for (month, length) in (1..).zip(lengths) {
            if day < length {
                return (year, month, day + 1);
            }
            day -= length;
        }
    }
}

/// What the machine calls itself, where it has a name of its own.
fn host() -> Option<String> {
    let told = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = told.or_else(|| std::env::var("HOSTNAME").ok())?;
    let name = name.trim().to_owned();
    (name.len() > 2 && name != "localhost").then_some(name)
}

/// Whether a text has a word that no letter or digit continues.
fn names_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let continues = |next: Option<char>, first: Option<char>| {
            let (Some(next), Some(first)) = (next, first) else {
                return false;
            };
            // A suffix makes a number a long or a float, and texts have `T` before a date.
            match first.is_ascii_digit() {
                true => next.is_ascii_digit(),
                false => next.is_alphanumeric() || next == '_',
            }
        };
        !continues(before, word.chars().next()) && !continues(after, word.chars().next_back())
    })
}

/// Whether a text names a place that is this machine's own: the directory of the project, or the user's.
fn names_place(text: &str, project: &Path) -> bool {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let places = [Some(project.to_owned()), project.canonicalize().ok(), home];
    let mut places = places.into_iter().flatten();
    places.any(|place| {
        // The root of all files is in every path.
        place.components().count() > 1 && begins_path(text, &place.to_string_lossy())
    })
}

/// Whether a place is named as such or as the beginning of a path.
fn begins_path(text: &str, place: &str) -> bool {
    text.match_indices(place).any(|(at, _)| {
        let next = text[at + place.len()..].chars().next();
        next.is_none_or(|next| !next.is_alphanumeric() && !matches!(next, '-' | '_' | '.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::bench::sample_recipe;

    /// 19 November 2026 at ten in Greenwich, a Thursday.
    const NOW: Duration = Duration::from_secs(20_776 * DAY + 10 * 60 * 60);

    #[test]
    fn a_path_below_the_project_is_local() {
        let root = Path::new("/srv/no such/shop");
        for (value, expected) in [
            ("T/srv/no such/shop", true),
            ("Tno file /srv/no such/shop/src/a.txt", true),
            ("T/srv/no such/shopping", false),
            ("Tsrc/a.txt", false),
        ] {
            assert_eq!(names_place(value, root), expected, "{value}");
        }
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for (day, expected) in [
            (0, (1970, 1, 1)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (20_776, (2026, 11, 19)),
            (20_818, (2026, 12, 31)),
        ] {
            assert_eq!(civil(day), expected, "{day}");
        }
    }

    #[test]
    fn what_is_called_like_today_is_not_asserted() {
        let mut words = words_of(SystemTime::UNIX_EPOCH + NOW);
        words.insert("build-7".to_owned());
        let here = Here {
            project: Path::new("/srv/shop"),
            words,
            code: Vec::new(),
        };
        let mut recipe = sample_recipe();
        recipe.java_version = "21.0.4".to_owned();
        for (statement, expected) in [
            ("assertEquals(2026, Year.now().getValue());", true),
            ("assertEquals(2026L, year);", true),
            ("assertEquals(\"2026-11-19\", now.toString());", true),
            ("assertEquals(\"20261119\", stamp);", true),
            ("assertEquals(Month.NOVEMBER, now.getMonth());", true),
            ("assertEquals(\"Thursday\", day);", true),
            ("assertEquals(20776L, now.toEpochDay());", true),
            ("assertEquals(\"build-7\", host());", true),
            (
                "assertEquals(\"21.0.4\", System.getProperty(\"java.version\"));",
                true,
            ),
            ("assertEquals(21, Runtime.version().feature());", true),
            ("assertEquals(11, now.getMonthValue());", false),
            ("assertEquals(19, now.getDayOfMonth());", false),
            ("assertEquals(21, basket.size());", false),
            ("assertEquals(120267, basket.price());", false),
            ("assertEquals(2027, basket.year());", false),
            ("assertEquals(\"build-78\", host());", false),
        ] {
            assert_eq!(here.owns(statement, "", &recipe), expected, "{statement}");
        }
        let code = vec!["class Epoch { int FIRST = 2026; }"];
        let founded = Here { code, ..here };
        assert!(!founded.owns("assertEquals(2026, basket.year());", "", &recipe));
        let here = Here {
            code: Vec::new(),
            ..founded
        };
        let test = "LocalDate day = LocalDate.of(2026, 1, 2);";
        assert!(!here.owns("assertEquals(2026, day.getYear());", test, &recipe));
    }
}
