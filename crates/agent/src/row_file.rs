//! Where an observed JVM leaves its records: a file of its own in the inbox. Trouble with that
//! file is noted if it can be, and never reaches the JVM.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use jury_protocol::{Record, write_frame, write_header};

use crate::ancestry::marker;

pub struct RowFile {
    inbox: PathBuf,
    state: Mutex<State>,
}

enum State {
    /// Nothing is on disk yet; this is the file's first record.
    Waiting(Record),
    Open(File),
    /// Ended, or given up.
    Closed,
}

impl RowFile {
    /// A file that comes into being with the first record sent, behind `first`.
    pub fn new(inbox: PathBuf, first: Record) -> Self {
        Self {
            inbox,
            state: Mutex::new(State::Waiting(first)),
        }
    }

    /// Makes sure that the file is there.
    pub fn open(&self) {
        self.write(&mut self.lock(), None);
    }

    pub fn send(&self, record: &[u8]) {
        self.write(&mut self.lock(), Some(record));
    }

    /// The JVM has ended; nothing is written any more. No file means there was nothing to tell.
    pub fn end(&self) {
        let mut state = self.lock();
        if let State::Open(_) = *state {
            self.write(&mut state, Some(&Record::Ended.encode()));
            // The number may soon belong to a process that is no test JVM.
            let _ = fs::remove_file(marker(&self.inbox, process::id()));
        }
        *state = State::Closed;
    }

    /// Tells why nothing more will come.
    pub fn give_up(&self, reason: &str) {
        let mut state = self.lock();
        match *state {
            State::Open(_) => {
                self.write(
                    &mut state,
                    Some(&Record::Trouble(reason.to_owned()).encode()),
                );
            }
            State::Waiting(_) => self.leave_trouble(reason),
            State::Closed => {}
        }
        *state = State::Closed;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, state: &mut State, record: Option<&[u8]>) {
        if let Err(error) = self.try_write(state, record) {
            *state = State::Closed;
            self.leave_trouble(&format!("failed to write records: {error}"));
        }
    }

    fn try_write(&self, state: &mut State, record: Option<&[u8]>) -> io::Result<()> {
        if let State::Waiting(first) = state {
            let first = first.encode();
            let mut file = create(&self.inbox)?;
            *state = State::Open(file.try_clone()?);
            let mut beginning = Vec::with_capacity(first.len() + 16);
            write_header(&mut beginning)?;
            write_frame(&mut beginning, &first)?;
            file.write_all(&beginning)?;
        }
        match (state, record) {
            (State::Open(file), Some(record)) => write_frame(file, record),
            _ => Ok(()),
        }
    }

    fn leave_trouble(&self, reason: &str) {
        // If even this fails there is nobody to tell: the guest stays silent.
        let _ = fs::write(
            self.inbox.join(format!("trouble-{}", process::id())),
            reason,
        );
    }
}

/// The records show the environment, so nobody but the owner may read them.
fn create(inbox: &Path) -> io::Result<File> {
    let pid = process::id();
    let nanos = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_nanos();
    let file = OpenOptions::new()
        .append(true)
        .create_new(true)
        .mode(0o600)
        .open(inbox.join(format!("{pid}-{nanos}.rows")))?;
    File::create(marker(inbox, pid))?;
    Ok(file)
}
