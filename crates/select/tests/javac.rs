//! Fingerprints of classes as javac writes them: which edits count, and for whom.

mod compiler;

use std::borrow::Cow;
use std::collections::BTreeMap;

use compiler::{Classes, compile, compile_with};
use jury_model::Outcome;
use jury_select::*;

const PLAIN: Hashing = Hashing::Plain;
const SMART: Hashing = Hashing::Smart {
    version_counts: true,
};

fn fingerprint(classes: &Classes, name: &str, hashing: Hashing) -> ClassFingerprint {
    ClassFingerprint::of(&classes[name], hashing)
}

fn parts(source: &str, name: &str) -> Parts {
    let fingerprint = fingerprint(&compile(source), name, SMART);
    fingerprint
        .parts
        .unwrap_or_else(|| panic!("`{name}` has a plain fingerprint"))
}

/// The parts of class `C` that differ between two sources, in words.
fn difference(before: &str, after: &str) -> String {
    let (before, after) = (parts(before, "C"), parts(after, "C"));
    let bodies = |parts: &Parts| -> BTreeMap<String, Hash128> {
        let name = |member: &MemberFingerprint| match member.lambda {
            Some(rank) => format!("lambda {rank}"),
            None => member.name.to_string(),
        };
        parts
            .members()
            .iter()
            .map(|member| (name(member), member.body))
            .collect()
    };
    let (old, new) = (bodies(&before), bodies(&after));
    let mut words = Vec::new();
    if before.structure != after.structure {
        words.push("structure".to_owned());
    }
    if before.initializer != after.initializer {
        words.push("initializer".to_owned());
    }
    words.extend(
        old.iter()
            .filter(|(name, body)| new.get(*name) != Some(body))
            .map(|(name, _)| name.clone()),
    );
    words.join(" ")
}

#[test]
fn comments_and_local_names_change_nothing_but_plain_bytes() {
    let before = "class C { int m(int a) { int b = a; return b; } }";
    let after =
        "// moved down a line\nclass C { int m(int a) { int renamed = a; return renamed; } }";
    let (before, after) = (compile(before), compile(after));
    assert_eq!(
        fingerprint(&before, "C", SMART),
        fingerprint(&after, "C", SMART)
    );
    assert_ne!(
        fingerprint(&before, "C", PLAIN),
        fingerprint(&after, "C", PLAIN)
    );
}

#[test]
fn debug_options_of_the_compiler_change_nothing_but_plain_bytes() {
    let source =
        "class C { int m(int a) { try { return a / 0; } catch (Exception e) { return 1; } } }";
    let (full, none) = (
        compile_with(&["-g"], source),
        compile_with(&["-g:none"], source),
    );
    assert_eq!(
        fingerprint(&full, "C", SMART),
        fingerprint(&none, "C", SMART)
    );
    assert_ne!(
        fingerprint(&full, "C", PLAIN),
        fingerprint(&none, "C", PLAIN)
    );
}

#[test]
fn options_that_change_the_bytecode_count() {
    let source = "class C { String m(int a) { return a + \"\"; } }";
    let inline = compile_with(&["-XDstringConcat=inline"], source);
    let dynamic = compile_with(&["-XDstringConcat=indy"], source);
    assert_ne!(
        fingerprint(&inline, "C", SMART),
        fingerprint(&dynamic, "C", SMART)
    );
}

#[test]
fn the_class_file_version_counts_unless_told_otherwise() {
    let source = "class C { int m() { return 1; } }";
    let old = compile_with(&["--release", "16"], source);
    let new = compile_with(&["--release", "17"], source);
    assert_ne!(fingerprint(&old, "C", SMART), fingerprint(&new, "C", SMART));
    let lenient = Hashing::Smart {
        version_counts: false,
    };
    assert_eq!(
        fingerprint(&old, "C", lenient),
        fingerprint(&new, "C", lenient)
    );
}

const ANNOTATIONS: &str = "
    import java.lang.annotation.*;
    @Retention(RetentionPolicy.RUNTIME) @interface Seen { int x() default 0; int y() default 0; }
    @Retention(RetentionPolicy.RUNTIME) @interface Also {}
    @Retention(RetentionPolicy.CLASS) @interface Unseen { int x() default 0; }
    @Retention(RetentionPolicy.RUNTIME) @Target(ElementType.TYPE_USE) @interface OnType { int x(); }
";

fn annotated(class: &str) -> String {
    format!("{ANNOTATIONS}{class}")
}

#[test]
fn annotations_that_the_program_cannot_see_do_not_count() {
    let before = annotated("class C { void m() {} }");
    let after = annotated("@Unseen(x = 1) class C { @Unseen void m() {} }");
    assert_eq!(difference(&before, &after), "");
}

#[test]
fn the_order_of_annotations_does_not_count_but_their_values_do() {
    let one = annotated("class C { @Seen(x = 1, y = 2) @Also void m() {} }");
    let two = annotated("class C { @Also @Seen(y = 2, x = 1) void m() {} }");
    let three = annotated("class C { @Also @Seen(y = 3, x = 1) void m() {} }");
    assert_eq!(difference(&one, &two), "");
    assert_eq!(difference(&two, &three), "structure");
}

#[test]
fn visible_annotations_count_wherever_they_stand() {
    let bare = annotated("class C { int f; int m(int a) { return a; } }");
    for after in [
        "@Seen class C { int f; int m(int a) { return a; } }",
        "class C { @Seen int f; int m(int a) { return a; } }",
        "class C { int f; @Seen int m(int a) { return a; } }",
        "class C { int f; int m(@Seen int a) { return a; } }",
        "class C { int f; int m(@OnType(x = 1) int a) { return a; } }",
    ] {
        assert_eq!(difference(&bare, &annotated(after)), "structure", "{after}");
    }
    let one = annotated("class C { @OnType(x = 1) int f; }");
    let two = annotated("class C { @OnType(x = 2) int f; }");
    assert_eq!(difference(&one, &two), "structure");
}

#[test]
fn a_changed_default_of_an_annotation_counts() {
    let before = "@interface C { String value() default \"a\"; }";
    let after = "@interface C { String value() default \"b\"; }";
    assert_eq!(difference(before, after), "structure");
}

#[test]
fn an_edited_body_changes_that_method_alone() {
    let before = "class C { int m() { return 1; } int p() { return 2; } }";
    let after = "class C { int m() { return 1; } int p() { return 3; } }";
    assert_eq!(difference(before, after), "p");
}

#[test]
fn every_part_of_a_body_counts() {
    let same = "class C { int m(int a) { %BODY% } }";
    let body = |text: &str| same.replace("%BODY%", text);
    for (before, after) in [
        ("return a + 1;", "return a - 1;"),
        ("return 100000;", "return 100001;"),
        ("return (int) 1.5f;", "return (int) 2.5f;"),
        ("return \"a\".length();", "return \"bb\".length();"),
        ("return Math.abs(a);", "return Math.addExact(a, a);"),
        ("return a > 0 ? 1 : 2;", "return a >= 0 ? 1 : 2;"),
        ("a += 1; return a;", "a += 2; return a;"),
        (
            "switch (a) { case 1: return 1; default: return 2; }",
            "switch (a) { case 3: return 1; default: return 2; }",
        ),
        (
            "switch (a) { case 1: case 900: return 1; default: return 2; }",
            "switch (a) { case 1: case 901: return 1; default: return 2; }",
        ),
        (
            "try { return a / a; } catch (ArithmeticException e) { return 0; }",
            "try { return a / a; } catch (IllegalStateException e) { return 0; }",
        ),
        (
            "return new int[2][3].length;",
            "return new long[2][3].length;",
        ),
        ("return new int[2].length;", "return new short[2].length;"),
        (
            "Runnable r = () -> {}; return 1;",
            "Comparable<String> r = s -> 1; return 1;",
        ),
    ] {
        assert!(
            difference(&body(before), &body(after)).contains('m'),
            "{before}"
        );
    }
}

#[test]
fn places_in_the_constant_pool_do_not_count() {
    // Over 256 constants in front push the literal of `m` from `ldc` to `ldc_w`.
    let many: String = (0..300).map(|n| format!("s = \"text {n}\";")).collect();
    let m = "int m(boolean b) { while (b) { s = \"own\"; } return 1; }";
    let before = format!("class C {{ String s; void a() {{ s = \"x\"; }} {m} }}");
    let after = format!("class C {{ String s; void a() {{ {many} }} {m} }}");
    assert_eq!(difference(&before, &after), "a");
}

#[test]
fn the_order_of_members_is_seen_only_by_listing() {
    let before = parts("class C { int f; int g; void m() {} void p() {} }", "C");
    let after = parts("class C { int g; int f; void p() {} void m() {} }", "C");
    assert_eq!(before.structure, after.structure);
    assert_eq!(before.members(), after.members());
    assert_ne!(before.listing, after.listing);
}

#[test]
fn declarations_are_structure() {
    let before = "class C { int f; void m() {} }";
    for after in [
        "class C { int f; void m() {} void added() {} }",
        "class C { int f; }",
        "class C { int f; int g; void m() {} }",
        "class C { long f; void m() {} }",
        "class C { static int f; void m() {} }",
        "class C { int f; public void m() {} }",
        "class C { int f; synchronized void m() {} }",
        "class C { int f; void m() throws Exception {} }",
        "class C { int f; <T> void m() {} }",
        "class C { int f; void m() {} @Override public String toString() { return \"\"; } }",
        "class C { int f; void m() {} class Inner {} }",
        "class C extends Thread { int f; void m() {} }",
        "class C implements java.io.Serializable { int f; void m() {} }",
        "class C<T> { int f; void m() {} }",
        "final class C { int f; void m() {} }",
    ] {
        assert!(difference(before, after).contains("structure"), "{after}");
    }
    let sealed =
        "sealed class C permits A, B {} final class A extends C {} final class B extends C {}";
    let opened = "sealed class C permits A {} final class A extends C {}";
    assert!(difference(sealed, opened).contains("structure"));
}

#[test]
fn names_of_parameters_count_where_reflection_can_see_them() {
    let (before, after) = (
        "class C { void m(int a) {} }",
        "class C { void m(int b) {} }",
    );
    assert_eq!(difference(before, after), "");
    let kept = |source| fingerprint(&compile_with(&["-parameters"], source), "C", SMART);
    assert_ne!(kept(before), kept(after));
}

#[test]
fn constants_and_initialisers_count_for_every_reference() {
    let constant = |n| format!("class C {{ static final int N = {n}; }}");
    assert_eq!(difference(&constant(1), &constant(2)), "structure");
    let computed = |n| format!("class C {{ static final int N = Integer.valueOf({n}); }}");
    assert_eq!(difference(&computed(1), &computed(2)), "initializer");
}

#[test]
fn enum_constants_and_record_components_are_structure() {
    assert!(difference("enum C { A }", "enum C { A, B }").contains("structure"));
    assert!(difference("enum C { A, B }", "enum C { B, A }").contains("initializer"));
    assert!(difference("record C(int a) {}", "record C(int a, int b) {}").contains("structure"));
    assert!(
        difference("record C(int a, int b) {}", "record C(int b, int a) {}").contains("structure")
    );
    let annotated_component = annotated("record C(@Seen(x = 1) int a) {}");
    assert!(
        difference(&annotated("record C(int a) {}"), &annotated_component).contains("structure")
    );
}

#[test]
fn an_edited_default_method_changes_that_method_alone() {
    let interface = |n| format!("interface C {{ default int m() {{ return {n}; }} int p(); }}");
    assert_eq!(difference(&interface(1), &interface(2)), "m");
}

#[test]
fn a_lambda_added_elsewhere_leaves_the_others_as_they_were() {
    let before = "import java.util.function.*; class C {
        void early() {}
        Supplier<Integer> late() { return () -> 7; } }";
    let after = "import java.util.function.*; class C {
        void early() { Runnable r = () -> {}; }
        Supplier<Integer> late() { return () -> 7; } }";
    let (old, new) = (parts(before, "C"), parts(after, "C"));
    let body = |parts: &Parts, name: &str| {
        let member = parts
            .members()
            .iter()
            .find(|member| member.name.starts_with(name));
        member.map(|member| member.body).unwrap()
    };
    assert_ne!(old.members().len(), new.members().len());
    assert_eq!(old.structure, new.structure);
    assert_ne!(old.listing, new.listing);
    assert_eq!(body(&old, "late"), body(&new, "late"));
    assert_eq!(body(&old, "lambda$late$"), body(&new, "lambda$late$"));
    assert_ne!(body(&old, "early"), body(&new, "early"));
}

#[test]
fn an_edited_lambda_changes_its_own_body_alone() {
    let lambda = |n| {
        format!("class C {{ java.util.function.Supplier<Integer> m() {{ return () -> {n}; }} }}")
    };
    assert_eq!(difference(&lambda(1), &lambda(2)), "lambda 0");
}

#[test]
fn a_nested_class_that_code_merely_mentions_is_not_structure() {
    let before = "class C { Object m() { return null; } }";
    let after = "class C { Object m() { return (java.util.Map.Entry<?, ?>) null; } }";
    assert_eq!(difference(before, after), "m");
    let anonymous = "class C { Object m() { return new Object() {}; } }";
    assert_eq!(difference(before, anonymous), "m");
}

#[test]
fn a_class_with_an_attribute_nobody_knows_is_hashed_whole() {
    let mut bytes = compile_with(&["-g:source"], "class C {}")["C"].clone();
    assert!(ClassFingerprint::of(&bytes, SMART).parts.is_some());
    let place = bytes
        .windows(10)
        .position(|text| text == b"SourceFile")
        .unwrap();
    bytes[place..place + 10].copy_from_slice(b"OtherThing");
    assert_eq!(
        ClassFingerprint::of(&bytes, SMART),
        ClassFingerprint::of(&bytes, PLAIN)
    );
}

#[test]
fn broken_classes_get_a_plain_fingerprint_wherever_they_break() {
    let source = annotated("record C(@Seen(x = 1) int a) { Runnable m() { return () -> {}; } }");
    let bytes = &compile(&source)["C"];
    for end in 0..bytes.len() {
        let cut = &bytes[..end];
        assert_eq!(
            ClassFingerprint::of(cut, SMART),
            ClassFingerprint::of(cut, PLAIN)
        );
    }
    for place in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[place] ^= flip;
            ClassFingerprint::of(&damaged, SMART);
        }
    }
}

/// The worked example: `t1` and `t2` call `m` on a `C` and on a `D`, `t3` and `t4` call `p`.
const PROGRAM: &str = "
    class C { int f = 1; int m() { return f; } int p() { return 2; } }
    class D extends C { @Override int p() { return 3; } }
    class TestM { void t1() { new C().m(); } void t2() { new D().m(); } }
    class TestP { void t3() { new C().p(); } void t4() { new D().p(); } }
";

/// A test, and the methods it executes by class.
type Executed = (
    &'static str,
    &'static [(&'static str, &'static [&'static str])],
);

/// What each test executes in `PROGRAM`.
const EXECUTED: [Executed; 4] = [
    (
        "t1",
        &[("TestM", &["<init>", "t1"]), ("C", &["<init>", "m"])],
    ),
    (
        "t2",
        &[
            ("TestM", &["<init>", "t2"]),
            ("D", &["<init>"]),
            ("C", &["<init>", "m"]),
        ],
    ),
    (
        "t3",
        &[("TestP", &["<init>", "t3"]), ("C", &["<init>", "p"])],
    ),
    (
        "t4",
        &[
            ("TestP", &["<init>", "t4"]),
            ("D", &["<init>", "p"]),
            ("C", &["<init>"]),
        ],
    ),
];

struct Present<'a> {
    classes: &'a Classes,
    hashing: Hashing,
}

impl World for Present<'_> {
    fn class(&self, key: &ClassKey) -> Option<FoundClass<'_>> {
        let bytes = self.classes.get(&*key.name)?;
        let fingerprint = Cow::Owned(ClassFingerprint::of(bytes, self.hashing));
        Some(FoundClass {
            origin: key.origin.clone(),
            fingerprint,
        })
    }

    fn state(&self, _: &Subject) -> State {
        State::Absent
    }
}

/// The tests that an edit of `PROGRAM` affects.
fn affected(from: &str, to: &str, hashing: Hashing) -> String {
    assert!(PROGRAM.contains(from), "{from}");
    affected_by(&compile(&PROGRAM.replace(from, to)), hashing)
}

fn affected_by(edited: &Classes, hashing: Hashing) -> String {
    let classes = compile(PROGRAM);
    let mut evidence = Evidence::new();
    for (test, uses) in EXECUTED {
        let mut row = Row::new();
        for (name, methods) in uses {
            let fingerprint = fingerprint(&classes, name, hashing);
            let listed = fingerprint.parts.iter().flat_map(Parts::members);
            let executed: Vec<_> = listed
                .filter(|member| methods.contains(&&*member.name))
                .map(|member| (member.name.clone(), member.descriptor.clone()))
                .collect();
            let methods = executed
                .iter()
                .map(|(name, descriptor)| (&**name, &**descriptor));
            let usage = Use::of_methods(&fingerprint, methods);
            let key = ClassKey {
                origin: "classes".into(),
                name: (*name).into(),
            };
            row.add_use(
                evidence.catalogue.class(ClassVersion { key, fingerprint }),
                usage,
            );
        }
        evidence.record(
            test,
            Recorded {
                row,
                outcome: Outcome::Passed,
            },
        );
    }
    let changes = Changes::between(
        &evidence.catalogue,
        &Present {
            classes: edited,
            hashing,
        },
    );
    let names = evidence.records().map(|(name, _)| name);
    let affected = names.filter(|name| {
        evidence
            .check_affected(name, &changes, &Policy::default())
            .is_run()
    });
    affected.collect::<Vec<_>>().join(" ")
}

#[test]
fn an_edited_override_affects_those_who_execute_it() {
    assert_eq!(affected("return 3", "return 4", SMART), "t4");
    assert_eq!(affected("return 3", "return 4", PLAIN), "t2 t4");
}

#[test]
fn an_added_override_affects_all_who_use_its_class() {
    let to = "class D extends C { @Override int m() { return 5; }";
    assert_eq!(affected("class D extends C {", to, SMART), "t2 t4");
}

#[test]
fn an_edited_method_affects_those_who_execute_it() {
    assert_eq!(affected("return f", "return f + 1", SMART), "t1 t2");
    assert_eq!(affected("return 2", "return 6", SMART), "t3");
}

#[test]
fn an_edited_field_affects_those_who_construct_its_class() {
    assert_eq!(affected("int f = 1", "int f = 2", SMART), "t1 t2 t3 t4");
    assert_eq!(
        affected("int f = 1", "static int f = 1", SMART),
        "t1 t2 t3 t4"
    );
}

#[test]
fn an_edited_test_affects_itself_alone() {
    assert_eq!(
        affected("new C().p()", "new C().p(); new C().p()", SMART),
        "t3"
    );
    assert_eq!(
        affected("new C().p()", "new C().p(); new C().p()", PLAIN),
        "t3 t4"
    );
}

#[test]
fn a_new_super_class_affects_those_who_use_the_class() {
    let to = "class E extends C {} class D extends E";
    assert_eq!(affected("class D extends C", to, SMART), "t2 t4");
}

#[test]
fn a_removed_class_affects_those_who_used_it() {
    let mut edited = compile(PROGRAM);
    edited.remove("D");
    assert_eq!(affected_by(&edited, SMART), "t2 t4");
}

#[test]
fn an_edit_of_the_layout_affects_nobody_but_plain_readers() {
    assert_eq!(affected("class C {", "\nclass C {", SMART), "");
    assert_eq!(affected("class C {", "\nclass C {", PLAIN), "t1 t2 t3 t4");
    let edited = compile_with(&["-g"], PROGRAM);
    assert_eq!(affected_by(&edited, SMART), "");
    assert_eq!(affected_by(&edited, PLAIN), "t1 t2 t3 t4");
}
