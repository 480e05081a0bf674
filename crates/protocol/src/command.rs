//! What Jury asks of a worker JVM. The Java mirror is `jury.boot.Commands`.

use std::collections::BTreeMap;

use jury_model::TestId;

use crate::watch::Attention;
use crate::wire::{DecodeError, Decoder, Encoder};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Sets up the JVM as the build's booter did, before any test class is touched.
    Prepare {
        properties: BTreeMap<String, String>,
        launcher_parameters: BTreeMap<String, String>,
        /// How many numbers the plan's probes have; 0 if it has none.
        probes: u32,
        /// Names of the classes that are code of tests, in VM form; none if distances from it do not
        /// matter.
        test_code: Vec<String>,
    },
    /// Switches one body on, and all others off. `None` switches all of them off.
    Switch(Option<u32>),
    /// Limits the work a test may do, given in probe events; `None` lifts the limit.
    Limit(Option<u64>),
    /// Records what is shown to the observer while tests run.
    Attend(Attention),
    /// Runs the given tests, all of one engine, and answers with `Record::BatchDone`.
    Run {
        batch: u32,
        engine: String,
        /// The first test that does not pass is the last one, where its framework can be stopped.
        until_red: bool,
        tests: Vec<TestId>,
    },
    /// Ends the JVM without running shutdown hooks of the tests' leftovers for long.
    Stop,
}

const PREPARE: u8 = 1;
const RUN: u8 = 2;
const STOP: u8 = 3;
const SWITCH: u8 = 4;
const LIMIT: u8 = 5;
const ATTEND: u8 = 6;

impl Command {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        match self {
            Command::Prepare {
                properties,
                launcher_parameters,
                probes,
                test_code,
            } => {
                out.u8(PREPARE)
                    .map(properties)
                    .map(launcher_parameters)
                    .u32(*probes)
                    .texts(test_code);
            }
            // In Java both are plain numbers: -1 is never a body, and no test does 2^63 of work.
            Command::Switch(number) => {
                out.u8(SWITCH).u32(number.unwrap_or(u32::MAX));
            }
            Command::Limit(work) => {
                out.u8(LIMIT).u64(work.unwrap_or(i64::MAX as u64));
            }
            Command::Attend(attention) => attention.put(out.u8(ATTEND)),
            Command::Run {
                batch,
                engine,
                until_red,
                tests,
            } => {
                let ids: Vec<&str> = tests.iter().map(TestId::as_str).collect();
                out.u8(RUN)
                    .u32(*batch)
                    .text(engine)
                    .u8((*until_red).into())
                    .texts(&ids);
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
                probes: input.u32()?,
                test_code: input.texts()?,
            },
            SWITCH => Command::Switch(Some(input.u32()?).filter(|number| *number != u32::MAX)),
            LIMIT => Command::Limit(Some(input.u64()?).filter(|work| *work != i64::MAX as u64)),
            ATTEND => Command::Attend(Attention::take(&mut input)?),
            RUN => Command::Run {
                batch: input.u32()?,
                engine: input.text()?,
                until_red: input.u8()? != 0,
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
    use crate::watch::Calls;

    #[test]
    fn every_command_comes_back_as_it_was() {
        for command in [
            Command::Prepare {
                properties: [("basedir".to_string(), "/p".to_string())].into(),
                launcher_parameters: Default::default(),
                probes: 3,
                test_code: vec!["a/BTest".into()],
            },
            Command::Switch(Some(7)),
            Command::Switch(None),
            Command::Limit(Some(1_000_000)),
            Command::Limit(None),
            Command::Attend(Attention {
                calls: Calls::Of(3),
                values: true,
                stack_of: None,
                depth: 1,
                digest_only: true,
            }),
            Command::Attend(Attention {
                calls: Calls::All,
                ..Attention::default()
            }),
            Command::Attend(Attention::default()),
            Command::Run {
                batch: 1,
                engine: "junit".into(),
                until_red: true,
                tests: vec![TestId::new("junit:a.BTest#adds")],
            },
            Command::Stop,
        ] {
            assert_eq!(Command::decode(&command.encode()), Ok(command));
        }
    }
}
