//! `jury hook`: tests before a push, by a hook of git's own. A hook that somebody else wrote is
//! left alone.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use jury_history::{hooks_directory, path_from_top};

use crate::WorkflowError;

/// The hook that git runs before it sends anything.
const NAME: &str = "pre-push";

/// How we know our own hooks.
const SIGNATURE: &str = "# Written by `jury hook install`; `jury hook remove` takes it away.";

/// What is to become of the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookAction {
    Install,
    Remove,
}

/// What became of it, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookOutcome {
    Installed(PathBuf),
    Removed(PathBuf),
    /// There was none to remove.
    Absent,
}

pub fn hook(root: &Path, action: HookAction) -> Result<HookOutcome, WorkflowError> {
    let path = hooks_directory(root)?.join(NAME);
    let failed = |source| WorkflowError::Hook {
        path: path.clone(),
        source,
    };
    let known = match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        // What cannot be read as text was not written by us.
        Err(_) => Some(String::new()),
    };
    if known.as_ref().is_some_and(|text| !text.contains(SIGNATURE)) {
        return Err(WorkflowError::ForeignHook(path));
    }
    match (action, known) {
        (HookAction::Install, _) => {
            install(&path, &script(&path_from_top(root)?)).map_err(failed)?;
            Ok(HookOutcome::Installed(path))
        }
        (HookAction::Remove, Some(_)) => {
            fs::remove_file(&path).map_err(failed)?;
            Ok(HookOutcome::Removed(path))
        }
        (HookAction::Remove, None) => Ok(HookOutcome::Absent),
    }
}

fn install(path: &Path, script: &str) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(path, script)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

/// Git runs it at the top of the working tree and tells what it is about to send, line by line; a
/// name of zeros stands for nothing at all.
fn script(project: &str) -> String {
    let project = project.replace('\'', r"'\''");
    format!(
        r#"#!/bin/sh
{SIGNATURE}
# Runs the tests that the commits to be pushed can affect, and those that were never green.
sent=
since=
while read -r _ commit _ known; do
    case $commit in *[!0]*) sent=1 ;; *) continue ;; esac
    if git cat-file -e "$known^{{commit}}" 2>/dev/null; then since=${{since:-$known}}; fi
done
[ -n "$sent" ] || exit 0
# What git says of this repository must not be taken for another one.
unset $(git rev-parse --local-env-vars)
exec jury -C './{project}' test ${{since:+--since "$since"}}
"#
    )
}
