//! `docs/store.md` says what is true of the database.

use jury_store::{DATABASE, Store};
use rusqlite::Connection;

const MANUAL: &str = include_str!("../../../docs/store.md");

fn database() -> (Connection, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    drop(Store::open(directory.path()).unwrap());
    let connection = Connection::open(directory.path().join(DATABASE)).unwrap();
    (connection, directory)
}

#[test]
fn queries_in_the_manual_run() {
    let (connection, _directory) = database();
    let queries: Vec<&str> = MANUAL
        .split("evidence.db \"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert_eq!(queries.len(), 3);
    for query in queries {
        connection.prepare(query).unwrap();
    }
}

#[test]
fn every_table_and_column_is_in_the_manual() {
    let (connection, _directory) = database();
    let mut statement = connection
        .prepare(
            "SELECT t.name, c.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'",
        )
        .unwrap();
    let columns: Vec<(String, String)> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert!(!columns.is_empty());
    for (table, column) in columns {
        assert!(MANUAL.contains(&format!("**`{table}`**")), "{table}");
        assert!(MANUAL.contains(&format!("`{column}`")), "{table}.{column}");
    }
}
