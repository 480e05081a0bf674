//! Real JVMs with the built agent in them, and small Java programs to run there.

use std::env;
use std::fs::{self, File};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use jury_protocol::{Launch, Mode, Record, Session, read_frame, read_header};
use tempfile::TempDir;
use zip::write::{SimpleFileOptions, ZipWriter};

pub struct Jdk {
    home: PathBuf,
}

/// The JDKs listed in `JURY_JDKS`, else the one of `JAVA_HOME` or of the path.
pub static JDKS: LazyLock<Vec<Jdk>> = LazyLock::new(|| {
    let listed = env::var_os("JURY_JDKS").unwrap_or_default();
    let mut homes: Vec<PathBuf> = env::split_paths(&listed)
        .filter(|home| !home.as_os_str().is_empty())
        .collect();
    if homes.is_empty() {
        let on_path = env::var_os("PATH").unwrap_or_default();
        homes.extend(env::var_os("JAVA_HOME").map(PathBuf::from).or_else(|| {
            env::split_paths(&on_path).find_map(|directory| {
                let javac = fs::canonicalize(directory.join("javac")).ok()?;
                Some(javac.parent()?.parent()?.to_owned())
            })
        }));
    }
    assert!(!homes.is_empty(), "these tests need a JDK: set JAVA_HOME");
    homes.into_iter().map(|home| Jdk { home }).collect()
});

impl Jdk {
    /// A program of the JDK, free of options that the environment would add.
    pub fn tool(&self, name: &str) -> Command {
        let mut command = Command::new(self.home.join("bin").join(name));
        command
            .env_remove("JAVA_TOOL_OPTIONS")
            .env_remove("JDK_JAVA_OPTIONS")
            .env("KEPT", "yes");
        command
    }

    pub fn home(&self) -> &Path {
        &self.home
    }
}

/// The compiled Java programs, made once.
pub struct Programs {
    directory: TempDir,
}

pub static PROGRAMS: LazyLock<Programs> = LazyLock::new(|| {
    let programs = Programs {
        directory: tempfile::tempdir().unwrap(),
    };
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    compile(&sources.join("boot"), &[], &programs.path("boot"));
    compile(&sources.join("program"), &[], &programs.classes());
    compile(
        &sources.join("redefiner"),
        &[&programs.classes()],
        &programs.path("redefiner"),
    );
    write_jar(&programs.boot_jar(), &programs.path("boot"), None);
    let manifest = "Premain-Class: Redefiner\nCan-Retransform-Classes: true\n\
                    Can-Redefine-Classes: true\n";
    write_jar(
        &programs.redefiner_jar(),
        &programs.path("redefiner"),
        Some(manifest),
    );
    programs
});

impl Programs {
    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn classes(&self) -> PathBuf {
        self.path("classes")
    }

    pub fn boot_jar(&self) -> PathBuf {
        self.path("boot.jar")
    }

    pub fn redefiner_jar(&self) -> PathBuf {
        self.path("redefiner.jar")
    }
}

fn compile(sources: &Path, class_path: &[&Path], classes: &Path) {
    let output = JDKS[0]
        .tool("javac")
        .args(["--release", "8", "-nowarn", "-Xlint:-options", "-d"])
        .arg(classes)
        .arg("-cp")
        .arg(env::join_paths(class_path).unwrap())
        .args(files_below(sources))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

pub fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}

pub fn write_jar(path: &Path, classes: &Path, manifest: Option<&str>) {
    let mut jar = ZipWriter::new(File::create(path).unwrap());
    let mut add = |name: &str, bytes: &[u8]| {
        jar.start_file(name, SimpleFileOptions::default()).unwrap();
        jar.write_all(bytes).unwrap();
    };
    if let Some(manifest) = manifest {
        add("META-INF/MANIFEST.MF", manifest.as_bytes());
    }
    for file in files_below(classes) {
        let name = file.strip_prefix(classes).unwrap().to_str().unwrap();
        add(name, &fs::read(&file).unwrap());
    }
    jar.finish().unwrap();
}

/// The library that Cargo built for this test, beside the test's executable.
fn agent() -> PathBuf {
    let name = format!(
        "{}jury_agent{}",
        env::consts::DLL_PREFIX,
        env::consts::DLL_SUFFIX
    );
    env::current_exe().unwrap().with_file_name(name)
}

/// One watched build: an inbox, and the options that inject the agent.
pub struct Watch {
    directory: TempDir,
}

impl Watch {
    pub fn new() -> Self {
        Self::with_boot_jar(&PROGRAMS.boot_jar())
    }

    pub fn with_boot_jar(boot_jar: &Path) -> Self {
        let watch = Self {
            directory: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(watch.inbox()).unwrap();
        let inbox = watch.inbox().to_str().unwrap().to_owned();
        watch.write_session(
            Mode::Observe {
                inbox,
                counsel: None,
                collect: None,
                keep_in_process: false,
            },
            boot_jar,
        );
        watch
    }

    pub fn write_session(&self, mode: Mode, boot_jar: &Path) {
        let boot_jar = boot_jar.to_str().unwrap().to_owned();
        let session = Session {
            mode,
            boot_jar,
            tool_options: None,
            plan: Default::default(),
        };
        session
            .write(&mut File::create(self.session()).unwrap())
            .unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn session(&self) -> PathBuf {
        self.path("session")
    }

    pub fn inbox(&self) -> PathBuf {
        self.path("inbox")
    }

    pub fn option(&self) -> String {
        format!(
            "-agentpath:{}={}",
            agent().display(),
            self.session().display()
        )
    }

    /// A watched JVM with the programs on its class path.
    pub fn java(&self, jdk: &Jdk, arguments: &[&str]) -> Command {
        let mut command = jdk.tool("java");
        command
            .arg(self.option())
            .arg("-cp")
            .arg(PROGRAMS.classes())
            .args(arguments);
        command
    }

    /// File names in the inbox, in order.
    pub fn letters(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.inbox())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The records of the only JVM that reported.
    pub fn records(&self) -> Vec<Record> {
        let mut letters = self.letters();
        letters.retain(|name| name.ends_with(".rows"));
        let [letter] = &letters[..] else {
            panic!("one record file, not {letters:?}")
        };
        let mut input = BufReader::new(File::open(self.inbox().join(letter)).unwrap());
        read_header(&mut input).unwrap();
        let mut records = Vec::new();
        while let Some(payload) = read_frame(&mut input).unwrap() {
            records.push(Record::decode(&payload).unwrap());
        }
        records
    }

    /// The records of the only JVM that reported: its launch, what the hooks said, and its end.
    pub fn report(&self) -> (Launch, Vec<String>) {
        let mut records = self.records().into_iter();
        let Some(Record::Launch(launch)) = records.next() else {
            panic!("no launch")
        };
        let mut said: Vec<String> = Vec::new();
        for record in records {
            match record {
                Record::Trouble(text) => said.push(text),
                Record::Ended => said.push("end".to_owned()),
                other => panic!("{other:?}"),
            }
        }
        (*launch, said)
    }
}

/// Runs a program that must end in this way and print nothing but that.
pub fn check(command: &mut Command, status: i32, printed: &str) {
    let output = command.output().unwrap();
    assert_eq!(
        text(&output),
        (Some(status), printed.to_owned(), String::new()),
        "{command:?}"
    );
}

fn text(output: &Output) -> (Option<i32>, String, String) {
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}
