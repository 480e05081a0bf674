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
    /// `actual` is an expression of type `of`, an aspect of which had this value in the original.
    /// None if Java cannot say so.
    pub fn about(actual: &str, of: &str, aspect: &str, original: &str) -> Option<Self> {
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
        ] {
            assert_eq!(check(of, aspect, original).as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_java_cannot_say_is_not_claimed() {
        let long = format!("T{}", "a".repeat(LONGEST_TEXT));
        for (of, aspect, original) in [
            ("La/B;", "class", "a.B"),
            ("Ljava/lang/String;", "value", "tcut…"),
            ("Ljava/lang/String;", "value", &long),
        ] {
            assert_eq!(check(of, aspect, original), None);
        }
    }
}
