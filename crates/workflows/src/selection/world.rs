//! The present, or what a build left, as a JVM of one recipe would find it.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use jury_model::Recipe;
use jury_select::{
    Catalogue, ClassFileFound, ClassFingerprint, ClassKey, Digest, FoundClass, Hash128, Hashing,
    Scene, State, Subject, World,
};

use super::class_path::{ClassPath, Listings};
use super::files::{Files, Hashed};
use super::places::plain;
use super::surroundings::{NAMESAKES, Surroundings};

/// Fingerprints by their hashes: a class that is as it was need not be taken apart again.
pub(super) type Fingerprints<'c> = HashMap<Hash128, &'c ClassFingerprint>;

pub(super) fn fingerprints(catalogue: &Catalogue) -> Fingerprints<'_> {
    let versions = catalogue.classes().iter();
    versions
        .map(|version| (version.fingerprint.whole, &version.fingerprint))
        .collect()
}

pub(super) struct RecipeWorld<'a> {
    recipe: &'a Recipe,
    class_path: ClassPath,
    surroundings: &'a Surroundings,
    files: &'a Files,
    hashing: Hashing,
    known: &'a Fingerprints<'a>,
    listings: &'a Listings,
    /// What modules the project has, and what in place of libraries' classes, once that was asked.
    namesakes: OnceCell<Hash128>,
}

impl<'a> RecipeWorld<'a> {
    pub fn new(
        recipe: &'a Recipe,
        root: &Path,
        surroundings: &'a Surroundings,
        files: &'a Files,
        listings: &'a Listings,
        hashing: Hashing,
        known: &'a Fingerprints<'a>,
    ) -> Self {
        RecipeWorld {
            class_path: ClassPath::of(recipe, root, listings),
            recipe,
            surroundings,
            files,
            hashing,
            known,
            listings,
            namesakes: OnceCell::new(),
        }
    }

    fn namesakes(&self) -> Hash128 {
        *self.namesakes.get_or_init(|| {
            let libraries = self.surroundings.libraries(self.recipe);
            let mut digest = Digest::new(NAMESAKES);
            for name in self.class_path.namesakes(&libraries, self.listings) {
                digest.bytes(name.as_bytes());
            }
            self.class_path.add_modules(self.files, &mut digest);
            digest.finish()
        })
    }

    pub fn class_path(&self) -> &ClassPath {
        &self.class_path
    }

    /// Paths are as the JVM saw them: relative ones begin where it worked.
    fn path(&self, name: &str) -> PathBuf {
        Path::new(&self.recipe.working_directory).join(name)
    }

    /// The files that tell the state of a subject.
    pub fn files_of(&self, subject: &Subject) -> Vec<PathBuf> {
        match subject {
            Subject::File(name) => vec![plain(&self.path(name))],
            Subject::Resource(name) => self.class_path.files_of_resource(name),
            Subject::Directory(_)
            | Subject::MissingClass(_)
            | Subject::Variable(_)
            | Subject::Launch(_) => Vec::new(),
        }
    }

    /// The directory whose names are the state of a subject.
    pub fn directory_of(&self, subject: &Subject) -> Option<PathBuf> {
        match subject {
            Subject::Directory(name) => Some(plain(&self.path(name))),
            _ => None,
        }
    }

    /// Content, and what its owner may do with it: git keeps whether a file can be executed. What
    /// others may do depends on who made the copy. Of a link, where it leads to counts, too, unless
    /// that depends on where the project lies.
    fn file(&self, path: &Path) -> State {
        let mut digest = Digest::new("jury file 3");
        if let Some(target) = fs::read_link(path).ok().filter(|to| to.is_relative()) {
            digest.bytes(target.as_os_str().as_encoded_bytes());
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => digest.bytes(b"directory"),
            // Pipes and devices hold nothing that could be compared.
            Ok(metadata) if !metadata.is_file() => digest.bytes(b"special file"),
            Ok(metadata) => match self.files.content(path) {
                Ok(content) => {
                    digest.byte((metadata.mode() >> 6 & 0o7) as u8);
                    digest.hash(content);
                }
                Err(_) => return State::Unreadable,
            },
            Err(error) => return missing(&error),
        }
        State::Present(digest.finish())
    }
}

fn missing(error: &std::io::Error) -> State {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => State::Absent,
        _ => State::Unreadable,
    }
}

pub(super) fn directory(path: &Path) -> State {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) => return missing(&error),
    };
    let mut names: Vec<_> = entries
        .flatten()
        .map(|entry| entry.file_name().into_encoded_bytes())
        .collect();
    names.sort();
    let mut digest = Digest::new("jury directory 1");
    names.iter().for_each(|name| digest.bytes(name));
    State::Present(digest.finish())
}

impl World for RecipeWorld<'_> {
    fn class(&self, key: &ClassKey) -> Option<FoundClass<'_>> {
        let place = self.class_path.find_class(&key.name)?;
        let kind = match self.hashing {
            Hashing::Plain => Hashed::PlainClass,
            Hashing::Smart { .. } => Hashed::SmartClass,
        };
        let whole = |bytes: &[u8]| ClassFingerprint::of(bytes, self.hashing).whole;
        let known = place.file().and_then(|file| {
            let hash = self.files.hash(&file, kind, whole).ok()?;
            self.known.get(&hash).copied()
        });
        let fingerprint = match known {
            Some(known) => Cow::Borrowed(known),
            None => Cow::Owned(ClassFingerprint::of(&place.read().ok()?, self.hashing)),
        };
        Some(FoundClass {
            origin: place.origin.clone(),
            fingerprint,
        })
    }

    fn state(&self, subject: &Subject) -> State {
        match subject {
            Subject::File(name) => self.file(&self.path(name)),
            Subject::Directory(name) => directory(&self.path(name)),
            Subject::Resource(name) => match self.class_path.resource(name, self.files) {
                Some(hash) => State::Present(hash),
                None => State::Absent,
            },
            Subject::MissingClass(name) => {
                match self.class_path.find_class(&name.replace('.', "/")) {
                    Some(place) => State::Present(Hash128::of(place.origin.as_bytes())),
                    None => State::Absent,
                }
            }
            Subject::Variable(name) => self.surroundings.variable(name),
            Subject::Launch(name) if name == NAMESAKES => State::Present(self.namesakes()),
            Subject::Launch(name) => {
                (self.surroundings).launch_setting(name, self.recipe, self.files)
            }
        }
    }
}

impl Scene for RecipeWorld<'_> {
    fn class_file(&self, name: &str) -> Option<ClassFileFound> {
        self.class_path.class_file(name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// A project with classes in `classes` and a jar `lib.jar`, in a directory of its own.
    struct Ground(tempfile::TempDir);

    impl Ground {
        fn new() -> Self {
            let ground = Ground(tempfile::tempdir().unwrap());
            fs::create_dir_all(ground.path("project/classes/a/b")).unwrap();
            ground
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().canonicalize().unwrap().join(name)
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn states(&self, subjects: impl IntoIterator<Item = Subject>) -> Vec<State> {
            let root = self.path("project");
            let text = |path: PathBuf| path.display().to_string();
            let recipe = Recipe {
                launched_by: jury_model::LaunchedBy::Surefire,
                java_home: "/jdk".into(),
                java_version: "17".into(),
                working_directory: text(root.clone()),
                class_path: vec![text(root.join("classes")), text(root.join("lib.jar"))],
                module_path: vec![],
                module_flags: vec![],
                jvm_flags: vec![],
                properties: BTreeMap::new(),
                environment: BTreeMap::new(),
                launcher_parameters: BTreeMap::new(),
                jvm_per_class: false,
            };
            let surroundings = Surroundings::now(&root, "mvn test");
            let (files, listings) = (Files::default(), Listings::default());
            let (hashing, known) = (Hashing::Plain, Fingerprints::new());
            let world = RecipeWorld::new(
                &recipe,
                &root,
                &surroundings,
                &files,
                &listings,
                hashing,
                &known,
            );
            (subjects.into_iter())
                .map(|subject| world.state(&subject))
                .collect()
        }

        /// Whether an edit changes the state of a subject.
        fn notices(&self, subject: Subject, edit: impl FnOnce()) -> bool {
            let before = self.states([subject.clone()]);
            edit();
            before != self.states([subject])
        }
    }

    #[test]
    fn the_description_of_a_module_counts_for_every_test() {
        let ground = Ground::new();
        let all = || ground.states(Surroundings::subjects());
        let mut before = all();
        for name in ["module-info.class", "META-INF/versions/9/module-info.class"] {
            for text in ["opens a", "opens b"] {
                ground.write(&format!("project/classes/{name}"), text);
                let now = all();
                assert_ne!(now, before, "{name} {text}");
                before = now;
            }
        }
    }

    #[test]
    fn a_resource_that_is_named_in_a_roundabout_way_is_found() {
        let ground = Ground::new();
        for name in ["a/b/../x.json", "a/./x.json", "/a//x.json", "a/x.json"] {
            let resource = Subject::Resource(name.to_owned());
            ground.write("project/classes/a/x.json", "1");
            let edit = || ground.write("project/classes/a/x.json", "2");
            assert!(ground.notices(resource, edit), "{name}");
        }
        let above = Subject::Resource("a/../../x.json".to_owned());
        let edit = || ground.write("project/x.json", "");
        assert!(!ground.notices(above, edit), "above the class path");
    }

    #[test]
    fn a_directory_as_a_resource_is_known_by_its_names() {
        for name in ["fixtures/", "fixtures", "a/b/../../fixtures/"] {
            let ground = Ground::new();
            ground.write("project/classes/fixtures/one.txt", "");
            let fixtures = || Subject::Resource(name.to_owned());
            let edit = || ground.write("project/classes/fixtures/one.txt", "1");
            assert!(!ground.notices(fixtures(), edit), "{name}");
            let edit = || ground.write("project/classes/fixtures/two.txt", "");
            assert!(ground.notices(fixtures(), edit), "{name}");
        }
    }

    #[test]
    fn a_jar_that_is_a_link_to_elsewhere_is_a_library() {
        let ground = Ground::new();
        ground.write("elsewhere/lib.jar", "1");
        symlink(
            ground.path("elsewhere/lib.jar"),
            ground.path("project/lib.jar"),
        )
        .unwrap();
        let libraries = Subject::Launch("libraries".to_owned());
        assert!(ground.notices(libraries, || ground.write("elsewhere/lib.jar", "2")));
    }

    #[test]
    fn where_a_link_leads_to_counts_even_if_the_same_is_there() {
        let ground = Ground::new();
        for name in ["one", "two"] {
            ground.write(&format!("project/{name}.txt"), "1");
        }
        let link = |target: &str| {
            let _ = fs::remove_file(ground.path("project/link"));
            symlink(target, ground.path("project/link")).unwrap();
        };
        link("one.txt");
        let linked = Subject::File("link".to_owned());
        assert!(ground.notices(linked, || link("two.txt")));
    }

    #[test]
    fn what_may_be_done_with_a_file_counts() {
        let ground = Ground::new();
        ground.write("project/run.sh", "");
        let chmod = |mode| {
            let path = ground.path("project/run.sh");
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        chmod(0o755);
        let script = || Subject::File("run.sh".to_owned());
        assert!(
            !ground.notices(script(), || chmod(0o700)),
            "others are others"
        );
        assert!(ground.notices(script(), || chmod(0o600)));
    }
}
