//! What an agent is told when its JVM starts. The agent's option string is nothing but the path of
//! a session file, because the string must survive `JAVA_TOOL_OPTIONS` and any path inside it.

use std::io::{self, Read, Write};

use crate::frame::{self, FrameError};
use crate::plan::Plan;
use crate::wire::{DecodeError, Decoder, Encoder};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub mode: Mode,
    /// The jar that goes onto the boot class path: hooks, transport, harness.
    pub boot_jar: String,
    /// What `JAVA_TOOL_OPTIONS` was before Jury added its agent; `None` if it was not set. The
    /// recorded environment shows this value, so that a recipe does not contain its observer.
    pub tool_options: Option<String>,
    /// What classes are rewritten to do; empty when a build is watched.
    pub plan: Plan,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// Watch the JVMs of a build. Each writes its own file of records into `inbox`.
    Observe {
        inbox: String,
        /// The Unix socket at which Jury says which tests may be left out; `None` if none may.
        counsel: Option<String>,
        /// `None` if it is enough to know which tests ran.
        collect: Option<Collect>,
        /// Tests that a build tool would run in its own JVM stay there, out of sight; otherwise it
        /// forks one for them.
        keep_in_process: bool,
    },
    /// Obey commands from this Unix socket.
    Replay { socket: String },
}

/// How the JVMs of a build find out what each of their tests uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collect {
    /// The project's root. Jars below it hold code of the project, all others libraries.
    pub root: String,
    /// Tell each test method apart rather than each test class.
    pub by_method: bool,
}

const OBSERVE: u8 = 1;
const REPLAY: u8 = 2;

impl Session {
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut payload = Encoder::default();
        match &self.mode {
            Mode::Observe {
                inbox,
                counsel,
                collect,
                keep_in_process,
            } => {
                payload.u8(OBSERVE).text(inbox);
                match counsel {
                    None => payload.u8(0),
                    Some(counsel) => payload.u8(1).text(counsel),
                };
                match collect {
                    None => payload.u8(0),
                    Some(collect) => payload
                        .u8(1)
                        .text(&collect.root)
                        .u8(collect.by_method.into()),
                }
                .u8((*keep_in_process).into())
            }
            Mode::Replay { socket } => payload.u8(REPLAY).text(socket),
        };
        payload.text(&self.boot_jar);
        match &self.tool_options {
            None => payload.u8(0),
            Some(options) => payload.u8(1).text(options),
        };
        self.plan.put(&mut payload);
        frame::write_header(out)?;
        frame::write_frame(out, &payload.into_bytes())
    }

    pub fn read(input: &mut impl Read) -> Result<Self, FrameError> {
        frame::read_header(input)?;
        let payload = frame::read_frame(input)?.ok_or(FrameError::Truncated)?;
        // The checksum held, so bytes that make no sense were written by another program.
        Self::decode(&payload).map_err(|_| FrameError::Damaged)
    }

    fn decode(payload: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::new(payload);
        let mode = match input.u8()? {
            OBSERVE => Mode::Observe {
                inbox: input.text()?,
                counsel: match input.u8()? {
                    0 => None,
                    _ => Some(input.text()?),
                },
                collect: match input.u8()? {
                    0 => None,
                    _ => Some(Collect {
                        root: input.text()?,
                        by_method: input.u8()? != 0,
                    }),
                },
                keep_in_process: input.u8()? != 0,
            },
            REPLAY => Mode::Replay {
                socket: input.text()?,
            },
            tag => {
                return Err(DecodeError::Unknown {
                    what: "mode",
                    tag: tag.to_string(),
                });
            }
        };
        let session = Session {
            mode,
            boot_jar: input.text()?,
            tool_options: match input.u8()? {
                0 => None,
                _ => Some(input.text()?),
            },
            plan: Plan::take(&mut input)?,
        };
        input.finish()?;
        Ok(session)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_comes_back_as_it_was() {
        for mode in [
            Mode::Observe {
                inbox: "/tmp/a b/inbox".into(),
                counsel: None,
                collect: None,
                keep_in_process: true,
            },
            Mode::Observe {
                inbox: "/tmp/inbox".into(),
                counsel: Some("/tmp/counsel".into()),
                collect: None,
                keep_in_process: false,
            },
            Mode::Observe {
                inbox: "/tmp/inbox".into(),
                counsel: Some("/tmp/counsel".into()),
                collect: Some(Collect {
                    root: "/p".into(),
                    by_method: true,
                }),
                keep_in_process: false,
            },
            Mode::Replay {
                socket: "/tmp/s".into(),
            },
        ] {
            for tool_options in [None, Some("-Xmx1g".to_string())] {
                let session = Session {
                    mode: mode.clone(),
                    boot_jar: "/c/boot.jar".into(),
                    tool_options,
                    plan: Plan::default(),
                };
                let mut bytes = Vec::new();
                session.write(&mut bytes).unwrap();
                assert_eq!(Session::read(&mut &bytes[..]).unwrap(), session);
            }
        }
    }
}
