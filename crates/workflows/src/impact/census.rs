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
pub(super) struct Counted {
    /// The directory or jar.
    pub place: PathBuf,
    pub modified: Option<SystemTime>,
    pub facts: ClassFacts,
    hash: [u8; 16],
    is_library: bool,
}

pub(super) struct Census {
    pub names: Names,
    classes: Vec<Counted>,
    services: Vec<(String, String)>,
    unreadable: Vec<String>,
    known: HashMap<String, Remembered>,
    learnt: bool,
}

/// What a file held when it was last read.
#[derive(Clone, Serialize, Deserialize)]
struct Remembered {
    stamp: Stamp,
    classes: Vec<(ClassFacts, [u8; 16])>,
    services: Vec<(String, String)>,
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

/// The bytes of a class and their hash, or those of all classes of a jar.
type Contents = Vec<(String, Vec<u8>, [u8; 16])>;

impl Census {
    pub fn take(state_dir: &Path, places: &[PathBuf], libraries: &[PathBuf]) -> Self {
        let (names, known): (Names, HashMap<String, Remembered>) = read_derived(state_dir, CACHE)
            .and_then(|bytes| postcard::from_bytes(&bytes).ok())
            .unwrap_or_default();
        let mut census = Census {
            names,
            classes: Vec::new(),
            services: Vec::new(),
            unreadable: Vec::new(),
            known: HashMap::new(),
            learnt: false,
        };
        let all = places.iter().map(|place| (place, false));
        let all = all.chain(libraries.iter().map(|place| (place, true)));
        let found: Vec<Found> = all.flat_map(|(place, own)| files_of(place, own)).collect();
        let (old, new): (Vec<_>, Vec<_>) = found.into_iter().partition(|found| {
            let before = known.get(&*found.path.to_string_lossy());
            before.is_some_and(|before| before.stamp == found.stamp)
        });
        let contents: Vec<(Contents, Vec<(String, String)>)> = new.par_iter().map(read).collect();
        for (found, (contents, services)) in new.into_iter().zip(contents) {
            census.learn(found, contents, services);
        }
        for found in old {
            let path = found.path.to_string_lossy().into_owned();
            if let Some(remembered) = known.get(&path) {
                census.count(found, remembered.clone());
            }
        }
        census
            .classes
            .sort_by(|a, b| (a.is_library, &a.place).cmp(&(b.is_library, &b.place)));
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
            classes.push((facts, hash));
        }
        let remembered = Remembered {
            stamp: found.stamp,
            classes,
            services,
        };
        self.count(found, remembered);
    }

    fn count(&mut self, found: Found, remembered: Remembered) {
        self.services.extend(remembered.services.iter().cloned());
        for (facts, hash) in &remembered.classes {
            self.classes.push(Counted {
                place: found.place.clone(),
                modified: UNIX_EPOCH.checked_add(Duration::from_nanos(found.stamp.modified_nanos)),
                facts: facts.clone(),
                hash: *hash,
                is_library: found.is_library,
            });
        }
        let path = found.path.to_string_lossy().into_owned();
        self.known.insert(path, remembered);
    }

    /// Writes down what was read, for the next time. A cache that cannot be written is no loss.
    pub fn keep(&mut self, state_dir: &Path) {
        if self.learnt
            && let Ok(bytes) = postcard::to_allocvec(&(&self.names, &self.known))
        {
            let _ = write_derived(state_dir, CACHE, &bytes);
        }
    }

    pub fn all(&self) -> impl Iterator<Item = &Counted> {
        self.classes.iter()
    }

    /// Classes that are no library's.
    pub fn own(&self) -> impl Iterator<Item = &Counted> {
        self.classes.iter().filter(|class| !class.is_library)
    }

    /// Own classes by name. Modules may have classes of one name; such a pair counts as one.
    pub fn hashes(&self) -> Hashes {
        let mut hashes: BTreeMap<String, [u8; 16]> = BTreeMap::new();
        for class in self.own() {
            let name = self.names.text(class.facts.name).to_owned();
            hashes
                .entry(name)
                .and_modify(|hash| {
                    let mut both = Digest::new("jury namesakes 1");
                    both.unordered(vec![Hash128(*hash), Hash128(class.hash)]);
                    *hash = both.finish().0;
                })
                .or_insert(class.hash);
        }
        hashes
    }

    /// Services and their providers, from `META-INF/services` and from module descriptors.
    pub fn services(&mut self) -> Vec<(Name, Name)> {
        let listed = self.services.iter();
        let mut services: Vec<(Name, Name)> = listed
            .map(|(service, provider)| (self.names.intern(service), self.names.intern(provider)))
            .collect();
        services.extend(self.classes.iter().flat_map(|one| &one.facts.provides));
        services
    }

    /// Own classes that were compiled from a file, given by its path in the project.
    pub fn compiled_from<'c>(&'c self, path: &'c str) -> impl Iterator<Item = &'c Counted> {
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

fn read(found: &Found) -> (Contents, Vec<(String, String)>) {
    let mut contents = Vec::new();
    let mut services = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| {
        if let Some(class) = name.strip_suffix(".class") {
            let hash = ClassFingerprint::of(&bytes, Hashing::default()).whole.0;
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
