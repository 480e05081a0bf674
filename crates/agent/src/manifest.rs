//! Jars that hold nothing but a manifest: the trick by which build tools pass a class path that is
//! too long for a command line. They are deleted after the run, so a recipe lists what they list.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use zip::ZipArchive;

const MANIFEST: &str = "META-INF/MANIFEST.MF";
/// Pathing jars hold one or two entries, real ones hundreds. Only a jar with at most this many is
/// looked into, because a class path may have hundreds of jars and the JVM waits.
const FEW_ENTRIES: u16 = 8;

/// The class path that the jar stands for, or `None` if it is a jar like any other. A jar that
/// cannot be read is the JVM's business, not ours.
pub fn class_path_of_pathing_jar(jar: &Path) -> Option<Vec<PathBuf>> {
    let mut file = File::open(jar).ok()?;
    if !has_few_entries(&mut file) {
        return None;
    }
    let mut archive = ZipArchive::new(file).ok()?;
    let is_metadata = |name: &str| name.starts_with("META-INF/");
    if !archive
        .file_names()
        .all(|name| name.is_ok_and(|name| is_metadata(&name)))
    {
        return None;
    }
    let mut manifest = Vec::new();
    archive
        .by_name(MANIFEST)
        .ok()?
        .read_to_end(&mut manifest)
        .ok()?;
    let value = main_attribute(&manifest, "Class-Path")?;
    let directory = jar.parent().unwrap_or(Path::new("/"));
    Some(
        value
            .split_ascii_whitespace()
            .filter_map(|url| resolve(directory, url))
            .collect(),
    )
}

/// Reads the entry count from the end of the archive. An archive with a comment behind that end
/// does not show its count so cheaply; no build tool writes such a pathing jar, but some might.
fn has_few_entries(file: &mut File) -> bool {
    let mut end = [0; 22];
    let read = file
        .seek(SeekFrom::End(-(end.len() as i64)))
        .and_then(|_| file.read_exact(&mut end));
    match (read, end) {
        (Err(_), _) => false,
        (Ok(()), [b'P', b'K', 5, 6, _, _, _, _, _, _, low, high, ..]) => {
            u16::from_le_bytes([low, high]) <= FEW_ENTRIES
        }
        (Ok(()), _) => true,
    }
}

/// The value of an attribute in a manifest's main section. Long lines go on in the next line behind
/// a space, possibly in the middle of a character, hence the work on bytes.
fn main_attribute(manifest: &[u8], name: &str) -> Option<String> {
    let mut lines = manifest
        .split(|byte| *byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .take_while(|line| !line.is_empty())
        .peekable();
    while let Some(line) = lines.next() {
        let mut line = line.to_vec();
        while let Some(more) = lines.peek().and_then(|next| next.strip_prefix(b" ")) {
            line.extend_from_slice(more);
            lines.next();
        }
        let line = String::from_utf8_lossy(&line);
        if let Some((key, value)) = line.split_once(": ")
            && key.eq_ignore_ascii_case(name)
        {
            return Some(value.to_owned());
        }
    }
    None
}

/// A `Class-Path` element is a URL relative to the jar's directory; only files can be meant here.
fn resolve(directory: &Path, url: &str) -> Option<PathBuf> {
    let path = match url.split_once(':') {
        Some(("file", path)) => {
            // `file:///a` and `file:/a` name the same file; a host cannot be reached as a file.
            match path.strip_prefix("//") {
                Some(with_host) => &with_host[with_host.find('/')?..],
                None => path,
            }
        }
        Some((scheme, _)) if scheme.len() > 1 && !scheme.contains('/') => return None,
        _ => url,
    };
    Some(normalised(&directory.join(percent_decoded(path))))
}

/// Removes `.` and `..` by name alone, as URLs are resolved, symbolic links or not.
fn normalised(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

fn percent_decoded(text: &str) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let mut behind = bytes.clone();
        let code = match (byte, behind.next(), behind.next()) {
            (b'%', Some(high), Some(low)) => hex(high).zip(hex(low)),
            _ => None,
        };
        match code {
            Some((high, low)) => {
                decoded.push(high << 4 | low);
                bytes = behind;
            }
            None => decoded.push(byte),
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;
    use std::io::Write;

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    pub fn write_jar(path: &Path, entries: &[(&str, &str)]) {
        let mut jar = ZipWriter::new(File::create(path).unwrap());
        for (name, content) in entries {
            jar.start_file(*name, SimpleFileOptions::default()).unwrap();
            jar.write_all(content.as_bytes()).unwrap();
        }
        jar.finish().unwrap();
    }

    fn check(entries: &[(&str, &str)], expected: Option<&[&str]>) {
        let directory = tempfile::tempdir().unwrap();
        let jar = directory.path().join("pathing.jar");
        write_jar(&jar, entries);
        let expected = expected.map(|paths| {
            paths
                .iter()
                .map(|path| directory.path().join(path))
                .collect::<Vec<_>>()
        });
        assert_eq!(class_path_of_pathing_jar(&jar), expected, "{entries:?}");
    }

    #[test]
    fn a_jar_with_only_a_manifest_stands_for_its_class_path() {
        check(
            &[(
                MANIFEST,
                "Manifest-Version: 1.0\r\nClass-Path: lib/a.jar /b.jar file:/c%20d/\r\n\r\n",
            )],
            Some(&["lib/a.jar", "/b.jar", "/c d"]),
        );
    }

    #[test]
    fn other_metadata_does_not_make_it_a_real_jar() {
        check(
            &[
                ("META-INF/", ""),
                (MANIFEST, "Class-Path: a.jar\n"),
                ("META-INF/LICENSE", "x"),
            ],
            Some(&["a.jar"]),
        );
    }

    #[test]
    fn a_jar_with_classes_is_kept() {
        check(
            &[(MANIFEST, "Class-Path: a.jar\n"), ("a/B.class", "")],
            None,
        );
    }

    #[test]
    fn a_jar_without_class_path_is_kept() {
        check(&[(MANIFEST, "Main-Class: a.B\n")], None);
        check(&[("META-INF/x", "")], None);
    }

    #[test]
    fn attributes_behind_the_main_section_do_not_count() {
        check(
            &[(MANIFEST, "Main-Class: a.B\n\nName: x\nClass-Path: a.jar\n")],
            None,
        );
    }

    #[test]
    fn lines_may_go_on_even_inside_a_character() {
        let manifest = b"CLASS-PATH: a.j\r\n ar \xc3\r\n \xbc.jar\r\n";
        assert_eq!(
            main_attribute(manifest, "Class-Path").as_deref(),
            Some("a.jar ü.jar")
        );
    }

    #[test]
    fn urls_become_paths() {
        for (url, expected) in [
            ("../../classes/", Some("/p/classes")),
            ("./x.jar", Some("/p/target/surefire/x.jar")),
            ("file:/r/a.jar", Some("/r/a.jar")),
            ("file:///r/%C3%BC.jar", Some("/r/ü.jar")),
            ("file://host/r/a.jar", Some("/r/a.jar")),
            ("100%.jar", Some("/p/target/surefire/100%.jar")),
            ("a%2", Some("/p/target/surefire/a%2")),
            ("../../../../../up.jar", Some("/up.jar")),
            ("http://example.org/a.jar", None),
        ] {
            let resolved = resolve(Path::new("/p/target/surefire"), url);
            assert_eq!(resolved.as_deref(), expected.map(Path::new), "{url}");
        }
    }

    #[test]
    fn a_corrupt_jar_is_a_jar_like_any_other() {
        let directory = tempfile::tempdir().unwrap();
        let jar = directory.path().join("corrupt.jar");
        for bytes in [&b""[..], b"PK", b"no archive at all, but long enough"] {
            fs::write(&jar, bytes).unwrap();
            assert_eq!(class_path_of_pathing_jar(&jar), None);
        }
        assert_eq!(class_path_of_pathing_jar(directory.path()), None);
        assert_eq!(class_path_of_pathing_jar(Path::new("/no/such.jar")), None);
    }

    #[test]
    fn an_archive_comment_does_not_hide_a_pathing_jar() {
        let directory = tempfile::tempdir().unwrap();
        let jar = directory.path().join("pathing.jar");
        let mut archive = ZipWriter::new(File::create(&jar).unwrap());
        archive
            .start_file(MANIFEST, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(b"Class-Path: /a.jar\n").unwrap();
        archive.set_comment("made by a build tool").unwrap();
        archive.finish().unwrap();
        assert_eq!(
            class_path_of_pathing_jar(&jar),
            Some(vec![PathBuf::from("/a.jar")])
        );
    }
}
