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
use jury_select::{ClassFileFound, Hash128};
use zip::ZipArchive;

use super::files::Files;
use super::places::within;

/// What lies in directories and jars, listed once. Good for one moment: after a build has written
/// to them there must be a new one.
#[derive(Debug, Default)]
pub(super) struct Listings(RefCell<HashMap<PathBuf, Rc<Listing>>>);

#[derive(Debug)]
struct Listing {
    is_jar: bool,
    names: BTreeSet<String>,
}

impl Listings {
    fn of(&self, path: &Path) -> Rc<Listing> {
        let listed = self.0.borrow().get(path).cloned();
        listed.unwrap_or_else(|| {
            let listing = Rc::new(Listing::read(path));
            self.0
                .borrow_mut()
                .insert(path.to_owned(), Rc::clone(&listing));
            listing
        })
    }
}

impl Listing {
    fn read(path: &Path) -> Self {
        let is_jar = path.is_file();
        let names = match is_jar {
            // Unreadable, it offers nothing to a JVM either.
            true => jar_names(path).unwrap_or_default(),
            false => {
                let mut names = BTreeSet::new();
                list(path, "", &mut names);
                names
            }
        };
        Listing { is_jar, names }
    }
}

fn jar_names(path: &Path) -> io::Result<BTreeSet<String>> {
    let archive = ZipArchive::new(BufReader::new(File::open(path)?))?;
    let names = archive.file_names().map(|name| Ok(name?.into_owned()));
    names.collect()
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
            .filter(|path| path.is_dir() || path.starts_with(root))
            .map(|path| {
                let listing = listings.of(&path);
                (within(root, &path).into(), path, listing)
            });
        ClassPath {
            origins: origins.collect(),
        }
    }

    /// The first place that holds the class, and its file.
    pub fn find_class(&self, name: &str) -> Option<Place<'_>> {
        self.find_all(&format!("{name}.class")).next()
    }

    fn find_all(&self, name: &str) -> impl Iterator<Item = Place<'_>> {
        let found = self
            .origins
            .iter()
            .filter(move |(_, _, listing)| listing.names.contains(name));
        let name = name.to_owned();
        found.map(move |(origin, path, listing)| Place {
            origin,
            path,
            is_jar: listing.is_jar,
            name: name.clone(),
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

    /// Directories among the places.
    pub fn directories(&self) -> impl Iterator<Item = &Path> {
        let directories = self
            .origins
            .iter()
            .filter(|(_, _, listing)| !listing.is_jar);
        directories.map(|(_, path, _)| path.as_path())
    }

    /// Everything offered under a name, in order; none if nothing is.
    pub fn resource(&self, name: &str, files: &Files) -> Option<Hash128> {
        let mut digest = jury_select::Digest::new("jury resource 1");
        let mut any = false;
        for place in self.find_all(name.trim_start_matches('/')) {
            any = true;
            digest.bytes(place.origin.as_bytes());
            digest.hash(place.content(files).unwrap_or(Hash128([0; 16])));
        }
        any.then(|| digest.finish())
    }
}

/// A file in one of the project's places.
#[derive(Debug)]
pub(super) struct Place<'c> {
    pub origin: &'c Arc<str>,
    path: &'c Path,
    is_jar: bool,
    name: String,
}

impl Place<'_> {
    pub fn read(&self) -> io::Result<Vec<u8>> {
        if !self.is_jar {
            return fs::read(self.path.join(&self.name));
        }
        let mut archive = ZipArchive::new(BufReader::new(File::open(self.path)?))?;
        let mut bytes = Vec::new();
        archive.by_name(&self.name)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The file, unless it is inside a jar.
    pub fn file(&self) -> Option<PathBuf> {
        (!self.is_jar).then(|| self.path.join(&self.name))
    }

    fn content(&self, files: &Files) -> io::Result<Hash128> {
        match self.file() {
            Some(file) => files.content(&file),
            None => Ok(Hash128::of(&self.read()?)),
        }
    }
}
