//! Taking over what `jury mutate` has learnt elsewhere: in other shards, on other machines.
//!
//! Facts are found by keys that cover all they depend on, so foreign ones need no check of where
//! they come from: whoever asks for a key may rely on its fact. The other evidence is only read,
//! and from a copy, since it may be an artefact that cannot be written or is still in use.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use crate::directory;
use crate::error::StoreError;
use crate::memory::{CoveredTest, News};
use crate::store::{DATABASE, Store};

impl Store {
    /// Adds what the evidence in `state_dir` knows of tests and mutants. Says how many verdicts
    /// there were.
    pub fn take_over(&mut self, state_dir: &Path, now: SystemTime) -> Result<usize, StoreError> {
        let copy = tempfile::tempdir().map_err(|error| StoreError::io("copy", state_dir, error))?;
        for suffix in ["", "-wal"] {
            let from = directory::beside(&state_dir.join(DATABASE), suffix);
            let to = directory::beside(&copy.path().join(DATABASE), suffix);
            match fs::copy(&from, &to) {
                Err(error) if suffix.is_empty() => {
                    return Err(StoreError::io("read", &from, error));
                }
                // The log is there only while, or after, somebody did not close the database.
                Ok(_) | Err(_) => {}
            }
        }
        let other = Store::open(copy.path())?;
        if other.notice().is_some() {
            return Err(StoreError::ForeignDamaged {
                path: state_dir.to_owned(),
            });
        }
        let mut news = News {
            covered: other.covered_tests()?,
            verdicts: other.verdicts()?,
            answers: other.answers()?,
            left_out: other.left_out()?,
        };
        let names = other.method_names()?;
        let own = self.number_methods(
            &names
                .iter()
                .map(|(_, class, method)| (class.as_str(), method.as_str()))
                .collect::<Vec<_>>(),
        )?;
        let numbers: HashMap<u32, u32> = (names.iter().map(|(number, ..)| *number))
            .zip(own)
            .collect();
        // Methods without a name are no methods of a sound store, and neither is the test.
        news.covered.retain_mut(|test| {
            let CoveredTest {
                methods,
                initialising,
                ..
            } = test;
            [methods, initialising].into_iter().all(|methods| {
                let translated = methods.iter().map(|number| numbers.get(number).copied());
                let translated: Option<Vec<u32>> = translated.collect();
                let known = translated.is_some();
                *methods = translated.unwrap_or_default();
                methods.sort_unstable();
                known
            })
        });
        let verdicts = news.verdicts.len();
        self.remember(&news, now)?;
        Ok(verdicts)
    }

    fn method_names(&self) -> Result<Vec<(u32, String, String)>, StoreError> {
        self.rows(
            "SELECT id, class, method FROM methods ORDER BY id",
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
    }
}
