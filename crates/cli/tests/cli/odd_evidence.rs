//! Evidence that does not fit the present, or is not whole: more runs, never less, and Jury says why.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use jury_testkit::{Jdk, Sample, jdks, run, succeed};
use serde_json::{Value, json};

use crate::JURY;
use crate::script_build::{LIBRARY, console};

const LAUNCHER: [&str; 4] = [
    "org.junit.platform.console.ConsoleLauncher",
    "execute",
    "--select-class",
    "radio.MorseTests",
];
const MORSE: &str = "target/classes/radio/Morse.class";

/// The console sample: compiled once, from then on a run takes a JVM and no build tool.
struct Radio {
    sample: Sample,
    jdk: Jdk,
}

impl Radio {
    fn compiled() -> Self {
        let (sample, jdk) = (console(), Jdk::any());
        fs::copy(sample.path().join(LIBRARY), sample.beside("library.jar")).expect("a jar");
        let radio = Self { sample, jdk };
        radio.test();
        radio.is_settled();
        radio
    }

    fn test(&self) -> Value {
        self.test_in(self.sample.path(), &self.jdk)
    }

    fn test_in(&self, directory: &Path, jdk: &Jdk) -> Value {
        let mut command = self.sample.command(JURY, jdk);
        command
            .current_dir(directory)
            .args(["test", "--format", "json"]);
        let library = self.sample.beside("library.jar");
        let path = format!(
            "target/classes:target/test-classes:{LIBRARY}:{}",
            library.display()
        );
        command.args(["--", "java", "-cp", &path]).args(LAUNCHER);
        run(&mut command).exits(0).json()
    }

    fn is_settled(&self) {
        assert_eq!(self.test()["selection"]["build_started"], false);
    }

    fn database(&self) -> rusqlite::Connection {
        let file = self.sample.path().join(".jury/evidence.db");
        rusqlite::Connection::open(file).expect("a database")
    }
}

/// The test class ran, for a reason that holds `why`.
fn ran(answer: &Value, why: &str) {
    let run = &answer["selection"]["run"];
    assert_eq!(run[0]["class"], "radio.MorseTests", "{answer}");
    let reasons = run[0]["reasons"].to_string();
    assert!(reasons.contains(why), "{reasons}");
}

#[test]
fn what_does_not_fit_runs_again_and_says_why() {
    let radio = Radio::compiled();
    a_row_that_was_cut_short_is_no_row(&radio);
    clocks_do_not_matter(&radio);
    a_link_leads_to_the_same_project(&radio);
    another_jdk_is_another_world(&radio);
    a_library_that_is_gone_is_missed(&radio);
    a_copy_of_a_project_has_tests_of_its_own(&radio);
    a_project_that_was_moved_loses_nothing(radio);
}

fn a_row_that_was_cut_short_is_no_row(radio: &Radio) {
    let sql = "UPDATE units SET uses = substr(uses, 1, length(uses) / 2); DELETE FROM settled";
    radio.database().execute_batch(sql).expect("a row to cut");
    ran(&radio.test(), "nothing is recorded about the test");
    radio.is_settled();
}

fn clocks_do_not_matter(radio: &Radio) {
    let class = File::open(radio.sample.path().join(MORSE)).expect("a class");
    let future = SystemTime::now() + Duration::from_secs(86_400);
    class.set_modified(future).expect("a time to set");
    let touched = radio.test();
    assert_eq!(touched["selection"]["build_started"], true);
    assert_eq!(touched["selection"]["run"], json!([]));
    assert_eq!(touched["selection"]["left_out_tests"]["total"], 5);

    // Same size, same time, another content.
    let old = fs::read(radio.sample.path().join(MORSE)).expect("a class");
    let text = b"no time to send ";
    let place = old.windows(text.len()).position(|window| window == text);
    let mut new = old.clone();
    new[place.expect("a constant") + 1] = b'O';
    let path = radio.sample.path().join(MORSE);
    fs::write(&path, &new).expect("a class to write");
    let class = File::open(&path).expect("a class");
    class.set_modified(future).expect("a time to set");
    ran(&radio.test(), "method `radio.Morse.code(");
    fs::write(&path, old).expect("a class to write");
    radio.test();
}

fn a_link_leads_to_the_same_project(radio: &Radio) {
    let link = radio.sample.beside("link");
    symlink(radio.sample.path(), &link).expect("a link");
    let linked = radio.test_in(&link, &radio.jdk);
    assert_eq!(linked["selection"]["run"], json!([]));
}

fn another_jdk_is_another_world(radio: &Radio) {
    let other = (jdks().into_iter()).find(|jdk| jdk.feature != radio.jdk.feature);
    let Some(other) = other else {
        jury_testkit::announce("evidence from another JDK, because there is only one here");
        return;
    };
    ran(&radio.test_in(radio.sample.path(), &other), "JDK");
    let back = radio.test();
    assert_eq!(back["selection"]["run"], json!([]), "its evidence was kept");
}

fn a_library_that_is_gone_is_missed(radio: &Radio) {
    let library = radio.sample.beside("library.jar");
    fs::remove_file(library).expect("a library to delete");
    ran(&radio.test(), "libraries");
}

fn a_copy_of_a_project_has_tests_of_its_own(radio: &Radio) {
    let copy = radio.sample.beside("copy");
    succeed(
        Command::new("cp")
            .arg("-rp")
            .args([radio.sample.path(), &copy]),
    );
    let replay = |exit: i32| {
        let mut command = radio.sample.command(JURY, &radio.jdk);
        command.current_dir(&copy);
        run(command.args(["replay", "--format", "json"])).exits(exit);
    };
    replay(0);
    fs::remove_file(copy.join(MORSE)).expect("a class to delete");
    replay(1);
}

fn a_project_that_was_moved_loses_nothing(radio: Radio) {
    let moved = radio.sample.beside("moved");
    fs::rename(radio.sample.path(), &moved).expect("a project to move");
    let answer = radio.test_in(&moved, &radio.jdk);
    assert_eq!(answer["selection"]["run"], json!([]), "{answer}");
    assert_eq!(answer["selection"]["left_out_tests"]["total"], 5);
}

#[test]
fn a_renamed_module_is_tested_like_a_new_one() {
    let sample = Sample::copy("multi_module");
    let jdk = Jdk::any();
    let test = || {
        let mut command = sample.command(JURY, &jdk);
        command.args(["test", "--format", "json", "--", "mvn", "-q", "test"]);
        let answer = run(&mut command).exits(0).json();
        let run = answer["selection"]["run"]
            .as_array()
            .expect("a list")
            .clone();
        (answer["counts"]["total"].clone(), run)
    };
    let (all, _) = test();
    fs::rename(sample.path().join("core"), sample.path().join("kernel")).expect("a module");
    let pom = fs::read_to_string(sample.path().join("pom.xml")).expect("a pom");
    sample.write("pom.xml", &pom.replace("<module>core<", "<module>kernel<"));
    let (renamed, run) = test();
    assert_eq!(renamed, all);
    let of = |module: &str| run.iter().filter(|unit| unit["module"] == *module).count();
    assert_eq!((of("core"), of("kernel")), (0, 1));
}
