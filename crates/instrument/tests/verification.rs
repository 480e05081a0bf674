//! Real JVMs verify rewritten classes in full (`-Xverify:all`).
//!
//! The quick form rewrites a sample of the JDK at hand. `JURY_FULL_VERIFY=1` takes every class of
//! every JDK in `JURY_JDKS` (a path list; by default those under `/usr/lib/jvm`) and of every
//! jar in `JURY_VERIFY_JARS` (a path list). A class counts against us only if it links as it
//! was and fails to link rewritten.

#![expect(clippy::print_stdout, reason = "counts are part of the test's answer")]

mod verification {
    pub mod jdk;
    pub mod pack;
    pub mod rewriters;
}

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use verification::jdk::Jdk;
use verification::pack::{Entry, read_jar, read_pack, write_pack};
use verification::rewriters::{REWRITERS, Rewriter};

use jury_instrument::Rewritten;

/// Every n-th class makes about two thousand.
const QUICK_SAMPLE: usize = 14;

#[test]
fn rewritten_classes_pass_full_verification() {
    let full = std::env::var("JURY_FULL_VERIFY").is_ok_and(|value| value == "1");
    let jdks = if full {
        Jdk::all()
    } else {
        vec![Jdk::at_hand()]
    };
    let directory = tempfile::tempdir().unwrap();
    let mut broken = Vec::new();
    for jdk in &jdks {
        let bench = Bench::new(jdk, directory.path());
        let image = bench.dump(if full { 1 } else { QUICK_SAMPLE });
        broken.append(&mut bench.verify(&jdk.name(), &image));
        if full {
            for jar in env_paths("JURY_VERIFY_JARS") {
                let name = format!("{} on {}", jar.file_name().unwrap().display(), jdk.name());
                broken.append(&mut bench.verify(&name, &read_jar(&jar)));
            }
        }
    }
    assert!(
        broken.is_empty(),
        "{} broken:\n{}",
        broken.len(),
        broken.join("\n")
    );
}

fn env_paths(variable: &str) -> Vec<PathBuf> {
    let value = std::env::var_os(variable).unwrap_or_default();
    std::env::split_paths(&value)
        .filter(|path| path.exists())
        .collect()
}

/// The Java programs, compiled for one JDK, and room for its files.
struct Bench<'j> {
    jdk: &'j Jdk,
    directory: PathBuf,
}

impl<'j> Bench<'j> {
    fn new(jdk: &'j Jdk, parent: &Path) -> Self {
        let directory = parent.join(jdk.name());
        jdk.compile(&directory);
        Bench { jdk, directory }
    }

    fn dump(&self, every: usize) -> Vec<Entry> {
        let pack = self.directory.join("image.pack");
        self.jdk.dump(&self.directory, &pack, every);
        read_pack(&pack)
    }

    /// Links the classes as they are, then rewritten in each way; returns what that broke.
    fn verify(&self, title: &str, classes: &[Entry]) -> Vec<String> {
        let before = self.link(classes);
        println!(
            "{title}: {} classes, {} fail as they are",
            classes.len(),
            before.len()
        );
        let mut broken = Vec::new();
        for (name, rewriter) in REWRITERS {
            let (rewritten, skipped) = rewrite_all(classes, *rewriter);
            let changed = rewritten
                .iter()
                .zip(classes)
                .filter(|(new, old)| new != old)
                .count();
            let after = self.link(&rewritten);
            let new = after
                .iter()
                .filter(|(class, _)| !before.contains_key(*class));
            let new: Vec<_> = new
                .map(|(class, error)| format!("{title}, {name}: {class}: {error}"))
                .collect();
            println!(
                "  {name}: {changed} rewritten, {} broken, skipped {skipped:?}",
                new.len()
            );
            broken.extend(new);
        }
        broken
    }

    fn link(&self, classes: &[Entry]) -> BTreeMap<String, String> {
        let pack = self.directory.join("link.pack");
        let failures = self.directory.join("failures");
        write_pack(&pack, classes);
        self.jdk.link(&self.directory, &pack, &failures);
        let lines = std::fs::read_to_string(&failures).unwrap();
        let pairs = lines.lines().filter_map(|line| line.split_once('\t'));
        pairs
            .map(|(class, error)| (class.to_owned(), error.to_owned()))
            .collect()
    }
}

/// The classes rewritten, and how many methods were skipped for which reason.
fn rewrite_all(classes: &[Entry], rewriter: Rewriter) -> (Vec<Entry>, BTreeMap<String, usize>) {
    let mut reasons = BTreeMap::new();
    let rewritten = classes.iter().map(|entry| {
        let outcome =
            rewriter(&entry.bytes).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        for method in outcome.skipped() {
            *reasons.entry(method.reason.to_string()).or_default() += 1;
        }
        match outcome {
            Rewritten::Changed { bytes, .. } => Entry {
                bytes,
                ..entry.clone()
            },
            Rewritten::Unchanged { .. } => entry.clone(),
        }
    });
    (rewritten.collect(), reasons)
}
