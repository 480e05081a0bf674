//! `jury test`: what the user sees of the build, and what is kept of it.

use std::process::Command;
use std::{fs, iter};

use jury_testkit::{Jdk, Sample, run, succeed};
use serde_json::{Value, json};

use crate::JURY;
use crate::script_build::console;

fn jury(sample: &Sample, jdk: &Jdk, arguments: &[&str]) -> Command {
    let mut command = sample.command(JURY, jdk);
    command.args(arguments);
    command
}

/// Mockito's agent makes the JVM itself write to both streams, and Surefire sort it.
#[test]
fn the_output_of_the_build_arrives_as_it_is() {
    let jdk = Jdk::any();
    let sample = Sample::copy("with_mockito_inline");
    let maven = ["mvn", "-B", "-o", "test"];
    // Once for the downloads, whose lines would come only the first time.
    succeed(sample.command("mvn", &jdk).args(["-B", "test"]));
    let plain = run(sample.command("mvn", &jdk).args(&maven[1..])).exits(0);
    let watched = run(jury(&sample, &jdk, &["test", "--"]).args(maven)).exits(0);

    assert_eq!(steady_lines(&watched.stderr), steady_lines(&plain.stderr));
    let shown = steady_lines(&watched.stdout);
    let expected = steady_lines(&plain.stdout);
    assert_eq!(shown[..expected.len()], expected);
    let summary = &shown[expected.len()..];
    assert_eq!(summary[0], "jury ok: 4 tests, 4 passed");
    assert_eq!(
        summary.len(),
        2,
        "no more than a summary is added: {summary:?}"
    );
}

/// The lines of a build without the numbers that differ from run to run, and without the colour
/// resets that Maven writes before its first line and after its last.
fn steady_lines(text: &str) -> Vec<String> {
    let timed = ["Total time:", "Finished at:"];
    let text = text.replace("\u{1b}[0m", "");
    text.lines()
        .filter(|line| !line.is_empty() && !timed.iter().any(|word| line.contains(word)))
        .map(|line| {
            line.split("Time elapsed:")
                .next()
                .unwrap_or(line)
                .to_owned()
        })
        .collect()
}

/// Any command may start Maven, so one that shows its variables stands for it.
#[test]
fn maven_is_started_to_compile_quickly_unless_its_user_has_chosen() {
    let jdk = Jdk::any();
    let sample = Sample::copy("junit5");
    let started_with = |own: Option<&str>| {
        let mut command = jury(&sample, &jdk, &["test", "--", "env"]);
        match own {
            Some(own) => command.env("MAVEN_OPTS", own),
            None => command.env_remove("MAVEN_OPTS"),
        };
        let shown = run(&mut command).exits(0).stdout;
        let value = shown
            .lines()
            .find_map(|line| line.strip_prefix("MAVEN_OPTS="));
        value.expect("a variable").to_owned()
    };
    let quick = "-XX:+TieredCompilation -XX:TieredStopAtLevel=1";
    assert_eq!(started_with(None), quick);
    assert_eq!(started_with(Some("-Xmx1g")), format!("-Xmx1g {quick}"));
    let chosen = "-XX:TieredStopAtLevel=4";
    assert_eq!(started_with(Some(chosen)), chosen);
}

#[test]
fn a_single_module_is_tested_with_what_it_needs() {
    let jdk = Jdk::any();
    let sample = Sample::copy("multi_module");
    let arguments = ["test", "--module", "core", "--format", "json"];
    let watched = run(&mut jury(&sample, &jdk, &arguments)).exits(0).json();
    let Value::Object(modules) = &watched["modules"] else {
        panic!("no modules: {watched}");
    };
    assert_eq!(modules.keys().collect::<Vec<_>>(), ["core"]);

    let ran = run(&mut jury(&sample, &jdk, &["test", "--module", "cor"])).exits(4);
    assert!(
        ran.stderr
            .starts_with("error: the project has no module `cor`; it has `.`, "),
        "{}",
        ran.stderr
    );
}

/// The console sample is compiled once; from then on a run takes a JVM and no build tool.
#[test]
fn a_plain_java_command_is_watched_like_a_build() {
    let jdk = Jdk::any();
    let sample = console();

    two_runs_at_once_are_both_kept(&sample, &jdk);
    a_corrupt_jar_on_the_class_path_changes_nothing(&sample, &jdk);
    options_of_the_user_stay_in_force(&sample, &jdk);
    a_full_disk_costs_the_run_and_nothing_else(&sample, &jdk);
}

const CLASS_PATH: &str =
    "target/lib/junit-platform-console-standalone.jar:target/classes:target/test-classes";
const LAUNCHER: [&str; 3] = [
    "org.junit.platform.console.ConsoleLauncher",
    "execute",
    "--scan-class-path",
];

fn watch_console(sample: &Sample, jdk: &Jdk, class_path: &str) -> Command {
    let mut command = jury(sample, jdk, &["test", "--format", "json", "--"]);
    command.args(["java", "-cp", class_path]).args(LAUNCHER);
    command
}

fn two_runs_at_once_are_both_kept(sample: &Sample, jdk: &Jdk) {
    let runs: Vec<_> = iter::repeat_with(|| {
        let mut command = watch_console(sample, jdk, CLASS_PATH);
        std::thread::spawn(move || run(&mut command))
    })
    .take(2)
    .collect();
    for one in runs {
        let counts = &one.join().expect("a run").exits(0).json()["counts"];
        assert_eq!(
            (&counts["total"], &counts["passed"]),
            (&json!(5), &json!(3))
        );
    }
    let database = rusqlite::Connection::open(sample.path().join(".jury/evidence.db")).unwrap();
    let runs = database.query_row("SELECT count(*) FROM runs", [], |row| row.get::<_, u32>(0));
    assert_eq!(runs, Ok(2));
}

fn a_corrupt_jar_on_the_class_path_changes_nothing(sample: &Sample, jdk: &Jdk) {
    sample.write(
        "corrupt.jar",
        "PK\u{3}\u{4} and then nothing that a jar would hold",
    );
    let class_path = format!("corrupt.jar:{CLASS_PATH}");
    let watched = run(&mut watch_console(sample, jdk, &class_path))
        .exits(0)
        .json();
    assert_eq!(watched["counts"]["total"], 5);
    run(&mut jury(sample, jdk, &["replay"])).exits(0);
}

/// Jury injects its agent by the very variable that a user may have set.
fn options_of_the_user_stay_in_force(sample: &Sample, jdk: &Jdk) {
    let mut command = watch_console(sample, jdk, CLASS_PATH);
    let ran = run(command.env("JAVA_TOOL_OPTIONS", "-Duser.language=fr")).exits(0);
    assert_eq!(ran.json()["counts"]["total"], 5);
    assert!(!ran.stderr.contains("agentpath"), "{}", ran.stderr);
}

fn a_full_disk_costs_the_run_and_nothing_else(sample: &Sample, jdk: &Jdk) {
    let disk = sample.beside("disk");
    fs::create_dir(&disk).expect("directory");
    // A namespace of its own lets any user mount a tiny disk, and takes it away at its end.
    let script = r#"
        mount -t tmpfs -o size=1m none "$0" || exit 99
        "$@" >/dev/null 2>&1 || exit 98
        cat /dev/zero >"$0/filler" 2>/dev/null
        "$@" >/dev/null
        echo $? >&2
        rm "$0/filler"
        "$1" tests --state-dir "$0/state" --format json"#;
    let mut command = sample.command("unshare", jdk);
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
    command
        .arg(&disk)
        .args([JURY, "test", "--all", "--state-dir"])
        .arg(disk.join("state"));
    command
        .args(["--", "java", "-cp", CLASS_PATH])
        .args(LAUNCHER);
    let ran = run(&mut command);
    if ran.code == 99 || ran.stderr.contains("unshare") {
        jury_testkit::announce("a full disk, because no file system can be mounted here");
        return;
    }
    let ran = ran.exits(0);
    let said = "error: failed to write evidence: the disk is full\n  \
                hint: free some space; evidence up to the last run is kept\n4\n";
    assert!(ran.stderr.ends_with(said), "{}", ran.stderr);
    assert_eq!(ran.json()["tests"].as_array().map(Vec::len), Some(5));
}
