//! Starting, watching and stopping test JVMs.
//!
//! `install` unpacks the agent, `observe` watches the JVMs of a build, `worker` and `pool` replay
//! tests from recipes. This crate knows processes and the protocol, but neither build tools nor
//! the terminal.

mod build;
mod error;
mod install;
mod observe;
mod pool;
mod rows;
mod worker;

pub use build::{Stream, run_build};
pub use error::JvmError;
pub use install::{Installation, cache_directory};
pub use observe::Observation;
pub use pool::{Batch, Pool, ReplayEvent, Replayed};
pub use rows::{ContainerFailure, JvmEvidence, TestSeen};
pub use worker::try_agent;
