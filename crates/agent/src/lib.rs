//! The agent: a library that a JVM loads, to see which tests run in it and how it was launched.
//!
//! It decides in microseconds whether a JVM can run tests and is as good as absent in all others.
//! In a test JVM it hooks the test frameworks as their classes load; `jury.boot`, in Java, turns
//! the calls into records, which go to a file (observing a build) or a socket (replaying). The
//! agent draws no conclusions, prints nothing, and never brings a JVM down: on any trouble it
//! switches itself off and leaves the reason. Only a worker, which is Jury's own JVM, is ended
//! when Jury has gone.

mod ancestry;
mod argument_file;
mod arguments;
mod choke_points;
mod class_archive;
mod class_path;
mod counsel;
mod frameworks;
mod launch;
mod manifest;
mod observer;
mod origins;
mod own_ports;
mod probing;
mod role;
mod row_file;
mod runner_settings;
mod socket;
mod work;

jury_jvmti::export_agent!(observer::Observer);
