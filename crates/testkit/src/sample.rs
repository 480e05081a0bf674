//! A sample project to build and break, with a `jury` that touches nothing outside it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::{env, fs};

use crate::{Jdk, repository, succeed};

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
        let sample = Self::empty(directory_name);
        copy_tree(&repository().join("samples").join(name), &sample.path);
        sample
    }

    /// A copy of a sample after `prepare`, which is done once for all tests of a program that ask for
    /// the sample: builds are what takes long. What is made ready stays below `place` until the next time.
    pub fn prepared(name: &str, place: &Path, prepare: impl FnOnce(&Self)) -> Self {
        static READY: Mutex<BTreeMap<PathBuf, Arc<OnceLock<()>>>> = Mutex::new(BTreeMap::new());
        let model = place.join(name);
        let ready = {
            let mut all = READY.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(model.clone()).or_default())
        };
        // Whoever comes meanwhile waits for this sample, but not for others.
        ready.get_or_init(|| {
            let sample = Self::copy(name);
            prepare(&sample);
            let _ = fs::remove_dir_all(&model);
            fs::create_dir_all(place).expect("a place for samples");
            copy_as_it_is(&sample.path, &model);
        });
        let sample = Self::empty(name);
        fs::remove_dir(&sample.path).expect("an empty directory");
        copy_as_it_is(&model, &sample.path);
        sample
    }

    /// A directory with nothing in it.
    pub fn empty(directory_name: &str) -> Self {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join(directory_name);
        fs::create_dir(&path).expect("directory");
        // Compared with what JVMs report, which resolve links.
        let path = path.canonicalize().expect("canonical path");
        Self { directory, path }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A place beside the project for what a test writes.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path.join(name), text).expect("writable sample");
    }

    /// Replaces every `from` in a file, which must hold one.
    pub fn edit(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path.join(name)).expect("readable sample");
        assert!(text.contains(from), "`{from}` in {name}");
        self.write(name, &text.replace(from, to));
    }

    /// A command that runs in the sample with the given JDK, and with no settings of its user.
    pub fn command(&self, program: &str, jdk: &Jdk) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.path)
            .env("JAVA_HOME", &jdk.home)
            .env("PATH", path_with(&jdk.home))
            .env("JURY_CACHE_DIR", self.beside("cache"))
            .env("XDG_CONFIG_HOME", self.beside("config"))
            // Builds of samples are over before a better compiler pays.
            .env("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
            .env("NO_COLOR", "1");
        let unwanted = [
            "COLUMNS",
            "JAVA_TOOL_OPTIONS",
            "MAVEN_ARGS",
            "JURY_CACHE",
            "JURY_CACHE_READ_ONLY",
            "JURY_COLOR",
            "JURY_FORMAT",
            "JURY_JOBS",
            "JURY_STATE_DIR",
            "JURY_TEST_TIMEOUT",
        ];
        for variable in unwanted {
            command.env_remove(variable);
        }
        command
    }
}

fn path_with(java_home: &Path) -> OsString {
    let rest = env::var_os("PATH").unwrap_or_default();
    let directories = [java_home.join("bin")]
        .into_iter()
        .chain(env::split_paths(&rest));
    env::join_paths(directories).expect("a PATH of proper directories")
}

/// Build tools compile again what seems newer than its classes, so times stay as they are.
fn copy_as_it_is(from: &Path, to: &Path) {
    succeed(Command::new("cp").arg("-a").args([from, to]));
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("directory");
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let entry = entry.expect("entry");
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if ["target", "build", ".jury"]
            .iter()
            .any(|made| entry.file_name() == *made)
        {
            continue;
        }
        if source.is_dir() {
            copy_tree(&source, &target);
        } else {
            fs::copy(&source, &target).expect("copy");
        }
    }
}
