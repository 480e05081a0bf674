//! Programs that tests need and a fresh machine lacks.

use std::env;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::succeed;

/// Makes sure that a program is on the `PATH`: where that is allowed, it is installed from the
/// distribution's packages; otherwise the test fails and says what to install.
pub fn provide(program: &str, packages: &[&str]) {
    // Tests run side by side, and only one may install.
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _guard = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    if is_installed(program) {
        return;
    }
    assert!(
        is_root() && is_installed("apt-get"),
        "found no `{program}`; install {}",
        packages.join(" and ")
    );
    succeed(Command::new("apt-get").args(["update", "-q"]));
    let install = ["install", "-q", "--yes", "--no-install-recommends"];
    succeed(Command::new("apt-get").args(install).args(packages));
}

pub fn is_installed(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}
