//! What crosses the boundary between Jury and a JVM: the session an agent is started with, the
//! records a JVM reports, and the commands a worker obeys.
//!
//! One codec serves both ends. The Java harness mirrors the few records it writes itself; shared
//! byte fixtures (`fixtures/`) keep the two sides equal. This crate does no I/O beyond the
//! `Read` and `Write` it is handed, and does not know who is talking.

mod command;
mod counsel;
mod frame;
mod plan;
mod point;
mod record;
mod runs;
mod session;
mod uses;
mod watch;
mod wire;

pub use command::Command;
pub use counsel::{
    Answer, Ask, ClassQuestion, FlagsQuestion, PathQuestion, PortQuestion, ProbesQuestion, Question,
};
pub use frame::{
    FrameError, LARGEST_PAYLOAD, MAGIC, VERSION, read_frame, read_header, write_frame, write_header,
};
pub use plan::{Body, Plan, ProbedClass, SwitchedBody};
pub use point::{Change, Point, PointedClass, PointedMethod};
pub use record::{Launch, LoadedClass, Record};
pub use runs::Runs;
pub use session::{Collect, Mode, Session};
pub use uses::{Touch, TouchKind, Uses};
pub use watch::{Attention, Calls, SeenCalls, Sighting, Sightings, WatchedClass, WatchedMethod};
pub use wire::DecodeError;
