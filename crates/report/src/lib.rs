//! Turns results into text for people and JSON for machines.
//!
//! Takes finished results and returns strings; it neither prints nor knows how a result came
//! about. Human text carries ANSI styles, which whoever prints it strips where they do not belong.
//! Every JSON document has a `schema_version` and is described in `docs/json.md`.

pub mod human;
pub mod json;
