//! Helpers for tests of other crates: copies of samples, JDKs of this machine, the `jury` binary.
//! Never shipped.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// A copy of a sample project that a test may build and break.
pub struct Sample {
    directory: tempfile::TempDir,
    path: PathBuf,
}

impl Sample {
    /// Copies `samples/<name>` into a fresh directory.
    pub fn copy(name: &str) -> Self {
        Self::copy_as(name, name)
    }

    /// Copies `samples/<name>` into a directory called `directory_name`.
    pub fn copy_as(name: &str, directory_name: &str) -> Self {
        let source = repository().join("samples").join(name);
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join(directory_name);
        copy_tree(&source, &path);
        // Compared with what JVMs report, which resolve links such as /tmp on macOS.
        let path = path.canonicalize().expect("canonical path");
        Self { directory, path }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where this sample's Jury keeps its cache, apart from the user's.
    pub fn cache(&self) -> PathBuf {
        self.directory.path().join("cache")
    }
}

/// What a run of the program did.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A `jury` command in a sample, with the environment a test should see. `binary` is the caller's
/// `env!("CARGO_BIN_EXE_jury")`.
pub fn jury(binary: &str, sample: &Sample) -> Command {
    let mut command = Command::new(binary);
    command
        .current_dir(sample.path())
        .env("JURY_CACHE_DIR", sample.cache())
        .env_remove("JAVA_TOOL_OPTIONS")
        .env_remove("MAVEN_OPTS")
        .env("NO_COLOR", "1");
    command
}

pub fn run(command: &mut Command) -> Ran {
    command.output().expect("the program starts").into()
}

/// Homes of the JDKs to test with: those named in `JURY_JDKS`, else the one `JAVA_HOME` or `PATH`
/// leads to.
pub fn jdks() -> Vec<PathBuf> {
    if let Some(list) = env::var_os("JURY_JDKS") {
        return env::split_paths(&list).collect();
    }
    if let Some(home) = env::var_os("JAVA_HOME") {
        return vec![home.into()];
    }
    let java = env::split_paths(&env::var_os("PATH").unwrap_or_default())
        .map(|directory| directory.join("java"))
        .find(|java| java.is_file())
        .expect("a JDK on the PATH");
    let java = java.canonicalize().expect("canonical path");
    vec![
        java.ancestors()
            .nth(2)
            .expect("bin/java in a home")
            .to_owned(),
    ]
}

/// The root of this repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("directory");
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let entry = entry.expect("entry");
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == "target" || entry.file_name() == ".jury" {
            continue;
        }
        if source.is_dir() {
            copy_tree(&source, &target);
        } else {
            fs::copy(&source, &target).expect("copy");
        }
    }
}
