//! The assertion that was missing, in the framework and the style of its test.
//!
//! A proposal is only likely to be right: whoever makes it has to compile and run it.

use std::ops::Range;

use crate::expression::Expression;
use crate::property::{PropertyName, literal};
use crate::source::Located;

/// An assertion and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The statement, without indentation.
    pub statement: String,
    /// What it replaces in the source, in bytes; empty where it is inserted.
    pub range: Range<usize>,
    /// What is put there, line breaks and indentation included.
    pub replacement: String,
    /// The line of the statement, counted from the first line of the replacement.
    pub line_within: usize,
}

/// How a test asserts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    AssertJ,
    JUnit5,
    JUnit4,
    JUnit3,
    TestNg,
}

/// What is asserted, as Java text.
struct Claim {
    actual: String,
    /// Of the actual value, as a descriptor.
    of: String,
    expected: Expected,
}

enum Expected {
    Value(String),
    Null(bool),
}

/// A method without parameters that shows a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    pub name: String,
    /// The descriptor of what it returns.
    pub result: String,
}

/// What differs in a test, and what can show it.
pub struct Lead<'a> {
    pub source: &'a str,
    pub expression: &'a Expression,
    pub located: &'a Located,
    pub property: &'a PropertyName,
    /// The property's value in the original.
    pub original: &'a str,
    pub readers: &'a [Reader],
}

impl Style {
    /// By what a source imports; none if it asserts in no way we know.
    pub fn of(source: &str) -> Option<Self> {
        let imports = |package: &str| {
            source.lines().any(|line| {
                let line = line.trim();
                line.starts_with("import ") && line.contains(package)
            })
        };
        if imports("org.assertj.core.api.Assertions") {
            Some(Style::AssertJ)
        } else if imports("org.junit.jupiter.api.") {
            Some(Style::JUnit5)
        } else if imports("org.testng.") {
            Some(Style::TestNg)
        } else if imports("org.junit.") {
            Some(Style::JUnit4)
        } else if imports("junit.framework.") || source.contains("extends TestCase") {
            Some(Style::JUnit3)
        } else {
            None
        }
    }

    fn class(self) -> &'static str {
        match self {
            Style::AssertJ => "org.assertj.core.api.Assertions",
            Style::JUnit5 => "org.junit.jupiter.api.Assertions",
            Style::JUnit4 => "org.junit.Assert",
            Style::JUnit3 => "junit.framework.Assert",
            Style::TestNg => "org.testng.Assert",
        }
    }

    /// The method as the source can name it without another import.
    fn method(self, source: &str, name: &str) -> String {
        let class = self.class();
        let has = |import: String| source.lines().any(|line| line.trim() == import);
        if source.contains("extends TestCase") && self == Style::JUnit3
            || has(format!("import static {class}.{name};"))
            || has(format!("import static {class}.*;"))
        {
            name.to_owned()
        } else if has(format!("import {class};")) {
            let simple = class.rsplit('.').next().unwrap_or(class);
            format!("{simple}.{name}")
        } else {
            format!("{class}.{name}")
        }
    }

    fn statement(self, source: &str, claim: &Claim) -> String {
        let actual = &claim.actual;
        if self == Style::AssertJ {
            let check = match &claim.expected {
                Expected::Null(true) => "isNull()".to_owned(),
                Expected::Null(false) => "isNotNull()".to_owned(),
                Expected::Value(value) if value == "true" && claim.of == "Z" => {
                    "isTrue()".to_owned()
                }
                Expected::Value(value) if value == "false" && claim.of == "Z" => {
                    "isFalse()".to_owned()
                }
                Expected::Value(value) => format!("isEqualTo({value})"),
            };
            return format!("{}({actual}).{check};", self.method(source, "assertThat"));
        }
        let name = match &claim.expected {
            Expected::Null(true) => "assertNull",
            Expected::Null(false) => "assertNotNull",
            Expected::Value(value) if claim.of == "Z" && value == "true" => "assertTrue",
            Expected::Value(value) if claim.of == "Z" && value == "false" => "assertFalse",
            Expected::Value(_) => "assertEquals",
        };
        let method = self.method(source, name);
        let Expected::Value(expected) = &claim.expected else {
            return format!("{method}({actual});");
        };
        if name != "assertEquals" {
            return format!("{method}({actual});");
        }
        let expected = in_wrapper(expected, &claim.of);
        // Older frameworks want to know how far floating-point numbers may be apart.
        let tolerance = match (claim.of.as_str(), self) {
            ("F", Style::JUnit3 | Style::JUnit4 | Style::TestNg) => ", 0f",
            ("D", Style::JUnit3 | Style::JUnit4 | Style::TestNg) => ", 0",
            _ => "",
        };
        if self == Style::TestNg {
            format!("{method}({actual}, {expected}{tolerance});")
        } else {
            format!("{method}({expected}, {actual}{tolerance});")
        }
    }
}

/// A literal beside an object of a wrapper type leaves the compiler two methods to choose from.
fn in_wrapper(expected: &str, of: &str) -> String {
    let wrapper = of
        .strip_prefix("Ljava/lang/")
        .and_then(|of| of.strip_suffix(';'));
    match wrapper {
        Some(
            wrapper @ ("Integer" | "Long" | "Short" | "Byte" | "Character" | "Double" | "Float"),
        ) => {
            format!("{wrapper}.valueOf({expected})")
        }
        _ => expected.to_owned(),
    }
}

/// Assertions that may show the difference, the likeliest first.
pub fn propose(lead: &Lead<'_>) -> Vec<Proposal> {
    let Some(style) = Style::of(lead.source) else {
        return Vec::new();
    };
    let mut proposals = Vec::new();
    for (holder, placement) in placements(lead.located) {
        for claim in claims(lead, &holder) {
            let statement = style.statement(lead.source, &claim);
            proposals.extend(place(lead, &statement, placement));
        }
    }
    proposals
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Placement {
    Before,
    After,
    /// In place of a statement that throws its value away.
    Instead,
}

/// What to assert about, and where.
fn placements(located: &Located) -> Vec<(String, Placement)> {
    let own = located.text.clone();
    match &located.declares {
        Some(variable) => vec![(variable.clone(), Placement::After)],
        None if located.alone => vec![(own, Placement::Instead)],
        None => vec![(own.clone(), Placement::Before), (own, Placement::After)],
    }
}

fn claims(lead: &Lead<'_>, holder: &str) -> Vec<Claim> {
    let property = lead.property;
    let value = |actual: String, of: &str, expected: String| Claim {
        actual,
        of: of.to_owned(),
        expected: Expected::Value(expected),
    };
    let own_type = &lead.expression.type_descriptor;
    match (&property.field, property.aspect.as_str()) {
        (None, "value") => {
            let kind = lead.original.get(..1).unwrap_or_default();
            // The JVM computes booleans and characters as ints; the source knows better.
            let (of, expected) = match (kind, own_type.as_str()) {
                ("I", "Z") => {
                    let truth = if lead.original == "I0" {
                        "false"
                    } else {
                        "true"
                    };
                    ("Z".to_owned(), Some(truth.to_owned()))
                }
                (kind @ ("Z" | "J" | "F" | "D"), of) if !of.starts_with('L') => {
                    (kind.to_owned(), literal(lead.original))
                }
                (_, of) => (of.to_owned(), literal(lead.original)),
            };
            let expected = expected.into_iter();
            expected
                .map(|expected| value(holder.to_owned(), &of, expected))
                .collect()
        }
        (None, "null") => vec![Claim {
            actual: holder.to_owned(),
            of: own_type.clone(),
            expected: Expected::Null(lead.original == "true"),
        }],
        (None, "size") => vec![value(
            format!("{holder}.size()"),
            "I",
            lead.original.to_owned(),
        )],
        (None, "length") => vec![value(
            format!("{holder}.length"),
            "I",
            lead.original.to_owned(),
        )],
        (Some(field), "value") if field == "message" => literal(lead.original)
            .map(|expected| {
                value(
                    format!("{holder}.getMessage()"),
                    "Ljava/lang/String;",
                    expected,
                )
            })
            .into_iter()
            .collect(),
        (Some(field), "null") if field == "message" => vec![Claim {
            actual: format!("{holder}.getMessage()"),
            of: "Ljava/lang/String;".to_owned(),
            expected: Expected::Null(lead.original == "true"),
        }],
        (Some(_), aspect) => lead
            .readers
            .iter()
            .flat_map(|reader| read_claims(reader, aspect, lead.original, holder))
            .collect(),
        _ => Vec::new(),
    }
}

/// What a reader probably returns: the field itself, its size, or a truth about it.
fn read_claims(reader: &Reader, aspect: &str, original: &str, holder: &str) -> Vec<Claim> {
    let claim = |expected| Claim {
        actual: format!("{holder}.{}()", reader.name),
        of: reader.result.clone(),
        expected,
    };
    let value = |text: &str| claim(Expected::Value(text.to_owned()));
    match (reader.result.as_str(), aspect) {
        ("Z", "value") if original.starts_with('Z') => vec![value(&original[1..])],
        ("Z", _) => vec![value("true"), value("false")],
        ("I", "size" | "length") => vec![value(original)],
        (_, "value") => literal(original).iter().map(|text| value(text)).collect(),
        (result, "null") if result.starts_with(['L', '[']) => {
            vec![claim(Expected::Null(original == "true"))]
        }
        (result, "size") if result.starts_with("Ljava/util/") => vec![Claim {
            actual: format!("{holder}.{}().size()", reader.name),
            of: "I".to_owned(),
            expected: Expected::Value(original.to_owned()),
        }],
        _ => Vec::new(),
    }
}

fn place(lead: &Lead<'_>, statement: &str, placement: Placement) -> Option<Proposal> {
    let around = lead.located.statement.clone()?;
    let line = lead.source[..around.start]
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let before = &lead.source[line..around.start];
    let blank = before.len() - before.trim_start().len();
    // A statement that shares its line with another stays where it is.
    let indentation = &before[..blank];
    let (range, replacement, line_within) = match placement {
        Placement::Instead => (around, statement.to_owned(), 0),
        Placement::Before => (
            around.start..around.start,
            format!("{statement}\n{indentation}"),
            0,
        ),
        Placement::After => (
            around.end..around.end,
            format!("\n{indentation}{statement}"),
            1,
        ),
    };
    Some(Proposal {
        statement: statement.to_owned(),
        range,
        replacement,
        line_within,
    })
}

/// The source with edits made, which must not overlap, and the line of each proposal's statement.
pub fn apply(source: &str, proposals: &[&Proposal]) -> (String, Vec<usize>) {
    let mut order: Vec<usize> = (0..proposals.len()).collect();
    order.sort_by_key(|index| (proposals[*index].range.start, proposals[*index].range.end));
    let mut edited = String::with_capacity(source.len() + 100 * proposals.len());
    let mut lines = vec![0; proposals.len()];
    let mut copied = 0;
    for index in order {
        let proposal = proposals[index];
        edited.push_str(&source[copied..proposal.range.start]);
        let line = edited.bytes().filter(|byte| *byte == b'\n').count() + 1;
        lines[index] = line + proposal.line_within;
        edited.push_str(&proposal.replacement);
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
    use crate::expression::ExpressionKind;
    use crate::source::JavaSource;

    /// Proposals for the variable or call on the line with a caret under its first column.
    fn check(
        imports: &str,
        body: &str,
        kind: ExpressionKind,
        lead: (&str, &str, &str),
    ) -> Vec<String> {
        let source =
            format!("{imports}\nclass T {{\n    void t() {{\n        {body}\n    }}\n}}\n");
        let (of, property, original) = lead;
        let expression = Expression {
            method: "t".into(),
            descriptor: "()V".into(),
            line: Some(imports.lines().count() as u16 + 3),
            kind,
            type_descriptor: of.into(),
            nth: 0,
        };
        let java = JavaSource::parse(source.clone()).unwrap();
        let located = java.locate(&expression).unwrap();
        let readers = [Reader {
            name: "getVersion".into(),
            result: "J".into(),
        }];
        let proposals = propose(&Lead {
            source: &source,
            expression: &expression,
            located: &located,
            property: &PropertyName::read(property),
            original,
            readers: &readers,
        });
        let lines = |proposal: &Proposal| {
            let (edited, _) = apply(&source, &[proposal]);
            let start = imports.lines().count() + 2;
            let all: Vec<&str> = edited.lines().collect();
            all[start..all.len() - 2]
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

    const JUNIT4: &str = "import static org.junit.Assert.*;";
    const JUNIT5: &str = "import org.junit.jupiter.api.Assertions;";
    const ASSERTJ: &str = "import static org.assertj.core.api.Assertions.assertThat;";
    const TESTNG: &str = "import org.testng.annotations.Test;";

    #[test]
    fn a_field_is_asserted_through_its_reader_before_the_statement_and_after() {
        let found = check(
            JUNIT4,
            "use(set);",
            variable("set"),
            ("La/Set;", ".version#value", "J1"),
        );
        assert_eq!(
            found,
            [
                "assertEquals(1L, set.getVersion()); use(set);",
                "use(set); assertEquals(1L, set.getVersion());"
            ]
        );
    }

    #[test]
    fn a_value_thrown_away_is_asserted_in_place() {
        let found = check(
            JUNIT5,
            "b.run();",
            call("run"),
            ("Ljava/lang/String;", "#value", "Tx"),
        );
        assert_eq!(found, ["Assertions.assertEquals(\"x\", b.run());"]);
    }

    #[test]
    fn a_value_with_a_name_is_asserted_by_it() {
        let found = check(
            ASSERTJ,
            "int n = b.run();",
            call("run"),
            ("I", "#value", "I7"),
        );
        assert_eq!(found, ["int n = b.run(); assertThat(n).isEqualTo(7);"]);
    }

    #[test]
    fn each_framework_gets_what_it_wants() {
        let first = |imports: &str, lead: (&str, &str, &str)| {
            check(imports, "use(x);", variable("x"), lead).remove(0)
        };
        for (imports, lead, expected) in [
            (
                JUNIT4,
                ("D", "#value", "D0.5"),
                "assertEquals(0.5, x, 0); use(x);",
            ),
            (JUNIT4, ("Z", "#value", "I0"), "assertFalse(x); use(x);"),
            (
                JUNIT4,
                ("Ljava/lang/Integer;", "#value", "I3"),
                "assertEquals(Integer.valueOf(3), x); use(x);",
            ),
            (
                JUNIT4,
                ("La/B;", "#null", "false"),
                "assertNotNull(x); use(x);",
            ),
            (
                JUNIT4,
                ("Ljava/util/List;", "#size", "2"),
                "assertEquals(2, x.size()); use(x);",
            ),
            (
                TESTNG,
                ("I", "#value", "I3"),
                "org.testng.Assert.assertEquals(x, 3); use(x);",
            ),
            (
                ASSERTJ,
                ("Z", "#value", "I1"),
                "assertThat(x).isTrue(); use(x);",
            ),
        ] {
            assert_eq!(first(imports, lead), expected);
        }
    }

    #[test]
    fn what_cannot_be_written_down_is_not_proposed() {
        let found = check(JUNIT4, "use(x);", variable("x"), ("La/B;", "#class", "a.B"));
        assert!(found.is_empty());
        assert_eq!(Style::of("import java.util.List;"), None);
    }

    #[test]
    fn edits_are_made_together_and_their_lines_known() {
        let source = "a;\nb;\n";
        let edit = |range: Range<usize>, replacement: &str, line_within| Proposal {
            statement: String::new(),
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
