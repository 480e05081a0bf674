//! Java sources, compiled as users compile them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use jury_classfile::ClassFile;
use tempfile::TempDir;

/// The classes that javac made of some sources.
pub struct Compiled {
    directory: TempDir,
}

impl Compiled {
    /// Compiles files of `tests/java`.
    pub fn fixtures(names: &[&str]) -> Self {
        let directory = TempDir::new().expect("temporary directory");
        let sources = names.iter().map(|name| source_path(name));
        Self::run(directory, sources.collect())
    }

    /// Compiles one class given as text.
    pub fn text(class: &str, text: &str) -> Self {
        let directory = TempDir::new().expect("temporary directory");
        let source = directory.path().join(format!("{class}.java"));
        fs::write(&source, text).expect("source written");
        Self::run(directory, vec![source])
    }

    fn run(directory: TempDir, sources: Vec<PathBuf>) -> Self {
        let output = jdk_command("javac")
            .args(["-g", "-nowarn", "-proc:none", "-d"])
            .arg(directory.path())
            .args(sources)
            .output()
            .expect("javac starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        Self { directory }
    }

    /// Hands a class, named in VM form, to `look`.
    pub fn class<T>(&self, name: &str, look: impl FnOnce(&ClassFile<'_>) -> T) -> T {
        look(&ClassFile::read(&self.bytes(name)).expect("a class"))
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let path = self.directory.path().join(format!("{name}.class"));
        fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs the main method of a class, which must end well.
    pub fn run_main(&self, class: &str, argument: &Path) {
        let mut java = jdk_command("java");
        java.arg("-cp")
            .arg(self.directory.path())
            .arg(class)
            .arg(argument);
        let output = java.output().expect("java starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    /// The classes made of one source file: its own and those nested in it.
    pub fn names_from(&self, fixture: &str) -> Vec<String> {
        let own = fixture.trim_end_matches(".java");
        let entries = fs::read_dir(self.directory.path())
            .expect("directory")
            .flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let names = names.filter_map(|name| name.strip_suffix(".class").map(str::to_owned));
        let mut names: Vec<String> = names
            .filter(|name| name == own || name.starts_with(&format!("{own}$")))
            .collect();
        names.sort();
        names
    }
}

/// A program of the JDK that `JAVA_HOME` or the path leads to.
pub fn jdk_command(program: &str) -> Command {
    let home = env::var_os("JAVA_HOME").map(PathBuf::from);
    Command::new(home.map_or(program.into(), |home| home.join("bin").join(program)))
}

pub fn source_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/java")
        .join(name)
}
