//! What a JVM reported, in the words of the analysis.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use jury_jvm::{JvmEvidence, TouchKind, Uses};
use jury_select::{
    ALL_VARIABLES, Hash128, Mark, Marks, Observed, ProbedClass, Subject, Tangle, Touch, Traces,
};

use super::Granularity;
use super::grouping::{self, Grouping};
use super::places::{plain, seen_from, within};

/// Directories of Surefire, Failsafe and TestNG.
const REPORTS: [&str; 3] = ["surefire-reports", "failsafe-reports", "test-output"];

/// Where Jury keeps what it knows, unless it is told otherwise.
const STATE_DIR: &str = ".jury";

/// Where Surefire keeps what it needs while tests run.
const FORKS: [&str; 2] = ["target", "surefire"];

/// Files in which a listener of the JUnit Platform notes what ran, under another name each time.
const UNIQUE_IDS: &str = "junit-platform-unique-ids";

/// Where the JVM worked.
struct Workplace<'a> {
    root: &'a Path,
    /// Where Jury keeps what it knows.
    state_dir: &'a Path,
    directory: &'a Path,
    /// For temporary files.
    temporary: String,
}

impl Workplace<'_> {
    /// A project may itself lie among temporary files.
    fn is_temporary(&self, name: &str) -> bool {
        let path = Path::new(name);
        path.starts_with(&self.temporary) && !path.starts_with(self.root)
    }

    /// A name that a test looked for among temporary files in vain, and that is likely to be another the next
    /// time: one with a number in it, or below a directory that is gone.
    fn is_made_up(&self, name: &str) -> bool {
        let path = Path::new(name);
        let inside = path.strip_prefix(&self.temporary).unwrap_or(path);
        let has_digit = inside
            .as_os_str()
            .as_encoded_bytes()
            .iter()
            .any(u8::is_ascii_digit);
        let is_gone = path.parent().is_none_or(|parent| !parent.exists());
        self.is_temporary(name) && (has_digit || is_gone)
    }

    /// Reports of frameworks, which write them when all is over, and what Surefire and Jury need
    /// themselves, are no input of any test, though one that walks through the project sees them.
    fn is_by_product(&self, name: &str) -> bool {
        let path = Path::new(name);
        let inside = path.strip_prefix(self.root).is_ok_and(|path| {
            let parts: Vec<&OsStr> = path.iter().collect();
            let is_report = |part: &&OsStr| REPORTS.iter().any(|report| *part == *report);
            let file = path.file_name().unwrap_or_default();
            parts.iter().any(is_report)
                || parts.windows(2).any(|two| two == FORKS)
                || file.to_string_lossy().starts_with(UNIQUE_IDS)
        });
        // A directory that somebody has named may hold more than what Jury knows.
        let is_own = self.state_dir.ends_with(STATE_DIR) && !self.root.starts_with(self.state_dir);
        inside || is_own && path.starts_with(self.state_dir)
    }

    fn name(&self, name: &str) -> String {
        seen_from(self.directory, self.root, name)
    }
}

/// All that the JVM saw, by unit. None if something in its report cannot be attributed, so that
/// nothing in it can be relied on.
pub(super) fn observed(
    jvm: &JvmEvidence,
    (root, state_dir): (&Path, &Path),
    granularity: Granularity,
) -> Option<Observed> {
    let directory = jvm.launch.as_ref().map(|launch| &launch.working_directory);
    let workplace = Workplace {
        root,
        state_dir,
        directory: directory.map_or(root, Path::new),
        temporary: temporary_directory(jvm),
    };
    let traces = |uses: &Uses| traces(uses, &workplace);
    let grouping = Grouping::collected(granularity, &BTreeMap::new());
    let units: HashMap<_, _> = (jvm.tests.iter())
        .map(|seen| (&seen.test.id, grouping.unit(&seen.test)))
        .collect();
    let mut used = Vec::with_capacity(jvm.used.len());
    for (id, uses) in &jvm.used {
        used.push((units.get(id)?.clone(), traces(uses)));
    }
    let mut tangled = Vec::new();
    if granularity == Granularity::Method {
        tangled = grouping::tangled(jvm);
        add_skipped_methods(jvm, &mut used);
    }
    let shared: Vec<(String, Traces)> = (jvm.shared.iter())
        .map(|shared| (shared.class.clone(), traces(&shared.uses)))
        .collect();
    let skipped = add_skipped(jvm, &mut used, &shared);
    tangled.extend((skipped.into_iter()).map(|class| (class, Tangle::NothingRan)));
    Some(Observed {
        classes: (jvm.loaded.iter())
            .map(|loaded| probed(loaded, root))
            .collect(),
        initialised: (jvm.initialised.iter())
            .map(|(number, uses)| (*number, traces(uses)))
            .collect(),
        used,
        shared,
        tangled,
        left_out: jvm.left_out.iter().map(|one| one.class.clone()).collect(),
    })
}

/// Files that the JVM's tests have written or removed, and directories in which they made files, by their
/// full paths.
pub(super) fn written(jvm: &JvmEvidence) -> HashSet<PathBuf> {
    touched(jvm, |kind| kind == TouchKind::FileWritten)
}

/// Files that were there when the JVM's tests looked.
pub(super) fn seen(jvm: &JvmEvidence) -> HashSet<PathBuf> {
    let kinds = [TouchKind::FileRead, TouchKind::FileLookedAt];
    touched(jvm, |kind| kinds.contains(&kind))
}

fn touched(jvm: &JvmEvidence, of: impl Fn(TouchKind) -> bool) -> HashSet<PathBuf> {
    let used = jvm.used.iter().map(|(_, uses)| uses);
    let shared = jvm.shared.iter().map(|shared| &shared.uses);
    let initialised = jvm.initialised.iter().map(|(_, uses)| uses);
    (used.chain(shared).chain(initialised))
        .flat_map(|uses| &uses.facts)
        .filter(|touch| of(touch.kind))
        .map(|touch| plain(Path::new(&touch.name)))
        .collect()
}

fn probed(loaded: &jury_jvm::LoadedClass, root: &Path) -> ProbedClass {
    ProbedClass {
        first: loaded.first,
        methods: loaded.methods,
        name: loaded.class.clone(),
        origin: within(root, Path::new(&loaded.origin)),
        digest: Hash128(loaded.digest),
    }
}

/// A class whose tests were all skipped used nothing by itself; but its conditions were evaluated
/// somewhere between other tests. So it counts as having used all that was used at all. Gives the
/// names of such classes.
fn add_skipped(
    jvm: &JvmEvidence,
    used: &mut Vec<(String, Traces)>,
    shared: &[(String, Traces)],
) -> Vec<String> {
    let ran: HashSet<&str> = used
        .iter()
        .map(|(unit, _)| grouping::class_of(unit))
        .collect();
    let skipped: BTreeSet<&str> = (grouping::skipped(jvm))
        .map(|test| test.top_level_class())
        .filter(|class| !ran.contains(class))
        .collect();
    if used.is_empty() || skipped.is_empty() {
        return Vec::new();
    }
    let mut all = Traces::default();
    for (_, traces) in used.iter().chain(shared) {
        all.methods.extend(&traces.methods);
        all.touches.extend(traces.touches.iter().cloned());
        all.marks = all.marks.iter().chain(traces.marks.iter()).collect();
    }
    all.methods.sort_unstable();
    all.methods.dedup();
    let skipped: Vec<String> = skipped.into_iter().map(str::to_owned).collect();
    used.extend(skipped.iter().map(|class| (class.clone(), all.clone())));
    skipped
}

/// A method that was skipped used what its class used outside its methods, conditions among it.
fn add_skipped_methods(jvm: &JvmEvidence, used: &mut Vec<(String, Traces)>) {
    let known: HashSet<&str> = used.iter().map(|(unit, _)| unit.as_str()).collect();
    let classes: HashSet<&str> = (jvm.shared.iter())
        .map(|shared| shared.class.as_str())
        .collect();
    let skipped: BTreeSet<String> = (grouping::skipped(jvm))
        .filter(|test| classes.contains(test.top_level_class()))
        .map(|test| test.method_unit())
        .filter(|unit| !known.contains(unit.as_str()))
        .collect();
    used.extend(skipped.into_iter().map(|unit| (unit, Traces::default())));
}

fn traces(uses: &Uses, workplace: &Workplace<'_>) -> Traces {
    let marks = [
        (Uses::CHILD_PROCESS, Mark::ChildProcess),
        (Uses::NETWORK, Mark::Network),
        (Uses::NATIVE_LIBRARY, Mark::NativeLibrary),
    ];
    let marks: Marks = (marks.into_iter())
        .filter(|(bit, _)| uses.marks & bit != 0)
        .map(|(_, mark)| mark)
        .collect();
    Traces {
        methods: uses.methods.clone(),
        touches: (uses.facts.iter())
            .filter_map(|touch| translate(touch.kind, &touch.name, workplace))
            .collect(),
        marks,
    }
}

fn translate(kind: TouchKind, name: &str, workplace: &Workplace<'_>) -> Option<Touch> {
    let vm_name = || name.replace('.', "/");
    let is_class = !name.is_empty() && !name.starts_with('[');
    let is_file = matches!(
        kind,
        TouchKind::FileLookedAt
            | TouchKind::FileRead
            | TouchKind::FileWritten
            | TouchKind::FileAbsent
            | TouchKind::DirectoryListed
    );
    if is_file && workplace.is_by_product(name) {
        return None;
    }
    Some(match kind {
        // Names in there are mostly made up anew each time. What is gone was made by a test.
        TouchKind::FileLookedAt | TouchKind::FileRead | TouchKind::FileWritten
            if workplace.is_temporary(name) && !Path::new(name).exists() =>
        {
            return None;
        }
        TouchKind::FileAbsent if workplace.is_made_up(name) => return None,
        TouchKind::FileLookedAt | TouchKind::FileRead | TouchKind::FileWritten => {
            Touch::Subject(Subject::File(workplace.name(name)))
        }
        TouchKind::FileAbsent => Touch::Absent(Subject::File(workplace.name(name))),
        TouchKind::DirectoryListed if workplace.is_temporary(name) => return None,
        TouchKind::DirectoryListed => Touch::Subject(Subject::Directory(workplace.name(name))),
        TouchKind::ResourceLookedUp => Touch::Subject(Subject::Resource(name.to_owned())),
        TouchKind::ClassLookedUp if is_class => Touch::ClassByName(vm_name()),
        TouchKind::ClassLoaded if is_class => Touch::ClassLoaded(vm_name()),
        TouchKind::MembersListed if is_class => Touch::Members(vm_name()),
        TouchKind::ClassLookedUp | TouchKind::ClassLoaded | TouchKind::MembersListed => {
            return None;
        }
        TouchKind::VariableRead => Touch::Subject(Subject::Variable(name.to_owned())),
        TouchKind::AllVariablesRead => Touch::Subject(Subject::Variable(ALL_VARIABLES.to_owned())),
    })
}

pub(super) fn temporary_directory(jvm: &JvmEvidence) -> String {
    let property = "java.io.tmpdir";
    let flag = jvm.launch.iter().flat_map(|launch| &launch.jvm_flags);
    let mut flag = flag.filter_map(|flag| {
        flag.strip_prefix("-D")?
            .strip_prefix(property)?
            .strip_prefix('=')
    });
    let named = jvm.properties.get(property).map(String::as_str);
    named.or(flag.next_back()).unwrap_or("/tmp").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_directory_that_was_chosen_may_hold_inputs() {
        for (state_dir, counts) in [
            ("/p/.jury", false),
            ("/p", true),
            ("/", true),
            ("", true),
            ("/p/target", true),
        ] {
            let workplace = Workplace {
                root: Path::new("/p"),
                state_dir: Path::new(state_dir),
                directory: Path::new("/p"),
                temporary: "/tmp".to_owned(),
            };
            let file = match counts {
                false => "/p/.jury/evidence.db",
                true => "/p/target/data.txt",
            };
            let touch = translate(TouchKind::FileRead, file, &workplace);
            assert_eq!(touch.is_some(), counts, "{state_dir}");
        }
        // The project itself may lie in a directory of that name.
        let workplace = Workplace {
            root: Path::new("/.jury/p"),
            state_dir: Path::new("/.jury"),
            directory: Path::new("/.jury/p"),
            temporary: "/tmp".to_owned(),
        };
        assert!(translate(TouchKind::FileRead, "/.jury/p/data.txt", &workplace).is_some());
    }

    #[test]
    fn a_temporary_file_that_was_looked_for_in_vain_counts_if_it_may_be_looked_for_again() {
        let directory = tempfile::tempdir().unwrap();
        let workplace = Workplace {
            root: Path::new("/p"),
            state_dir: Path::new("/p/.jury"),
            directory: Path::new("/p"),
            temporary: directory.path().display().to_string(),
        };
        for (name, counts) in [
            ("feature.on", true),
            ("junit-8713/a", false),
            ("feature-8713", false),
            ("gone/feature.on", false),
        ] {
            let path = directory.path().join(name).display().to_string();
            let touch = translate(TouchKind::FileAbsent, &path, &workplace);
            assert_eq!(touch.is_some(), counts, "{name}");
        }
    }

    #[test]
    fn what_frameworks_and_jury_write_is_no_input() {
        let workplace = Workplace {
            root: Path::new("/surefire-reports/p"),
            state_dir: Path::new("/surefire-reports/p/.jury"),
            directory: Path::new("/surefire-reports/p/core"),
            temporary: "/tmp".to_owned(),
        };
        let touched = |name: &str| {
            let kinds = [TouchKind::FileAbsent, TouchKind::FileRead];
            kinds.map(|kind| translate(kind, name, &workplace).is_some())
        };
        let (counts, ignored) = ([true, true], [false, false]);
        assert_eq!(
            touched("/surefire-reports/p/core/target/surefire-reports/failed.png"),
            ignored
        );
        assert_eq!(touched("/surefire-reports/p/core/test-output"), ignored);
        let unique_ids = "/surefire-reports/p/target/ids/junit-platform-unique-ids-31.txt";
        assert_eq!(touched(unique_ids), ignored);
        assert_eq!(touched("/surefire-reports/p/.jury/evidence.db"), ignored);
        assert_eq!(touched("/surefire-reports/p/core/target/surefire"), ignored);
        assert_eq!(touched("/surefire-reports/p/core/src/surefire/A"), counts);
        assert_eq!(touched("/surefire-reports/p/core/data/reports.txt"), counts);
        assert_eq!(touched("/elsewhere/surefire-reports/one.xml"), counts);
    }
}
