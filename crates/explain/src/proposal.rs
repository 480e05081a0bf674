//! The statement that was missing, and where it goes.
//!
//! A proposal is only likely to be right: whoever makes it has to compile and run it.

use std::ops::Range;

use crate::claim::Claim;
use crate::expression::{Expression, ExpressionKind};
use crate::probe::Probe;
use crate::property::PropertyName;
use crate::source::{Located, Spot};
use crate::style::Style;

/// A statement and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Without indentation.
    pub statement: String,
    /// What it asks something of, from left to right: where one of these is null, it fails without
    /// having looked.
    pub asked: Vec<String>,
    /// What it replaces in the source, in bytes; empty where it is inserted.
    pub range: Range<usize>,
    /// What is put there, line breaks and indentation included.
    pub replacement: String,
    /// The line of the statement, counted from the first line of the replacement.
    pub line_within: usize,
}

/// On which side of a statement another is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Before,
    After,
    /// In place of a statement that throws its value away.
    Instead,
}

/// What differs in a test.
pub struct Lead<'a> {
    pub source: &'a str,
    pub expression: &'a Expression,
    pub located: &'a Located,
    pub property: &'a PropertyName,
    /// The property's value in the original.
    pub original: &'a str,
    /// Conditions that tell this run of the method from others, which may show another value.
    pub guards: &'a [String],
}

/// Assertions about what differs itself, the likeliest first. A field cannot be asserted as such:
/// see [`crate::probes`].
pub fn propose(lead: &Lead<'_>) -> Vec<Proposal> {
    let property = lead.property;
    let Some(style) = Style::of(lead.source) else {
        return Vec::new();
    };
    let of = &lead.expression.type_descriptor;
    let mut proposals = Vec::new();
    for (holder, spot, side) in holders(lead.expression, lead.located) {
        let claims = match property.field.as_deref() {
            None => Claim::all(&holder, of, &property.aspect, lead.original),
            Some("message") => {
                let message = format!("{holder}.getMessage()");
                let of = "Ljava/lang/String;";
                Claim::all(&message, of, &property.aspect, lead.original)
            }
            Some(_) => Vec::new(),
        };
        // A value without a name would have to be computed once more for it.
        let asked = match of.starts_with(['L', '[']) && !holder.contains('(') {
            true => vec![holder],
            false => Vec::new(),
        };
        for claim in claims {
            let statement = style.statement(lead.source, &claim);
            let statements = with_guards(statement, side, lead.guards);
            proposals.extend(statements.map(|each| Proposal {
                asked: asked.clone(),
                ..Proposal::at(lead.source, each, spot, side)
            }));
        }
    }
    proposals
}

/// A statement as it is, then under each condition. What stands for another statement has to be run in
/// any case.
fn with_guards(statement: String, side: Side, guards: &[String]) -> impl Iterator<Item = String> {
    let guards = match side {
        Side::Instead => &[],
        Side::Before | Side::After => guards,
    };
    let guarded = guards.iter().map({
        let statement = statement.clone();
        move |guard| format!("if ({guard}) {statement}")
    });
    std::iter::once(statement).chain(guarded)
}

/// The assertion that a call, written at a place of a source, returns what it did; then the same
/// under each condition. Nothing if Java cannot say so.
pub fn assert_at(
    source: &str,
    (spot, side): (&Spot, Side),
    (probe, of): (&Probe, &str),
    (aspect, original): (&str, &str),
    guards: &[String],
) -> Vec<Proposal> {
    let Some(style) = Style::of(source) else {
        return Vec::new();
    };
    let claims = Claim::all(&probe.actual, of, aspect, original).into_iter();
    claims
        .flat_map(|claim| with_guards(style.statement(source, &claim), side, guards))
        .map(|statement| Proposal {
            asked: probe.asked.clone(),
            ..Proposal::at(source, statement, spot, side)
        })
        .collect()
}

/// How what was located can be named, and where.
pub fn holders<'l>(expression: &Expression, located: &'l Located) -> Vec<(String, &'l Spot, Side)> {
    let Some((nearest, around)) = located.spots.split_first() else {
        return Vec::new();
    };
    let own = &located.text;
    let mut holders = match &located.declares {
        Some(variable) => vec![(variable.clone(), nearest, Side::After)],
        None if located.alone => vec![(own.clone(), nearest, Side::Instead)],
        None => vec![
            (own.clone(), nearest, Side::Before),
            (own.clone(), nearest, Side::After),
        ],
    };
    // What has a name may still be there when a loop has ended.
    let named = matches!(
        expression.kind,
        ExpressionKind::Variable(_) | ExpressionKind::Field { .. }
    );
    if named || located.declares.is_some() {
        let name = located.declares.as_ref().unwrap_or(own);
        let outer = around.iter().map(|spot| (name.clone(), spot, Side::After));
        holders.extend(outer);
    }
    holders.retain(|(_, spot, side)| *side != Side::After || !spot.leaves);
    holders
}

impl Proposal {
    pub fn at(source: &str, statement: String, spot: &Spot, side: Side) -> Self {
        let around = spot.statement.clone();
        let line = source[..around.start].rfind('\n').map_or(0, |at| at + 1);
        let before = &source[line..around.start];
        let blank = before.len() - before.trim_start().len();
        // A statement that shares its line with another stays where it is.
        let indentation = &before[..blank];
        let (range, replacement, line_within) = match side {
            Side::Instead => (around, statement.clone(), 0),
            Side::Before => (
                around.start..around.start,
                format!("{statement}\n{indentation}"),
                0,
            ),
            Side::After => (
                around.end..around.end,
                format!("\n{indentation}{statement}"),
                1,
            ),
        };
        Proposal {
            statement,
            asked: Vec::new(),
            range,
            replacement,
            line_within,
        }
    }

    /// The same where nothing that it asks is null. None if it asks nothing, or stands for another
    /// statement, which has to be run in any case.
    pub fn where_present(&self) -> Option<Self> {
        if self.asked.is_empty() || !self.range.is_empty() {
            return None;
        }
        let present = self.asked.iter().map(|asked| format!("{asked} != null"));
        let present = present.collect::<Vec<_>>().join(" && ");
        let statement = format!("if ({present}) {}", self.statement);
        Some(Proposal {
            replacement: self.replacement.replacen(&self.statement, &statement, 1),
            statement,
            asked: Vec::new(),
            ..self.clone()
        })
    }
}

/// The source with edits made, which must not overlap, and the line of each proposal's statement. Lines end as
/// they do in the source.
pub fn apply(source: &str, proposals: &[&Proposal]) -> (String, Vec<usize>) {
    let mut order: Vec<usize> = (0..proposals.len()).collect();
    order.sort_by_key(|index| (proposals[*index].range.start, proposals[*index].range.end));
    let mut edited = String::with_capacity(source.len() + 100 * proposals.len());
    let mut lines = vec![0; proposals.len()];
    let mut copied = 0;
    let ending = match source.split_once('\n') {
        Some((first, _)) if first.ends_with('\r') => "\r\n",
        _ => "\n",
    };
    for index in order {
        let proposal = proposals[index];
        edited.push_str(&source[copied..proposal.range.start]);
        let line = edited.bytes().filter(|byte| *byte == b'\n').count() + 1;
        lines[index] = line + proposal.line_within;
        let lines = proposal.replacement.replace("\r\n", "\n");
        edited.push_str(&lines.replace('\n', ending));
        copied = proposal.range.end;
    }
    edited.push_str(&source[copied..]);
    (edited, lines)
}

/// Whether two edits can be made together.
pub fn compatible(one: &Proposal, other: &Proposal) -> bool {
    one.range.end < other.range.start
        || other.range.end < one.range.start
        || (one.range.is_empty() && other.range.is_empty() && one.range == other.range)
}

/// The change of a source as people review it.
pub fn diff(path: &str, source: &str, proposal: &Proposal) -> String {
    let (edited, _) = apply(source, &[proposal]);
    similar::TextDiff::from_lines(source, &edited)
        .unified_diff()
        .context_radius(2)
        .header(&format!("a/{path}"), &format!("b/{path}"))
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::JavaSource;

    const IMPORTS: &str = "import static org.junit.Assert.*;";

    /// Proposals for the first expression of this kind on the first line of the body.
    fn check(body: &str, kind: ExpressionKind, lead: (&str, &str, &str)) -> Vec<String> {
        check_guarded(body, kind, lead, &[])
    }

    fn check_guarded(
        body: &str,
        kind: ExpressionKind,
        lead: (&str, &str, &str),
        guards: &[String],
    ) -> Vec<String> {
        let source =
            format!("{IMPORTS}\nclass T {{\n    void t() {{\n        {body}\n    }}\n}}\n");
        let (of, property, original) = lead;
        let expression = Expression {
            method: "t".into(),
            descriptor: "()V".into(),
            line: Some(4),
            kind,
            type_descriptor: of.into(),
            nth: 0,
        };
        let java = JavaSource::parse(source.clone()).unwrap();
        let located = java.locate(&expression).unwrap();
        let proposals = propose(&Lead {
            source: &source,
            expression: &expression,
            located: &located,
            property: &PropertyName::read(property),
            original,
            guards,
        });
        let lines = |proposal: &Proposal| {
            let (edited, _) = apply(&source, &[proposal]);
            let all: Vec<&str> = edited.lines().collect();
            all[3..all.len() - 2]
                .iter()
                .map(|line| line.trim())
                .collect::<Vec<_>>()
                .join(" ")
        };
        proposals.iter().map(lines).collect()
    }

    fn variable(name: &str) -> ExpressionKind {
        ExpressionKind::Variable(name.into())
    }

    fn call(name: &str) -> ExpressionKind {
        ExpressionKind::Call {
            owner: "a/B".into(),
            name: name.into(),
            descriptor: "()I".into(),
            is_static: false,
        }
    }

    #[test]
    fn a_variable_is_asserted_before_its_statement_and_after() {
        assert_eq!(
            check("use(n);", variable("n"), ("I", "#value", "I1")),
            ["assertEquals(1, n); use(n);", "use(n); assertEquals(1, n);"]
        );
    }

    #[test]
    fn a_variable_is_asserted_behind_the_loop_too() {
        let found = check(
            "for (String s : all) { use(n); }",
            variable("n"),
            ("I", "#value", "I1"),
        );
        assert_eq!(
            found.last().unwrap(),
            "for (String s : all) { use(n); } assertEquals(1, n);"
        );
    }

    #[test]
    fn nothing_is_put_behind_what_leaves_the_method() {
        assert_eq!(
            check("return n;", variable("n"), ("I", "#value", "I1")),
            ["assertEquals(1, n); return n;"]
        );
    }

    #[test]
    fn a_condition_is_asserted_before_it_is_asked() {
        let found = check("if (b.run()) use(n);", call("run"), ("Z", "#value", "I1"));
        assert_eq!(found[0], "assertTrue(b.run()); if (b.run()) use(n);");
    }

    #[test]
    fn a_value_thrown_away_is_asserted_in_place() {
        assert_eq!(
            check(
                "b.run();",
                call("run"),
                ("Ljava/lang/String;", "#value", "Tx")
            ),
            ["assertEquals(\"x\", b.run());"]
        );
    }

    #[test]
    fn a_value_with_a_name_is_asserted_by_it() {
        assert_eq!(
            check("int n = b.run();", call("run"), ("I", "#value", "I7")),
            ["int n = b.run(); assertEquals(7, n);"]
        );
    }

    #[test]
    fn what_holds_in_one_run_of_a_method_is_also_asserted_under_its_condition() {
        let guards = ["k == 2".to_owned()];
        assert_eq!(
            check_guarded(
                "int n = b.run();",
                call("run"),
                ("I", "#value", "I7"),
                &guards
            ),
            [
                "int n = b.run(); assertEquals(7, n);",
                "int n = b.run(); if (k == 2) assertEquals(7, n);"
            ]
        );
        // The call itself must be made whatever the condition says.
        assert_eq!(
            check_guarded("b.run();", call("run"), ("I", "#value", "I7"), &guards),
            ["assertEquals(7, b.run());"]
        );
    }

    #[test]
    fn what_is_null_at_times_is_asked_only_where_it_is_there() {
        let source = "use(x);";
        let proposal = Proposal {
            asked: vec!["x".into(), "x.y()".into()],
            ..Proposal::at(
                source,
                "assertEquals(1, x.y().z());".into(),
                &Spot {
                    statement: 0..source.len(),
                    leaves: false,
                },
                Side::Before,
            )
        };
        let present = proposal.where_present().unwrap();
        assert_eq!(
            apply(source, &[&present]).0,
            "if (x != null && x.y() != null) assertEquals(1, x.y().z());\nuse(x);"
        );
        assert_eq!(present.where_present(), None);
        let instead = Proposal {
            range: 0..source.len(),
            ..proposal
        };
        assert_eq!(instead.where_present(), None);
    }

    #[test]
    fn a_field_is_not_asserted_as_such() {
        let found = check("use(n);", variable("n"), ("La/B;", ".version#value", "J1"));
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn lines_end_as_in_the_source() {
        let source = "class T {\r\n    void t() {\r\n        a();\r\n    }\r\n}\r\n";
        let start = source.find("a();").unwrap();
        let spot = Spot {
            statement: start..start + 4,
            leaves: false,
        };
        for side in [Side::Before, Side::After] {
            let proposal = Proposal::at(source, "b(1,\r\n2);".into(), &spot, side);
            let (edited, _) = apply(source, &[&proposal]);
            assert!(edited.lines().count() > 5);
            assert_eq!(edited.matches('\n').count(), edited.matches("\r\n").count());
            let diff = diff("T.java", source, &proposal);
            assert!(diff.contains("+        b(1,\r\n"), "{diff}");
        }
    }

    #[test]
    fn edits_are_made_together_and_their_lines_known() {
        let source = "a;\nb;\n";
        let edit = |range: Range<usize>, replacement: &str, line_within| Proposal {
            statement: String::new(),
            asked: Vec::new(),
            range,
            replacement: replacement.into(),
            line_within,
        };
        let (after, before) = (edit(5..5, "\ny;", 1), edit(0..0, "x;\n", 0));
        assert!(compatible(&after, &before));
        assert!(!compatible(&edit(0..2, "z;", 0), &before));
        let (edited, lines) = apply(source, &[&after, &before]);
        assert_eq!(
            (edited.as_str(), &lines[..]),
            ("x;\na;\nb;\ny;\n", &[4, 1][..])
        );
    }
}
