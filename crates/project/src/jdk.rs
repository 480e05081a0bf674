//! JDKs on this machine, found where people and package managers put them. No JVM is started:
//! each JDK's `release` file says what it is.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

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

/// What is wrong with `JAVA_HOME`, which build tools believe before they look anywhere else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JavaHomeFault {
    home: PathBuf,
    /// There is a `java`, but nothing to compile with.
    is_runtime: bool,
    /// A JDK to name instead.
    instead: Option<PathBuf>,
}

impl fmt::Display for JavaHomeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let home = self.home.display();
        match (self.is_runtime, self.home.exists()) {
            (true, _) => write!(f, "`JAVA_HOME` is `{home}`, a runtime without a compiler"),
            (false, true) => write!(f, "`JAVA_HOME` is `{home}`, which is no JDK"),
            (false, false) => write!(f, "`JAVA_HOME` is `{home}`, which does not exist"),
        }
    }
}

impl JavaHomeFault {
    /// True if builds that compile nothing can do with it.
    pub fn is_runtime(&self) -> bool {
        self.is_runtime
    }

    /// How to mend it.
    pub fn hint(&self) -> String {
        match &self.instead {
            Some(jdk) => format!("`export JAVA_HOME={}`, or unset it", jdk.display()),
            None => "set it to the directory of a JDK (17 or later) that holds `bin/javac`, \
                     or unset it"
                .to_owned(),
        }
    }
}

/// `None` if `JAVA_HOME` names a JDK, or nothing at all.
pub fn java_home_fault() -> Option<JavaHomeFault> {
    let home = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty())?;
    fault_of(PathBuf::from(home), find_jdks)
}

fn fault_of(home: PathBuf, jdks: impl FnOnce() -> Vec<Jdk>) -> Option<JavaHomeFault> {
    let found = jdk_at(&home, JdkSource::JavaHome);
    if found.as_ref().is_some_and(|jdk| jdk.has_compiler) {
        return None;
    }
    // Most often it names the directory of the programs.
    let around = (home.parent()).and_then(|parent| jdk_at(parent, JdkSource::JavaHome));
    let instead = around
        .into_iter()
        .chain(jdks())
        .find(|jdk| jdk.has_compiler);
    Some(JavaHomeFault {
        home,
        is_runtime: found.is_some(),
        instead: instead.map(|jdk| jdk.home),
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Tree;

    fn install(tree: &Tree, home: &str, tools: &[&str], release: &str) {
        for tool in tools {
            tree.write(&format!("{home}/bin/{tool}"), "");
            tree.make_executable(&format!("{home}/bin/{tool}"));
        }
        tree.write(&format!("{home}/release"), release);
    }

    fn places(tree: &Tree) -> Places {
        Places {
            java_home: None,
            path: None,
            collections: vec![tree.path("jvm")],
        }
    }

    #[test]
    fn a_jdk_is_what_its_release_file_says() {
        let tree = Tree::new(&[]);
        let release = "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"17.0.13\"\nOS_ARCH=\"x86_64\"\n";
        install(&tree, "jvm/seventeen", &["java", "javac"], release);
        install(&tree, "jvm/runtime", &["java"], "");
        tree.write("jvm/notes.txt", "");
        let jdks = places(&tree).jdks();
        assert_eq!(jdks.len(), 2);
        assert_eq!(
            (jdks[0].version.as_str(), jdks[0].has_compiler),
            ("", false)
        );
        assert_eq!(jdks[1].version, "17.0.13");
        assert_eq!(jdks[1].architecture, "x86_64");
        assert_eq!(jdks[1].feature(), Some(17));
        assert!(jdks[1].has_compiler);
    }

    #[test]
    fn a_java_home_that_is_no_jdk_is_named_with_one_that_is() {
        let tree = Tree::new(&[("empty/", "")]);
        install(&tree, "jvm/jdk", &["java", "javac"], "");
        install(&tree, "other/jdk", &["java", "javac"], "");
        install(&tree, "runtime", &["java"], "");
        let check = |home: &str, what: &str, instead: &str| {
            let fault = fault_of(tree.path(home), || places(&tree).jdks());
            let fault = fault.unwrap();
            assert_eq!(
                fault.to_string(),
                format!("`JAVA_HOME` is `{}`, {what}", tree.path(home).display())
            );
            assert_eq!(
                fault.hint(),
                format!(
                    "`export JAVA_HOME={}`, or unset it",
                    tree.path(instead).display()
                )
            );
        };
        check("gone", "which does not exist", "jvm/jdk");
        check("empty", "which is no JDK", "jvm/jdk");
        check("runtime", "a runtime without a compiler", "jvm/jdk");
        check("other/jdk/bin", "which is no JDK", "other/jdk");
        assert_eq!(fault_of(tree.path("jvm/jdk"), Vec::new), None);
        let fault = fault_of(tree.path("gone"), Vec::new).unwrap();
        assert!(fault.hint().starts_with("set it to the directory of a JDK"));
    }

    #[test]
    fn one_installation_found_on_several_ways_is_one_jdk() {
        let tree = Tree::new(&[("bin/", "")]);
        install(&tree, "jvm/a", &["java", "javac"], "");
        install(&tree, "jvm/b", &["java", "javac"], "");
        let link = |from: &str, to: &str| {
            std::os::unix::fs::symlink(tree.path(to), tree.path(from)).unwrap();
        };
        link("jvm/default", "jvm/a");
        link("bin/java", "jvm/default/bin/java");
        let mut places = places(&tree);
        places.java_home = Some(tree.path("jvm/b").into());
        places.path = Some(tree.path("bin").into());
        let found: Vec<_> = places
            .jdks()
            .into_iter()
            .map(|jdk| (jdk.home, jdk.source))
            .collect();
        let expected = [
            (tree.path("jvm/b"), JdkSource::JavaHome),
            (tree.path("jvm/a"), JdkSource::Path),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_runtime_inside_a_jdk_8_stands_for_the_jdk() {
        let tree = Tree::new(&[]);
        let release = "JAVA_VERSION=\"1.8.0_442\"";
        install(&tree, "jvm/eight", &["java", "javac"], release);
        install(&tree, "jvm/eight/jre", &["java"], "");
        let mut places = places(&tree);
        places.java_home = Some(tree.path("jvm/eight/jre").into());
        let jdks = places.jdks();
        assert_eq!(jdks.len(), 1);
        assert_eq!(jdks[0].home, tree.path("jvm/eight"));
        assert_eq!(jdks[0].feature(), Some(8));
    }

    #[test]
    fn a_bundle_of_macos_holds_its_jdk_deeper() {
        let tree = Tree::new(&[]);
        install(&tree, "jvm/x.jdk/Contents/Home", &["java"], "");
        assert_eq!(
            places(&tree).jdks()[0].home,
            tree.path("jvm/x.jdk/Contents/Home")
        );
    }

    #[test]
    fn the_feature_release_is_read_from_every_style_of_version() {
        let check = |version: &str, expected: Option<u32>| {
            let jdk = Jdk {
                home: PathBuf::new(),
                version: version.into(),
                architecture: String::new(),
                has_compiler: true,
                source: JdkSource::Installed,
            };
            assert_eq!(jdk.feature(), expected, "{version}");
        };
        check("25", Some(25));
        check("25-ea", Some(25));
        check("1.8.0_442", Some(8));
        check("", None);
    }
}
