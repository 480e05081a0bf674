//! Whether a JVM computes although nobody asked it to: threads that tests have left behind, which a mutant
//! may have robbed of whatever made them wait or end, take processors away from all that comes after.
//!
//! Linux tells for each thread how long it has run. What the JVM does for itself, such as compiling, does
//! not count.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// How long a JVM may be young, or have been looked at lately, without being looked at.
const BETWEEN_LOOKS: Duration = Duration::from_secs(5);
/// A JVM at rest shows so within this.
const GLANCE: Duration = Duration::from_millis(4);
/// Otherwise its threads are looked at for so long.
const LOOK: Duration = Duration::from_millis(20);
/// A thread that waits now and then is no harm.
const RESTLESS_SHARE: u32 = 4;
/// The most that patience grows to: five minutes.
const MOST_DOUBLINGS: u32 = 6;

/// How HotSpot's own threads begin, as the system has their names.
const OWN: [&str; 16] = [
    "C1 ",
    "C2 ",
    "GC Thread",
    "G1 ",
    "VM ",
    "Z",
    "Shenandoah",
    "Sweeper",
    "Service Thread",
    "Monitor",
    "Signal",
    "Common-Cleaner",
    "Reference",
    "Finalizer",
    "Notification",
    "Attach",
];

/// Who has JVMs that may have to be given up, one after the other. Where each is restless again, tests
/// themselves may have it so, and the next one is given twice as long.
#[derive(Debug, Default)]
pub struct Patience {
    given_up: u32,
    lasts_until: Option<Instant>,
}

impl Patience {
    /// Whether a JVM is to be given up, after a look at it.
    pub fn is_over(&mut self, look: Option<bool>) -> bool {
        self.is_over_at(look, Instant::now())
    }

    fn is_over_at(&mut self, look: Option<bool>, now: Instant) -> bool {
        match look {
            Some(true) if self.lasts_until.is_none_or(|until| until <= now) => {
                let doublings = self.given_up.min(MOST_DOUBLINGS);
                self.lasts_until = Some(now + BETWEEN_LOOKS * 2_u32.pow(doublings));
                self.given_up += 1;
                true
            }
            Some(false) => {
                *self = Patience::default();
                false
            }
            Some(true) | None => false,
        }
    }
}

/// When a JVM was last looked at.
#[derive(Debug)]
pub(crate) struct Looked(Instant);

impl Looked {
    pub fn now() -> Self {
        Looked(Instant::now())
    }

    /// Whether a thread of the JVM, which is not asked to do anything, computes for a good part of the time.
    /// Every few seconds somebody looks; none if nobody does, or the system does not tell.
    pub fn is_restless(&mut self, process: u32) -> Option<bool> {
        if self.0.elapsed() < BETWEEN_LOOKS {
            return None;
        }
        self.0 = Instant::now();
        if computed(process, GLANCE)?.is_zero() {
            return Some(false);
        }
        Some(computed(process, LOOK)? > LOOK / RESTLESS_SHARE)
    }
}

/// How long the busiest thread that is not the JVM's own runs within a time.
fn computed(process: u32, time: Duration) -> Option<Duration> {
    let before = running_times(process)?;
    thread::sleep(time);
    let after = running_times(process)?;
    let ran = after.into_iter().filter_map(|(thread, nanos)| {
        let mut known = before.iter();
        let (_, before) = known.find(|(known, _)| *known == thread)?;
        Some(nanos.saturating_sub(*before))
    });
    Some(Duration::from_nanos(ran.max().unwrap_or_default()))
}

/// By thread, in nanoseconds.
fn running_times(process: u32) -> Option<Vec<(String, u64)>> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let time = |thread: &Path| {
        let name = fs::read_to_string(thread.join("comm")).ok()?;
        if OWN.iter().any(|own| name.starts_with(own)) {
            return None;
        }
        let told = fs::read_to_string(thread.join("schedstat")).ok()?;
        let nanos = told.split(' ').next()?.parse().ok()?;
        Some((thread.file_name()?.to_string_lossy().into_owned(), nanos))
    };
    // One that ends meanwhile is no trouble.
    let times = threads.flatten().filter_map(|thread| time(&thread.path()));
    Some(times.collect())
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command};

    use super::*;

    /// A process that runs such a script, and is known for long.
    fn is_restless(script: &str) -> bool {
        let child = Command::new("sh").args(["-c", script]).spawn().unwrap();
        let mut child = Ended(child);
        let mut looked = Looked(Instant::now() - BETWEEN_LOOKS);
        // Whether it has begun yet, and how many others want a processor, is chance.
        let mut looks = 0..100;
        let found = looks.any(|_| {
            looked.0 -= BETWEEN_LOOKS;
            looked.is_restless(child.0.id()) == Some(true)
        });
        let _ = child.0.kill();
        found
    }

    struct Ended(Child);

    impl Drop for Ended {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    #[test]
    fn who_computes_without_end_is_restless_and_who_waits_is_not() {
        assert!(is_restless("while :; do :; done"));
        assert!(!is_restless("exec sleep 60"));
    }

    #[test]
    fn nobody_is_looked_at_twice_at_once() {
        let mut looked = Looked::now();
        assert_eq!(looked.is_restless(std::process::id()), None);
    }

    #[test]
    fn what_is_restless_again_and_again_is_given_up_less_and_less_often() {
        let begin = Instant::now();
        let mut patience = Patience::default();
        let given_up: Vec<u64> = (0..100)
            .filter(|seconds| {
                patience.is_over_at(Some(true), begin + Duration::from_secs(*seconds))
            })
            .collect();
        assert_eq!(given_up, [0, 5, 15, 35, 75]);
        assert!(!patience.is_over_at(Some(false), begin));
        assert!(!patience.is_over_at(None, begin));
        assert!(patience.is_over_at(Some(true), begin));
    }
}
