//! `jury report` through the real binary: what the last runs have selected.

use std::fs;
use std::process::Command;

use jury_testkit::{Jdk, Sample, browse, run, succeed};

use crate::JURY;
use crate::script_build::{BUILD, demo};

fn jury(sample: &Sample, arguments: &[&str]) -> Command {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(arguments);
    command
}

#[test]
fn every_test_class_has_a_reason_and_every_run_a_bar() {
    let sample = demo();
    run(&mut jury(&sample, &["report"])).exits(4);
    let test = || succeed(jury(&sample, &["test"]).args(BUILD));
    test();
    let path = sample.path().join("src/main/java/teashop/Postage.java");
    let text = fs::read_to_string(&path).expect("a source file");
    let edited = text.replace("(grams + 999) / 1000", "(grams - 1) / 1000 + 1");
    assert_ne!(edited, text);
    fs::write(&path, edited).expect("a writable file");
    test();

    let report = run(&mut jury(&sample, &["report", "--format", "json"]));
    let report = report.exits(0).json();
    let figures: Vec<_> = (report["runs"].as_array().expect("a list").iter())
        .map(|run| [&run["run_classes"], &run["left_out_classes"]].map(|count| count.as_u64()))
        .collect();
    assert_eq!(figures, [[Some(6), Some(0)], [Some(2), Some(4)]]);
    let units = report["units"].as_array().expect("a list");
    assert_eq!(units.len(), 6);
    for unit in units {
        let reason = unit["reason"].as_str().expect("text");
        let expected = match unit["ran"].as_bool().expect("a truth") {
            true => "teashop.Postage",
            false => "nothing it uses has changed",
        };
        assert!(reason.contains(expected), "{unit}");
        assert!(unit["micros"].as_u64().expect("a number") > 0, "{unit}");
    }

    let markdown = succeed(&mut jury(&sample, &["report", "--format", "markdown"]));
    assert!(
        markdown
            .stdout
            .contains("### Jury: 2 of 6 test classes ran")
    );
    run(&mut jury(&sample, &["report", "--format", "sarif"])).exits(2);

    let page = sample.beside("report.html");
    let output = page.to_str().expect("a plain path");
    succeed(&mut jury(
        &sample,
        &["report", "--format", "html", "--output", output],
    ));
    let (shown, complaints) = browse(&sample, &page, "", "--dump-dom");
    assert_eq!(complaints, "");
    assert_eq!(shown.matches("<rect ").count(), 4);
    assert_eq!(shown.matches("<code>teashop.").count(), 6);
}
