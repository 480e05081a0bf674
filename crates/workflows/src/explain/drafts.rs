//! Copies of tests' sources with statements put in, compiled.
//!
//! Nothing is run here, and the sources themselves are left alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use jury_explain::{JavaSource, Proposal, apply};
use jury_jvm::{JvmError, compile};
use jury_model::Recipe;
use tempfile::TempDir;

/// The source of test code.
pub(super) struct TestSource {
    pub file: PathBuf,
    /// Relative to the project.
    pub path: String,
    pub java: JavaSource,
}

/// A statement in a source. Drafts of one source must not overlap.
#[derive(Clone, Copy)]
pub(super) struct Draft<'a> {
    pub source: &'a TestSource,
    pub proposal: &'a Proposal,
}

pub(super) struct Compiled {
    directory: TempDir,
    /// Where the statement of each draft stands; none if it does not compile.
    pub lines: Vec<Option<usize>>,
}

impl Compiled {
    pub fn classes(&self) -> PathBuf {
        self.directory.path().join("classes")
    }

    /// The recipe with the changed classes in front.
    pub fn recipe(&self, recipe: &Recipe) -> Recipe {
        let mut changed = recipe.clone();
        let classes = self.classes().display().to_string();
        changed.class_path.insert(0, classes);
        changed
    }

    pub fn is_empty(&self) -> bool {
        self.lines.iter().all(Option::is_none)
    }
}

/// Compiles all drafts together; what does not compile is taken out, and the rest is compiled again.
pub(super) fn compile_drafts(recipe: &Recipe, drafts: &[Draft<'_>]) -> Result<Compiled, JvmError> {
    let directory = tempfile::tempdir().map_err(JvmError::Session)?;
    let sources = directory.path().join("sources");
    let mut compiled = Compiled {
        directory,
        lines: vec![Some(0); drafts.len()],
    };
    loop {
        fs::create_dir_all(compiled.classes()).map_err(JvmError::Session)?;
        let files = write(&sources, drafts, &mut compiled.lines).map_err(JvmError::Session)?;
        if files.is_empty() {
            return Ok(compiled);
        }
        let complaints = compile(recipe, &files, &compiled.classes())?;
        if complaints.is_empty() {
            return Ok(compiled);
        }
        for complaint in complaints {
            let own: Vec<usize> = (0..drafts.len())
                .filter(|index| compiled.lines[*index].is_some())
                .filter(|index| copy_of(&sources, drafts[*index].source) == complaint.file)
                .collect();
            let to_blame = |index: &usize| compiled.lines[*index] == Some(complaint.line);
            let to_blame: Vec<usize> = own.iter().copied().filter(to_blame).collect();
            // A source that does not compile for another reason helps nobody.
            let refused = if to_blame.is_empty() { own } else { to_blame };
            for index in refused {
                compiled.lines[index] = None;
            }
        }
    }
}

/// Where the changed copy of a source goes: its name must stay, its directory must be its own.
fn copy_of(directory: &Path, source: &TestSource) -> PathBuf {
    let inside = source.file.strip_prefix("/").unwrap_or(&source.file);
    directory.join(inside)
}

fn write(
    directory: &Path,
    drafts: &[Draft<'_>],
    lines: &mut [Option<usize>],
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
            lines[*index] = Some(line);
        }
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(file, edited)?;
    }
    Ok(by_file.into_keys().collect())
}
