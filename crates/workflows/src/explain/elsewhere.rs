//! The machine of somebody else, as far as a JVM can be told: another day, language and user, another number of
//! processors, and other hash codes for objects that have none of their own. An assertion that fails there
//! would not stand in the project for long. What no JVM can be told has names of its own (`here`).
//!
//! Where the build has chosen one of these for its tests, it stays.

use std::thread::available_parallelism;
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
    flags.push("-XX:+IgnoreUnrecognizedVMOptions".to_owned());
    let processors = "-XX:ActiveProcessorCount=";
    if !flags.iter().any(|each| each.starts_with(processors)) {
        flags.push(format!("{processors}{}", other_processors()));
    }
    // One thread that does the same each time gets the same identity hash codes each time, and with them the
    // same order in a `HashSet`. Global random numbers are others than those of each thread.
    flags.push("-XX:+UnlockExperimentalVMOptions".to_owned());
    flags.push("-XX:hashCode=0".to_owned());
    changed
}

/// Parts of a processor are rounded up by some and down by others. Tests that need several threads at once have no
/// fewer than here.
fn other_processors() -> usize {
    available_parallelism().map_or(1, usize::from) + 2
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
    fn there_are_other_processors_unless_the_build_counts_them() {
        let counted = |own: &[&str]| {
            let mut recipe = sample_recipe();
            recipe.jvm_flags = own.iter().map(|flag| (*flag).to_owned()).collect();
            let flags = elsewhere(&recipe, SystemTime::UNIX_EPOCH).jvm_flags;
            let counts = flags.iter();
            let counts = counts.filter_map(|flag| flag.strip_prefix("-XX:ActiveProcessorCount="));
            counts.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(counted(&["-XX:ActiveProcessorCount=1"]), ["1"]);
        let here = available_parallelism().unwrap().get();
        assert_ne!(counted(&[]), [here.to_string()]);
    }

    #[test]
    fn it_is_another_day_there() {
        let at = |hour: u64| zone(SystemTime::UNIX_EPOCH + Duration::from_secs(hour * 3600));
        assert_eq!(at(11), "Etc/GMT+12");
        assert_eq!(at(12), "Etc/GMT-14");
    }
}
