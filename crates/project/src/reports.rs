//! The reports that a build left behind. They tell what the build tool itself believes, which
//! Jury compares with what its agent saw: tests in a report that no agent saw ran inside the
//! build tool.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::project::Project;
use crate::report_file::{self, ReportedOutcome, ReportedTest};

/// Where build tools put reports, relative to a module.
const REPORT_DIRECTORIES: [&str; 3] = [
    "target/surefire-reports",
    "target/failsafe-reports",
    "build/test-results",
];

/// Gradle keeps a directory for each test task, and some plugins one more inside.
const DEEPEST: usize = 3;

/// All reports of one build, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReportSummary {
    /// Files that were read.
    pub files: usize,
    /// Files that could not be read to their end; nothing in them is counted.
    pub unreadable: usize,
    pub tests: usize,
    pub failures: usize,
    pub errors: usize,
    pub skipped: usize,
}

impl Project {
    /// Counts what the reports written at `since` or later say.
    pub fn surefire_reports_since(&self, since: SystemTime) -> ReportSummary {
        let mut summary = ReportSummary::default();
        self.visit_reports(since, |tests| match tests {
            Some(tests) => {
                let count = |outcome| tests.iter().filter(|test| test.outcome == outcome).count();
                summary.files += 1;
                summary.tests += tests.len();
                summary.failures += count(ReportedOutcome::Failed);
                summary.errors += count(ReportedOutcome::Errored);
                summary.skipped += count(ReportedOutcome::Skipped);
            }
            None => summary.unreadable += 1,
        });
        summary
    }

    /// Every test in the reports written at `since` or later, in order of module and file.
    pub fn reported_tests(&self, since: SystemTime) -> Vec<ReportedTest> {
        let mut all = Vec::new();
        self.visit_reports(since, |tests| all.extend(tests.into_iter().flatten()));
        all
    }

    /// Hands over the tests of each report, or `None` for one that cannot be read.
    fn visit_reports(&self, since: SystemTime, mut visit: impl FnMut(Option<Vec<ReportedTest>>)) {
        for module in self.modules() {
            for directory in REPORT_DIRECTORIES {
                for path in report_files(&module.directory.join(directory), since, DEEPEST) {
                    visit(report_file::read(&path, &module.name));
                }
            }
        }
    }
}

/// `TEST-*.xml` files in `directory` and below it. Links are not followed, so there are no circles.
fn report_files(directory: &Path, since: SystemTime, depth: usize) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if metadata.is_dir() && depth > 0 {
            files.extend(report_files(&entry.path(), since, depth - 1));
        } else if metadata.is_file()
            && name.starts_with("TEST-")
            && name.ends_with(".xml")
            && metadata.modified().is_ok_and(|modified| modified >= since)
        {
            files.push(entry.path());
        }
    }
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::*;
    use crate::tree::Tree;

    const START: Duration = Duration::from_secs(1_000_000);

    fn write_report(tree: &Tree, path: &str, body: &str, age: u64) {
        tree.write(path, &format!("<testsuite>{body}</testsuite>"));
        let file = File::options().append(true).open(tree.path(path)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + START - Duration::from_secs(age))
            .unwrap();
    }

    fn project() -> (Tree, Project) {
        let tree = Tree::new(&[
            (
                "pom.xml",
                "<project><modules><module>core</module></modules></project>",
            ),
            ("core/pom.xml", "<project/>"),
        ]);
        let project = Project::discover(&tree.root()).unwrap();
        (tree, project)
    }

    #[test]
    fn reports_of_all_modules_and_plugins_are_counted() {
        let (tree, project) = project();
        let passed = "<testcase classname='a.B' name='adds'/>";
        let red = "<testcase name='f'><failure/></testcase><testcase name='e'><error/></testcase>";
        let skipped = "<testcase name='s'><skipped/></testcase>";
        write_report(&tree, "target/surefire-reports/TEST-a.B.xml", passed, 0);
        write_report(&tree, "core/target/failsafe-reports/TEST-it.xml", red, 0);
        write_report(&tree, "core/build/test-results/test/TEST-g.xml", skipped, 0);
        write_report(&tree, "target/surefire-reports/other.xml", passed, 0);
        let since = SystemTime::UNIX_EPOCH + START;
        let expected = ReportSummary {
            files: 3,
            unreadable: 0,
            tests: 4,
            failures: 1,
            errors: 1,
            skipped: 1,
        };
        assert_eq!(project.surefire_reports_since(since), expected);
        let tests = project.reported_tests(since);
        assert_eq!(tests[0].module, ".");
        assert_eq!(
            (tests[0].class.as_str(), tests[0].name.as_str()),
            ("a.B", "adds")
        );
        assert_eq!(tests[1].module, "core");
    }

    #[test]
    fn reports_of_earlier_builds_are_left_out() {
        let (tree, project) = project();
        let passed = "<testcase name='adds'/>";
        write_report(&tree, "target/surefire-reports/TEST-old.xml", passed, 1);
        write_report(&tree, "target/surefire-reports/TEST-new.xml", passed, 0);
        let summary = project.surefire_reports_since(SystemTime::UNIX_EPOCH + START);
        assert_eq!((summary.files, summary.tests), (1, 1));
    }

    #[test]
    fn an_unreadable_report_is_counted_and_the_others_are_read() {
        let (tree, project) = project();
        tree.write(
            "target/surefire-reports/TEST-a.xml",
            "<testsuite><testcase name='x'/>",
        );
        tree.write("target/surefire-reports/TEST-b.xml", "<testsuite/>");
        let summary = project.surefire_reports_since(SystemTime::UNIX_EPOCH);
        assert_eq!(
            (summary.files, summary.unreadable, summary.tests),
            (1, 1, 0)
        );
    }
}
