//! Compiles Java sources with the compiler of a recipe's own JDK, against its class path.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jury_model::Recipe;

use crate::JvmError;

/// What a compiler did not like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    pub file: PathBuf,
    pub line: usize,
    pub message: String,
}

/// Compiles these sources and no others into an empty directory; no complaints mean that all went well.
pub fn compile(
    recipe: &Recipe,
    sources: &[PathBuf],
    output: &Path,
) -> Result<Vec<Complaint>, JvmError> {
    let patched = recipe.module_flags.iter().filter_map(|flag| {
        let patch = flag.strip_prefix("--patch-module=")?;
        Some(patch.split_once('=')?.1)
    });
    let patched: Vec<String> = patched
        .flat_map(|paths| paths.split(':'))
        .map(str::to_owned)
        .collect();
    let paths = patched
        .iter()
        .chain(&recipe.class_path)
        .chain(&recipe.module_path);
    // ok: a path with the separator inside cannot have been an entry of the original path either.
    let class_path = std::env::join_paths(paths.map(PathBuf::from)).unwrap_or_default();
    let program = Path::new(&recipe.java_home).join("bin/javac");
    let spawned = Command::new(&program)
        .args(["-encoding", "UTF-8", "-g", "-nowarn", "-proc:none"])
        .args(["-Xmaxerrs", "1000", "-d"])
        .arg(output)
        .arg("-cp")
        .arg(class_path)
        // Sources that lie among the classes would be compiled as well, and their classes written. What has
        // just been made for the classes holds no source.
        .args(["-implicit:none", "-sourcepath"])
        .arg(output)
        .args(sources)
        // Complaints are read, so they must be in the language that is expected.
        .args(["-J-Duser.language=en"])
        .current_dir(&recipe.working_directory)
        .env_remove("JAVA_TOOL_OPTIONS")
        .stdin(Stdio::null())
        .output();
    let output = spawned.map_err(|source| JvmError::Spawn {
        program: program.display().to_string(),
        source,
    })?;
    if output.status.success() {
        return Ok(Vec::new());
    }
    let complaints = complaints(&String::from_utf8_lossy(&output.stderr));
    if complaints.is_empty() {
        // It failed without naming a place: no source is known to be good.
        let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let everywhere = sources.iter().map(|file| Complaint {
            file: file.clone(),
            line: 0,
            message: message.clone(),
        });
        return Ok(everywhere.collect());
    }
    Ok(complaints)
}

/// Lines such as `dir/A.java:12: error: cannot find symbol`.
fn complaints(output: &str) -> Vec<Complaint> {
    let lines = output.lines().filter_map(|line| {
        let (place, message) = line.split_once(": error: ")?;
        let (file, line) = place.rsplit_once(':')?;
        Some(Complaint {
            file: PathBuf::from(file),
            line: line.parse().ok()?,
            message: message.to_owned(),
        })
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_read_with_their_places() {
        let output = "/t/a/B.java:7: error: cannot find symbol\n  foo();\n  ^\n1 error\n";
        assert_eq!(
            complaints(output),
            [Complaint {
                file: "/t/a/B.java".into(),
                line: 7,
                message: "cannot find symbol".into()
            }]
        );
    }
}
