//! Changes that a selection might overlook: each of them has to run the tests that it can affect.

use std::fs;

use jury_testkit::{Jdk, Sample, run, succeed};
use serde_json::Value;

use crate::{JURY, script_build};

fn test(sample: &Sample, goal: &str, exit: i32) -> Value {
    let mut command = sample.command(JURY, &Jdk::any());
    command.args(["test", "--format", "json", "--", "mvn", "-q", goal]);
    run(&mut command).exits(exit).json()
}

/// Names of the test classes that ran, without their packages.
fn ran(answer: &Value) -> Vec<&str> {
    let run = answer["selection"]["run"].as_array().expect("a list");
    run.iter()
        .map(|unit| unit["class"].as_str().expect("text"))
        .map(|class| class.rsplit('.').next().unwrap_or(class))
        .collect()
}

/// The modules `core` and `app` of a sample, beside their root instead of below it.
fn flat() -> Sample {
    let sample = Sample::copy("multi_module");
    for module in ["signs", "pier"] {
        sample.edit("pom.xml", &format!("<module>{module}</module>"), "");
    }
    for module in ["core", "app"] {
        fs::rename(sample.path().join(module), sample.beside(module)).expect("a directory");
        let (old, new) = (format!(">{module}<"), format!(">../{module}<"));
        sample.edit("pom.xml", &old, &new);
        let parent = "<relativePath>../multi_module/pom.xml</relativePath></parent>";
        sample.edit(&format!("../{module}/pom.xml"), "</parent>", parent);
    }
    sample
}

#[test]
fn modules_beside_the_root_are_looked_at() {
    let sample = flat();
    assert_eq!(ran(&test(&sample, "test", 0)).len(), 3);
    let settled = test(&sample, "test", 0);
    assert_eq!(settled["selection"]["build_started"], false, "{settled}");

    let fare = "../core/src/main/java/ferry/core/Fare.java";
    sample.edit(fare, "cents * 2 * 9 / 10", "cents * 2");
    assert_eq!(ran(&test(&sample, "test", 1)), ["ReturnTripTests"]);
    sample.edit(fare, "cents * 2", "cents * 2 * 9 / 10");
    assert_eq!(ran(&test(&sample, "test", 0)), [""; 0]);

    let property = "<properties><argLine>-Dflag=x</argLine></properties></project>";
    sample.edit("../app/pom.xml", "</project>", property);
    let launched = test(&sample, "test", 0);
    assert_eq!(ran(&launched), ["ReturnTripTests", "TicketOfficeTests"]);
}

const MOODY: &str = r#"
    package teashop;
    class MoodyTests {
        @org.junit.jupiter.api.Test void looks_at_what_nobody_sees() {
            org.junit.jupiter.api.Assertions.assertNull(System.getProperty("mood"));
        }
    }"#;

#[test]
fn a_further_execution_of_known_tests_runs_them() {
    let sample = Sample::copy("demo");
    sample.write("src/test/java/teashop/MoodyTests.java", MOODY);
    test(&sample, "test", 0);
    let version = "<version>3.5.6</version>";
    let execution = "<executions><execution><id>again</id><goals><goal>test</goal></goals>
        <configuration><argLine>-Dmood=bad</argLine></configuration></execution></executions>";
    sample.edit("pom.xml", version, &format!("{version}{execution}"));
    let answer = test(&sample, "test", 1);
    assert!(ran(&answer).contains(&"MoodyTests"), "{answer}");
    assert_eq!(answer["counts"]["failed"], 1, "{answer}");
}

const READER: &str = r#"
    package teashop;
    class ReaderTests {
        @org.junit.jupiter.api.Test void reads() throws Exception {
            var text = java.nio.file.Files.readString(java.nio.file.Path.of("data.txt"));
            org.junit.jupiter.api.Assertions.assertEquals("one", text);
        }
    }"#;

#[test]
fn a_file_that_was_edited_while_the_build_ran_is_not_taken_as_tested() {
    let sample = Sample::copy("demo");
    sample.write("src/test/java/teashop/ReaderTests.java", READER);
    sample.write("data.txt", "one");
    sample.write("edit", "");
    let build = |exit: i32| {
        let mut command = sample.command(JURY, &Jdk::any());
        let script = "mvn -q test && if [ -e edit ]; then rm edit; printf two > data.txt; fi";
        command.args(["test", "--format", "json", "--", "sh", "-c", script]);
        run(&mut command).exits(exit).json()
    };
    assert_eq!(ran(&build(0)).len(), 7);
    assert_eq!(ran(&build(1)), ["ReaderTests"]);
    sample.write("data.txt", "one");
    assert_eq!(ran(&build(0)), ["ReaderTests"]);
    assert_eq!(build(0)["selection"]["build_started"], false);
}

const VERSION: &str = "<version>3.5.6</version>";

#[test]
fn an_execution_that_was_never_reached_runs_what_an_earlier_one_passed() {
    let sample = Sample::copy("demo");
    sample.write("src/test/java/teashop/MoodyTests.java", MOODY);
    let again = "<executions><execution><id>again</id><goals><goal>test</goal></goals>
        <configuration><argLine>-Dmood=bad</argLine></configuration></execution></executions>";
    sample.edit("pom.xml", VERSION, &format!("{VERSION}{again}"));
    let postage = "src/main/java/teashop/Postage.java";
    sample.edit(postage, ".times(kilograms)", ".times(kilograms + 1)");
    let first = test(&sample, "test", 1);
    assert_eq!(first["jvms"]["surefire"], 1, "{first}");

    sample.edit(postage, ".times(kilograms + 1)", ".times(kilograms)");
    let second = test(&sample, "test", 1);
    let red: Vec<&Value> = second["red"].as_array().expect("a list").iter().collect();
    assert_eq!(red.len(), 1, "{second}");
    assert_eq!(
        red[0]["label"],
        "teashop.MoodyTests#looks_at_what_nobody_sees"
    );
}

#[test]
fn what_both_executions_have_passed_is_left_out_of_both() {
    let sample = Sample::copy("demo");
    let again = "<executions><execution><id>again</id><goals><goal>test</goal></goals>
        <configuration><argLine>-Dmood=bad</argLine></configuration></execution></executions>";
    sample.edit("pom.xml", VERSION, &format!("{VERSION}{again}"));
    test(&sample, "test", 0);
    sample.edit(
        "src/main/java/teashop/Postage.java",
        ".times(kilograms)",
        ".times(kilograms + 0)",
    );
    let answer = test(&sample, "test", 0);
    assert_eq!(ran(&answer), ["CheckoutTests", "PostageTests"], "{answer}");
    let settled = test(&sample, "test", 0);
    assert_eq!(settled["selection"]["build_started"], false, "{settled}");
}

#[test]
fn an_audit_knows_that_two_executions_count_a_test_twice() {
    let sample = Sample::copy("demo");
    let again = "<executions><execution><id>again</id><goals><goal>test</goal></goals>
        <configuration><argLine>-Dmood=bad</argLine></configuration></execution></executions>";
    sample.edit("pom.xml", VERSION, &format!("{VERSION}{again}"));
    let postage = "src/main/java/teashop/Postage.java";
    sample.edit(postage, ".times(kilograms)", ".times(kilograms + 1)");
    test(&sample, "test", 1);
    sample.edit(postage, ".times(kilograms + 1)", ".times(kilograms)");
    test(&sample, "test", 0);
    let mut audit = sample.command(JURY, &Jdk::any());
    audit.args(["audit", "--format", "json", "--", "mvn", "-q", "test"]);
    let audit = run(&mut audit).exits(0).json();
    assert_eq!(audit["selection"]["misses"], serde_json::json!([]));
}

#[test]
fn what_is_left_out_stays_known_where_each_build_launches_jvms_in_another_way() {
    let sample = Sample::copy("demo");
    let settings =
        "<configuration><argLine>-Dstarted=${maven.build.timestamp}</argLine></configuration>";
    sample.edit("pom.xml", VERSION, &format!("{VERSION}{settings}"));
    test(&sample, "test", 0);
    let postage = "src/main/java/teashop/Postage.java";
    // What is left out in the first run is still known in the second.
    for (before, after) in [("kilograms)", "kilograms + 0)"), ("+ 0)", "* 1)")] {
        sample.edit(postage, before, after);
        let answer = test(&sample, "test", 0);
        assert_eq!(ran(&answer), ["CheckoutTests", "PostageTests"], "{answer}");
        assert_eq!(answer["selection"]["left_out_classes"], 4, "{answer}");
    }
}

/// A file that a test JVM makes when it starts, and no other process.
const FORKED: &str = "target/forked.log";

#[test]
fn where_nothing_runs_no_jvm_is_forked_and_a_build_that_wants_tests_is_content() {
    let sample = Sample::copy("demo");
    let settings = "<configuration><failIfNoTests>true</failIfNoTests>
        <argLine>-Xlog:safepoint:file=${basedir}/target/forked.log</argLine></configuration>";
    sample.edit("pom.xml", VERSION, &format!("{VERSION}{settings}"));
    test(&sample, "test", 0);
    let forked = sample.path().join(FORKED);
    fs::remove_file(&forked).expect("a JVM was forked");
    sample.write(
        "src/main/java/teashop/package-info.java",
        "package teashop;",
    );
    let answer = test(&sample, "test", 0);
    assert_eq!(answer["selection"]["build_started"], true, "{answer}");
    assert_eq!(answer["selection"]["left_out_classes"], 6, "{answer}");
    assert!(!forked.exists());

    // Now only the JVM itself can tell that all of them may be left out.
    sample.edit("pom.xml", "</project>", "<!-- edited --></project>");
    let answer = test(&sample, "test", 0);
    assert_eq!(answer["selection"]["left_out_classes"], 6, "{answer}");
    assert!(forked.exists());
}

#[test]
fn a_file_that_a_build_file_names_may_launch_tests_in_another_way() {
    let sample = Sample::copy("demo");
    sample.write("src/test/java/teashop/MoodyTests.java", MOODY);
    fs::create_dir(sample.path().join("conf")).expect("a directory");
    sample.write("conf/tests.properties", "colour=green\n");
    let settings = "<configuration>
        <systemPropertiesFile>conf/tests.properties</systemPropertiesFile></configuration>";
    sample.edit("pom.xml", VERSION, &format!("{VERSION}{settings}"));
    test(&sample, "test", 0);
    sample.write("conf/tests.properties", "mood=bad\n");
    let answer = test(&sample, "test", 1);
    assert!(ran(&answer).contains(&"MoodyTests"), "{answer}");
}

const LISTER: &str = r#"
    package teashop;
    class ListerTests {
        @org.junit.jupiter.api.Test void lists() {
            org.junit.jupiter.api.Assertions.assertEquals(1, new java.io.File("menu").list().length);
        }
        @org.junit.jupiter.api.Test void looks() {
            org.junit.jupiter.api.Assertions.assertTrue(new java.io.File("open").exists());
        }
        @org.junit.jupiter.api.Test void follows() throws Exception {
            var text = java.nio.file.Files.readString(java.nio.file.Path.of("today"));
            org.junit.jupiter.api.Assertions.assertEquals("soup", text);
        }
    }"#;

#[test]
fn names_that_came_or_went_while_the_build_ran_are_not_taken_as_tested() {
    let sample = script_build::demo();
    sample.write("src/test/java/teashop/ListerTests.java", LISTER);
    fs::create_dir(sample.path().join("menu")).expect("a directory");
    sample.write("menu/green.txt", "");
    sample.write("open", "");
    sample.write("friday", "fish");
    sample.write("monday", "soup");
    let link = |day: &str| {
        let mut link = sample.command("ln", &Jdk::any());
        succeed(link.args(["-sfn", day, "today"]));
    };
    link("monday");
    let build = |meanwhile: &str, exit: i32| {
        let mut command = sample.command(JURY, &Jdk::any());
        let script = format!("sh build.sh && {{ {meanwhile}; }}");
        sample.write("run.sh", &script);
        command.args(["test", "--format", "json", "--", "sh", "run.sh"]);
        run(&mut command).exits(exit).json()
    };
    build("true", 0);
    build("touch menu/black.txt", 0);
    let listed = build("true", 1);
    assert_eq!(
        listed["red"][0]["label"], "teashop.ListerTests#lists",
        "{listed}"
    );
    fs::remove_file(sample.path().join("menu/black.txt")).expect("a file");
    build("rm open", 0);
    let missed = build("true", 1);
    assert_eq!(
        missed["red"][0]["label"], "teashop.ListerTests#looks",
        "{missed}"
    );
    sample.write("open", "");
    build("ln -sfn friday today", 0);
    let followed = build("true", 1);
    assert_eq!(
        followed["red"][0]["label"], "teashop.ListerTests#follows",
        "{followed}"
    );
}

const OLD: &str = r#"
    package teashop;
    class OldTests {
        @org.junit.jupiter.api.Test void is_old() {
            var time = new java.io.File("data.txt").lastModified();
            org.junit.jupiter.api.Assertions.assertEquals(0, time);
        }
    }"#;

#[test]
fn an_audit_finds_what_was_overlooked() {
    let sample = script_build::demo();
    sample.write("src/test/java/teashop/OldTests.java", OLD);
    sample.write("data.txt", "");
    let touch = |time: &str| {
        let mut touch = sample.command("touch", &Jdk::any());
        succeed(touch.args(["-d", time, "data.txt"]));
    };
    let jury = |command: &str, exit: i32| {
        let mut jury = sample.command(JURY, &Jdk::any());
        jury.args([command, "--format", "json"])
            .args(script_build::BUILD);
        run(&mut jury).exits(exit).json()
    };
    touch("@0");
    jury("test", 0);
    assert_eq!(
        jury("audit", 0)["selection"]["misses"],
        serde_json::json!([])
    );
    // When a file was written is out of sight.
    touch("@1000000000");
    let audit = jury("audit", 1);
    let miss = &audit["selection"]["misses"][0];
    assert_eq!(miss["class"], "teashop.OldTests", "{audit}");
    assert_eq!(miss["known"]["passed"], 1);
    assert_eq!(miss["shown"]["failed"], 1);
    assert!(
        !miss["newly_used"].to_string().contains("data.txt"),
        "{miss}"
    );
}

const LEAF: &str = "
    package leaf;
    public class Green {
        public static String name() { return \"green\"; }
        public static String spare() { return \"\"; }
    }";

/// A test of one entry of the jar.
fn leaf_test(class: &str, asserted: &str) -> String {
    format!(
        "package teashop;
        class {class} {{
            @org.junit.jupiter.api.Test void looks() throws Exception {{
                org.junit.jupiter.api.Assertions.assertTrue({asserted});
            }}
        }}"
    )
}

#[test]
fn an_entry_of_a_jar_in_the_project_affects_those_who_used_that_entry() {
    let sample = script_build::demo();
    sample.edit(
        "build.sh",
        "-cp target/classes:",
        "-cp 'lib/*':target/classes:",
    );
    fs::create_dir_all(sample.path().join("leaf")).expect("a directory");
    fs::create_dir_all(sample.path().join("lib")).expect("a directory");
    sample.write("leaf/Green.java", LEAF);
    sample.write("leaf/Black.java", &LEAF.replace("Green", "Black"));
    sample.write("leaf/label.txt", "tea");
    let pack = || {
        let mut pack = sample.command("sh", &Jdk::any());
        succeed(pack.args([
            "-c",
            "rm -rf packed && mkdir -p packed/leaf && cp leaf/*.txt packed/leaf &&
             javac --release 17 -d packed leaf/*.java && jar cf lib/leaf.jar -C packed .",
        ]));
    };
    pack();
    let length = "getClass().getResourceAsStream(\"/leaf/label.txt\").read() > 0";
    for (class, asserted) in [
        ("BlackTests", "!leaf.Black.name().isEmpty()"),
        ("GreenTests", "!leaf.Green.name().isEmpty()"),
        ("LabelTests", length),
    ] {
        let path = format!("src/test/java/teashop/{class}.java");
        sample.write(&path, &leaf_test(class, asserted));
    }
    let jury = || {
        let mut jury = sample.command(JURY, &Jdk::any());
        jury.args(["test", "--format", "json"]);
        run(jury.args(script_build::BUILD)).exits(0).json()
    };
    assert_eq!(ran(&jury()).len(), 9);
    for (file, from, to, affected) in [
        ("Green.java", "\"green\"", "\"lime\"", &["GreenTests"][..]),
        ("Black.java", "\"green\"", "\"black\"", &["BlackTests"]),
        ("label.txt", "tea", "best tea", &["LabelTests"]),
        ("Black.java", "return \"\"", "return \"x\"", &[]),
    ] {
        sample.edit(&format!("leaf/{file}"), from, to);
        pack();
        let answer = jury();
        assert_eq!(answer["selection"]["build_started"], true);
        assert_eq!(ran(&answer), affected, "{file}: {answer}");
    }
    sample.write("leaf/White.java", &LEAF.replace("Green", "White"));
    pack();
    assert_eq!(ran(&jury()), [""; 0], "nobody knows the new entry");
}

const KETTLE: &str = r#"
    package teashop;
    public class Kettle {
        public static String mood() { return "calm"; }
        public String sound() { return "loud".equals(System.getProperty("mood")) ? whistle(3) : "hum"; }
        private String whistle(int times) { return "tweet".repeat(times); }
    }"#;

/// Runs first, and leaves a property behind.
const BOILING: &str = r#"
    package teashop;
    class BoilingTests {
        @org.junit.jupiter.api.Test void sets() { System.setProperty("mood", Kettle.mood()); }
    }"#;

const HUMMING: &str = r#"
    package teashop;
    class HummingTests {
        @org.junit.jupiter.api.Test void hums() {
            org.junit.jupiter.api.Assertions.assertEquals("hum", new Kettle().sound());
        }
    }"#;

#[test]
fn an_audit_names_the_method_that_a_test_was_not_known_to_run() {
    let jury = |sample: &Sample, words: &[&str], exit: i32| {
        let mut jury = sample.command(JURY, &Jdk::any());
        jury.args(words).args(["--format", "json"]);
        run(jury.args(script_build::BUILD)).exits(exit).json()
    };
    for unit in ["class", "method"] {
        let sample = script_build::demo();
        sample.write("src/main/java/teashop/Kettle.java", KETTLE);
        sample.write("src/test/java/teashop/BoilingTests.java", BOILING);
        sample.write("src/test/java/teashop/HummingTests.java", HUMMING);
        jury(&sample, &["test", "--granularity", unit], 0);
        sample.edit("src/main/java/teashop/Kettle.java", "\"calm\"", "\"loud\"");
        // What one test class leaves in a property for another is out of sight.
        let edited = jury(&sample, &["test", "--granularity", unit], 0);
        assert_eq!(ran(&edited), ["BoilingTests"]);
        let audit = jury(&sample, &["audit"], 1);
        let misses = audit["selection"]["misses"].as_array().expect("a list");
        assert_eq!(misses.len(), 1, "{audit}");
        assert_eq!(misses[0]["class"], "teashop.HummingTests");
        let newly_used = misses[0]["newly_used"].as_array().expect("a list").iter();
        // To tell what went wrong takes JUnit classes of its own.
        let own = newly_used.filter(|used| used.to_string().contains("teashop"));
        let own: Vec<&Value> = own.collect();
        assert_eq!(own, ["method `teashop.Kettle.whistle(int)`"]);
    }
}

const TURNS: &str = r#"
    package teashop;
    import org.junit.jupiter.api.*;
    class TurnsTests {
        @Test void calm() { Assumptions.assumeTrue("calm".equals(System.getProperty("mood"))); }
        @Test void loud() { Assumptions.assumeTrue("loud".equals(System.getProperty("mood"))); }
    }"#;

#[test]
fn an_audit_sees_that_another_test_is_skipped_although_the_numbers_are_the_same() {
    let sample = script_build::demo();
    let jury = |command: &str, exit: i32| {
        let mut jury = sample.command(JURY, &Jdk::any());
        jury.args([command, "--format", "json"]);
        run(jury.args(script_build::BUILD)).exits(exit).json()
    };
    let kettle = "src/main/java/teashop/Kettle.java";
    sample.write(kettle, KETTLE);
    sample.write("src/test/java/teashop/BoilingTests.java", BOILING);
    sample.write("src/test/java/teashop/TurnsTests.java", TURNS);
    jury("test", 0);
    jury("audit", 0);
    sample.edit(kettle, "\"calm\"", "\"loud\"");
    assert_eq!(ran(&jury("test", 0)), ["BoilingTests"]);
    let audit = jury("audit", 1);
    let miss = &audit["selection"]["misses"][0];
    assert_eq!(miss["class"], "teashop.TurnsTests", "{audit}");
    assert_eq!(miss["known"], miss["shown"]);
    let turned = serde_json::json!(["`teashop.TurnsTests#loud`: was aborted; now passed"]);
    assert_eq!(miss["otherwise"], turned);
}

#[test]
fn a_run_of_named_tests_does_not_tell_what_a_run_of_all_would_leave_out() {
    let sample = script_build::watched_demo();
    let mut named = sample.command(JURY, &Jdk::any());
    named
        .args(["test"])
        .args(script_build::BUILD)
        .arg("-Dtest=Postage");
    succeed(&mut named);
    let would_run = |command: &[&str]| {
        let mut why = sample.command(JURY, &Jdk::any());
        let why = why.args(["why", "--format", "json"]).args(command);
        let units = succeed(why).json();
        let units = units["units"].as_array().expect("a list").clone();
        let running = units.iter().filter(|unit| unit["would_run"] == true);
        (running.count(), units.len())
    };
    assert_eq!(would_run(&[]), (0, 6));
    assert_eq!(would_run(&script_build::BUILD), (0, 6));
    assert_eq!(would_run(&["--", "sh", "another.sh"]), (6, 6));
}
