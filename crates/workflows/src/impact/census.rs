//! All classes in some directories and jars. What was read before and has not been touched since is
//! not read again.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::vec;

use foldhash::fast::FixedState;
use jury_impact::{ClassFacts, ClassParts, MemberFacts, MethodVersion, Name, Names};
use jury_model::Notice;
use jury_select::{ClassFingerprint, Digest, Hash128, Hashing};
use jury_store::{read_derived, write_derived};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use zip::ZipArchive;

use super::snapshot::Parts;

/// The names change with what is remembered of a class.
const CACHE: &str = "classes.cache-5";
const METHOD_CACHE: &str = "methods.cache-3";
const SERVICES: &str = "META-INF/services";

/// A class where it was found.
#[derive(Clone, Copy)]
pub(super) struct Counted<'c> {
    /// The directory or jar.
    pub place: &'c Path,
    pub modified: Option<SystemTime>,
    pub facts: &'c ClassFacts,
    /// None if its members were not asked for, or cannot be understood.
    pub members: Option<&'c Members>,
    hash: Option<[u8; 16]>,
}

pub(super) struct Census {
    pub names: Names,
    files: Vec<CountedFile>,
    unreadable: Vec<String>,
    learnt: bool,
    cache: &'static str,
}

struct CountedFile {
    place: Arc<Path>,
    path: PathBuf,
    is_library: bool,
    content: Remembered,
}

/// What a file held when it was last read.
#[derive(Serialize, Deserialize)]
struct Remembered {
    stamp: Stamp,
    classes: Vec<RememberedClass>,
    services: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct RememberedClass {
    facts: ClassFacts,
    /// Boxed, because they are rarely there.
    members: Option<Box<Members>>,
    /// None as long as nobody has asked for it: it takes longer than all the rest.
    hash: Option<[u8; 16]>,
}

/// A class method by method.
#[derive(Serialize, Deserialize)]
pub(super) struct Members {
    pub facts: MemberFacts,
    /// None if only the class as a whole can be compared with another time.
    pub parts: Option<ClassParts>,
}

/// Hashes by name in VM form.
pub(super) type Hashes<'n> = HashMap<&'n str, [u8; 16], FixedState>;

/// Files by path, in the order in which they were found.
type Cache<'b> = Vec<(&'b str, Remembered)>;

/// What is remembered and was not asked for yet.
struct Memory<'b> {
    in_order: Peekable<vec::IntoIter<(&'b str, Remembered)>>,
    out_of_order: HashMap<&'b str, Remembered, FixedState>,
}

impl<'b> Memory<'b> {
    fn of(cache: Cache<'b>) -> Self {
        Memory {
            in_order: cache.into_iter().peekable(),
            out_of_order: HashMap::default(),
        }
    }

    /// Directories that nobody has touched list their files in the order of last time; only where
    /// they do not, files have to be looked up.
    fn take(&mut self, path: &str) -> Option<Remembered> {
        if let Some((_, content)) = self.in_order.next_if(|(own, _)| *own == path) {
            return Some(content);
        }
        self.out_of_order.extend(self.in_order.by_ref());
        self.out_of_order.remove(path)
    }
}

/// A file that still has these has not been written since.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    size: u64,
    modified_nanos: u64,
}

/// A file of a directory, or a jar.
struct Found {
    place: Arc<Path>,
    path: PathBuf,
    stamp: Stamp,
    is_library: bool,
    /// Whether its classes are to be hashed.
    hashed: bool,
    /// Whether its methods are to be looked at.
    with_members: bool,
}

/// What the census is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Who speaks of whom.
    Graph,
    /// That, and which own classes are the same as at another time.
    Comparison,
    /// Both of these, method by method.
    Methods,
}

impl Purpose {
    /// What takes long to read is kept apart, so that it delays nobody who does not need it.
    fn cache(self) -> &'static str {
        match self {
            Purpose::Graph | Purpose::Comparison => CACHE,
            Purpose::Methods => METHOD_CACHE,
        }
    }
}

/// So many files are read at a time, with names of their own.
const TOGETHER: usize = 256;

/// What some files hold.
#[derive(Default)]
struct Learnt {
    names: Names,
    contents: Vec<Remembered>,
    unreadable: Vec<String>,
}

impl Census {
    /// Whether there has been one for that purpose.
    pub fn was_taken(state_dir: &Path, purpose: Purpose) -> bool {
        state_dir.join(purpose.cache()).exists()
    }

    pub fn take(
        state_dir: &Path,
        places: &[PathBuf],
        libraries: &[PathBuf],
        purpose: Purpose,
    ) -> Self {
        let bytes = read_derived(state_dir, purpose.cache()).unwrap_or_default();
        let (names, cache): (Names, Cache<'_>) = postcard::from_bytes(&bytes).unwrap_or_default();
        let mut census = Census {
            names,
            files: Vec::new(),
            unreadable: Vec::new(),
            learnt: false,
            cache: purpose.cache(),
        };
        let mut all = Vec::with_capacity(cache.len());
        let mut known = Memory::of(cache);
        for place in places {
            find(place, false, purpose, &mut all);
        }
        for place in libraries {
            find(place, true, purpose, &mut all);
        }
        let remembered: Vec<Option<Remembered>> = (all.iter())
            .map(|found| {
                let content = known.take(&found.path.to_string_lossy());
                content.filter(|content| content.suits(found))
            })
            .collect();
        let unknown = all.iter().zip(&remembered);
        let unknown = unknown.filter(|(_, content)| content.is_none());
        let unknown: Vec<&Found> = unknown.map(|(found, _)| found).collect();
        let learnt: Vec<Learnt> = unknown.par_chunks(TOGETHER).map(Learnt::of).collect();
        let learnt = learnt.into_iter().map(|part| census.learn(part));
        let mut learnt = learnt.collect::<Vec<_>>().into_iter().flatten();
        let files = all.into_iter().zip(remembered);
        census.files.extend(files.filter_map(|(found, content)| {
            Some(CountedFile {
                place: found.place,
                path: found.path,
                is_library: found.is_library,
                content: content.or_else(|| learnt.next())?,
            })
        }));
        census
    }

    /// Takes over the names in what was read.
    fn learn(&mut self, learnt: Learnt) -> Vec<Remembered> {
        self.learnt = true;
        let texts = learnt.names.texts();
        let moved: Vec<Name> = texts.map(|text| self.names.intern(text)).collect();
        self.unreadable.extend(learnt.unreadable);
        let mut contents = learnt.contents;
        let classes = contents.iter_mut().flat_map(|file| &mut file.classes);
        classes.for_each(|class| class.moved(&moved));
        contents
    }

    /// Writes down what was read, for the next time. A cache that cannot be written is no loss.
    pub fn keep(&self, state_dir: &Path) {
        let files = self.files.iter();
        let contents: Vec<(Cow<'_, str>, &Remembered)> = files
            .map(|file| (file.path.to_string_lossy(), &file.content))
            .collect();
        if self.learnt
            && let Ok(bytes) = postcard::to_allocvec(&(&self.names, contents))
        {
            let _ = write_derived(state_dir, self.cache, &bytes);
        }
    }

    pub fn all(&self) -> impl Iterator<Item = Counted<'_>> {
        self.files.iter().flat_map(CountedFile::classes)
    }

    /// Classes that are no library's.
    pub fn own(&self) -> impl Iterator<Item = Counted<'_>> {
        let own = self.files.iter().filter(|file| !file.is_library);
        own.flat_map(CountedFile::classes)
    }

    /// The hash of an own class, if the census was taken for a comparison.
    pub fn hashes_by_name(&self) -> HashMap<Name, [u8; 16]> {
        let hashes = self.hashes().into_iter();
        hashes
            .filter_map(|(name, hash)| Some((self.names.find(name)?, hash)))
            .collect()
    }

    /// Own classes by name, if the census was taken for a comparison. Modules may have classes of
    /// one name; such a pair counts as one.
    pub fn hashes(&self) -> Hashes<'_> {
        let mut hashes = Hashes::with_capacity_and_hasher(self.files.len(), FixedState::default());
        for class in self.own() {
            let Some(own) = class.hash else {
                continue;
            };
            hashes
                .entry(self.names.text(class.facts.name))
                .and_modify(|hash| {
                    let mut both = Digest::new("jury namesakes 1");
                    both.unordered(vec![Hash128(*hash), Hash128(own)]);
                    *hash = both.finish().0;
                })
                .or_insert(own);
        }
        hashes
    }

    /// Own classes that are wanted, if the census was taken for methods.
    pub fn parts(&self, is_wanted: impl Fn(&str) -> bool) -> Parts {
        let mut all = Parts::new();
        for class in self.own() {
            let name = self.names.text(class.facts.name);
            if is_wanted(name) {
                let parts = class.members.and_then(|members| members.parts.clone());
                all.entry(name.to_owned()).or_default().extend(parts);
            }
        }
        all
    }

    /// Services and their providers, from `META-INF/services` and from module descriptors.
    pub fn services(&mut self) -> Vec<(Name, Name)> {
        let listed = self.files.iter().flat_map(|file| &file.content.services);
        let mut services: Vec<(Name, Name)> = listed
            .map(|(service, provider)| (self.names.intern(service), self.names.intern(provider)))
            .collect();
        let declared = self.files.iter().flat_map(|file| &file.content.classes);
        services.extend(declared.flat_map(|class| &class.facts.provides));
        services
    }

    /// Own classes that were compiled from a file, given by its path in the project.
    pub fn compiled_from<'c>(&'c self, path: &'c str) -> impl Iterator<Item = Counted<'c>> {
        self.own().filter(move |class| {
            class.facts.source.as_ref().is_some_and(|source| {
                path.strip_suffix(source.as_str())
                    .is_some_and(|front| front.is_empty() || front.ends_with('/'))
            })
        })
    }

    pub fn notices(&self) -> Vec<Notice> {
        let broken = self.unreadable.first().map(|first| {
            let others = match self.unreadable.len() {
                1 => String::new(),
                count => format!(" and {} others", count - 1),
            };
            Notice::with_hint(
                format!("`{first}`{others} cannot be read as class files"),
                "what they lead to is unknown; a clean build may mend them",
            )
        });
        broken.into_iter().collect()
    }
}

impl CountedFile {
    fn classes(&self) -> impl Iterator<Item = Counted<'_>> {
        let modified = Duration::from_nanos(self.content.stamp.modified_nanos);
        self.content.classes.iter().map(move |class| Counted {
            place: &self.place,
            modified: UNIX_EPOCH.checked_add(modified),
            facts: &class.facts,
            members: class.members.as_deref(),
            hash: class.hash,
        })
    }
}

/// What there is to read in a place: a jar itself, or the classes and services of a directory.
fn find(place: &Path, is_library: bool, purpose: Purpose, all: &mut Vec<Found>) {
    let place: Arc<Path> = place.into();
    let mut add = |path: PathBuf, metadata: &Metadata| {
        let modified = metadata.modified().ok();
        let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        all.push(Found {
            place: Arc::clone(&place),
            path,
            stamp: Stamp {
                size: metadata.len(),
                modified_nanos: modified.map_or(0, |time| time.as_nanos() as u64),
            },
            is_library,
            hashed: !is_library && purpose != Purpose::Graph,
            with_members: purpose == Purpose::Methods,
        });
    };
    match fs::metadata(&place) {
        Ok(metadata) if metadata.is_file() => return add(place.to_path_buf(), &metadata),
        Ok(metadata) if metadata.is_dir() => {}
        _ => return,
    }
    let mut pending = vec![place.to_path_buf()];
    while let Some(directory) = pending.pop() {
        let inside = directory.strip_prefix(&place).unwrap_or(&directory);
        let (is_meta, is_services) = (
            inside.starts_with("META-INF"),
            inside == Path::new(SERVICES),
        );
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            // Links inside a directory are not followed: they may lead round in a circle.
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let is_class = || entry.file_name().as_encoded_bytes().ends_with(b".class");
            if kind.is_dir() {
                pending.push(entry.path());
            } else if kind.is_file()
                && (is_services || !is_meta && is_class())
                && let Ok(metadata) = entry.metadata()
            {
                add(entry.path(), &metadata);
            }
        }
    }
}

impl Learnt {
    fn of(files: &[&Found]) -> Self {
        let mut learnt = Learnt::default();
        let mut buffer = Vec::new();
        for found in files {
            let content = learnt.read(found, &mut buffer);
            learnt.contents.push(content);
        }
        learnt
    }

    fn read(&mut self, found: &Found, buffer: &mut Vec<u8>) -> Remembered {
        let mut content = Remembered {
            stamp: found.stamp,
            classes: Vec::new(),
            services: Vec::new(),
        };
        if *found.path != *found.place {
            let inside = found.path.strip_prefix(&found.place);
            let name = inside.unwrap_or(&found.path).to_string_lossy();
            // An unreadable file is no class, and is said to be none.
            let _ = read_file(&found.path, found.stamp.size, buffer);
            self.add(found, &name, buffer, &mut content);
            return content;
        }
        let file = File::open(&found.path).ok();
        let Some(mut archive) = file.and_then(|file| ZipArchive::new(file).ok()) else {
            return content;
        };
        for index in 0..archive.len() {
            let Ok(mut entry) = archive.by_index(index) else {
                continue;
            };
            let Ok(name) = entry.name().map(|name| name.into_owned()) else {
                continue;
            };
            let is_class = name.ends_with(".class") && !name.starts_with("META-INF/");
            buffer.clear();
            if (is_class || name.starts_with(SERVICES)) && entry.read_to_end(buffer).is_ok() {
                self.add(found, &name, buffer, &mut content);
            }
        }
        content
    }

    fn add(&mut self, found: &Found, name: &str, bytes: &[u8], content: &mut Remembered) {
        if let Some(class) = name.strip_suffix(".class") {
            let facts = ClassFacts::read(bytes, &mut self.names).unwrap_or_else(|_| {
                self.unreadable.push(found.path.display().to_string());
                ClassFacts::opaque(self.names.intern(class))
            });
            let fingerprint =
                (found.hashed).then(|| ClassFingerprint::of(bytes, Hashing::default()));
            let members = found
                .with_members
                .then(|| MemberFacts::read(bytes, &mut self.names).ok());
            let members = members.flatten().map(|facts| {
                let parts = (fingerprint.as_ref()).and_then(|own| parts(own, &mut self.names));
                Box::new(Members { facts, parts })
            });
            content.classes.push(RememberedClass {
                facts,
                members,
                hash: fingerprint.map(|fingerprint| fingerprint.whole.0),
            });
        } else if let Some(service) = name.strip_prefix("META-INF/services/") {
            let service = service.replace('.', "/");
            let providers = providers(bytes).map(|provider| (service.clone(), provider));
            content.services.extend(providers);
        }
    }
}

impl Remembered {
    /// Whether the file was not written since, and all is there that is wanted of it.
    fn suits(&self, found: &Found) -> bool {
        let complete = self.classes.iter().all(|class| class.hash.is_some());
        self.stamp == found.stamp && (complete || !found.hashed)
    }
}

impl RememberedClass {
    /// The same in another collection of names.
    fn moved(&mut self, moved: &[Name]) {
        self.facts.moved(moved);
        if let Some(members) = &mut self.members {
            members.facts.moved(moved);
            if let Some(parts) = &mut members.parts {
                parts.moved(moved);
            }
        }
    }
}

/// None for a class that can only be compared as a whole.
fn parts(fingerprint: &ClassFingerprint, names: &mut Names) -> Option<ClassParts> {
    let parts = fingerprint.parts.as_ref()?;
    let methods = parts.members().iter().map(|method| MethodVersion {
        signature: names.intern(&[&*method.name, &*method.descriptor].concat()),
        identity: method.identity_hash().0,
        body: method.body.0,
    });
    Some(ClassParts {
        declaration: parts.structure.0,
        initialiser: parts.initializer.0,
        methods: methods.collect(),
    })
}

/// Reads a file of which the size is known with as few calls as can be.
fn read_file(path: &Path, size: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.clear();
    let mut file = File::open(path)?;
    buffer.resize(usize::try_from(size).unwrap_or(0) + 1, 0);
    let mut length = 0;
    loop {
        let more = file.read(&mut buffer[length..])?;
        length += more;
        // A regular file that gives less than was asked for has ended.
        if more == 0 || length as u64 == size {
            break;
        }
        if length == buffer.len() {
            buffer.resize(2 * length, 0);
        }
    }
    buffer.truncate(length);
    Ok(())
}

/// Names in a provider file, in VM form; comments begin with `#`.
fn providers(file: &[u8]) -> impl Iterator<Item = String> {
    let text = String::from_utf8_lossy(file).into_owned();
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            line.split('#')
                .next()
                .unwrap_or("")
                .trim()
                .replace('.', "/")
        })
        .filter(|name| !name.is_empty())
        .collect();
    lines.into_iter()
}
