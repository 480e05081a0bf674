//! What was meant: flags, then environment (read by `args`), then `jury.toml`, then defaults,
//! settled once.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use jury_workflows::{
    CacheSettings, Collection, GranularityChoice, Hashing, LocationError, Mark, Policy,
    SelectionSettings,
};
use serde::Deserialize;

use crate::args::{
    self, CacheArgs, Collect, GlobalArgs, ReplayArgs, SelectionArgs, TestArgs, Trust,
};
use crate::failure::Failure;
use crate::gate::MutateFile;

pub const FILE_NAME: &str = "jury.toml";

/// `jury.toml`. Unknown keys are refused, because a misspelt one would silently do nothing.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct FileSettings {
    /// Worker JVMs used at once.
    pub jobs: Option<usize>,
    /// Seconds a replayed test may take.
    pub test_timeout: Option<u64>,
    /// Where evidence is kept, relative to the project.
    pub state_dir: Option<PathBuf>,
    /// The test command, if it is not the usual one.
    pub command: Option<Vec<String>>,
    /// What `jury test` runs.
    pub test: TestFile,
    /// Where evidence is shared with other machines.
    pub cache: CacheFile,
    /// What a run of `jury mutate` has to pass.
    pub mutate: MutateFile,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct TestFile {
    /// Test classes to run whatever has changed.
    pub always_run: Vec<String>,
    /// What Jury cannot see through, and is to be taken as unchanged.
    pub trust: Vec<Trust>,
    /// Files that no test reads, for static selection.
    pub unread: Vec<String>,
    /// Compare class files byte by byte.
    pub plain_checksum: bool,
    /// What is selected.
    pub granularity: Option<args::Granularity>,
    /// Stop the build at the first red test.
    pub fail_fast: bool,
    /// Make every n-th run an audit.
    pub audit_every: Option<u32>,
    /// When to find out what tests use.
    pub collect: Option<Collect>,
    /// If that is sparse, in every n-th run.
    pub collect_every: Option<u32>,
}

/// How often sparse collection is due, unless it is said.
const SPARSE: u32 = 10;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct CacheFile {
    pub url: Option<String>,
    pub read_only: bool,
    /// Megabytes.
    pub max_size: Option<u64>,
    pub expire_days: Option<u32>,
}

impl FileSettings {
    pub fn read(project: &Path) -> anyhow::Result<Self> {
        let path = project.join(FILE_NAME);
        let text = match fs_err::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => return Err(error).context("failed to read settings"),
        };
        toml::from_str(&text).map_err(|error| {
            Failure::usage(format!("`{}` is not valid: {error}", path.display()))
                .hint("the settings are described in docs/settings.md")
                .into()
        })
    }
}

/// Where a command works and keeps its evidence.
#[derive(Debug)]
pub struct Place {
    /// Where the user stands, or was sent by `-C`.
    pub directory: PathBuf,
    pub file: FileSettings,
    state_dir: Option<PathBuf>,
}

impl Place {
    /// `root` is the project's directory where there is one, else the directory itself.
    pub fn settle(global: &GlobalArgs, root: &Path) -> anyhow::Result<Self> {
        let file = FileSettings::read(root)?;
        let state_dir = global
            .state_dir
            .clone()
            .map(|path| std::path::absolute(&path).unwrap_or(path))
            .or_else(|| file.state_dir.as_ref().map(|path| root.join(path)));
        Ok(Self {
            directory: root.to_owned(),
            file,
            state_dir,
        })
    }

    pub fn state_dir(&self) -> PathBuf {
        self.state_dir
            .clone()
            .unwrap_or_else(|| self.directory.join(".jury"))
    }

    pub fn test_command(&self, words: &[String]) -> Option<Vec<String>> {
        if words.is_empty() {
            self.file.command.clone()
        } else {
            Some(words.to_vec())
        }
    }

    /// Lists on the command line add to those in the file.
    pub fn selection(&self, args: &SelectionArgs) -> SelectionSettings {
        let file = &self.file.test;
        let trusted = file
            .trust
            .iter()
            .chain(&args.trust)
            .map(|trust| match trust {
                Trust::ChildProcess => Mark::ChildProcess,
                Trust::Network => Mark::Network,
                Trust::NativeLibrary => Mark::NativeLibrary,
            });
        SelectionSettings {
            always_run: [&file.always_run[..], &args.always_run[..]].concat(),
            policy: Policy {
                trusted: trusted.collect(),
                ..Policy::default()
            },
            hashing: match file.plain_checksum || args.plain_checksum {
                true => Hashing::Plain,
                false => Hashing::default(),
            },
            granularity: match args.granularity.or(file.granularity).unwrap_or_default() {
                args::Granularity::Class => GranularityChoice::Class,
                args::Granularity::Method => GranularityChoice::Method,
                args::Granularity::Auto => GranularityChoice::Auto,
            },
            audit_every: args.audit_every.or(file.audit_every),
            ..SelectionSettings::default()
        }
    }

    pub fn collection(&self, args: &TestArgs) -> Collection {
        let file = &self.file.test;
        let every = args.collect_every.or(file.collect_every).unwrap_or(SPARSE);
        match args.collect.or(file.collect) {
            None | Some(Collect::Always) => Collection::Always,
            Some(Collect::Sparse) => Collection::Every(every),
            Some(Collect::Never) => Collection::Never,
        }
    }

    /// How evidence is shared; none if it is not.
    pub fn cache(&self, args: &CacheArgs) -> anyhow::Result<Option<CacheSettings>> {
        const DAY: Duration = Duration::from_secs(24 * 3600);
        let file = &self.file.cache;
        let url = args.cache.as_ref().or(file.url.as_ref());
        let Some(url) = url.filter(|url| !url.is_empty()) else {
            return Ok(None);
        };
        let location = (url.parse())
            .map_err(|error: LocationError| Failure::usage(error.to_string()).hint(error.hint()))?;
        Ok(Some(CacheSettings {
            location,
            read_only: args.cache_read_only || file.read_only,
            max_size: file.max_size.unwrap_or(1024) << 20,
            expires_after: DAY * file.expire_days.unwrap_or(30),
            user: std::env::var("JURY_CACHE_USER").ok(),
            password: std::env::var("JURY_CACHE_PASSWORD").ok(),
        }))
    }

    pub fn jobs(&self, flag: Option<usize>) -> usize {
        flag.or(self.file.jobs)
            .unwrap_or_else(|| thread::available_parallelism().map_or(1, |count| count.get()))
            .max(1)
    }

    pub fn test_timeout(&self, args: &ReplayArgs) -> Option<Duration> {
        args.test_timeout
            .or(self.file.test_timeout)
            .map(Duration::from_secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_key_is_refused_by_name() {
        let project = tempfile::tempdir().unwrap();
        std::fs::write(project.path().join(FILE_NAME), "job = 3\n").unwrap();
        let error = FileSettings::read(project.path()).unwrap_err();
        assert!(error.to_string().contains("unknown field `job`"), "{error}");
    }

    #[test]
    fn a_cache_is_used_where_one_is_named_and_its_address_is_understood() {
        let cache = |file: &str, flag: Option<&str>| {
            let place = Place {
                directory: PathBuf::from("/p"),
                file: toml::from_str(file).unwrap(),
                state_dir: None,
            };
            let args = CacheArgs {
                cache: flag.map(str::to_owned),
                cache_read_only: false,
            };
            place.cache(&args)
        };
        assert!(cache("", None).unwrap().is_none());
        let table = "[cache]\nurl = 'redis://host'\nread-only = true\nmax-size = 2";
        let settings = cache(table, None).unwrap().unwrap();
        assert_eq!(settings.location.to_string(), "redis://host");
        assert!(settings.read_only);
        assert_eq!(settings.max_size, 2 << 20);
        let flag = cache(table, Some("file:///srv/jury")).unwrap().unwrap();
        assert_eq!(flag.location.to_string(), "file:///srv/jury");
        assert!(cache(table, Some("")).unwrap().is_none());
        let error = cache("", Some("/srv/jury")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`/srv/jury` names no cache that Jury knows"
        );
    }

    #[test]
    fn settings_default_where_there_is_no_file() {
        let project = tempfile::tempdir().unwrap();
        assert!(FileSettings::read(project.path()).unwrap().jobs.is_none());
    }
}
