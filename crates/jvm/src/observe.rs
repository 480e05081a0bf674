//! Watching the JVMs that a build starts, by an agent injected through the environment.

use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use jury_protocol::{Answer, Ask, Collect, Launch, Mode, Plan, Session};

use crate::counsel::Counsel;
use crate::install::in_letters;
use crate::rows::{JvmEvidence, read_inbox};
use crate::{Installation, JvmError, private};

const TOOL_OPTIONS: &str = "JAVA_TOOL_OPTIONS";

/// One watched build: a private directory that its JVMs report into.
#[derive(Debug)]
pub struct Observation {
    directory: tempfile::TempDir,
    tool_options: String,
    // Heard until the build has ended.
    counsel: Counsel,
    // Keeps the agent in place until the last JVM of the build has started.
    _installation: Installation,
}

impl Observation {
    /// Prepares to see which tests run and, where something is to be collected, what each one uses.
    /// Tests that the build tool would run in its own JVM get one of their own, unless they are kept.
    /// JVMs ask `answer` which tests they may leave out; those that run tests say how they were
    /// launched.
    pub fn prepare<F>(
        installation: Installation,
        collect: Option<Collect>,
        keep_in_process: bool,
        answer: F,
    ) -> Result<Self, JvmError>
    where
        F: Fn(Ask, Option<Launch>) -> Answer + Send + Sync + 'static,
    {
        let directory = session_directory()?;
        let socket = directory.path().join("counsel");
        let counsel = Counsel::open(&socket, answer).map_err(JvmError::Session)?;
        let inherited = env::var(TOOL_OPTIONS)
            .ok()
            .filter(|options| !options.is_empty());
        let session_file = directory.path().join("session");
        let session = Session {
            mode: Mode::Observe {
                inbox: inbox(directory.path()).display().to_string(),
                counsel: Some(socket.display().to_string()),
                collect,
                keep_in_process,
            },
            boot_jar: installation.boot_jar().display().to_string(),
            tool_options: inherited.clone(),
            plan: Plan::default(),
        };
        let write = || -> io::Result<()> {
            fs::create_dir(inbox(directory.path()))?;
            session.write(&mut fs::File::create(&session_file)?)
        };
        write().map_err(JvmError::Session)?;

        let mut agent = OsString::from("-agentpath:");
        agent.push(installation.agent());
        agent.push("=");
        agent.push(&session_file);
        let agent = quoted(&agent.to_string_lossy()).ok_or_else(|| JvmError::Unquotable {
            path: installation.agent(),
        })?;
        let tool_options = match inherited {
            Some(options) => format!("{options} {agent}"),
            None => agent,
        };
        Ok(Self {
            directory,
            tool_options,
            counsel,
            _installation: installation,
        })
    }

    /// What the build's environment must hold beside what it holds already.
    pub fn environment(&self) -> (&'static str, &str) {
        (TOOL_OPTIONS, &self.tool_options)
    }

    /// Whether a test is known to be red while the build still runs.
    pub fn is_red(&self) -> bool {
        self.counsel.is_red()
    }

    /// The line every JVM prints because of the injection; it is not part of the build's output.
    pub fn notice(&self) -> String {
        format!("Picked up {TOOL_OPTIONS}: {}", self.tool_options)
    }

    pub fn evidence(&self) -> Result<Vec<JvmEvidence>, JvmError> {
        read_inbox(&inbox(self.directory.path())).map_err(JvmError::Inbox)
    }
}

/// Its name is without digits, as that of the bundle is: see [`in_letters`].
fn session_directory() -> Result<tempfile::TempDir, JvmError> {
    loop {
        let random = RandomState::new().build_hasher().finish();
        let name = format!("jury-{}", in_letters(&format!("{random:016x}")));
        match private::directory_called(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map_err(JvmError::Session),
        }
    }
}

fn inbox(directory: &Path) -> PathBuf {
    directory.join("inbox")
}

/// The JVM splits `JAVA_TOOL_OPTIONS` at white space outside quotes and knows no escapes.
fn quoted(option: &str) -> Option<String> {
    let special = |c: char| c.is_whitespace() || c == '"' || c == '\'';
    match (
        option.contains(special),
        option.contains('"'),
        option.contains('\''),
    ) {
        (false, ..) => Some(option.to_owned()),
        (true, false, _) => Some(format!("\"{option}\"")),
        (true, true, false) => Some(format!("'{option}'")),
        (true, true, true) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{quoted, session_directory};

    #[test]
    fn what_jvms_print_of_a_session_holds_no_digits() {
        // By chance a name of sixteen hexadecimal digits would have none once in 1,800 times.
        for _ in 0..3 {
            let session = session_directory().unwrap();
            let name = session.path().file_name().unwrap().to_string_lossy();
            assert!(!name.contains(|c: char| c.is_ascii_digit()), "{name}");
        }
    }

    #[test]
    fn options_are_quoted_only_where_the_jvm_would_split_them() {
        assert_eq!(
            quoted("-agentpath:/a/b=/c").as_deref(),
            Some("-agentpath:/a/b=/c")
        );
        assert_eq!(quoted("/a b").as_deref(), Some("\"/a b\""));
        assert_eq!(quoted("/it's").as_deref(), Some("\"/it's\""));
        assert_eq!(quoted("/a\"b").as_deref(), Some("'/a\"b'"));
        assert_eq!(quoted("/a\"b'c"), None);
    }
}
