//! One XML report in the format that Surefire, Failsafe, Gradle and Ant share.
//!
//! Reports are read as a stream and never trusted: entities are not expanded, and a file that is
//! malformed, breaks off or is absurdly long counts as unreadable as a whole.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use jury_model::Outcome;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::xml::attribute_of;

/// Reports hold what the tests printed, so they can be long; this much is never right.
const LONGEST_REPORT: u64 = 256 << 20;

/// A test as the build tool reported it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedTest {
    pub module: String,
    pub class: String,
    /// Empty if the class as a whole failed.
    pub name: String,
    pub outcome: ReportedOutcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReportedOutcome {
    Passed,
    Skipped,
    /// An assertion did not hold.
    Failed,
    /// Anything else was thrown.
    Errored,
}

impl ReportedOutcome {
    /// True if the report and Jury's own observation tell the same story. Reports do not tell
    /// tests that were switched off from those whose assumption did not hold.
    pub fn agrees_with(self, outcome: Outcome) -> bool {
        match self {
            ReportedOutcome::Passed => outcome == Outcome::Passed,
            ReportedOutcome::Skipped => matches!(outcome, Outcome::Skipped | Outcome::Aborted),
            ReportedOutcome::Failed | ReportedOutcome::Errored => outcome.is_red(),
        }
    }
}

/// The tests in the report at `path`; `None` if it cannot be read to its end.
pub fn read(path: &Path, module: &str) -> Option<Vec<ReportedTest>> {
    let file = File::open(path).ok()?;
    // A file cut at the limit ends inside an element, and so is not taken for whole.
    parse(BufReader::new(file.take(LONGEST_REPORT)), module)
}

fn parse(input: impl BufRead, module: &str) -> Option<Vec<ReportedTest>> {
    let mut reader = Reader::from_reader(input);
    let mut buffer = Vec::new();
    let mut tests: Vec<ReportedTest> = Vec::new();
    let mut depth = 0_usize;
    // The depth inside the current `testcase`, where its outcome elements stand.
    let mut in_test = None;
    let mut seen_suite = false;
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).ok()? {
            Event::Start(tag) => {
                depth += 1;
                if in_test.is_none() && is_test(&tag) {
                    tests.push(reported_test(&tag, module));
                    in_test = Some(depth);
                } else if in_test == Some(depth - 1) {
                    note_outcome(tests.last_mut()?, &tag);
                }
                seen_suite |= is_suite(&tag);
            }
            Event::Empty(tag) => {
                if in_test.is_none() && is_test(&tag) {
                    tests.push(reported_test(&tag, module));
                } else if in_test == Some(depth) {
                    note_outcome(tests.last_mut()?, &tag);
                }
                seen_suite |= is_suite(&tag);
            }
            Event::End(_) => {
                if in_test == Some(depth) {
                    in_test = None;
                }
                depth = depth.checked_sub(1)?;
            }
            Event::Eof => return (depth == 0 && seen_suite).then_some(tests),
            _ => {}
        }
    }
}

fn is_test(tag: &BytesStart<'_>) -> bool {
    tag.local_name().as_ref() == "testcase"
}

fn is_suite(tag: &BytesStart<'_>) -> bool {
    matches!(tag.local_name().as_ref(), "testsuite" | "testsuites")
}

fn reported_test(tag: &BytesStart<'_>, module: &str) -> ReportedTest {
    ReportedTest {
        module: module.to_owned(),
        class: attribute_of(tag, "classname").unwrap_or_default(),
        name: attribute_of(tag, "name").unwrap_or_default(),
        outcome: ReportedOutcome::Passed,
    }
}

/// `flakyFailure` and `rerunFailure` are left out on purpose: they tell of other attempts at a test
/// whose last word is given by the presence or absence of the elements below.
fn note_outcome(test: &mut ReportedTest, tag: &BytesStart<'_>) {
    match tag.local_name().as_ref() {
        "failure" => test.outcome = ReportedOutcome::Failed,
        "error" => test.outcome = ReportedOutcome::Errored,
        "skipped" => test.outcome = ReportedOutcome::Skipped,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(report: &str) -> Option<Vec<(String, ReportedOutcome)>> {
        let tests = parse(report.as_bytes(), "core")?;
        Some(
            tests
                .into_iter()
                .map(|test| (test.name, test.outcome))
                .collect(),
        )
    }

    #[test]
    fn each_test_has_its_last_outcome() {
        let report = r#"<?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="a.BTest" tests="6">
              <properties><property name="x" value="a &lt; b"/></properties>
              <testcase name="adds" classname="a.BTest" time="0.1"/>
              <testcase name="fails" classname="a.BTest"><failure message="no">trace</failure></testcase>
              <testcase name="throws" classname="a.BTest"><error type="E"/></testcase>
              <testcase name="off" classname="a.BTest"><skipped/></testcase>
              <testcase name="flaky" classname="a.BTest"><flakyFailure>first</flakyFailure></testcase>
              <testcase name="red again" classname="a.BTest">
                <failure/><rerunFailure><stackTrace/></rerunFailure>
                <system-out><![CDATA[<failure/> is only text]]></system-out>
              </testcase>
              <system-out><![CDATA[<testcase name="printed"/>]]></system-out>
            </testsuite>"#;
        use ReportedOutcome::*;
        let expected = [
            ("adds", Passed),
            ("fails", Failed),
            ("throws", Errored),
            ("off", Skipped),
            ("flaky", Passed),
            ("red again", Failed),
        ];
        let expected = expected.map(|(name, outcome)| (name.to_owned(), outcome));
        assert_eq!(outcomes(report).unwrap(), expected);
    }

    #[test]
    fn names_are_given_without_escapes() {
        let report =
            r#"<testsuite><testcase name="&quot;ä&quot; &#10003; &lt;b&gt;"/></testsuite>"#;
        assert_eq!(outcomes(report).unwrap()[0].0, "\"ä\" ✓ <b>");
    }

    #[test]
    fn an_entity_bomb_stays_small() {
        let report = r#"<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
            <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
            <testsuite><testcase name="&c;">&c;</testcase></testsuite>"#;
        assert_eq!(outcomes(report).unwrap()[0].0, "&c;");
    }

    #[test]
    fn every_cut_makes_the_report_unreadable() {
        let report = r#"<testsuite><testcase name="a"><failure/></testcase></testsuite>"#;
        assert!(outcomes(report).is_some());
        for end in 0..report.len() {
            assert_eq!(outcomes(&report[..end]), None, "cut at {end}");
        }
    }

    #[test]
    fn what_is_no_report_is_unreadable() {
        for text in [
            "",
            "plain text",
            "<html></html>",
            "</testsuite>",
            "<testsuite></x>",
        ] {
            assert_eq!(outcomes(text), None, "{text}");
        }
        assert_eq!(parse(&b"<testsuite>\xff\xfe</testsuite>"[..], ""), None);
    }

    #[test]
    fn deep_nesting_is_read_without_recursion() {
        let deep = "<a>".repeat(200_000) + &"</a>".repeat(200_000);
        let report = format!("<testsuite>{deep}<testcase name='x'/></testsuite>");
        assert_eq!(outcomes(&report).unwrap().len(), 1);
    }

    #[test]
    fn a_report_agrees_with_what_frameworks_say_in_finer_words() {
        assert!(ReportedOutcome::Skipped.agrees_with(Outcome::Aborted));
        assert!(ReportedOutcome::Errored.agrees_with(Outcome::Crashed));
        assert!(!ReportedOutcome::Passed.agrees_with(Outcome::Skipped));
    }
}
