//! Where an observed JVM leaves its records: a file of its own in the inbox. Trouble with that
//! file is noted if it can be, and never reaches the JVM.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use jury_protocol::{LARGEST_PAYLOAD, Record, write_frame, write_header};

use crate::ancestry::marker;

pub struct RowFile {
    inbox: PathBuf,
    /// Whether what this JVM starts is part of its tests.
    runs_tests: bool,
    state: Mutex<State>,
}

enum State {
    /// Nothing is on disk yet; these are the file's first records.
    Waiting(Vec<Vec<u8>>),
    Open(File),
    /// Ended, or given up.
    Closed,
}

impl RowFile {
    /// A file that comes into being with the first record sent, behind `first`.
    pub fn new(inbox: PathBuf, first: Record) -> Self {
        Self {
            inbox,
            runs_tests: true,
            state: Mutex::new(State::Waiting(vec![first.encode()])),
        }
    }

    /// A file of a JVM that forks test JVMs. How it was launched is of no interest.
    pub fn of_builder(inbox: PathBuf) -> Self {
        Self {
            inbox,
            runs_tests: false,
            state: Mutex::new(State::Waiting(Vec::new())),
        }
    }

    /// Makes sure that the file is there.
    pub fn open(&self) {
        self.write(&mut self.lock(), None);
    }

    pub fn send(&self, record: &[u8]) {
        self.write(&mut self.lock(), Some(record));
    }

    /// Sends a record that is of interest only if others come: it does not bring the file into
    /// being.
    pub fn send_beside(&self, record: &[u8]) {
        let mut state = self.lock();
        match &mut *state {
            State::Waiting(records) => records.push(record.to_owned()),
            state => self.write(state, Some(record)),
        }
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
        if let State::Waiting(records) = state {
            let mut beginning = Vec::new();
            write_header(&mut beginning)?;
            for record in records {
                write_record(&mut beginning, record)?;
            }
            let mut file = create(&self.inbox)?;
            if self.runs_tests {
                File::create(marker(&self.inbox, process::id()))?;
            }
            *state = State::Open(file.try_clone()?);
            file.write_all(&beginning)?;
        }
        match (state, record) {
            (State::Open(file), Some(record)) => write_record(file, record),
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

/// Writes a record, or in place of one that no reader would accept the trouble with it: those behind
/// it can still be read.
fn write_record(out: &mut impl Write, record: &[u8]) -> io::Result<()> {
    if record.len() <= LARGEST_PAYLOAD as usize {
        return write_frame(out, record);
    }
    let reason = format!("a record of {} MB is too long", record.len() >> 20);
    write_frame(out, &Record::Trouble(reason).encode())
}

/// The records show the environment, so nobody but the owner may read them.
fn create(inbox: &Path) -> io::Result<File> {
    let pid = process::id();
    let nanos = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_nanos();
    OpenOptions::new()
        .append(true)
        .create_new(true)
        .mode(0o600)
        .open(inbox.join(format!("{pid}-{nanos}.rows")))
}

#[cfg(test)]
mod tests {
    use jury_protocol::{read_frame, read_header};
    use tempfile::TempDir;

    use super::*;

    fn row_file(first: &str) -> (TempDir, RowFile) {
        let inbox = tempfile::tempdir().unwrap();
        let rows = RowFile::new(inbox.path().to_owned(), Record::Trouble(first.to_owned()));
        (inbox, rows)
    }

    fn letters(inbox: &TempDir) -> Vec<String> {
        let entries = fs::read_dir(inbox.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn records(inbox: &TempDir) -> Vec<Record> {
        let name = letters(inbox)
            .into_iter()
            .find(|name| name.ends_with(".rows"))
            .unwrap();
        let bytes = fs::read(inbox.path().join(name)).unwrap();
        let mut input = &bytes[..];
        read_header(&mut input).unwrap();
        std::iter::from_fn(|| read_frame(&mut input).unwrap())
            .map(|payload| Record::decode(&payload).unwrap())
            .collect()
    }

    #[test]
    fn nothing_is_on_disk_before_there_is_something_to_tell() {
        let (inbox, rows) = row_file("first");
        rows.end();
        rows.send(&Record::Ready.encode());
        assert_eq!(letters(&inbox), [""; 0]);
    }

    #[test]
    fn records_stand_behind_the_first_and_before_the_end() {
        let (inbox, rows) = row_file("first");
        rows.send(&Record::Ready.encode());
        rows.end();
        rows.send(&Record::Ready.encode());
        let first = Record::Trouble("first".to_owned());
        assert_eq!(records(&inbox), [first, Record::Ready, Record::Ended]);
    }

    #[test]
    fn records_of_a_jvm_that_may_run_no_tests_wait_for_others() {
        let (inbox, rows) = row_file("first");
        rows.send_beside(&Record::Ready.encode());
        assert_eq!(letters(&inbox), [""; 0]);
        rows.open();
        rows.send_beside(&Record::Ready.encode());
        let first = Record::Trouble("first".to_owned());
        assert_eq!(records(&inbox), [first, Record::Ready, Record::Ready]);
    }

    #[test]
    fn a_record_that_is_too_long_costs_no_other() {
        let (inbox, rows) = row_file("first");
        rows.send(&vec![0; LARGEST_PAYLOAD as usize + 1]);
        rows.send(&Record::Ready.encode());
        let trouble = Record::Trouble("a record of 64 MB is too long".to_owned());
        assert_eq!(records(&inbox)[1..], [trouble, Record::Ready]);
    }

    #[test]
    fn a_test_jvm_is_marked_while_it_lives() {
        let (inbox, rows) = row_file("first");
        rows.open();
        assert!(marker(inbox.path(), process::id()).exists());
        rows.end();
        assert!(!marker(inbox.path(), process::id()).exists());
    }

    #[test]
    fn a_builder_is_no_test_jvm() {
        let inbox = tempfile::tempdir().unwrap();
        let rows = RowFile::of_builder(inbox.path().to_owned());
        rows.send(&Record::Ready.encode());
        assert!(!marker(inbox.path(), process::id()).exists());
        assert_eq!(records(&inbox), [Record::Ready]);
    }

    #[test]
    fn a_test_jvm_stays_marked_when_it_is_no_longer_watched() {
        let (inbox, rows) = row_file("first");
        rows.open();
        rows.give_up("lost");
        assert!(marker(inbox.path(), process::id()).exists());
        assert_eq!(records(&inbox)[1..], [Record::Trouble("lost".to_owned())]);
    }

    #[test]
    fn a_jvm_that_has_not_reported_leaves_its_trouble_beside() {
        let (inbox, rows) = row_file("first");
        rows.give_up("lost");
        rows.open();
        assert_eq!(letters(&inbox), [format!("trouble-{}", process::id())]);
    }

    #[test]
    fn frames_of_many_threads_do_not_mix() {
        let (inbox, rows) = row_file("first");
        let long = Record::Trouble("x".repeat(10_000)).encode();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..50).for_each(|_| rows.send(&long)));
            }
        });
        assert_eq!(records(&inbox).len(), 201);
    }
}
