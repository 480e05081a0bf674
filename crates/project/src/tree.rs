//! Tiny projects for tests, in a directory whose name has a blank and letters beyond ASCII.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

pub struct Tree {
    directory: TempDir,
}

impl Tree {
    /// Files by relative path; a path that ends in `/` makes a directory.
    pub fn new(files: &[(&str, &str)]) -> Tree {
        let tree = Tree {
            directory: tempfile::tempdir().unwrap(),
        };
        for (path, content) in files {
            tree.write(path, content);
        }
        tree
    }

    pub fn root(&self) -> PathBuf {
        let root = self.directory.path().join("prøject röot");
        fs::create_dir_all(&root).unwrap();
        root.canonicalize().unwrap()
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.root().join(relative)
    }

    pub fn write(&self, relative: &str, content: &str) {
        let path = self.path(relative);
        if relative.ends_with('/') {
            fs::create_dir_all(path).unwrap();
        } else {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
    }

    pub fn make_executable(&self, relative: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.path(relative);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}
