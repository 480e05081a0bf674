//! What an assertion says: a piece of Java and what it was in the original.

use crate::property::literal;

/// Text longer than this makes an assertion that nobody would keep.
const LONGEST_TEXT: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Claim {
    pub actual: String,
    /// Of the actual value, as a descriptor.
    pub of: String,
    pub expected: Expected,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expected {
    /// As Java text.
    Value(String),
    Null(bool),
}

impl Claim {
    /// All that can be claimed of an aspect, the fullest first. Of a long text, that is its length, and
    /// the hash that Java defines for it.
    pub fn all(actual: &str, of: &str, aspect: &str, original: &str) -> Vec<Self> {
        if let Some(claim) = Claim::about(actual, of, aspect, original) {
            return vec![claim];
        }
        let text = match aspect {
            "value" if of == "Ljava/lang/String;" => LongText::read(original),
            _ => None,
        };
        let Some(LongText { length, hash }) = text else {
            return Vec::new();
        };
        let number = |question: &str, number: String| Claim {
            actual: format!("{actual}.{question}()"),
            of: "I".to_owned(),
            expected: Expected::Value(number),
        };
        vec![
            number("length", length.to_string()),
            number("hashCode", hash.to_string()),
        ]
    }

    /// `actual` is an expression of type `of`, an aspect of which had this value in the original.
    /// None if Java cannot say so.
    fn about(actual: &str, of: &str, aspect: &str, original: &str) -> Option<Self> {
        let value = |actual: String, of: &str, expected: String| Claim {
            actual,
            of: of.to_owned(),
            expected: Expected::Value(expected),
        };
        match aspect {
            "value" if original.len() > LONGEST_TEXT => None,
            "value" => {
                let kind = original.get(..1)?;
                match (kind, of) {
                    // The JVM computes booleans as ints; the source knows better.
                    ("I", "Z") => {
                        let truth = (original != "I0").to_string();
                        Some(value(actual.to_owned(), "Z", truth))
                    }
                    // Objects of the JDK that are known by their text.
                    ("O", of) if of.starts_with('L') => {
                        let text = literal(&format!("T{}", &original[1..]))?;
                        let actual = format!("{actual}.toString()");
                        Some(value(actual, "Ljava/lang/String;", text))
                    }
                    ("K", _) => {
                        let name = literal(&format!("T{}", &original[1..]))?;
                        let actual = format!("{actual}.getName()");
                        Some(value(actual, "Ljava/lang/String;", name))
                    }
                    ("Z" | "J" | "F" | "D", of) if !of.starts_with('L') => {
                        Some(value(actual.to_owned(), kind, literal(original)?))
                    }
                    (_, of) => Some(value(actual.to_owned(), of, literal(original)?)),
                }
            }
            "null" => Some(Claim {
                actual: actual.to_owned(),
                of: of.to_owned(),
                expected: Expected::Null(original == "true"),
            }),
            "size" => Some(value(format!("{actual}.size()"), "I", original.to_owned())),
            "length" => Some(value(format!("{actual}.length"), "I", original.to_owned())),
            "class" => {
                let name = literal(&format!("T{original}"))?;
                let actual = format!("{actual}.getClass().getName()");
                Some(value(actual, "Ljava/lang/String;", name))
            }
            _ => None,
        }
    }

    pub fn is_boolean(&self) -> bool {
        self.of == "Z"
    }

    pub fn value(&self) -> Option<&str> {
        match &self.expected {
            Expected::Value(value) => Some(value),
            Expected::Null(_) => None,
        }
    }
}

/// What tells a text that is too long to be written down.
#[derive(Debug, PartialEq, Eq)]
struct LongText {
    /// In UTF-16 units, as Java counts.
    length: usize,
    hash: i32,
}

impl LongText {
    /// Of a text as the observer writes it: as it is, or cut, with length and hash.
    fn read(original: &str) -> Option<Self> {
        if let Some(text) = original.strip_prefix('T') {
            let next = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(unit.into());
            return Some(LongText {
                length: text.encode_utf16().count(),
                hash: text.encode_utf16().fold(0, next),
            });
        }
        let (_, told) = original.strip_prefix('t')?.rsplit_once("… (")?;
        let (length, hash) = told.strip_suffix(')')?.split_once(" characters, hash ")?;
        Some(LongText {
            length: length.parse().ok()?,
            hash: u32::from_str_radix(hash, 16).ok()?.cast_signed(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(of: &str, aspect: &str, original: &str) -> Option<String> {
        let claim = Claim::about("x", of, aspect, original)?;
        let value = claim.value().map(str::to_owned);
        let expected = value.unwrap_or_else(|| format!("{:?}", claim.expected));
        Some(format!("{} {expected}", claim.actual))
    }

    #[test]
    fn sizes_lengths_and_objects_known_by_their_text_can_be_claimed() {
        for (of, aspect, original, expected) in [
            ("Ljava/util/List;", "size", "2", "x.size() 2"),
            ("[I", "length", "2", "x.length 2"),
            ("Z", "value", "I1", "x true"),
            (
                "Ljava/math/BigDecimal;",
                "value",
                "O1.50",
                "x.toString() \"1.50\"",
            ),
            ("Ljava/lang/Class;", "value", "Ka.B", "x.getName() \"a.B\""),
            ("La/E;", "class", "a.B", "x.getClass().getName() \"a.B\""),
        ] {
            assert_eq!(check(of, aspect, original).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_long_text_is_known_by_its_length_and_its_hash() {
        let all = |original: &str| {
            let claims = Claim::all("x", "Ljava/lang/String;", "value", original);
            let claims = claims.iter();
            claims
                .map(|claim| format!("{} {}", claim.actual, claim.value().unwrap()))
                .collect::<Vec<_>>()
        };
        assert_eq!(all("Tab"), ["x \"ab\""]);
        // As `"ab".repeat(300).hashCode()` says.
        let long = format!("T{}", "ab".repeat(300));
        assert_eq!(all(&long), ["x.length() 600", "x.hashCode() 462971436"]);
        assert_eq!(
            all("tabc… (2001 characters, hash fffffffe)"),
            ["x.length() 2001", "x.hashCode() -2"]
        );
        assert!(all("tabc…").is_empty());
    }

    #[test]
    fn what_java_cannot_say_is_not_claimed() {
        let long = format!("T{}", "a".repeat(LONGEST_TEXT));
        for (of, aspect, original) in [
            ("La/B;", "frames", "a.B"),
            ("Ljava/lang/String;", "value", "tcut…"),
            ("Ljava/lang/String;", "value", &long),
        ] {
            assert_eq!(check(of, aspect, original), None);
        }
    }
}
