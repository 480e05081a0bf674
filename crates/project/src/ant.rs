//! Ant builds: the target that runs the tests, by its customary name.

use std::path::Path;

use crate::xml;

pub const BUILD_FILE: &str = "build.xml";

/// Customary names of the target that runs tests, in order of preference.
const TEST_TARGETS: [&str; 3] = ["test", "tests", "junit"];

/// The test target of the build file in `root`. Imported build files are not followed.
pub fn test_target(root: &Path) -> Option<&'static str> {
    let document = xml::read_build_file(&root.join(BUILD_FILE)).ok()?;
    let targets = xml::attributes(&document, "target", "name");
    TEST_TARGETS
        .into_iter()
        .find(|name| targets.iter().any(|target| target == name))
}
