//! What a JVM reported, in the words of the analysis.

use std::collections::HashMap;
use std::path::Path;

use jury_jvm::{JvmEvidence, TouchKind, Uses};
use jury_model::Outcome;
use jury_select::{Hash128, Mark, Marks, Observed, ProbedClass, Subject, Touch, Traces};

use super::surroundings::ALL_VARIABLES;

/// The JVM's directory for temporary files.
struct Temporary<'a> {
    directory: String,
    root: &'a Path,
}

impl Temporary<'_> {
    /// A project may itself lie in there.
    fn holds(&self, name: &str) -> bool {
        let path = Path::new(name);
        path.starts_with(&self.directory) && !path.starts_with(self.root)
    }
}

/// All that the JVM saw, by unit. None if something in its report cannot be attributed, so that
/// nothing in it can be relied on.
pub(super) fn observed(jvm: &JvmEvidence, root: &Path) -> Option<Observed> {
    let temporary = Temporary {
        directory: temporary_directory(jvm),
        root,
    };
    let traces = |uses: &Uses| traces(uses, &temporary);
    let units: HashMap<_, _> = (jvm.tests.iter())
        .map(|seen| (&seen.test.id, seen.test.top_level_class()))
        .collect();
    let mut used = Vec::with_capacity(jvm.used.len());
    for (id, uses) in &jvm.used {
        used.push(((*units.get(id)?).to_owned(), traces(uses)));
    }
    add_skipped(jvm, &mut used);
    Some(Observed {
        classes: jvm.loaded.iter().map(probed).collect(),
        initialised: (jvm.initialised.iter())
            .map(|(number, uses)| (*number, traces(uses)))
            .collect(),
        used,
        left_out: jvm.left_out.iter().map(|one| one.class.clone()).collect(),
    })
}

fn probed(loaded: &jury_jvm::LoadedClass) -> ProbedClass {
    ProbedClass {
        first: loaded.first,
        methods: loaded.methods,
        name: loaded.class.clone(),
        origin: loaded.origin.clone(),
        digest: Hash128(loaded.digest),
    }
}

/// A class whose tests were all skipped used nothing by itself; but its conditions were evaluated
/// somewhere between other tests. So it counts as having used all that was used at all.
fn add_skipped(jvm: &JvmEvidence, used: &mut Vec<(String, Traces)>) {
    let mut skipped: Vec<&str> = (jvm.tests.iter())
        .filter(|seen| seen.outcome == Outcome::Skipped)
        .map(|seen| seen.test.top_level_class())
        .filter(|unit| !used.iter().any(|(name, _)| name == unit))
        .collect();
    skipped.sort_unstable();
    skipped.dedup();
    if used.is_empty() || skipped.is_empty() {
        return;
    }
    let mut all = Traces::default();
    for (_, traces) in used.iter() {
        all.methods.extend(&traces.methods);
        all.touches.extend(traces.touches.iter().cloned());
        all.marks = all.marks.iter().chain(traces.marks.iter()).collect();
    }
    all.methods.sort_unstable();
    all.methods.dedup();
    used.extend(skipped.iter().map(|unit| ((*unit).to_owned(), all.clone())));
}

fn traces(uses: &Uses, temporary: &Temporary<'_>) -> Traces {
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
            .filter_map(|touch| translate(touch.kind, &touch.name, temporary))
            .collect(),
        marks,
    }
}

fn translate(kind: TouchKind, name: &str, temporary: &Temporary<'_>) -> Option<Touch> {
    let vm_name = || name.replace('.', "/");
    let is_class = !name.is_empty() && !name.starts_with('[');
    Some(match kind {
        // Names in there are made up anew each time. What is gone was made by a test.
        TouchKind::FileLookedAt | TouchKind::FileRead | TouchKind::FileWritten
            if temporary.holds(name) && !Path::new(name).exists() =>
        {
            return None;
        }
        TouchKind::FileAbsent if temporary.holds(name) => return None,
        TouchKind::FileLookedAt | TouchKind::FileRead | TouchKind::FileWritten => {
            Touch::Subject(Subject::File(name.to_owned()))
        }
        TouchKind::FileAbsent => Touch::Absent(Subject::File(name.to_owned())),
        TouchKind::DirectoryListed if temporary.holds(name) => return None,
        TouchKind::DirectoryListed => Touch::Subject(Subject::Directory(name.to_owned())),
        TouchKind::ResourceLookedUp => Touch::Subject(Subject::Resource(name.to_owned())),
        TouchKind::ClassLookedUp if is_class => Touch::ClassByName(vm_name()),
        TouchKind::MembersListed if is_class => Touch::Members(vm_name()),
        TouchKind::ClassLookedUp | TouchKind::MembersListed => return None,
        TouchKind::VariableRead => Touch::Subject(Subject::Variable(name.to_owned())),
        TouchKind::AllVariablesRead => Touch::Subject(Subject::Variable(ALL_VARIABLES.to_owned())),
        // They follow from how the JVM was launched, which counts for every test.
        TouchKind::PropertyRead | TouchKind::AllPropertiesRead => return None,
    })
}

fn temporary_directory(jvm: &JvmEvidence) -> String {
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
