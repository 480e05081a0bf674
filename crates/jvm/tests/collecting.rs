//! What watched JVMs tell of the things their tests use: real JVMs, the real agent and harness, a
//! framework as small as can be, and test classes that each use something else.

use std::collections::{BTreeMap, BTreeSet};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::{env, fs, io, thread};

use jury_classfile::ClassFile;
use jury_jvm::{
    Answer, Build, Collect, Installation, JvmEvidence, Observation, TouchKind, Uses,
    cache_directory, run_build,
};
use tempfile::TempDir;

/// A project of compiled test classes, with files for them to touch.
struct Project {
    directory: TempDir,
    library: TempDir,
}

impl Project {
    fn new(javac: &Path) -> Self {
        let project = Self {
            directory: tempfile::tempdir().unwrap(),
            library: tempfile::tempdir().unwrap(),
        };
        let compile = |sources: &str, target: &Path| {
            let mut files = Vec::new();
            let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/collecting");
            add_files(&tests.join(sources), &mut files);
            let compiled = Command::new(javac)
                .args(["--release", "8", "-nowarn", "-Xlint:-options", "-cp"])
                .arg(project.library())
                .arg("-d")
                .arg(target)
                .args(files)
                .status();
            assert!(compiled.unwrap().success());
        };
        let pack = |jar: &Path, from: &Path, what: &str| {
            let mut packing = Command::new(javac.with_file_name("jar"));
            packing.arg("cf").arg(jar).arg("-C").arg(from).arg(what);
            assert!(packing.status().unwrap().success());
        };
        let unpacked = project.library.path().join("classes");
        compile("library", &unpacked);
        pack(&project.library(), &unpacked, ".");
        compile("java", &project.root().join("classes"));
        for file in [
            "files/old.txt",
            "files/new.txt",
            "files/listed-old/a",
            "files/listed-new/b",
            "files/doomed-old.txt",
            "files/doomed-new.txt",
            "files/moved-old.txt",
            "files/moved-new.txt",
            "files/filled/theirs.txt",
        ] {
            let file = project.root().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "x").unwrap();
        }
        fs::write(project.root().join("classes/project/words.properties"), "").unwrap();
        let files = project.root().join("files");
        pack(&files.join("kept.jar"), &files, "old.txt");
        project
    }

    /// A jar outside of the project.
    fn library(&self) -> PathBuf {
        self.library.path().join("library.jar")
    }

    fn root(&self) -> PathBuf {
        fs::canonicalize(self.directory.path()).unwrap()
    }

    /// Runs test classes in one JVM.
    fn run(&self, java: &Path, by_method: bool, classes: &[&str]) -> Seen {
        let root = self.root();
        let installation = Installation::prepare(&cache_directory().unwrap()).unwrap();
        let nothing = |_, _| Answer::default();
        let collect = Collect {
            root: root.display().to_string(),
            by_method,
        };
        let watch = Observation::prepare(installation, Some(collect), false, nothing).unwrap();
        let class_path = format!("classes:{}", self.library().display());
        let mut arguments: Vec<String> = ["-cp", &class_path, "org.junit.runner.JUnitCore"]
            .map(str::to_owned)
            .to_vec();
        arguments.extend(classes.iter().map(|class| match *class {
            "parallel" => class.to_string(),
            class => format!("project.{class}"),
        }));
        let mut printed = String::new();
        let status = run_build(
            Build {
                program: java.to_str().unwrap(),
                arguments: &arguments,
                directory: &root,
                variables: &[("ECHO_PORT", echo().to_string())],
            },
            &watch,
            &AtomicBool::new(false),
            false,
            |_, bytes| printed.push_str(&String::from_utf8_lossy(bytes)),
        );
        assert!(status.unwrap().success(), "{printed}");
        // New JDKs warn of native libraries.
        let own_words = |line: &&str| !line.is_empty() && !line.starts_with("WARNING: ");
        assert_eq!(printed.lines().find(own_words), None);
        let mut evidence = watch.evidence().unwrap();
        assert_eq!(evidence.len(), 1);
        let evidence = evidence.remove(0);
        assert_eq!(evidence.troubles, [""; 0]);
        assert_eq!(evidence.left_out, []);
        assert!(evidence.ended);
        Seen::new(&root, evidence)
    }
}

/// The port of a server outside of any JVM, which sends back what it gets.
fn echo() -> u16 {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    thread::spawn(move || {
        for client in server.incoming().flatten() {
            thread::spawn(move || io::copy(&mut &client, &mut &client));
        }
    });
    port
}

fn add_files(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_files(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// What a JVM told, in words.
struct Seen {
    root: PathBuf,
    evidence: JvmEvidence,
    methods: BTreeMap<u32, String>,
}

impl Seen {
    fn new(root: &Path, evidence: JvmEvidence) -> Self {
        let mut methods = BTreeMap::new();
        for loaded in &evidence.loaded {
            let file = Path::new(&loaded.origin).join(format!("{}.class", loaded.class));
            let bytes = fs::read(file).unwrap();
            assert_eq!(loaded.digest, blake3::hash(&bytes).as_bytes()[..16]);
            let class = ClassFile::read(&bytes).unwrap();
            assert_eq!(loaded.methods as usize, class.methods.len());
            for (number, method) in (loaded.first..).zip(&class.methods) {
                let name = method.name(&class.pool).unwrap().to_str();
                let class = loaded.class.trim_start_matches("project/");
                methods.insert(number, format!("{class}.{name}"));
            }
        }
        Self {
            root: root.to_owned(),
            evidence,
            methods,
        }
    }

    /// All that is told of the tests of a class, or of a test (`Class#test`).
    fn used(&self, test: &str) -> Vec<&Uses> {
        let test = format!("junit:project.{test}");
        let told = self.evidence.used.iter();
        told.filter(|(id, _)| {
            let id = id.as_str();
            id == test || id.split('#').next() == Some(test.as_str())
        })
        .map(|(_, uses)| uses)
        .collect()
    }

    fn methods(&self, uses: &[&Uses]) -> BTreeSet<&str> {
        let numbers = uses.iter().flat_map(|uses| &uses.methods);
        numbers
            .map(|number| self.methods[number].as_str())
            .filter(|method| !method.starts_with("org/"))
            .collect()
    }

    fn touches(&self, test: &str, kinds: &[TouchKind]) -> BTreeSet<String> {
        let root = format!("{}/", self.root.display());
        self.used(test)
            .iter()
            .flat_map(|uses| &uses.facts)
            .filter(|touch| kinds.contains(&touch.kind))
            .map(|touch| touch.name.replace(&root, ""))
            .collect()
    }

    /// Java 22 and later call native code without JNI.
    fn has_foreign_functions(&self) -> bool {
        let launch = self.evidence.launch.as_ref().unwrap();
        let feature = launch.java_version.split(['.', '+', '-']).next().unwrap();
        feature.parse::<u32>().unwrap() >= 22
    }

    fn marks(&self, test: &str) -> u8 {
        self.used(test)
            .iter()
            .fold(0, |marks, uses| marks | uses.marks)
    }
}

/// Runs a check on every JDK of `JURY_JDKS`, or on the one at hand.
fn on_every_jdk(by_method: bool, classes: &[&str], check: impl Fn(&Seen)) {
    let listed = env::var_os("JURY_JDKS").unwrap_or_default();
    let mut homes: Vec<PathBuf> = env::split_paths(&listed)
        .filter(|home| !home.as_os_str().is_empty())
        .collect();
    if homes.is_empty() {
        homes.extend(env::var_os("JAVA_HOME").map(PathBuf::from));
    }
    let programs: Vec<PathBuf> = homes.iter().map(|home| home.join("bin")).collect();
    let at_hand = vec![PathBuf::new()];
    for bin in if programs.is_empty() {
        at_hand
    } else {
        programs
    } {
        let project = Project::new(&bin.join("javac"));
        check(&project.run(&bin.join("java"), by_method, classes));
    }
}

fn set<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.map(str::to_owned).into()
}

#[test]
fn a_static_initialiser_speaks_for_everyone_who_uses_its_class() {
    on_every_jdk(false, &["FirstToolTest", "SecondToolTest"], |seen| {
        let second = seen.methods(&seen.used("SecondToolTest"));
        assert!(second.contains("Tool.name"), "{second:?}");
        assert!(!second.contains("Tool.<clinit>"), "{second:?}");
        let initialised = seen.evidence.initialised.iter();
        let (_, uses) = initialised
            .clone()
            .find(|(number, _)| seen.methods[number] == "Tool.<clinit>")
            .unwrap();
        let methods = seen.methods(&[uses]);
        assert_eq!(methods, ["Tool$Maker.name", "Tool.<clinit>"].into());
        let facts = uses.facts.iter();
        let read: Vec<_> = facts
            .filter(|touch| touch.kind != TouchKind::ClassLoaded)
            .map(|touch| touch.name.as_str())
            .collect();
        assert_eq!(read, ["TOOL_NAME"]);
    });
}

#[test]
fn what_fills_a_static_field_speaks_for_everyone_who_uses_its_class() {
    on_every_jdk(false, &["FirstLazyTest", "SecondLazyTest"], |seen| {
        let second = seen.methods(&seen.used("SecondLazyTest"));
        assert!(second.contains("LazyTool.name"), "{second:?}");
        assert!(!second.contains("LazyTool.load"), "{second:?}");
        let told: Vec<_> = (seen.evidence.initialised.iter())
            .filter(|(number, _)| seen.methods[number] == "LazyTool.name")
            .map(|(_, uses)| seen.methods(&[uses]))
            .collect();
        // Three methods of that name; what the second test sees of them is no news.
        assert_eq!(told.len(), 3, "{told:?}");
        let loading = told.iter().filter(|ran| ran.contains("LazyTool.load"));
        assert_eq!(loading.count(), 3, "{told:?}");
    });
}

#[test]
fn a_cache_is_watched_for_as_long_as_it_tells_something_new() {
    on_every_jdk(false, &["FirstCacheTest", "SecondCacheTest"], |seen| {
        let told = (seen.evidence.initialised.iter())
            .filter(|(number, _)| seen.methods[number] == "CacheTool.of")
            .map(|(_, uses)| seen.methods(&[uses]));
        let all: BTreeSet<&str> = told.flatten().collect();
        // More than the most looks in vain, but not in a row.
        for name in ["CacheTool.first", "CacheTool.second", "CacheTool.last"] {
            assert!(all.contains(name), "{all:?}");
        }
    });
}

#[test]
fn what_the_jdk_or_a_library_keeps_is_told_of_every_test() {
    on_every_jdk(false, &["FirstKeptTest", "SecondKeptTest"], |seen| {
        for test in ["FirstKeptTest", "SecondKeptTest"] {
            let resources = seen.touches(test, &[TouchKind::ResourceLookedUp]);
            for resource in [
                "project/words.properties",
                "project/words_en.properties",
                "project/words_en_CA.properties",
                "settings.conf",
                "META-INF/services/java.lang.Runnable",
            ] {
                assert!(resources.contains(resource), "{test}: {resources:?}");
            }
            let files = seen.touches(test, &[TouchKind::FileRead]);
            assert!(files.contains("files/kept.jar"), "{test}: {files:?}");
        }
    });
}

#[test]
fn constructors_fixtures_and_lambdas_are_their_tests_own() {
    on_every_jdk(false, &["FirstToolTest", "SecondToolTest"], |seen| {
        let first = seen.methods(&seen.used("FirstToolTest"));
        assert!(first.contains("FirstToolTest.usesIt"), "{first:?}");
        assert!(!first.contains("SecondToolTest.usesItToo"), "{first:?}");
        let second = seen.methods(&seen.used("SecondToolTest"));
        for method in ["<init>", "usesItToo", "lambda$usesItToo$0"] {
            let method = format!("SecondToolTest.{method}");
            assert!(second.contains(method.as_str()), "{method}: {second:?}");
        }
        // It ran before the test began, in the test class's constructor.
        assert!(second.contains("SecondToolTest$Built.text"), "{second:?}");
    });
}

#[test]
fn single_tests_are_told_apart_on_request() {
    on_every_jdk(true, &["ReflectionTest"], |seen| {
        let lists = seen.methods(&seen.used("ReflectionTest#lists"));
        assert!(lists.contains("ReflectionTest.lists"), "{lists:?}");
        assert!(!lists.contains("ReflectionTest.looksUp"), "{lists:?}");
    });
}

#[test]
fn reflection_and_resources_are_seen_with_their_names() {
    on_every_jdk(false, &["ReflectionTest"], |seen| {
        let touched = |kind| seen.touches("ReflectionTest", &[kind]);
        let listed = touched(TouchKind::MembersListed);
        assert!(
            listed.contains("project.ReflectionTest$Listed"),
            "{listed:?}"
        );
        let classes = touched(TouchKind::ClassLookedUp);
        for class in [
            "project.Listed",
            "project.Missing",
            "project.Unloaded",
            "project.package-info",
        ] {
            assert!(classes.contains(class), "{class}: {classes:?}");
        }
        let loaded = touched(TouchKind::ClassLoaded);
        assert!(
            loaded.contains("project.ReflectionTest$Loaded"),
            "{loaded:?}"
        );
        assert_eq!(
            touched(TouchKind::ResourceLookedUp),
            set(["absent.txt", "project/there.txt"])
        );
    });
}

#[test]
fn what_no_file_can_be_called_is_not_told() {
    on_every_jdk(false, &["ReflectionTest"], |seen| {
        let touched = seen.touches("ReflectionTest", &TouchKind::ALL);
        let is_garbage = |name: &&String| name.contains("garbage") || name.contains("xxx");
        assert_eq!(touched.iter().find(is_garbage), None);
    });
}

#[test]
fn files_are_seen_in_the_old_way_and_the_new() {
    on_every_jdk(false, &["FilesTest"], |seen| {
        let touched = |kind| seen.touches("FilesTest", &[kind]);
        assert_eq!(
            touched(TouchKind::FileRead),
            set(["files/new.txt", "files/old.txt"])
        );
        assert_eq!(
            touched(TouchKind::FileAbsent),
            set([
                "files/absent-canonical.txt",
                "files/absent-directory",
                "files/absent-new.txt",
                "files/absent-old.txt",
                "files/absent-real.txt",
            ])
        );
        assert_eq!(
            touched(TouchKind::DirectoryListed),
            set(["files/listed-new", "files/listed-old"])
        );
    });
}

#[test]
fn what_a_test_removes_counts_as_written_and_so_does_a_directory_that_it_fills() {
    on_every_jdk(false, &["RemovalTest"], |seen| {
        let written = seen.touches("RemovalTest", &[TouchKind::FileWritten]);
        assert_eq!(
            written,
            set([
                "files/doomed-new.txt",
                "files/doomed-old.txt",
                "files/filled",
                "files/listed-new",
                "files/listed-old",
                "files/moved-new.txt",
                "files/moved-old.txt",
            ])
        );
    });
}

#[test]
fn what_a_test_makes_for_itself_is_no_dependency() {
    on_every_jdk(false, &["FilesTest"], |seen| {
        let kinds = [
            TouchKind::FileRead,
            TouchKind::FileWritten,
            TouchKind::FileLookedAt,
            TouchKind::FileAbsent,
        ];
        let touched = seen.touches("FilesTest", &kinds);
        let own = |name: &&String| name.starts_with("files/own") || name.contains("written");
        assert_eq!(touched.iter().filter(own).count(), 0, "{touched:?}");
    });
}

#[test]
fn variables_are_seen_with_their_names() {
    on_every_jdk(false, &["SurroundingsTest"], |seen| {
        let touched = |kind| seen.touches("SurroundingsTest", &[kind]);
        assert_eq!(touched(TouchKind::VariableRead), set(["SOME_VARIABLE"]));
    });
}

#[test]
fn processes_sockets_and_libraries_leave_their_marks() {
    let classes = [
        "SurroundingsTest",
        "ProcessTest",
        "NetworkTest",
        "LoopbackTest",
        "DatagramTest",
        "FixedPortTest",
        "LibraryTest",
        "ForeignTest",
        "ListenedTest",
        "BuildTest",
    ];
    on_every_jdk(false, &classes, |seen| {
        assert_eq!(seen.marks("SurroundingsTest"), 0);
        assert_eq!(seen.marks("ProcessTest"), Uses::CHILD_PROCESS);
        assert_eq!(seen.marks("NetworkTest"), Uses::NETWORK);
        assert_eq!(seen.marks("LoopbackTest"), 0);
        assert_eq!(seen.marks("DatagramTest"), Uses::NETWORK);
        assert_eq!(seen.marks("FixedPortTest"), Uses::NETWORK);
        assert_eq!(seen.marks("LibraryTest"), Uses::NATIVE_LIBRARY);
        let native = match seen.has_foreign_functions() {
            true => Uses::NATIVE_LIBRARY,
            false => 0,
        };
        assert_eq!(seen.marks("ForeignTest"), native);
        assert_eq!(seen.marks("ListenedTest"), 0);
        assert_eq!(seen.marks("BuildTest"), Uses::NETWORK);
    });
}

#[test]
fn a_pooled_connection_is_the_network_for_everyone_who_uses_it() {
    on_every_jdk(
        false,
        &["FirstPooledTest", "SecondPooledTest", "SurroundingsTest"],
        |seen| {
            assert_eq!(seen.marks("FirstPooledTest"), Uses::NETWORK);
            assert_eq!(seen.marks("SecondPooledTest"), Uses::NETWORK);
            assert_eq!(seen.marks("SurroundingsTest"), 0);
        },
    );
}

#[test]
fn tests_that_overlap_share_what_runs_meanwhile() {
    on_every_jdk(false, &["parallel", "LeftTest", "RightTest"], |seen| {
        for test in ["LeftTest", "RightTest"] {
            let methods = seen.methods(&seen.used(test));
            for method in ["LeftTest.onlyLeft", "RightTest.onlyRight"] {
                assert!(methods.contains(method), "{test}: {methods:?}");
            }
        }
    });
}
