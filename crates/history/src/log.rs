//! Commits, and how each came about as far as anything tells.
//!
//! Git does not keep the command that made a commit. The log of references does for a while and on
//! the machine where it was given; messages tell of picks and reverts; and who rebases commits of
//! others, or has a server do it, is their committer but not their author.

use std::collections::HashMap;
use std::path::Path;

use crate::error::HistoryError;
use crate::git;

/// One commit of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    pub name: String,
    pub parents: Vec<String>,
    pub tree: String,
    pub subject: String,
    pub origin: Origin,
}

/// How a commit came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    Merge,
    /// Of this commit, if it is told.
    CherryPick(Option<String>),
    Revert(Option<String>),
    Rebase,
    /// Somebody else than its author made it so: a rebase, or a patch taken in.
    Foreign,
    Commit,
}

/// The graph of everything that leads to a revision, as names with those of their parents.
pub fn graph(root: &Path, revision: &str) -> Result<Vec<(String, Vec<String>)>, HistoryError> {
    let commit = git::commit(root, revision)?;
    // What a shallow clone lacks is a parent nobody lists.
    let output = git::ask(root, &["rev-list", "--topo-order", "--parents", &commit])?;
    let lines = git::text(&output);
    Ok(lines
        .lines()
        .map(|line| {
            let mut names = line.split(' ').map(str::to_owned);
            (names.next().unwrap_or_default(), names.collect())
        })
        .collect())
}

/// Whether older history is missing here.
pub fn is_shallow(root: &Path) -> Result<bool, HistoryError> {
    let output = git::ask(root, &["rev-parse", "--is-shallow-repository"])?;
    Ok(git::text(&output).trim() == "true")
}

/// Commits of a range such as `main~100..main`, or all that lead to a revision; newest first.
pub fn commits(root: &Path, range: &str) -> Result<Vec<Commit>, HistoryError> {
    let deeds = reference_log(root);
    let format = "--format=tformat:%H%x00%P%x00%T%x00%an <%ae>%x00%cn <%ce>%x00%s%x00%b";
    let options = ["log", "-z", "--topo-order", "--no-show-signature", format];
    let range_alone = ["--end-of-options", range, "--"];
    let output = git::ask(root, &[&options[..], &range_alone].concat()).or_else(|error| {
        // What is wrong with it is said of its ends, if it is wrong with them.
        for end in range.split("..").filter(|end| !end.is_empty()) {
            git::commit(root, end)?;
        }
        Err(error)
    })?;
    let text = git::text(&output);
    let fields: Vec<&str> = text.split('\0').collect();
    let (commits, _) = fields.as_chunks();
    Ok(commits.iter().map(|commit| read(*commit, &deeds)).collect())
}

fn read(
    [name, parents, tree, author, committer, subject, body]: [&str; 7],
    deeds: &HashMap<String, Origin>,
) -> Commit {
    let parents: Vec<String> = parents.split_whitespace().map(str::to_owned).collect();
    let told = Origin::told_by(subject, body);
    let origin = match deeds.get(name) {
        _ if parents.len() > 1 => Origin::Merge,
        // The message knows which commit was meant.
        Some(deed) if told.as_ref().is_none_or(|told| !told.is_like(deed)) => deed.clone(),
        _ => told.unwrap_or(match author == committer {
            true => Origin::Commit,
            false => Origin::Foreign,
        }),
    };
    Commit {
        name: name.to_owned(),
        parents,
        tree: tree.to_owned(),
        subject: subject.to_owned(),
        origin,
    }
}

impl Origin {
    /// What git writes into messages of picks (`-x`) and reverts.
    fn told_by(subject: &str, body: &str) -> Option<Self> {
        let named = |start: &str| {
            let after = body.split(start).nth(1)?;
            let end = after.find(|letter: char| !letter.is_ascii_hexdigit());
            let name = &after[..end.unwrap_or(after.len())];
            (name.len() >= 7).then(|| name.to_owned())
        };
        if let Some(name) = named("(cherry picked from commit ") {
            return Some(Origin::CherryPick(Some(name)));
        }
        let name = named("This reverts commit ");
        (name.is_some() || subject.starts_with("Revert \"")).then_some(Origin::Revert(name))
    }

    fn is_like(&self, other: &Origin) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// What the log of HEAD says about commits; empty where there is none.
fn reference_log(root: &Path) -> HashMap<String, Origin> {
    let options = [
        "log",
        "-g",
        "-z",
        "--format=tformat:%H%x00%gs",
        "HEAD",
        "--",
    ];
    let Ok(output) = git::ask(root, &options) else {
        return HashMap::new();
    };
    let text = git::text(&output);
    let fields: Vec<&str> = text.split('\0').collect();
    let (entries, _) = fields.as_chunks();
    let deeds = entries.iter().filter_map(|[name, entry]| {
        let deed = match entry.split([':', ' ']).next()? {
            "rebase" if is_made_by_rebase(entry) => Origin::Rebase,
            "cherry-pick" => Origin::CherryPick(None),
            "revert" => Origin::Revert(None),
            _ => return None,
        };
        Some((name.to_string(), deed))
    });
    deeds.collect()
}

/// `rebase (pick): …` and its kin; start and finish only move HEAD.
fn is_made_by_rebase(entry: &str) -> bool {
    let deeds = ["pick", "continue", "reword", "edit", "squash", "fixup"];
    deeds
        .iter()
        .any(|deed| entry.starts_with(&format!("rebase ({deed})")))
}
