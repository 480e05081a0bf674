//! What Jury asks of a worker JVM. The Java mirror is `jury.boot.Commands`.

use std::collections::BTreeMap;

use jury_model::TestId;

use crate::wire::{DecodeError, Decoder, Encoder};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Sets up the JVM as the build's booter did, before any test class is touched.
    Prepare {
        properties: BTreeMap<String, String>,
        launcher_parameters: BTreeMap<String, String>,
    },
    /// Runs the given tests, all of one engine, and answers with `Record::BatchDone`.
    Run {
        batch: u32,
        engine: String,
        tests: Vec<TestId>,
    },
    /// Ends the JVM without running shutdown hooks of the tests' leftovers for long.
    Stop,
}

const PREPARE: u8 = 1;
const RUN: u8 = 2;
const STOP: u8 = 3;

impl Command {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        match self {
            Command::Prepare {
                properties,
                launcher_parameters,
            } => {
                out.u8(PREPARE).map(properties).map(launcher_parameters);
            }
            Command::Run {
                batch,
                engine,
                tests,
            } => {
                let ids: Vec<&str> = tests.iter().map(TestId::as_str).collect();
                out.u8(RUN).u32(*batch).text(engine).texts(&ids);
            }
            Command::Stop => {
                out.u8(STOP);
            }
        }
        out.into_bytes()
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::new(bytes);
        let command = match input.u8()? {
            PREPARE => Command::Prepare {
                properties: input.map()?,
                launcher_parameters: input.map()?,
            },
            RUN => Command::Run {
                batch: input.u32()?,
                engine: input.text()?,
                tests: input.texts()?.into_iter().map(TestId::new).collect(),
            },
            STOP => Command::Stop,
            tag => {
                return Err(DecodeError::Unknown {
                    what: "command",
                    tag: tag.to_string(),
                });
            }
        };
        input.finish()?;
        Ok(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_comes_back_as_it_was() {
        for command in [
            Command::Prepare {
                properties: [("basedir".to_string(), "/p".to_string())].into(),
                launcher_parameters: Default::default(),
            },
            Command::Run {
                batch: 1,
                engine: "junit".into(),
                tests: vec![TestId::new("junit:a.BTest#adds")],
            },
            Command::Stop,
        ] {
            assert_eq!(Command::decode(&command.encode()), Ok(command));
        }
    }
}
