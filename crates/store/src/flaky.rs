//! Tests that were found to be flaky. A finding stays until it is taken back; whether it still
//! speaks of the present is for those to say who can read what the test used.

use std::time::SystemTime;

use jury_model::{Flakiness, FlakyTest, TestId};
use rusqlite::{TransactionBehavior, params};

use crate::error::StoreError;
use crate::query::{test_case, word};
use crate::recipe_text::RecipeId;
use crate::record::unix_millis;
use crate::store::Store;

/// A flaky test to be remembered.
#[derive(Debug, Clone)]
pub struct NewFlaky {
    pub module: String,
    pub id: TestId,
    pub kind: Flakiness,
    /// Names of classes.
    pub culprits: Vec<String>,
    pub rounds: usize,
    /// Empty, like the row, if it is not known what the test used.
    pub catalogue: Vec<u8>,
    pub row: Vec<u8>,
}

/// A flaky test that is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFlaky {
    pub module: String,
    pub id: TestId,
    /// The outermost class, and the method unit, that it belongs to.
    pub class: String,
    pub method_unit: String,
    pub flaky: FlakyTest,
    /// How often each kind of round was run to find it.
    pub rounds: usize,
    /// The recipe the test has now.
    pub recipe: Option<RecipeId>,
    pub catalogue: Vec<u8>,
    pub row: Vec<u8>,
}

impl Store {
    /// All tests that were found to be flaky, ordered by module and class.
    pub fn flaky_tests(&self) -> Result<Vec<StoredFlaky>, StoreError> {
        self.rows(
            "SELECT t.module, t.test_id, t.engine, t.class, t.method, t.variant, t.display_name,
                    t.recipe, f.kind, f.culprits, f.rounds, f.catalogue, f.uses
             FROM flaky AS f JOIN tests AS t ON t.id = f.test
             ORDER BY t.module, t.class, t.id",
            [],
            |row| {
                let test = test_case(row)?;
                let culprits: String = row.get(9)?;
                Ok(StoredFlaky {
                    module: row.get(0)?,
                    class: test.top_level_class().to_owned(),
                    method_unit: test.method_unit(),
                    flaky: FlakyTest {
                        label: test.label(),
                        kind: word(row, 8, Flakiness::from_word)?,
                        culprits: culprits.lines().map(str::to_owned).collect(),
                    },
                    id: test.id,
                    rounds: row.get::<_, u32>(10)? as usize,
                    recipe: row.get::<_, Option<String>>(7)?.map(RecipeId),
                    catalogue: row.get(11)?,
                    row: row.get(12)?,
                })
            },
        )
    }

    /// Remembers flaky tests, and forgets those that are flaky no more, all or nothing. What was said
    /// of a state in which no test has to run is taken back with it.
    pub fn keep_flaky(
        &mut self,
        found: &[NewFlaky],
        taken_back: &[(String, TestId)],
        now: SystemTime,
    ) -> Result<(), StoreError> {
        let mut write = || {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            for (module, id) in taken_back {
                transaction.execute(
                    "DELETE FROM flaky WHERE test =
                         (SELECT id FROM tests WHERE module = ?1 AND test_id = ?2)",
                    (module, id.as_str()),
                )?;
            }
            for one in found {
                transaction.execute(
                    "INSERT OR REPLACE INTO flaky
                         (test, kind, culprits, rounds, found_at, catalogue, uses)
                     SELECT id, ?3, ?4, ?5, ?6, ?7, ?8 FROM tests
                     WHERE module = ?1 AND test_id = ?2",
                    params![
                        one.module,
                        one.id.as_str(),
                        one.kind.word(),
                        one.culprits.join("\n"),
                        u32::try_from(one.rounds).unwrap_or(u32::MAX),
                        unix_millis(now),
                        one.catalogue,
                        one.row,
                    ],
                )?;
            }
            if !found.is_empty() {
                transaction.execute("DELETE FROM settled", [])?;
            }
            transaction.commit()
        };
        write().map_err(|error| self.failed(error))
    }
}
