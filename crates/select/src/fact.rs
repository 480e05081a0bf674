//! What a test depends on besides classes: files, directories, resources, variables and the launch
//! of its JVM, with its properties.

use std::fmt;

use crate::hash::Hash128;

/// Stands for all variables in a [`Subject::Variable`].
pub const ALL_VARIABLES: &str = "*";

/// Something outside the classes whose state a test saw.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// A file read, written or looked for. A database kept in one file is one subject.
    File(String),
    /// The names in a directory.
    Directory(String),
    /// Everything the class path offers under a name: where, in which order, with what content.
    Resource(String),
    /// A class that was looked for and not found, by binary name.
    MissingClass(String),
    /// An environment variable, or all of them ([`ALL_VARIABLES`]).
    Variable(String),
    /// A part of the JVM's launch, such as `JDK` or `JVM flags`.
    Launch(String),
}

/// How a subject was found. Contents are kept as hashes only: variables may hold secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    Absent,
    /// It is there and may not be read.
    Unreadable,
    Present(Hash128),
}

/// A subject with the state a test saw.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fact {
    pub subject: Subject,
    pub state: State,
}

/// How a subject differs from what a test saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateChange {
    Appeared,
    Vanished,
    Changed,
}

impl StateChange {
    pub(crate) fn between(seen: State, now: State) -> Option<Self> {
        match (seen, now) {
            _ if seen == now => None,
            (State::Absent, _) => Some(StateChange::Appeared),
            (_, State::Absent) => Some(StateChange::Vanished),
            _ => Some(StateChange::Changed),
        }
    }
}

impl Subject {
    /// The subject that has this [`kind`](Self::kind).
    pub(crate) fn of_kind(kind: u64, name: String) -> Option<Self> {
        Some(match kind {
            0 => Subject::File(name),
            1 => Subject::Directory(name),
            2 => Subject::Resource(name),
            3 => Subject::MissingClass(name),
            4 => Subject::Variable(name),
            6 => Subject::Launch(name),
            _ => return None,
        })
    }

    /// As it is stored; 5 was never given to anything.
    pub(crate) fn kind(&self) -> u64 {
        match self {
            Subject::File(_) => 0,
            Subject::Directory(_) => 1,
            Subject::Resource(_) => 2,
            Subject::MissingClass(_) => 3,
            Subject::Variable(_) => 4,
            Subject::Launch(_) => 6,
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Subject::File(name)
            | Subject::Directory(name)
            | Subject::Resource(name)
            | Subject::MissingClass(name)
            | Subject::Variable(name)
            | Subject::Launch(name) => name,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Subject::Variable(name) if name == ALL_VARIABLES => {
                return f.write_str("some environment variable");
            }
            Subject::File(_) => "file",
            Subject::Directory(_) => "directory",
            Subject::Resource(_) => "resource",
            Subject::MissingClass(_) => "class",
            Subject::Variable(_) => "environment variable",
            Subject::Launch(_) => "launch setting",
        };
        write!(f, "{what} `{}`", self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subject_is_made_again_from_its_kind() {
        let made = (0..10).filter_map(|kind| Some((kind, Subject::of_kind(kind, "x".into())?)));
        let made: Vec<(u64, Subject)> = made.collect();
        assert_eq!(made.len(), 6);
        assert!(made.iter().all(|(kind, subject)| subject.kind() == *kind));
    }

    #[test]
    fn a_test_that_reads_all_variables_is_told_of_some() {
        let named = |name: &str| Subject::Variable(name.to_owned()).to_string();
        assert_eq!(named("HOME"), "environment variable `HOME`");
        assert_eq!(named(ALL_VARIABLES), "some environment variable");
    }
}
