//! `jury demo`: puts the sample project that travels inside the binary onto the disk.

use std::io::{self, Cursor};
use std::path::Path;

use crate::WorkflowError;

/// Unpacks the sample into `directory`, which must be empty or not exist.
pub fn unpack_demo(directory: &Path) -> Result<(), WorkflowError> {
    unpack(directory).map_err(WorkflowError::Demo)
}

fn unpack(directory: &Path) -> io::Result<()> {
    std::fs::create_dir_all(directory)?;
    if std::fs::read_dir(directory)?.next().is_some() {
        return Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("`{}` is not empty", directory.display()),
        ));
    }
    let mut archive = zip::ZipArchive::new(Cursor::new(jury_bundle::DEMO.bytes))?;
    archive.extract(directory)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_arrives_with_its_build_file_and_sources() {
        let directory = tempfile::tempdir().unwrap();
        unpack_demo(directory.path()).unwrap();
        assert!(directory.path().join("pom.xml").is_file());
        assert!(directory.path().join("src/test/java").is_dir());
    }

    #[test]
    fn a_directory_with_something_in_it_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("mine"), "").unwrap();
        assert!(unpack_demo(directory.path()).is_err());
    }
}
