use std::io;
use std::path::PathBuf;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum JvmError {
    #[error("failed to unpack the agent into `{directory}`")]
    Install {
        directory: PathBuf,
        source: io::Error,
    },
    #[error("no directory for cached files: set HOME or XDG_CACHE_HOME")]
    NoCacheDirectory,
    #[error("the path `{path}` holds both kinds of quotes and cannot be passed to a JVM")]
    Unquotable { path: PathBuf },
    #[error("failed to prepare the session directory")]
    Session(#[source] io::Error),
    #[error("failed to start `{program}`")]
    Spawn { program: String, source: io::Error },
    #[error("failed to read the records of the test JVMs")]
    Inbox(#[source] io::Error),
    #[error("a worker JVM did not start: {reason}{}", indented(.output))]
    WorkerStart { reason: String, output: String },
    #[error("lost the connection to a worker JVM")]
    Worker(#[source] io::Error),
}

fn indented(output: &str) -> String {
    output.lines().map(|line| format!("\n    {line}")).collect()
}
