//! The only door to the terminal. Answers go to standard output, everything else to standard
//! error; colours are stripped where they do not belong.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anstream::{AutoStream, ColorChoice};
use anyhow::Context;
use jury_model::Notice;
use jury_report::human;
use jury_workflows::Stream;

use crate::args::{Color, Format, GlobalArgs};

#[derive(Debug)]
pub struct Printer {
    format: Format,
    output: Option<PathBuf>,
    color: ColorChoice,
}

impl Printer {
    pub fn new(global: &GlobalArgs) -> Self {
        let color = match global.color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        color.write_global();
        Self {
            format: global.format,
            output: global.output.clone(),
            color,
        }
    }

    /// Gives the command's answer, as text for people or as JSON.
    pub fn answer(
        &self,
        human: impl FnOnce() -> String,
        json: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        self.answer_in(human, |_| json())
    }

    /// Gives the command's answer, as text for people or in the format asked for.
    pub fn answer_in(
        &self,
        human: impl FnOnce() -> String,
        machine: impl FnOnce(Format) -> String,
    ) -> anyhow::Result<()> {
        match (self.format, &self.output) {
            (Format::Human, None) => self.out(human().as_bytes()),
            (format, None) => self.out(machine(format).as_bytes()),
            (format, Some(path)) => {
                let shown = human();
                let written = match format {
                    Format::Human => anstream::adapter::strip_str(&shown).to_string(),
                    format => machine(format),
                };
                fs_err::write(path, written).context("failed to write the answer")?;
                self.out(shown.as_bytes());
            }
        }
        Ok(())
    }

    /// Passes on what a build printed. When a machine's answer goes to standard output, all of the
    /// build's output goes to standard error, so that a machine can read the answer.
    pub fn pass_on(&self, stream: Stream, bytes: &[u8]) {
        if stream == Stream::Out && !self.answers_a_machine_on_stdout() {
            let mut out = io::stdout().lock();
            let _ = out.write_all(bytes).and_then(|()| out.flush());
        } else {
            let mut err = io::stderr().lock();
            let _ = err.write_all(bytes).and_then(|()| err.flush());
        }
    }

    /// A line for people that is not part of the answer.
    pub fn say(&self, line: &str) {
        let mut err = AutoStream::new(io::stderr(), self.color).lock();
        let _ = writeln!(err, "{line}");
    }

    pub fn error(&self, notice: &Notice) {
        let mut err = AutoStream::new(io::stderr(), self.color).lock();
        let _ = write!(err, "{}", human::notice("error", true, notice));
    }

    /// True if the build tool should be asked to colour its output, which reaches us by a pipe.
    pub fn wants_colored_build(&self) -> bool {
        match AutoStream::choice(&io::stdout()) {
            ColorChoice::Never => false,
            ColorChoice::Auto => io::stdout().is_terminal(),
            ColorChoice::Always | ColorChoice::AlwaysAnsi => true,
        }
    }

    fn answers_a_machine_on_stdout(&self) -> bool {
        self.format != Format::Human && self.output.is_none()
    }

    /// A reader that has gone (`jury tests | head`) is not our failure.
    pub fn out(&self, bytes: &[u8]) {
        let color = match self.color {
            ColorChoice::Auto => AutoStream::choice(&io::stdout()),
            chosen => chosen,
        };
        // All at once: colours are stripped in small pieces, and an answer may be long.
        let mut whole = AutoStream::new(Vec::with_capacity(bytes.len()), color);
        let mut out = io::stdout().lock();
        let _ = (whole.write_all(bytes))
            .and_then(|()| out.write_all(&whole.into_inner()))
            .and_then(|()| out.flush());
    }
}
