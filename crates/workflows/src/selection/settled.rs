//! A state of everything in which no test needs to run, so that the next `jury test` can say so
//! without starting the build tool.
//!
//! It is compared by looks, not by content: a file that was only touched costs a build, which then
//! finds that nothing has changed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use jury_model::{Counts, Recipe};
use jury_select::{Digest, Hash128, State, Subject};

use super::SelectionSettings;
use super::files::Look;
use super::inputs::{Inputs, add_look};
use super::surroundings::{Surroundings, attached};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Settled {
    /// How the project's files looked when the build started.
    pub inputs: Hash128,
    /// How the directories that hold classes looked when it had ended.
    pub outputs: Hash128,
    /// How all else looked then.
    pub rest: Hash128,
    pub tests: SettledTests,
    pub watched: Watched,
}

/// What is known in a settled state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SettledTests {
    pub classes: usize,
    pub counts: Counts,
}

/// What has to be looked at, besides inputs and surroundings.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Watched {
    /// Directories that hold classes.
    pub outputs: BTreeSet<PathBuf>,
    pub files: BTreeSet<PathBuf>,
    /// Directories that tests list.
    pub listed: BTreeSet<PathBuf>,
    pub variables: BTreeSet<String>,
}

impl Watched {
    pub fn add_recipe(&mut self, recipe: &Recipe, surroundings: &Surroundings) {
        let paths = recipe.module_path.iter().chain(&recipe.class_path);
        for path in paths.map(PathBuf::from).chain(attached(recipe)) {
            if path.is_dir() {
                self.outputs.insert(path);
            } else {
                self.files.insert(path);
            }
        }
        self.files
            .insert(Path::new(&recipe.java_home).join("release"));
        self.files
            .extend(surroundings.outside_files().map(Path::to_owned));
    }

    /// Resources and missing classes are to be found in the outputs, or not at all.
    pub fn add_subject(&mut self, subject: &Subject, recipe: &Recipe) {
        let path = |name: &str| Path::new(&recipe.working_directory).join(name);
        match subject {
            Subject::File(name) => _ = self.files.insert(path(name)),
            Subject::Directory(name) => _ = self.listed.insert(path(name)),
            Subject::Variable(name) => _ = self.variables.insert(name.clone()),
            Subject::Resource(_) | Subject::MissingClass(_) | Subject::Launch(_) => {}
        }
    }

    pub fn outputs(&self) -> Vec<PathBuf> {
        self.outputs.iter().cloned().collect()
    }

    pub fn outputs_digest(&self) -> Hash128 {
        Inputs::below(self.outputs.iter().map(PathBuf::as_path)).digest(&[])
    }

    pub fn digest(&self, surroundings: &Surroundings, settings: &SelectionSettings) -> Hash128 {
        let mut digest = Digest::new(HEADER);
        surroundings.add_to(&mut digest);
        // Under other settings other tests may have to run.
        digest.bytes(format!("{:?}", settings.lasting()).as_bytes());
        for path in &self.files {
            match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => digest.byte(1),
                Ok(metadata) => {
                    digest.byte(2);
                    add_look(&Look::at(&metadata), &mut digest);
                }
                Err(_) => digest.byte(0),
            }
        }
        for path in &self.listed {
            add_state(super::world::directory(path), &mut digest);
        }
        for name in &self.variables {
            add_state(surroundings.variable(name), &mut digest);
        }
        digest.finish()
    }
}

fn add_state(state: State, digest: &mut Digest) {
    match state {
        State::Absent => digest.byte(0),
        State::Unreadable => digest.byte(1),
        State::Present(hash) => digest.hash(hash),
    }
}

const HEADER: &str = "jury settled 2";

impl Settled {
    /// None if a path cannot be written as a line of text; then nothing is ever settled.
    pub fn encode(&self) -> Option<Vec<u8>> {
        let counts = &self.tests.counts;
        let mut text = format!(
            "{HEADER}\ninputs {}\noutputs {}\nrest {}\nclasses {}\ncounts {} {} {} {} {} {}\n",
            self.inputs,
            self.outputs,
            self.rest,
            self.tests.classes,
            counts.passed,
            counts.skipped,
            counts.aborted,
            counts.failed,
            counts.timed_out,
            counts.crashed,
        );
        let watched = &self.watched;
        for (word, paths) in [
            ("output", &watched.outputs),
            ("file", &watched.files),
            ("listed", &watched.listed),
        ] {
            for path in paths {
                let path = path.to_str().filter(|path| !path.contains('\n'))?;
                text.push_str(&format!("{word} {path}\n"));
            }
        }
        for name in &watched.variables {
            text.push_str(&format!("variable {name}\n"));
        }
        Some(text.into_bytes())
    }

    /// None if the bytes say nothing this version understands.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut lines = std::str::from_utf8(bytes).ok()?.lines();
        (lines.next()? == HEADER).then_some(())?;
        let mut value = |word: &str| lines.next()?.strip_prefix(word)?.strip_prefix(' ');
        let inputs = hash(value("inputs")?)?;
        let outputs = hash(value("outputs")?)?;
        let rest = hash(value("rest")?)?;
        let classes = value("classes")?.parse().ok()?;
        let counts: Vec<usize> = (value("counts")?.split(' '))
            .map(|count| count.parse().ok())
            .collect::<Option<_>>()?;
        let &[passed, skipped, aborted, failed, timed_out, crashed] = &counts[..] else {
            return None;
        };
        let mut watched = Watched::default();
        for line in lines {
            let (word, value) = line.split_once(' ')?;
            match word {
                "output" => watched.outputs.insert(value.into()),
                "file" => watched.files.insert(value.into()),
                "listed" => watched.listed.insert(value.into()),
                "variable" => watched.variables.insert(value.to_owned()),
                _ => return None,
            };
        }
        Some(Settled {
            inputs,
            outputs,
            rest,
            tests: SettledTests {
                classes,
                counts: Counts {
                    passed,
                    skipped,
                    aborted,
                    failed,
                    timed_out,
                    crashed,
                },
            },
            watched,
        })
    }
}

fn hash(text: &str) -> Option<Hash128> {
    let mut hash = [0; 16];
    (text.len() == 32).then_some(())?;
    for (place, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * place..2 * place + 2)?, 16).ok()?;
    }
    Some(Hash128(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(file: &str) -> Settled {
        Settled {
            inputs: Hash128::of(b"inputs"),
            outputs: Hash128::of(b"outputs"),
            rest: Hash128::of(b"rest"),
            tests: SettledTests {
                classes: 3,
                counts: Counts {
                    passed: 12,
                    skipped: 1,
                    ..Counts::default()
                },
            },
            watched: Watched {
                outputs: ["/p/target/classes".into()].into(),
                files: [file.into()].into(),
                listed: BTreeSet::new(),
                variables: ["HOME".to_owned()].into(),
            },
        }
    }

    #[test]
    fn a_settled_state_is_read_back() {
        let settled = settled("/p/my data.txt");
        let bytes = settled.encode().unwrap();
        assert_eq!(Settled::decode(&bytes), Some(settled));
    }

    #[test]
    fn a_path_that_is_no_line_is_refused_and_so_are_strange_words() {
        assert_eq!(settled("/p/a\nb").encode(), None);
        assert_eq!(Settled::decode(b"jury settled 1\n"), None);
    }
}
