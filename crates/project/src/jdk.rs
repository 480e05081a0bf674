//! JDKs on this machine, found where people and package managers put them. No JVM is started:
//! each JDK's `release` file says what it is.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::program;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    pub home: PathBuf,
    /// As in `17.0.13`; empty if the installation does not say.
    pub version: String,
    /// As in `x86_64` or `aarch64`; empty if the installation does not say.
    pub architecture: String,
    /// False for a mere runtime, which cannot compile.
    pub has_compiler: bool,
    /// The first place it was found in.
    pub source: JdkSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JdkSource {
    /// The environment variable `JAVA_HOME`.
    JavaHome,
    /// The `java` on `PATH`.
    Path,
    /// A directory that usually holds JDKs.
    Installed,
}

impl Jdk {
    /// The feature release: 8 for `1.8.0_442`, 17 for `17.0.13`.
    pub fn feature(&self) -> Option<u32> {
        let version = self.version.strip_prefix("1.").unwrap_or(&self.version);
        let digits = version
            .split(|letter: char| !letter.is_ascii_digit())
            .next()?;
        digits.parse().ok()
    }
}

/// All JDKs and runtimes, in the order in which a build tool would find them.
pub fn find_jdks() -> Vec<Jdk> {
    let home = std::env::home_dir().unwrap_or_default();
    Places {
        java_home: std::env::var_os("JAVA_HOME"),
        path: std::env::var_os("PATH"),
        collections: vec![
            "/usr/lib/jvm".into(),
            "/Library/Java/JavaVirtualMachines".into(),
            home.join(".sdkman/candidates/java"),
            home.join(".jdks"),
            home.join("Library/Java/JavaVirtualMachines"),
        ],
    }
    .jdks()
}

/// Where to look.
struct Places {
    java_home: Option<OsString>,
    path: Option<OsString>,
    /// Directories whose children are JDKs.
    collections: Vec<PathBuf>,
}

impl Places {
    fn jdks(&self) -> Vec<Jdk> {
        let java_home = self
            .java_home
            .iter()
            .map(|home| (PathBuf::from(home), JdkSource::JavaHome));
        let path = self
            .home_on_path()
            .into_iter()
            .map(|home| (home, JdkSource::Path));
        let installed = self
            .collections
            .iter()
            .flat_map(|collection| children(collection));
        let installed = installed.map(|home| (home, JdkSource::Installed));
        let mut jdks: Vec<Jdk> = Vec::new();
        for (home, source) in java_home.chain(path).chain(installed) {
            if let Some(jdk) = jdk_at(&home, source)
                && jdks.iter().all(|known| known.home != jdk.home)
            {
                jdks.push(jdk);
            }
        }
        jdks
    }

    /// The installation behind `java`, which is usually a chain of links to `<home>/bin/java`.
    fn home_on_path(&self) -> Option<PathBuf> {
        let java = program::on_path("java", self.path.as_deref())?;
        Some(java.canonicalize().ok()?.parent()?.parent()?.to_path_buf())
    }
}

fn jdk_at(home: &Path, source: JdkSource) -> Option<Jdk> {
    // On macOS the installation lies deeper.
    let bundled = home.join("Contents/Home");
    let home = if bundled.is_dir() { &bundled } else { home };
    let mut home = home.canonicalize().ok()?;
    // JDK 8 puts its runtime, and the `java` that people link to, into a directory of the JDK.
    if home.ends_with("jre") && home.parent().is_some_and(|parent| has(parent, "javac")) {
        home.pop();
    }
    if !has(&home, "java") {
        return None;
    }
    let release = fs::read_to_string(home.join("release")).unwrap_or_default();
    Some(Jdk {
        version: release_value(&release, "JAVA_VERSION"),
        architecture: release_value(&release, "OS_ARCH"),
        has_compiler: has(&home, "javac"),
        home,
        source,
    })
}

fn has(home: &Path, tool: &str) -> bool {
    program::is_executable(&home.join("bin").join(tool))
}

/// The value of a line such as `JAVA_VERSION="17.0.13"`.
fn release_value(release: &str, key: &str) -> String {
    release
        .lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix('='))
        .map(|value| value.trim().trim_matches('"').to_owned())
        .unwrap_or_default()
}

/// Entries of a directory by name; none if it does not exist.
fn children(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else {
        return Vec::new();
    };
    let mut children: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    children.sort();
    children
}
