//! Waiting for a process of somebody else's without polling: it opens a named pipe when it has come
//! far enough, and the kernel closes the pipe when it is gone, however it went.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

/// Far beyond what any event takes that comes at all.
const PATIENCE: Duration = Duration::from_secs(120);

/// The reading end of a named pipe.
pub struct Pipe {
    path: PathBuf,
    lines: Receiver<String>,
}

impl Pipe {
    pub fn create(path: PathBuf) -> Self {
        mkfifo(&path, Mode::S_IRUSR | Mode::S_IWUSR).expect("a new pipe");
        let (sender, lines) = mpsc::channel();
        let opened = path.clone();
        thread::spawn(move || {
            // Opening waits for the writer.
            let file = File::open(opened).expect("readable pipe");
            for line in BufReader::new(file).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { path, lines }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until a process has opened the pipe and written a line.
    #[track_caller]
    pub fn wait_for_writer(&self) -> String {
        self.lines
            .recv_timeout(PATIENCE)
            .expect("a line in the pipe")
    }

    /// Waits until no process holds the pipe open any more.
    #[track_caller]
    pub fn wait_for_end(&self) {
        let end = self.lines.recv_timeout(PATIENCE);
        assert_eq!(
            end,
            Err(mpsc::RecvTimeoutError::Disconnected),
            "the process that holds the pipe does not end"
        );
    }
}
