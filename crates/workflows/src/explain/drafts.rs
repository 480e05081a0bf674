//! Copies of tests' sources with statements put in, compiled.
//!
//! Nothing is run here, and the sources themselves are left alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use jury_explain::{JavaSource, Proposal, apply};
use jury_jvm::{Complaint, JvmError};
use jury_model::Recipe;
use tempfile::TempDir;

/// The source of test code.
pub(super) struct TestSource {
    pub file: PathBuf,
    /// Relative to the project.
    pub path: String,
    /// Where the build has put its classes.
    pub classes: PathBuf,
    pub java: JavaSource,
}

/// A statement in a source. Drafts of one source must not overlap.
#[derive(Clone, Copy)]
pub(super) struct Draft<'a> {
    pub source: &'a TestSource,
    pub proposal: &'a Proposal,
}

/// From the first to the last of a statement: compilers and JVMs name either, or one between.
pub(super) type Lines = RangeInclusive<usize>;

pub(super) struct Compiled {
    directory: TempDir,
    /// Where the build has put the classes of these sources.
    origins: BTreeSet<PathBuf>,
    /// Where the statement of each draft stands; none if it does not compile.
    pub lines: Vec<Option<Lines>>,
}

impl Compiled {
    pub fn classes(&self) -> PathBuf {
        self.directory.path().join("classes")
    }

    /// The recipe with the changed classes in front.
    pub fn recipe(&self, recipe: &Recipe) -> Recipe {
        in_front(&self.classes().display().to_string(), &self.origins, recipe)
    }

    pub fn is_empty(&self) -> bool {
        self.lines.iter().all(Option::is_none)
    }
}

/// Tests that are patched into a module are not looked for on the class path. Other modules must not have them: no
/// JVM starts where two have one package.
fn in_front(classes: &str, origins: &BTreeSet<PathBuf>, recipe: &Recipe) -> Recipe {
    let mut changed = recipe.clone();
    changed.class_path.insert(0, classes.to_owned());
    for flag in &mut changed.module_flags {
        let patch = flag.strip_prefix("--patch-module=");
        let patch = patch.and_then(|patch| patch.split_once('='));
        let is_of_tests = |paths: &str| {
            let mut paths = paths.split(':').map(Path::new);
            paths.any(|path| origins.contains(path))
        };
        if let Some((module, paths)) = patch.filter(|(_, paths)| is_of_tests(paths)) {
            *flag = format!("--patch-module={module}={classes}:{paths}");
        }
    }
    changed
}

/// Compiles sources into a directory, as [`jury_jvm::compile`] does.
pub(super) type Compiler<'c> =
    dyn Fn(&Recipe, &[PathBuf], &Path) -> Result<Vec<Complaint>, JvmError> + Sync + 'c;

/// Compiles all drafts together; what does not compile is taken out, and the rest is compiled again.
pub(super) fn compile_drafts(
    compile: &Compiler<'_>,
    recipe: &Recipe,
    drafts: &[Draft<'_>],
) -> Result<Compiled, JvmError> {
    let directory = tempfile::tempdir().map_err(JvmError::Session)?;
    let sources = directory.path().join("sources");
    let mut compiled = Compiled {
        directory,
        origins: (drafts.iter())
            .map(|draft| draft.source.classes.clone())
            .collect(),
        lines: vec![Some(0..=0); drafts.len()],
    };
    loop {
        // A class of a source that is taken out may have been written before.
        renew(&compiled.classes()).map_err(JvmError::Session)?;
        let files = write(&sources, drafts, &mut compiled.lines).map_err(JvmError::Session)?;
        if files.is_empty() {
            return Ok(compiled);
        }
        let complaints = compile(recipe, &files, &compiled.classes())?;
        if complaints.is_empty() {
            return Ok(compiled);
        }
        for index in refused(&sources, drafts, &compiled.lines, &complaints) {
            compiled.lines[index] = None;
        }
    }
}

/// The drafts that a compiler complains of. Where none of a source's stands where it does, nothing in that source
/// can be helped, and where no source of a draft is named, nothing at all: it would say the same again.
fn refused(
    directory: &Path,
    drafts: &[Draft<'_>],
    lines: &[Option<Lines>],
    complaints: &[Complaint],
) -> Vec<usize> {
    let open: Vec<usize> = (0..drafts.len())
        .filter(|index| lines[*index].is_some())
        .collect();
    let mut by_file: BTreeMap<&Path, Vec<usize>> = BTreeMap::new();
    for complaint in complaints {
        let lines = by_file.entry(&complaint.file).or_default();
        lines.push(complaint.line);
    }
    let mut refused = Vec::new();
    for (file, complaints) in by_file {
        let is_own = |index: &usize| copy_of(directory, drafts[*index].source) == file;
        let own: Vec<usize> = open.iter().copied().filter(is_own).collect();
        let is_to_blame = |index: &usize| {
            let lines = lines[*index].as_ref();
            lines.is_some_and(|lines| complaints.iter().any(|line| lines.contains(line)))
        };
        let to_blame: Vec<usize> = own.iter().copied().filter(is_to_blame).collect();
        refused.extend(if to_blame.is_empty() { own } else { to_blame });
    }
    if refused.is_empty() { open } else { refused }
}

/// An empty directory.
fn renew(directory: &Path) -> std::io::Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)?;
    }
    fs::create_dir_all(directory)
}

/// Where the changed copy of a source goes: its name must stay, its directory must be its own.
fn copy_of(directory: &Path, source: &TestSource) -> PathBuf {
    let inside = source.file.strip_prefix("/").unwrap_or(&source.file);
    directory.join(inside)
}

fn write(
    directory: &Path,
    drafts: &[Draft<'_>],
    lines: &mut [Option<Lines>],
) -> std::io::Result<Vec<PathBuf>> {
    let mut by_file: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    for (index, draft) in drafts.iter().enumerate() {
        if lines[index].is_some() {
            let file = copy_of(directory, draft.source);
            by_file.entry(file).or_default().push(index);
        }
    }
    for (file, indices) in &by_file {
        let own = indices.iter().map(|index| drafts[*index].proposal);
        let text = &drafts[indices[0]].source.java.text;
        let (edited, at) = apply(text, &own.collect::<Vec<_>>());
        for (index, line) in indices.iter().zip(at) {
            let more = drafts[*index].proposal.statement.matches('\n').count();
            lines[*index] = Some(line..=line + more);
        }
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(file, edited)?;
    }
    Ok(by_file.into_keys().collect())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use jury_explain::{Side, Spot};

    use super::*;
    use crate::explain::bench::sample_recipe;

    fn complaint(file: PathBuf, line: usize) -> Complaint {
        Complaint {
            file,
            line,
            message: "no".into(),
        }
    }

    /// Which of three drafts for the lines of one source compile.
    fn check(compile: &Compiler<'_>) -> Vec<Option<usize>> {
        check_statement("x;", compile)
    }

    fn check_statement(statement: &str, compile: &Compiler<'_>) -> Vec<Option<usize>> {
        let text = "a;\nb;\nc;\n".to_owned();
        let at = |start: usize| {
            let spot = Spot {
                statement: start..start + 2,
                leaves: false,
            };
            Proposal::at(&text, statement.into(), &spot, Side::Before)
        };
        let proposals = [at(0), at(3), at(6)];
        let source = TestSource {
            file: "/p/T.java".into(),
            path: "T.java".into(),
            classes: "tests".into(),
            java: JavaSource::parse(text.clone()).unwrap(),
        };
        let drafts = proposals.each_ref().map(|proposal| Draft {
            source: &source,
            proposal,
        });
        let compiled = compile_drafts(compile, &sample_recipe(), &drafts).unwrap();
        let lines = compiled.lines.into_iter();
        lines
            .map(|lines| lines.map(|lines| *lines.start()))
            .collect()
    }

    #[test]
    fn changed_classes_come_before_those_of_the_build() {
        let mut recipe = sample_recipe();
        recipe.class_path = vec!["tests".into()];
        recipe.module_flags = vec![
            "--patch-module=m=tests:more".into(),
            "--patch-module=java.annotation=jsr305.jar".into(),
            "--add-reads=m=n".into(),
        ];
        let origins = BTreeSet::from([PathBuf::from("tests")]);
        let changed = in_front("changed", &origins, &recipe);
        assert_eq!(changed.class_path, ["changed", "tests"]);
        let flags = [
            "--patch-module=m=changed:tests:more",
            "--patch-module=java.annotation=jsr305.jar",
            "--add-reads=m=n",
        ];
        assert_eq!(changed.module_flags, flags);
    }

    #[test]
    fn what_does_not_compile_is_taken_out() {
        let compile = |_: &Recipe, files: &[PathBuf], _: &Path| {
            let text = fs::read_to_string(&files[0]).unwrap();
            let is_whole = text.matches("x;").count() == 3;
            Ok(is_whole
                .then(|| complaint(files[0].clone(), 3))
                .into_iter()
                .collect())
        };
        assert_eq!(check(&compile), [Some(1), None, Some(4)]);
    }

    /// A compiler that complains of lines as long as all three drafts are there.
    fn complaining(lines: &'static [usize], statement: &'static str) -> Box<Compiler<'static>> {
        Box::new(move |_, files, _| {
            let text = fs::read_to_string(&files[0]).unwrap();
            let is_whole = text.matches(statement).count() == 3;
            let lines = lines.iter().filter(|_| is_whole);
            Ok(lines
                .map(|line| complaint(files[0].clone(), *line))
                .collect())
        })
    }

    #[test]
    fn two_complaints_about_one_draft_take_out_no_other() {
        let compile = complaining(&[3, 3], "x;");
        assert_eq!(check(&*compile), [Some(1), None, Some(4)]);
    }

    #[test]
    fn a_complaint_that_follows_from_another_takes_nothing_out() {
        let compile = complaining(&[3, 2], "x;");
        assert_eq!(check(&*compile), [Some(1), None, Some(4)]);
    }

    #[test]
    fn a_draft_is_known_by_all_of_its_lines() {
        let compile = complaining(&[5], "x(\n1);");
        let lines = check_statement("x(\n1);", &*compile);
        assert_eq!(lines, [Some(1), None, Some(5)]);
    }

    #[test]
    fn a_complaint_about_another_file_ends_the_matter() {
        let passes = AtomicUsize::new(0);
        let compile = |_: &Recipe, _: &[PathBuf], _: &Path| {
            let passes = passes.fetch_add(1, Ordering::Relaxed);
            assert!(passes < 3, "it is compiled for ever");
            Ok(vec![complaint("/p/Other.java".into(), 1)])
        };
        assert_eq!(check(&compile), [None; 3]);
    }

    #[test]
    fn no_class_of_a_source_that_was_taken_out_is_left() {
        let compile = |_: &Recipe, files: &[PathBuf], classes: &Path| {
            fs::write(classes.join("T.class"), "").unwrap();
            Ok(vec![complaint(files[0].clone(), 0)])
        };
        let recipe = sample_recipe();
        let text = "a;\n";
        let spot = Spot {
            statement: 0..2,
            leaves: false,
        };
        let source = TestSource {
            file: "/p/T.java".into(),
            path: "T.java".into(),
            classes: "tests".into(),
            java: JavaSource::parse(text.into()).unwrap(),
        };
        let draft = Draft {
            source: &source,
            proposal: &Proposal::at(text, "x;".into(), &spot, Side::Before),
        };
        let compiled = compile_drafts(&compile, &recipe, &[draft]).unwrap();
        assert_eq!(fs::read_dir(compiled.classes()).unwrap().count(), 0);
    }
}
