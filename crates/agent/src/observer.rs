//! The agent itself: decides whether to watch a JVM, hooks its test frameworks and passes on what
//! the hooks report. It neither reads nor changes the reports.

use std::ffi::{CString, OsStr};
use std::fs::File;
use std::path::PathBuf;

use jury_instrument::{Plan, RewriteError, Rewritten, SkipReason, SkippedMethod, rewrite};
use jury_jvmti::{Agent, Channel, ClassLoader, Event, Jni, Jvmti, Refusal, exit_now};
use jury_model::LaunchedBy;
use jury_protocol::{Mode, Record, Session};
use thiserror::Error;

use crate::ancestry::descends_from_test_jvm;
use crate::role::{Role, role_of};
use crate::row_file::RowFile;
use crate::socket::{ORPHANED, Socket};
use crate::{class_archive, frameworks, launch, work};

/// Watches the test frameworks of one JVM.
pub struct Observer {
    sink: Sink,
    frameworks: Plan,
    /// For the code under test; nothing unless the session plans something.
    work: Plan,
}

/// Who learns what the frameworks do.
enum Sink {
    Rows(RowFile),
    Socket(Socket),
}

#[derive(Debug, Error)]
enum Trouble {
    #[error("the test framework's class `{class}` cannot be rewritten")]
    Rewrite { class: String, source: RewriteError },
    #[error("the test framework's method `{class}.{method}` cannot be hooked")]
    Skipped {
        class: String,
        method: String,
        source: SkipReason,
    },
}

impl Agent for Observer {
    const CHANNEL: Channel = Channel {
        class: c"jury/boot/Channel",
        send: c"emit",
        receive: c"receive",
    };

    fn load(jvmti: &Jvmti<'_>, options: &OsStr) -> Option<Self> {
        let role = role_of(jvmti.system_property(c"sun.java.command").as_deref());
        if role == Role::Inert {
            return None;
        }
        // Without its session file there is nobody to report to, not even this.
        let session = Session::read(&mut File::open(options).ok()?).ok()?;
        let sink = match (role, &session.mode) {
            (Role::Worker, Mode::Replay { socket }) => {
                Sink::Socket(Socket::connect(socket).unwrap_or_else(|_| exit_now(ORPHANED)))
            }
            (Role::Test(launched_by), Mode::Observe { inbox }) => {
                let rows = row_file(jvmti, &session, inbox, launched_by)?;
                rows.open();
                // Tests, and what they start, find the environment that they would have unwatched.
                jvmti.set_variable(launch::TOOL_OPTIONS, session.tool_options.as_deref());
                Sink::Rows(rows)
            }
            (Role::Armed, Mode::Observe { inbox }) => {
                Sink::Rows(row_file(jvmti, &session, inbox, LaunchedBy::Other)?)
            }
            // A worker of some other Jury, or a program that a test of a worker has started.
            _ => return None,
        };
        let observer = Self {
            sink,
            frameworks: frameworks::plan(),
            work: work::plan(&session.plan),
        };
        // Now is the only time to do this quietly: later, the JVM prints a warning.
        let added = CString::new(session.boot_jar)
            .map_err(Refusal::from)
            .and_then(|jar| Ok(jvmti.append_to_boot_class_path(&jar)?));
        match added {
            Ok(()) => Some(observer),
            Err(refusal) => {
                observer.disabled(&refusal.to_string());
                None
            }
        }
    }

    fn started(&self, jvmti: &Jvmti<'_>, jni: &Jni<'_>) -> Result<(), Refusal> {
        jni.call_static_void(jni.find_class(c"jury/boot/Hooks")?, c"begin")?;
        // No framework class is loaded before this; until here the JVM took its own classes from
        // its archive, which the event slows down.
        jvmti.enable(Event::ClassFileLoadHook)?;
        Ok(())
    }

    fn class_loading(
        &self,
        loader: &ClassLoader<'_>,
        name: &str,
        class_file: &[u8],
    ) -> Result<Option<Vec<u8>>, Refusal> {
        if self.work.wants(name) {
            let report = |record: Record| self.sink.send(&record.encode());
            let seen = || loader.sees(c"jury.boot.Probes");
            return Ok(work::rewrite(name, class_file, &self.work, seen, report));
        }
        if !self.frameworks.wants(name) || frameworks::is_hooked(class_file) {
            return Ok(None);
        }
        // A container may hide the boot loader's classes from its own. A call that cannot be
        // resolved would break the framework, so this copy of it runs unseen.
        if !loader.sees(c"jury.boot.Hooks") {
            let unseen = format!("the class loader of `{name}` hides the hooks from it");
            self.sink.send(&Record::Trouble(unseen).encode());
            return Ok(None);
        }
        let class = || name.to_owned();
        let rewritten =
            rewrite(class_file, &self.frameworks).map_err(|source| Trouble::Rewrite {
                class: class(),
                source,
            })?;
        if let Some(skipped) = rewritten.skipped().first() {
            let SkippedMethod {
                name: method,
                reason: source,
                ..
            } = skipped.clone();
            return Err(Trouble::Skipped {
                class: class(),
                method,
                source,
            }
            .into());
        }
        match rewritten {
            Rewritten::Unchanged { .. } => Ok(None),
            Rewritten::Changed { bytes, .. } => {
                self.sink.open();
                Ok(Some(bytes))
            }
        }
    }

    fn message_from_java(&self, message: &[u8]) {
        self.sink.send(message);
    }

    fn message_to_java(&self) -> Option<Vec<u8>> {
        match &self.sink {
            Sink::Rows(_) => None,
            Sink::Socket(socket) => socket.receive(),
        }
    }

    fn ended(&self) {
        match &self.sink {
            Sink::Rows(rows) => rows.end(),
            Sink::Socket(socket) => socket.send(&Record::Ended.encode()),
        }
    }

    fn disabled(&self, reason: &str) {
        match &self.sink {
            Sink::Rows(rows) => rows.give_up(reason),
            Sink::Socket(socket) => socket.send(&Record::Trouble(reason.to_owned()).encode()),
        }
    }
}

impl Sink {
    /// A test framework is there: from now on, this JVM has something to tell.
    fn open(&self) {
        match self {
            Sink::Rows(rows) => rows.open(),
            Sink::Socket(_) => {}
        }
    }

    fn send(&self, record: &[u8]) {
        match self {
            Sink::Rows(rows) => rows.send(record),
            Sink::Socket(socket) => socket.send(record),
        }
    }
}

/// `None` if this JVM is not to be watched.
fn row_file(
    jvmti: &Jvmti<'_>,
    session: &Session,
    inbox: &str,
    launched_by: LaunchedBy,
) -> Option<RowFile> {
    let inbox = PathBuf::from(inbox);
    if descends_from_test_jvm(&inbox) {
        return None;
    }
    let launch = launch::capture(launched_by, session.tool_options.as_deref(), |name| {
        jvmti.system_property(name)
    });
    let archive_option = class_archive::option_in(&launch);
    let rows = RowFile::new(inbox, Record::Launch(launch));
    match archive_option {
        None => Some(rows),
        Some(option) => {
            // A program that may run no tests at all is nobody's trouble.
            if launched_by != LaunchedBy::Other {
                rows.give_up(&format!("a test JVM with `{option}` cannot be watched"));
            }
            None
        }
    }
}
