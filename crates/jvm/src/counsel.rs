//! Answers the JVMs of a watched build when they ask which tests may be left out. A question that
//! makes no sense gets no answer, after which its JVM runs every test.

use std::io::{self, BufReader};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use jury_protocol::{
    Answer, Ask, FrameError, Launch, Question, Record, read_frame, read_header, write_frame,
    write_header,
};

/// Longer than any JVM needs to write its question.
const PATIENCE: Duration = Duration::from_secs(30);

/// Listens from its creation until it is dropped.
#[derive(Debug)]
pub(crate) struct Counsel {
    socket: PathBuf,
    stopped: Arc<AtomicBool>,
    red: Arc<AtomicBool>,
    listener: Option<JoinHandle<()>>,
}

impl Counsel {
    pub fn open<F>(socket: &Path, answer: F) -> io::Result<Self>
    where
        F: Fn(Ask, Option<Launch>) -> Answer + Send + Sync + 'static,
    {
        let listener = UnixListener::bind(socket)?;
        let stopped = Arc::new(AtomicBool::new(false));
        let red = Arc::new(AtomicBool::new(false));
        let (seen, turns_red) = (Arc::clone(&stopped), Arc::clone(&red));
        let answer = Arc::new(answer);
        let thread = thread::Builder::new()
            .name("jury counsel".to_owned())
            .spawn(move || {
                for stream in listener.incoming() {
                    if seen.load(Ordering::Acquire) {
                        return;
                    }
                    // One thread each: a JVM that is slow to ask must not hold up the others.
                    if let Ok(stream) = stream {
                        let (answer, red) = (Arc::clone(&answer), Arc::clone(&turns_red));
                        thread::spawn(move || drop(reply(&stream, &*answer, &red)));
                    }
                }
            })?;
        Ok(Self {
            socket: socket.to_owned(),
            stopped,
            red,
            listener: Some(thread),
        })
    }
}

impl Counsel {
    /// Whether any JVM has told of a red test.
    pub fn is_red(&self) -> bool {
        self.red.load(Ordering::Relaxed)
    }
}

impl Drop for Counsel {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Release);
        // A last visitor wakes the listener; without one it would sleep for ever.
        if UnixStream::connect(&self.socket).is_ok()
            && let Some(listener) = self.listener.take()
        {
            let _ = listener.join();
        }
    }
}

fn reply(
    mut stream: &UnixStream,
    answer: impl Fn(Ask, Option<Launch>) -> Answer,
    red: &AtomicBool,
) -> Result<(), FrameError> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut input = BufReader::new(stream);
    read_header(&mut input)?;
    let question = read_frame(&mut input)?.ok_or(FrameError::Truncated)?;
    let launch = read_frame(&mut input)?.ok_or(FrameError::Truncated)?;
    let launch = match Record::decode(&launch) {
        Ok(Record::Launch(launch)) => Some(*launch),
        _ => None,
    };
    let answer = match Question::decode(&question).map_err(|_| FrameError::Damaged)? {
        Question::Ask(ask) => answer(ask, launch).encode(),
        Question::Red => {
            red.store(true, Ordering::Relaxed);
            Vec::new()
        }
    };
    write_header(&mut stream)?;
    write_frame(&mut stream, &answer)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    fn opened() -> (tempfile::TempDir, PathBuf, Counsel) {
        let directory = tempfile::tempdir().unwrap();
        let socket = directory.path().join("counsel");
        let counsel = Counsel::open(&socket, |ask, _| Answer {
            leave_out: ask.units,
            ..Answer::default()
        });
        (directory, socket, counsel.unwrap())
    }

    fn asked(socket: &Path) -> Answer {
        let mut stream = UnixStream::connect(socket).unwrap();
        let ask = Ask {
            directory: "/p".into(),
            units: vec!["a.BTest".into()],
        };
        write_header(&mut stream).unwrap();
        write_frame(&mut stream, &ask.encode()).unwrap();
        write_frame(&mut stream, &[]).unwrap();
        read_header(&mut stream).unwrap();
        Answer::decode(&read_frame(&mut stream).unwrap().unwrap()).unwrap()
    }

    #[test]
    fn many_may_ask_while_one_is_slow() {
        let (_directory, socket, _counsel) = opened();
        let _slow = UnixStream::connect(&socket).unwrap();
        assert_eq!(asked(&socket).leave_out, ["a.BTest"]);
        assert_eq!(asked(&socket).leave_out, ["a.BTest"]);
    }

    #[test]
    fn a_red_test_is_heard_of() {
        let (_directory, socket, counsel) = opened();
        assert!(!counsel.is_red());
        let mut stream = UnixStream::connect(&socket).unwrap();
        write_header(&mut stream).unwrap();
        write_frame(&mut stream, &Question::Red.encode()).unwrap();
        write_frame(&mut stream, &[]).unwrap();
        read_header(&mut stream).unwrap();
        assert_eq!(read_frame(&mut stream).unwrap().unwrap(), [0; 0]);
        assert!(counsel.is_red());
    }

    #[test]
    fn garbage_gets_no_answer() {
        let (_directory, socket, _counsel) = opened();
        let mut stream = UnixStream::connect(&socket).unwrap();
        stream.write_all(b"not Jury's own words").unwrap();
        let mut answer = Vec::new();
        // A closed line, whether orderly or reset, is no answer.
        let _ = stream.read_to_end(&mut answer);
        assert_eq!(answer, [0; 0]);
    }

    #[test]
    fn nobody_is_heard_after_the_end() {
        let (_directory, socket, counsel) = opened();
        drop(counsel);
        assert!(UnixStream::connect(&socket).is_err());
    }
}
