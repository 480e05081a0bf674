//! `jury impact --methods` on programs of a few lines, each in a package of its own: what one edit
//! selects by types and by methods. Compiled by the JDK's own compiler; nothing is run.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use jury_testkit::{Jdk, Sample, run, succeed};
use serde_json::Value;

use crate::JURY;

/// A class before and after an edit.
struct Source {
    name: &'static str,
    before: &'static str,
    after: &'static str,
}

const fn same(name: &'static str, text: &'static str) -> Source {
    Source {
        name,
        before: text,
        after: text,
    }
}

const fn edited(name: &'static str, before: &'static str, after: &'static str) -> Source {
    Source {
        name,
        before,
        after,
    }
}

/// Packages with their classes. `@Test` stands for JUnit's, which is known by its name.
const PROGRAMS: &[(&str, &[Source])] = &[
    (
        "bodies",
        &[
            edited(
                "Shop",
                "int price() { return 1; } int weight() { return 2; }",
                "int price() { return 3; } int weight() { return 2; }",
            ),
            same("Till", "int total() { return new Shop().price(); }"),
            same("TillTests", "@Test void t() { new Till().total(); }"),
            same("WeightTests", "@Test void t() { new Shop().weight(); }"),
        ],
    ),
    (
        "override_added",
        &[
            same("Base", "int m() { return 1; }"),
            edited("Heir extends Base", "", "@Override int m() { return 2; }"),
            same("Maker", "static Base make() { return new Heir(); }"),
            same("HeirTests", "@Test void t() { Maker.make().m(); }"),
            same("BaseTests", "@Test void t() { new Base().m(); }"),
        ],
    ),
    (
        "override_edited",
        &[
            same("Base", "int m() { return 1; }"),
            edited(
                "Heir extends Base",
                "@Override int m() { return 2; } int other() { return 1; }",
                "@Override int m() { return 3; } int other() { return 1; }",
            ),
            same("Caller", "static int call(Base base) { return base.m(); }"),
            same("CallTests", "@Test void t() { Caller.call(new Heir()); }"),
            same("OtherTests", "@Test void t() { new Heir().other(); }"),
        ],
    ),
    (
        "static_initialiser",
        &[
            edited(
                "Registry",
                "static int size; static { size = Integer.parseInt(\"1\"); }",
                "static int size; static { size = Integer.parseInt(\"2\"); }",
            ),
            same("FieldTests", "@Test void t() { assert Registry.size > 0; }"),
            same(
                "Cast",
                "static boolean is(Object o) { return o instanceof Registry; }",
            ),
            same("CastTests", "@Test void t() { Cast.is(null); }"),
        ],
    ),
    (
        "constant",
        &[
            edited(
                "Limits",
                "static final int MOST = 7;",
                "static final int MOST = 9;",
            ),
            same(
                "Check",
                "static boolean of(int n) { return n < Limits.MOST; } static void not() {}",
            ),
            same("CheckTests", "@Test void t() { Check.of(8); }"),
            same("NotTests", "@Test void t() { Check.not(); }"),
        ],
    ),
    (
        "interface_default",
        &[
            edited(
                "interface Greets",
                "default String hi() { return \"a\"; } default String bye() { return \"b\"; }",
                "default String hi() { return \"c\"; } default String bye() { return \"b\"; }",
            ),
            same("Person implements Greets", ""),
            same("HiTests", "@Test void t() { new Person().hi(); }"),
            same("ByeTests", "@Test void t() { new Person().bye(); }"),
        ],
    ),
    (
        "inherited_for_an_interface",
        &[
            same("interface Runs", "int go();"),
            edited(
                "Base",
                "public int go() { return 1; }",
                "public int go() { return 2; }",
            ),
            same("Both extends Base implements Runs", ""),
            same("Caller", "static int call(Runs runs) { return runs.go(); }"),
            same("GoTests", "@Test void t() { Caller.call(new Both()); }"),
        ],
    ),
    (
        "lambda",
        &[
            edited(
                "Lazy",
                "static java.util.function.IntSupplier one() { return () -> 1; }
                 static java.util.function.IntSupplier two() { return () -> 2; }",
                "static java.util.function.IntSupplier one() { return () -> 3; }
                 static java.util.function.IntSupplier two() { return () -> 2; }",
            ),
            same("OneTests", "@Test void t() { Lazy.one().getAsInt(); }"),
            same("TwoTests", "@Test void t() { Lazy.two().getAsInt(); }"),
            same(
                "Handed",
                "static java.util.function.IntSupplier ref() { return new Target()::get; }",
            ),
            edited(
                "Target",
                "int get() { return 1; }",
                "int get() { return 2; }",
            ),
            same("RefTests", "@Test void t() { Handed.ref(); }"),
        ],
    ),
    (
        "field_initialiser",
        &[
            edited(
                "Box",
                "int size = \"a\".length(); static int area(int n) { return n * n; }",
                "int size = \"ab\".length(); static int area(int n) { return n * n; }",
            ),
            same("SizeTests", "@Test void t() { assert new Box().size > 0; }"),
            same("AreaTests", "@Test void t() { Box.area(2); }"),
        ],
    ),
    (
        "annotation",
        &[
            edited("Ranked", "@Marked(1) void m() {}", "@Marked(2) void m() {}"),
            edited(
                "@interface Marked",
                "int value(); int more() default 1;",
                "int value(); int more() default 2;",
            ),
            same("RankedTests", "@Test void t() { new Ranked(); }"),
            same("Unranked", "void m() {}"),
            same("UnrankedTests", "@Test void t() { new Unranked().m(); }"),
        ],
    ),
    (
        "called_back",
        &[
            edited(
                "Key implements Comparable<Key>",
                "public int compareTo(Key key) { return 1; } int hash() { return 1; }",
                "public int compareTo(Key key) { return 0; } int hash() { return 1; }",
            ),
            same(
                "Sorted",
                "static void sort() { new java.util.TreeSet<>(java.util.List.of(new Key())); }",
            ),
            same("SortTests", "@Test void t() { Sorted.sort(); }"),
            same(
                "Hashed",
                "static int hash(Key key) { return key == null ? 0 : key.hash(); }",
            ),
            same("NoKeyTests", "@Test void t() { Hashed.hash(null); }"),
        ],
    ),
    (
        "reflection",
        &[
            edited(
                "Bean",
                "public int size() { return 1; }",
                "public int size() { return 2; }",
            ),
            same(
                "Peek",
                "static int peek(Object o) throws Exception {
                return o.getClass().getMethods().length; }",
            ),
            same(
                "PeekTests",
                "@Test void t() throws Exception { Peek.peek(new Bean()); }",
            ),
            same("PlainTests", "@Test void t() { new Bean(); }"),
            same(
                "LiteralTests",
                "@Test void t() { assert Bean.class != null; }",
            ),
        ],
    ),
];

struct Answer {
    by_types: BTreeSet<String>,
    by_methods: BTreeSet<String>,
    json: Value,
}

static ANSWER: LazyLock<Answer> = LazyLock::new(|| {
    let sample = Sample::empty("methods");
    let (old, new) = (sample.path().join("old"), sample.path().join("new"));
    compile(&sample, &old, |source| source.before);
    compile(&sample, &new, |source| source.after);
    let mut jury = sample.command(JURY, &Jdk::any());
    jury.args(["impact", "--methods", "--format", "json", "--since"]);
    let json = run(jury.arg(&old).arg("--classes").arg(&new))
        .exits(0)
        .json();
    Answer {
        by_types: names(&json["tests"]),
        by_methods: names(&json["methods"]["tests"]),
        json,
    }
});

fn compile(sample: &Sample, into: &Path, text: fn(&Source) -> &'static str) {
    let sources = into.with_extension("src");
    let test = "package org.junit.jupiter.api; public @interface Test {}";
    let mut files = vec![(sources.join("Test.java"), test.to_owned())];
    for (package, classes) in PROGRAMS {
        for source in *classes {
            let head = match source.name {
                name if name.starts_with("interface") => name.to_owned(),
                name if name.starts_with('@') => {
                    let kept = "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)";
                    format!("{kept} {name}")
                }
                name => format!("class {name}"),
            };
            let file = source.name.replace([' ', '@', '<', '>'], "_");
            files.push((
                sources.join(format!("{package}_{file}.java")),
                format!(
                    "package {package}; import org.junit.jupiter.api.Test; {head} {{ {} }}",
                    text(source)
                ),
            ));
        }
    }
    fs::create_dir_all(&sources).expect("a directory");
    let mut javac = Command::new(Jdk::any().home.join("bin/javac"));
    javac
        .current_dir(sample.path())
        .args(["-nowarn", "-d"])
        .arg(into);
    for (path, text) in files {
        fs::write(&path, text).expect("a writable file");
        javac.arg(path);
    }
    succeed(&mut javac);
}

fn names(tests: &Value) -> BTreeSet<String> {
    let tests = tests.as_array().expect("a list").iter();
    tests
        .map(|test| test["name"].as_str().expect("text").to_owned())
        .collect()
}

/// Test classes of one program that are selected.
fn check(package: &str, by_types: &[&str], by_methods: &[&str]) {
    let own = |tests: &BTreeSet<String>| -> Vec<String> {
        let front = format!("{package}.");
        tests
            .iter()
            .filter_map(|test| test.strip_prefix(&front))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(own(&ANSWER.by_types), by_types, "by types");
    assert_eq!(own(&ANSWER.by_methods), by_methods, "by methods");
}

#[test]
fn an_edited_body_selects_whoever_can_get_there() {
    check("bodies", &["TillTests", "WeightTests"], &["TillTests"]);
}

#[test]
fn an_added_override_selects_whoever_names_the_class() {
    check("override_added", &["HeirTests"], &["HeirTests"]);
}

#[test]
fn an_edited_override_selects_calls_of_what_it_overrides() {
    check(
        "override_edited",
        &["CallTests", "OtherTests"],
        &["CallTests"],
    );
}

#[test]
fn a_static_initialiser_selects_whoever_sees_the_state() {
    check(
        "static_initialiser",
        &["CastTests", "FieldTests"],
        &["FieldTests"],
    );
}

#[test]
fn a_constant_selects_whoever_has_a_copy() {
    check("constant", &["CheckTests", "NotTests"], &["CheckTests"]);
}

#[test]
fn a_default_method_selects_calls_through_the_class() {
    check("interface_default", &["ByeTests", "HiTests"], &["HiTests"]);
}

#[test]
fn a_superclass_may_answer_for_an_interface_it_does_not_know() {
    check("inherited_for_an_interface", &["GoTests"], &["GoTests"]);
}

#[test]
fn a_lambda_and_a_method_reference_are_called_by_who_makes_them() {
    check(
        "lambda",
        &["OneTests", "RefTests", "TwoTests"],
        &["OneTests", "RefTests"],
    );
}

#[test]
fn a_field_initialiser_selects_whoever_makes_an_object() {
    check(
        "field_initialiser",
        &["AreaTests", "SizeTests"],
        &["SizeTests"],
    );
}

#[test]
fn an_annotation_selects_whoever_names_the_annotated_class() {
    check("annotation", &["RankedTests"], &["RankedTests"]);
}

#[test]
fn code_outside_calls_back_only_objects_that_exist() {
    check("called_back", &["NoKeyTests", "SortTests"], &["SortTests"]);
}

#[test]
fn reflection_on_unknown_classes_is_judged_by_types() {
    check(
        "reflection",
        &["LiteralTests", "PeekTests", "PlainTests"],
        &["LiteralTests", "PeekTests"],
    );
    assert_eq!(ANSWER.json["methods"]["tests_judged_by_types"], 1);
}

#[test]
fn methods_never_select_more_than_types() {
    assert!(ANSWER.by_methods.is_subset(&ANSWER.by_types));
}

#[test]
fn the_answer_shows_changed_methods_and_the_way_there() {
    let methods = &ANSWER.json["methods"];
    let changed: Vec<_> = methods["changed"]
        .as_array()
        .expect("a list")
        .iter()
        .collect();
    assert!(
        changed.iter().any(|name| **name == "bodies.Shop.price()"),
        "{changed:?}"
    );
    assert!(
        !changed.iter().any(|name| **name == "bodies.Shop.weight()"),
        "{changed:?}"
    );
    let tests = methods["tests"].as_array().expect("a list");
    let test = tests
        .iter()
        .find(|test| test["name"] == "bodies.TillTests")
        .expect("a test");
    let way: Vec<_> = test["way"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|step| &step["to"])
        .collect();
    assert_eq!(
        way,
        [
            "bodies.TillTests.t()",
            "bodies.Till.total()",
            "bodies.Shop.price()"
        ]
    );
}
