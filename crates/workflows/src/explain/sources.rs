//! The sources of test code, each read once: a file may change meanwhile, and places in one text mean nothing in
//! another.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use jury_explain::JavaSource;
use jury_mutate::ClassMutants;

use super::drafts::TestSource;
use crate::mutate::sources::source_of;

pub(super) struct TestSources<'a> {
    root: &'a Path,
    known: Mutex<HashMap<Key, Option<Arc<TestSource>>>>,
}

/// The directory of class files and the path below that of sources, which all classes of a file share.
type Key = (PathBuf, PathBuf);

impl<'a> TestSources<'a> {
    pub fn new(root: &'a Path) -> Self {
        TestSources {
            root,
            known: Mutex::default(),
        }
    }

    /// The source of a class whose class file is below a directory.
    pub fn of(&self, classes: &Path, class: &ClassMutants) -> Option<Arc<TestSource>> {
        let file = Path::new(&class.name).with_file_name(class.source_file.as_deref()?);
        let read = || {
            let source = source_of(self.root, classes, class)?;
            let path = source.path?;
            Some(Arc::new(TestSource {
                file: self.root.join(&path),
                path,
                classes: classes.to_owned(),
                java: JavaSource::parse(source.text)?,
            }))
        };
        let mut known = self.known.lock().unwrap_or_else(|dead| dead.into_inner());
        let key = (classes.to_owned(), file);
        known.entry(key).or_insert_with(read).clone()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use jury_classfile::Access;

    use super::*;

    #[test]
    fn all_classes_of_a_file_have_one_text_whatever_becomes_of_the_file() {
        let project = tempfile::tempdir().unwrap();
        let file = project.path().join("src/test/java/a/T.java");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let sources = TestSources::new(project.path());
        let read = |name: &str, text: &str| {
            fs::write(&file, text).unwrap();
            let class = ClassMutants {
                name: name.into(),
                source_file: Some("T.java".into()),
                access: Access(0),
                methods: Vec::new(),
            };
            sources.of(&project.path().join("target/test-classes"), &class)
        };
        let outer = read("a/T", "class T { class Inner {} }").unwrap();
        let inner = read("a/T$Inner", "class T {}").unwrap();
        assert!(Arc::ptr_eq(&outer, &inner));
        assert!(read("a/U$Inner", "class T {}").is_some());
        assert_eq!(outer.file, file);
    }
}
