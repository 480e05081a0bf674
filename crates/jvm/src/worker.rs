//! One warm JVM that runs tests by id, started from a recipe.
//!
//! A worker is disposable: whatever a test does to it, from exiting to exhausting memory, costs
//! this one process.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

use jury_model::{Engine, QUICK_COMPILER, Recipe, TestId, chooses_compiler};
use jury_protocol::{
    Attention, Command as Order, Mode, Plan, Record, Session, read_frame, read_header, write_frame,
    write_header,
};
use nix::sys::signal::{Signal, killpg};
use nix::time::ClockId;
use nix::unistd::Pid;

use crate::batch::{BatchEnd, BatchEvent, run_batch};
use crate::restless::Looked;
use crate::{Installation, JvmError, private};

/// A JVM that has not reported for duty by then is not going to.
const START_LIMIT: Duration = Duration::from_secs(120);
/// How much of a worker's output is kept to explain why it did not start.
const OUTPUT_KEPT: usize = 4096;

/// A JVM that obeys. It is killed when this value goes.
pub struct Worker {
    child: Child,
    stream: UnixStream,
    records: Receiver<Record>,
    output: Arc<Mutex<VecDeque<u8>>>,
    /// Holds the socket, the session file and the tests' temporary files.
    _directory: tempfile::TempDir,
    /// Where in it the latter are.
    temporary: PathBuf,
    looked: Looked,
}

/// Where tests put their temporary files, within a worker's own directory.
const TEMPORARY: &str = "tmp";

/// A point in a worker's life.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub clock: Instant,
    /// How long its JVM has computed so far, on all processors together, if the system tells.
    pub processor: Option<Duration>,
}

/// What a worker had to say within a time limit.
pub(crate) enum Heard {
    Record(Record),
    Nothing,
    /// The connection is closed: the JVM has ended or is about to.
    Gone,
}

impl Worker {
    /// Starts a JVM whose classes are rewritten as the plan says.
    pub fn start(
        recipe: &Recipe,
        installation: &Installation,
        plan: &Plan,
    ) -> Result<Self, JvmError> {
        Self::start_with(recipe, installation, plan, Path::new(TEMPORARY))
    }

    /// The same with a path for the tests' temporary files, within the worker's own directory.
    pub fn start_with(
        recipe: &Recipe,
        installation: &Installation,
        plan: &Plan,
        temporary: &Path,
    ) -> Result<Self, JvmError> {
        let directory = private::directory("jury-").map_err(JvmError::Session)?;
        let listener = prepare(directory.path(), installation, plan).map_err(JvmError::Session)?;
        let temporary = directory.path().join(temporary);
        fs::create_dir_all(&temporary).map_err(JvmError::Session)?;
        let mut command = command(recipe, installation, plan, directory.path(), &temporary);
        let program = command.get_program().to_string_lossy().into_owned();
        let mut child = command
            .spawn()
            .map_err(|source| JvmError::Spawn { program, source })?;

        let output = Arc::new(Mutex::new(VecDeque::new()));
        keep_tail(child.stdout.take(), &output);
        keep_tail(child.stderr.take(), &output);

        let stream = match accept(&listener, &mut child) {
            Ok(stream) => stream,
            Err(reason) => return Err(not_started(child, &reason, &output)),
        };
        let records = match converse(&stream) {
            Ok(records) => records,
            Err(error) => return Err(not_started(child, &error.to_string(), &output)),
        };
        let mut worker = Self {
            child,
            stream,
            records,
            output,
            _directory: directory,
            temporary,
            looked: Looked::now(),
        };
        worker.await_ready()?;
        worker
            .send(&Order::Prepare {
                properties: properties(recipe),
                launcher_parameters: recipe.launcher_parameters.clone(),
                probes: plan.numbers(),
                test_code: (plan.values.iter())
                    .map(|each| each.class.clone())
                    .collect(),
            })
            .map_err(JvmError::Worker)?;
        Ok(worker)
    }

    /// Switches one body of the plan on and all others off, or all of them off.
    pub fn switch(&mut self, body: Option<u32>) -> io::Result<()> {
        self.send(&Order::Switch(body))
    }

    /// Limits the work of every test from now on.
    pub fn limit(&mut self, work: Option<u64>) -> io::Result<()> {
        self.send(&Order::Limit(work))
    }

    /// Records from now on what the plan has shown to an observer.
    pub fn attend(&mut self, attention: Attention) -> io::Result<()> {
        self.send(&Order::Attend(attention))
    }

    /// Whether threads that tests have left behind keep processors busy, now that no test runs. Somebody
    /// looks now and then only; otherwise there is no answer.
    pub fn is_restless(&mut self) -> Option<bool> {
        self.looked.is_restless(self.child.id())
    }

    /// Has a framework get ready without running anything, which is most of what its first tests
    /// would wait for; false if the worker is lost.
    pub fn warm_up(&mut self, engine: &Engine, cancelled: &AtomicBool) -> bool {
        self.run_tests(engine, false, Vec::new(), cancelled, |_| {}) == BatchEnd::Done
    }

    /// Runs tests, each with its time limit, and reports every one that ended.
    pub fn run(
        &mut self,
        engine: &Engine,
        tests: Vec<(TestId, Duration)>,
        cancelled: &AtomicBool,
        report: impl FnMut(BatchEvent),
    ) -> BatchEnd {
        self.run_tests(engine, false, tests, cancelled, report)
    }

    /// Runs tests until one does not pass. Those that were called off have no outcome; frameworks
    /// that cannot be stopped run them all the same.
    pub fn run_until_red(
        &mut self,
        engine: &Engine,
        tests: Vec<(TestId, Duration)>,
        cancelled: &AtomicBool,
        report: impl FnMut(BatchEvent),
    ) -> BatchEnd {
        self.run_tests(engine, true, tests, cancelled, report)
    }

    fn run_tests(
        &mut self,
        engine: &Engine,
        until_red: bool,
        tests: Vec<(TestId, Duration)>,
        cancelled: &AtomicBool,
        mut report: impl FnMut(BatchEvent),
    ) -> BatchEnd {
        let own = self.temporary.display().to_string();
        let usual = std::env::temp_dir().display().to_string();
        run_batch(self, engine, until_red, tests, cancelled, |mut event| {
            if let BatchEvent::Seen { sightings, .. } = &mut event {
                rename_directory(&mut sightings.texts, &own, &usual);
            }
            report(event);
        })
    }

    fn await_ready(&mut self) -> Result<(), JvmError> {
        let deadline = Instant::now() + START_LIMIT;
        let reason = loop {
            match self.hear(deadline.saturating_duration_since(Instant::now())) {
                Heard::Record(Record::Ready) => return Ok(()),
                Heard::Record(Record::Trouble(message)) => break message,
                Heard::Record(_) => {}
                Heard::Nothing => break "it gave no sign of life".to_owned(),
                Heard::Gone => {
                    let status = self.end();
                    break format!("it ended with {status}");
                }
            }
        };
        Err(JvmError::WorkerStart {
            reason,
            output: tail(&self.output),
        })
    }

    pub(crate) fn send(&mut self, order: &Order) -> io::Result<()> {
        write_frame(&mut self.stream, &order.encode())
    }

    pub(crate) fn hear(&self, limit: Duration) -> Heard {
        match self.records.recv_timeout(limit) {
            Ok(record) => Heard::Record(record),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::Gone,
        }
    }

    pub(crate) fn now(&self) -> Moment {
        let pid = i32::try_from(self.child.id()).ok().map(Pid::from_raw);
        let clock = pid.and_then(|pid| ClockId::pid_cpu_clock_id(pid).ok());
        Moment {
            clock: Instant::now(),
            processor: clock.and_then(|clock| Some(clock.now().ok()?.into())),
        }
    }

    /// Stops the JVM and says how it ended, if it had ended by itself.
    pub(crate) fn end(&mut self) -> String {
        // A JVM that closed its socket needs a moment to die; one that hangs is not waited for.
        for _ in 0..50 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status.to_string();
            }
            thread::sleep(Duration::from_millis(2));
        }
        stop(&mut self.child);
        "no exit status of its own".to_owned()
    }
}

/// Starts and stops one worker, to find out whether the agent works in this JDK.
pub fn try_agent(recipe: &Recipe, installation: &Installation) -> Result<(), JvmError> {
    Worker::start(recipe, installation, &Plan::default()).map(drop)
}

impl Drop for Worker {
    fn drop(&mut self) {
        stop(&mut self.child);
    }
}

/// Kills the worker's whole process group, so that processes started by tests go with it.
fn stop(child: &mut Child) {
    if matches!(child.try_wait(), Ok(None)) {
        if let Ok(pid) = i32::try_from(child.id()) {
            // The group may have ended between the two calls; there is nothing to kill then.
            let _ = killpg(Pid::from_raw(pid), Signal::SIGKILL);
        }
        let _ = child.wait();
    }
}

/// Creates the socket and the session file.
fn prepare(directory: &Path, installation: &Installation, plan: &Plan) -> io::Result<UnixListener> {
    let socket = directory.join("socket");
    let listener = UnixListener::bind(&socket)?;
    let session = Session {
        mode: Mode::Replay {
            socket: socket.display().to_string(),
        },
        boot_jar: installation.boot_jar().display().to_string(),
        tool_options: None,
        plan: plan.clone(),
    };
    session.write(&mut fs::File::create(directory.join("session"))?)?;
    Ok(listener)
}

fn command(
    recipe: &Recipe,
    installation: &Installation,
    plan: &Plan,
    directory: &Path,
    temporary: &Path,
) -> Command {
    let mut agent = OsString::from("-agentpath:");
    agent.push(installation.agent());
    agent.push("=");
    agent.push(directory.join("session"));

    let mut command = Command::new(Path::new(&recipe.java_home).join("bin/java"));
    let flags = recipe.jvm_flags.iter();
    command.args(flags.filter_map(|flag| replayed(flag, plan)));
    command.args(quick_compiler(&recipe.jvm_flags, plan));
    command.args(&recipe.module_flags);
    if !recipe.module_path.is_empty() {
        command
            .arg("--module-path")
            .arg(joined(&recipe.module_path));
    }
    command
        // Given last, because the last one counts.
        .arg(format!("-Djava.io.tmpdir={}", temporary.display()))
        .arg(format!(
            "-XX:ErrorFile={}",
            directory.join("hs_err.log").display()
        ))
        .arg(agent)
        .arg("-cp")
        .arg(joined(&recipe.class_path))
        .arg("jury.boot.Worker")
        // Where its adapters are; the boot loader does not tell a class which jar it came from.
        .arg(installation.boot_jar())
        .current_dir(&recipe.working_directory)
        .env_clear()
        .envs(&recipe.environment)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    command
}

/// Where classes are rewritten by a plan, many short runs of tests count, and a JVM that compiles
/// quickly is done before one that compiles well (decision 0019). Whoever chose a way to compile keeps
/// it.
fn quick_compiler(flags: &[String], plan: &Plan) -> Option<&'static str> {
    let chosen = flags.iter().any(|flag| chooses_compiler(flag));
    (!chosen && !plan.is_empty()).then_some(QUICK_COMPILER)
}

/// The flag as a worker gets it. Debuggers would wait for someone, so they stay out. A coverage
/// agent rewrites classes and opens packages of the JDK, which tests can see, so it stays in, but
/// keeps its hands off the data that the build has collected. Where classes are rewritten by a plan,
/// it would get in the way of the plan, which counts the methods of the original; there it is given
/// no class.
fn replayed(flag: &str, plan: &Plan) -> Option<String> {
    let debugger = flag.starts_with("-agentlib:jdwp") || flag.starts_with("-Xrunjdwp");
    if debugger || flag == "-Xdebug" {
        return None;
    }
    if flag.starts_with("-javaagent:") && flag.contains("jacoco") {
        // The last value of an option counts.
        let before = if flag.contains('=') { "," } else { "=" };
        let includes = match plan.is_empty() {
            true => "",
            false => ",includes=jury.no.such.Class",
        };
        return Some(format!("{flag}{before}output=none{includes}"));
    }
    Some(flag.to_owned())
}

/// Each worker has a temporary directory of its own, which is no difference to speak of.
fn rename_directory(texts: &mut [String], own: &str, usual: &str) {
    for text in texts.iter_mut().filter(|text| text.contains(own)) {
        *text = text.replace(own, usual);
    }
}

/// The temporary directory is the worker's own, whatever the build's was.
fn properties(recipe: &Recipe) -> std::collections::BTreeMap<String, String> {
    let mut properties = recipe.properties.clone();
    properties.remove("java.io.tmpdir");
    properties
}

fn joined(paths: &[String]) -> OsString {
    // ok: a path with the separator inside cannot have been an entry of the original path either.
    env::join_paths(paths.iter().map(PathBuf::from)).unwrap_or_default()
}

fn accept(listener: &UnixListener, child: &mut Child) -> Result<UnixStream, String> {
    listener
        .set_nonblocking(true)
        .map_err(|error| error.to_string())?;
    let deadline = Instant::now() + START_LIMIT;
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream
                    .set_nonblocking(false)
                    .map_err(|error| error.to_string())?;
                return Ok(stream);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error.to_string()),
        }
        if let Ok(Some(status)) = child.try_wait() {
            return Err(format!("it ended with {status}"));
        }
        if Instant::now() > deadline {
            return Err("it did not connect".to_owned());
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn not_started(mut child: Child, reason: &str, output: &Mutex<VecDeque<u8>>) -> JvmError {
    stop(&mut child);
    JvmError::WorkerStart {
        reason: reason.to_owned(),
        output: tail(output),
    }
}

/// Opens the conversation; both sides begin with the protocol's header. Records are read on a
/// thread of their own, so that waiting for one can have a time limit.
fn converse(mut stream: &UnixStream) -> io::Result<Receiver<Record>> {
    write_header(&mut stream)?;
    let mut input = io::BufReader::new(stream.try_clone()?);
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        if read_header(&mut input).is_err() {
            return;
        }
        while let Ok(Some(payload)) = read_frame(&mut input) {
            let Ok(record) = Record::decode(&payload) else {
                return;
            };
            if sender.send(record).is_err() {
                return;
            }
        }
    });
    Ok(receiver)
}

fn keep_tail(pipe: Option<impl Read + Send + 'static>, output: &Arc<Mutex<VecDeque<u8>>>) {
    let Some(mut pipe) = pipe else { return };
    let output = Arc::clone(output);
    thread::spawn(move || {
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            let Ok(mut output) = output.lock() else {
                return;
            };
            output.extend(&buffer[..count]);
            let surplus = output.len().saturating_sub(OUTPUT_KEPT);
            output.drain(..surplus);
        }
    });
}

fn tail(output: &Mutex<VecDeque<u8>>) -> String {
    let kept = output.lock().unwrap_or_else(PoisonError::into_inner);
    String::from_utf8_lossy(&kept.iter().copied().collect::<Vec<u8>>())
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use jury_protocol::{Plan, ProbedClass};

    fn replayed(flag: &str) -> Option<String> {
        super::replayed(flag, &Plan::default())
    }

    #[test]
    fn workers_seem_to_share_a_temporary_directory() {
        let mut texts =
            ["/tmp/jury-a/tmp/x", "in /tmp/jury-a/tmp.", "/tmp/jury-b"].map(String::from);
        super::rename_directory(&mut texts, "/tmp/jury-a/tmp", "/tmp");
        assert_eq!(texts, ["/tmp/x", "in /tmp.", "/tmp/jury-b"]);
    }

    #[test]
    fn debuggers_stay_out_of_a_replay() {
        assert_eq!(
            replayed("-agentlib:jdwp=transport=dt_socket,suspend=y"),
            None
        );
        assert_eq!(replayed("-Xmx512m").as_deref(), Some("-Xmx512m"));
        let mockito = "-javaagent:/m2/mockito-core-5.14.jar";
        assert_eq!(replayed(mockito).as_deref(), Some(mockito));
    }

    #[test]
    fn a_coverage_agent_writes_nothing_in_a_replay() {
        assert_eq!(
            replayed("-javaagent:/m2/org.jacoco.agent-0.8.14-runtime.jar=destfile=x").as_deref(),
            Some("-javaagent:/m2/org.jacoco.agent-0.8.14-runtime.jar=destfile=x,output=none")
        );
        assert_eq!(
            replayed("-javaagent:jacocoagent.jar").as_deref(),
            Some("-javaagent:jacocoagent.jar=output=none")
        );
    }

    fn plan() -> Plan {
        let probed = ProbedClass {
            class: "a/B".into(),
            methods: 1,
            first: 0,
        };
        Plan {
            probes: vec![probed],
            ..Plan::default()
        }
    }

    #[test]
    fn rewritten_code_is_compiled_quickly_unless_the_build_chose_otherwise() {
        let flag = |flags: &[&str], plan: &Plan| {
            let flags: Vec<String> = flags.iter().map(ToString::to_string).collect();
            super::quick_compiler(&flags, plan)
        };
        let quick = Some("-XX:TieredStopAtLevel=1");
        assert_eq!(flag(&["-Xmx512m"], &plan()), quick);
        assert_eq!(flag(&["-Xmx512m"], &Plan::default()), None);
        for way in ["-Xint", "-XX:-TieredCompilation", "-XX:TieredStopAtLevel=4"] {
            assert_eq!(flag(&[way], &plan()), None, "{way}");
        }
    }

    #[test]
    fn a_coverage_agent_gets_no_class_that_a_plan_rewrites() {
        let plan = plan();
        let flag = super::replayed("-javaagent:jacocoagent.jar", &plan);
        let idle = "-javaagent:jacocoagent.jar=output=none,includes=jury.no.such.Class";
        assert_eq!(flag.as_deref(), Some(idle));
    }
}
