//! What was meant: flags, then environment (read by `args`), then the project's `jury.toml`, then the
//! user's, then defaults, settled once.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, thread};

use anyhow::Context;
use jury_workflows::{
    CacheSettings, Collection, GranularityChoice, Hashing, LocationError, Mark, Policy,
    SelectionSettings, Wanted,
};
use serde::Deserialize;
use toml::map::Entry;

use crate::args::{self, CacheArgs, Collect, GlobalArgs, SelectionArgs, TestArgs, Trust};
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
    /// Test classes not to run.
    pub exclude: Vec<String>,
    /// What Jury cannot see through, and is to be taken as unchanged.
    pub trust: Vec<Trust>,
    /// Files that no test reads, for static selection.
    pub unread: Vec<String>,
    /// Compare class files byte by byte.
    pub plain_checksum: bool,
    /// Leave tests that run inside the build tool where they are.
    pub keep_in_process: bool,
    /// What is selected.
    pub granularity: Option<args::Granularity>,
    /// Stop the build at the first red test.
    pub fail_fast: bool,
    /// Make every n-th run an audit.
    pub audit_every: Option<u32>,
    /// How often red tests are run again.
    pub retries: Option<u32>,
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
    /// The project's settings and, where these are silent, the user's own.
    pub fn read(project: &Path, user: Option<&Path>) -> anyhow::Result<Self> {
        let mut table = read_table(project)?;
        if let Some(user) = user {
            fill_gaps(&mut table, read_table(user)?);
        }
        // Each file was valid, and what is valid in one place is valid in the other.
        toml::Value::Table(table)
            .try_into()
            .context("failed to join settings")
    }
}

/// `jury.toml` in a directory; empty if there is none.
fn read_table(directory: &Path) -> anyhow::Result<toml::Table> {
    let path = directory.join(FILE_NAME);
    let text = match fs_err::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).context("failed to read settings"),
    };
    let valid = toml::from_str::<FileSettings>(&text).and_then(|_| toml::from_str(&text));
    valid.map_err(|error| {
        Failure::usage(format!("`{}` is not valid: {error}", path.display()))
            .hint("the settings are described in docs/settings.md")
            .into()
    })
}

/// Takes from `other` what `table` says nothing of.
fn fill_gaps(table: &mut toml::Table, other: toml::Table) {
    for (key, value) in other {
        match (table.entry(key), value) {
            (Entry::Vacant(gap), value) => _ = gap.insert(value),
            (Entry::Occupied(mut own), toml::Value::Table(value)) => {
                if let toml::Value::Table(own) = own.get_mut() {
                    fill_gaps(own, value);
                }
            }
            (Entry::Occupied(_), _) => {}
        }
    }
}

/// Where users keep settings for all their projects.
fn user_directory() -> Option<PathBuf> {
    let absolute = |name| {
        let path = env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let settings = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
    settings.map(|settings| settings.join("jury"))
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
        let file = FileSettings::read(root, user_directory().as_deref())?;
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
            keep_in_process: args.keep_in_process || file.keep_in_process,
            ..SelectionSettings::default()
        }
    }

    /// Which tests `jury test` runs.
    pub fn selection_of_tests(&self, args: &TestArgs) -> SelectionSettings {
        SelectionSettings {
            wanted: match args {
                TestArgs { all: true, .. } => Wanted::All,
                TestArgs { failing: true, .. } => Wanted::Failing,
                TestArgs {
                    collect_only: true, ..
                } => Wanted::Outdated,
                _ => Wanted::Affected,
            },
            exclude: [&self.file.test.exclude[..], &args.exclude[..]].concat(),
            ..self.selection(&args.selection)
        }
    }

    pub fn retries(&self, args: &TestArgs) -> u32 {
        let verdict = !args.collect_only;
        let wanted = args.retries.or(self.file.test.retries);
        wanted.filter(|_| verdict).unwrap_or(0)
    }

    pub fn collection(&self, args: &TestArgs) -> Collection {
        if args.collect_only {
            return Collection::Always;
        }
        let file = &self.file.test;
        let every = args.collect_every.or(file.collect_every).unwrap_or(SPARSE);
        match args.collect.or(file.collect) {
            None | Some(Collect::Always) => Collection::Always,
            Some(Collect::Sparse) => Collection::Every(every),
            Some(Collect::Later) => Collection::Later,
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

    pub fn test_timeout(&self, flag: Option<u64>) -> Option<Duration> {
        flag.or(self.file.test_timeout).map(Duration::from_secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_key_is_refused_by_name() {
        let project = tempfile::tempdir().unwrap();
        std::fs::write(project.path().join(FILE_NAME), "job = 3\n").unwrap();
        let error = FileSettings::read(project.path(), None).unwrap_err();
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
        let settings = FileSettings::read(project.path(), None).unwrap();
        assert!(settings.jobs.is_none());
    }

    #[test]
    fn a_user_has_a_say_where_the_project_is_silent() {
        let (project, user) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let write = |directory: &Path, text| {
            std::fs::write(directory.join(FILE_NAME), text).unwrap();
        };
        write(project.path(), "jobs = 3\n[test]\naudit-every = 7\n");
        let own = "jobs = 4\ntest-timeout = 9\n[test]\naudit-every = 8\nplain-checksum = true\n";
        write(user.path(), own);
        let settings = FileSettings::read(project.path(), Some(user.path())).unwrap();
        assert_eq!((settings.jobs, settings.test_timeout), (Some(3), Some(9)));
        assert_eq!(settings.test.audit_every, Some(7));
        assert!(settings.test.plain_checksum);
        write(user.path(), "job = 4\n");
        let error = FileSettings::read(project.path(), Some(user.path())).unwrap_err();
        let place = user.path().join(FILE_NAME).display().to_string();
        assert!(error.to_string().contains(&place), "{error}");
    }
}
