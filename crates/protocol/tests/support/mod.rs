//! Compiles the Java harness with one of its drivers and runs it.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A driver from `harness/tests`, compiled together with the harness.
pub struct Driver {
    classes: TempDir,
}

impl Driver {
    /// `directories` below `harness/tests`; a class found there takes the place of the harness's
    /// own class of that name.
    pub fn compile(directories: &[&str]) -> Self {
        let harness = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../harness");
        // By path below the source root; a later root wins.
        let mut sources: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
        add_java_files(&harness.join("boot"), Path::new(""), &mut sources);
        for directory in directories {
            let root = harness.join("tests").join(directory);
            add_java_files(&root, Path::new(""), &mut sources);
        }

        let classes = tempfile::tempdir().unwrap();
        succeed(
            jdk_tool("javac")
                .args(["-encoding", "UTF-8", "-d"])
                .arg(classes.path())
                .args(sources.values()),
        );
        Self { classes }
    }

    /// The lines that `main` of this class of `jury.boot` prints.
    pub fn run(&self, class: &str, arguments: &[impl AsRef<str>]) -> Vec<String> {
        let output = succeed(
            jdk_tool("java")
                .args(["-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp"])
                .arg(self.classes.path())
                .arg(format!("jury.boot.{class}"))
                .args(arguments.iter().map(AsRef::as_ref)),
        );
        String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(str::to_string)
            .collect()
    }
}

fn jdk_tool(name: &str) -> Command {
    match env::var_os("JAVA_HOME") {
        Some(home) => Command::new(Path::new(&home).join("bin").join(name)),
        None => Command::new(name),
    }
}

fn succeed(command: &mut Command) -> Output {
    let output = command.output().expect("a JDK on the PATH or in JAVA_HOME");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn add_java_files(directory: &Path, below: &Path, sources: &mut BTreeMap<PathBuf, PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = below.join(entry.file_name());
        if entry.path().is_dir() {
            add_java_files(&entry.path(), &name, sources);
        } else {
            sources.insert(name, entry.path());
        }
    }
}
