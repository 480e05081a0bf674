//! What a change can reach, told from class files alone.
//!
//! Classes are nodes, and an edge leads from each class to all that it speaks of. Whoever leads to
//! a changed class, however indirectly, may behave differently: that is the firewall around the
//! change. The same is done with methods where that is asked for ([`MethodGraph`]). This crate reads
//! no file and starts nothing; it is given the bytes of classes, and answers in names.
//!
//! # What is out of sight
//!
//! Names that are put together while the program runs, data, native code, and effects of one test
//! on another. Classes that load others by name are pointed out ([`ClassFacts::loads_by_name`]).

mod changes;
mod class_facts;
mod firewall;
mod graph;
mod methods;
mod names;
mod reach;
mod run;
mod suite;
mod web;

pub use changes::{Change, compare};
pub use class_facts::ClassFacts;
pub use firewall::Firewall;
pub use graph::{Graph, Link};
pub use methods::{
    Call, ClassParts, Difference, Meaning, MemberFacts, MethodFacts, MethodGraph, MethodVersion,
    Node, Role,
};
pub use names::{ByName, Name, Names};
pub use reach::Reach;
pub use run::{ChangedType, ImpactRun, ImpactedType, MethodRun, Step};
pub use suite::Suite;
pub use web::{Edge, Place, Web};
