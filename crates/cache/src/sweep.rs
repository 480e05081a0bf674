//! Keeps a directory within its size and age. Servers have means of their own for both.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

struct File {
    path: PathBuf,
    size: u64,
    written: SystemTime,
}

/// Removes files that are too old, then the oldest until the rest is small enough. Only what looks
/// like a part of a cache is touched.
pub(crate) fn sweep(root: &Path, max_size: u64, age: Duration, now: SystemTime) -> io::Result<()> {
    let mut files = Vec::new();
    for part in ["entries", "indexes"] {
        list(&root.join(part), &mut files)?;
    }
    files.sort_by_key(|file| file.written);
    let mut size: u64 = files.iter().map(|file| file.size).sum();
    for file in files {
        let is_old = now.duration_since(file.written).is_ok_and(|own| own > age);
        if !is_old && size <= max_size {
            break;
        }
        // Somebody else may have been faster.
        let _ = fs::remove_file(&file.path);
        size -= file.size;
    }
    Ok(())
}

fn list(directory: &Path, files: &mut Vec<File>) -> io::Result<()> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        // Links are left alone: what they lead to is not ours.
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        if metadata.is_dir() {
            list(&entry.path(), files)?;
        } else if metadata.is_file() {
            files.push(File {
                path: entry.path(),
                size: metadata.len(),
                written: metadata.modified()?,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 3600);

    fn write(root: &Path, path: &str, age: Duration, now: SystemTime) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, [0; 100]).unwrap();
        let file = fs::File::options().append(true).open(&path).unwrap();
        file.set_modified(now - age).unwrap();
    }

    fn left(root: &Path) -> Vec<String> {
        let mut files = Vec::new();
        list(root, &mut files).unwrap();
        let name = |file: &File| file.path.strip_prefix(root).unwrap().display().to_string();
        let mut names: Vec<String> = files.iter().map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn old_files_go_and_then_the_oldest_until_the_rest_fits() {
        let (directory, now) = (tempfile::tempdir().unwrap(), SystemTime::now());
        let root = directory.path();
        for (path, days) in [
            ("entries/00/expired", 40),
            ("entries/00/oldest", 5),
            ("entries/01/newer", 2),
            ("indexes/newest", 1),
            ("notes.txt", 99),
        ] {
            write(root, path, DAY * days, now);
        }
        sweep(root, 1000, DAY * 30, now).unwrap();
        let rest = [
            "entries/00/oldest",
            "entries/01/newer",
            "indexes/newest",
            "notes.txt",
        ];
        assert_eq!(left(root), rest, "foreign files are left alone");
        sweep(root, 250, DAY * 30, now).unwrap();
        assert_eq!(
            left(root),
            ["entries/01/newer", "indexes/newest", "notes.txt"]
        );
    }

    #[test]
    fn a_directory_that_is_not_there_yet_needs_no_sweeping() {
        let directory = tempfile::tempdir().unwrap();
        sweep(&directory.path().join("none"), 0, DAY, SystemTime::now()).unwrap();
    }
}
