//! The JDKs to test with.

use std::path::PathBuf;
use std::{env, fs};

#[derive(Debug, Clone)]
pub struct Jdk {
    pub home: PathBuf,
    /// As in 17.
    pub feature: u32,
}

/// The JDKs whose homes `JURY_JDKS` lists, separated as in `PATH`; without it, the one that
/// `JAVA_HOME` or `PATH` leads to.
pub fn jdks() -> Vec<Jdk> {
    let homes: Vec<PathBuf> = match env::var_os("JURY_JDKS") {
        Some(list) => env::split_paths(&list).collect(),
        None => vec![usual_home()],
    };
    homes.into_iter().map(Jdk::at).collect()
}

impl Jdk {
    /// The first of `jdks`, for tests that any JDK will do for.
    pub fn any() -> Self {
        jdks().swap_remove(0)
    }

    fn at(home: PathBuf) -> Self {
        let file = home.join("release");
        let release = fs::read_to_string(&file)
            .unwrap_or_else(|error| panic!("{} is no JDK: {error}", home.display()));
        let feature = release
            .lines()
            .find_map(|line| line.strip_prefix("JAVA_VERSION=\""))
            .and_then(|version| version.split(['.', '"']).next()?.parse().ok());
        let feature = feature.unwrap_or_else(|| panic!("no version in {}", file.display()));
        Self { home, feature }
    }
}

fn usual_home() -> PathBuf {
    if let Some(home) = env::var_os("JAVA_HOME") {
        return home.into();
    }
    let java = env::split_paths(&env::var_os("PATH").unwrap_or_default())
        .map(|directory| directory.join("java"))
        .find(|java| java.is_file())
        .expect("a JDK on the PATH");
    let java = java.canonicalize().expect("canonical path");
    let home = java.ancestors().nth(2).expect("bin/java in a home");
    home.to_owned()
}
