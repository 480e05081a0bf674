//! Captures how this JVM was launched, before any Java code runs and while the files that a build
//! tool wrote for the launch are still there.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::{env, fs, process};

use jury_model::{LaunchedBy, MAVEN_OPTIONS, plain_maven, without_quick_maven};
use jury_protocol::Launch;

use crate::arguments::JavaArguments;
use crate::class_archive;
use crate::class_path::{absolute_entries, without_pathing_jars};
use crate::runner_settings;

/// The variable by which a JVM gets the agent.
const TOOL_OPTIONS: &str = "JAVA_TOOL_OPTIONS";

/// The variables that are not as they would be if nobody watched.
pub const CHANGED_VARIABLES: [&str; 2] = [TOOL_OPTIONS, MAVEN_OPTIONS];

/// `property` looks up what the JVM calls its initial system properties. `tool_options` is what
/// `JAVA_TOOL_OPTIONS` would be if nobody watched.
pub fn capture(
    launched_by: LaunchedBy,
    tool_options: Option<&str>,
    property: impl Fn(&CStr) -> Option<String>,
) -> Launch {
    let arguments = JavaArguments::split(command_line());
    let working_directory = env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    // The JVM's own word on the class path: options of the environment are part of it, and
    // wildcards are expanded. A program that is a module has none.
    let mut class_path = property(c"java.class.path")
        .filter(|path| !path.is_empty())
        .map(|path| absolute_entries(&path, &working_directory))
        .unwrap_or_default();
    if launched_by == LaunchedBy::JUnitConsole {
        class_path.extend(
            console_class_paths(&arguments.program_arguments)
                .flat_map(|path| absolute_entries(path, &working_directory)),
        );
    }
    let runner_settings = match launched_by {
        LaunchedBy::Surefire => runner_settings::of_surefire(&arguments.program_arguments),
        _ => BTreeMap::new(),
    };
    let module_path = property(c"jdk.module.path").or(arguments.module_path);
    let java_home = property(c"java.home").unwrap_or_default();
    Launch {
        pid: process::id(),
        launched_by,
        java_version: java_version(Path::new(&java_home))
            .or_else(|| property(c"java.vm.version"))
            .unwrap_or_default(),
        java_home,
        class_path: texts(without_pathing_jars(class_path)),
        module_path: module_path
            .map(|path| texts(absolute_entries(&path, &working_directory)))
            .unwrap_or_default(),
        module_flags: arguments.module_flags,
        jvm_flags: arguments.jvm_flags,
        environment: environment(tool_options),
        runner_settings,
        working_directory: working_directory.to_string_lossy().into_owned(),
    }
}

/// The flags of this JVM, for another one that is to be like it. Only one of them can be debugged at
/// a port or use an archive of classes, and what makes a build tool quick is not meant for tests.
pub fn repeatable_flags() -> Vec<String> {
    repeatable(JavaArguments::split(command_line()))
}

fn repeatable(arguments: JavaArguments) -> Vec<String> {
    let debugs = |flag: &str| {
        flag == "-Xdebug" || flag.starts_with("-agentlib:jdwp") || flag.starts_with("-Xrunjdwp")
    };
    let mut flags = arguments.jvm_flags;
    without_quick_maven(&mut flags);
    (arguments.module_flags.into_iter())
        .chain(flags)
        .filter(|flag| !debugs(flag) && !class_archive::is_option(flag))
        .collect()
}

/// JUnit's console launcher has a class path option of its own, and loads the tests from there.
fn console_class_paths(program_arguments: &[String]) -> impl Iterator<Item = &str> {
    const NAMES: [&str; 3] = ["-cp", "--class-path", "--classpath"];
    let mut arguments = program_arguments.iter();
    std::iter::from_fn(move || {
        loop {
            let argument = arguments.next()?;
            if NAMES.contains(&argument.as_str()) {
                return arguments.next().map(String::as_str);
            }
            if let Some((name, path)) = argument.split_once('=')
                && NAMES.contains(&name)
            {
                return Some(path);
            }
        }
    })
}

fn texts(paths: Vec<PathBuf>) -> Vec<String> {
    paths
        .iter()
        .map(|path| path.to_string_lossy().into_owned())
        .collect()
}

/// The arguments behind the program's name. Known on Linux only; elsewhere a recipe has to do
/// without flags.
fn command_line() -> Vec<String> {
    let bytes = fs::read("/proc/self/cmdline").unwrap_or_default();
    let Some(bytes) = bytes.strip_suffix(b"\0") else {
        return Vec::new();
    };
    bytes
        .split(|byte| *byte == 0)
        .skip(1)
        .map(|argument| String::from_utf8_lossy(argument).into_owned())
        .collect()
}

fn environment(tool_options: Option<&str>) -> BTreeMap<String, String> {
    let mut environment: BTreeMap<String, String> = env::vars_os()
        .map(|(name, value)| {
            (
                name.to_string_lossy().into_owned(),
                value.to_string_lossy().into_owned(),
            )
        })
        .collect();
    match tool_options {
        Some(options) => environment.insert(TOOL_OPTIONS.to_owned(), options.to_owned()),
        None => environment.remove(TOOL_OPTIONS),
    };
    restore_maven_options(&mut environment);
    environment
}

/// Maven was made quick for the build alone.
fn restore_maven_options(environment: &mut BTreeMap<String, String>) {
    let Some(options) = environment.get(MAVEN_OPTIONS) else {
        return;
    };
    match plain_maven(options) {
        "" if !options.is_empty() => environment.remove(MAVEN_OPTIONS),
        plain => environment.insert(MAVEN_OPTIONS.to_owned(), plain.to_owned()),
    };
}

/// The property `java.version` is set by Java code, too late for us. The JDK's `release` file
/// says the same; a JRE inside a JDK 8 has it one directory up.
fn java_version(java_home: &Path) -> Option<String> {
    let release = fs::read_to_string(java_home.join("release"))
        .or_else(|_| fs::read_to_string(java_home.join("../release")))
        .ok()?;
    let version = release
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    Some(version.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use jury_model::quick_maven;

    use super::*;

    #[test]
    fn the_recorded_environment_does_not_contain_its_observer() {
        assert_eq!(environment(None).get(TOOL_OPTIONS), None);
        let kept = environment(Some("-Xmx1g"));
        assert_eq!(kept.get(TOOL_OPTIONS).map(String::as_str), Some("-Xmx1g"));
        assert_eq!(kept.get("PATH"), env::var("PATH").ok().as_ref());
    }

    #[test]
    fn maven_options_are_recorded_as_their_user_set_them() {
        let recorded = |options: &str| {
            let mut environment = [(MAVEN_OPTIONS.to_owned(), options.to_owned())].into();
            restore_maven_options(&mut environment);
            environment.remove(MAVEN_OPTIONS)
        };
        assert_eq!(
            recorded(&quick_maven("-Xmx1g").unwrap()).as_deref(),
            Some("-Xmx1g")
        );
        assert_eq!(recorded(&quick_maven("").unwrap()), None);
        assert_eq!(recorded("").as_deref(), Some(""));
    }

    #[test]
    fn a_like_jvm_gets_no_debugger_and_no_archive() {
        let given = [
            "-Xmx1g",
            "-XX:+TieredCompilation",
            "-XX:TieredStopAtLevel=1",
            "-agentlib:jdwp=transport=dt_socket,address=8000",
            "-XX:SharedArchiveFile=maven.jsa",
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
            "-Dmaven.home=/opt/my maven",
            "-cp",
            "boot.jar",
            "org.codehaus.plexus.classworlds.launcher.Launcher",
            "test",
        ];
        let arguments = JavaArguments::split(given.map(str::to_owned).into());
        assert_eq!(
            repeatable(arguments),
            [
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Xmx1g",
                "-Dmaven.home=/opt/my maven"
            ]
        );
    }

    #[test]
    fn the_version_comes_from_the_release_file() {
        let jdk = tempfile::tempdir().unwrap();
        let release = "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"1.8.0_392\"\n";
        fs::write(jdk.path().join("release"), release).unwrap();
        fs::create_dir(jdk.path().join("jre")).unwrap();
        assert_eq!(java_version(jdk.path()).as_deref(), Some("1.8.0_392"));
        assert_eq!(
            java_version(&jdk.path().join("jre")).as_deref(),
            Some("1.8.0_392")
        );
        assert_eq!(java_version(Path::new("/no/such/jdk")), None);
    }

    #[test]
    fn the_console_launcher_names_class_paths_of_its_own() {
        let arguments = [
            "execute",
            "-cp",
            "a:b",
            "--class-path=c",
            "--scan-class-path",
            "d",
        ];
        let arguments = arguments.map(str::to_owned);
        let paths: Vec<&str> = console_class_paths(&arguments).collect();
        assert_eq!(paths, ["a:b", "c"]);
    }

    #[test]
    fn relative_entries_count_from_the_working_directory() {
        let launch = capture(LaunchedBy::Other, None, |name| {
            (name == c"java.class.path").then(|| "a.jar".to_owned())
        });
        let expected = env::current_dir().unwrap().join("a.jar");
        assert_eq!(launch.class_path, [expected.to_str().unwrap()]);
        assert_eq!(launch.pid, process::id());
    }
}
