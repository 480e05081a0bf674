//! Where an expression of compiled code stands in its Java source.
//!
//! Compiled code keeps lines but no columns. On its line, the n-th variable, field, call or new
//! object of a name is taken to be the n-th in the order of evaluation.

use std::ops::Range;

use tree_sitter::{Node, Parser, Tree};

use crate::expression::{Expression, ExpressionKind, own_name};

/// A source file and its syntax tree.
pub struct JavaSource {
    pub text: String,
    tree: Tree,
}

/// An expression in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// In bytes.
    pub range: Range<usize>,
    /// First and last column, from 1, in characters; none if it spans lines.
    pub columns: Option<(usize, usize)>,
    pub text: String,
    /// The statements around it, the nearest first.
    pub spots: Vec<Spot>,
    /// The variable that the nearest statement declares with it, if that is what it does.
    pub declares: Option<String>,
    /// Whether the nearest statement is nothing but the expression.
    pub alone: bool,
}

/// A statement beside which another can be put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// In bytes.
    pub statement: Range<usize>,
    /// Whether it leaves its method, so that nothing behind it is reached.
    pub leaves: bool,
}

/// Statements around an expression that are of use.
const MOST_SPOTS: usize = 4;
/// Characters of a statement that are shown.
const LONGEST_STATEMENT: usize = 120;

impl JavaSource {
    /// None if the parser refuses altogether; it takes sources with errors as far as it can.
    pub fn parse(text: String) -> Option<Self> {
        let mut parser = Parser::new();
        parser
            .set_language(&tree_sitter_java::LANGUAGE.into())
            .ok()?;
        let tree = parser.parse(&text, None)?;
        Some(JavaSource { text, tree })
    }

    pub fn locate(&self, expression: &Expression) -> Option<Located> {
        let row = usize::from(expression.line?).checked_sub(1)?;
        let mut found = Vec::new();
        self.collect(self.tree.root_node(), expression, &mut found);
        found.sort_by_key(|node| node.end_byte());
        let on_line: Vec<Node<'_>> = found
            .iter()
            .copied()
            .filter(|node| self.name_row(*node) == row)
            .collect();
        // A call that spans lines may be noted under the line on which its statement begins.
        let in_statement = || {
            let begins = |node: &Node<'_>| {
                let statement = *statements_around(*node).first()?;
                Some(statement.start_position().row == row)
            };
            let mut nodes = found.iter().filter(|node| begins(node) == Some(true));
            nodes.nth(expression.nth).copied()
        };
        let node = on_line.get(expression.nth).copied().or_else(in_statement)?;
        Some(self.located(node))
    }

    fn located(&self, node: Node<'_>) -> Located {
        let (start, end) = (node.start_position(), node.end_position());
        let statements = statements_around(node);
        let statement = statements.first().copied();
        let column = |byte: usize| {
            let line = self.text[..byte].rfind('\n').map_or(0, |at| at + 1);
            self.text[line..byte].chars().count()
        };
        let declares = statement.and_then(|statement| self.declared_with(statement, node));
        let alone = statement.is_some_and(|statement| {
            statement.kind() == "expression_statement" && statement.named_child(0) == Some(node)
        });
        Located {
            range: node.byte_range(),
            columns: (start.row == end.row)
                .then(|| (column(node.start_byte()) + 1, column(node.end_byte()))),
            text: self.text_of(node).to_owned(),
            spots: statements.into_iter().map(Spot::of).collect(),
            declares,
            alone,
        }
    }

    /// The innermost statement on a line, in one line and shortened.
    pub fn statement(&self, line: u16) -> Option<String> {
        let row = usize::from(line).checked_sub(1)?;
        let mut node = self.tree.root_node();
        let mut statement = None;
        loop {
            let mut cursor = node.walk();
            let inner = node.named_children(&mut cursor).find(|child| {
                (child.start_position().row..=child.end_position().row).contains(&row)
            });
            let Some(inner) = inner else { break };
            if matches!(node.kind(), "block" | "constructor_body") {
                statement = Some(inner);
            }
            node = inner;
        }
        let text = self.text_of(statement?);
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        Some(match text.char_indices().nth(LONGEST_STATEMENT) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        })
    }

    /// The last statement of the method that a line belongs to.
    pub fn end_of_method(&self, line: u16) -> Option<Spot> {
        let body = self.method_at(line)?.child_by_field_name("body")?;
        let mut cursor = body.walk();
        let statements = body.named_children(&mut cursor);
        statements
            .filter(|each| !each.is_extra())
            .last()
            .map(Spot::of)
    }

    /// The names of the parameters of the method that a line belongs to.
    pub fn parameters(&self, line: u16) -> Vec<&str> {
        let method = self.method_at(line);
        let Some(list) = method.and_then(|method| method.child_by_field_name("parameters")) else {
            return Vec::new();
        };
        let mut cursor = list.walk();
        let names = list.named_children(&mut cursor);
        let names = names.filter_map(|each| each.child_by_field_name("name"));
        names.map(|name| self.text_of(name)).collect()
    }

    /// The innermost method with a body that a line belongs to.
    fn method_at(&self, line: u16) -> Option<Node<'_>> {
        let row = usize::from(line).checked_sub(1)?;
        let mut node = self.tree.root_node();
        let mut method = None;
        loop {
            if node.kind() == "method_declaration" && node.child_by_field_name("body").is_some() {
                method = Some(node);
            }
            let mut cursor = node.walk();
            let inner = node.named_children(&mut cursor).find(|child| {
                (child.start_position().row..=child.end_position().row).contains(&row)
            });
            match inner {
                Some(inner) => node = inner,
                None => return method,
            }
        }
    }

    /// The variable whose initial value the node is.
    fn declared_with(&self, statement: Node<'_>, node: Node<'_>) -> Option<String> {
        let declarator = node.parent()?;
        let only = statement.kind() == "local_variable_declaration"
            && declarator.parent() == Some(statement)
            && declarator.child_by_field_name("value") == Some(node);
        let name = declarator.child_by_field_name("name").filter(|_| only)?;
        Some(self.text_of(name).to_owned())
    }

    fn collect<'t>(&self, node: Node<'t>, expression: &Expression, found: &mut Vec<Node<'t>>) {
        if self.is(node, expression) {
            found.push(node);
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.collect(child, expression, found);
        }
    }

    fn is(&self, node: Node<'_>, expression: &Expression) -> bool {
        let named = |field: &str, name: &str| {
            let child = node.child_by_field_name(field);
            child.is_some_and(|child| self.text_of(child) == name)
        };
        match (&expression.kind, node.kind()) {
            (ExpressionKind::Variable(name), "identifier") => {
                self.text_of(node) == name && is_used(node)
            }
            (ExpressionKind::Field { name, .. }, "identifier") => {
                self.text_of(node) == name && is_used(node)
            }
            (ExpressionKind::Field { name, .. }, "field_access") => named("field", name),
            (ExpressionKind::Call { name, .. }, "method_invocation") => named("name", name),
            (ExpressionKind::New(class), "object_creation_expression") => {
                let written = node.child_by_field_name("type");
                let written = written.map_or("", |written| self.text_of(written));
                let written = written.split('<').next().unwrap_or_default().trim();
                written.rsplit('.').next() == Some(own_name(class))
            }
            _ => false,
        }
    }

    /// The row of what names the expression: calls may begin on an earlier line.
    fn name_row(&self, node: Node<'_>) -> usize {
        let name = node
            .child_by_field_name("name")
            .or_else(|| node.child_by_field_name("field"));
        name.unwrap_or(node).start_position().row
    }

    fn text_of(&self, node: Node<'_>) -> &str {
        &self.text[node.byte_range()]
    }
}

impl Spot {
    fn of(statement: Node<'_>) -> Self {
        Spot {
            statement: statement.byte_range(),
            leaves: matches!(
                statement.kind(),
                "return_statement" | "throw_statement" | "break_statement" | "continue_statement"
            ),
        }
    }
}

/// The statements around a node beside which another can be put, the nearest first. Whether the
/// other sees the same there, only a trial can tell: a lambda may run later, a loop more often.
fn statements_around(node: Node<'_>) -> Vec<Node<'_>> {
    let mut statements = Vec::new();
    let mut node = node;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            "block" | "constructor_body" | "switch_block_statement_group" => statements.push(node),
            "class_body" => break,
            _ => {}
        }
        if statements.len() == MOST_SPOTS {
            break;
        }
        node = parent;
    }
    statements
}

/// Whether a name stands for its value, and is not being declared, assigned or only part of
/// another name.
fn is_used(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else {
        return false;
    };
    let is_field = |field: &str| parent.child_by_field_name(field) == Some(node);
    match parent.kind() {
        "variable_declarator" | "enhanced_for_statement" => is_field("value"),
        "method_invocation" => !is_field("name"),
        "field_access" => is_field("object"),
        "assignment_expression" => !is_field("left"),
        "formal_parameter"
        | "catch_formal_parameter"
        | "inferred_parameters"
        | "resource"
        | "method_declaration"
        | "class_declaration"
        | "scoped_identifier"
        | "method_reference"
        | "marker_annotation"
        | "annotation"
        | "element_value_pair"
        | "labeled_statement"
        | "break_statement"
        | "continue_statement" => false,
        "lambda_expression" => is_field("body"),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
class T {
    int card;
    void test() {
        Card card = new Card();
        card.stamp(card.count(), 2);
        Slip slip = desk.pay(card)
            .print();
        run(() -> card.count());
    }
}
";

    fn check(line: u16, kind: ExpressionKind, nth: usize) -> Option<String> {
        let expression = Expression {
            method: "test".into(),
            descriptor: "()V".into(),
            line: Some(line),
            kind,
            type_descriptor: "I".into(),
            nth,
        };
        let source = JavaSource::parse(SOURCE.into()).unwrap();
        let located = source.locate(&expression)?;
        let statement = located.spots.first();
        let statement = statement.map(|spot| &SOURCE[spot.statement.clone()]);
        Some(format!(
            "{} {:?} in {}",
            located.text,
            located.columns,
            statement.unwrap_or("nothing").lines().next().unwrap()
        ))
    }

    fn call(name: &str) -> ExpressionKind {
        ExpressionKind::Call {
            owner: "Card".into(),
            name: name.into(),
            descriptor: "()I".into(),
            is_static: false,
        }
    }

    #[test]
    fn the_nth_use_of_a_variable_on_a_line_is_found() {
        let card = || ExpressionKind::Variable("card".into());
        assert_eq!(
            check(5, card(), 0).unwrap(),
            "card Some((9, 12)) in card.stamp(card.count(), 2);"
        );
        assert_eq!(
            check(5, card(), 1).unwrap(),
            "card Some((20, 23)) in card.stamp(card.count(), 2);"
        );
        assert_eq!(check(4, card(), 0), None);
    }

    #[test]
    fn calls_and_new_objects_are_found_by_name() {
        assert_eq!(
            check(5, call("count"), 0).unwrap(),
            "card.count() Some((20, 31)) in card.stamp(card.count(), 2);"
        );
        assert_eq!(
            check(4, ExpressionKind::New("shop/Card".into()), 0).unwrap(),
            "new Card() Some((21, 30)) in Card card = new Card();"
        );
    }

    #[test]
    fn a_call_on_the_second_line_of_its_statement_is_found() {
        let found = check(7, call("print"), 0).unwrap();
        assert!(found.starts_with("desk.pay(card)"), "{found}");
        assert!(found.ends_with("in Slip slip = desk.pay(card)"), "{found}");
    }

    #[test]
    fn beside_the_body_of_a_lambda_means_beside_the_statement_that_has_it() {
        assert_eq!(
            check(8, call("count"), 0).unwrap(),
            "card.count() Some((19, 30)) in run(() -> card.count());"
        );
    }

    #[test]
    fn a_method_ends_with_its_last_statement() {
        let source = JavaSource::parse(SOURCE.into()).unwrap();
        let last = |line| Some(&SOURCE[source.end_of_method(line)?.statement]);
        assert_eq!(last(5), Some("run(() -> card.count());"));
        assert_eq!(last(2), None);
    }

    #[test]
    fn the_statement_on_a_line_is_told_in_one_line() {
        let source = JavaSource::parse(SOURCE.into()).unwrap();
        let told = |line| source.statement(line);
        assert_eq!(told(5).unwrap(), "card.stamp(card.count(), 2);");
        let whole = "Slip slip = desk.pay(card) .print();";
        assert_eq!([told(6), told(7)], [Some(whole.into()), Some(whole.into())]);
        assert_eq!(told(2), None);
        let long = format!(
            "class T {{ void t() {{\n  use(\"{}\");\n}} }}",
            "a".repeat(200)
        );
        let told = JavaSource::parse(long).unwrap().statement(2).unwrap();
        assert_eq!(told.chars().count(), LONGEST_STATEMENT + 1);
        assert!(told.starts_with("use(\"aaa") && told.ends_with("a…"));
    }

    #[test]
    fn a_method_has_its_parameters_and_a_field_has_none() {
        let text = "class T {\n int n;\n void t(String name, int[] counts) {\n  use(name);\n }\n}";
        let source = JavaSource::parse(text.into()).unwrap();
        assert_eq!(source.parameters(4), ["name", "counts"]);
        assert!(source.parameters(2).is_empty());
    }
}
