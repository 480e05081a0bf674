//! A worker's line to Jury. The worker lives only as long as Jury does: when the line breaks, the
//! process ends at once, even if a test hangs.

use std::io::{self, BufReader};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;

use jury_jvmti::exit_now;
use jury_protocol::{FrameError, read_frame, read_header, write_frame, write_header};

/// Exit status of a worker that lost its Jury. Nobody is left to see it but a process listing.
pub const ORPHANED: i32 = 70;

pub struct Socket {
    records: Mutex<UnixStream>,
    commands: Mutex<Receiver<Vec<u8>>>,
}

impl Socket {
    /// Both sides begin with the protocol's header. Commands are read by a thread of their own, so
    /// that the end of the line is noticed at any time.
    pub fn connect(path: &str) -> io::Result<Self> {
        let mut stream = UnixStream::connect(path)?;
        write_header(&mut stream)?;
        let input = BufReader::new(stream.try_clone()?);
        let (sender, receiver) = mpsc::channel();
        thread::Builder::new()
            .name("jury commands".to_owned())
            .spawn(move || {
                // However the line ended, cleanly or not, nobody is there to work for.
                let _ = read_commands(input, &sender);
                exit_now(ORPHANED);
            })?;
        Ok(Self {
            records: Mutex::new(stream),
            commands: Mutex::new(receiver),
        })
    }

    pub fn send(&self, record: &[u8]) {
        let mut stream = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        if write_frame(&mut *stream, record).is_err() {
            exit_now(ORPHANED);
        }
    }

    /// Blocks until a command comes.
    pub fn receive(&self) -> Option<Vec<u8>> {
        self.commands
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv()
            .ok()
    }
}

fn read_commands(
    mut input: BufReader<UnixStream>,
    commands: &Sender<Vec<u8>>,
) -> Result<(), FrameError> {
    read_header(&mut input)?;
    while let Some(command) = read_frame(&mut input)? {
        if commands.send(command).is_err() {
            break;
        }
    }
    Ok(())
}
