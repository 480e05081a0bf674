//! The classes of a jar in memory, and a clock. Shared by the benchmarks of both class-file crates.

use std::io::Read;
use std::time::{Duration, Instant};

pub struct Corpus {
    pub classes: Vec<Vec<u8>>,
}

/// None, with a word why, if no jar is named: plain `cargo test` runs benchmarks too.
pub fn load() -> Option<Corpus> {
    let Some(jar) = std::env::var_os("JURY_BENCH_JAR") else {
        println!("set JURY_BENCH_JAR to a jar of classes");
        return None;
    };
    let mut archive = zip::ZipArchive::new(std::fs::File::open(jar).unwrap()).unwrap();
    let mut classes = Vec::new();
    for index in 0..archive.len() {
        let mut member = archive.by_index(index).unwrap();
        if member.name().unwrap().ends_with(".class") {
            let mut bytes = Vec::new();
            member.read_to_end(&mut bytes).unwrap();
            classes.push(bytes);
        }
    }
    Some(Corpus { classes })
}

impl Corpus {
    pub fn megabytes(&self) -> f64 {
        self.classes.iter().map(Vec::len).sum::<usize>() as f64 / 1e6
    }

    /// Prints how fast `work` went. Of each handful of classes the fastest of many rounds
    /// counts: on a shared machine that is the one least disturbed.
    pub fn measure(&self, title: &str, mut work: impl FnMut(&[u8])) {
        let handfuls = self.classes.chunks(50);
        let mut best = vec![Duration::MAX; handfuls.len()];
        for _ in 0..30 {
            for (classes, best) in handfuls.clone().zip(&mut best) {
                let begin = Instant::now();
                classes.iter().for_each(|bytes| work(bytes));
                *best = begin.elapsed().min(*best);
            }
        }
        let seconds = best.iter().sum::<Duration>().as_secs_f64();
        println!(
            "{title}: {:.0} classes/s, {:.0} MB/s",
            self.classes.len() as f64 / seconds,
            self.megabytes() / seconds,
        );
    }
}
