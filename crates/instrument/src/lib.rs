//! Class bytes and a plan in, class bytes out.
//!
//! A [`Plan`] lists what is to be watched or switched; [`rewrite`] carries it out on one class.
//! Methods that cannot be rewritten within the format's limits stay as they were and are
//! named in the answer. Nothing here knows how classes are loaded or where events go: the
//! helpers called by rewritten code are only names.

mod kinds;
mod plan;
mod rewrite;
mod scope;

pub use kinds::{
    ArgumentHook, Body, Call, CallSite, CallWatch, Change, EntryProbe, ExitHook, Gate, Numbering,
    Point, PointSwitch, PointedMethod, Recall, Switch, ValueWatch, WorkProbe,
};
pub use plan::Plan;
pub use rewrite::{RewriteError, Rewritten, SkipReason, SkippedMethod, rewrite};
pub use scope::Scope;
