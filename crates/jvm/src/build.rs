//! Runs the user's own test command and passes its output on, line by line, as it comes.

use std::io::{self, BufRead, BufReader, Read};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::{JvmError, Observation};

/// How long a silent build may go unlooked at, in milliseconds.
const PATIENCE: u8 = 20;
/// How long a daemon that goes on writing is listened to after the build has ended.
const LAST_WORDS: Duration = Duration::from_secs(10);
const ASK_AFTER: Duration = Duration::from_secs(2);
const KILL_AFTER: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    Out,
    Err,
}

/// A command that builds and tests, and where.
#[derive(Debug, Clone, Copy)]
pub struct Build<'a> {
    pub program: &'a str,
    pub arguments: &'a [String],
    pub directory: &'a Path,
    /// On top of the user's own.
    pub variables: &'a [(&'static str, String)],
}

/// Runs a build under observation. `show` gets every piece of output except the notice that each
/// JVM prints because an agent was injected. With `fail_fast` the build is stopped once a test is red.
pub fn run_build(
    build: Build<'_>,
    observation: &Observation,
    cancelled: &AtomicBool,
    fail_fast: bool,
    mut show: impl FnMut(Stream, &[u8]),
) -> Result<ExitStatus, JvmError> {
    let (variable, value) = observation.environment();
    let program = build.program;
    let mut child = Command::new(program)
        .args(build.arguments)
        .current_dir(build.directory)
        .envs(build.variables.iter().cloned())
        .env(variable, value)
        .stdin(Stdio::inherit())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|source| JvmError::Spawn {
            program: program.to_owned(),
            source,
        })?;

    let notice = observation.notice();
    let ended = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let listen = |stream, pipe: Box<dyn Pipe>| {
        let (sender, notice) = (sender.clone(), notice.clone());
        let ended = Arc::clone(&ended);
        thread::spawn(move || {
            // The receiver is gone only when the build is over; nothing is left to show then.
            let output = Output { pipe, ended };
            let _ = pump(output, &notice, |bytes| {
                sender.send((stream, bytes)).is_ok()
            });
        });
    };
    if let Some(pipe) = child.stdout.take() {
        listen(Stream::Out, Box::new(pipe));
    }
    if let Some(pipe) = child.stderr.take() {
        listen(Stream::Err, Box::new(pipe));
    }
    drop(sender);
    let failed = |source| JvmError::Spawn {
        program: program.to_owned(),
        source,
    };
    // A daemon that outlives the build may keep the pipes open, so the end of the build is its
    // process's end, not the end of its output.
    let mut stopping = Stopping::default();
    let mut end: Option<(ExitStatus, Instant)> = None;
    loop {
        match end {
            Some((_, since)) if since.elapsed() > LAST_WORDS => break,
            Some(_) => {}
            None if cancelled.load(Ordering::Relaxed) => stopping.press(&child, ASK_AFTER),
            None if fail_fast && observation.is_red() => stopping.press(&child, Duration::ZERO),
            None => {}
        }
        match receiver.recv_timeout(Duration::from_millis(PATIENCE.into())) {
            Ok((stream, bytes)) => show(stream, &bytes),
            Err(mpsc::RecvTimeoutError::Timeout) if end.is_none() => {
                end = (child.try_wait().map_err(failed)?).map(|status| (status, Instant::now()));
                ended.store(end.is_some(), Ordering::Release);
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = match end {
        Some((status, _)) => status,
        None => child.wait().map_err(failed)?,
    };
    Ok(status)
}

/// Runs a build as the user would, with nothing of ours in it.
pub fn run_plainly(build: Build<'_>, cancelled: &AtomicBool) -> Result<ExitStatus, JvmError> {
    let failed = |source| JvmError::Spawn {
        program: build.program.to_owned(),
        source,
    };
    let mut command = Command::new(build.program);
    command
        .args(build.arguments)
        .current_dir(build.directory)
        .envs(build.variables.iter().cloned());
    let mut child = command.spawn().map_err(failed)?;
    let mut stopping = Stopping::default();
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Ok(status);
        }
        if cancelled.load(Ordering::Relaxed) {
            stopping.press(&child, ASK_AFTER);
        }
        thread::sleep(Duration::from_millis(PATIENCE.into()));
    }
}

/// Ends a build that the user wants ended. From a terminal the build got the same Ctrl-C, so it may be
/// given time to end by itself before it is asked, and then made, to.
#[derive(Debug, Default)]
struct Stopping {
    since: Option<Instant>,
    asked: bool,
}

impl Stopping {
    fn press(&mut self, child: &Child, ask_after: Duration) {
        let since = *self.since.get_or_insert_with(Instant::now);
        let Ok(pid) = i32::try_from(child.id()).map(Pid::from_raw) else {
            return;
        };
        // The build may end between the look at the clock and the signal; that is what we want.
        if since.elapsed() >= ask_after && !self.asked {
            self.asked = true;
            let _ = kill(pid, Signal::SIGTERM);
        } else if since.elapsed() > KILL_AFTER {
            let _ = kill(pid, Signal::SIGKILL);
        }
    }
}

/// One end of a child's output.
trait Pipe: Read + AsFd + Send {}
impl<P: Read + AsFd + Send> Pipe for P {}

/// What a build writes: all of it until nobody can write any more, or, if others keep the pipe open,
/// all that is there when the build has ended.
struct Output {
    pipe: Box<dyn Pipe>,
    ended: Arc<AtomicBool>,
}

impl Read for Output {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            // Asked first: what the build has written is in the pipe by then.
            let ended = self.ended.load(Ordering::Acquire);
            let patience = if ended {
                PollTimeout::ZERO
            } else {
                PATIENCE.into()
            };
            let mut ready = [PollFd::new(self.pipe.as_fd(), PollFlags::POLLIN)];
            match poll(&mut ready, patience) {
                Ok(0) if ended => return Ok(0),
                Ok(0) | Err(Errno::EINTR) => {}
                Ok(_) => return self.pipe.read(buffer),
                Err(errno) => return Err(errno.into()),
            }
        }
    }
}

/// Passes output on whole lines at a time where they come quickly, and without waiting for the end
/// of a line where they do not (prompts, progress dots).
fn pump(pipe: impl Read, notice: &str, mut pass: impl FnMut(Vec<u8>) -> bool) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, pipe);
    let mut filter = NoticeFilter::new(notice);
    loop {
        let available = input.fill_buf()?;
        if available.is_empty() {
            break;
        }
        let count = available.len();
        let shown = filter.push(available);
        input.consume(count);
        if !shown.is_empty() && !pass(shown) {
            return Ok(());
        }
    }
    let rest = filter.finish();
    if !rest.is_empty() {
        pass(rest);
    }
    Ok(())
}

/// Drops the lines that hold the JVM's notice; Surefire repeats them behind a prefix of its own.
struct NoticeFilter<'a> {
    notice: &'a [u8],
    /// The end of the output so far, if it might still turn out to be a notice.
    held: Vec<u8>,
    /// The line's beginning has been passed on, so only the rest of it can be dropped.
    passing: bool,
}

/// No prefix that a build tool puts before a line is longer.
const LONGEST_PREFIX: usize = 32;

impl<'a> NoticeFilter<'a> {
    fn new(notice: &'a str) -> Self {
        Self {
            notice: notice.as_bytes(),
            held: Vec::new(),
            passing: false,
        }
    }

    fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut shown = Vec::with_capacity(bytes.len());
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.held.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.end_line(&mut shown);
            } else {
                let start = self.start_of_notice();
                if self.passing || start > LONGEST_PREFIX || start == self.held.len() {
                    shown.extend(self.held.drain(..start));
                    self.passing = true;
                }
            }
        }
        shown
    }

    /// Passes a whole line on, or what remains of it without the notice.
    fn end_line(&mut self, shown: &mut Vec<u8>) {
        let start = self.start_of_notice();
        if !self.held[start..].starts_with(self.notice) {
            shown.append(&mut self.held);
            self.passing = false;
        } else if self.passing || start > LONGEST_PREFIX {
            // A JVM wrote its notice into the middle of an unfinished line, which goes on after it.
            shown.extend_from_slice(&self.held[..start]);
            self.passing = true;
        }
        self.held.clear();
    }

    /// Where the held bytes turn into the notice, or into what may become one; their end if nowhere.
    fn start_of_notice(&self) -> usize {
        let starts = (0..self.held.len()).find(|start| {
            let rest = &self.held[*start..];
            rest.starts_with(self.notice) || self.notice.starts_with(rest)
        });
        starts.unwrap_or(self.held.len())
    }

    fn finish(self) -> Vec<u8> {
        let start = self.start_of_notice();
        if self.held[start..].starts_with(self.notice) {
            Vec::new()
        } else {
            self.held
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_was_written_before_a_build_ended_is_read_though_a_daemon_keeps_the_pipe() {
        let (reader, mut daemon) = io::pipe().unwrap();
        daemon.write_all(b"last words").unwrap();
        let mut output = Output {
            pipe: Box::new(reader),
            ended: Arc::new(AtomicBool::new(true)),
        };
        let mut read = String::new();
        output.read_to_string(&mut read).unwrap();
        assert_eq!(read, "last words");
    }

    const NOTICE: &str = "Picked up JAVA_TOOL_OPTIONS: -agentpath:/x";

    fn filtered<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> String {
        let mut filter = NoticeFilter::new(NOTICE);
        let mut shown = Vec::new();
        for piece in pieces {
            shown.extend(filter.push(piece));
        }
        shown.extend(filter.finish());
        String::from_utf8(shown).unwrap()
    }

    /// Pushes the text in pieces of every size; the result must not depend on the size.
    fn check(text: &str, expected: &str) {
        for size in 1..=text.len() {
            let shown = filtered(text.as_bytes().chunks(size));
            assert_eq!(shown, expected, "pieces of {size}");
        }
    }

    #[test]
    fn the_notice_of_a_jvm_is_not_part_of_the_output() {
        check(&format!("one\n{NOTICE}\ntwo\n"), "one\ntwo\n");
    }

    /// Build tools write the text of a line at once, and its end at once or by itself.
    #[test]
    fn a_notice_repeated_behind_a_prefix_is_dropped_too() {
        let line = format!("[ERROR] {NOTICE}");
        let pieces = [line.as_bytes(), b"\n", b"BUILD SUCCESS\n"];
        assert_eq!(filtered(pieces), "BUILD SUCCESS\n");
        assert_eq!(filtered([&pieces.concat()[..]]), "BUILD SUCCESS\n");
    }

    /// Maven resets the terminal's colours without ending the line, and then starts a JVM.
    #[test]
    fn a_notice_in_an_unfinished_line_leaves_the_line_as_it_was() {
        let notice = format!("{NOTICE}\n");
        let pieces = [&b"\x1b[0m"[..], notice.as_bytes(), b"done\n"];
        assert_eq!(filtered(pieces), "\x1b[0mdone\n");
        let dots = ".".repeat(LONGEST_PREFIX + 1);
        check(&format!("{dots}{notice}!\n"), &format!("{dots}!\n"));
    }

    #[test]
    fn another_option_stays_visible() {
        let line = "Picked up JAVA_TOOL_OPTIONS: -Xmx1g\n";
        check(line, line);
    }

    #[test]
    fn a_prompt_is_shown_before_its_line_ends() {
        let mut filter = NoticeFilter::new(NOTICE);
        assert_eq!(filter.push(b"Continue? "), b"Continue? ");
    }
}
