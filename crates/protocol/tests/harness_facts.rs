//! What the Java harness reports when frameworks call its hooks. Tiny stand-ins for the frameworks'
//! types (`harness/tests/fakes`) and for the agent's channel are enough: real frameworks are the
//! matter of tests that start real builds.

mod support;

use std::sync::LazyLock;

use support::Driver;

static FACTS: LazyLock<Driver> = LazyLock::new(|| Driver::compile(&["facts", "fakes"]));

/// Plays a scenario; the properties that every JVM reports first are left out if there are none.
fn check(scenario: &str, expected: &[&str]) {
    let mut lines = FACTS.run("Facts", &[scenario]);
    lines.retain(|line| line != "properties {}");
    assert_eq!(lines, expected);
}

#[test]
fn a_test_that_junit_3_and_4_both_announce_is_one_test() {
    check(
        "JUnitFacts.oldTestInNewRunner",
        &[
            "started junit:jury.boot.JUnitFacts$SumTest#testAdds",
            "failed junit:jury.boot.JUnitFacts$SumTest#testAdds",
        ],
    );
}

#[test]
fn a_junit_run_inside_a_test_is_ignored() {
    check(
        "JUnitFacts.runInsideATest",
        &["started junit:a.BTest#adds", "passed junit:a.BTest#adds"],
    );
}

#[test]
fn after_a_red_test_others_are_called_off_if_that_was_asked_for() {
    check(
        "JUnitFacts.earlyEnd",
        &[
            "started junit:a.BTest#adds",
            "failed junit:a.BTest#adds",
            "admitted true",
            "started junit:a.BTest#adds",
            "failed junit:a.BTest#adds",
            "admitted false",
        ],
    );
}

#[test]
fn a_failure_outside_tests_belongs_to_their_class() {
    check(
        "JUnitFacts.classFailure",
        &[
            "container failed junit:a.BTest in a.BTest",
            "container failed junit:[0] in a.BTest",
        ],
    );
}

#[test]
fn an_assumption_of_a_class_skips_each_of_its_tests() {
    check(
        "JUnitFacts.classAssumption",
        &[
            "skipped junit:a.BTest#adds",
            "skipped junit:a.BTest#adds[0: (x)]",
            "skipped junit:a.IgnoredTest = a.IgnoredTest#",
        ],
    );
}

#[test]
fn a_failure_outweighs_a_failed_assumption() {
    check(
        "JUnitFacts.failureAfterAssumption",
        &["started junit:a.BTest#adds", "failed junit:a.BTest#adds"],
    );
}

#[test]
fn trouble_is_told_once_and_later_tests_are_still_seen() {
    let lines = FACTS.run("Facts", &["JUnitFacts.nonsense"]);
    let troubles: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("trouble "))
        .collect();
    assert_eq!(troubles.len(), 2, "{troubles:?}");
    assert!(troubles[0].starts_with("hook 11: java.lang.NoSuchMethodException"));
    assert!(troubles[1].starts_with("hook 12: java.lang.NullPointerException"));
    assert!(lines.ends_with(&[
        "started junit:a.BTest#adds".to_string(),
        "passed junit:a.BTest#adds".to_string()
    ]));
}

#[test]
fn a_variant_shows_parameter_types_and_the_path_of_numbers() {
    let template = "[engine:junit-jupiter]/[class:a.BTest$Inner]/[test-template:adds]";
    let label = "a.BTest$Inner#adds(int, String[], long[][])";
    check(
        "PlatformFacts.variants",
        &[
            &format!("started {template}/[invocation:#2] = {label}[2]"),
            &format!("passed {template}/[invocation:#2]"),
            &format!("started {template}/[invocation:#1]/[invocation:#3] = {label}[1][3]"),
            &format!("aborted {template}/[invocation:#1]/[invocation:#3]"),
        ],
    );
}

#[test]
fn a_skipped_container_skips_its_tests_or_stands_for_itself() {
    let class = "[engine:junit-jupiter]/[class:a.BTest]";
    check(
        "PlatformFacts.skippedContainers",
        &[
            &format!("skipped {class}/[method:adds()] = a.BTest#adds"),
            &format!("skipped {class}/[method:takes()] = a.BTest#takes"),
            &format!("skipped {class}/[test-template:each] = a.BTest#each(int)"),
        ],
    );
}

#[test]
fn an_aborted_container_skips_tests_only_if_none_has_begun() {
    let engine = "[engine:junit-jupiter]";
    check(
        "PlatformFacts.failedAndAbortedContainers",
        &[
            &format!("container failed {engine}/[class:a.FailedTest] in a.FailedTest"),
            &format!(
                "skipped {engine}/[class:a.AbortedTest]/[method:never()] = a.AbortedTest#never"
            ),
            &format!("started {engine}/[class:a.LateTest]/[method:ran()] = a.LateTest#ran"),
            &format!("passed {engine}/[class:a.LateTest]/[method:ran()]"),
        ],
    );
}

#[test]
fn a_launch_inside_a_test_is_ignored_on_whatever_thread() {
    let test = "[engine:junit-jupiter]/[class:a.BTest]/[method:launches()]";
    check(
        "PlatformFacts.launchInsideATest",
        &[
            &format!("started {test} = a.BTest#launches"),
            &format!("passed {test}"),
        ],
    );
}

#[test]
fn a_test_begun_on_the_thread_of_a_waiting_test_is_seen() {
    let class = "[engine:junit-jupiter]/[class:a.BTest]";
    check(
        "PlatformFacts.testOnAWaitingThread",
        &[
            &format!("started {class}/[method:waits()] = a.BTest#waits"),
            &format!("started {class}/[method:other()] = a.BTest#other"),
            &format!("failed {class}/[method:other()]"),
            &format!("passed {class}/[method:waits()]"),
        ],
    );
}

#[test]
fn the_platform_silences_the_frameworks_beneath_it() {
    check("PlatformFacts.platformOverJUnit4", &[]);
}

#[test]
fn explicit_launcher_parameters_are_told_once() {
    check("PlatformFacts.parameters", &["parameters {a=1, b=2}"]);
}

#[test]
fn testng_rows_and_instances_are_numbered_apart() {
    let class = "jury.boot.TestNgFacts$Rows";
    let test = format!("testng-direct:{class}");
    check(
        "TestNgFacts.rowsAndInstances",
        &[
            &format!("started {test}#plain() = {class}#plain"),
            &format!("passed {test}#plain()"),
            &format!("started {test}#row(int)[1]"),
            &format!("passed {test}#row(int)[1]"),
            &format!("started {test}#row(int)[2]"),
            &format!("passed {test}#row(int)[2]"),
            &format!("started {test}#plain()@2 = {class}#plain@2"),
            &format!("passed {test}#plain()@2"),
            &format!("started {test}#row(int)[1]@2"),
            &format!("passed {test}#row(int)[1]@2"),
            &format!("started {test}#row(int)[2]@2"),
            &format!("passed {test}#row(int)[2]@2"),
        ],
    );
}

#[test]
fn testng_news_that_come_twice_count_once() {
    check(
        "TestNgFacts.repeatedNews",
        &[
            "started testng-direct:jury.boot.TestNgFacts$Rows#plain() = jury.boot.TestNgFacts$Rows#plain",
            "failed testng-direct:jury.boot.TestNgFacts$Rows#plain()",
        ],
    );
}

#[test]
fn a_retried_testng_test_keeps_its_id() {
    let lines = FACTS.run("Facts", &["TestNgFacts.retry"]);
    let ended: Vec<&String> = lines
        .iter()
        .filter(|line| line.ends_with("#plain()"))
        .collect();
    assert_eq!(
        ended,
        [
            "skipped testng-direct:jury.boot.TestNgFacts$Rows#plain()",
            "passed testng-direct:jury.boot.TestNgFacts$Rows#plain()"
        ]
    );
}

#[test]
fn a_replay_of_some_testng_rows_keeps_their_numbers() {
    check(
        "TestNgFacts.announcedRows",
        &[
            "started testng-direct:jury.boot.TestNgFacts$Rows#row(int)[2]",
            "passed testng-direct:jury.boot.TestNgFacts$Rows#row(int)[2]",
            "started testng-direct:jury.boot.TestNgFacts$Rows#row(int)[5]",
            "passed testng-direct:jury.boot.TestNgFacts$Rows#row(int)[5]",
        ],
    );
}

#[test]
fn a_failed_testng_configuration_method_is_a_failed_container() {
    check(
        "TestNgFacts.failedConfiguration",
        &[
            "container failed testng-direct:jury.boot.TestNgFacts$Rows#plain in jury.boot.TestNgFacts$Rows",
        ],
    );
}

#[test]
fn properties_set_before_the_first_framework_call_are_told() {
    check(
        "JvmFacts.changedProperties",
        &["properties {set.by.booter=1}"],
    );
}

#[test]
fn assertions_that_a_booter_switches_on_are_told() {
    check(
        "JvmFacts.assertionsSwitchedOnInside",
        &["properties {jury.assertions=on}"],
    );
}

#[test]
fn a_worker_switches_assertions_on_as_it_was_told() {
    check("JvmFacts.assertionsSwitchedOnAgain", &["true null"]);
}

#[test]
fn an_exception_that_refuses_to_be_printed_is_still_named() {
    check(
        "JvmFacts.hostileException",
        &["jury.boot.JvmFacts$1 [] begun"],
    );
}

#[test]
fn annotated_methods_are_remembered_for_equal_arguments_alone() {
    check(
        "JvmFacts.annotatedMethods",
        &[
            "new true",
            "[begin, end]",
            "new false",
            "order true",
            "annotation true",
            "class true",
            "no class true",
        ],
    );
}

#[test]
fn what_older_threads_do_is_not_the_work_of_a_test() {
    check(
        "JvmFacts.workOfThreads",
        &[
            "older stopped false",
            "this one stopped early false",
            "overran false",
            "newer stopped true",
            "this one stopped with it true",
            "overran true after 10002",
        ],
    );
}

#[test]
fn a_huge_exception_is_cut() {
    check("JvmFacts.hugeException", &["4096 16384"]);
}

#[test]
fn a_digest_tells_values_and_places_apart_but_not_orders_and_crowds() {
    check(
        "JvmFacts.digests",
        &[
            "other order true",
            "other place false",
            "other value false",
            "other number of turns false",
            "other crowd true",
        ],
    );
}

#[test]
fn a_digest_of_calls_comes_with_two_values_of_what_varies() {
    check(
        "JvmFacts.digestsOfCalls",
        &[
            "same calls true",
            "other order false",
            "more calls false",
            "other value false",
            "third value told false",
        ],
    );
}

#[test]
fn the_calls_of_a_method_have_one_digest_whatever_else_is_watched() {
    check(
        "JvmFacts.callsOfAllMethods",
        &["methods 2", "as when watched alone true"],
    );
}

#[test]
fn calls_are_counted_from_the_nearest_test_code_on_the_stack() {
    check(
        "JvmFacts.distanceFromTests",
        &["called by a test 1", "once removed 2"],
    );
}

#[test]
fn a_digest_leaves_out_by_what_temporary_names_are_told_apart() {
    check(
        "JvmFacts.temporaryNames",
        &[
            "T/tmp/junit-0/a12.txt",
            "Tno /tmp, 1234567",
            "Tother 1234567",
        ],
    );
}

#[test]
fn an_expression_of_several_threads_is_marked() {
    check(
        "JvmFacts.expressionOfTwoThreads",
        &["one false", "two true"],
    );
}

#[test]
fn calls_of_several_threads_are_marked_and_only_counted_unless_one_is_beside_the_test() {
    check(
        "JvmFacts.callsOfTwoThreads",
        &[
            "one false",
            "two others true",
            "another first true",
            "one beside the test false",
            "other crowd true",
            "counted 2",
            "other turn of threads true",
            "other value false",
        ],
    );
}

#[test]
fn fields_are_told_inherited_and_hidden_ones_too_and_static_ones_not() {
    check(
        "StateFacts.fields",
        &[
            "x.count#value J2",
            "x.count@jury.boot.StateFacts$Base#value I1",
            "x.name#value Tbase",
            "x.nothing#null true",
            "x.numbers#length 3",
        ],
    );
}

#[test]
fn no_code_of_the_project_runs_while_an_object_is_looked_at() {
    check(
        "StateFacts.foreignCode",
        &[
            "x.own#value I4",
            "x#class jury.boot.StateFacts$TouchyException",
        ],
    );
}

#[test]
fn a_field_that_a_module_keeps_to_itself_is_named() {
    check(
        "StateFacts.hiddenByModules",
        &["unreadable [hidden.Secret.number]", "x.number#value I7"],
    );
}

#[test]
fn objects_that_hold_one_another_are_looked_at_once() {
    check(
        "StateFacts.cycles",
        &["x.next.number#value I2", "x.number#value I1"],
    );
}

#[test]
fn objects_of_the_jdk_tell_what_they_stand_for_if_that_takes_no_lock() {
    check(
        "StateFacts.objectsOfTheJdk",
        &[
            "x.time#value J7",
            "x.value#value Ta",
            "x.value#null true",
            "x#value Oa/b",
        ],
    );
}

#[test]
fn of_one_value_so_much_is_told_and_no_more() {
    check(
        "StateFacts.bounds",
        &[
            "2000 cut true",
            "longer text cut true",
            "21 elements cut true",
        ],
    );
}

#[test]
fn of_one_test_so_much_is_kept_and_no_more() {
    check(
        "StateFacts.boundsOfATest",
        &[
            "500 calls 500 cut false",
            "501 calls 500 cut true",
            "30 values 60 cut false",
            "31 values 60 cut true",
            "30,000 places 60000 cut false",
            "30,001 places 60000 cut true",
        ],
    );
}

#[test]
fn tests_inside_maven_get_a_jvm_that_is_like_it() {
    let here = std::env::current_dir().unwrap();
    check(
        "SurefireFacts.forks",
        &[
            "/p/core",
            &format!("in process {} 1", here.display()),
            "1 true true",
            "[] {}",
            "{old=way, set.by.plugin=1, set.twice=by build file, user.dir=/p/core}",
            "true",
            "true",
        ],
    );
    check(
        "SurefireFacts.forksInOldReleases",
        &[&format!("in process {} 1", here.display()), "once"],
    );
}

#[test]
fn what_maven_forks_anyway_is_left_alone() {
    check(
        "SurefireFacts.leavesForksAlone",
        &["2 -Xmx1m /p/core", "/no/such/java"],
    );
}

#[test]
fn tests_inside_maven_can_be_kept_there() {
    let here = std::env::current_dir().unwrap();
    check(
        "SurefireFacts.keeps",
        &[&format!("in process {} 0", here.display()), "0"],
    );
}

#[test]
fn flags_for_a_fork_survive_the_way_surefire_splits_them() {
    check(
        "SurefireFacts.flagsInOneLine",
        &["\"-Xmx1g\" \"-Da=b c\" '-Dq=\"' \"-Don\""],
    );
}
