//! Tells apart what a reader wants coloured in Java and its neighbours: comments, literals,
//! keywords, annotations. No parser: broken source is coloured wrongly here and there, but never
//! changed.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    Comment,
    Literal,
    Keyword,
    Annotation,
}

const KEYWORDS: [&str; 62] = [
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "fun",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "object",
    "override",
    "package",
    "permits",
    "private",
    "protected",
    "public",
    "record",
    "return",
    "sealed",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "val",
    "var",
    "void",
    "volatile",
    "when",
    "while",
    "with",
    "yield",
];

/// Cuts source into pieces that together are the source again.
pub(super) fn pieces(source: &str) -> Vec<(Kind, &str)> {
    let mut pieces = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = piece(rest, first);
        let (text, after) = rest.split_at(length);
        pieces.push((kind, text));
        rest = after;
    }
    pieces
}

fn piece(text: &str, first: char) -> (Kind, usize) {
    if text.starts_with("//") {
        return (Kind::Comment, text.find('\n').unwrap_or(text.len()));
    }
    if let Some(comment) = text.strip_prefix("/*") {
        let end = comment.find("*/").map_or(text.len(), |at| at + 4);
        return (Kind::Comment, end);
    }
    if let Some(block) = text.strip_prefix("\"\"\"") {
        return (Kind::Literal, 3 + quoted_length(block, "\"\"\"", true));
    }
    match first {
        '"' => (Kind::Literal, 1 + quoted_length(&text[1..], "\"", false)),
        '\'' => (Kind::Literal, 1 + quoted_length(&text[1..], "'", false)),
        '@' => match word_length(&text[1..]) {
            0 => (Kind::Plain, 1),
            length => (Kind::Annotation, 1 + length),
        },
        '0'..='9' => (Kind::Literal, word_length(text)),
        _ => match word_length(text) {
            0 => (Kind::Plain, first.len_utf8()),
            length if KEYWORDS.contains(&&text[..length]) => (Kind::Keyword, length),
            length => (Kind::Plain, length),
        },
    }
}

/// The length up to and including the closing quote. Only text blocks go on over a line's end.
fn quoted_length(text: &str, close: &str, blocks: bool) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if text[at..].starts_with(close) {
            return at + close.len();
        } else if character == '\n' && !blocks {
            return at;
        }
    }
    text.len()
}

fn word_length(text: &str) -> usize {
    text.find(|each: char| !each.is_alphanumeric() && each != '_' && each != '$')
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use Kind::*;

    fn coloured(source: &str) -> Vec<(Kind, &str)> {
        let pieces = pieces(source);
        pieces
            .into_iter()
            .filter(|(kind, _)| *kind != Plain)
            .collect()
    }

    #[test]
    fn comments_literals_keywords_and_annotations_are_told_apart() {
        assert_eq!(
            coloured(
                "@Test int x = 0x1F; // int\nreturn \"a // \\\" b\" + '\"'; /* \"c\n */ newer"
            ),
            [
                (Annotation, "@Test"),
                (Keyword, "int"),
                (Literal, "0x1F"),
                (Comment, "// int"),
                (Keyword, "return"),
                (Literal, "\"a // \\\" b\""),
                (Literal, "'\"'"),
                (Comment, "/* \"c\n */"),
            ]
        );
    }

    #[test]
    fn text_blocks_span_lines_and_open_strings_end_with_theirs() {
        assert_eq!(
            coloured("\"\"\"\n a \"b\" \\\"\"\" \"\"\" \"open\nif"),
            [
                (Literal, "\"\"\"\n a \"b\" \\\"\"\" \"\"\""),
                (Literal, "\"open"),
                (Keyword, "if"),
            ]
        );
    }

    #[test]
    fn whatever_comes_in_goes_out() {
        for source in [
            "",
            "/*",
            "\"",
            "'\\",
            "\"\"\"",
            "@",
            "ü€ 𝒳 // é",
            "a\r\n\tb",
        ] {
            let joined: String = pieces(source).iter().map(|(_, text)| *text).collect();
            assert_eq!(joined, source);
        }
    }
}
