//! Text that is safe inside HTML and XML, in content and in attributes alike.

use std::fmt::{self, Write};

/// Shows text so that no part of it is taken for markup. Characters that XML 1.0 forbids become
/// the replacement character.
pub(crate) struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\t' | '\n' | '\r' => f.write_char(character)?,
                '\0'..' ' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                _ => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Escaped;

    #[test]
    fn nothing_is_taken_for_markup() {
        let text = "</td><script>alert('x' & \"y\")\u{0}\u{1b}[1m\n";
        assert_eq!(
            Escaped(text).to_string(),
            "&lt;/td&gt;&lt;script&gt;alert(&#39;x&#39; &amp; &quot;y&quot;)\u{fffd}\u{fffd}[1m\n"
        );
    }
}
