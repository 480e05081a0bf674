//! Class files to read, made by the `javac` at hand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The classes of `tests/java`, by file name without extension.
pub static SAMPLES: LazyLock<BTreeMap<String, Vec<u8>>> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    let files = ["Everything.java", "Service.java", "module-info.java"];
    let javac = std::env::var_os("JAVA_HOME")
        .map_or("javac".into(), |home| PathBuf::from(home).join("bin/javac"));
    let output = Command::new(javac)
        .args([
            "-g",
            "-parameters",
            "-encoding",
            "UTF-8",
            "--release",
            "17",
            "-d",
        ])
        .arg(directory.path())
        .args(files.map(|file| sources.join(file)))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut classes = BTreeMap::new();
    for folder in [directory.path().to_owned(), directory.path().join("sample")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let file = entry.unwrap().path();
            if file
                .extension()
                .is_some_and(|extension| extension == "class")
            {
                let name = file.file_stem().unwrap().to_string_lossy().into_owned();
                classes.insert(name, std::fs::read(file).unwrap());
            }
        }
    }
    classes
});
