//! The little that build files need of XML: the text of elements and the attributes of tags.
//!
//! Declared entities are never expanded, so a document cannot grow; a document that breaks off or
//! is malformed gives what came before.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesStart, Event};

/// Build files are kilobytes; what lies beyond this is not read.
const LONGEST_BUILD_FILE: u64 = 16 << 20;

/// Reads a build file. Bytes that are not UTF-8 are replaced: what Jury looks for is ASCII in
/// practice, and old build files in Latin-1 are common.
pub fn read_build_file(path: &Path) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(LONGEST_BUILD_FILE)
        .read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The trimmed text of every element whose name is in `names` and whose parents' names, from the
/// root down, satisfy `at`.
pub fn texts(document: &str, names: &[&str], at: impl Fn(&[String]) -> bool) -> Vec<String> {
    let mut reader = Reader::from_str(document);
    let mut parents: Vec<String> = Vec::new();
    let mut text: Option<String> = None;
    let mut found = Vec::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                let name = local_name(&tag);
                text = (names.contains(&name.as_str()) && at(&parents)).then(String::new);
                parents.push(name);
            }
            Ok(Event::Text(piece)) => {
                if let Some(text) = &mut text {
                    text.push_str(&piece);
                }
            }
            Ok(Event::CData(piece)) => {
                if let Some(text) = &mut text {
                    text.push_str(&piece);
                }
            }
            Ok(Event::GeneralRef(reference)) => {
                if let Some(text) = &mut text {
                    if let Ok(Some(letter)) = reference.resolve_char_ref() {
                        text.push(letter);
                    } else if let Some(predefined) = resolve_predefined_entity(&reference) {
                        text.push_str(predefined);
                    }
                }
            }
            Ok(Event::End(_)) => {
                parents.pop();
                found.extend(text.take().map(|text| text.trim().to_owned()));
            }
            Ok(Event::Eof) | Err(_) => return found,
            Ok(_) => {}
        }
    }
}

/// The values of `attribute` on every tag called `name`.
pub fn attributes(document: &str, name: &str, attribute: &str) -> Vec<String> {
    let mut reader = Reader::from_str(document);
    let mut found = Vec::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag) | Event::Empty(tag)) if local_name(&tag) == name => {
                found.extend(attribute_of(&tag, attribute));
            }
            Ok(Event::Eof) | Err(_) => return found,
            Ok(_) => {}
        }
    }
}

/// The value of an attribute with the predefined entities and character references resolved; one
/// that holds anything else after an `&` is given as it stands.
pub fn attribute_of(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.try_get_attribute(name).ok()??;
    Some(match unescape(&attribute.value) {
        Ok(value) => value.into_owned(),
        Err(_) => attribute.value.into_owned(),
    })
}

fn local_name(tag: &BytesStart<'_>) -> String {
    tag.local_name().as_ref().to_owned()
}
