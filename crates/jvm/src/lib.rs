//! Starting, watching and stopping test JVMs.
//!
//! `install` unpacks the agent, `observe` watches the JVMs of a build, `worker` and `pool` replay
//! tests from recipes. This crate knows processes and the protocol, but neither build tools nor
//! the terminal.

mod batch;
mod build;
mod compiler;
mod counsel;
mod error;
mod install;
mod observe;
mod pool;
mod private;
mod restless;
mod rows;
mod worker;

pub use batch::{BatchEnd, BatchEvent, Replayed, Worked};
pub use build::{Build, Stream, run_build, run_plainly};
pub use compiler::{Complaint, compile};
pub use error::JvmError;
pub use install::{Installation, cache_directory};
pub use observe::Observation;
pub use pool::{Batch, Pool, ReplayEvent};
pub use restless::Patience;
pub use rows::{ContainerFailure, JvmEvidence, LeftOut, SharedUses, TestSeen};
pub use worker::{Worker, try_agent};

/// What JVMs of a build tell of their tests' dependencies, and ask about them.
pub use jury_protocol::{Answer, Ask, Collect, Launch, LoadedClass, Runs, Touch, TouchKind, Uses};
/// What workers' classes are rewritten to do; part of the protocol, named here for callers.
pub use jury_protocol::{
    Attention, Body, Calls, Change, Plan as WorkPlan, Point, PointedClass, PointedMethod,
    ProbedClass, SeenCalls, Sighting, Sightings, SwitchedBody, WatchedClass, WatchedMethod,
};
