//! What surrounds a build and decides how its test JVMs are launched: the command, the build files,
//! the JDK, variables, libraries.
//!
//! A test JVM's flags and properties follow from these, so before a build they stand for them. The
//! environment is that of Jury itself, before and after: build tools hand it on, with additions
//! that follow from the rest.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs};

use jury_model::Recipe;
use jury_project::Outside;
use jury_select::{ALL_VARIABLES, Digest, Fact, Hash128, State, Subject};

use super::files::Files;
use super::places::{is_within, plain, within};
use super::world::directory;
use crate::passing_variables::{is_passing, matches};

/// Variables that build tools, launchers and the JVM itself read. A trailing `*` stands for any end.
const SPEAKING: [&str; 17] = [
    "ANT_ARGS",
    "ANT_OPTS",
    "CLASSPATH",
    "GRADLE_*",
    "JAVA_OPTS",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "MAVEN_*",
    "MVNW_*",
    "ORG_GRADLE_PROJECT_*",
    "TZ",
    "_JAVA_OPTIONS",
];

/// Among those, the ones that name a place on this machine. What lies there counts, not where.
const PLACES: [&str; 4] = [
    "GRADLE_HOME",
    "GRADLE_USER_HOME",
    "MAVEN_HOME",
    "MAVEN_USER_HOME",
];

/// Homes of build tools. Jars in there carry their versions in their names.
const TOOL_HOMES: [&str; 4] = ["ANT_HOME", "GRADLE_HOME", "M2_HOME", "MAVEN_HOME"];

const COMMAND: &str = "command";
const BUILD_FILES: &str = "build files";

/// The machine's time zone.
const LOCAL_TIME: &str = "/etc/localtime";

/// In the home of Maven.
const MAVEN_SETTINGS: &str = "conf/settings.xml";

/// Classes of the project that stand in for a library's, and descriptions of modules. Nobody books
/// which classes of libraries a test uses, nor what is open to it and which providers it finds, so
/// they may concern every test.
pub(super) const NAMESAKES: &str = "modules, and classes in place of a library's";

/// Known from here alone.
const LAUNCH_SETTINGS: [&str; 5] = [
    COMMAND,
    "build environment",
    BUILD_FILES,
    "JDK",
    "libraries",
];

#[derive(Debug)]
pub(super) struct Surroundings {
    root: PathBuf,
    command: String,
    variables: BTreeMap<String, String>,
    /// Build files of the project and settings of the user.
    build_files: BTreeSet<PathBuf>,
    /// What they held before the build: an edit meanwhile counts for the next one.
    build_files_content: Option<Hash128>,
}

impl Surroundings {
    pub fn now(root: &Path, command: &str) -> Self {
        let variables = env::vars_os()
            .map(|(name, value)| {
                let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
                (text(name), text(value))
            })
            .collect();
        Surroundings {
            root: root.to_owned(),
            command: command.to_owned(),
            variables,
            build_files: BTreeSet::new(),
            build_files_content: None,
        }
    }

    /// The same, with the build files among `inputs`, those elsewhere and those in the user's home.
    pub fn with_inputs<'p>(
        mut self,
        inputs: impl Iterator<Item = &'p Path>,
        outside: &Outside,
    ) -> Self {
        let inputs: HashSet<&Path> = inputs.collect();
        let own = inputs.iter().copied().filter(|path| {
            let mut trees = outside.trees.iter();
            let mut build_logic = outside.build_logic.iter();
            is_build_file(path, &self.root)
                || trees.any(|tree| is_build_file(path, tree))
                || build_logic.any(|tree| path.starts_with(tree))
        });
        self.build_files = own.map(Path::to_owned).collect();
        let named: Vec<PathBuf> = (self.build_files.iter())
            .flat_map(|file| files_named_in(file, &self.root))
            // What a build makes is no input of it. Others may be listed at another place, by a link.
            .filter(|path| {
                let inside = path.strip_prefix(&self.root).unwrap_or(path);
                inputs.contains(path.as_path()) || path.is_file() && !is_output(inside)
            })
            .collect();
        self.build_files.extend(named);
        self.build_files.extend(outside.files.iter().cloned());
        self.build_files.extend(self.named_in_command());
        self.build_files.extend(self.maven_settings());
        let home = self.variables.get("HOME").map(PathBuf::from);
        if let Some(home) = &home {
            let settings = [
                ".m2/settings.xml",
                ".m2/toolchains.xml",
                ".mavenrc",
                ".ant.properties",
            ];
            self.build_files
                .extend(settings.map(|path| home.join(path)));
        }
        let gradle = self.variables.get("GRADLE_USER_HOME").map(PathBuf::from);
        let homes = (home.map(|home| home.join(".gradle")).into_iter()).chain(gradle);
        for home in homes {
            let settings = ["gradle.properties", "init.gradle", "init.gradle.kts"];
            self.build_files
                .extend(settings.map(|path| home.join(path)));
            let scripts = fs::read_dir(home.join("init.d"))
                .into_iter()
                .flatten()
                .flatten();
            self.build_files.extend(scripts.map(|script| script.path()));
        }
        self
    }

    /// Files that the command names, such as settings, scripts and suites, and POMs in directories
    /// that it names.
    fn named_in_command(&self) -> Vec<PathBuf> {
        let words = self.command.split([' ', '\'', '"', '=', ',']);
        let files = words.filter(|word| !word.is_empty()).filter_map(|word| {
            let path = plain(&self.root.join(word));
            let pom = path.join("pom.xml");
            [path, pom].into_iter().find(|path| path.is_file())
        });
        files.collect()
    }

    /// The settings that came with Maven, if the command starts it by a name that tells where it is.
    fn maven_settings(&self) -> Option<PathBuf> {
        let mut words = self.command.split([' ', '\'', '"']);
        let mvn = Path::new(words.find(|word| word.rsplit('/').next() == Some("mvn"))?);
        let program = match mvn.components().count() {
            1 => env::split_paths(self.variables.get("PATH")?)
                .map(|directory| directory.join(mvn))
                .find(|program| program.is_file())?,
            _ => self.root.join(mvn),
        };
        let program = fs::canonicalize(program).ok()?;
        Some(program.parent()?.parent()?.join(MAVEN_SETTINGS))
    }

    pub fn read_build_files(&mut self, files: &Files) {
        let mut digest = Digest::new("build files");
        for path in &self.build_files {
            digest.bytes(self.name(path).as_bytes());
            add_content(path, files, &mut digest);
        }
        self.build_files_content = Some(digest.finish());
    }

    /// A file's name in this project, or in this user's home, wherever these lie.
    fn name(&self, path: &Path) -> String {
        if path.ends_with(MAVEN_SETTINGS) && !path.starts_with(&self.root) {
            return format!("Maven's {MAVEN_SETTINGS}");
        }
        match self.home().and_then(|home| path.strip_prefix(home).ok()) {
            Some(inside) if !path.starts_with(&self.root) => {
                format!("~/{}", inside.to_string_lossy())
            }
            _ => within(&self.root, path),
        }
    }

    fn portable_command(&self) -> String {
        self.command.replace(&*self.root.to_string_lossy(), ".")
    }

    pub fn home(&self) -> Option<&Path> {
        self.variables.get("HOME").map(Path::new)
    }

    pub fn variables(&self) -> &BTreeMap<String, String> {
        &self.variables
    }

    /// The build files as they are, for what was recorded under others and holds all the same.
    pub fn build_files(&self) -> Option<Fact> {
        Some(Fact {
            subject: Subject::Launch(BUILD_FILES.to_owned()),
            state: build_files_state(self.build_files_content?),
        })
    }

    /// Every launch setting that a test of this recipe depends on.
    pub fn subjects() -> impl Iterator<Item = Subject> {
        let names = LAUNCH_SETTINGS.into_iter().chain([NAMESAKES]);
        names.map(|name| Subject::Launch(name.to_owned()))
    }

    pub fn launch_setting(&self, name: &str, recipe: &Recipe, files: &Files) -> State {
        let mut digest = Digest::new(name);
        match name {
            COMMAND => digest.bytes(self.portable_command().as_bytes()),
            "build environment" => self.add_variables(&mut digest),
            BUILD_FILES => match self.build_files_content {
                Some(content) => return build_files_state(content),
                None => return State::Unreadable,
            },
            "JDK" => {
                digest.bytes(recipe.java_version.as_bytes());
                add_content(
                    &Path::new(&recipe.java_home).join("release"),
                    files,
                    &mut digest,
                );
                if let Some(home) = self.usual_java_home() {
                    add_content(&home.join("release"), files, &mut digest);
                }
            }
            "libraries" => {
                for path in self.libraries(recipe).into_iter().chain(attached(recipe)) {
                    // Modules without a descriptor are named for their jars.
                    digest.bytes(path.file_name().unwrap_or_default().as_encoded_bytes());
                    add_content(&path, files, &mut digest);
                }
            }
            // Nobody knows it, so it is never as it was.
            _ => return State::Unreadable,
        }
        State::Present(digest.finish())
    }

    pub fn variable(&self, name: &str) -> State {
        let mut digest = Digest::new("variable");
        if name == ALL_VARIABLES {
            // Terminals and jobs count only for a test that asks for their variables by name.
            let lasting = |(name, _): &(&String, &String)| !is_passing(name);
            for (name, value) in self.variables.iter().filter(lasting) {
                digest.bytes(name.as_bytes());
                digest.bytes(value.as_bytes());
            }
            return State::Present(digest.finish());
        }
        match self.variables.get(name) {
            None => State::Absent,
            Some(value) => {
                digest.bytes(value.as_bytes());
                State::Present(digest.finish())
            }
        }
    }

    /// Jars outside the project, in the order of the class path.
    pub fn libraries(&self, recipe: &Recipe) -> Vec<PathBuf> {
        let paths = recipe.module_path.iter().chain(&recipe.class_path);
        paths
            .map(PathBuf::from)
            .filter(|path| !path.is_dir() && !is_within(&self.root, path))
            .collect()
    }

    /// Files outside the project's tree whose content counts.
    pub fn outside_files(&self) -> impl Iterator<Item = &Path> {
        let outside = self
            .build_files
            .iter()
            .filter(|path| !path.starts_with(&self.root));
        outside.map(PathBuf::as_path)
    }

    /// The java that a build tool would start without being told otherwise.
    pub fn usual_java(&self) -> Option<PathBuf> {
        let home = self
            .variables
            .get("JAVA_HOME")
            .filter(|home| !home.is_empty());
        let java = match home {
            Some(home) => Path::new(home).join("bin/java"),
            None => env::split_paths(self.variables.get("PATH")?)
                .map(|directory| directory.join("java"))
                .find(|java| java.is_file())?,
        };
        fs::canonicalize(java).ok()
    }

    /// The JDK of that java.
    pub fn usual_java_home(&self) -> Option<PathBuf> {
        let java = self.usual_java()?;
        Some(java.parent()?.parent()?.to_owned())
    }

    /// What every test of a build depends on, whatever its JVM; none if it is not known.
    pub fn add_common(&self, digest: &mut Digest) -> Option<()> {
        digest.bytes(self.portable_command().as_bytes());
        self.add_variables(digest);
        digest.hash(self.build_files_content?);
        Some(())
    }

    /// All of it as it is on this machine, places included.
    pub fn add_to(&self, digest: &mut Digest) {
        digest.bytes(self.root.as_os_str().as_encoded_bytes());
        digest.bytes(self.command.as_bytes());
        // One that is new, such as a script that Gradle runs for all builds, was not watched before.
        for path in &self.build_files {
            digest.bytes(path.as_os_str().as_encoded_bytes());
        }
        self.add_variables(digest);
        for place in self.places() {
            digest.bytes(place.as_bytes());
        }
        let usual = self.usual_java().unwrap_or_default();
        digest.bytes(usual.as_os_str().as_encoded_bytes());
    }

    fn places(&self) -> impl Iterator<Item = &str> {
        let names = PLACES.iter().chain(&TOOL_HOMES).chain(&["HOME", "TMPDIR"]);
        names.map(|name| self.variables.get(*name).map_or("", String::as_str))
    }

    /// What speaks to build tools and JVMs, and what build files ask for by name.
    fn add_variables(&self, digest: &mut Digest) {
        let mut named = BTreeSet::new();
        for path in &self.build_files {
            if let Ok(text) = fs::read_to_string(path) {
                named.extend(variables_named_in(&text).map(str::to_owned));
            }
        }
        for (name, value) in &self.variables {
            let speaks = matches(&SPEAKING, name) && !matches(&PLACES, name);
            if speaks || named.contains(name) {
                digest.bytes(name.as_bytes());
                digest.bytes(value.as_bytes());
            }
        }
        if !self.variables.contains_key("TZ") {
            // Without the variable, this is what JVMs take the time zone from: its name is that of the
            // file a link leads to.
            let link = fs::read_link(LOCAL_TIME).unwrap_or_default();
            digest.bytes(link.as_os_str().as_encoded_bytes());
            digest.bytes(&fs::read(LOCAL_TIME).unwrap_or_default());
        }
        for name in TOOL_HOMES {
            if let Some(home) = self.variables.get(name) {
                digest.bytes(name.as_bytes());
                add_names(&Path::new(home).join("lib"), digest);
            }
        }
    }
}

/// Whether this is the command that the build was started by.
pub(super) fn is_command(subject: &Subject) -> bool {
    matches!(subject, Subject::Launch(name) if name == COMMAND)
}

/// Jars and libraries that the flags of a JVM name: agents, and what is put before the JDK's own classes. They are
/// on no class path.
pub(super) fn attached(recipe: &Recipe) -> Vec<PathBuf> {
    let named = |flag: &String| -> Option<Vec<PathBuf>> {
        let agent = ["-javaagent:", "-agentpath:"].into_iter();
        if let Some(agent) = agent.filter_map(|start| flag.strip_prefix(start)).next() {
            let path = agent.split_once('=').map_or(agent, |(path, _)| path);
            return Some(vec![path.into()]);
        }
        let paths = flag.strip_prefix("-Xbootclasspath/")?.split_once(':')?.1;
        Some(env::split_paths(paths).collect())
    };
    let directory = Path::new(&recipe.working_directory);
    let paths = recipe.jvm_flags.iter().filter_map(named).flatten();
    paths.map(|path| directory.join(path)).collect()
}

/// Whether a file lies where builds put what they make.
fn is_output(path: &Path) -> bool {
    let is_made = |part: &OsStr| {
        ["target", "build", "out", ".gradle"]
            .iter()
            .any(|name| part == *name)
    };
    path.iter().any(is_made)
}

fn build_files_state(content: Hash128) -> State {
    let mut digest = Digest::new(BUILD_FILES);
    digest.hash(content);
    State::Present(digest.finish())
}

fn add_names(path: &Path, digest: &mut Digest) {
    match directory(path) {
        State::Present(names) => digest.hash(names),
        State::Absent | State::Unreadable => digest.byte(0),
    }
}

fn add_content(path: &Path, files: &Files, digest: &mut Digest) {
    match files.content(path) {
        Ok(hash) => digest.hash(hash),
        Err(_) => digest.byte(0),
    }
}

/// Files that say how to build and launch, by the conventions of the build tools.
pub(super) fn is_build_file(path: &Path, root: &Path) -> bool {
    let Ok(inside) = path.strip_prefix(root) else {
        return false;
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_in = |directory: &str| inside.iter().any(|part| part == directory);
    let at_root = inside.components().count() == 1;
    let extension = path.extension().unwrap_or_default();
    name == "pom.xml"
        || name.ends_with(".gradle")
        || name.ends_with(".gradle.kts")
        || name == "gradle.properties"
        || is_maven_setting(inside)
        || is_in("buildSrc")
        || is_in("build-logic")
        || inside.starts_with("gradle")
        // Ant builds, scripts and makefiles have no fixed names.
        || at_root && (name == "Makefile" || ["xml", "properties", "sh", "mk"].iter().any(|known| extension == *known))
}

/// What people put into `.mvn`. Extensions of Maven keep things of their own there, such as a number
/// for each copy of the project, under names with a dot in front.
fn is_maven_setting(path: &Path) -> bool {
    let is_hidden = |part: &OsStr| part.as_encoded_bytes().starts_with(b".");
    match path.iter().position(|part| part == ".mvn") {
        Some(at) => !path.iter().skip(at + 1).any(is_hidden),
        None => false,
    }
}

/// Files of the project that a build file may name, such as properties that a plugin reads, policies and
/// suites: what they say may become a flag of a test JVM. Sources and what is built of them count in other
/// ways. Names begin at the project, at the build file, or at either by a property.
fn files_named_in(build_file: &Path, root: &Path) -> Vec<PathBuf> {
    let (Ok(text), Some(directory)) = (fs::read_to_string(build_file), build_file.parent()) else {
        return Vec::new();
    };
    let is_part = |letter: char| letter.is_alphanumeric() || "._-/${}".contains(letter);
    let words: BTreeSet<&str> = text.split(|letter: char| !is_part(letter)).collect();
    let names = words.into_iter().filter_map(|word| {
        let name = match word.strip_prefix('$') {
            Some(property) => property.split_once('/')?.1,
            None => word,
        };
        let made = [".java", ".class", ".jar"];
        let may_be_file = name.contains(['.', '/'])
            && !name.starts_with('/')
            && !made.iter().any(|end| name.ends_with(end));
        may_be_file.then_some(name)
    });
    let places = names.flat_map(|name| [root, directory].map(|place| plain(&place.join(name))));
    places.filter(|path| path.starts_with(root)).collect()
}

/// Variables that build files ask for: `${env.NAME}` in Maven and Ant, `getenv("NAME")` and
/// `environmentVariable("NAME")` in Gradle.
fn variables_named_in(text: &str) -> impl Iterator<Item = &str> {
    let after = |mark: &'static str| text.split(mark).skip(1);
    let openings = after("env.").chain(
        after("getenv(")
            .chain(after("environmentVariable("))
            .map(|rest| rest.trim_start_matches(['"', '\''])),
    );
    openings
        .map(|rest| {
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            &rest[..end.unwrap_or(rest.len())]
        })
        .filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_files_are_known_by_their_names_and_places() {
        let is = |path: &str| is_build_file(&Path::new("/p").join(path), Path::new("/p"));
        for path in [
            "pom.xml",
            "core/pom.xml",
            "core/build.gradle.kts",
            ".mvn/jvm.config",
            "core/.mvn/wrapper/maven-wrapper.properties",
            "gradle/libs.versions.toml",
            "buildSrc/src/main/java/A.java",
            "build-logic/rules/src/main/kotlin/rules.kt",
            "build.xml",
            "local.properties",
            "run-tests.sh",
        ] {
            assert!(is(path), "{path}");
        }
        for path in [
            "README.md",
            "src/main/java/A.java",
            "core/src/checkstyle.xml",
            ".mvn/.develocity/develocity-workspace-id",
        ] {
            assert!(!is(path), "{path}");
        }
    }

    /// The surroundings of a project at `root`, of a user whose home is `home`.
    fn surroundings(root: &Path, home: &Path) -> Surroundings {
        let pom = root.join("pom.xml");
        let mut surroundings = Surroundings {
            variables: [
                ("HOME".to_owned(), home.display().to_string()),
                ("MAVEN_OPTS".to_owned(), "-Xmx1g".to_owned()),
            ]
            .into(),
            ..Surroundings::now(root, &format!("mvn -f {} test", pom.display()))
        }
        .with_inputs([pom.as_path()].into_iter(), &Outside::default());
        surroundings.read_build_files(&Files::default());
        surroundings
    }

    #[test]
    fn files_that_a_command_names_and_scripts_that_gradle_runs_are_build_files() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        for name in [
            "project/ci/settings.xml",
            "project/sub/pom.xml",
            "shared.gradle",
            ".gradle/init.gradle",
            ".gradle/init.d/mirror.gradle.kts",
            "maven/bin/mvn",
            "maven/conf/settings.xml",
        ] {
            fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            fs::write(path(name), "").unwrap();
        }
        let is_build_file = |command: &str, name: &str| {
            let variables = [
                ("HOME".to_owned(), path("").display().to_string()),
                ("PATH".to_owned(), path("maven/bin").display().to_string()),
            ];
            let surroundings = Surroundings {
                variables: variables.into(),
                ..Surroundings::now(&path("project"), command)
            }
            .with_inputs([].into_iter(), &Outside::default());
            surroundings.build_files.contains(&path(name))
        };
        for (command, name) in [
            ("mvn -s ci/settings.xml test", "project/ci/settings.xml"),
            (
                "mvn --settings=ci/settings.xml test",
                "project/ci/settings.xml",
            ),
            (
                "sh -c 'mvn -gs ci/settings.xml test'",
                "project/ci/settings.xml",
            ),
            ("mvn -f sub test", "project/sub/pom.xml"),
            ("gradle -I ../shared.gradle test", "shared.gradle"),
            ("gradle test", ".gradle/init.gradle"),
            ("gradle test", ".gradle/init.d/mirror.gradle.kts"),
            ("mvn -q test", "maven/conf/settings.xml"),
        ] {
            assert!(is_build_file(command, name), "{command}");
        }
        assert!(!is_build_file("mvn test", "project/ci/settings.xml"));
        assert!(!is_build_file("gradle test", "maven/conf/settings.xml"));
    }

    #[test]
    fn files_that_a_build_file_names_are_build_files() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        let inputs = [
            "core/conf/it.properties",
            "core/test.policy",
            "suite.xml",
            "core/src/A.java",
            "core/data.txt",
            "core/pom.xml",
        ]
        .map(|name| root.join(name));
        let pom = &inputs[5];
        fs::create_dir_all(pom.parent().unwrap()).unwrap();
        let text = "<file>conf/it.properties</file> <argLine>-Djava.security.policy=\
            ${basedir}/test.policy</argLine> <suiteXmlFile>../suite.xml</suiteXmlFile> \
            <exclude>src/A.java</exclude> <version>3.5</version> <directory>conf</directory> \
            <x>/etc/passwd ../../../../../../../etc/passwd</x> \
            <report>${basedir}/target/site/jacoco.xml</report>";
        fs::write(pom, text).unwrap();
        let surroundings = Surroundings::now(root, "mvn test")
            .with_inputs(inputs.iter().map(PathBuf::as_path), &Outside::default());
        let mut named: Vec<&Path> = (surroundings.build_files.iter())
            .filter_map(|path| path.strip_prefix(root).ok())
            .collect();
        named.sort();
        assert_eq!(
            named,
            [
                "core/conf/it.properties",
                "core/pom.xml",
                "core/test.policy",
                "suite.xml"
            ]
            .map(Path::new)
        );
    }

    #[test]
    fn jars_that_flags_name_are_attached() {
        let flags = [
            "-javaagent:tools/agent.jar=destfile=x",
            "-agentpath:/lib/a.so",
            "-Xbootclasspath/a:lib/x.jar:lib/y.jar",
            "-Xmx1g",
            "-agentlib:jdwp=server=y",
        ];
        let recipe = Recipe {
            jvm_flags: flags.map(String::from).to_vec(),
            working_directory: "/p".into(),
            ..recipe(Path::new("/home"))
        };
        let named = [
            "/p/tools/agent.jar",
            "/lib/a.so",
            "/p/lib/x.jar",
            "/p/lib/y.jar",
        ];
        assert_eq!(attached(&recipe), named.map(PathBuf::from));
    }

    fn recipe(home: &Path) -> Recipe {
        Recipe {
            launched_by: jury_model::LaunchedBy::Surefire,
            java_home: home.join("jdk").display().to_string(),
            java_version: "17".into(),
            working_directory: "/".into(),
            class_path: vec![home.join("junit.jar").display().to_string()],
            module_path: vec![],
            module_flags: vec![],
            jvm_flags: vec![],
            properties: BTreeMap::new(),
            environment: BTreeMap::new(),
            launcher_parameters: BTreeMap::new(),
            jvm_per_class: false,
        }
    }

    #[test]
    fn the_same_content_at_another_place_is_the_same() {
        let place = || {
            let directory = tempfile::tempdir().unwrap();
            for inner in [".m2", "jdk", "project"] {
                fs::create_dir(directory.path().join(inner)).unwrap();
            }
            for (path, text) in [
                ("project/pom.xml", "<project/>"),
                (".m2/settings.xml", "<settings/>"),
                ("junit.jar", "jar"),
                ("jdk/release", "17"),
            ] {
                fs::write(directory.path().join(path), text).unwrap();
            }
            directory
        };
        let states = |place: &Path| {
            let surroundings = surroundings(&place.join("project"), place);
            LAUNCH_SETTINGS
                .map(|name| surroundings.launch_setting(name, &recipe(place), &Files::default()))
        };
        let (one, other) = (place(), place());
        assert_eq!(states(one.path()), states(other.path()));
        fs::write(other.path().join("junit.jar"), "another jar").unwrap();
        fs::write(other.path().join("project/pom.xml"), "<project></project>").unwrap();
        let differing: Vec<&str> = std::iter::zip(states(one.path()), states(other.path()))
            .zip(LAUNCH_SETTINGS)
            .filter(|((one, other), _)| one != other)
            .map(|(_, name)| name)
            .collect();
        assert_eq!(differing, ["build files", "libraries"]);
    }

    #[test]
    fn variables_that_build_files_name_are_found() {
        let text = "<a>${env.CI_TOKEN}</a> System.getenv(\"REGION\") environmentVariable('X_1')";
        let names: Vec<_> = variables_named_in(text).collect();
        assert_eq!(names, ["CI_TOKEN", "REGION", "X_1"]);
    }
}
