//! The demo built by a script instead of Maven, for what is true of any build: starting Maven is
//! most of what a small build costs. Builds by Maven are what other tests of the demo are about.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use jury_testkit::{Jdk, Sample, succeed};

use crate::{JURY, READY};

/// The test command of the demo.
pub const BUILD: [&str; 3] = ["--", "sh", "build.sh"];

/// The demo as its tests find it before the first build.
pub fn demo() -> Sample {
    Sample::prepared("demo", &ready("compiled"), |sample| {
        add_script(sample);
        compile(sample);
    })
}

/// The demo after a green build under Jury.
pub fn watched_demo() -> Sample {
    Sample::prepared("demo", &ready("watched"), |sample| {
        add_script(sample);
        let mut jury = sample.command(JURY, &Jdk::any());
        succeed(jury.arg("test").args(BUILD));
    })
}

/// The console sample with its classes and its library.
pub fn console() -> Sample {
    Sample::prepared("console", &ready("compiled"), |sample| {
        let mut maven = sample.command("mvn", &Jdk::any());
        succeed(maven.args(["-B", "-q", "test-compile"]));
    })
}

/// Another sample with its classes, and its libraries in `lib`.
pub fn compiled(name: &str) -> Sample {
    const LIBRARIES: &str =
        "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies";
    Sample::prepared(name, &ready("compiled"), |sample| {
        let mut maven = sample.command("mvn", &Jdk::any());
        succeed(maven.args(["-q", "test-compile", LIBRARIES, "-DoutputDirectory=lib"]));
        add_script(sample);
    })
}

/// Compiles what was edited.
pub fn compile(sample: &Sample) {
    succeed(
        sample
            .command("sh", &Jdk::any())
            .args(["build.sh", "compile"]),
    );
}

fn ready(what: &str) -> PathBuf {
    Path::new(READY).join("script").join(what)
}

fn add_script(sample: &Sample) {
    let library = library();
    let library = library.to_str().expect("a plain path");
    sample.write("build.sh", &SCRIPT.replace("@library@", library));
}

/// JUnit's console launcher outside all projects, so that it is a library and not code of theirs.
pub fn library() -> PathBuf {
    static COPIED: Once = Once::new();
    let place = ready("library").join("junit.jar");
    COPIED.call_once(|| {
        fs::create_dir_all(ready("library")).expect("a directory");
        let new = ready("library").join("new.jar");
        fs::copy(console().path().join(LIBRARY), &new).expect("a copy");
        // JVMs of another program may have the old one open.
        fs::rename(new, &place).expect("a file to replace");
    });
    place
}

/// Where the console sample has its library.
pub const LIBRARY: &str = "target/lib/junit-platform-console-standalone.jar";

/// Sources are compiled when one of them, or a directory that one was in, is newer than the classes.
/// Test classes are named, as a scan would look at all of them before the first test.
const SCRIPT: &str = r#"set -e
quickly="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
compile() {
    if [ -e $2 ] && [ -z "$(find $1 -newer $2)" ]; then return; fi
    rm -rf $2
    mkdir -p $2
    javac $(printf ' -J%s' $quickly) -g -proc:none -nowarn --release 17 \
        -d $2 -cp 'target/classes:lib/*:@library@' $(find $1 -name '*.java')
    touch $2
}
compile src/main/java target/classes
compile src/test/java target/test-classes
if [ "$1" = compile ]; then exit; fi
cp -R src/test/resources/. target/test-classes
tests=$(cd target/test-classes; find . -name '*Tests.class' ! -name '*$*' | sort |
    sed 's:^\./:--select-class=:; s:\.class$::; s:/:.:g')
exec java $quickly "$@" -cp target/classes:target/test-classes:@library@ \
    org.junit.platform.console.ConsoleLauncher execute --details=none --disable-banner $tests
"#;
