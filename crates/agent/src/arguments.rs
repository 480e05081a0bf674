//! The command line of a `java` launcher, taken apart: what belongs to the JVM, sorted by kind, and
//! what belongs to the program. Leaves out the class path, which the JVM tells itself, wildcards
//! expanded.

use std::{fs, vec};

use crate::argument_file;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct JavaArguments {
    pub module_path: Option<String>,
    /// `--flag=value`, one each.
    pub module_flags: Vec<String>,
    /// In the order given.
    pub jvm_flags: Vec<String>,
    /// What the program gets, as far as it is told from here.
    pub program_arguments: Vec<String>,
}

const MODULE_FLAGS: [&str; 8] = [
    "--add-modules",
    "--add-reads",
    "--add-exports",
    "--add-opens",
    "--patch-module",
    "--limit-modules",
    "--upgrade-module-path",
    "--enable-native-access",
];

/// Options whose value is the next argument, beside the module flags.
const CLASS_PATH: [&str; 3] = ["-cp", "-classpath", "--class-path"];
const MODULE_PATH: [&str; 2] = ["-p", "--module-path"];
const MODULE: [&str; 2] = ["-m", "--module"];
/// Options of the launcher that are of no use to a worker.
const LAUNCHER_ONLY: [&str; 3] = ["--source", "-d", "--describe-module"];

impl JavaArguments {
    /// `arguments` are those behind the name of the `java` program.
    pub fn split(arguments: Vec<String>) -> Self {
        let mut split = Self::default();
        let mut input = Expanding::new(arguments, |file| fs::read_to_string(file).ok());
        while let Some(argument) = input.next() {
            let (name, inline_value) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
                _ => (argument.as_str(), None),
            };
            let mut value = || inline_value.clone().or_else(|| input.next());
            if MODULE_FLAGS.contains(&name) {
                if let Some(value) = value() {
                    split.module_flags.push(format!("{name}={value}"));
                }
            } else if MODULE_PATH.contains(&name) {
                split.module_path = value();
            } else if MODULE.contains(&name) {
                // The main module is a root of the module graph; a worker starts another main
                // class and would not find it resolved.
                if let Some(module) = value() {
                    let module = module.split('/').next().unwrap_or(&module);
                    split.module_flags.push(format!("--add-modules={module}"));
                }
                break;
            } else if CLASS_PATH.contains(&name) || LAUNCHER_ONLY.contains(&name) {
                value();
            } else if name == "-jar" {
                value();
                break;
            } else if !name.starts_with('-') {
                break;
            } else if name != "--disable-@files" && !is_own_agent(&argument) {
                split.jvm_flags.push(argument);
            }
        }
        split.program_arguments = input.rest();
        split
    }
}

fn is_own_agent(argument: &str) -> bool {
    argument.strip_prefix("-agentpath:").is_some_and(|agent| {
        let library = agent.split('=').next().unwrap_or(agent);
        library
            .rsplit('/')
            .next()
            .is_some_and(|file| file.contains("jury_agent"))
    })
}

/// Arguments with those from argument files in their place. What stands in an argument file is
/// never itself taken for the name of one.
struct Expanding<R> {
    given: vec::IntoIter<String>,
    from_file: vec::IntoIter<String>,
    read: R,
    enabled: bool,
}

impl<R: Fn(&str) -> Option<String>> Expanding<R> {
    fn new(given: Vec<String>, read: R) -> Self {
        Self {
            given: given.into_iter(),
            from_file: Vec::new().into_iter(),
            read,
            enabled: true,
        }
    }

    /// What is left, unexpanded: behind the main class, `@` has no meaning for the launcher.
    fn rest(self) -> Vec<String> {
        self.from_file.chain(self.given).collect()
    }

    fn next(&mut self) -> Option<String> {
        loop {
            let (argument, expandable) = match self.from_file.next() {
                Some(argument) => (argument, false),
                None => (self.given.next()?, self.enabled),
            };
            if argument == "--disable-@files" {
                self.enabled = false;
            }
            match argument.strip_prefix('@') {
                Some(file) if expandable && !file.is_empty() => {
                    if file.starts_with('@') {
                        return Some(file.to_owned());
                    }
                    match (self.read)(file) {
                        Some(text) => self.from_file = argument_file::parse(&text).into_iter(),
                        None => return Some(argument),
                    }
                }
                _ => return Some(argument),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(arguments: &[&str]) -> JavaArguments {
        JavaArguments::split(
            arguments
                .iter()
                .map(|argument| argument.to_string())
                .collect(),
        )
    }

    fn expand(arguments: &[&str], files: &[(&str, &str)]) -> Vec<String> {
        let arguments = arguments
            .iter()
            .map(|argument| argument.to_string())
            .collect();
        let mut input = Expanding::new(arguments, |name| {
            files
                .iter()
                .find(|(file, _)| *file == name)
                .map(|(_, text)| text.to_string())
        });
        std::iter::from_fn(|| input.next()).collect()
    }

    #[test]
    fn flags_stop_at_the_main_class() {
        let split = split(&[
            "-Xmx1g", "-cp", "a:b", "-ea", "-Da=b", "a.Main", "-Xmx2g", "-cp",
        ]);
        assert_eq!(split.jvm_flags, ["-Xmx1g", "-ea", "-Da=b"]);
        assert_eq!(split.module_flags, [""; 0]);
        assert_eq!(split.program_arguments, ["-Xmx2g", "-cp"]);
    }

    #[test]
    fn a_jar_ends_the_flags_too() {
        let split = split(&["-Xmx1g", "-jar", "a.jar", "-ea", "@x"]);
        assert_eq!(split.jvm_flags, ["-Xmx1g"]);
        assert_eq!(split.program_arguments, ["-ea", "@x"]);
    }

    #[test]
    fn every_spelling_of_the_class_path_is_left_out() {
        for spelling in [
            &["-cp", "a:b"][..],
            &["-classpath", "a:b"],
            &["--class-path", "a:b"],
            &["--class-path=a:b"],
        ] {
            let arguments = [spelling, &["-ea", "Main"]].concat();
            assert_eq!(split(&arguments).jvm_flags, ["-ea"], "{spelling:?}");
        }
    }

    #[test]
    fn module_flags_take_one_form() {
        let split = split(&[
            "--add-opens",
            "a/b=ALL-UNNAMED",
            "--add-exports=a/c=d",
            "-p",
            "mods:lib",
            "--patch-module",
            "a=x:y",
            "--enable-native-access=ALL-UNNAMED",
            "Main",
        ]);
        assert_eq!(
            split.module_flags,
            [
                "--add-opens=a/b=ALL-UNNAMED",
                "--add-exports=a/c=d",
                "--patch-module=a=x:y",
                "--enable-native-access=ALL-UNNAMED",
            ]
        );
        assert_eq!(split.module_path.as_deref(), Some("mods:lib"));
        assert_eq!(split.jvm_flags, [""; 0]);
    }

    #[test]
    fn the_main_module_stays_resolved() {
        for arguments in [
            &["-p", "m", "-m", "a.b/a.Main", "-ea"][..],
            &["--module=a.b", "-ea"],
        ] {
            assert_eq!(split(arguments).module_flags, ["--add-modules=a.b"]);
            assert_eq!(split(arguments).jvm_flags, [""; 0]);
        }
    }

    #[test]
    fn a_flag_with_equals_stays_whole() {
        let flags = ["--illegal-access=deny", "-XX:MaxRAM=1g", "--enable-preview"];
        assert_eq!(split(&[&flags[..], &["Main"]].concat()).jvm_flags, flags);
    }

    #[test]
    fn the_observing_agent_is_not_part_of_a_recipe() {
        let split = split(&[
            "-agentpath:/c/libjury_agent.so=/tmp/jury_agent/session",
            "-agentpath:/c/libother.so=jury_agent",
            "-javaagent:jacoco.jar=destfile=x",
            "Main",
        ]);
        assert_eq!(
            split.jvm_flags,
            [
                "-agentpath:/c/libother.so=jury_agent",
                "-javaagent:jacoco.jar=destfile=x"
            ]
        );
    }

    #[test]
    fn argument_files_are_expanded_once() {
        let files = [("args", "-ea @inner -cp 'a b'"), ("inner", "-Xmx1g")];
        assert_eq!(
            expand(&["-Da", "@args", "Main"], &files),
            ["-Da", "-ea", "@inner", "-cp", "a b", "Main"]
        );
    }

    #[test]
    fn an_escaped_or_lonely_at_sign_is_an_argument() {
        let files = [("args", "-ea")];
        assert_eq!(expand(&["@@args", "@"], &files), ["@args", "@"]);
    }

    #[test]
    fn expansion_can_be_switched_off_from_inside_a_file() {
        let files = [("args", "-ea --disable-@files")];
        assert_eq!(
            expand(&["@args", "@args"], &files),
            ["-ea", "--disable-@files", "@args"]
        );
    }

    #[test]
    fn an_argument_file_that_is_gone_is_no_error() {
        assert_eq!(split(&["@/no/such/file", "-ea"]).jvm_flags, [""; 0]);
    }
}
