//! An explanation as markup, to stand beside the mutant it is about. Everything that comes from the
//! project is escaped.

use std::fmt::Write;

use jury_explain::Explanation;

use super::prose;
use crate::mutation::markup::Escaped;

pub(crate) fn fragment(explanation: &Explanation) -> String {
    let mut out = format!(
        "<details class=\"why\" open><summary>why: <strong>{}</strong></summary>\n",
        explanation.symptom
    );
    if !explanation.tests.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", Escaped(&prose::run_by(explanation)));
    }
    for sentence in prose::story(explanation) {
        let _ = writeln!(out, "<p>{}</p>", Escaped(&sentence));
    }
    let stack = prose::stack(explanation);
    if !stack.is_empty() {
        out.push_str("<ol class=\"stack\">\n");
        for frame in stack {
            let _ = writeln!(out, "<li><code>{}</code>", Escaped(frame));
        }
        out.push_str("</ol>\n");
    }
    if let Some(hint) = prose::hint(explanation) {
        let _ = writeln!(out, "<p class=\"hint\">{}</p>", Escaped(&hint));
    }
    if let Some(diff) = prose::diff(explanation) {
        out.push_str("<pre class=\"diff\">");
        for line in diff.lines() {
            let line_of = Escaped(line);
            let _ = match line.as_bytes().first() {
                Some(b'+') => writeln!(out, "<ins>{line_of}</ins>"),
                Some(b'-') => writeln!(out, "<del>{line_of}</del>"),
                _ => writeln!(out, "{line_of}"),
            };
        }
        out.push_str("</pre>\n");
    }
    for caveat in &explanation.caveats {
        let _ = writeln!(out, "<p>note: {}</p>", Escaped(caveat));
    }
    out.push_str("</details>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explanation::sample;

    #[test]
    fn a_weak_oracle_stands_with_its_assertion_as_a_diff() {
        let weak = &sample::run().explanations[0];
        insta::assert_snapshot!(fragment(weak));
    }

    #[test]
    fn what_comes_from_the_project_stays_text() {
        let mut weak = sample::run().explanations.remove(0);
        weak.exposures[0].original = "<script>alert(1)</script>".into();
        let text = fragment(&weak);
        assert!(!text.contains("<script"), "{text}");
        assert!(text.contains("&lt;script&gt;"), "{text}");
    }
}
