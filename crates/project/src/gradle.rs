//! Gradle builds, as far as they can be read without running Gradle: settings files are programs,
//! so only literal `include` lines are understood.

use std::path::{Path, PathBuf};

use crate::xml::read_build_file;

pub const SETTINGS: [&str; 2] = ["settings.gradle", "settings.gradle.kts"];
pub const BUILD_FILES: [&str; 2] = ["build.gradle", "build.gradle.kts"];

/// The directory of the settings file that governs `directory`, or `directory` if there is none:
/// Gradle looks for it upwards.
pub fn root(directory: &Path) -> PathBuf {
    directory
        .ancestors()
        .find(|ancestor| SETTINGS.iter().any(|name| ancestor.join(name).is_file()))
        .unwrap_or(directory)
        .to_path_buf()
}

/// The root and the directories of all projects that the settings include and that exist.
pub fn module_directories(root: &Path) -> Vec<PathBuf> {
    let mut directories = vec![root.to_path_buf()];
    for name in SETTINGS {
        let Ok(settings) = read_build_file(&root.join(name)) else {
            continue;
        };
        for path in included(&settings) {
            let directory = root.join(path.trim_start_matches(':').replace(':', "/"));
            if directory.is_dir() && !directories.contains(&directory) {
                directories.push(directory);
            }
        }
    }
    directories
}

/// The path of the task that tests the module at `module`, a relative path with `/`.
pub fn test_task(module: &str) -> String {
    match module {
        "." => ":test".to_owned(),
        _ => format!(":{}:test", module.replace('/', ":")),
    }
}

/// The version in the address that the wrapper downloads from, such as `gradle-8.14-bin.zip`.
pub fn wrapper_version(root: &Path) -> Option<(u32, u32)> {
    let path = root.join("gradle/wrapper/gradle-wrapper.properties");
    let properties = read_build_file(&path).ok()?;
    let address = properties
        .lines()
        .find_map(|line| line.trim().strip_prefix("distributionUrl"))?;
    let (_, version) = address.rsplit_once("/gradle-")?;
    let mut numbers = version
        .split(|letter: char| !letter.is_ascii_digit())
        .map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// String literals of `include` calls.
fn included(settings: &str) -> Vec<String> {
    literals(settings, "include")
}

/// String literals that a method gets: `include 'a', "b:c"`, `include("a")`, several lines of them.
pub fn literals(settings: &str, method: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut rest = settings;
    while let Some(at) = rest.find(method) {
        let before = rest[..at].chars().next_back();
        let line_start = rest[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let in_comment = rest[line_start..at].contains("//");
        rest = &rest[at + method.len()..];
        let is_word = before.is_none_or(|letter| !letter.is_alphanumeric() && letter != '.');
        if is_word && !in_comment {
            rest = take_literals(rest, &mut paths);
        }
    }
    paths
}

/// Takes a list of string literals off the front of `rest`, with or without a parenthesis.
fn take_literals<'a>(rest: &'a str, literals: &mut Vec<String>) -> &'a str {
    let trimmed = rest.trim_start_matches([' ', '\t']);
    let mut rest = trimmed.strip_prefix('(').unwrap_or(trimmed);
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r', '\n', ',']);
        let Some(quote) = rest
            .chars()
            .next()
            .filter(|letter| matches!(letter, '\'' | '"'))
        else {
            return rest;
        };
        let Some((literal, after)) = rest[1..].split_once(quote) else {
            return "";
        };
        // A `$` inside makes it a template, whose value only Gradle knows.
        if !literal.contains('$') {
            literals.push(literal.to_owned());
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_includes_are_read_in_both_languages() {
        let groovy =
            "rootProject.name = 'x'\ninclude 'core', \":app:web\"\ninclude(\n  'a',\n  'b'\n)\n";
        assert_eq!(included(groovy), ["core", ":app:web", "a", "b"]);
        assert_eq!(
            included("include(\"core\")\ninclude(\":app\", \"lib\")"),
            ["core", ":app", "lib"]
        );
    }

    #[test]
    fn what_only_gradle_can_know_is_left_out() {
        check_none("includeBuild('other')");
        check_none("// include 'old'");
        check_none("include \"$prefix:core\"");
        check_none("names.each { include it }");
        check_none("settings.includeFlat('x')");
        check_none("include 'never closed");
    }

    fn check_none(settings: &str) {
        assert_eq!(included(settings), Vec::<String>::new(), "{settings}");
    }

    #[test]
    fn tasks_are_named_by_project_path() {
        assert_eq!(test_task("."), ":test");
        assert_eq!(test_task("app/web"), ":app:web:test");
    }
}
