//! The `java` launcher's argument files (`@file`), read as the launcher reads them. Build tools
//! delete these files after the run, so a recipe must hold their contents.

use std::mem;

/// The arguments in the text of an argument file.
pub fn parse(text: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    // `None` between arguments: an empty argument can be written, as `""`.
    let mut argument: Option<String> = None;
    let mut open_quote: Option<char> = None;
    let mut input = text.chars().peekable();
    while let Some(c) = input.next() {
        match (open_quote, c) {
            // A quote left open ends with its line.
            (_, '\n' | '\r') | (None, ' ' | '\t' | '\x0c') => {
                open_quote = None;
                arguments.extend(mem::take(&mut argument));
            }
            (None, '#') => {
                // The launcher loses the beginning of a word that a comment cuts short.
                argument = None;
                while input.next_if(|c| !is_line_end(*c)).is_some() {}
            }
            (None, '"' | '\'') => {
                open_quote = Some(c);
                argument.get_or_insert_default();
            }
            (Some(quote), _) if c == quote => open_quote = None,
            // A backslash is special inside quotes only.
            (Some(_), '\\') => match input.next() {
                Some(c) if is_line_end(c) => while input.next_if(|c| is_space(*c)).is_some() {},
                Some(c) => argument.get_or_insert_default().push(unescaped(c)),
                None => {}
            },
            _ => argument.get_or_insert_default().push(c),
        }
    }
    arguments.extend(argument);
    arguments
}

fn unescaped(c: char) -> char {
    match c {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'f' => '\x0c',
        other => other,
    }
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\x0c') || is_line_end(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(parse(text), expected, "{text:?}");
    }

    #[test]
    fn white_space_separates_arguments() {
        check(
            " -Xmx1g\t-ea\r\n-Da=b\x0cMain ",
            &["-Xmx1g", "-ea", "-Da=b", "Main"],
        );
        check("", &[]);
        check(" \n", &[]);
    }

    #[test]
    fn quotes_keep_spaces_and_may_begin_inside_an_argument() {
        check(
            r#"-cp "/a b/c" '-Dx="y"'"#,
            &["-cp", "/a b/c", r#"-Dx="y""#],
        );
        check(r#"-Da="b c"d"#, &["-Da=b cd"]);
        check(r#""""#, &[""]);
    }

    #[test]
    fn backslashes_escape_inside_quotes_only() {
        check(r#""a\\b\tc\"d\q""#, &["a\\b\tc\"dq"]);
        check(r"C:\dir\n", &[r"C:\dir\n"]);
    }

    #[test]
    fn a_backslash_at_the_end_of_a_quoted_line_joins_the_next() {
        check(
            "-cp \"a.jar:\\\n      b.jar:\\\r\n\tc.jar\"",
            &["-cp", "a.jar:b.jar:c.jar"],
        );
    }

    #[test]
    fn an_open_quote_ends_with_its_line() {
        check("\"a b\nc d", &["a b", "c", "d"]);
    }

    #[test]
    fn comments_reach_to_the_end_of_the_line() {
        check("# -Xmx1g\n-ea #rest 'quoted\n-Da", &["-ea", "-Da"]);
        check("'#' \"a#b\"", &["#", "a#b"]);
        check("-ea cut#short\n-esa", &["-ea", "-esa"]);
    }
}
