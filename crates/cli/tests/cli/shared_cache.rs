//! What one copy of a project has learnt spares another copy its tests, through a shared cache.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use jury_testkit::{Jdk, Sample, run};
use serde_json::Value;

use crate::JURY;
use crate::script_build::{BUILD, demo};

const POSTAGE: &str = "src/main/java/teashop/Postage.java";

fn test(sample: &Sample, cache: &str) -> Value {
    test_with(sample, cache, &BUILD)
}

fn test_with(sample: &Sample, cache: &str, arguments: &[&str]) -> Value {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(["test", "--format", "json", "--cache", cache]);
    run(command.args(arguments)).exits(0).json()
}

fn edit_postage(sample: &Sample) {
    sample.edit(POSTAGE, "(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
}

fn ran(answer: &Value) -> usize {
    answer["selection"]["run"].as_array().expect("a list").len()
}

fn left_out_tests(answer: &Value) -> u64 {
    answer["selection"]["left_out_tests"]["total"]
        .as_u64()
        .expect("a number")
}

fn notices(answer: &Value) -> Vec<&str> {
    let notices = answer["notices"].as_array().expect("a list");
    (notices.iter())
        .map(|notice| notice["message"].as_str().expect("text"))
        .collect()
}

/// Entries of a cache in a directory.
fn entries(cache: &Path) -> Vec<PathBuf> {
    let list = |directory: &Path| {
        let entries = fs::read_dir(directory).expect("a directory");
        entries.map(|entry| entry.expect("an entry").path())
    };
    list(&cache.join("entries"))
        .flat_map(|part| list(&part).collect::<Vec<_>>())
        .collect()
}

#[test]
fn a_copy_elsewhere_runs_only_what_nobody_has_run() {
    let (here, there) = (Sample::copy("demo"), Sample::copy_as("demo", "elsewhere"));
    let test = |sample: &Sample, cache: &str, options: &[&str]| {
        let arguments = [options, &["--", "mvn", "-q", "test"]].concat();
        test_with(sample, cache, &arguments)
    };
    let directory = here.beside("shared");
    let cache = format!("file://{}", directory.display());
    assert_eq!(ran(&test(&here, &cache, &[])), 6);

    edit_postage(&there);
    let published = entries(&directory).len();
    let answer = test(&there, &cache, &["--cache-read-only"]);
    assert_eq!((ran(&answer), left_out_tests(&answer)), (2, 27));
    assert_eq!(entries(&directory).len(), published, "nothing was written");
    assert_eq!(notices(&answer), [""; 0]);

    let answer = test(&there, &cache, &["--all"]);
    assert_eq!(ran(&answer), 6);
    edit_postage(&here);
    let answer = test(&here, &cache, &[]);
    assert_eq!((ran(&answer), left_out_tests(&answer)), (0, 34));
    let settled = test(&here, &cache, &[]);
    assert_eq!(settled["selection"]["build_started"], false);
}

#[test]
fn a_poisoned_cache_costs_time_and_is_named_once() {
    let (here, there) = (demo(), demo());
    let directory = here.beside("shared");
    let cache = format!("file://{}", directory.display());
    test(&here, &cache);
    for entry in entries(&directory) {
        fs::write(entry, "forged").expect("a writable file");
    }
    let answer = test(&there, &cache);
    assert_eq!(ran(&answer), 6);
    let expected = format!("ignored 6 damaged entries in the shared cache `{cache}`");
    assert_eq!(notices(&answer), [expected]);
}

#[test]
fn a_cache_out_of_reach_is_done_without_and_named_once() {
    let sample = demo();
    // The port is free again as soon as the listener is dropped.
    let listener = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let cache = format!("redis://{}", listener.expect("an address"));
    let answer = test(&sample, &cache);
    assert_eq!(ran(&answer), 6);
    let notices = notices(&answer);
    assert_eq!(notices.len(), 1, "{notices:?}");
    let expected = format!("went on without the shared cache `{cache}`: ");
    assert!(notices[0].starts_with(&expected), "{notices:?}");
}
