//! How the build launches a test JVM, in one hash. Equal hashes mean that, whatever was edited in
//! build files, their outcome is the same for the tests of such a JVM: flags, paths, properties,
//! variables, and what its runner is told of filters and parallelism. What lies at the paths is
//! compared elsewhere, and where the project lies does not count.

use std::collections::BTreeMap;
use std::path::Path;

use jury_jvm::Launch;
use jury_select::{Digest, Hash128};

/// None where the build tool does not show what it tells its runner: then only equal build files
/// mean equal launches. `own` is the environment that the build was started in.
pub(super) fn launch_hash(
    launch: &Launch,
    root: &Path,
    own: &BTreeMap<String, String>,
) -> Option<Hash128> {
    if launch.runner_settings.is_empty() {
        return None;
    }
    let root = root.to_string_lossy();
    let portable = |text: &str| text.replace(root.as_ref(), "{root}");
    let mut digest = Digest::new("jury launch 1");
    for text in [
        &launch.java_home,
        &launch.java_version,
        &launch.working_directory,
    ] {
        digest.bytes(portable(text).as_bytes());
    }
    for list in [
        &launch.class_path,
        &launch.module_path,
        &launch.module_flags,
        &launch.jvm_flags,
    ] {
        digest.bytes(&list.len().to_le_bytes());
        for text in list {
            digest.bytes(portable(text).as_bytes());
        }
    }
    let mut add = |(name, value): (&String, &String)| {
        digest.bytes(name.as_bytes());
        digest.bytes(portable(value).as_bytes());
    };
    launch.runner_settings.iter().for_each(&mut add);
    // The build hands its own variables on; a test that reads one depends on it by name.
    let is_added = |(name, value): &(&String, &String)| own.get(*name) != Some(value);
    launch.environment.iter().filter(is_added).for_each(add);
    Some(digest.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_model::LaunchedBy;

    fn map(entries: &[(&str, &str)]) -> BTreeMap<String, String> {
        let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        entries.iter().map(owned).collect()
    }

    fn launch() -> Launch {
        Launch {
            pid: 1,
            launched_by: LaunchedBy::Surefire,
            java_home: "/jdk".into(),
            java_version: "17".into(),
            working_directory: "/p".into(),
            class_path: vec!["/p/classes".into(), "/m/a.jar".into()],
            module_path: vec![],
            module_flags: vec![],
            jvm_flags: vec!["-Xmx1g".into()],
            environment: map(&[("HOME", "/me"), ("STAGE", "test")]),
            runner_settings: map(&[("excludedGroups", "slow")]),
        }
    }

    fn hash(edit: impl Fn(&mut Launch)) -> Option<Hash128> {
        let mut launch = launch();
        edit(&mut launch);
        launch_hash(&launch, Path::new("/p"), &map(&[("HOME", "/me")]))
    }

    #[test]
    fn whatever_a_build_file_can_say_of_a_test_jvm_counts() {
        let before = hash(|_| {});
        assert!(before.is_some());
        let edits: [fn(&mut Launch); 6] = [
            |launch| launch.jvm_flags.push("-ea".into()),
            |launch| launch.class_path.swap(0, 1),
            |launch| launch.module_path = launch.class_path.split_off(1),
            |launch| launch.java_home = "/other".into(),
            |launch| _ = launch.environment.insert("STAGE".into(), "live".into()),
            |launch| launch.runner_settings = BTreeMap::from([("groups".into(), "slow".into())]),
        ];
        for (number, edit) in edits.into_iter().enumerate() {
            assert_ne!(hash(edit), before, "edit {number}");
        }
    }

    #[test]
    fn the_process_and_what_surrounds_the_build_do_not_count() {
        let other = launch_hash(
            &Launch {
                pid: 2,
                environment: map(&[("HOME", "/you"), ("STAGE", "test")]),
                ..launch()
            },
            Path::new("/p"),
            &map(&[("HOME", "/you")]),
        );
        assert_eq!(other, hash(|_| {}));
    }

    #[test]
    fn a_copy_of_the_project_is_launched_alike() {
        let mut copy = launch();
        copy.working_directory = "/copy".into();
        copy.class_path[0] = "/copy/classes".into();
        let own = map(&[("HOME", "/me")]);
        let elsewhere = launch_hash(&copy, Path::new("/copy"), &own);
        assert_eq!(elsewhere, hash(|_| {}));
    }

    #[test]
    fn a_runner_whose_settings_are_out_of_sight_may_be_told_anything() {
        assert_eq!(hash(|launch| launch.runner_settings.clear()), None);
    }
}
