//! A JDK, and the Java programs run on it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Jdk {
    home: PathBuf,
}

impl Jdk {
    /// The JDK of `JAVA_HOME`, or the one whose `java` is on the path.
    pub fn at_hand() -> Self {
        let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
        let home = home.or_else(|| {
            let path = std::env::var_os("PATH")?;
            let java = std::env::split_paths(&path).map(|directory| directory.join("java"));
            let java = java.filter_map(|java| java.canonicalize().ok()).next()?;
            Some(java.parent()?.parent()?.to_owned())
        });
        Jdk {
            home: home.expect("a JDK in `JAVA_HOME` or on `PATH`"),
        }
    }

    pub fn all() -> Vec<Self> {
        let listed = super::super::env_paths("JURY_JDKS");
        let homes = if listed.is_empty() {
            installed()
        } else {
            listed
        };
        homes.into_iter().map(|home| Jdk { home }).collect()
    }

    pub fn name(&self) -> String {
        self.home
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned()
    }

    /// Compiles everything under `tests/java` and packs the agent.
    pub fn compile(&self, directory: &Path) {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
        let (programs, helpers) = (directory.join("programs"), directory.join("helpers"));
        for (from, to) in [
            (sources.clone(), &programs),
            (sources.join("jury/boot"), &helpers),
        ] {
            let mut javac = self.tool("javac");
            javac.arg("-d").arg(to).args(java_files(&from));
            run(&mut javac);
        }
        let mut jar =
            zip::ZipWriter::new(std::fs::File::create(directory.join("agent.jar")).unwrap());
        jar.start_file(
            "META-INF/MANIFEST.MF",
            zip::write::SimpleFileOptions::default(),
        )
        .unwrap();
        jar.write_all(b"Premain-Class: Link\nCan-Retransform-Classes: true\n")
            .unwrap();
        jar.finish().unwrap();
    }

    pub fn dump(&self, directory: &Path, pack: &Path, every: usize) {
        let mut java = self.tool("java");
        java.arg("-cp")
            .arg(directory.join("programs"))
            .arg("Dump")
            .arg(pack);
        run(java.arg(every.to_string()));
    }

    pub fn link(&self, directory: &Path, pack: &Path, failures: &Path) {
        let option = |name: &str, path: &str| format!("{name}:{}", directory.join(path).display());
        let mut java = self.tool("java");
        java.args(["-Xverify:all", "--add-modules", "ALL-SYSTEM"])
            .arg(option("-Xbootclasspath/a", "helpers"))
            .arg(option("-javaagent", "agent.jar"))
            .arg("-cp")
            .arg(directory.join("programs"))
            .arg("Link");
        run(java.arg(pack).arg(failures));
    }

    fn tool(&self, name: &str) -> Command {
        Command::new(self.home.join("bin").join(name))
    }
}

fn installed() -> Vec<PathBuf> {
    let homes = std::fs::read_dir("/usr/lib/jvm")
        .into_iter()
        .flatten()
        .flatten();
    let mut homes: Vec<_> = homes
        .map(|entry| entry.path())
        .filter(|home| !home.is_symlink() && home.join("bin/javac").exists())
        .collect();
    homes.sort();
    homes
}

fn java_files(directory: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    files
        .filter(|file| {
            file.extension()
                .is_some_and(|extension| extension == "java")
        })
        .collect()
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
}
