//! Probes the project's classes as they load, so that it is known which of their methods run.
//! Numbers are handed out in the order of loading and told with each class. What cannot be probed
//! is told of too, and never a reason to switch the agent off.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use jury_instrument::{EntryProbe, Plan, RewriteError, Rewritten, Scope, rewrite};
use jury_protocol::{Collect, Launch, LoadedClass, Record};

use crate::origins::Origins;

const PROBES: &str = "jury/boot/Probes";

pub struct Probing {
    origins: Origins,
    numbers: Arc<Numbers>,
}

/// A class that is about to be loaded.
pub struct Arriving<'a> {
    /// In VM form.
    pub name: &'a str,
    pub origin: &'a str,
    pub file: &'a [u8],
}

impl Probing {
    pub fn new(collect: &Collect, launch: &Launch) -> Self {
        Self {
            origins: Origins::of(launch, Path::new(&collect.root)),
            numbers: Arc::default(),
        }
    }

    /// Where a class comes from, if it is one of the project's.
    pub fn origin_of(&self, class: &str) -> Option<&str> {
        self.origins.of_class(class)
    }

    pub fn rewrite(
        &self,
        class: &Arriving<'_>,
        sees_probes: impl Fn() -> bool,
        report: impl Fn(Record),
    ) -> Option<Vec<u8>> {
        if is_probed(class.file) {
            return None;
        }
        let left_out = |method: String, reason: String| {
            report(Record::LeftOut {
                class: class.name.to_owned(),
                method,
                reason,
            });
        };
        if !sees_probes() {
            let hidden = "its class loader hides the probes from it";
            left_out(String::new(), hidden.to_owned());
            return None;
        }
        let (rewritten, numbers) = match self.probe(class.file) {
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
        report(Record::ClassLoaded(LoadedClass {
            class: class.name.to_owned(),
            origin: class.origin.to_owned(),
            digest: digest(class.file),
            first,
            methods,
        }));
        for skipped in rewritten.skipped() {
            let method = format!("{}{}", skipped.name, skipped.descriptor);
            left_out(method, skipped.reason.to_string());
        }
        match rewritten {
            Rewritten::Unchanged { .. } => None,
            Rewritten::Changed { bytes, .. } => Some(bytes),
        }
    }

    /// The class with its probes, its first number and how many it has.
    fn probe(&self, file: &[u8]) -> Result<(Rewritten, Option<(u32, u32)>), RewriteError> {
        let given = Arc::new(OnceLock::new());
        let (numbers, giving) = (Arc::clone(&self.numbers), Arc::clone(&given));
        let numbering = move |_: &str, methods: u16| {
            let first = numbers.reserve(methods.into())?;
            Some(giving.get_or_init(|| (first, u32::from(methods))).0)
        };
        let probe = EntryProbe::new(Scope::all(), PROBES, "reach", numbering)
            .bracketing_initialisers("initialising", "initialised");
        let rewritten = rewrite(file, &Plan::new().with(probe))?;
        Ok((rewritten, given.get().copied()))
    }
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

fn digest(file: &[u8]) -> [u8; 16] {
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
