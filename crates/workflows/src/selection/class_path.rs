//! The project's own places on a JVM's class and module path: which class a name means, and what
//! resources there are. Libraries are not looked into; they count as a whole, elsewhere.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::{fs, io};

use jury_classfile::{ClassFile, JavaStr, Malformed};
use jury_model::Recipe;
use jury_select::{ClassFileFound, Digest, Hash128};
use zip::ZipArchive;

use super::files::Files;
use super::places::{is_within, within};

/// What lies in directories and jars, listed once. Good for one moment: after a build has written
/// to them there must be a new one.
#[derive(Debug, Default)]
pub(super) struct Listings {
    own: RefCell<HashMap<PathBuf, Rc<Listing>>>,
    libraries: RefCell<HashMap<PathBuf, Rc<BTreeSet<String>>>>,
    /// Classes that one of the project's places and a library both have.
    shared: RefCell<Shared>,
}

/// Names of classes, by a place of the project's and a library.
type Shared = HashMap<(PathBuf, PathBuf), Rc<[String]>>;

#[derive(Debug)]
struct Listing {
    is_jar: bool,
    /// Kept open, because its directory takes longer to read than a class.
    jar: Option<RefCell<Jar>>,
    names: BTreeSet<String>,
    /// Java versions that a jar has other files for, the newest first.
    versions: Vec<u32>,
}

type Jar = ZipArchive<BufReader<File>>;

impl Listings {
    fn of(&self, path: &Path) -> Rc<Listing> {
        let listed = self.own.borrow().get(path).cloned();
        listed.unwrap_or_else(|| {
            let listing = Rc::new(Listing::read(path));
            self.own
                .borrow_mut()
                .insert(path.to_owned(), Rc::clone(&listing));
            listing
        })
    }

    /// Names of the files in a library, which is not kept open.
    fn of_library(&self, path: &Path) -> Rc<BTreeSet<String>> {
        let listed = self.libraries.borrow().get(path).cloned();
        listed.unwrap_or_else(|| {
            let names = Listing::of_jar(path).map(|listing| listing.names);
            let names = Rc::new(names.unwrap_or_default());
            self.libraries
                .borrow_mut()
                .insert(path.to_owned(), Rc::clone(&names));
            names
        })
    }

    fn shared(&self, path: &Path, listing: &Listing, library: &Path) -> Rc<[String]> {
        let key = (path.to_owned(), library.to_owned());
        let known = self.shared.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let names = self.of_library(library);
            let shared = listing.names.intersection(&names);
            let classes = shared.filter(|name| name.ends_with(".class") && !is_descriptor(name));
            let classes: Rc<[String]> = classes.cloned().collect();
            self.shared.borrow_mut().insert(key, Rc::clone(&classes));
            classes
        })
    }
}

/// Modules and packages describe themselves in files of one name each.
fn is_descriptor(name: &str) -> bool {
    name.ends_with("module-info.class") || name.ends_with("package-info.class")
}

fn is_module(name: &str) -> bool {
    let versioned = name
        .strip_prefix(VERSIONS)
        .and_then(|rest| rest.split_once('/'));
    versioned.map_or(name, |(_, name)| name) == "module-info.class"
}

/// Stands for the content of what cannot be read.
const UNREADABLE: Hash128 = Hash128([0; 16]);

impl Listing {
    fn read(path: &Path) -> Self {
        if path.is_file() {
            // Unreadable, it offers nothing to a JVM either.
            return Listing::of_jar(path).unwrap_or(Listing {
                is_jar: true,
                jar: None,
                names: BTreeSet::new(),
                versions: Vec::new(),
            });
        }
        let mut names = BTreeSet::new();
        list(path, "", &mut names);
        Listing {
            is_jar: false,
            jar: None,
            names,
            versions: Vec::new(),
        }
    }

    fn of_jar(path: &Path) -> io::Result<Self> {
        let mut archive = ZipArchive::new(BufReader::new(File::open(path)?))?;
        let names = archive.file_names().map(|name| Ok(name?.into_owned()));
        let names = names.collect::<io::Result<BTreeSet<String>>>()?;
        let mut versions: Vec<u32> = (names.range(VERSIONS.to_owned()..))
            .map_while(|name| name.strip_prefix(VERSIONS))
            .filter_map(|rest| rest.split_once('/')?.0.parse().ok())
            .collect();
        versions.sort_unstable_by(|one, other| other.cmp(one));
        versions.dedup();
        if !versions.is_empty() && !is_multi_release(&mut archive) {
            versions.clear();
        }
        Ok(Listing {
            is_jar: true,
            jar: Some(RefCell::new(archive)),
            names,
            versions,
        })
    }

    /// Under which name it holds the file that a JVM of some version finds by this one.
    fn find(&self, name: &str, java: u32) -> Option<String> {
        let fitting = self.versions.iter().filter(|version| **version <= java);
        let versioned = fitting.map(|version| format!("{VERSIONS}{version}/{name}"));
        let mut found = versioned.filter(|name| self.names.contains(name));
        let plain = || self.names.contains(name).then(|| name.to_owned());
        found.next().or_else(plain)
    }

    /// The names in a directory of the place at `path`; none if there is no such directory.
    fn names_in(&self, path: &Path, directory: &str) -> Option<Hash128> {
        let prefix = match directory {
            "" => String::new(),
            _ => format!("{directory}/"),
        };
        let inside = (self.names.range(prefix.clone()..))
            .map_while(|name| name.strip_prefix(&prefix))
            .map(|rest| rest.split('/').next().unwrap_or(rest));
        let names: BTreeSet<&str> = inside.collect();
        if names.is_empty() && (self.is_jar || !path.join(directory).is_dir()) {
            return None;
        }
        let mut digest = Digest::new("jury resource directory 1");
        names.iter().for_each(|name| digest.bytes(name.as_bytes()));
        Some(digest.finish())
    }
}

/// Where multi-release jars keep files for newer Javas.
const VERSIONS: &str = "META-INF/versions/";

fn is_multi_release(archive: &mut Jar) -> bool {
    let mut manifest = String::new();
    let read = archive
        .by_name("META-INF/MANIFEST.MF")
        .map_err(io::Error::from)
        .and_then(|mut file| file.read_to_string(&mut manifest));
    read.is_ok()
        && manifest.lines().any(|line| {
            let (name, value) = line.split_once(':').unwrap_or_default();
            name.eq_ignore_ascii_case("Multi-Release") && value.trim().eq_ignore_ascii_case("true")
        })
}

/// 17 for `17.0.15`, 8 for `1.8.0_402`.
fn feature_version(java_version: &str) -> u32 {
    let mut numbers = java_version.split(['.', '-', '+', '_']);
    let mut next = || numbers.next().and_then(|number| number.parse().ok());
    match next() {
        Some(1) => next().unwrap_or(1),
        first => first.unwrap_or_default(),
    }
}

/// Names of all files below a directory, with `/`.
fn list(directory: &Path, prefix: &str, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let is_directory = match entry.file_type() {
            Ok(kind) if kind.is_symlink() => entry.path().is_dir(),
            Ok(kind) => kind.is_dir(),
            Err(_) => false,
        };
        if is_directory {
            list(&entry.path(), &format!("{name}/"), names);
        } else {
            names.insert(name);
        }
    }
}

/// None if the class declares a method of that name.
fn supertypes_unless_declared(
    bytes: &[u8],
    method: &str,
) -> Result<Option<Vec<String>>, Malformed> {
    let class = ClassFile::read(bytes)?;
    for declared in &class.methods {
        if declared.name(&class.pool)? == method {
            return Ok(None);
        }
    }
    let mut supertypes: Vec<String> = (class.super_name()?.iter())
        .map(JavaStr::to_string)
        .collect();
    for interface in class.interfaces() {
        supertypes.push(interface?.to_string());
    }
    Ok(Some(supertypes))
}

/// The project's places in the order in which a JVM looks through them.
#[derive(Debug)]
pub(super) struct ClassPath {
    origins: Vec<(Arc<str>, PathBuf, Rc<Listing>)>,
    java: u32,
}

impl ClassPath {
    /// Directories, wherever they are, and jars below the project's root.
    pub fn of(recipe: &Recipe, root: &Path, listings: &Listings) -> Self {
        let patched = (recipe.module_flags.iter())
            .filter_map(|flag| flag.strip_prefix("--patch-module="))
            .filter_map(|patch| patch.split_once('='))
            .flat_map(|(_, paths)| std::env::split_paths(paths).collect::<Vec<_>>());
        let listed = recipe.module_path.iter().chain(&recipe.class_path);
        let origins = patched
            .chain(listed.map(PathBuf::from))
            .filter(|path| path.is_dir() || is_within(root, path))
            .map(|path| {
                let listing = listings.of(&path);
                (within(root, &path).into(), path, listing)
            });
        ClassPath {
            origins: origins.collect(),
            java: feature_version(&recipe.java_version),
        }
    }

    /// The first place that holds the class, and its file.
    pub fn find_class(&self, name: &str) -> Option<Place<'_>> {
        self.find_all(format!("{name}.class")).next()
    }

    fn find_all(&self, name: String) -> impl Iterator<Item = Place<'_>> {
        self.origins
            .iter()
            .filter_map(move |(origin, path, listing)| {
                let name = listing.find(&name, self.java)?;
                Some(Place::new(origin, path, listing, name))
            })
    }

    pub fn class_file(&self, name: &str) -> Option<ClassFileFound> {
        let place = self.find_class(name)?;
        Some(ClassFileFound {
            bytes: place.read().ok()?,
            origin: place.origin.clone(),
        })
    }

    /// False if neither the class nor anything it inherits from declares a method of that name.
    pub fn may_have_method(&self, class: &str, method: &str) -> bool {
        let mut family = vec![class.to_owned()];
        let mut next = 0;
        while let Some(name) = family.get(next).cloned() {
            next += 1;
            let Some(found) = self.class_file(&name) else {
                // A library's class may declare anything, but this one has to be there.
                if name == class {
                    return false;
                }
                if name.starts_with("java/") || name == "junit/framework/TestCase" {
                    continue;
                }
                return true;
            };
            match supertypes_unless_declared(&found.bytes, method) {
                Ok(Some(supertypes)) => family.extend(supertypes),
                Ok(None) | Err(_) => return true,
            }
        }
        false
    }

    /// Class files of the project that have the name of a library's, and may be loaded in its place.
    pub fn namesakes(&self, libraries: &[PathBuf], listings: &Listings) -> BTreeSet<String> {
        let mut namesakes = BTreeSet::new();
        for library in libraries {
            for (_, path, listing) in &self.origins {
                let shared = listings.shared(path, listing, library);
                namesakes.extend(shared.iter().cloned());
            }
        }
        namesakes
    }

    /// What the project's places say about the modules that they are, in order.
    pub fn add_modules(&self, files: &Files, digest: &mut Digest) {
        for (origin, path, listing) in &self.origins {
            for name in listing.names.iter().filter(|name| is_module(name)) {
                let place = Place::new(origin, path, listing, name.clone());
                digest.bytes(origin.as_bytes());
                digest.bytes(name.as_bytes());
                digest.hash(place.content(files).unwrap_or(UNREADABLE));
            }
        }
    }

    /// Directories among the places.
    pub fn directories(&self) -> impl Iterator<Item = &Path> {
        let directories = self
            .origins
            .iter()
            .filter(|(_, _, listing)| !listing.is_jar);
        directories.map(|(_, path, _)| path.as_path())
    }

    /// The files, or jars around them, that are offered under a name.
    pub fn files_of_resource(&self, name: &str) -> Vec<PathBuf> {
        let places = plain_name(name).map(|name| self.find_all(name));
        (places.into_iter().flatten())
            .map(|place| place.file().unwrap_or_else(|| place.path.to_owned()))
            .collect()
    }

    /// Everything offered under a name, in order; none if nothing is. A directory offers the names
    /// in it.
    pub fn resource(&self, name: &str, files: &Files) -> Option<Hash128> {
        let name = plain_name(name)?;
        let mut digest = Digest::new("jury resource 1");
        let mut any = false;
        for (origin, path, listing) in &self.origins {
            let offered = match listing.find(&name, self.java) {
                Some(name) => {
                    let content = Place::new(origin, path, listing, name).content(files);
                    content.unwrap_or(UNREADABLE)
                }
                None => match listing.names_in(path, &name) {
                    Some(names) => names,
                    None => continue,
                },
            };
            any = true;
            digest.bytes(origin.as_bytes());
            digest.hash(offered);
        }
        any.then(|| digest.finish())
    }
}

/// The name of a resource without `.`, `..` and needless slashes, as class loaders that look into
/// directories understand it. None if it leads out of the class path, where they find nothing.
pub(super) fn plain_name(name: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A file in one of the project's places.
#[derive(Debug)]
pub(super) struct Place<'c> {
    pub origin: &'c Arc<str>,
    path: &'c Path,
    jar: Option<&'c RefCell<Jar>>,
    name: String,
}

impl<'c> Place<'c> {
    fn new(origin: &'c Arc<str>, path: &'c Path, listing: &'c Listing, name: String) -> Self {
        Place {
            origin,
            path,
            jar: listing.jar.as_ref(),
            name,
        }
    }

    pub fn read(&self) -> io::Result<Vec<u8>> {
        let Some(jar) = self.jar else {
            return fs::read(self.path.join(&self.name));
        };
        let mut bytes = Vec::new();
        let mut jar = jar.borrow_mut();
        jar.by_name(&self.name)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The file, unless it is inside a jar.
    pub fn file(&self) -> Option<PathBuf> {
        (self.jar.is_none()).then(|| self.path.join(&self.name))
    }

    fn content(&self, files: &Files) -> io::Result<Hash128> {
        match self.file() {
            Some(file) => files.content(&file),
            None => Ok(Hash128::of(&self.read()?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn multi_release_jars_offer_what_suits_the_java_at_hand() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lib.jar");
        for (manifest, java, found) in [
            ("Multi-Release: true", 25, "META-INF/versions/21/a/B.class"),
            ("Multi-Release: true", 17, "META-INF/versions/9/a/B.class"),
            ("Multi-Release: true", 8, "a/B.class"),
            ("Other: true", 25, "a/B.class"),
        ] {
            let mut jar = ZipWriter::new(File::create(&path).unwrap());
            let mut add = |name: &str, text: &str| {
                jar.start_file(name, SimpleFileOptions::default()).unwrap();
                jar.write_all(text.as_bytes()).unwrap();
            };
            add("META-INF/MANIFEST.MF", &format!("{manifest}\r\n"));
            for name in ["", "META-INF/versions/9/", "META-INF/versions/21/"] {
                add(&format!("{name}a/B.class"), "");
            }
            jar.finish().unwrap();
            let name = Listing::read(&path).find("a/B.class", java);
            assert_eq!(name.as_deref(), Some(found), "{manifest} {java}");
        }
    }

    #[test]
    fn a_class_with_the_name_of_a_librarys_is_told() {
        let directory = tempfile::tempdir().unwrap();
        let (own, library) = (directory.path().join("own"), directory.path().join("l.jar"));
        let mut jar = ZipWriter::new(File::create(&library).unwrap());
        for name in ["a/B.class", "a/C.class", "a/x.txt", "module-info.class"] {
            jar.start_file(name, SimpleFileOptions::default()).unwrap();
        }
        jar.finish().unwrap();
        fs::create_dir_all(own.join("a")).unwrap();
        for name in ["a/C.class", "a/D.class", "a/x.txt", "module-info.class"] {
            fs::write(own.join(name), "").unwrap();
        }
        let listings = Listings::default();
        let shared = listings.shared(&own, &listings.of(&own), &library);
        assert_eq!(*shared, ["a/C.class"]);
        let gone = directory.path().join("gone.jar");
        assert!(listings.shared(&own, &listings.of(&own), &gone).is_empty());
    }

    #[test]
    fn java_versions_of_all_times_are_understood() {
        for (text, feature) in [("17.0.15", 17), ("1.8.0_402", 8), ("25-ea+3", 25), ("?", 0)] {
            assert_eq!(feature_version(text), feature, "{text}");
        }
    }
}
