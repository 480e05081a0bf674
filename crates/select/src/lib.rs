//! Which tests a change can affect.
//!
//! Facts in, decisions out: this crate reads no file, asks no clock and starts nothing. It is
//! given what tests used ([`Row`]) and a way to look at the present ([`World`]), and answers for
//! each test whether it must run and why ([`Decision`]). When in doubt, it says run.
//!
//! # Asking from another tool
//!
//! Any unit of work with a name can be selected. While the unit runs, the caller collects what
//! it uses into a [`Row`]; when it ends, the row is recorded under the name; before the next run
//! [`Evidence::check_affected`] tells whether it can be skipped.
//!
//! ```
//! use std::borrow::Cow;
//! use jury_model::Outcome;
//! use jury_select::*;
//!
//! struct Present {
//!     class: Vec<u8>,
//! }
//!
//! impl World for Present {
//!     fn class(&self, key: &ClassKey) -> Option<FoundClass<'_>> {
//!         let fingerprint = ClassFingerprint::of(&self.class, Hashing::default());
//!         Some(FoundClass {
//!             origin: key.origin.clone(),
//!             fingerprint: Cow::Owned(fingerprint),
//!         })
//!     }
//!     fn state(&self, _: &Subject) -> State {
//!         State::Absent
//!     }
//! }
//!
//! // Collect while the unit runs, record when it has ended.
//! let mut evidence = Evidence::new();
//! let class = evidence.catalogue.class(ClassVersion {
//!     key: ClassKey { origin: "classes".into(), name: "a/B".into() },
//!     fingerprint: ClassFingerprint::of(b"one version", Hashing::default()),
//! });
//! let mut row = Row::new();
//! row.add_use(class, Use::Whole);
//! evidence.record("nightly import", Recorded { row, outcome: Outcome::Passed });
//!
//! // Compare with the present once, then ask about any name.
//! let present = Present { class: b"another version".to_vec() };
//! let changes = Changes::between(&evidence.catalogue, &present);
//! let decision = evidence.check_affected("nightly import", &changes, &Policy::default());
//! assert_eq!(
//!     decision.reasons()[0].explain(&evidence.catalogue, &changes),
//!     "class `a.B` changed; the test uses it",
//! );
//! ```
//!
//! # What is out of sight
//!
//! A row comes from one run. Code that runs only under another schedule, data behind a network
//! or a native library, and tests that depend on the order of other tests are not in it; the
//! first is accepted, the second and third are [`Mark`]s, the last speaks for selecting whole
//! classes ([`Granularity`]). Constants that a compiler copied into other classes show only once
//! those classes have been compiled again.

mod catalogue;
mod changes;
mod codec;
mod collection;
mod decision;
mod ensemble;
mod evidence;
mod fact;
mod fingerprint;
mod granularity;
mod hash;
mod mark;
mod member_set;
mod mentions;
mod order;
mod prediction;
mod row;
mod rules;
mod world;

pub use catalogue::{Catalogue, ClassId, ClassKey, ClassVersion, FactId};
pub use changes::{Changes, ClassChange, PartsChange};
pub use codec::DecodeError;
pub use collection::{
    ClassFileFound, Observed, ProbedClass, Rows, Scene, Tangle, Touch, Traces, rows,
};
pub use decision::{ClassDifference, Decision, Policy, Reason, Recorded, decide};
pub use ensemble::makes_ensemble;
pub use evidence::Evidence;
pub use fact::{ALL_VARIABLES, Fact, State, StateChange, Subject};
pub use fingerprint::{ClassFingerprint, Hashing, MemberFingerprint, Parts};
pub use granularity::{Cost, Granularity, choose_granularity};
pub use hash::{Digest, Hash128};
pub use mark::{Mark, Marks};
pub use member_set::MemberSet;
pub use order::{Prospect, order};
pub use prediction::{Prediction, predict};
pub use row::{Row, Use};
pub use world::{FoundClass, World};
