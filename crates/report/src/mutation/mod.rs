//! What `jury mutate` found out, in the formats that other tools and browsers read. One file per
//! format; each is a function from the run to the whole text, the same for the same run.

mod csv;
mod elements_json;
mod html;
mod issue_json;
mod markdown;
pub(crate) mod markup;
mod methods_json;
mod pit_xml;
#[cfg(test)]
pub(crate) mod sample;
mod sarif;
mod signature;
mod sources;

use jury_mutate::{Cause, Classification, JudgedClass, MethodId, MutantVerdict};
use serde::Serialize;

pub use csv::csv;
pub use elements_json::elements_json;
pub use html::{explained_html, html};
pub use issue_json::issue_json;
pub use markdown::markdown;
pub use methods_json::methods_json;
pub use pit_xml::pit_xml;
pub use sarif::sarif;

pub(crate) use sarif::uri as sarif_uri;
pub(crate) use sources::declaration_line;

/// What the noticing test threw, or why there is no verdict.
pub(crate) fn reason(verdict: &MutantVerdict) -> Option<String> {
    match verdict {
        MutantVerdict::Killed { failure, .. } if failure.message.is_empty() => {
            Some(failure.exception.clone())
        }
        MutantVerdict::Killed { failure, .. } => {
            Some(format!("{}: {}", failure.exception, failure.message))
        }
        MutantVerdict::Skipped { reason } => Some(reason.clone()),
        _ => None,
    }
}

/// A class in source form, nested ones with `$`: `a.b.C$D`.
pub(crate) fn source_name(class: &str) -> String {
    class.replace('/', ".")
}

/// A method as people write it: `a.b.C#run(int, String)`.
pub(crate) fn spoken_method(id: &MethodId) -> String {
    let parameters = signature::parameters(&id.descriptor);
    format!("{}#{}{parameters}", source_name(&id.class), id.name)
}

pub(crate) fn spoken(classification: Classification) -> &'static str {
    match classification {
        Classification::PseudoTested => "pseudo-tested",
        Classification::PartiallyTested => "partially tested",
        Classification::Tested => "tested",
        Classification::NotCovered => "not covered",
        Classification::NotAnalysed => "not analysed",
    }
}

/// Why a mutant is news.
pub(crate) fn spoken_cause(cause: Cause) -> &'static str {
    match cause {
        Cause::NewMethod => "the method is new",
        Cause::NewMutant => "the mutant is new",
        Cause::NoLongerDetected => "tests noticed it before",
        Cause::NowCovered => "no test ran the method before",
    }
}

pub(crate) fn is_finding(classification: Classification) -> bool {
    matches!(
        classification,
        Classification::PseudoTested | Classification::PartiallyTested
    )
}

pub(crate) fn percent(score: Option<f64>) -> String {
    score.map_or_else(|| "–".to_owned(), |score| format!("{:.1} %", score * 100.0))
}

/// Where a class's source lies in the project. Where it was not found, the place it would have in
/// a directory of sources, so that classes stay apart.
fn source_path(class: &JudgedClass) -> String {
    if let Some(path) = &class.source_path {
        return path.clone();
    }
    let (package, name) = class.name.rsplit_once('/').unwrap_or(("", &class.name));
    let top_level = name.split('$').next().unwrap_or(name);
    let file = class
        .source_file
        .clone()
        .unwrap_or_else(|| format!("{top_level}.java"));
    if package.is_empty() {
        file
    } else {
        format!("{package}/{file}")
    }
}

pub(crate) fn json_text(document: &impl Serialize) -> String {
    // ok: maps have string keys and no value refuses to be serialised.
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}
