//! What a build tool tells its runner inside a test JVM: filters, parallelism, properties. Surefire
//! writes it to files that its booter deletes once read, so it is looked at before any Java code
//! runs. Other tools send it over streams, where it stays out of sight.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What differs between equal builds, or follows from which classes are to run.
const PASSING: [&str; 5] = [
    "forkNodeConnectionString",
    "forkNumber",
    "pluginPid",
    "runStatisticsFile",
    "runOrderRandomSeed",
];

/// One numbered entry for each class to run.
const TEST_CLASS: &str = "tc.";

/// Those of a Surefire booter with these arguments: a directory, then names of files in it. The
/// first such file holds settings, the next one system properties.
pub fn of_surefire(program_arguments: &[String]) -> BTreeMap<String, String> {
    let mut settings = BTreeMap::new();
    let Some(directory) = program_arguments.first().map(Path::new) else {
        return settings;
    };
    let names = program_arguments
        .iter()
        .filter(|name| name.ends_with("tmp"));
    let texts = names.filter_map(|name| fs::read_to_string(directory.join(name)).ok());
    for (text, prefix) in texts.zip(["", "-D"]) {
        let entries = text.lines().filter(|line| !line.starts_with('#'));
        for (key, value) in entries.filter_map(|line| line.split_once('=')) {
            if !key.starts_with(TEST_CLASS) && !PASSING.contains(&key) {
                settings.insert(format!("{prefix}{key}"), value.to_owned());
            }
        }
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(files: &[(&str, &str)]) -> BTreeMap<String, String> {
        let directory = tempfile::tempdir().unwrap();
        let mut arguments = vec![
            directory.path().display().to_string(),
            "2026-jvmRun1".to_owned(),
        ];
        for (name, text) in files {
            fs::write(directory.path().join(name), text).unwrap();
            arguments.push((*name).to_owned());
        }
        of_surefire(&arguments)
    }

    #[test]
    fn settings_and_properties_are_read_without_what_passes() {
        let found = settings(&[
            (
                "surefire-1tmp",
                "#surefire\ntc.0=a.BTest\nforkNumber=2\nexcludedGroups=slow\n",
            ),
            ("surefire_0-2tmp", "groups=a,b=c\n"),
        ]);
        let expected = [("-Dgroups", "a,b=c"), ("excludedGroups", "slow")];
        assert_eq!(found, expected.map(|(k, v)| (k.into(), v.into())).into());
    }

    #[test]
    fn without_files_there_are_none() {
        assert_eq!(of_surefire(&[]), BTreeMap::new());
        assert_eq!(
            of_surefire(&["/no/such".into(), "atmp".into()]),
            BTreeMap::new()
        );
    }
}
