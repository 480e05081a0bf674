//! Jury as its users meet it: the real binary on real projects, one file for each command or promise.
//! All are one program, so that what takes long runs side by side.

mod bad_input;
mod command_line;
mod demo;
mod doctor;
mod explain;
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
mod selection;
mod shared_cache;
mod test;
mod test_methods;

/// The program under test.
const JURY: &str = env!("CARGO_BIN_EXE_jury");
