//! Bodies of lambdas: private synthetic methods that compilers number through the class.
//!
//! Only the class itself can call them, so they may be renamed throughout without a change of
//! behaviour. Each is known here by the method it stands in and its rank among that method's
//! lambdas; a lambda added elsewhere in the class then changes nothing.

use std::collections::BTreeMap;

use jury_classfile::{Access, ClassFile, JavaStr};

use super::Result;

#[derive(Debug)]
pub(super) struct Lambdas<'a> {
    ranks: BTreeMap<(JavaStr<'a>, JavaStr<'a>), u32>,
}

impl<'a> Lambdas<'a> {
    pub fn of(class: &ClassFile<'a>) -> Result<Self> {
        let mut families: BTreeMap<&[u8], Vec<_>> = BTreeMap::new();
        for method in &class.methods {
            let name = method.name(&class.pool)?;
            let hidden = method.access.has(Access::PRIVATE) && method.access.is_synthetic();
            if let Some((stem, number)) = split(name.as_bytes()).filter(|_| hidden) {
                let descriptor = method.descriptor(&class.pool)?;
                families
                    .entry(stem)
                    .or_default()
                    .push((number, name, descriptor));
            }
        }
        let mut ranks = BTreeMap::new();
        for mut family in families.into_values() {
            family.sort_unstable();
            let ranked = (0..).zip(family);
            ranks.extend(ranked.map(|(rank, (_, name, descriptor))| ((name, descriptor), rank)));
        }
        Ok(Lambdas { ranks })
    }

    pub fn rank(&self, name: JavaStr<'a>, descriptor: JavaStr<'a>) -> Option<u32> {
        self.ranks.get(&(name, descriptor)).copied()
    }
}

/// `lambda$parse$12` is number 12 of the stem `lambda$parse$`. A number has no leading zero,
/// so stem and number together are the name.
fn split(name: &[u8]) -> Option<(&[u8], u32)> {
    let digits = name
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let (stem, number) = name.split_at(name.len() - digits);
    if !stem.starts_with(b"lambda$") || (number.len() > 1 && number[0] == b'0') {
        return None;
    }
    let number = std::str::from_utf8(number).ok()?.parse().ok()?;
    Some((stem, number))
}

/// The name of a lambda's body without its number.
pub(super) fn stem(name: &str) -> &str {
    name.trim_end_matches(|digit: char| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_into_stem_and_number() {
        assert_eq!(split(b"lambda$m$12"), Some((&b"lambda$m$"[..], 12)));
        assert_eq!(split(b"lambda$0"), Some((&b"lambda$"[..], 0)));
        for name in ["lambda$m$", "lambda$m$01", "m$1", "lambda$m$99999999999"] {
            assert_eq!(split(name.as_bytes()), None, "{name}");
        }
    }
}
