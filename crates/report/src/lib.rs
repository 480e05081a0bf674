//! Turns results into text for people and for machines.
//!
//! Takes finished results and returns strings; it neither prints nor knows how a result came
//! about. Human text carries ANSI styles, which whoever prints it strips where they do not belong.
//! Every JSON document of ours has a `schema_version` and is described in `docs/json.md`; formats
//! that others have defined are in `mutation`.

pub mod explanation;
pub mod human;
pub mod json;
pub mod mutation;
pub mod selection;
