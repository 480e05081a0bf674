//! Ctrl-C and polite kill signals: noted in a flag that every long loop looks at.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on a signal sets the returned flag instead of ending the program.
pub fn watch_for_signals() -> anyhow::Result<&'static AtomicBool> {
    let heed = || match ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed)) {
        // The tour runs several commands in one process.
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(error),
    };
    heed().context("failed to listen for signals")?;
    Ok(&INTERRUPTED)
}
