//! Jury as its users meet it: the real binary on real projects, one file for each command or promise.
//! All are one program, so that what takes long runs side by side.

mod bad_input;
mod broken_runs;
mod command_line;
mod demo;
mod doctor;
mod explain;
mod flaky;
mod histories;
mod hook;
mod impact;
mod impact_methods;
mod interruption;
mod mutate;
mod mutate_again;
mod mutate_hostile;
mod odd_evidence;
mod overlooked;
mod random_programs;
mod replay;
mod report;
mod runners;
mod samples;
mod script_build;
mod selection;
mod selection_settings;
mod shared_cache;
mod test;
mod test_methods;

use std::path::Path;

use jury_testkit::{Jdk, Sample, run, succeed};

/// The program under test.
const JURY: &str = env!("CARGO_BIN_EXE_jury");

/// Where samples that many tests begin with are made ready.
const READY: &str = env!("CARGO_TARGET_TMPDIR");

/// A sample after a green build under Jury.
fn watched(name: &str) -> Sample {
    Sample::prepared(name, &Path::new(READY).join("watched"), watch)
}

/// The same after its mutants have been tried, some of which nobody noticed.
fn tried(name: &str) -> Sample {
    Sample::prepared(name, &Path::new(READY).join("tried"), |sample| {
        watch(sample);
        run(sample.command(JURY, &Jdk::any()).arg("mutate")).exits(1);
    })
}

fn watch(sample: &Sample) {
    let mut command = sample.command(JURY, &Jdk::any());
    succeed(command.args(["test", "--", "mvn", "-q", "test"]));
}
