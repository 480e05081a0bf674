//! What a change can reach, for machines.

use std::collections::BTreeSet;

use jury_impact::{ImpactRun, ImpactedType, Link, MethodRun};
use serde::Serialize;

use super::{NoticeJson, document};

pub fn impact(run: &ImpactRun) -> String {
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
            edges: edges(&run.edges),
            counts: CountsJson {
                types: run.type_count,
                edges: run.edge_count,
                tests: run.test_count,
            },
            notices: run.notices.iter().map(NoticeJson::from).collect(),
            read_micros: run.read_micros,
            analysis_micros: run.analysis_micros,
            methods: run.methods.as_ref().map(|run| MethodsJson {
                changed: &run.changed,
                impacted: types(&run.impacted),
                tests: types(&run.tests),
                tests_judged_by_types: run.by_class,
                edges: edges(&run.edges),
                counts: MethodCountsJson {
                    methods: run.method_count,
                    edges: run.edge_count,
                },
                read_micros: run.read_micros,
                analysis_micros: run.analysis_micros,
            }),
        },
    )
}

fn types(types: &[ImpactedType]) -> Vec<TypeJson> {
    types.iter().map(TypeJson::from).collect()
}

fn edges(edges: &[(String, String, Link)]) -> Vec<EdgeJson<'_>> {
    let edges = edges.iter();
    edges
        .map(|(from, to, link)| EdgeJson {
            from,
            to,
            link: link.word(),
        })
        .collect()
}

/// The graph in the language of Graphviz; what is impacted is filled.
pub fn dot(run: &ImpactRun) -> String {
    let (names, impacted, edges) = match &run.methods {
        None => (run.types.clone(), &run.impacted, &run.edges),
        Some(methods) => (ends(methods), &methods.impacted, &methods.edges),
    };
    let quoted = |name: &str| format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    let mut out = String::from("digraph impact {\n  node [shape=box];\n");
    for name in &names {
        let impacted = impacted.binary_search_by(|one| one.name.cmp(name)).is_ok();
        let style = if impacted {
            " [style=filled, fillcolor=\"#ffd9a0\"]"
        } else {
            ""
        };
        out.push_str(&format!("  {}{style};\n", quoted(name)));
    }
    for (from, to, link) in edges {
        let style = match link {
            Link::Mentions => String::new(),
            other => format!(" [label={}]", quoted(other.word())),
        };
        out.push_str(&format!("  {} -> {}{style};\n", quoted(from), quoted(to)));
    }
    out.push_str("}\n");
    out
}

/// All that an edge of the methods begins or ends at.
fn ends(run: &MethodRun) -> Vec<String> {
    let ends = run.edges.iter().flat_map(|(from, to, _)| [from, to]);
    let distinct: BTreeSet<&String> = ends.collect();
    distinct.into_iter().cloned().collect()
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
    methods: Option<MethodsJson<'a>>,
}

#[derive(Serialize)]
struct MethodsJson<'a> {
    changed: &'a [String],
    impacted: Vec<TypeJson>,
    tests: Vec<TypeJson>,
    tests_judged_by_types: usize,
    edges: Vec<EdgeJson<'a>>,
    counts: MethodCountsJson,
    read_micros: u64,
    analysis_micros: u64,
}

#[derive(Serialize)]
struct MethodCountsJson {
    methods: usize,
    edges: usize,
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
