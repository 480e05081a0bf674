//! The agent itself: decides whether to watch a JVM, hooks its test frameworks and passes on what
//! the hooks report. It neither reads nor changes the reports.

use std::ffi::{CStr, CString, OsStr};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use jury_instrument::{Plan, RewriteError, Rewritten, SkipReason, SkippedMethod, rewrite};
use jury_jvmti::{Agent, Channel, ClassLoader, Event, Jni, Jvmti, Refusal, exit_now};
use jury_model::LaunchedBy;
use jury_protocol::{
    ClassQuestion, Collect, FlagsQuestion, Launch, Mode, PathQuestion, PortQuestion,
    ProbesQuestion, Record, Session,
};
use thiserror::Error;

use crate::ancestry::descends_from_test_jvm;
use crate::choke_points::{self, ChokePoints};
use crate::own_ports::OwnPorts;
use crate::probing::Probing;
use crate::role::{Role, role_of};
use crate::row_file::RowFile;
use crate::socket::{ORPHANED, Socket};
use crate::{class_archive, counsel, frameworks, launch, work};

/// Watches the test frameworks of one JVM.
pub struct Observer {
    sink: Sink,
    frameworks: Plan,
    /// For the code under test; nothing unless the session plans something.
    work: Plan,
    /// Only where a build is watched to find out what its tests use.
    collecting: Option<Collecting>,
    /// The socket at which Jury says what may be left out.
    counsel: Option<String>,
    /// How this JVM was launched, as a record, if it may run tests.
    launch: Option<Vec<u8>>,
}

struct Collecting {
    by_method: bool,
    probing: Probing,
    choke_points: ChokePoints,
    own_ports: OwnPorts,
}

/// Who learns what the frameworks do.
enum Sink {
    Rows(RowFile),
    /// A file for what was left out; there is none if that was nothing.
    Choices(RowFile),
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
        ask: c"ask",
    };

    fn load(jvmti: &Jvmti<'_>, options: &OsStr) -> Option<Self> {
        let role = role_of(jvmti.system_property(c"sun.java.command").as_deref());
        if role == Role::Inert {
            return None;
        }
        // Without its session file there is nobody to report to, not even this.
        let session = Session::read(&mut File::open(options).ok()?).ok()?;
        let observer = match (role, &session.mode) {
            (Role::Worker, Mode::Replay { socket }) => Self {
                work: work::plan(&session.plan),
                ..Self::new(
                    Sink::Socket(Socket::connect(socket).unwrap_or_else(|_| exit_now(ORPHANED))),
                    frameworks::events_and_early_end(),
                )
            },
            (
                Role::Test(launched_by),
                Mode::Observe {
                    inbox,
                    counsel,
                    collect,
                    ..
                },
            ) => {
                let launch = watched_launch(jvmti, &session, inbox, launched_by)?;
                let unwatched = launch::CHANGED_VARIABLES
                    .map(|name| (name, launch.environment.get(name).cloned()));
                let observer = Self::of_launch(launch, inbox, counsel.as_ref(), collect.as_ref());
                observer.sink.open();
                // Tests, and what they start, find the environment that they would have unwatched.
                for (name, value) in unwatched {
                    jvmti.set_variable(name, value.as_deref());
                }
                observer
            }
            (
                Role::Armed,
                Mode::Observe {
                    inbox,
                    counsel,
                    collect,
                    ..
                },
            ) => {
                let launch = watched_launch(jvmti, &session, inbox, LaunchedBy::Other)?;
                Self::of_launch(launch, inbox, counsel.as_ref(), collect.as_ref())
            }
            (
                Role::Builder,
                Mode::Observe {
                    inbox,
                    counsel: Some(counsel),
                    keep_in_process,
                    ..
                },
            ) if !descends_from_test_jvm(Path::new(inbox)) => Self {
                counsel: Some(counsel.clone()),
                ..Self::new(
                    Sink::Choices(RowFile::of_builder(PathBuf::from(inbox))),
                    frameworks::builder_choice(*keep_in_process),
                )
            },
            // A worker of some other Jury, or a program that a test of a worker has started.
            _ => return None,
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
        if let Some(collecting) = &self.collecting {
            let collector = jni.find_class(c"jury/boot/Collector")?;
            jni.call_static_void(collector, collecting.beginning())?;
        }
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
        if !self.frameworks.wants(name) {
            if let Some(collecting) = &self.collecting {
                collecting.probing.arrive(name, class_file);
            }
            return Ok(None);
        }
        if frameworks::is_hooked(class_file) {
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

    fn transforms(&self) -> bool {
        self.collecting.is_some()
    }

    fn transforming(&self, transformer: &Jvmti<'_>, jni: &Jni<'_>) -> Result<(), Refusal> {
        let classes: Vec<_> = choke_points::LOADED_EARLY
            .iter()
            .filter_map(|name| jni.find_class(name).ok())
            .collect();
        Ok(transformer.retransform(&classes)?)
    }

    fn class_transforming(
        &self,
        loader: Option<&ClassLoader<'_>>,
        name: &str,
        class_file: &[u8],
    ) -> Result<Option<Vec<u8>>, Refusal> {
        let Some(collecting) = &self.collecting else {
            return Ok(None);
        };
        let report = |record: Record| self.sink.send_beside(&record.encode());
        let Some(loader) = loader else {
            return Ok(match collecting.choke_points.rewrite(name, class_file) {
                Ok(rewritten) => rewritten,
                Err(unseen) => {
                    report(Record::Trouble(unseen));
                    None
                }
            });
        };
        let seen = || loader.sees(c"jury.boot.Probes");
        Ok(collecting.probing.rewrite(name, class_file, seen, report))
    }

    fn message_from_java(&self, message: &[u8]) {
        self.sink.send(message);
    }

    fn message_to_java(&self) -> Option<Vec<u8>> {
        match &self.sink {
            Sink::Rows(_) | Sink::Choices(_) => None,
            Sink::Socket(socket) => socket.receive(),
        }
    }

    fn question_from_java(&self, question: &[u8]) -> Option<Vec<u8>> {
        if ProbesQuestion::decode(question).is_some() {
            let collecting = self.collecting.as_ref()?;
            return Some(ProbesQuestion::count_answer(collecting.probing.count()));
        }
        if FlagsQuestion::decode(question).is_some() {
            return Some(FlagsQuestion::answer(&launch::repeatable_flags()));
        }
        // Any answer to these will do, and means yes.
        if let Some(PathQuestion { path }) = PathQuestion::decode(question) {
            return fs::symlink_metadata(path).ok().map(|_| Vec::new());
        }
        if let Some(ClassQuestion { class }) = ClassQuestion::decode(question) {
            let collecting = self.collecting.as_ref()?;
            return collecting.probing.is_of_project(&class).then(Vec::new);
        }
        if let Some(PortQuestion { port }) = PortQuestion::decode(question) {
            let collecting = self.collecting.as_ref()?;
            return collecting.own_ports.listens_at(port).then(Vec::new);
        }
        counsel::ask(self.counsel.as_ref()?, question, self.launch.as_deref())
    }

    fn ended(&self, jni: &Jni<'_>) -> Result<(), Refusal> {
        if self.collecting.is_some() {
            jni.call_static_void(jni.find_class(c"jury/boot/Collector")?, c"end")?;
        }
        match &self.sink {
            Sink::Rows(rows) | Sink::Choices(rows) => rows.end(),
            Sink::Socket(socket) => socket.send(&Record::Ended.encode()),
        }
        Ok(())
    }

    fn disabled(&self, reason: &str) {
        match &self.sink {
            Sink::Rows(rows) | Sink::Choices(rows) => rows.give_up(reason),
            Sink::Socket(socket) => socket.send(&Record::Trouble(reason.to_owned()).encode()),
        }
    }
}

impl Observer {
    fn new(sink: Sink, frameworks: Plan) -> Self {
        Self {
            sink,
            frameworks,
            work: Plan::new(),
            collecting: None,
            counsel: None,
            launch: None,
        }
    }

    /// The observer of a JVM that runs tests, or may come to.
    fn of_launch(
        launch: Launch,
        inbox: &str,
        counsel: Option<&String>,
        collect: Option<&Collect>,
    ) -> Self {
        let collecting = collect.map(|collect| Collecting {
            by_method: collect.by_method,
            probing: Probing::new(collect, &launch),
            choke_points: ChokePoints::new(),
            own_ports: OwnPorts::default(),
        });
        let launch = Record::Launch(Box::new(launch));
        let encoded = launch.encode();
        let rows = RowFile::new(PathBuf::from(inbox), launch);
        let hooks = match counsel {
            Some(_) => frameworks::events_and_choice(),
            None => frameworks::events(),
        };
        Self {
            collecting,
            counsel: counsel.cloned(),
            launch: Some(encoded),
            ..Self::new(Sink::Rows(rows), hooks)
        }
    }
}

impl Collecting {
    /// The method by which the Java side begins to collect.
    fn beginning(&self) -> &'static CStr {
        if self.by_method {
            c"collectByMethod"
        } else {
            c"collectByClass"
        }
    }
}

impl Sink {
    /// A test framework is there: from now on, this JVM has something to tell.
    fn open(&self) {
        match self {
            Sink::Rows(rows) => rows.open(),
            Sink::Choices(_) | Sink::Socket(_) => {}
        }
    }

    /// For what matters only if tests run.
    fn send_beside(&self, record: &[u8]) {
        match self {
            Sink::Rows(rows) | Sink::Choices(rows) => rows.send_beside(record),
            Sink::Socket(socket) => socket.send(record),
        }
    }

    fn send(&self, record: &[u8]) {
        match self {
            Sink::Rows(rows) | Sink::Choices(rows) => rows.send(record),
            Sink::Socket(socket) => socket.send(record),
        }
    }
}

/// `None` if this JVM is not to be watched.
fn watched_launch(
    jvmti: &Jvmti<'_>,
    session: &Session,
    inbox: &str,
    launched_by: LaunchedBy,
) -> Option<Launch> {
    let inbox = Path::new(inbox);
    if descends_from_test_jvm(inbox) {
        return None;
    }
    let launch = launch::capture(launched_by, session.tool_options.as_deref(), |name| {
        jvmti.system_property(name)
    });
    let Some(option) = class_archive::option_in(&launch) else {
        return Some(launch);
    };
    // A program that may run no tests at all is nobody's trouble.
    if launched_by != LaunchedBy::Other {
        let rows = RowFile::new(inbox.to_owned(), Record::Launch(Box::new(launch)));
        rows.give_up(&format!("a test JVM with `{option}` cannot be watched"));
    }
    None
}
