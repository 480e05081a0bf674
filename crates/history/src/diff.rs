//! Reads unified diffs without context: which lines of each file are new.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Lines of the newer side, by path. Files without lines (binary, deleted) are left out.
pub fn changed_lines(diff: &[u8]) -> BTreeMap<String, Vec<RangeInclusive<u32>>> {
    let mut changed: BTreeMap<String, Vec<RangeInclusive<u32>>> = BTreeMap::new();
    let mut path = None;
    // Lines of a hunk are counted off: an added line may itself look like a header.
    let mut left = 0;
    for line in diff.split(|byte| *byte == b'\n') {
        if left > 0 {
            if !line.starts_with(b"\\") {
                left -= 1;
            }
        } else if let Some(name) = line.strip_prefix(b"+++ ") {
            path = file_name(name);
        } else if let Some(hunk) = line.strip_prefix(b"@@ ").and_then(Hunk::read) {
            left = hunk.old_count + hunk.new_count;
            if let Some(path) = &path {
                changed.entry(path.clone()).or_default().push(hunk.lines());
            }
        }
    }
    changed
}

struct Hunk {
    old_count: u32,
    new_start: u32,
    new_count: u32,
}

impl Hunk {
    /// Reads `-12,3 +14 @@ …`; a count that is not given is 1.
    fn read(header: &[u8]) -> Option<Self> {
        let header = String::from_utf8_lossy(header);
        let mut words = header.split(' ');
        let range = |word: &str| {
            let (start, count) = word.split_once(',').unwrap_or((word, "1"));
            Some((start.parse::<u32>().ok()?, count.parse::<u32>().ok()?))
        };
        let (_, old_count) = range(words.next()?.strip_prefix('-')?)?;
        let (new_start, new_count) = range(words.next()?.strip_prefix('+')?)?;
        Some(Hunk {
            old_count,
            new_start,
            new_count,
        })
    }

    fn lines(&self) -> RangeInclusive<u32> {
        match self.new_count {
            // Nothing is left of the old lines; `new_start` is the line before the gap.
            0 => self.new_start..=self.new_start + 1,
            count => self.new_start..=self.new_start + (count - 1),
        }
    }
}

/// `a/B.java` of `b/a/B.java`; none for `/dev/null`. Names with special characters are in quotes;
/// others with a space end in a tab.
fn file_name(name: &[u8]) -> Option<String> {
    let name = name.strip_suffix(b"\t").unwrap_or(name);
    let bytes = match name
        .strip_prefix(b"\"")
        .and_then(|name| name.strip_suffix(b"\""))
    {
        Some(quoted) => unquoted(quoted)?,
        None => name.to_vec(),
    };
    let path = bytes.strip_prefix(b"b/")?;
    Some(String::from_utf8_lossy(path).into_owned())
}

/// Undoes the escapes of a C string.
fn unquoted(quoted: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::with_capacity(quoted.len());
    let mut bytes = quoted.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            plain.push(byte);
            continue;
        }
        plain.push(match bytes.next()? {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            first @ b'0'..=b'3' => {
                let digits = [first, bytes.next()?, bytes.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 8).ok()?
            }
            other => other,
        });
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(diff: &str, expected: &[(&str, &[RangeInclusive<u32>])]) {
        let expected = expected
            .iter()
            .map(|(path, lines)| (path.to_string(), lines.to_vec()))
            .collect();
        assert_eq!(changed_lines(diff.as_bytes()), expected);
    }

    #[test]
    fn added_edited_and_removed_lines_are_found() {
        check(
            "diff --git a/a/B.java b/a/B.java\n--- a/a/B.java\n+++ b/a/B.java\n\
             @@ -3 +3 @@ class B\n-x\n+y\n\
             @@ -10,0 +11,2 @@\n+y\n+y\n\
             @@ -20,2 +22,0 @@\n-x\n-x\n",
            &[("a/B.java", &[3..=3, 11..=12, 22..=23])],
        );
    }

    #[test]
    fn lines_that_look_like_headers_are_lines() {
        check(
            "+++ b/B\n@@ -1,2 +1,2 @@\n--- a/X\n-@@ -9 +9 @@\n+++ b/X\n+@@ -9 +9 @@\n\
             \\ No newline at end of file\n+++ b/C\n@@ -5 +5 @@\n-x\n+y\n",
            &[("B", &[1..=2]), ("C", &[5..=5])],
        );
    }

    #[test]
    fn deleted_files_have_no_lines() {
        check("--- a/B\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", &[]);
    }

    #[test]
    fn odd_names_are_read_as_git_writes_them() {
        check("+++ b/a b\t\n@@ -1 +1 @@\n-x\n+y\n", &[("a b", &[1..=1])]);
        check(
            "+++ \"b/\\303\\244\\t\\\"q\\\\\"\n@@ -1 +1 @@\n-x\n+y\n",
            &[("ä\t\"q\\", &[1..=1])],
        );
    }

    #[test]
    fn text_that_is_no_diff_has_no_lines() {
        check(
            "@@ -1,x +1 @@\n+++ \"b/\\\n@@ -1 +1 @@\nBinary files differ\n",
            &[],
        );
    }
}
