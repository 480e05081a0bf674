//! Files and directories that tests use beside their class paths, as `jury test` has seen it.
//!
//! A file of the project counts by what it holds now. What builds and tests write, or what lies
//! outside, counts as `jury test` last found it: tests may write such a file anew each time they
//! run, all the more with a mutant on, and would never be known again.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use jury_select::{Digest, Hash128, State, Subject};

/// Directories for what builds and tests write.
const OUTPUTS: [&str; 4] = ["target", "build", "out", "bin"];

/// By test class, what its tests were seen to use, and how it was when that was last booked.
#[derive(Debug, Default)]
pub(in crate::mutate) struct Inputs(HashMap<String, BTreeMap<Subject, State>>);

impl Inputs {
    /// Takes in what a test class used; of several times the first one said is the last one seen.
    pub fn add(&mut self, class: &str, subject: &Subject, seen: State) {
        if matches!(subject, Subject::File(_) | Subject::Directory(_)) {
            let subjects = self.0.entry(class.to_owned()).or_default();
            subjects.entry(subject.clone()).or_insert(seen);
        }
    }

    /// A hash of all that the tests of a class use, none if that is nothing. `directory` is where
    /// their JVM works.
    pub(super) fn digest(&self, class: &str, directory: &Path, root: &Path) -> Option<Hash128> {
        let subjects = self.0.get(class)?;
        let mut digest = Digest::new("jury inputs 1");
        for (subject, seen) in subjects {
            digest.bytes(subject.name().as_bytes());
            let place = directory.join(subject.name());
            match subject {
                _ if !is_source(&place, root) => add_state(&mut digest, *seen),
                Subject::Directory(_) => add_names(&mut digest, &place),
                _ => add_content(&mut digest, &place),
            }
        }
        Some(digest.finish())
    }
}

/// Whether a file belongs to the project and not to what is made of it.
fn is_source(place: &Path, root: &Path) -> bool {
    // A module's JVM may name a file of another one by way of the directory above.
    let plain = place.components().fold(Vec::new(), |mut parts, part| {
        match part {
            std::path::Component::ParentDir => _ = parts.pop(),
            std::path::Component::CurDir => {}
            part => parts.push(part.as_os_str()),
        }
        parts
    });
    let root: Vec<_> = root.components().map(|part| part.as_os_str()).collect();
    let inside = plain.strip_prefix(&root[..]);
    inside.is_some_and(|parts| {
        !parts
            .iter()
            .any(|part| OUTPUTS.iter().any(|out| part == out))
    })
}

fn add_state(digest: &mut Digest, state: State) {
    match state {
        State::Absent => digest.byte(0),
        State::Unreadable => digest.byte(1),
        State::Present(hash) => {
            digest.byte(2);
            digest.hash(hash);
        }
    }
}

fn add_content(digest: &mut Digest, file: &Path) {
    match fs::metadata(file) {
        // Pipes hold nothing that could be compared, and a directory's names have a subject.
        Ok(metadata) if !metadata.is_file() => digest.byte(3),
        Ok(_) => {
            let content = fs::read(file).map(|bytes| Hash128::of(&bytes));
            add_state(digest, content.map_or(State::Unreadable, State::Present));
        }
        Err(_) => add_state(digest, State::Absent),
    }
}

fn add_names(digest: &mut Digest, directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries
        .map(|entry| entry.file_name().into_encoded_bytes())
        .collect();
    names.sort_unstable();
    digest.number(names.len() as u64);
    names.iter().for_each(|name| digest.bytes(name));
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASS: &str = "a.BTest";

    /// What is said of a project by a test class of its module `core` that has used these subjects.
    fn digest(root: &Path, used: &[(Subject, State)]) -> Option<Hash128> {
        let mut inputs = Inputs::default();
        for (subject, state) in used {
            inputs.add(CLASS, subject, *state);
        }
        inputs.digest(CLASS, &root.join("core"), root)
    }

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn file(name: &str) -> (Subject, State) {
        (Subject::File(name.into()), State::Absent)
    }

    #[test]
    fn a_file_of_the_project_counts_by_what_it_holds() {
        let root = tempfile::tempdir().unwrap();
        for name in ["prices.txt", "../shared/prices.txt"] {
            let absent = digest(root.path(), &[file(name)]);
            write(root.path(), &format!("core/{name}"), "1");
            let first = digest(root.path(), &[file(name)]);
            assert_ne!(first, absent);
            write(root.path(), &format!("core/{name}"), "2");
            assert_ne!(digest(root.path(), &[file(name)]), first);
            write(root.path(), &format!("core/{name}"), "1");
            assert_eq!(digest(root.path(), &[file(name)]), first);
        }
    }

    #[test]
    fn what_tests_write_counts_as_it_was_booked() {
        let root = tempfile::tempdir().unwrap();
        let name = "target/log.txt";
        let before = digest(root.path(), &[file(name)]);
        write(root.path(), "core/target/log.txt", "1");
        assert_eq!(digest(root.path(), &[file(name)]), before);
        let booked = (file(name).0, State::Present(Hash128::of(b"2")));
        assert_ne!(digest(root.path(), &[booked]), before);
    }

    #[test]
    fn a_directory_counts_by_its_names() {
        let root = tempfile::tempdir().unwrap();
        let used = [(Subject::Directory("cases".into()), State::Absent)];
        write(root.path(), "core/cases/one.txt", "1");
        let before = digest(root.path(), &used);
        write(root.path(), "core/cases/one.txt", "2");
        assert_eq!(digest(root.path(), &used), before);
        write(root.path(), "core/cases/two.txt", "1");
        assert_ne!(digest(root.path(), &used), before);
    }

    #[test]
    fn the_last_time_counts_and_only_files_do() {
        let root = tempfile::tempdir().unwrap();
        let at = |text: &str| {
            let state = State::Present(Hash128::of(text.as_bytes()));
            (Subject::File("/etc/prices".into()), state)
        };
        let twice = digest(root.path(), &[at("2"), at("1")]);
        assert_eq!(twice, digest(root.path(), &[at("2")]));
        assert_eq!(digest(root.path(), &[]), None);
        let variable = (Subject::Variable("HOME".into()), State::Absent);
        assert_eq!(digest(root.path(), &[variable]), None);
    }
}
