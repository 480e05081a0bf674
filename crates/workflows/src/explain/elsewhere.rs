//! The machine of somebody else, as far as a JVM can be told: another day, language and user, and other hash
//! codes for objects that have none of their own. An assertion that fails there would not stand in the
//! project for long.
//!
//! Where the build has chosen one of these for its tests, it stays.

use std::path::Path;
use std::time::SystemTime;

use jury_model::Recipe;

/// A recipe for the JVM of somebody else.
pub(super) fn elsewhere(recipe: &Recipe, now: SystemTime) -> Recipe {
    let mut changed = recipe.clone();
    let flags = &mut changed.jvm_flags;
    let chosen = |name: &str| {
        let flag = format!("-D{name}=");
        let is_set = |each: &String| each.starts_with(&flag);
        recipe.jvm_flags.iter().any(is_set) || recipe.properties.contains_key(name)
    };
    for (name, value) in [
        ("user.timezone", zone(now)),
        ("user.name", "elsewhere"),
        ("user.language", "fr"),
        ("user.country", "FR"),
    ] {
        if !chosen(name) {
            flags.push(format!("-D{name}={value}"));
        }
    }
    // One thread that does the same each time gets the same identity hash codes each time, and with them the
    // same order in a `HashSet`. Global random numbers are others than those of each thread.
    flags.push("-XX:+IgnoreUnrecognizedVMOptions".to_owned());
    flags.push("-XX:+UnlockExperimentalVMOptions".to_owned());
    flags.push("-XX:hashCode=0".to_owned());
    changed
}

/// In which it is another day than in Greenwich, and another hour than nearly everywhere.
fn zone(now: SystemTime) -> &'static str {
    let since = now.duration_since(SystemTime::UNIX_EPOCH);
    let hour = since.unwrap_or_default().as_secs() / 3600 % 24;
    // POSIX counts the other way: this is twelve hours behind, or fourteen ahead.
    if hour < 12 {
        "Etc/GMT+12"
    } else {
        "Etc/GMT-14"
    }
}

/// Whether a text names a place that is this machine's own: the directory of the project, or the user's.
pub(super) fn is_local(text: &str, project: &Path) -> bool {
    let home = std::env::var_os("HOME").map(std::path::PathBuf::from);
    let places = [Some(project.to_owned()), project.canonicalize().ok(), home];
    let mut places = places.into_iter().flatten();
    places.any(|place| {
        // The root of all files is in every path.
        place.components().count() > 1 && names(text, &place.to_string_lossy())
    })
}

/// Whether a place is named as such or as the beginning of a path.
fn names(text: &str, place: &str) -> bool {
    text.match_indices(place).any(|(at, _)| {
        let next = text[at + place.len()..].chars().next();
        next.is_none_or(|next| !next.is_alphanumeric() && !matches!(next, '-' | '_' | '.'))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::explain::bench::sample_recipe;

    #[test]
    fn what_the_build_chose_stays() {
        let mut own = sample_recipe();
        own.jvm_flags = vec!["-Duser.language=en".to_owned()];
        own.properties.insert("user.country".into(), "US".into());
        let flags = elsewhere(&own, SystemTime::UNIX_EPOCH).jvm_flags;
        let set: Vec<&str> = flags
            .iter()
            .filter_map(|each| each.strip_prefix("-Duser."))
            .collect();
        assert_eq!(
            set,
            ["language=en", "timezone=Etc/GMT+12", "name=elsewhere"]
        );
    }

    #[test]
    fn it_is_another_day_there() {
        let at = |hour: u64| zone(SystemTime::UNIX_EPOCH + Duration::from_secs(hour * 3600));
        assert_eq!(at(11), "Etc/GMT+12");
        assert_eq!(at(12), "Etc/GMT-14");
    }

    #[test]
    fn a_path_below_the_project_is_local() {
        let root = Path::new("/srv/no such/shop");
        for (value, expected) in [
            ("T/srv/no such/shop", true),
            ("Tno file /srv/no such/shop/src/a.txt", true),
            ("T/srv/no such/shopping", false),
            ("Tsrc/a.txt", false),
        ] {
            assert_eq!(is_local(value, root), expected, "{value}");
        }
    }
}
