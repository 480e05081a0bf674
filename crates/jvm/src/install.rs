//! Unpacks the agent and the boot jar into the user's cache, by content hash.
//!
//! A JVM aborts if its agent library is missing, so an unpacked bundle is never replaced or
//! removed while a build runs: it is moved into place whole, and users of it hold a shared lock.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use etcetera::BaseStrategy;
use jury_bundle::{AGENT, BOOT_JAR, Carried, DIGEST, GRADLE_SCRIPT};

use crate::JvmError;

/// An unpacked bundle, locked against removal for as long as this value lives.
#[derive(Debug)]
pub struct Installation {
    directory: PathBuf,
    _in_use: fs::File,
}

impl Installation {
    /// Unpacks the bundle below `cache` unless an intact one is there already.
    pub fn prepare(cache: &Path) -> Result<Self, JvmError> {
        let directory = cache.join(format!("bundle-{}", in_letters(DIGEST)));
        Self::prepare_at(&directory).map_err(|source| JvmError::Install {
            directory: directory.clone(),
            source,
        })
    }

    fn prepare_at(directory: &Path) -> io::Result<Self> {
        fs::create_dir_all(directory)?;
        let in_use = fs::File::create(directory.join("in-use.lock"))?;
        in_use.lock_shared()?;
        for carried in [AGENT, BOOT_JAR, GRADLE_SCRIPT] {
            if !is_intact(directory, carried) {
                unpack(directory, carried)?;
            }
        }
        Ok(Self {
            directory: directory.to_owned(),
            _in_use: in_use,
        })
    }

    pub fn agent(&self) -> PathBuf {
        self.directory.join(AGENT.file_name)
    }

    pub fn boot_jar(&self) -> PathBuf {
        self.directory.join(BOOT_JAR.file_name)
    }

    pub fn gradle_script(&self) -> PathBuf {
        self.directory.join(GRADLE_SCRIPT.file_name)
    }

    /// Removes every unpacked bundle that no running Jury uses; returns how many were kept.
    pub fn remove_unused(cache: &Path) -> io::Result<usize> {
        let mut kept = 0;
        let entries = match fs::read_dir(cache) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let entry = entry?;
            if !entry.file_name().to_string_lossy().starts_with("bundle-") {
                continue;
            }
            let lock = fs::File::create(entry.path().join("in-use.lock"))?;
            if lock.try_lock().is_ok() {
                fs::remove_dir_all(entry.path())?;
            } else {
                kept += 1;
            }
        }
        Ok(kept)
    }
}

/// The same hexadecimal number without digits. Every JVM of a build prints `JAVA_TOOL_OPTIONS`, and
/// Maven's compiler plugin, where it forks, takes the first number in what `javac -version` prints
/// for the version: with a digit in our part of the paths, sources would be compiled as for Java 3.
pub(crate) fn in_letters(hexadecimal: &str) -> String {
    let letter = |digit: char| match digit.to_digit(10) {
        Some(value) => char::from_digit(value + 16, 36).unwrap_or(digit),
        None => digit,
    };
    hexadecimal.chars().map(letter).collect()
}

/// Where Jury keeps what is not tied to a project: `JURY_CACHE_DIR`, else the platform's cache.
pub fn cache_directory() -> Result<PathBuf, JvmError> {
    if let Some(directory) = env::var_os("JURY_CACHE_DIR").filter(|value| !value.is_empty()) {
        return Ok(std::path::absolute(&directory).unwrap_or_else(|_| directory.into()));
    }
    let strategy = etcetera::choose_base_strategy().map_err(|_| JvmError::NoCacheDirectory)?;
    Ok(strategy.cache_dir().join("jury"))
}

fn is_intact(directory: &Path, carried: Carried) -> bool {
    fs::read(directory.join(carried.file_name)).is_ok_and(|bytes| bytes == carried.bytes)
}

/// Writes beside the target and renames, so that a second process sees all of it or nothing.
fn unpack(directory: &Path, carried: Carried) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(carried.bytes)?;
    file.as_file().sync_all()?;
    file.persist(directory.join(carried.file_name))
        .map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_altered_agent_is_unpacked_again() {
        let cache = tempfile::tempdir().unwrap();
        let first = Installation::prepare(cache.path()).unwrap();
        fs::write(first.agent(), b"not a library").unwrap();
        let second = Installation::prepare(cache.path()).unwrap();
        assert_eq!(fs::read(second.agent()).unwrap(), AGENT.bytes);
    }

    #[test]
    fn what_jvms_print_of_a_bundle_holds_no_digits() {
        assert_eq!(in_letters("0f93"), "gfpj");
        let cache = tempfile::tempdir().unwrap();
        let installation = Installation::prepare(cache.path()).unwrap();
        let agent = installation.agent();
        let ours = agent.strip_prefix(cache.path()).unwrap().to_string_lossy();
        assert!(!ours.contains(|c: char| c.is_ascii_digit()), "{ours}");
    }

    #[test]
    fn many_processes_may_unpack_at_once() {
        let cache = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let installation = Installation::prepare(cache.path()).unwrap();
                    assert_eq!(fs::read(installation.agent()).unwrap(), AGENT.bytes);
                    assert_eq!(fs::read(installation.boot_jar()).unwrap(), BOOT_JAR.bytes);
                });
            }
        });
    }

    #[test]
    fn a_bundle_in_use_is_not_removed() {
        let cache = tempfile::tempdir().unwrap();
        let installation = Installation::prepare(cache.path()).unwrap();
        assert_eq!(Installation::remove_unused(cache.path()).unwrap(), 1);
        assert!(installation.agent().exists());
        let agent = installation.agent();
        drop(installation);
        assert_eq!(Installation::remove_unused(cache.path()).unwrap(), 0);
        assert!(!agent.exists());
    }

    #[test]
    fn an_unwritable_cache_is_named() {
        let cache = tempfile::tempdir().unwrap();
        let file = cache.path().join("file");
        fs::write(&file, "").unwrap();
        let error = Installation::prepare(&file).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("failed to unpack the agent into `")
        );
    }
}
