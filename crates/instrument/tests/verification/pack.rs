//! Many classes in one file; the Java side is `Pack.java`.

use std::io::Read;
use std::path::Path;

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Empty for a class of a jar.
    pub module: String,
    pub name: String,
    pub bytes: Vec<u8>,
}

pub fn read_pack(file: &Path) -> Vec<Entry> {
    let bytes = std::fs::read(file).unwrap();
    let mut rest = bytes.as_slice();
    let mut part = || {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (part, after) = after.split_at(u32::from_be_bytes(*length) as usize);
        rest = after;
        Some(part)
    };
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let mut entries = Vec::new();
    while let Some(module) = part() {
        let module = text(module);
        let name = text(part().unwrap());
        entries.push(Entry {
            module,
            name,
            bytes: part().unwrap().to_vec(),
        });
    }
    entries
}

pub fn write_pack(file: &Path, entries: &[Entry]) {
    let mut out = Vec::new();
    for entry in entries {
        for part in [entry.module.as_bytes(), entry.name.as_bytes(), &entry.bytes] {
            out.extend((part.len() as u32).to_be_bytes());
            out.extend(part);
        }
    }
    std::fs::write(file, out).unwrap();
}

/// The classes of a jar, without module descriptors and other releases' versions.
pub fn read_jar(file: &Path) -> Vec<Entry> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(file).unwrap()).unwrap();
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let mut member = archive.by_index(index).unwrap();
        let Some(name) = member
            .name()
            .unwrap()
            .strip_suffix(".class")
            .map(str::to_owned)
        else {
            continue;
        };
        if name.starts_with("META-INF/") || name.ends_with("module-info") {
            continue;
        }
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes).unwrap();
        entries.push(Entry {
            module: String::new(),
            name,
            bytes,
        });
    }
    entries
}
