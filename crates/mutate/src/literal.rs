//! Constants as Java source writes them: the language in which users choose return values.
//!
//! Understands booleans, characters, strings, and numbers in every base, negative or cast to
//! `byte` and `short`. Refuses hexadecimal floating point and text blocks, which nobody needs to
//! name a constant.

use std::fmt;

use thiserror::Error;

use crate::replacement::Replacement;

/// A constant together with its Java type.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    Boolean(bool),
    Byte(i8),
    Short(i16),
    Char(u16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Str(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LiteralError {
    #[error("`{0}` is not a Java literal")]
    Syntax(String),
    #[error("`{0}` does not fit its type")]
    Range(String),
}

/// What is wrong with a text, before the text itself joins the message.
enum Fault {
    Syntax,
    Range,
}

impl Literal {
    pub fn parse(text: &str) -> Result<Self, LiteralError> {
        Self::read(text.trim()).map_err(|fault| match fault {
            Fault::Syntax => LiteralError::Syntax(text.to_owned()),
            Fault::Range => LiteralError::Range(text.to_owned()),
        })
    }

    fn read(text: &str) -> Result<Self, Fault> {
        match text {
            "true" => return Ok(Literal::Boolean(true)),
            "false" => return Ok(Literal::Boolean(false)),
            _ => {}
        }
        if let Some(inner) = quoted(text, '\'') {
            return match unescape(inner, '\'').as_deref() {
                Some([unit]) => Ok(Literal::Char(*unit)),
                _ => Err(Fault::Syntax),
            };
        }
        if let Some(inner) = quoted(text, '"') {
            let units = unescape(inner, '"').ok_or(Fault::Syntax)?;
            return String::from_utf16(&units)
                .map(Literal::Str)
                .map_err(|_| Fault::Syntax);
        }
        let (cast, number) = split_cast(text).ok_or(Fault::Syntax)?;
        match (cast, read_number(number)?) {
            (None, literal) => Ok(literal),
            // A cast narrows as Java's does (JLS §5.1.3): `(byte)0xFF` is -1.
            (Some(Cast::Byte), Literal::Int(value)) => Ok(Literal::Byte(value as i8)),
            (Some(Cast::Short), Literal::Int(value)) => Ok(Literal::Short(value as i16)),
            (Some(_), _) => Err(Fault::Syntax),
        }
    }

    /// The descriptor of the one return type that this constant is for.
    pub fn descriptor(&self) -> &'static str {
        match self {
            Literal::Boolean(_) => "Z",
            Literal::Byte(_) => "B",
            Literal::Short(_) => "S",
            Literal::Char(_) => "C",
            Literal::Int(_) => "I",
            Literal::Long(_) => "J",
            Literal::Float(_) => "F",
            Literal::Double(_) => "D",
            Literal::Str(_) => "Ljava/lang/String;",
        }
    }

    /// The class that wraps constants of this type, in VM form; strings need none.
    pub fn wrapper(&self) -> Option<&'static str> {
        match self {
            Literal::Boolean(_) => Some("java/lang/Boolean"),
            Literal::Byte(_) => Some("java/lang/Byte"),
            Literal::Short(_) => Some("java/lang/Short"),
            Literal::Char(_) => Some("java/lang/Character"),
            Literal::Int(_) => Some("java/lang/Integer"),
            Literal::Long(_) => Some("java/lang/Long"),
            Literal::Float(_) => Some("java/lang/Float"),
            Literal::Double(_) => Some("java/lang/Double"),
            Literal::Str(_) => None,
        }
    }

    /// The constant itself, not in its wrapper.
    pub fn replacement(&self) -> Replacement {
        match self {
            Literal::Boolean(value) => Replacement::Int(i32::from(*value)),
            Literal::Byte(value) => Replacement::Int(i32::from(*value)),
            Literal::Short(value) => Replacement::Int(i32::from(*value)),
            Literal::Char(value) => Replacement::Int(i32::from(*value)),
            Literal::Int(value) => Replacement::Int(*value),
            Literal::Long(value) => Replacement::Long(*value),
            Literal::Float(value) => Replacement::Float(*value),
            Literal::Double(value) => Replacement::Double(*value),
            Literal::Str(text) => Replacement::Str(text.clone()),
        }
    }
}

/// The canonical spelling, which parses to the same constant. It is part of mutant ids, so it
/// must never change.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Boolean(value) => write!(f, "{value}"),
            Literal::Byte(value) => write!(f, "(byte){value}"),
            Literal::Short(value) => write!(f, "(short){value}"),
            // A bare space would be lost to anyone who trims a line.
            Literal::Char(0x20) => f.write_str("'\\40'"),
            Literal::Char(unit) => {
                f.write_str("'")?;
                write_unit(f, *unit, '\'')?;
                f.write_str("'")
            }
            Literal::Int(value) => write!(f, "{value}"),
            Literal::Long(value) => write!(f, "{value}L"),
            Literal::Float(value) => write!(f, "{value:?}f"),
            Literal::Double(value) => write!(f, "{value:?}"),
            Literal::Str(text) => {
                f.write_str("\"")?;
                for unit in text.encode_utf16() {
                    write_unit(f, unit, '"')?;
                }
                f.write_str("\"")
            }
        }
    }
}

fn write_unit(f: &mut fmt::Formatter<'_>, unit: u16, quote: char) -> fmt::Result {
    match char::from_u32(u32::from(unit)) {
        Some('\\') => f.write_str("\\\\"),
        Some('\n') => f.write_str("\\n"),
        Some('\t') => f.write_str("\\t"),
        Some('\r') => f.write_str("\\r"),
        Some(c) if c == quote => write!(f, "\\{c}"),
        Some(c @ ' '..='~') => write!(f, "{c}"),
        _ => write!(f, "\\u{unit:04x}"),
    }
}

#[derive(Clone, Copy)]
enum Cast {
    Byte,
    Short,
}

/// The text between two quotes, if that is what the literal is.
fn quoted(text: &str, quote: char) -> Option<&str> {
    text.strip_prefix(quote)?.strip_suffix(quote)
}

fn split_cast(text: &str) -> Option<(Option<Cast>, &str)> {
    let Some(inner) = text.strip_prefix('(') else {
        return Some((None, text));
    };
    let (name, number) = inner.split_once(')')?;
    let cast = match name.trim() {
        "byte" => Cast::Byte,
        "short" => Cast::Short,
        _ => return None,
    };
    Some((Some(cast), number.trim_start()))
}

fn read_number(text: &str) -> Result<Literal, Fault> {
    let (sign, magnitude) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest.trim_start()),
        None => ("", text),
    };
    // JLS §3.10.1: underscores stand between digits only.
    let stray_underscore =
        magnitude.ends_with('_') || magnitude.contains("_.") || magnitude.contains("._");
    if stray_underscore
        || !magnitude.starts_with(|first: char| first.is_ascii_digit() || first == '.')
    {
        return Err(Fault::Syntax);
    }
    let digits = magnitude.replace('_', "").to_ascii_lowercase();
    let (radix, integral) = match digits.as_bytes() {
        [b'0', b'x', ..] => (16, &digits[2..]),
        [b'0', b'b', ..] => (2, &digits[2..]),
        _ if digits.contains(['.', 'e', 'f', 'd']) => return read_fraction(sign, &digits),
        [b'0', b'0'..=b'9', ..] => (8, &digits[1..]),
        _ => (10, digits.as_str()),
    };
    match integral.strip_suffix('l') {
        Some(long) => read_integral(sign, long, radix, 64).map(Literal::Long),
        None => read_integral(sign, integral, radix, 32).map(|value| Literal::Int(value as i32)),
    }
}

/// JLS §3.10.1: a decimal literal must fit the signed type, the others may fill all its bits.
fn read_integral(sign: &str, digits: &str, radix: u32, bits: u32) -> Result<i64, Fault> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(Fault::Syntax);
    }
    let magnitude = u64::from_str_radix(digits, radix).map_err(|_| Fault::Range)?;
    let negative = sign == "-";
    let limit = match (radix, negative) {
        (10, true) => 1 << (bits - 1),
        (10, false) => (1 << (bits - 1)) - 1,
        _ => u64::MAX >> (64 - bits),
    };
    if magnitude > limit {
        return Err(Fault::Range);
    }
    let value = magnitude as i64;
    Ok(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

fn read_fraction(sign: &str, digits: &str) -> Result<Literal, Fault> {
    let fault = |_| Fault::Syntax;
    let literal = match digits.strip_suffix('f') {
        Some(float) => Literal::Float(format!("{sign}{float}").parse().map_err(fault)?),
        None => {
            let double = digits.strip_suffix('d').unwrap_or(digits);
            Literal::Double(format!("{sign}{double}").parse().map_err(fault)?)
        }
    };
    match literal {
        Literal::Float(value) if !value.is_finite() => Err(Fault::Range),
        Literal::Double(value) if !value.is_finite() => Err(Fault::Range),
        finite => Ok(finite),
    }
}

/// Resolves escapes (JLS §3.10.7) into UTF-16, which is what Java's characters are.
fn unescape(text: &str, quote: char) -> Option<Vec<u16>> {
    let mut units = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(next) = rest.next() {
        let character = match next {
            '\\' => match rest.next()? {
                'b' => '\u{8}',
                't' => '\t',
                'n' => '\n',
                'f' => '\u{c}',
                'r' => '\r',
                's' => ' ',
                escaped @ ('"' | '\'' | '\\') => escaped,
                'u' => {
                    while rest.next_if_eq(&'u').is_some() {}
                    let digits: String = rest.by_ref().take(4).collect();
                    if digits.len() != 4 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                        return None;
                    }
                    units.push(u16::from_str_radix(&digits, 16).ok()?);
                    continue;
                }
                first @ '0'..='7' => {
                    let mut value = first.to_digit(8)?;
                    // Three digits only up to \377.
                    let more = if first <= '3' { 2 } else { 1 };
                    for _ in 0..more {
                        let Some(digit) = rest.next_if(|next| next.is_digit(8)) else {
                            break;
                        };
                        value = 8 * value + digit.to_digit(8)?;
                    }
                    char::from_u32(value)?
                }
                _ => return None,
            },
            stray if stray == quote => return None,
            plain => plain,
        };
        units.extend(character.encode_utf16(&mut [0; 2]).iter());
    }
    Some(units)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn java_literals_are_read_with_their_types() {
        use Literal::*;
        let table = [
            ("true", Boolean(true)),
            ("false", Boolean(false)),
            ("0", Int(0)),
            ("-1", Int(-1)),
            ("2147483647", Int(i32::MAX)),
            ("-2147483648", Int(i32::MIN)),
            ("0xFFFFFFFF", Int(-1)),
            ("-0x80000000", Int(i32::MIN)),
            ("0b101", Int(5)),
            ("017", Int(15)),
            ("1_000", Int(1000)),
            ("0L", Long(0)),
            ("-9223372036854775808l", Long(i64::MIN)),
            ("0xffffffffffffffffL", Long(-1)),
            ("(byte)0", Byte(0)),
            ("(byte)0x1A", Byte(26)),
            ("(byte)0xFF", Byte(-1)),
            ("( byte ) -1", Byte(-1)),
            ("(short) -1", Short(-1)),
            ("(short)0b11", Short(3)),
            ("0.0", Double(0.0)),
            ("1.0", Double(1.0)),
            ("-.5", Double(-0.5)),
            ("1e3", Double(1000.0)),
            ("1d", Double(1.0)),
            ("0.1f", Float(0.1)),
            ("1f", Float(1.0)),
            ("'a'", Char(97)),
            ("' '", Char(32)),
            ("'\\40'", Char(32)),
            ("'\\''", Char(39)),
            ("'\\u0041'", Char(65)),
            ("'\\uuffff'", Char(0xffff)),
            ("\"\"", Str(String::new())),
            ("\"A\"", Str("A".into())),
            ("\"a\\\"\\n\\t\\\\\\101\\s\"", Str("a\"\n\t\\A ".into())),
            ("\"\\ud83d\\ude00\"", Str("\u{1f600}".into())),
            (" 1 ", Int(1)),
        ];
        for (text, expected) in table {
            assert_eq!(Literal::parse(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_literal_is_refused() {
        for text in [
            "",
            "-",
            "x",
            "1x",
            "0x",
            "0b2",
            "08",
            "1__",
            "_1",
            "1_.0",
            "''",
            "'ab'",
            "'\\q'",
            "'",
            "\"",
            "'''",
            "(int)1",
            "(byte)1L",
            "(byte)1.0",
            "(byte",
            "\"\\u12\"",
            "--1",
            "+1",
            "null",
            "\"\\ud83d\"",
            "0x1.8p1",
            "inf",
            "nan",
            "\"a\"b\"",
        ] {
            let refused = matches!(Literal::parse(text), Err(LiteralError::Syntax(_)));
            assert!(refused, "{text}: {:?}", Literal::parse(text));
        }
    }

    #[test]
    fn numbers_beyond_their_type_are_refused() {
        for text in [
            "2147483648",
            "-2147483649",
            "0x100000000",
            "9223372036854775808L",
            "1e999",
            "1e39f",
        ] {
            assert_eq!(
                Literal::parse(text),
                Err(LiteralError::Range(text.into())),
                "{text}"
            );
        }
    }

    #[test]
    fn the_canonical_spelling_is_fixed() {
        let table = [
            ("0x10", "16"),
            ("(byte)0x1A", "(byte)26"),
            ("1L", "1L"),
            ("1f", "1.0f"),
            ("1d", "1.0"),
            ("' '", "'\\40'"),
            ("'\\u0041'", "'A'"),
            ("'\"'", "'\"'"),
            ("\"a b\\n\"", "\"a b\\n\""),
            ("\"ß\"", "\"\\u00df\""),
        ];
        for (text, canonical) in table {
            assert_eq!(Literal::parse(text).unwrap().to_string(), canonical);
        }
    }

    fn literals() -> impl Strategy<Value = Literal> {
        prop_oneof![
            any::<bool>().prop_map(Literal::Boolean),
            any::<i8>().prop_map(Literal::Byte),
            any::<i16>().prop_map(Literal::Short),
            any::<u16>().prop_map(Literal::Char),
            any::<i32>().prop_map(Literal::Int),
            any::<i64>().prop_map(Literal::Long),
            any::<f32>()
                .prop_filter("finite", |value| value.is_finite())
                .prop_map(Literal::Float),
            any::<f64>()
                .prop_filter("finite", |value| value.is_finite())
                .prop_map(Literal::Double),
            any::<String>().prop_map(Literal::Str),
        ]
    }

    proptest! {
        #[test]
        fn every_literal_is_found_again_by_its_spelling(literal in literals()) {
            prop_assert_eq!(Literal::parse(&literal.to_string()), Ok(literal));
        }

        #[test]
        fn no_text_breaks_the_parser(text in any::<String>()) {
            let _ = Literal::parse(&text);
        }
    }
}
