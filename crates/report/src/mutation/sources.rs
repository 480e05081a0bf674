//! Finds a method in its source text. The compiler notes only lines with code, which begin inside
//! the body; where the declaration stands has to be looked for.

use jury_mutate::JudgedMethod;

/// How far above its first line of code a method's declaration may begin.
const LONGEST_HEAD: usize = 12;

/// The line, counted from 1, on which the method's name is declared; its first line of code if no
/// line looks like it. None without line numbers.
pub(crate) fn declaration_line(lines: &[&str], method: &JudgedMethod) -> Option<usize> {
    let first = usize::from(method.facts.first_line?);
    let name = &method.facts.id.name;
    let declares = |number: &usize| {
        let line = lines.get(number - 1);
        line.is_some_and(|line| mentions(line, name))
    };
    let top = first.saturating_sub(LONGEST_HEAD).max(1);
    Some((top..=first).rev().find(declares).unwrap_or(first))
}

/// Whether a line has this name as a whole word before a parenthesis, and not as a call on
/// something.
fn mentions(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + name.len()..].trim_start();
        let declared = before.is_none_or(|before| before.is_whitespace() || before == '>');
        let trimmed = line.trim_start();
        let called = trimmed.starts_with("return ") || trimmed.starts_with(name);
        declared && after.starts_with('(') && !called
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::sample::method;

    fn declared_on(source: &str, first_line: u16) -> usize {
        let mut method = method("A#run(I)V", "");
        method.facts.first_line = Some(first_line);
        let lines: Vec<&str> = source.lines().collect();
        declaration_line(&lines, &method).unwrap()
    }

    #[test]
    fn the_declaration_is_above_the_first_line_of_code() {
        assert_eq!(
            declared_on("class A {\n  void run(int x)\n  {\n    go();\n", 4),
            2
        );
        assert_eq!(
            declared_on("class A {\n  void run(int x) { go(); }\n", 2),
            2
        );
    }

    #[test]
    fn calls_are_no_declarations() {
        assert_eq!(
            declared_on("run(1);\nreturn run(2);\nrerun(3);\ngo();\n", 4),
            4
        );
    }
}
