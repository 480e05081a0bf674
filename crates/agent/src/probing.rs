//! Probes the project's classes as they load, so that it is known which of their methods run.
//! Numbers are handed out in the order of loading and told with each class. What cannot be probed
//! is told of too, and never a reason to switch the agent off.
//!
//! A class is seen twice: as its loader found it, which is what the project's files are compared
//! with, and when other agents have had their turn. Probes go in then, so that a coverage tool
//! recognises the class it knows.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, ThreadId};

use jury_instrument::{EntryProbe, Plan, RewriteError, Rewritten, Scope, rewrite};
use jury_protocol::{Collect, Launch, LoadedClass, Record};

use crate::origins::Origins;

const PROBES: &str = "jury/boot/Probes";

type Digest = [u8; 16];

pub struct Probing {
    origins: Origins,
    numbers: Arc<Numbers>,
    /// Classes between their first sight and their second, which come on one thread.
    arrived: Mutex<HashMap<(ThreadId, String), Arrival>>,
    /// First numbers of probed classes by name, each beside what it was probed in. The same class
    /// may come again: through another loader, or because somebody transforms it anew.
    probed: Mutex<HashMap<String, Vec<(Digest, u32)>>>,
}

struct Arrival {
    origin: String,
    digest: Digest,
}

impl Probing {
    pub fn new(collect: &Collect, launch: &Launch) -> Self {
        Self {
            origins: Origins::of(launch, Path::new(&collect.root)),
            numbers: Arc::default(),
            arrived: Mutex::default(),
            probed: Mutex::default(),
        }
    }

    /// How many numbers have been given to methods so far.
    pub fn count(&self) -> u32 {
        self.numbers.next.load(Ordering::Relaxed)
    }

    /// Whether a class (VM form) lies in one of the project's own places.
    pub fn is_of_project(&self, class: &str) -> bool {
        self.origins.of_class(class).is_some()
    }

    /// A class (VM form) was found by its loader.
    pub fn arrive(&self, class: &str, file: &[u8]) {
        if let Some(origin) = self.origins.of_class(class) {
            let arrival = Arrival {
                origin: origin.to_owned(),
                digest: digest(file),
            };
            lock(&self.arrived).insert((thread::current().id(), class.to_owned()), arrival);
        }
    }

    /// Puts probes into a class, unless it is none of the project's.
    pub fn rewrite(
        &self,
        class: &str,
        file: &[u8],
        sees_probes: impl Fn() -> bool,
        report: impl Fn(Record),
    ) -> Option<Vec<u8>> {
        let arrival = lock(&self.arrived).remove(&(thread::current().id(), class.to_owned()));
        if arrival.is_none() && !lock(&self.probed).contains_key(class) {
            return None;
        }
        if is_probed(file) {
            return None;
        }
        let left_out = |method: String, reason: String| {
            report(Record::LeftOut {
                class: class.to_owned(),
                method,
                reason,
            });
        };
        if !sees_probes() {
            let hidden = "its class loader hides the probes from it";
            left_out(String::new(), hidden.to_owned());
            return None;
        }
        let found = digest(file);
        let known = self.known_numbers(class, found);
        let (rewritten, numbers) = match self.probe(file, known) {
            Ok(probed) => probed,
            Err(error) => {
                left_out(String::new(), error.to_string());
                return None;
            }
        };
        let Some((first, methods)) = numbers else {
            let full = "more methods were loaded than can be told apart";
            left_out(String::new(), full.to_owned());
            return None;
        };
        if known.is_none() {
            let mut probed = lock(&self.probed);
            let versions = probed.entry(class.to_owned()).or_default();
            versions.push((found, first));
        }
        // An interface without code that somebody transforms anew, as mocking does: nothing in it
        // can run, and the JVM has put its file together by itself, so it is no file of the project.
        let is_made_up = arrival.is_none() && matches!(rewritten, Rewritten::Unchanged { .. });
        if known.is_none() && !is_made_up {
            let arrival = arrival.unwrap_or_else(|| Arrival {
                origin: self.origins.of_class(class).unwrap_or_default().to_owned(),
                digest: found,
            });
            report(Record::ClassLoaded(LoadedClass {
                class: class.to_owned(),
                origin: arrival.origin,
                digest: arrival.digest,
                first,
                methods,
            }));
            for skipped in rewritten.skipped() {
                let method = format!("{}{}", skipped.name, skipped.descriptor);
                left_out(method, skipped.reason.to_string());
            }
        }
        match rewritten {
            Rewritten::Unchanged { .. } => None,
            Rewritten::Changed { bytes, .. } => Some(bytes),
        }
    }

    fn known_numbers(&self, class: &str, found: Digest) -> Option<u32> {
        let probed = lock(&self.probed);
        let versions = probed.get(class)?;
        let (_, first) = versions.iter().find(|(digest, _)| *digest == found)?;
        Some(*first)
    }

    /// The class with its probes, its first number and how many it has. The numbers are those
    /// that are known, or else new ones.
    fn probe(
        &self,
        file: &[u8],
        known: Option<u32>,
    ) -> Result<(Rewritten, Option<(u32, u32)>), RewriteError> {
        let given = Arc::new(OnceLock::new());
        let (numbers, giving) = (Arc::clone(&self.numbers), Arc::clone(&given));
        let numbering = move |_: &str, methods: u16| {
            let first = known.or_else(|| numbers.reserve(methods.into()))?;
            Some(giving.get_or_init(|| (first, u32::from(methods))).0)
        };
        let probe = EntryProbe::new(Scope::all(), PROBES, "HITS", numbering)
            .bracketing_initialisers("initialising", "initialised")
            .bracketing_stores("storing", "stored");
        let rewritten = rewrite(file, &Plan::new().with(probe))?;
        Ok((rewritten, given.get().copied()))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The numbers that are still free.
#[derive(Default)]
struct Numbers {
    next: AtomicU32,
}

impl Numbers {
    /// As many as `jury.boot.Probes` has room for.
    const MOST: u32 = 1 << 20;

    fn reserve(&self, count: u32) -> Option<u32> {
        let following = |next: u32| next.checked_add(count).filter(|next| *next <= Self::MOST);
        self.next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, following)
            .ok()
    }
}

fn digest(file: &[u8]) -> Digest {
    let mut digest = [0; 16];
    digest.copy_from_slice(&blake3::hash(file).as_bytes()[..16]);
    digest
}

/// True for bytes that another agent got after our rewriting and redefines the class with.
fn is_probed(file: &[u8]) -> bool {
    file.windows(PROBES.len())
        .any(|window| window == PROBES.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_out_without_being_given_twice() {
        let numbers = Numbers::default();
        assert_eq!(numbers.reserve(3), Some(0));
        assert_eq!(numbers.reserve(Numbers::MOST), None);
        assert_eq!(numbers.reserve(Numbers::MOST - 3), Some(3));
        assert_eq!(numbers.reserve(0), Some(Numbers::MOST));
        assert_eq!(numbers.reserve(1), None);
    }
}
