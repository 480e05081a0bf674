//! What a project's class directories hold: each class as a hash and the names it speaks of, all
//! other files as one hash. Every directory is read once, however many class paths it is on.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use jury_classfile::{ClassFile, Constant};
use jury_select::{ClassFingerprint, Digest, Hash128, Hashing};

/// The directories that have been read, by path.
#[derive(Default)]
pub(in crate::mutate) struct Contents {
    directories: HashMap<PathBuf, DirectoryContent>,
}

/// What one directory holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DirectoryContent {
    /// By name in VM form.
    pub classes: BTreeMap<String, ClassContent>,
    /// Everything that is no class.
    pub files: Hash128,
    /// Words in those files that may be names of classes, as in `META-INF/services`.
    pub mentions: HashSet<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClassContent {
    pub hash: Hash128,
    /// Classes it refers to, and texts that may be names of classes, in VM form.
    pub mentions: Vec<String>,
}

/// Sources are compiled before they count; what else lies beside them is data that tests may open
/// by its path.
const SOURCES: [&str; 5] = ["java", "kt", "groovy", "scala", "class"];

impl Contents {
    pub fn read<'p>(directories: impl IntoIterator<Item = &'p Path>) -> Self {
        let mut contents = Contents::default();
        for path in directories {
            if !contents.directories.contains_key(path) {
                contents
                    .directories
                    .insert(path.to_owned(), DirectoryContent::read(path));
            }
        }
        contents
    }

    pub(super) fn directory(&self, path: &Path) -> Option<&DirectoryContent> {
        self.directories.get(path)
    }

    pub(super) fn class(&self, directory: &Path, name: &str) -> Option<Hash128> {
        Some(self.directories.get(directory)?.classes.get(name)?.hash)
    }
}

#[cfg(test)]
impl FromIterator<(PathBuf, DirectoryContent)> for Contents {
    fn from_iter<I: IntoIterator<Item = (PathBuf, DirectoryContent)>>(directories: I) -> Self {
        Contents {
            directories: directories.into_iter().collect(),
        }
    }
}

impl DirectoryContent {
    fn read(directory: &Path) -> Self {
        let mut classes = BTreeMap::new();
        let mut mentions = HashSet::new();
        let mut files = Digest::new("jury files 1");
        for (name, path) in files_below(directory) {
            let bytes = fs::read(&path).unwrap_or_default();
            match name.strip_suffix(".class") {
                // Versions of classes for other JDKs lie here; which one counts is the JVM's choice.
                Some(class) if !name.starts_with("META-INF/") => {
                    classes.insert(class.to_owned(), ClassContent::of(&bytes));
                }
                _ => {
                    files.bytes(name.as_bytes());
                    files.hash(Hash128::of(&bytes));
                    mentions.extend(words(&bytes));
                }
            }
        }
        DirectoryContent {
            classes,
            files: files.finish(),
            mentions,
        }
    }
}

impl ClassContent {
    fn of(bytes: &[u8]) -> Self {
        ClassContent {
            hash: ClassFingerprint::of(bytes, Hashing::default()).whole,
            // No JVM can load a class that cannot be read, so what it refers to does not matter.
            mentions: mentions(bytes).unwrap_or_default(),
        }
    }
}

/// Names of classes in references and in texts, as `Class.forName` takes them.
fn mentions(bytes: &[u8]) -> Option<Vec<String>> {
    let file = ClassFile::read(bytes).ok()?;
    let references = file.referenced_classes().ok()?;
    let mut names: Vec<String> = references.iter().map(|name| name.to_string()).collect();
    for index in file.pool.indices() {
        if let Ok(Constant::String(text)) = file.pool.get(index) {
            names.extend(words(text.as_bytes()));
        }
    }
    names.sort_unstable();
    names.dedup();
    Some(names)
}

/// Qualified names in a text, in VM form.
fn words(text: &[u8]) -> impl Iterator<Item = String> {
    let is_part = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'/') || *byte >= 0x80
    };
    text.split(move |byte| !is_part(byte))
        .filter(|word| word.iter().any(|byte| matches!(byte, b'.' | b'/')))
        .filter_map(|word| std::str::from_utf8(word).ok())
        // A name may end a sentence.
        .map(|word| word.trim_matches(['.', '/']).replace('.', "/"))
}

/// A hash of the data beside a module's sources; tests may open it by its path, where nobody sees
/// which of them do.
pub(super) fn data_beside_sources(module: &Path) -> Hash128 {
    let mut digest = Digest::new("jury data 1");
    for (name, path) in files_below(&module.join("src")) {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if !extension.is_some_and(|extension| SOURCES.contains(&extension)) {
            digest.bytes(name.as_bytes());
            digest.hash(Hash128::of(&fs::read(&path).unwrap_or_default()));
        }
    }
    digest.finish()
}

/// All files below a directory with their paths inside it, in order of these.
fn files_below(directory: &Path) -> BTreeMap<String, PathBuf> {
    let mut files = BTreeMap::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(current) = pending.pop() {
        let Ok(entries) = fs::read_dir(&current) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                // Links are not followed: they may lead round in a circle.
                Ok(kind) if kind.is_dir() => pending.push(path),
                Ok(kind) if kind.is_file() => {
                    if let Ok(inside) = path.strip_prefix(directory) {
                        files.insert(inside.to_string_lossy().into_owned(), path);
                    }
                }
                _ => {}
            }
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(files: &[(&str, &str)]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        directory
    }

    fn content(files: &[(&str, &str)]) -> DirectoryContent {
        DirectoryContent::read(directory(files).path())
    }

    #[test]
    fn any_file_that_is_no_class_counts_by_name_and_text() {
        let before = content(&[("prices.txt", "1"), ("a/B.class", "x")]).files;
        assert_eq!(content(&[("prices.txt", "1")]).files, before);
        assert_ne!(content(&[("prices.txt", "2")]).files, before);
        assert_ne!(content(&[("costs.txt", "1")]).files, before);
        assert_ne!(content(&[]).files, before);
        let versioned = [("prices.txt", "1"), ("META-INF/versions/9/a/B.class", "x")];
        assert_ne!(content(&versioned).files, before);
    }

    #[test]
    fn files_mention_classes() {
        let content = content(&[(
            "META-INF/services/a.B",
            "# first, see a.Slow.\na.Fast$One\n",
        )]);
        assert!(content.mentions.contains("a/Fast$One"));
        assert!(content.mentions.contains("a/Slow"));
        assert!(!content.mentions.contains("first"));
    }

    #[test]
    fn data_counts_where_sources_do_not() {
        let hash = |files: &[_]| data_beside_sources(directory(files).path());
        let before = hash(&[("src/test/data/x.csv", "1"), ("src/main/java/A.java", "1")]);
        assert_eq!(
            hash(&[("src/test/data/x.csv", "1"), ("README", "1")]),
            before
        );
        assert_ne!(hash(&[("src/test/data/x.csv", "2")]), before);
    }
}
