//! Progress of long work: a bar with rate and time left on a terminal, a line now and then in CI.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::printer::Printer;

/// A log that is read later needs no more lines than this.
const LINE_EVERY: Duration = Duration::from_secs(10);

pub struct Progress<'a> {
    printer: &'a Printer,
    bar: ProgressBar,
    what: &'static str,
    last_line: Instant,
    on_terminal: bool,
}

impl<'a> Progress<'a> {
    pub fn new(printer: &'a Printer, what: &'static str) -> Self {
        let on_terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        // ok: the template is a constant, tried by every run on a terminal.
        let style = ProgressStyle::with_template(
            "{prefix} [{bar:30}] {pos}/{len} {per_sec}, {eta} left {wide_msg}",
        )
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
        bar.set_style(style);
        bar.set_prefix(what);
        Self {
            printer,
            bar,
            what,
            last_line: Instant::now(),
            on_terminal,
        }
    }

    /// Begins another part of the work.
    pub fn turn_to(&mut self, what: &'static str, total: usize) {
        self.what = what;
        self.bar.reset();
        self.bar.set_prefix(what);
        self.plan(total);
    }

    pub fn plan(&self, total: usize) {
        self.bar.set_length(total as u64);
    }

    pub fn advance(&mut self) {
        self.bar.inc(1);
        if !self.on_terminal && self.last_line.elapsed() > LINE_EVERY {
            self.last_line = Instant::now();
            let (done, total) = (self.bar.position(), self.bar.length().unwrap_or(0));
            self.printer
                .say(&format!("{}: {done} of {total}", self.what));
        }
    }

    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
