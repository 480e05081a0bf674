//! Conditions under which an assertion holds. A parameterised test, and a helper of several tests,
//! is run with other values each time; its parameters tell which time it is.

use crate::property::literal;

/// Longer texts make no condition that anybody reads.
const LONGEST_TEXT: usize = 80;
/// Names that are tried alone, before all of them together.
const MOST_ALONE: usize = 2;

/// A name in the code of a test, and what it stood for whenever it was asked in one run of its method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    pub name: String,
    /// Its static type, as a descriptor.
    pub of: String,
    /// As the observer writes it.
    pub value: String,
}

/// Java conditions that hold where names stand for these values, those with fewer names first.
pub fn guards(known: &[Known]) -> Vec<String> {
    let conditions: Vec<String> = known.iter().filter_map(condition).collect();
    let mut guards: Vec<String> = conditions.iter().take(MOST_ALONE).cloned().collect();
    if conditions.len() > 1 {
        guards.push(conditions.join(" && "));
    }
    guards
}

fn condition(known: &Known) -> Option<String> {
    let Known { name, of, value } = known;
    let is_boolean = matches!(of.as_str(), "Z" | "Ljava/lang/Boolean;");
    match (value.get(..1)?, &value[1..]) {
        // The JVM computes booleans as ints; the source knows better.
        ("Z" | "I", truth) if is_boolean => Some(match truth {
            "true" | "1" => name.clone(),
            _ => format!("!{name}"),
        }),
        // Where a file lies is another matter on each machine.
        ("O", path) if of == "Ljava/io/File;" => {
            let last = path.rsplit('/').next()?;
            Some(format!(
                "{}.equals({name}.getName())",
                literal(&format!("T{last}"))?
            ))
        }
        ("T", text) if text.len() <= LONGEST_TEXT => {
            Some(format!("{}.equals({name})", literal(value)?))
        }
        ("I" | "J" | "B" | "S" | "C" | "E", _) => Some(format!("{name} == {}", literal(value)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(known: &[(&str, &str, &str)]) -> Vec<String> {
        let known = known.iter().map(|(name, of, value)| Known {
            name: (*name).into(),
            of: (*of).into(),
            value: (*value).into(),
        });
        guards(&known.collect::<Vec<_>>())
    }

    #[test]
    fn values_with_a_literal_tell_one_run_from_another() {
        for (of, value, expected) in [
            ("Ljava/lang/String;", "Ta\"b", "\"a\\\"b\".equals(x)"),
            ("I", "I3", "x == 3"),
            ("Z", "I1", "x"),
            ("Z", "Zfalse", "!x"),
            ("J", "J7", "x == 7L"),
            ("La/Color;", "Ea.Color.RED", "x == a.Color.RED"),
            (
                "Ljava/io/File;",
                "O/p/a.html",
                "\"a.html\".equals(x.getName())",
            ),
        ] {
            assert_eq!(check(&[("x", of, value)]), [expected]);
        }
    }

    #[test]
    fn what_has_no_literal_or_is_inexact_makes_no_condition() {
        let long = format!("T{}", "a".repeat(LONGEST_TEXT + 1));
        for (of, value) in [
            ("Ljava/math/BigDecimal;", "O1.50"),
            ("D", "D0.1"),
            ("Ljava/lang/String;", &long),
        ] {
            assert!(check(&[("x", of, value)]).is_empty());
        }
    }

    #[test]
    fn each_name_is_tried_alone_and_all_together() {
        assert_eq!(
            check(&[("x", "I", "I1"), ("y", "I", "I2")]),
            ["x == 1", "y == 2", "x == 1 && y == 2"]
        );
    }
}
