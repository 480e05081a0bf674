//! Text as class files hold it: modified UTF-8 (JVMS §4.4.7). NUL is two bytes and characters
//! beyond the basic plane are surrogate pairs of three bytes each, so it is not `str`.

use std::borrow::Cow;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JavaStr<'a>(&'a [u8]);

impl<'a> JavaStr<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        JavaStr(bytes)
    }

    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// Borrowed when the text is plain ASCII, as nearly all names are. Bytes that encode no
    /// character, lone surrogates included, become U+FFFD.
    pub fn to_str(self) -> Cow<'a, str> {
        if self.0.is_ascii()
            && let Ok(text) = str::from_utf8(self.0)
        {
            return Cow::Borrowed(text);
        }
        Cow::Owned(
            char::decode_utf16(self.utf16())
                .map(|unit| unit.unwrap_or('\u{fffd}'))
                .collect(),
        )
    }

    fn utf16(self) -> impl Iterator<Item = u16> {
        let bytes = self.0;
        let continuation = move |at: usize| {
            bytes
                .get(at)
                .filter(|byte| *byte & 0xc0 == 0x80)
                .map(|byte| u16::from(byte & 0x3f))
        };
        let mut at = 0;
        std::iter::from_fn(move || {
            let lead = *bytes.get(at)?;
            let (unit, length) = match (lead, continuation(at + 1), continuation(at + 2)) {
                (0x00..=0x7f, _, _) => (u16::from(lead), 1),
                (0xc0..=0xdf, Some(low), _) => (u16::from(lead & 0x1f) << 6 | low, 2),
                (0xe0..=0xef, Some(middle), Some(low)) => {
                    (u16::from(lead & 0x0f) << 12 | middle << 6 | low, 3)
                }
                _ => (0xfffd, 1),
            };
            at += length;
            Some(unit)
        })
    }
}

/// Encodes text as modified UTF-8, appending to `out`.
pub(crate) fn encode(text: &str, out: &mut Vec<u8>) {
    for unit in text.encode_utf16() {
        match unit {
            0x01..=0x7f => out.push(unit as u8),
            0x00 | 0x80..=0x7ff => {
                out.extend([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8])
            }
            _ => out.extend([
                0xe0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 0x3f) as u8,
                0x80 | (unit & 0x3f) as u8,
            ]),
        }
    }
}

/// True for what [`JavaStr::to_str`] makes of it.
impl PartialEq<str> for JavaStr<'_> {
    fn eq(&self, text: &str) -> bool {
        // Both encodings agree up to the end of the basic plane, NUL excepted.
        self.0 == text.as_bytes() || !self.0.is_ascii() && self.to_str() == text
    }
}

impl PartialEq<&str> for JavaStr<'_> {
    fn eq(&self, text: &&str) -> bool {
        *self == **text
    }
}

impl fmt::Display for JavaStr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_str())
    }
}

impl fmt::Debug for JavaStr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str) {
        let mut bytes = Vec::new();
        encode(text, &mut bytes);
        assert_eq!(JavaStr::new(&bytes).to_str(), text);
    }

    #[test]
    fn text_survives_modified_utf8() {
        round_trip("");
        round_trip("java/lang/Object");
        round_trip("größe \u{0} 漢字 \u{1f600}");
    }

    #[test]
    fn nul_and_astral_characters_never_use_standard_utf8() {
        let mut bytes = Vec::new();
        encode("\u{0}\u{1f600}", &mut bytes);
        assert_eq!(bytes, [0xc0, 0x80, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
    }

    #[test]
    fn text_equals_what_it_is_told_as() {
        for text in ["java/lang/Object", "größe", "漢字", "\u{0}", "\u{10330}"] {
            let mut bytes = Vec::new();
            encode(text, &mut bytes);
            assert_eq!(JavaStr::new(&bytes), text);
            assert!(JavaStr::new(&bytes) != *"\u{10331}");
        }
    }

    #[test]
    fn broken_text_is_replaced_not_rejected() {
        assert_eq!(
            JavaStr::new(&[b'a', 0xff, 0xe0, 0x80]).to_str(),
            "a\u{fffd}\u{fffd}\u{fffd}"
        );
        assert_eq!(JavaStr::new(&[0xed, 0xa0, 0xbd]).to_str(), "\u{fffd}");
    }
}
