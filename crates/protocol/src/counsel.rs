//! What a JVM of a watched build asks Jury before tests are chosen, and what it is told. Frames
//! over a Unix socket: the header, one question, how the JVM was launched if it is one that runs
//! tests, else nothing; then the header and one answer. Without an answer every test runs.
//!
//! The harness has other questions, which its agent answers itself.

use crate::wire::{DecodeError, Decoder, Encoder};

/// Which of these test classes may be left out? Written by `jury.boot.Counsel`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The base directory of the module whose tests they are, or the directory the JVM works in.
    pub directory: String,
    /// Names of candidate classes; empty if the JVM does not know them yet.
    pub units: Vec<String>,
}

/// Is there a file at this path? Any answer means yes. Written by `jury.boot.Touches`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathQuestion {
    pub path: String,
}

/// What a JVM says to Jury. Written by `jury.boot.Counsel`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    Ask(Ask),
    /// A test is red; there is nothing to answer.
    Red,
}

/// Does this very process listen at this TCP port? Any answer means yes. Written by
/// `jury.boot.Sockets`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortQuestion {
    pub port: u16,
}

/// Is this class, in VM form, one of the project's? Any answer means yes. Written by
/// `jury.boot.Touches`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassQuestion {
    pub class: String,
}

/// How many numbers have been given to probed methods? The answer is that number, as
/// [`count_answer`](ProbesQuestion::count_answer) writes it. Written by `jury.boot.Collector`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbesQuestion;

/// Which flags was this JVM launched with that another one could be launched with, too? Written by
/// `jury.boot.SurefireFork`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlagsQuestion;

const ASK: u8 = 1;
const PATH_QUESTION: u8 = 2;
const RED: u8 = 3;
const PORT_QUESTION: u8 = 4;
const PROBES_QUESTION: u8 = 5;
const CLASS_QUESTION: u8 = 6;
const FLAGS_QUESTION: u8 = 7;

/// What may be left out: never a list of what is to run, which would lose a new test.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// Names of outermost test classes.
    pub leave_out: Vec<String>,
    /// Test methods of classes that are not left out, as `class#method`: all their invocations.
    pub leave_out_methods: Vec<String>,
    /// Names of outermost classes that are to run, the most promising first.
    pub order: Vec<String>,
    /// Parts of names of outermost test classes that the user does not want to run, known or not;
    /// with `*` in it, all of the name, where `*` stands for any text.
    pub leave_out_like: Vec<String>,
    /// Suites and classes that were seen to run in them, as `suite class`, both outermost ones. In
    /// any other suite a class may meet other conditions, so there it is not left out.
    pub suites: Vec<String>,
}

impl Ask {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.u8(ASK).text(&self.directory).texts(&self.units);
        out.into_bytes()
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::new(bytes);
        match input.u8()? {
            ASK => {}
            tag => {
                return Err(DecodeError::Unknown {
                    what: "question",
                    tag: tag.to_string(),
                });
            }
        }
        let ask = Self {
            directory: input.text()?,
            units: input.texts()?,
        };
        input.finish()?;
        Ok(ask)
    }
}

impl Question {
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Question::Ask(ask) => ask.encode(),
            Question::Red => vec![RED],
        }
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        match bytes {
            [RED] => Ok(Question::Red),
            _ => Ask::decode(bytes).map(Question::Ask),
        }
    }
}

impl PathQuestion {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.u8(PATH_QUESTION).text(&self.path);
        out.into_bytes()
    }

    /// `None` if the question is another one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut input = Decoder::new(bytes);
        (input.u8() == Ok(PATH_QUESTION)).then_some(())?;
        let path = input.text().ok()?;
        input.finish().ok()?;
        Some(Self { path })
    }
}

impl PortQuestion {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.u8(PORT_QUESTION).u32(self.port.into());
        out.into_bytes()
    }

    /// `None` if the question is another one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut input = Decoder::new(bytes);
        (input.u8() == Ok(PORT_QUESTION)).then_some(())?;
        let port = u16::try_from(input.u32().ok()?).ok()?;
        input.finish().ok()?;
        Some(Self { port })
    }
}

impl ClassQuestion {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.u8(CLASS_QUESTION).text(&self.class);
        out.into_bytes()
    }

    /// `None` if the question is another one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut input = Decoder::new(bytes);
        (input.u8() == Ok(CLASS_QUESTION)).then_some(())?;
        let class = input.text().ok()?;
        input.finish().ok()?;
        Some(Self { class })
    }
}

impl ProbesQuestion {
    pub fn encode(self) -> Vec<u8> {
        vec![PROBES_QUESTION]
    }

    /// `None` if the question is another one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        (bytes == [PROBES_QUESTION]).then_some(Self)
    }

    pub fn count_answer(count: u32) -> Vec<u8> {
        let mut out = Encoder::default();
        out.u32(count);
        out.into_bytes()
    }
}

impl FlagsQuestion {
    pub fn encode(self) -> Vec<u8> {
        vec![FLAGS_QUESTION]
    }

    /// `None` if the question is another one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        (bytes == [FLAGS_QUESTION]).then_some(Self)
    }

    pub fn answer(flags: &[String]) -> Vec<u8> {
        let mut out = Encoder::default();
        out.texts(flags);
        out.into_bytes()
    }
}

impl Answer {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.texts(&self.leave_out)
            .texts(&self.leave_out_methods)
            .texts(&self.order)
            .texts(&self.leave_out_like)
            .texts(&self.suites);
        out.into_bytes()
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::new(bytes);
        let answer = Self {
            leave_out: input.texts()?,
            leave_out_methods: input.texts()?,
            order: input.texts()?,
            leave_out_like: input.texts()?,
            suites: input.texts()?,
        };
        input.finish()?;
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_and_answers_come_back_as_they_were() {
        let ask = Ask {
            directory: "/p/core".into(),
            units: vec!["a.BTest".into(), "a.CTest".into()],
        };
        let ask = Question::Ask(ask);
        assert_eq!(Question::decode(&ask.encode()), Ok(ask));
        assert_eq!(Question::decode(&[RED]), Ok(Question::Red));
        let question = PathQuestion { path: "/p".into() };
        assert_eq!(PathQuestion::decode(&question.encode()), Some(question));
        assert_eq!(PathQuestion::decode(&[ASK]), None);
        let question = PortQuestion { port: 65_535 };
        assert_eq!(PortQuestion::decode(&question.encode()), Some(question));
        assert_eq!(PortQuestion::decode(&[PORT_QUESTION, 0, 1, 0, 0]), None);
        let question = ClassQuestion {
            class: "a/B".into(),
        };
        assert_eq!(ClassQuestion::decode(&question.encode()), Some(question));
        assert_eq!(ClassQuestion::decode(&[PATH_QUESTION]), None);
        let question = ProbesQuestion.encode();
        assert_eq!(ProbesQuestion::decode(&question), Some(ProbesQuestion));
        assert_eq!(ProbesQuestion::decode(&[ASK]), None);
        let question = FlagsQuestion.encode();
        assert_eq!(FlagsQuestion::decode(&question), Some(FlagsQuestion));
        assert_eq!(FlagsQuestion::decode(&[ASK]), None);
        let answer = Answer {
            leave_out: vec!["a.BTest".into()],
            leave_out_methods: vec!["a.CTest$Inside#adds".into()],
            order: vec!["a.CTest".into()],
            leave_out_like: vec!["a.Slow*".into()],
            suites: vec!["a.All a.BTest".into()],
        };
        assert_eq!(Answer::decode(&answer.encode()), Ok(answer));
    }
}
