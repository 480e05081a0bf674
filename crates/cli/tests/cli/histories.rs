//! Evidence holds wherever contents are the same, whatever git did to bring them about.

use std::fs;
use std::process::Command;

use jury_testkit::{Jdk, Sample, run};
use serde_json::{Value, json};

use crate::JURY;
use crate::script_build::{BUILD, demo};

const POSTAGE: &str = "src/main/java/teashop/Postage.java";
const DISCOUNT: &str = "src/main/java/teashop/Discount.java";
const PRICE_LIST: &str = "src/main/java/teashop/PriceList.java";

/// The demo in a git repository.
struct Repository(Sample);

impl Repository {
    fn new() -> Self {
        let repository = Repository(demo());
        repository.git(&["init", "-q", "-b", "main"]);
        repository.0.write(".gitignore", "target\n.jury\n");
        repository.commit("begin");
        repository
    }

    fn git(&self, arguments: &[&str]) {
        let status = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
            .args(["-c", "commit.gpgsign=false", "-c", "core.hooksPath="])
            .args(arguments)
            .current_dir(self.0.path())
            .status()
            .expect("git");
        assert!(status.success(), "git {arguments:?}");
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    fn edit(&self, file: &str, from: &str, to: &str) {
        self.0.edit(file, from, to);
    }

    /// Test classes that `jury test` runs.
    fn test(&self) -> Vec<String> {
        self.test_with(&[])
    }

    fn test_with(&self, options: &[&str]) -> Vec<String> {
        let mut command = self.0.command(JURY, &Jdk::any());
        command.args(["test", "--format", "json"]).args(options);
        command.args(BUILD);
        let answer = run(&mut command).exits(0).json();
        let ran = answer["selection"]["run"].as_array().expect("a list");
        ran.iter()
            .map(|unit| {
                unit["class"]
                    .as_str()
                    .expect("text")
                    .replace("teashop.", "")
            })
            .collect()
    }

    fn history(&self, range: &str) -> Value {
        let mut command = self.0.command(JURY, &Jdk::any());
        command.args(["history", "--format", "json", range]);
        run(&mut command).exits(0).json()
    }
}

#[test]
fn a_merge_runs_only_what_no_branch_has_run() {
    let repository = Repository::new();
    assert_eq!(repository.test().len(), 6);

    repository.git(&["switch", "-qc", "postage"]);
    repository.edit(POSTAGE, "(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
    repository.0.write(
        "src/test/java/teashop/NewTests.java",
        "package teashop; class NewTests { @org.junit.jupiter.api.Test void runs() { } }",
    );
    repository.commit("another formula, and a test class that only this branch has");
    let ran = repository.test();
    assert_eq!(ran, ["CheckoutTests", "NewTests", "PostageTests"]);

    repository.git(&["switch", "-q", "main"]);
    assert_eq!(
        repository.test(),
        [""; 0],
        "nothing is new on the old branch"
    );

    repository.git(&["switch", "-qc", "discount"]);
    repository.edit(DISCOUNT, "public Money on(", "public final Money on(");
    repository.commit("another modifier");
    assert_eq!(repository.test(), ["CheckoutTests", "DiscountTests"]);

    repository.git(&["merge", "-q", "--no-edit", "postage"]);
    assert_eq!(
        repository.test(),
        ["CheckoutTests"],
        "only this class uses what both branches changed"
    );

    let merge = repository.history("HEAD~1..HEAD")["events"][0]["tested"].clone();
    assert_eq!(
        merge,
        json!({ "available": 7, "selected": 1, "red": 0 }),
        "a run remembers the commit it was of"
    );

    assert_eq!(repository.test(), [""; 0]);
    assert_eq!(
        repository.test_with(&["--since", "postage"]),
        ["CheckoutTests", "DiscountTests"],
        "they were green, but use what `postage` does not have"
    );

    repository.git(&["revert", "--no-edit", "-m", "1", "HEAD"]);
    assert_eq!(repository.test(), [""; 0], "the state was known before");

    repository.git(&["switch", "-q", "postage"]);
    assert_eq!(
        repository.test(),
        [""; 0],
        "its own test class is remembered"
    );
}

#[test]
fn commits_are_told_of_although_evidence_cannot_be_read() {
    let repository = Repository::new();
    let state = repository.0.path().join(".jury");
    fs::create_dir(&state).expect("a state directory");
    let database = rusqlite::Connection::open(state.join("evidence.db")).expect("a database");
    let newer = "PRAGMA application_id = 0x4a555259; PRAGMA user_version = 99";
    database.execute_batch(newer).expect("a newer format");
    drop(database);
    let answer = repository.history("HEAD");
    assert_eq!(answer["counts"]["commits"], 1);
    let notice = answer["notices"][0]["message"].as_str().expect("a notice");
    assert!(
        notice.starts_with("what `jury test` did at commits is not known: "),
        "{notice}"
    );
}

/// On one branch a test begins to use a class; the other branch edits that class, which no test
/// used there. To skip on a merge what both sides skipped or passed would miss it.
#[test]
fn a_merge_runs_a_test_whose_dependencies_changed_on_one_side_and_contents_on_the_other() {
    let repository = Repository::new();
    repository.0.write(
        "src/main/java/teashop/Parcel.java",
        "package teashop; class Parcel { static int begun(int grams) { return (grams + 999) / 1000; } }",
    );
    repository.commit("a helper that nobody calls");
    repository.test();

    repository.git(&["switch", "-qc", "caller"]);
    repository.edit(POSTAGE, "(grams + 999) / 1000", "Parcel.begun(grams)");
    repository.commit("call it");
    assert_eq!(repository.test(), ["CheckoutTests", "PostageTests"]);

    repository.git(&["switch", "-q", "main"]);
    let parcel = "src/main/java/teashop/Parcel.java";
    repository.edit(parcel, "(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
    repository.commit("edit it");
    assert_eq!(repository.test(), [""; 0], "nobody calls it here");

    repository.git(&["merge", "-q", "--no-edit", "caller"]);
    assert_eq!(repository.test(), ["CheckoutTests", "PostageTests"]);
}

#[test]
fn a_stash_a_rebase_a_pick_and_a_revert_run_only_what_no_evidence_covers() {
    let repository = Repository::new();
    assert_eq!(repository.test().len(), 6);
    repository.git(&["switch", "-qc", "side"]);
    repository.edit(POSTAGE, "(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
    repository.commit("another formula");
    assert_eq!(repository.test(), ["CheckoutTests", "PostageTests"]);

    repository.edit(DISCOUNT, "public Money on(", "public final Money on(");
    assert_eq!(repository.test(), ["CheckoutTests", "DiscountTests"]);
    repository.git(&["stash", "-q"]);
    assert_eq!(repository.test(), [""; 0], "as before the edit");
    repository.git(&["stash", "pop", "-q"]);
    assert_eq!(repository.test(), [""; 0], "as before the stash");
    repository.commit("another modifier");

    repository.git(&["switch", "-q", "main"]);
    repository.edit(PRICE_LIST, "public class", "public final class");
    repository.commit("a final class");
    assert_eq!(repository.test(), ["PriceListTests"]);

    repository.git(&["switch", "-q", "side"]);
    repository.git(&["rebase", "-q", "main"]);
    assert_eq!(repository.test(), [""; 0], "no test uses what both have");

    repository.git(&["switch", "-q", "main"]);
    repository.git(&["cherry-pick", "side~1"]);
    assert_eq!(repository.test(), [""; 0], "known since the first commit");
    repository.git(&["revert", "--no-edit", "HEAD"]);
    repository.git(&["cherry-pick", "side"]);
    assert_eq!(
        repository.test(),
        ["CheckoutTests"],
        "the discount has not been seen without the postage"
    );
}
