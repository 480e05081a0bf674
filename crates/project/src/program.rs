//! Finding programs without a shell.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The file that `name` would start, given the value of `PATH`.
pub fn on_path(name: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    std::env::split_paths(path?)
        .map(|directory| directory.join(name))
        .find(|file| is_executable(file))
}

pub fn is_executable(file: &Path) -> bool {
    let Ok(metadata) = file.metadata() else {
        return false;
    };
    #[cfg(unix)]
    let allowed = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let allowed = true;
    metadata.is_file() && allowed
}
