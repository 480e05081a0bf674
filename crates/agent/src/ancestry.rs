//! Finds out whether this process descends from a test JVM. What a test starts is part of that
//! test, not a test JVM of the build.

use std::path::{Path, PathBuf};
use std::{fs, os::unix};

/// A chain longer than this is not followed; no build nests so deeply.
const LONGEST_CHAIN: usize = 64;

/// The file by which a test JVM makes itself known to its descendants.
pub fn marker(inbox: &Path, pid: u32) -> PathBuf {
    inbox.join(format!("jvm-{pid}"))
}

pub fn descends_from_test_jvm(inbox: &Path) -> bool {
    any_ancestor(unix::process::parent_id(), parent_of, |pid| {
        marker(inbox, pid).exists()
    })
}

fn any_ancestor(
    parent: u32,
    parent_of: impl Fn(u32) -> Option<u32>,
    is_marked: impl Fn(u32) -> bool,
) -> bool {
    std::iter::successors(Some(parent), |pid| parent_of(*pid))
        .take(LONGEST_CHAIN)
        .take_while(|pid| *pid > 1)
        .any(is_marked)
}

/// Known on Linux only; elsewhere the chain ends at the parent.
fn parent_of(pid: u32) -> Option<u32> {
    parse_parent(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// `/proc/<pid>/stat` reads `pid (program) state parent …`; the program's name may hold anything,
/// parentheses too.
fn parse_parent(stat: &str) -> Option<u32> {
    let (_, behind_program) = stat.rsplit_once(')')?;
    behind_program.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parents: &[(u32, u32)], marked: u32) -> bool {
        let parent_of = |pid| {
            parents
                .iter()
                .find(|(child, _)| *child == pid)
                .map(|(_, up)| *up)
        };
        any_ancestor(parents[0].0, parent_of, |pid| pid == marked)
    }

    #[test]
    fn a_grandchild_of_a_test_jvm_is_found() {
        assert!(check(&[(30, 20), (20, 10), (10, 1)], 10));
        assert!(check(&[(30, 20), (20, 10), (10, 1)], 30));
    }

    #[test]
    fn a_sibling_of_a_test_jvm_is_not_a_descendant() {
        assert!(!check(&[(30, 20), (20, 1)], 31));
    }

    #[test]
    fn the_first_process_ends_the_chain() {
        assert!(!check(&[(30, 1), (1, 0)], 1));
    }

    #[test]
    fn a_chain_that_bites_its_tail_ends() {
        assert!(!check(&[(30, 20), (20, 30)], 10));
    }

    #[test]
    fn a_program_name_may_look_like_the_rest_of_the_line() {
        assert_eq!(parse_parent("7 (a) S 3 (b)) R 42 7 7"), Some(42));
        assert_eq!(parse_parent("7 (cut"), None);
    }

    #[test]
    fn this_process_has_the_parent_the_system_says() {
        if cfg!(target_os = "linux") {
            assert_eq!(
                parent_of(std::process::id()),
                Some(unix::process::parent_id())
            );
        }
    }
}
