//! A class's source with the verdicts in it: each method's panel stands above its declaration, and
//! its lines are marked in the margin.

use std::fmt::Write;

use jury_mutate::{Classification, JudgedMethod};

use super::java::{Kind, pieces};
use crate::mutation::declaration_line;
use crate::mutation::markup::Escaped;

/// A method with its panel.
pub(super) struct Placed<'a> {
    pub method: &'a JudgedMethod,
    pub panel: String,
}

/// Shows the source; panels of methods without a place in it come last.
pub(super) fn annotated(source: &str, methods: &[Placed<'_>]) -> String {
    let lines: Vec<&str> = source.lines().collect();
    let mut places: Vec<(usize, &Placed<'_>)> = Vec::new();
    let mut homeless = Vec::new();
    for placed in methods {
        match declaration_line(&lines, placed.method) {
            Some(line) if line <= lines.len() => places.push((line, placed)),
            _ => homeless.push(placed),
        }
    }
    places.sort_by_key(|(line, _)| *line);

    let mut out = String::from("<div class=\"source\">\n");
    let mut open = false;
    let mut next = 0;
    for (number, text) in (1..).zip(highlighted(source)) {
        while let Some((_, placed)) = places.get(next).filter(|(line, _)| *line == number) {
            if open {
                out.push_str("</pre>\n");
                open = false;
            }
            out.push_str(&placed.panel);
            next += 1;
        }
        if !open {
            out.push_str("<pre>");
            open = true;
        }
        let mark = mark(number, &places[..next]).map_or(String::new(), |classification| {
            format!(" class=\"{}\"", classification.word())
        });
        let _ = write!(out, "<span{mark}><i>{number}</i>{text}\n</span>");
    }
    if open {
        out.push_str("</pre>\n");
    }
    for placed in homeless {
        out.push_str(&placed.panel);
    }
    out.push_str("</div>\n");
    out
}

/// The verdict on the innermost method that a line belongs to, the one that began last.
fn mark(number: usize, begun: &[(usize, &Placed<'_>)]) -> Option<Classification> {
    let here = begun.iter().rev().find(|(_, placed)| {
        let last = placed.method.facts.last_line.map_or(0, usize::from);
        number <= last
    });
    here.map(|(_, placed)| placed.method.result.classification())
        .filter(|classification| *classification != Classification::NotAnalysed)
}

/// The lines of the source as markup. Elements never reach over a line's end.
fn highlighted(source: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for (kind, text) in pieces(source) {
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                lines.push(String::new());
            }
            let part = part.trim_end_matches('\r');
            let Some(line) = lines.last_mut().filter(|_| !part.is_empty()) else {
                continue;
            };
            let escaped = Escaped(part);
            let _ = match tag(kind) {
                Some(tag) => write!(line, "<{tag}>{escaped}</{tag}>"),
                None => write!(line, "{escaped}"),
            };
        }
    }
    if source.ends_with('\n') {
        lines.pop();
    }
    lines
}

/// Short elements, because there are a great many of them.
fn tag(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Plain => None,
        Kind::Comment => Some("em"),
        Kind::Literal => Some("q"),
        Kind::Keyword => Some("b"),
        Kind::Annotation => Some("u"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::sample::method;

    #[test]
    fn elements_end_with_their_line() {
        assert_eq!(
            highlighted("/* a\r\n b */ int <T>\n"),
            ["<em>/* a</em>", "<em> b */</em> <b>int</b> &lt;T&gt;"]
        );
    }

    #[test]
    fn panels_stand_above_declarations_and_lines_are_marked() {
        let mut placed = method("A#run()V", "s");
        placed.facts.first_line = Some(3);
        placed.facts.last_line = Some(3);
        let placed = Placed {
            method: &placed,
            panel: "PANEL\n".into(),
        };
        insta::assert_snapshot!(annotated("class A {\n  void run() {\n    go();\n  }\n}", &[placed]), @r#"
        <div class="source">
        <pre><span><i>1</i><b>class</b> A {
        </span></pre>
        PANEL
        <pre><span class="pseudo-tested"><i>2</i>  <b>void</b> run() {
        </span><span class="pseudo-tested"><i>3</i>    go();
        </span><span><i>4</i>  }
        </span><span><i>5</i>}
        </span></pre>
        </div>
        "#);
    }

    #[test]
    fn a_method_that_the_source_does_not_reach_comes_last() {
        let mut lost = method("A#run()V", "s");
        lost.facts.first_line = Some(90);
        let lost = Placed {
            method: &lost,
            panel: "PANEL\n".into(),
        };
        let text = annotated("class A {}\n", &[lost]);
        assert!(text.ends_with("</pre>\nPANEL\n</div>\n"), "{text}");
    }
}
