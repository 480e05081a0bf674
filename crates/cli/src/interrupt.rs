//! Ctrl-C and polite kill signals: noted in a flag that every long loop looks at.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on a signal sets the returned flag instead of ending the program.
pub fn watch_for_signals() -> anyhow::Result<&'static AtomicBool> {
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed))
        .context("failed to listen for signals")?;
    Ok(&INTERRUPTED)
}
