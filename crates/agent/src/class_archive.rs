//! JVMs with a class data archive of their own. Such an archive is good only for the boot class path
//! that it was made with, and the agent changes that path: the JVM would print a warning or refuse
//! to start, and an archive made while watched would be useless afterwards.

use jury_protocol::Launch;

const OPTIONS: [&str; 9] = [
    "-XX:SharedArchiveFile",
    "-XX:ArchiveClassesAtExit",
    "-XX:+AutoCreateSharedArchive",
    "-XX:SharedClassListFile",
    "-XX:DumpLoadedClassList",
    "-XX:AOTCache",
    "-XX:AOTMode",
    "-XX:AOTConfiguration",
    "-Xshare:dump",
];

/// Variables from which a JVM takes further options.
const VARIABLES: [&str; 4] = [
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JDK_AOT_VM_OPTIONS",
    "_JAVA_OPTIONS",
];

/// True for a flag by which a JVM reads or writes an archive other than its default one.
pub fn is_option(flag: &str) -> bool {
    OPTIONS.iter().any(|option| flag.starts_with(option))
}

/// The option by which the JVM reads or writes an archive other than its default one.
pub fn option_in(launch: &Launch) -> Option<&'static str> {
    let variables = VARIABLES
        .iter()
        .filter_map(|name| launch.environment.get(*name))
        .flat_map(|value| value.split_whitespace());
    launch
        .jvm_flags
        .iter()
        .map(String::as_str)
        .chain(variables)
        .find_map(|flag| {
            OPTIONS
                .into_iter()
                .find(|option| flag.trim_start_matches(['"', '\'']).starts_with(option))
        })
}

#[cfg(test)]
mod tests {
    use jury_model::LaunchedBy;

    use super::*;

    fn check(flag: &str, variable: &str, expected: Option<&str>) {
        let launch = Launch {
            pid: 1,
            launched_by: LaunchedBy::Other,
            java_home: String::new(),
            java_version: String::new(),
            working_directory: String::new(),
            class_path: Vec::new(),
            module_path: Vec::new(),
            module_flags: Vec::new(),
            jvm_flags: vec![flag.to_owned()],
            environment: [("JDK_JAVA_OPTIONS".to_owned(), variable.to_owned())].into(),
            runner_settings: Default::default(),
        };
        assert_eq!(option_in(&launch), expected, "{flag} {variable}");
    }

    #[test]
    fn archives_are_found_wherever_options_stand() {
        check(
            "-XX:SharedArchiveFile=a.jsa",
            "",
            Some("-XX:SharedArchiveFile"),
        );
        check("-ea", "-Xmx1g '-XX:AOTCache=a b'", Some("-XX:AOTCache"));
        check("-Xshare:dump", "", Some("-Xshare:dump"));
    }

    #[test]
    fn the_default_archive_is_no_concern() {
        check("-Xshare:auto", "-Xshare:on", None);
        check("-Dx=-XX:AOTCache", "", None);
    }
}
