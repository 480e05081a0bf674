//! Identities of methods and mutants as stable text, fit for files that people review.
//!
//! An extreme mutant is `a/b/C#method(I)V#void`, a classic one has an ordinal after the operator:
//! `a/b/C#method(I)V#math#2`. Names that would be ambiguous (Kotlin and obfuscators allow almost
//! anything) have the troublesome characters percent-encoded.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A method, named in VM form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodId {
    pub class: String,
    pub name: String,
    pub descriptor: String,
}

/// A mutant. Two mutants of one method differ in operator or, for classic ones, in ordinal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MutantId {
    pub method: MethodId,
    /// The operator's canonical name.
    pub operator: String,
    /// Which of the operator's points in the method, in order of pc; none for extreme mutants.
    pub ordinal: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not the id of a {1}")]
pub struct BadId(String, &'static str);

impl MethodId {
    /// The package in source form; empty for the unnamed one.
    pub fn package(&self) -> String {
        let package = self
            .class
            .rsplit_once('/')
            .map_or("", |(package, _)| package);
        package.replace('/', ".")
    }

    fn split(text: &str) -> Option<(Self, &str)> {
        let (class, rest) = text.split_once('#')?;
        let open = rest.find('(')?;
        let (name, rest) = rest.split_at(open);
        let end = descriptor_length(rest)?;
        let (descriptor, rest) = rest.split_at(end);
        let method = MethodId {
            class: decode(class)?,
            name: decode(name)?,
            descriptor: decode(descriptor)?,
        };
        let complete = !method.class.is_empty() && !method.name.is_empty();
        complete.then_some((method, rest))
    }
}

impl fmt::Display for MethodId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        encode(f, &self.class, "%#(")?;
        f.write_str("#")?;
        encode(f, &self.name, "%#(")?;
        encode(f, &self.descriptor, "%")
    }
}

impl FromStr for MethodId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        match Self::split(text) {
            Some((method, "")) => Ok(method),
            _ => Err(BadId(text.to_owned(), "method")),
        }
    }
}

impl fmt::Display for MutantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.method, self.operator)?;
        match self.ordinal {
            Some(ordinal) => write!(f, "#{ordinal}"),
            None => Ok(()),
        }
    }
}

impl FromStr for MutantId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        let bad = || BadId(text.to_owned(), "mutant");
        let (method, rest) = MethodId::split(text).ok_or_else(bad)?;
        let operator = rest
            .strip_prefix('#')
            .filter(|rest| !rest.is_empty())
            .ok_or_else(bad)?;
        // Only a quoted constant can contain the separator, and constants have no ordinal.
        let (operator, ordinal) = match operator.split_once('#') {
            Some((name, ordinal)) if !operator.starts_with(['"', '\'']) => {
                (name, Some(ordinal.parse().map_err(|_| bad())?))
            }
            _ => (operator, None),
        };
        Ok(MutantId {
            method,
            operator: operator.to_owned(),
            ordinal,
        })
    }
}

/// How long the method descriptor at the start of `text` is. Its class names may hold any
/// character but the semicolon that ends them.
fn descriptor_length(text: &str) -> Option<usize> {
    let mut at = 1;
    while !text[at..].starts_with(')') {
        at += type_length(&text[at..])?;
    }
    at += 1;
    Some(at + type_length(&text[at..])?)
}

fn type_length(text: &str) -> Option<usize> {
    let dimensions = text.bytes().take_while(|byte| *byte == b'[').count();
    let base = match text.as_bytes().get(dimensions)? {
        b'L' => text[dimensions..].find(';')? + 1,
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b'V' => 1,
        _ => return None,
    };
    Some(dimensions + base)
}

fn encode(f: &mut fmt::Formatter<'_>, text: &str, special: &str) -> fmt::Result {
    for character in text.chars() {
        // Line breaks of every kind, because ids are written one to a line.
        let breaks = character.is_control() || matches!(character, '\u{2028}' | '\u{2029}');
        if breaks || special.contains(character) {
            write!(f, "%{:04x}", u32::from(character))?;
        } else {
            write!(f, "{character}")?;
        }
    }
    Ok(())
}

fn decode(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut plain = parts.next()?.to_owned();
    for part in parts {
        let code = u32::from_str_radix(part.get(..4)?, 16).ok()?;
        plain.push(char::from_u32(code)?);
        plain.push_str(&part[4..]);
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mutant(operator: &str, ordinal: Option<u32>) -> MutantId {
        let method = MethodId {
            class: "a/b/C".into(),
            name: "run".into(),
            descriptor: "(I[La/B;)V".into(),
        };
        MutantId {
            method,
            operator: operator.into(),
            ordinal,
        }
    }

    #[test]
    fn ids_read_as_they_are_written() {
        let table = [
            (mutant("void", None), "a/b/C#run(I[La/B;)V#void"),
            (mutant("math", Some(2)), "a/b/C#run(I[La/B;)V#math#2"),
            (mutant("\"#1\"", None), "a/b/C#run(I[La/B;)V#\"#1\""),
        ];
        for (id, text) in table {
            assert_eq!(id.to_string(), text);
            assert_eq!(text.parse(), Ok(id));
        }
    }

    #[test]
    fn the_package_is_in_source_form() {
        assert_eq!(mutant("void", None).method.package(), "a.b");
        assert_eq!("C#run()V".parse::<MethodId>().unwrap().package(), "");
    }

    #[test]
    fn broken_ids_are_refused() {
        for text in [
            "",
            "a",
            "a#b",
            "a#b(",
            "a#b()",
            "a#b(Q)V#void",
            "a#b()V",
            "a#b()V#",
            "a#b()V#x#y",
            "#b()V#void",
            "%zz#b()V#void",
        ] {
            assert_eq!(text.parse::<MutantId>(), Err(BadId(text.into(), "mutant")));
        }
    }

    proptest! {
        #[test]
        fn odd_names_survive(
            class in ".+", name in ".+", parameter in "[^;]+", operator in "[a-z_]+",
            ordinal in any::<Option<u32>>(),
        ) {
            let descriptor = format!("(L{parameter};J)V");
            let id = MutantId { method: MethodId { class, name, descriptor }, operator, ordinal };
            let text = id.to_string();
            prop_assert!(!text.contains('\n'));
            prop_assert_eq!(text.parse(), Ok(id));
        }
    }
}
