//! All classes in some directories and jars. What was read before and has not been touched since is
//! not read again.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jury_impact::{ClassFacts, Name, Names};
use jury_model::Notice;
use jury_select::{ClassFingerprint, Digest, Hash128, Hashing};
use jury_store::{read_derived, write_derived};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use zip::ZipArchive;

use super::snapshot::Hashes;

const CACHE: &str = "classes.cache";
const SERVICES: &str = "META-INF/services";

/// A class where it was found.
#[derive(Clone, Copy)]
pub(super) struct Counted<'c> {
    /// The directory or jar.
    pub place: &'c Path,
    pub modified: Option<SystemTime>,
    pub facts: &'c ClassFacts,
    hash: Option<[u8; 16]>,
}

pub(super) struct Census {
    pub names: Names,
    files: Vec<CountedFile>,
    unreadable: Vec<String>,
    learnt: bool,
}

struct CountedFile {
    place: PathBuf,
    is_library: bool,
    content: Remembered,
}

/// What a file held when it was last read.
#[derive(Serialize, Deserialize)]
struct Remembered {
    path: String,
    stamp: Stamp,
    classes: Vec<RememberedClass>,
    services: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct RememberedClass {
    facts: ClassFacts,
    /// None as long as nobody has asked for it: it takes longer than all the rest.
    hash: Option<[u8; 16]>,
}

/// A file that still has these has not been written since.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    size: u64,
    modified_nanos: u64,
}

/// A file of a directory, or a jar.
struct Found {
    place: PathBuf,
    path: PathBuf,
    stamp: Stamp,
    is_library: bool,
}

/// What the census is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Who speaks of whom.
    Graph,
    /// That, and which own classes are the same as at another time.
    Comparison,
}

/// Names, bytes and hashes of classes.
type Contents = Vec<(String, Vec<u8>, Option<[u8; 16]>)>;

impl Census {
    pub fn take(
        state_dir: &Path,
        places: &[PathBuf],
        libraries: &[PathBuf],
        purpose: Purpose,
    ) -> Self {
        let (names, known): (Names, Vec<Remembered>) = read_derived(state_dir, CACHE)
            .and_then(|bytes| postcard::from_bytes(&bytes).ok())
            .unwrap_or_default();
        let mut known: HashMap<String, Remembered> = known
            .into_iter()
            .map(|content| (content.path.clone(), content))
            .collect();
        let mut census = Census {
            names,
            files: Vec::new(),
            unreadable: Vec::new(),
            learnt: false,
        };
        let all = places.iter().map(|place| (place, false));
        let all = all.chain(libraries.iter().map(|place| (place, true)));
        let mut unknown = Vec::new();
        for found in all.flat_map(|(place, is_library)| files_of(place, is_library)) {
            let hashed = purpose == Purpose::Comparison && !found.is_library;
            let suits = |content: &Remembered| {
                let complete = content.classes.iter().all(|class| class.hash.is_some());
                content.stamp == found.stamp && (complete || !hashed)
            };
            match known.remove(&*found.path.to_string_lossy()).filter(suits) {
                Some(content) => census.count(found, content),
                None => unknown.push((found, hashed)),
            }
        }
        let contents: Vec<_> = unknown
            .par_iter()
            .map(|(found, hashed)| read(found, *hashed))
            .collect();
        for ((found, _), (contents, services)) in unknown.into_iter().zip(contents) {
            census.learn(found, contents, services);
        }
        census
    }

    fn learn(&mut self, found: Found, contents: Contents, services: Vec<(String, String)>) {
        self.learnt = true;
        let mut classes = Vec::new();
        for (name, bytes, hash) in contents {
            let facts = ClassFacts::read(&bytes, &mut self.names).unwrap_or_else(|_| {
                self.unreadable.push(found.path.display().to_string());
                ClassFacts::opaque(self.names.intern(&name))
            });
            classes.push(RememberedClass { facts, hash });
        }
        let content = Remembered {
            path: found.path.to_string_lossy().into_owned(),
            stamp: found.stamp,
            classes,
            services,
        };
        self.count(found, content);
    }

    fn count(&mut self, found: Found, content: Remembered) {
        self.files.push(CountedFile {
            place: found.place,
            is_library: found.is_library,
            content,
        });
    }

    /// Writes down what was read, for the next time. A cache that cannot be written is no loss.
    pub fn keep(&self, state_dir: &Path) {
        let contents: Vec<&Remembered> = self.files.iter().map(|file| &file.content).collect();
        if self.learnt
            && let Ok(bytes) = postcard::to_allocvec(&(&self.names, contents))
        {
            let _ = write_derived(state_dir, CACHE, &bytes);
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

    /// Own classes by name, if the census was taken for a comparison. Modules may have classes of
    /// one name; such a pair counts as one.
    pub fn hashes(&self) -> Hashes {
        let mut hashes: BTreeMap<String, [u8; 16]> = BTreeMap::new();
        for class in self.own() {
            let Some(own) = class.hash else {
                continue;
            };
            let name = self.names.text(class.facts.name).to_owned();
            hashes
                .entry(name)
                .and_modify(|hash| {
                    let mut both = Digest::new("jury namesakes 1");
                    both.unordered(vec![Hash128(*hash), Hash128(own)]);
                    *hash = both.finish().0;
                })
                .or_insert(own);
        }
        hashes
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
            hash: class.hash,
        })
    }
}

/// What there is to read in a place: a jar itself, or the classes and services of a directory.
fn files_of(place: &Path, is_library: bool) -> Vec<Found> {
    let mut found = Vec::new();
    let mut pending = vec![place.to_owned()];
    while let Some(path) = pending.pop() {
        // Links inside a directory are not followed: they may lead round in a circle.
        let metadata = if path == place {
            fs::metadata(&path)
        } else {
            fs::symlink_metadata(&path)
        };
        let Ok(metadata) = metadata else {
            continue;
        };
        if metadata.is_dir() {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            pending.extend(entries.map(|entry| entry.path()).filter(|path| {
                let is_class = path.extension().is_some_and(|end| end == "class");
                is_class || path.extension().is_none() || path.is_dir()
            }));
        } else if metadata.is_file() && (path == place || is_wanted(place, &path)) {
            let modified = metadata.modified().ok();
            let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            found.push(Found {
                place: place.to_owned(),
                path,
                stamp: Stamp {
                    size: metadata.len(),
                    modified_nanos: modified.map_or(0, |time| time.as_nanos() as u64),
                },
                is_library,
            });
        }
    }
    found
}

fn is_wanted(place: &Path, path: &Path) -> bool {
    let inside = path.strip_prefix(place).unwrap_or(path);
    inside.starts_with(SERVICES)
        || path.extension().is_some_and(|end| end == "class") && !inside.starts_with("META-INF")
}

fn read(found: &Found, hashed: bool) -> (Contents, Vec<(String, String)>) {
    let mut contents = Vec::new();
    let mut services = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| {
        if let Some(class) = name.strip_suffix(".class") {
            let hash = hashed.then(|| ClassFingerprint::of(&bytes, Hashing::default()).whole.0);
            contents.push((class.to_owned(), bytes, hash));
        } else if let Some(service) = name.strip_prefix("META-INF/services/") {
            let service = service.replace('.', "/");
            services.extend(providers(&bytes).map(|provider| (service.clone(), provider)));
        }
    };
    if found.path != found.place {
        let inside = found.path.strip_prefix(&found.place);
        let name = inside.unwrap_or(&found.path).to_string_lossy();
        add(&name, fs::read(&found.path).unwrap_or_default());
    } else if let Some(mut archive) = File::open(&found.path)
        .ok()
        .and_then(|file| ZipArchive::new(file).ok())
    {
        for index in 0..archive.len() {
            let Ok(mut entry) = archive.by_index(index) else {
                continue;
            };
            let Ok(name) = entry.name().map(|name| name.into_owned()) else {
                continue;
            };
            let is_class = name.ends_with(".class") && !name.starts_with("META-INF/");
            let mut bytes = Vec::new();
            if (is_class || name.starts_with(SERVICES)) && entry.read_to_end(&mut bytes).is_ok() {
                add(&name, bytes);
            }
        }
    }
    (contents, services)
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
