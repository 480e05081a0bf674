//! Writes proven assertions into the sources of the tests.
//!
//! Those of different rounds have never run together, so that they are tried together first. What is left out
//! and which file could not be written is said; the others are written all the same.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use jury_explain::{Proposal, apply};
use jury_jvm::JvmError;
use jury_model::Notice;
use tempfile::NamedTempFile;

use super::proof::{Candidate, Proven, Prover, Verdict};

#[derive(Debug, Default)]
pub(super) struct Applied {
    /// Files that have changed.
    pub files: Vec<PathBuf>,
    /// What was not written, and why.
    pub notices: Vec<Notice>,
}

/// Writes assertions; one that serves several mutants is written once. Nothing is written if the run is
/// cancelled before that.
pub(super) fn write_into_sources(prover: &Prover<'_>, proven: &[Proven]) -> Applied {
    let mut applied = Applied::default();
    let mut candidates: Vec<&Candidate> = Vec::new();
    for Proven { candidate, .. } in proven {
        if !candidates.iter().any(|known| known.is_same(candidate)) {
            candidates.push(candidate);
        }
    }
    for file in files(&candidates) {
        if let Some(notice) = keeps_from_writing(file, &candidates) {
            applied.notices.push(notice);
            candidates.retain(|each| each.source.file != file);
        }
    }
    let together = fitting(candidates, &mut applied.notices);
    let verdicts = match prover.settle(&together) {
        Ok(verdicts) => verdicts,
        Err(error) => {
            applied.notices.push(could_not_try(&error));
            return applied;
        }
    };
    if prover.is_cancelled() {
        let message = "no assertion was written: the run was interrupted";
        applied.notices.push(Notice::with_hint(message, AGAIN));
        return applied;
    }
    let mut holding = Vec::new();
    for (candidate, verdict) in together.into_iter().zip(verdicts) {
        match verdict {
            Verdict::Proven => holding.push(candidate),
            _ => applied.notices.push(left_out(
                candidate,
                "does not hold beside the others that were proven",
            )),
        }
    }
    for file in files(&holding) {
        // The trial took its time, and the user may have gone on meanwhile.
        if let Some(notice) = keeps_from_writing(file, &holding) {
            applied.notices.push(notice);
            continue;
        }
        let own: Vec<&Candidate> = of(file, &holding).collect();
        let proposals: Vec<&Proposal> = own.iter().map(|each| &each.proposal).collect();
        let (edited, _) = apply(&own[0].source.java.text, &proposals);
        match replace(file, &edited) {
            Ok(()) => applied.files.push(file.to_owned()),
            Err(error) => applied.notices.push(unwritten(own[0], &error.to_string())),
        }
    }
    applied
}

const AGAIN: &str = "run `jury explain --apply` again";

/// Where two stand in each other's way, the first is kept.
fn fitting<'c>(candidates: Vec<&'c Candidate>, notices: &mut Vec<Notice>) -> Vec<&'c Candidate> {
    let mut kept: Vec<&Candidate> = Vec::new();
    for candidate in candidates {
        if kept.iter().all(|other| other.goes_with(candidate)) {
            kept.push(candidate);
        } else {
            notices.push(left_out(candidate, "changes what another one changes, too"));
        }
    }
    kept
}

/// In order, each once.
fn files<'c>(candidates: &[&'c Candidate]) -> Vec<&'c Path> {
    let mut files: Vec<&Path> = candidates
        .iter()
        .map(|each| each.source.file.as_path())
        .collect();
    files.sort();
    files.dedup();
    files
}

fn of<'s, 'c>(
    file: &'s Path,
    candidates: &'s [&'c Candidate],
) -> impl Iterator<Item = &'c Candidate> {
    let own = candidates.iter().copied();
    own.filter(move |each| each.source.file == file)
}

/// Why a source is better left alone.
fn keeps_from_writing(file: &Path, candidates: &[&Candidate]) -> Option<Notice> {
    let one = of(file, candidates).next()?;
    let is_read_only = fs::metadata(file).map(|about| about.permissions().readonly());
    // Whoever may write in a directory may put a file in place of one that is somebody else's.
    let open = || OpenOptions::new().write(true).open(file);
    match (fs::read(file), is_read_only) {
        (Err(error), _) | (_, Err(error)) => Some(unwritten(one, &error.to_string())),
        (Ok(text), _) if text != one.source.java.text.as_bytes() => {
            let message = format!(
                "`{}` was not changed: somebody else has meanwhile",
                one.source.path
            );
            let hint = "run `jury test`, then `jury explain --apply` again";
            Some(Notice::with_hint(message, hint))
        }
        (_, Ok(true)) => {
            let message = format!("`{}` was not changed: it is read-only", one.source.path);
            let hint = "make it writable, or take the assertions from the answer";
            Some(Notice::with_hint(message, hint))
        }
        _ => open().err().map(|error| unwritten(one, &error.to_string())),
    }
}

fn unwritten(one: &Candidate, reason: &str) -> Notice {
    let message = format!("`{}` was not changed: {reason}", one.source.path);
    Notice::with_hint(
        message,
        "take the assertions from the answer, or mend that and ask again",
    )
}

fn left_out(one: &Candidate, reason: &str) -> Notice {
    let (statement, path) = (&one.proposal.statement, &one.source.path);
    let message = format!("`{statement}` was not written into `{path}`: it {reason}");
    Notice::with_hint(
        message,
        "run `jury test`, then `jury explain --apply` again",
    )
}

fn could_not_try(error: &JvmError) -> Notice {
    let message = format!("no assertion was written: they could not be tried together: {error}");
    Notice::with_hint(message, AGAIN)
}

/// Puts a text in place of a file's own in one step, so that nobody meets half of it.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    // A link stays one.
    let file = fs::canonicalize(file)?;
    let permissions = fs::metadata(&file)?.permissions();
    let directory = file.parent().unwrap_or(Path::new("/"));
    let mut changed = NamedTempFile::new_in(directory)?;
    changed.write_all(text.as_bytes())?;
    changed.as_file().set_permissions(permissions)?;
    changed.persist(&file)?;
    Ok(())
}

#[cfg(test)]
mod tests;
