//! What a change can reach, for machines.

use jury_impact::{ImpactRun, ImpactedType};
use serde::Serialize;

use super::{NoticeJson, document};

pub fn impact(run: &ImpactRun) -> String {
    let types =
        |types: &'_ [ImpactedType]| -> Vec<TypeJson> { types.iter().map(TypeJson::from).collect() };
    document(
        "impact",
        ImpactJson {
            since: &run.since,
            changed: run
                .changed
                .iter()
                .map(|one| ChangedJson {
                    name: one.name.clone(),
                    module: one.module.clone(),
                    change: one.change.word(),
                })
                .collect(),
            impacted: types(&run.impacted),
            tests: types(&run.tests),
            types: &run.types,
            edges: run
                .edges
                .iter()
                .map(|(from, to, link)| EdgeJson {
                    from,
                    to,
                    link: link.word(),
                })
                .collect(),
            counts: CountsJson {
                types: run.type_count,
                edges: run.edge_count,
                tests: run.test_count,
            },
            notices: run.notices.iter().map(NoticeJson::from).collect(),
            read_micros: run.read_micros,
            analysis_micros: run.analysis_micros,
        },
    )
}

/// The graph in the language of Graphviz; impacted types are filled.
pub fn dot(run: &ImpactRun) -> String {
    let quoted = |name: &str| format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    let mut out = String::from("digraph impact {\n  node [shape=box];\n");
    for name in &run.types {
        let impacted = run
            .impacted
            .binary_search_by(|one| one.name.cmp(name))
            .is_ok();
        let style = if impacted {
            " [style=filled, fillcolor=\"#ffd9a0\"]"
        } else {
            ""
        };
        out.push_str(&format!("  {}{style};\n", quoted(name)));
    }
    for (from, to, link) in &run.edges {
        let style = match link {
            jury_impact::Link::Mentions => String::new(),
            other => format!(" [label={}]", quoted(other.word())),
        };
        out.push_str(&format!("  {} -> {}{style};\n", quoted(from), quoted(to)));
    }
    out.push_str("}\n");
    out
}

#[derive(Serialize)]
struct ImpactJson<'a> {
    since: &'a str,
    changed: Vec<ChangedJson>,
    impacted: Vec<TypeJson>,
    tests: Vec<TypeJson>,
    types: &'a [String],
    edges: Vec<EdgeJson<'a>>,
    counts: CountsJson,
    notices: Vec<NoticeJson<'a>>,
    read_micros: u64,
    analysis_micros: u64,
}

#[derive(Serialize)]
struct ChangedJson {
    name: String,
    module: String,
    change: &'static str,
}

#[derive(Serialize)]
struct TypeJson {
    name: String,
    module: String,
    way: Vec<StepJson>,
}

#[derive(Serialize)]
struct StepJson {
    link: &'static str,
    to: String,
}

#[derive(Serialize)]
struct EdgeJson<'a> {
    from: &'a str,
    to: &'a str,
    link: &'static str,
}

#[derive(Serialize)]
struct CountsJson {
    types: usize,
    edges: usize,
    tests: usize,
}

impl From<&ImpactedType> for TypeJson {
    fn from(one: &ImpactedType) -> Self {
        TypeJson {
            name: one.name.clone(),
            module: one.module.clone(),
            way: one
                .way
                .iter()
                .map(|step| StepJson {
                    link: step.link.word(),
                    to: step.to.clone(),
                })
                .collect(),
        }
    }
}
