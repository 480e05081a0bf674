//! Directories for sockets and session files: what a build's environment holds may be secret, and
//! who can reach a socket can give orders to a JVM.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;

use tempfile::TempDir;

/// A new directory that only this user can enter, whatever the umask; gone when dropped.
pub(crate) fn directory(name: &str) -> io::Result<TempDir> {
    named(tempfile::Builder::new().prefix(name))
}

/// As [`directory`], but with exactly this name, which fails if it is taken.
pub(crate) fn directory_called(name: &str) -> io::Result<TempDir> {
    named(tempfile::Builder::new().prefix(name).rand_bytes(0))
}

fn named(builder: &mut tempfile::Builder<'_, '_>) -> io::Result<TempDir> {
    builder.permissions(Permissions::from_mode(0o700)).tempdir()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn nobody_else_can_enter_the_directory_of_a_session() {
        let named = format!("jury-private-{}", std::process::id());
        for directory in [directory("jury-"), directory_called(&named)] {
            let directory = directory.unwrap();
            let mode = directory.path().metadata().unwrap().mode();
            assert_eq!(mode & 0o777, 0o700, "{}", directory.path().display());
        }
    }
}
