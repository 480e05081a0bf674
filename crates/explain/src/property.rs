//! The names and values of properties, as the observer writes them and as people read them.

/// `receiver.count#value`: of the receiver, its field `count`, the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertyName {
    /// Empty for an expression.
    pub role: String,
    pub field: Option<String>,
    pub aspect: String,
}

impl PropertyName {
    pub fn read(name: &str) -> Self {
        let (holder, aspect) = name.rsplit_once('#').unwrap_or((name, ""));
        // An element of the thing itself is told like a field of it.
        let (role, field) = match holder.find(['.', '[']) {
            Some(at) if holder[at..].starts_with('[') => (&holder[..at], Some(&holder[at..])),
            Some(at) => (&holder[..at], Some(&holder[at + 1..])),
            None => (holder, None),
        };
        let field = field.map(str::to_owned);
        PropertyName {
            role: role.to_owned(),
            field,
            aspect: aspect.to_owned(),
        }
    }

    /// The number of the argument, from 1.
    pub fn argument(&self) -> Option<usize> {
        argument(&self.role)
    }

    /// `a` of `a.b[0]`: the field of the thing itself that leads to what differs.
    pub fn outermost_field(&self) -> Option<&str> {
        let end = |character| matches!(character, '.' | '[' | '@');
        let field = self.field.as_deref()?.split(end).next()?;
        Some(field).filter(|field| !field.is_empty())
    }
}

/// The number, from 1, of the argument that a role names.
pub fn argument(role: &str) -> Option<usize> {
    role.strip_prefix("argument ")?.parse().ok()
}

/// A value as people read it, and as Java writes it where there is a literal for it.
pub fn shown_value(aspect: &str, value: &str) -> String {
    if aspect != "value" {
        return if value.is_empty() {
            "none".to_owned()
        } else {
            visible(value)
        };
    }
    match literal(value) {
        Some(literal) => literal,
        None => visible(value.get(1..).unwrap_or_default()),
    }
}

/// Text without what a terminal would obey.
pub fn visible(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            control if is_unseen(control) => {
                shown.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            other => shown.push(other),
        }
    }
    shown
}

/// Whether a character acts on those around it, or on the terminal, rather than being seen itself.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Another value of the same type, near the one that is known; none if there is no such literal.
pub fn variant(aspect: &str, value: &str) -> Option<String> {
    if aspect != "value" {
        return match (aspect, value) {
            ("size" | "length", "0") => Some("1".to_owned()),
            ("size" | "length", _) => Some("0".to_owned()),
            _ => None,
        };
    }
    let kind = value.get(..1)?;
    let other = match (kind, &value[1..]) {
        ("Z", "true") => "false",
        ("Z", _) => "true",
        ("B" | "S" | "I" | "J", "0") => "1",
        ("B" | "S" | "I" | "J", _) => "0",
        ("F" | "D", "0.0") => "1.0",
        ("F" | "D", _) => "0.0",
        ("C", "a") => "b",
        ("C", _) => "a",
        ("T" | "t", "") => "a",
        ("T" | "t", _) => "",
        _ => return None,
    };
    literal(&format!("{}{other}", kind.to_uppercase()))
}

/// The Java literal of a value, or the name of a constant; none if the value has neither.
pub fn literal(value: &str) -> Option<String> {
    let mut characters = value.chars();
    let kind = characters.next()?;
    let text = characters.as_str();
    Some(match kind {
        'Z' | 'I' => text.to_owned(),
        'B' => format!("(byte) {text}"),
        'S' => format!("(short) {text}"),
        'J' => format!("{text}L"),
        'F' if is_finite(text) => format!("{text}f"),
        'D' if is_finite(text) => text.to_owned(),
        'F' => format!("Float.{}", constant(text)),
        'D' => format!("Double.{}", constant(text)),
        'C' => format!("'{}'", escaped(text, '\'')),
        'T' => format!("\"{}\"", escaped(text, '"')),
        'E' => visible(&text.replace('$', ".")),
        _ => return None,
    })
}

/// Numbers that have a name but no literal.
fn constant(text: &str) -> &'static str {
    match text {
        "Infinity" => "POSITIVE_INFINITY",
        "-Infinity" => "NEGATIVE_INFINITY",
        _ => "NaN",
    }
}

fn is_finite(text: &str) -> bool {
    !text.contains(['N', 'y'])
}

fn escaped(text: &str, quote: char) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            '\\' => escaped.push_str("\\\\"),
            character if character == quote => {
                escaped.push('\\');
                escaped.push(character);
            }
            ' '..='~' => escaped.push(character),
            other => {
                let mut units = [0; 2];
                for unit in other.encode_utf16(&mut units) {
                    escaped.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_role_field_and_aspect() {
        let read = |name| {
            let PropertyName {
                role,
                field,
                aspect,
            } = PropertyName::read(name);
            format!("{role}|{}|{aspect}", field.unwrap_or_default())
        };
        assert_eq!(read("result#value"), "result||value");
        assert_eq!(read("argument 2.size#null"), "argument 2|size|null");
        assert_eq!(read(".version#value"), "|version|value");
        assert_eq!(read("#size"), "||size");
        assert_eq!(read("result[2].name#value"), "result|[2].name|value");
        let nested = PropertyName::read("receiver.items[2].name#value");
        assert_eq!(nested.outermost_field(), Some("items"));
        assert_eq!(PropertyName::read("[2]#value").outermost_field(), None);
    }

    #[test]
    fn a_variant_is_another_value_of_the_same_type() {
        for (aspect, value, expected) in [
            ("value", "Ztrue", Some("false")),
            ("value", "I0", Some("1")),
            ("value", "J7", Some("0L")),
            ("value", "Tx", Some("\"\"")),
            ("value", "t…", Some("\"\"")),
            ("size", "0", Some("1")),
            ("value", "Ea.B.C", None),
            ("null", "false", None),
            ("length", "3", Some("0")),
            ("class", "a.B", None),
        ] {
            assert_eq!(variant(aspect, value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn no_value_gives_orders_to_a_terminal() {
        for (aspect, value, expected) in [
            ("value", "Oa\u{1b}[31m\nb\u{9b}", "a\\u001b[31m\\nb\\u009b"),
            ("value", "tü\u{202e}…", "ü\\u202e…"),
            ("class", "a.B\u{7}", "a.B\\u0007"),
            ("exception", "", "none"),
            ("value", "Ea.B\u{0}.C", "a.B\\u0000.C"),
        ] {
            assert_eq!(shown_value(aspect, value), expected);
        }
    }

    #[test]
    fn values_have_the_literals_of_their_types() {
        for (value, expected) in [
            ("Ztrue", "true"),
            ("I-3", "-3"),
            ("J7", "7L"),
            ("F1.5", "1.5f"),
            ("D0.1", "0.1"),
            ("C'", "'\\''"),
            ("Ta\"b\nü", "\"a\\\"b\\n\\u00fc\""),
            ("B1", "(byte) 1"),
            ("DNaN", "Double.NaN"),
            ("F-Infinity", "Float.NEGATIVE_INFINITY"),
            ("Ea.Color$Kind.RED", "a.Color.Kind.RED"),
        ] {
            assert_eq!(literal(value).as_deref(), Some(expected));
        }
        for value in ["Ka.B", "tlong…", "O1.50"] {
            assert_eq!(literal(value), None);
        }
    }
}
